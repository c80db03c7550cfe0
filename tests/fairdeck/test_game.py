"""Durak behind the protocol's contract: what it asks to be proven, and the one form of each action."""

from __future__ import annotations

import pytest

from fairdeck.game import Absent, Draw, IllegalAction, Open
from fairdeck.referee import present
from fairdeck.wire import Kind, decode_record
from p2pdurak.durak import DURAK, LAYOUT
from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import CARDS, DECK, Card
from p2pdurak.rules.options import CLASSIC, NAMED, format_options
from p2pdurak.rules.state import Phase, digest
from tests.fairdeck.cheap import in_bout, lowest, sit_down
from tests.fairdeck.games import drawn, played

OPTIONS = format_options(CLASSIC).encode()


def every_action() -> list[Action]:
    one: list[Action] = [kind(card) for kind in (Attack, Beat, Show) for card in DECK]
    denials = [Deny((card,)) for card in DECK]
    return [Take(), Done(), *one, *denials, Deny((DECK[0], DECK[9])), Deny(DECK[3:6])]


def test_layout_is_the_deal_of_the_rules() -> None:
    assert LAYOUT.cards == CARDS == 36
    assert LAYOUT.hands == (tuple(range(0, 12, 2)), tuple(range(1, 12, 2)))
    assert (LAYOUT.upcards, LAYOUT.stock) == ((35,), tuple(range(12, 35)))


@pytest.mark.parametrize("action", every_action(), ids=str)
def test_action_comes_back_from_its_bytes(action: Action) -> None:
    data = DURAK.encode(action)
    assert len(data) <= 64
    assert DURAK.decode(data) == action


def test_no_two_actions_have_the_same_bytes() -> None:
    assert len({DURAK.encode(action) for action in every_action()}) == len(every_action())


def test_whatever_can_be_read_is_written_the_same_way() -> None:
    for length in range(3):
        for number in range(256**length):
            data = number.to_bytes(length, "big")
            try:
                action = DURAK.decode(data)
            except IllegalAction:
                continue
            assert DURAK.encode(action) == data


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\x00", b"\x01", b"\x04", b"\x05", b"\x06", b"\xff", b"\x06\x00", b"\x02\x00", b"\x03\x00"),
        *(b"\x00\x24", b"\x00\xff", b"\x00\x01\x02", b"\x05\x01\x02\x24", b"\x05\x00\x01\x02\x03", bytes(64)),
    ],
)
def test_bytes_that_are_no_action_are_refused(data: bytes) -> None:
    with pytest.raises(IllegalAction, match=r"no action|not in the deck"):
        DURAK.decode(data)


@pytest.mark.parametrize("options", NAMED.values(), ids=NAMED.keys())
def test_options_in_their_canonical_text_are_known(options: object) -> None:
    DURAK.check_options(format_options(options).encode())  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [b"", b"\xff", OPTIONS + b"\n", OPTIONS + b"\nx=y", OPTIONS.upper(), b"open=on"])
def test_other_options_are_refused(options: bytes) -> None:
    with pytest.raises(IllegalAction, match="does not know"):
        DURAK.check_options(options)
    with pytest.raises(IllegalAction):
        DURAK.start(options, (0,), 0)


@pytest.mark.parametrize("opener", [0, 1, None])
def test_game_starts_with_the_upcard_as_indicator(opener: int | None) -> None:
    state = DURAK.start(OPTIONS, (17,), opener)
    assert (state.indicator, state.phase) == (Card(17), Phase.QUESTION if opener is None else Phase.ATTACK)
    assert DURAK.outcome(state) is None
    assert DURAK.digest(state) == digest(state)


def test_hidden_card_must_be_opened_and_a_denial_proven_and_nothing_else() -> None:
    for before, data in zip(played().before, played().records, strict=True):
        record = decode_record(data)
        if record.kind is not Kind.MOVE:
            continue
        state = present(before.state)
        action = DURAK.decode(record.body.action)  # type: ignore[union-attr]
        expected: Open | Absent | None = None
        match action:
            case Attack(card) | Beat(card) | Show(card):
                expected = None if card in state.hands[record.seat].known else Open(card)
            case Deny(cards):
                expected = Absent(cards)
            case Take() | Done():
                pass
        assert DURAK.demand(state, action) == expected


def test_refusals_of_the_rules_are_those_of_the_contract() -> None:
    state = DURAK.start(OPTIONS, (17,), 0)
    with pytest.raises(IllegalAction, match="cannot begin with done"):
        DURAK.apply(state, Done())


def test_draws_are_those_of_the_rules_and_take_the_whole_stock_in_the_end() -> None:
    drawn_cards = 0
    for before, data in zip(played().before, played().records, strict=True):
        record = decode_record(data)
        if record.kind is Kind.MOVE:
            _, draws = DURAK.apply(present(before.state), DURAK.decode(record.body.action))  # type: ignore[union-attr]
            assert all(draw == Draw(draw.seat, draw.count) and draw.count > 0 for draw in draws)
            drawn_cards += sum(draw.count for draw in draws)
    assert drawn_cards == len(LAYOUT.stock) == present(played().referee.deck).stock_drawn


def test_outcome_names_winner_and_loser_or_neither() -> None:
    ended = DURAK.outcome(present(played().referee.state))
    assert ended is not None
    assert {ended.winner, ended.loser} == {0, 1}
    draw = DURAK.outcome(present(drawn().referee.state))
    assert draw is not None
    assert (draw.winner, draw.loser) == (None, None)


def test_one_seat_acts_until_the_game_is_over() -> None:
    pair = sit_down().play(lowest, in_bout)
    assert DURAK.to_act(present(pair.referee.state)) in {0, 1}
    assert DURAK.to_act(present(played().referee.state)) is None
