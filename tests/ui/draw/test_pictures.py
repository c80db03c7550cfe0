"""Every state of the table in every layout, as text, compared with `pictures/*.txt` character by character.

After a wanted change, write them anew with `P2PDURAK_WRITE_PICTURES=1 pytest tests/ui/draw`, and read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from p2pdurak.ui.draw.render import render
from p2pdurak.ui.draw.screen import Screen
from p2pdurak.ui.draw.themes import Depth, make_theme
from tests.ui.draw import demo

PICTURES = Path(__file__).with_name("pictures")
WRITES = bool(os.environ.get("P2PDURAK_WRITE_PICTURES"))

LAYOUTS = ("80x24", "60x20", "40x12")

SCREENS = {
    "attack": demo.ATTACK,
    "defence": demo.DEFENCE,
    "pile_on": demo.PILE_ON,
    "waiting": demo.WAITING,
    "offline": demo.OFFLINE,
    "dealing": demo.DEALING,
    "six_pairs": demo.SIX_PAIRS,
    "hand_15": demo.with_hand(15, "9h", "9h Th 6d 7s"),
    "hand_21": demo.with_hand(21, "9h", "9h Th 6d 7s"),
    "hand_28": demo.with_hand(28, "9h", "9h Th 6d 7s"),
    "hand_35": demo.with_hand(35, "9d", "9h Th 6d 7s"),
    "hand_35_by_rank": demo.with_hand(35, "9h", "9h Th 6d 7s", by_suit=False),
    "claim": demo.CLAIM,
    "end": demo.END,
    "help": demo.HELP_PANEL,
    "proof": demo.PROOF_PANEL,
    "entry": demo.ENTRY,
    "replay": demo.REPLAY,
    "judged": demo.JUDGED,
    "analysis": demo.ANALYSIS,
    "names": demo.NAMES,
}

ELSEWHERE = {
    "between": (demo.PILE_ON, ("90x24", "99x24")),
    "column": (demo.REPLAY, ("100x24",)),
    "long_names": (demo.LONG_NAMES, ("40x12", "60x20", "80x24", "90x24", "100x24")),
    "long_chat": (demo.LONG_CHAT, ("80x24", "60x20")),
    "shown": (demo.SHOWN, ("44x14",)),
    "replay": (demo.REPLAY, ("40x13", "40x14", "58x20")),
    "judged": (demo.JUDGED, ("44x14",)),
    "analysis": (demo.ANALYSIS, ("44x14",)),
}
"""What is worth a look at other sizes."""

LARGE = ("attack", "six_pairs", "waiting", "hand_28", "help", "replay", "judged", "analysis")


def picture(screen: Screen, size: str, *, letters: bool = False) -> str:
    width, height = map(int, size.split("x"))
    return render(screen, width, height, make_theme("mono", ascii=letters, depth=Depth.MONO)).text() + "\n"


def wanted() -> dict[str, str]:
    """Every picture by the name of its file."""
    drawn = {f"{name}_{size}": picture(screen, size) for name, screen in SCREENS.items() for size in LAYOUTS}
    drawn |= {f"{name}_110x32": picture(SCREENS[name], "110x32") for name in LARGE}
    drawn |= {f"{name}_ascii_60x20": picture(screen, "60x20", letters=True) for name, screen in SCREENS.items()}
    drawn |= {f"waiting_{size}": picture(demo.WAITING, size) for size in ("130x50", "44x14", "57x32", "79x23", "39x11")}
    drawn |= {f"{name}_{size}": picture(screen, size) for name, (screen, sizes) in ELSEWHERE.items() for size in sizes}
    return drawn


DRAWN = wanted()


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_as_it_was_accepted(name):
    file = PICTURES / f"{name}.txt"
    if WRITES:
        file.write_text(DRAWN[name], "utf-8")

    assert DRAWN[name] == file.read_text("utf-8")


def test_no_accepted_picture_is_left_over():
    assert {file.stem for file in PICTURES.iterdir()} == set(DRAWN)
