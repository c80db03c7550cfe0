"""Screens to draw: one in every state of a game, and what can be changed about them.

It owns the smallest inputs of the pictures; it asserts nothing.
"""

from __future__ import annotations

from dataclasses import replace

from p2pdurak.events import Link
from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take
from p2pdurak.rules.cards import DECK, Card, Suit, parse_card
from p2pdurak.rules.state import Pair
from p2pdurak.safe_text import SafeText
from p2pdurak.ui.card_words import sort_hand
from p2pdurak.ui.draw.screen import Chart, Clock, Hint, Line, Notice, Panel, Progress, Screen, Seated, Told, Tone

ENTER = Hint("enter", "Enter", "play")
TAKE = Hint("t", "t", "take")
DONE = Hint("d", "d", "done")
CHAT = Hint("/", "/", "chat")
HELP = Hint("?", "?", "help")
LEAVE = Hint("c-c", "^C", "leave")
CLOSE = Hint("escape", "Esc", "close")

STEP_HINTS = (
    Hint("space", "Space", "pause"),
    Hint("left", "<", ""),
    Hint("right", ">", "step"),
    Hint("[", "[", ""),
    Hint("]", "]", "bout"),
    HELP,
    Hint("q", "q", "leave"),
    Hint("-", "-", ""),
    Hint("+", "+", "speed"),
    Hint("h", "h", "hands"),
    Hint("f", "f", "flip"),
    Hint("g", "g", "go to"),
)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def pairs(text: str) -> tuple[Pair, ...]:
    """`Qs/7h 8d` is a beaten and an unbeaten attack."""
    both = [[parse_card(card) for card in pair.split("/")] for pair in text.split()]
    return tuple(Pair(attack, answer[0] if answer else None) for attack, *answer in both)


def backs(number: int) -> tuple[None, ...]:
    return (None,) * number


def told(text: str) -> tuple[Told, ...]:
    """`1 mira attack 6c, 1 ilya beat 9c ~`: bout, name, word, card, and whether the clock played it."""
    return tuple(_told(entry.split()) for entry in text.split(", "))


def _told(words: list[str]) -> Told:
    auto = words[-1] == "~"
    bout, who, *rest = words[: len(words) - auto]
    word, action = _move(rest)
    return Told(SafeText(who), action, word, auto, int(bout))


def _move(words: list[str]) -> tuple[str, Action]:
    if words == ["take"]:
        return "take", Take()
    if words == ["done"]:
        return "done", Done()
    card = parse_card(words[-1])
    word = " ".join(words[:-1])
    return word, Beat(card) if word == "beat" else Attack(card)


def said(who: str, text: str, bout: int = 0) -> Told:
    return Told(SafeText(who), None, text, bout=bout)


STORY = told(
    "1 mira attack 6c, 1 ilya beat 9c, 1 mira throw in 9d, 1 ilya beat Ad, 1 mira throw in 6h, 1 ilya beat Th,"
    " 1 mira done, 2 ilya attack Qs, 2 mira beat 7h"
)

ATTACK = Screen(
    title="k7q2m",
    bout=2,
    top=Seated(SafeText("mira"), backs(5), 1),
    bottom=Seated(SafeText("ilya"), cards("6s As Kc Ac 7d"), 2, turn=True),
    trump=Suit.HEARTS,
    indicator=parse_card("Kh"),
    talon=18,
    beaten=6,
    table=pairs("Qs/7h"),
    prompt="Throw in more, or finish",
    tone=Tone.MINE,
    choosing=True,
    playable=frozenset(cards("7d")),
    focus=parse_card("7d"),
    clock=Clock(14, 30),
    line=Line(Link.UP, 38),
    told=STORY,
    hints=(ENTER, DONE, CHAT, HELP, LEAVE),
)

DEFENCE = replace(
    ATTACK,
    bout=1,
    top=Seated(SafeText("mira"), backs(3), 1),
    bottom=Seated(SafeText("ilya"), cards("As Ac 7d Th"), 2, turn=True),
    talon=24,
    beaten=0,
    table=pairs("6c/9c 9d/Ad 6h"),
    prompt="Beat 6♥",
    playable=frozenset(cards("Th")),
    focus=parse_card("Th"),
    clock=Clock(4, 30),
    told=STORY[:5],
    hints=(ENTER, TAKE, CHAT, HELP, LEAVE),
)

PILE_ON = replace(
    DEFENCE,
    top=Seated(SafeText("mira"), backs(5), 1),
    bottom=Seated(SafeText("ilya"), cards("7s 9s Kc 9h"), 2, turn=True),
    table=pairs("8d/9d 9c"),
    prompt="mira takes - pile on, or finish",
    said="mira: take",
    playable=frozenset(cards("9s 9h")),
    focus=parse_card("9s"),
    clock=Clock(17, 30),
    told=told("1 ilya attack 8d, 1 mira beat 9d, 1 ilya throw in 9c, 1 mira take"),
    hints=(ENTER, DONE, CHAT, HELP, LEAVE),
)

WAITING = replace(
    DEFENCE,
    top=Seated(SafeText("mira"), backs(6), 1, turn=True),
    bottom=Seated(SafeText("ilya"), (*cards("As Ac 7d"), None, None), 2),
    table=pairs("8s"),
    prompt="mira defends",
    tone=Tone.PLAIN,
    choosing=False,
    playable=frozenset(),
    focus=None,
    clock=Clock(21, 30),
    told=(*told("1 mira attack 6c, 1 ilya take ~, 1 mira done, 2 ilya attack 8s"), said("mira", "nice one ♥", 2)),
    notice=Notice("mira: nice one ♥", Tone.CHAT),
    hints=(CHAT, HELP, LEAVE),
)

OFFLINE = replace(
    WAITING,
    prompt="mira is offline and may return (0:42)",
    tone=Tone.ALARM,
    clock=None,
    line=Line(Link.DOWN, None, 42),
    notice=Notice("mira is late, 31 s", Tone.ALARM),
)

SIX_PAIRS = replace(
    DEFENCE,
    top=Seated(SafeText("mira"), backs(1), 1),
    bottom=Seated(SafeText("ilya"), cards("Ac Kd Th"), 2, turn=True),
    indicator=None,
    talon=0,
    beaten=12,
    table=pairs("6c/7c 6s/9s 7d/8d 8s/Js Jc/Qc Qd"),
    prompt="Beat Q♦",
    playable=frozenset(cards("Kd Th")),
    focus=parse_card("Kd"),
    clock=Clock(17, 30),
)


def with_hand(number: int, focus: str, playable: str, *, by_suit: bool = True) -> Screen:
    """A lead with a hand of many cards; what is not in it lies with the others."""
    trump = Suit.HEARTS
    hand = sort_hand(sorted(DECK, key=lambda card: card * 7 % 36)[:number], trump)
    if not by_suit:
        hand = tuple(sorted(hand, key=lambda card: (card % 9, card)))
    return replace(
        ATTACK,
        top=Seated(SafeText("mira"), backs(min(6, 36 - number)), 1),
        bottom=Seated(SafeText("ilya"), hand, 2, turn=True),
        table=(),
        talon=max(0, 30 - number),
        indicator=None if number > 28 else ATTACK.indicator,
        beaten=0,
        prompt="Your attack",
        playable=frozenset(cards(playable)),
        focus=parse_card(focus),
        by_suit=by_suit,
    )


CLAIM = replace(
    OFFLINE,
    panel=Panel(
        "Wait, or claim the win?",
        (
            Notice("mira cannot be heard and does not make the next step."),
            Notice("w: keep waiting. The game goes on as soon as mira does.", Tone.MINE),
            Notice("v: claim the win. That ends the game.", Tone.MINE),
            Notice("A claim is a note in the log, and proves nothing. Claimed games count apart from the score."),
        ),
        (Hint("w", "w", "keep waiting"), Hint("v", "v", "claim the win")),
    ),
    hints=(CHAT, HELP, LEAVE),
)

END = replace(
    WAITING,
    bout=14,
    top=Seated(SafeText("mira"), cards("8c 6d"), 1),
    bottom=Seated(SafeText("ilya"), (), 2),
    indicator=None,
    talon=0,
    beaten=34,
    table=(),
    prompt="mira is the durak. You win!",
    clock=None,
    told=told(
        "13 mira attack 7s, 13 ilya beat Ts, 13 mira done ~, 14 ilya attack Kc, 14 mira beat Ac",
    ),
    notice=None,
    panel=Panel(
        "The end of game 3",
        (
            Notice("mira is the durak. You win!", Tone.GOOD),
            Notice(""),
            Notice("✓ Verified: the deal, both shuffles and every move are proven.", Tone.GOOD),
            Notice("mira holds: 8♣, 6♦"),
            Notice("Log: ~/.local/share/p2pdurak/games/2026-11-30-mira-7.log"),
            Notice("Durak so far: you 2, mira 1, draws 0."),
            Notice("The winner of this game attacks first in the next one."),
        ),
        (Hint("n", "n", "rematch"), Hint("r", "r", "replay"), CHAT, Hint("q", "q", "leave")),
    ),
    hints=(Hint("n", "n", "rematch"), Hint("r", "r", "replay"), CHAT, Hint("q", "q", "leave")),
)

_KEYS = (
    "left, right: another card; Home and End: the first and the last",
    "Tab: the next card that can be played; Shift-Tab: the one before",
    "Enter, Space: play the card",
    "6 7 8 9 0 j q k a: a card of that rank; 0 is the ten",
    "t: take",
    "d: done, add no more",
    "/: chat",
    "s: sort the hand by suit or by rank",
    "i: what has been proven so far",
    "m: listen to the mouse or not; a click chooses a card, one more plays it",
    "w, v: keep waiting, or claim the win, when that may be done",
    "Ctrl-C, F10: leave; you are asked first",
    "?, F1: this help",
)
HELP_PANEL = replace(ATTACK, panel=Panel("Keys", tuple(map(Notice, _KEYS)), (CLOSE,)))

PROOF_PANEL = replace(
    ATTACK,
    panel=Panel(
        "Proven so far",
        (
            Notice("✓ Both shuffles are proven: 2 of 2.", Tone.GOOD),
            Notice("✓ 57 records are signed by both.", Tone.GOOD),
            Notice("mira opened 4 cards with a proof, you 5."),
            Notice("Cards known in mira's hand: 9♦, A♥"),
            Notice(""),
            Notice("Not proven: who mira is. Compare the safety words: copper-lamp.", Tone.ALARM),
            Notice("Not proven: that nobody else helps."),
        ),
        (CLOSE,),
        1,
    ),
)

ENTRY = replace(ATTACK, entry="good luck, and may the best hand win")

STEPS = Progress(21, 57, (4, 9, 14, 19, 24, 28, 33, 40, 48), playing=True, speed=2.0)

REPLAY = Screen(
    title="2026-11-30 ilya - mira",
    bout=5,
    top=Seated(SafeText("mira"), cards("Qs 7h 9h Kh Qd"), turn=True),
    bottom=Seated(SafeText("ilya"), cards("Ts Ks Th Jh 7d Kd")),
    trump=Suit.CLUBS,
    indicator=parse_card("8c"),
    talon=8,
    beaten=16,
    table=pairs("Ad"),
    prompt="ilya takes - mira may pile on",
    said="",
    told=told(
        "3 ilya beat Kc, 3 mira done, 4 ilya attack 8s, 4 mira beat 9s, 4 ilya throw in 9c, 4 mira beat Qc,"
        " 4 ilya done, 5 mira attack Ad, 5 ilya take"
    ),
    hints=STEP_HINTS,
    progress=STEPS,
    notation="5. 1> Ad +",
)

JUDGED = replace(
    REPLAY,
    progress=replace(STEPS, signs=((9, "1"), (21, "2")), playing=False),
    judged=(
        "Turning point 2 · A blunder: ilya had a forced win, and after it the game is lost. 7♦ wins.",
        "Turning point 2 · A blunder: ilya had a forced win, and after it the game is lost",
        "Turning point 2 · A blunder: ilya had a forced win",
        "2 · A blunder: ilya had a forced win",
    ),
)
"""What an analysis says of the move shown."""

ANALYSIS = replace(
    JUDGED,
    panel=Panel(
        "Analysis (quick): ilya's chance",
        (
            Notice("Analysing (full) ━━━━╌╌╌╌╌╌╌╌  36%", Tone.MINE),
            Notice("Move 21, bout 5: ilya, take. Turning point 2. A blunder: ilya had a forced win.", Tone.MINE),
            Notice("Other turning points:"),
            Notice("1  Move 9, bout 2: mira, beat Q♣. With every card seen, mira's chance fell from 70 to 40."),
            Notice("From move 19 on positions are solved: there the result with best play is certain."),
        ),
        (Hint("p", "p", ""), Hint("n", "n", "turning points"), CLOSE),
        chart=Chart(
            (0.5, 0.48, None, 0.4, 0.35, 0.3, 0.31, 0.3, 0.3, *(0.6, 0.62) * 6, *(0.0,) * 37),
            ((9, "1"), (21, "2")),
            40,
        ),
    ),
    hints=(),
)

NAMES = replace(
    WAITING,
    top=Seated(SafeText("王小明和他的所有好朋友们都在"), backs(6), 1, turn=True),
    bottom=Seated(SafeText("محمد بن عبد الله بن خالد"), cards("As Ac 7d"), 2),
    prompt="王小明和他的所有好朋友们都在 defends",
    told=(
        Told(SafeText("王小明和他的所有好朋友们都在"), Attack(parse_card("6c")), "attack", bout=1),
        Told(SafeText("محمد بن عبد الله بن خالد"), Take(), "take", bout=1),
    ),
    notice=Notice("王小明和他的所有好朋友们都在: 你好 ♥ مرحبا", Tone.CHAT),
)

LONG_NAME = SafeText("Bartholomäus Kornblume X")
LONG_NAME_BACK = SafeText(LONG_NAME[::-1])
"""As many cells as a name may have."""

LONG_NAMES = replace(
    PILE_ON,
    game=2,
    top=replace(PILE_ON.top, name=LONG_NAME),
    bottom=replace(PILE_ON.bottom, name=LONG_NAME_BACK),
    prompt=f"{LONG_NAME} takes - pile on, or finish",
    said=f"{LONG_NAME}: take",
    told=tuple(
        replace(entry, who=LONG_NAME if entry.who == "mira" else LONG_NAME_BACK, auto=entry.word == "take")
        for entry in (*PILE_ON.told, *told("2 mira throw in Th"))
    ),
)

LONG_CHAT = replace(
    WAITING, notice=Notice(f"mira: {' '.join(f'and {number} more' for number in range(1, 15))}", Tone.CHAT)
)

SHOWN = replace(
    REPLAY,
    top=replace(REPLAY.top, cards=cards("6s 7s 8s 9s Ts Js Qs 7c Tc Ad")),
    progress=None,
    prompt="mira is the durak",
)
"""At the end of a game the cards left are shown."""

DEALING = Screen(
    title="k7q2m",
    bout=0,
    top=Seated(SafeText("mira"), (), 1),
    bottom=Seated(SafeText("ilya"), (), 2),
    trump=Suit.CLUBS,
    indicator=None,
    talon=36,
    beaten=0,
    prompt="The cards are shuffled and dealt",
    line=Line(Link.SLOW, None, 6),
    notice=Notice("Shuffling: mira ok, proofs 1/2"),
    hints=(CHAT, HELP, LEAVE),
)
