"""Sampled worlds: all that agree with the view, and none else."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from p2pdurak.bots import fast
from p2pdurak.bots.knowledge import Knowledge, knowledge
from p2pdurak.rules.actions import Attack
from p2pdurak.rules.cards import DECK, card_text, parse_card
from p2pdurak.rules.engine import to_act
from p2pdurak.rules.open_game import OpenGame
from p2pdurak.rules.view import View
from tests.bots.tables import as_fast, dealt
from tests.rules.games import at, cards


def views(count: int, seed: int) -> list[tuple[OpenGame, View]]:
    """Every choice of some random games."""
    rng = Random(seed)
    found = []
    for _ in range(count):
        game = dealt(rng)
        while (seat := to_act(game.state)) is not None:
            found.append((game, game.view(seat)))
            game, _ = game.play(seat, rng.choice(game.legal_actions()))
    return found


def talon_of(world: fast.World) -> list[int]:
    prefixes = world[0]
    return [after ^ before for before, after in itertools.pairwise(prefixes)]


def test_every_world_agrees_with_everything_that_the_view_shows() -> None:
    rng = Random(1)
    for game, view in views(20, seed=5):
        position, world = knowledge(view).sample(rng.random)
        real, real_world = as_fast(game)
        mine = 0 if game.state.attacker == view.seat else 1
        theirs = position[1 - mine]
        assert position[mine] == real[mine]
        assert position[2:] == real[2:]
        assert theirs.bit_count() == real[1 - mine].bit_count()
        known = fast.mask_of(view.their_known, view.state.trump)
        assert theirs & known == known
        assert len(talon_of(world)) == len(talon_of(real_world))
        assert talon_of(world)[-1:] == talon_of(real_world)[-1:]
        assert theirs | sum(talon_of(world)) == real[1 - mine] | sum(talon_of(real_world))


def test_world_is_certain_once_the_talon_holds_at_most_the_indicator() -> None:
    certain = 0
    for game, view in views(20, seed=6):
        known = knowledge(view)
        assert known.exact == (view.state.talon <= 1)
        if known.exact:
            certain += 1
            assert known.sample(Random(2).random) == as_fast(game)
    assert certain > 100


ALL_BUT_SEVEN = " ".join(
    card_text(card) for card in DECK if card_text(card) not in ["6c", "7c", "8c", "9c", "Tc", "Ac", "9s"]
)


@pytest.mark.parametrize(
    ("theirs", "gone"),
    [("?2", "Tc"), ("8c 9c", "Tc"), ("8c 9c", "")],
    ids=["one, and a hidden hand", "one, and a hand that is known", "two, and a hand that is known"],
)
def test_no_world_is_certain_while_a_card_of_the_talon_lies_face_down(theirs: str, gone: str) -> None:
    face_down = 1 if gone else 2
    state = at("s", "?2", theirs, indicator="9s", talon=face_down + 1, discard=f"{ALL_BUT_SEVEN} {gone}")
    view = View(0, state, tuple(cards("6c 7c")))
    assert view.face_down == face_down
    assert not knowledge(view).exact


def opened() -> Knowledge:
    return knowledge(View(0, at("s", "?6", "?6", indicator="9s", talon=24), tuple(cards("6c 7c 8c 9c Tc Jc"))))


def test_each_unseen_card_is_as_likely_in_the_other_hand() -> None:
    known, rng = opened(), Random(3)
    held: Counter[int] = Counter()
    for _ in range(4000):
        held.update(fast.bits_of(known.sample(rng.random)[0][1]))
    assert set(held) == set(known.unseen)
    expected = 4000 * 6 / 29
    assert all(abs(count - expected) < 150 for count in held.values())


def test_own_card_that_cannot_be_seen_yet_is_dealt_too() -> None:
    view = View(0, at("s", "?6", "?6", indicator="9s", talon=24), tuple(cards("6c 7c 8c 9c Tc")))
    known = knowledge(view)
    assert not replace(known, face_down=0).exact
    position, _ = known.sample(Random(4).random)
    assert position[0].bit_count() == 6
    assert position[0] & known.position[0] == known.position[0]


def test_view_of_a_player_who_has_no_turn_is_refused() -> None:
    state = at("s", "?6", "?6", indicator="9s", talon=24)
    with pytest.raises(ValueError, match="turn"):
        knowledge(View(1, state, tuple(cards("6c 7c 8c 9c Tc Jc"))))
    assert Attack(parse_card("6c")) in View(0, state, tuple(cards("6c 7c"))).legal_actions()
