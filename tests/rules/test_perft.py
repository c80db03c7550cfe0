"""The number of action sequences of a given length from fixed deals: any slip in the rules changes it."""

import pytest

from p2pdurak.rules.cards import card_text
from p2pdurak.rules.engine import to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import CLASSIC, Options
from tests.rules.games import at, cards, striding_deck
from tests.rules.naive import NaiveGame


def perft(game: OpenGame, depth: int) -> int:
    actions = game.legal_actions()
    if depth == 1 or not actions:
        return len(actions) if depth == 1 else 0
    seat = to_act(game.state)
    return sum(perft(game.play(seat, action)[0], depth - 1) for action in actions)


def naive_perft(start: NaiveGame, path: list[str], depth: int) -> int:
    """Replays the whole path each time: slow, and without a copy that could go wrong."""
    game = NaiveGame(start.hands, start.talon, start.trump, start.attacker, start.pile_on, start.limit)
    for move in path:
        game.do(move)
    moves = game.moves()
    if depth == 1:
        return len(moves)
    return sum(naive_perft(start, [*path, move], depth - 1) for move in moves)


def naive_twin(game: OpenGame) -> NaiveGame:
    hands = [[card_text(card) for card in hand] for hand in game.hands]
    talon = [card_text(card) for card in game.talon]
    trump = "cdhs"[game.state.trump]
    options = game.state.options
    return NaiveGame(hands, talon, trump, game.state.attacker, options.pile_on, options.first_bout_limit)


DEALS = {
    "stride 5": deal_open(CLASSIC, striding_deck(5, 0), 0),
    "stride 7": deal_open(CLASSIC, striding_deck(7, 3), 1),
    "stride 11, five, no pile on": deal_open(Options(first_bout_limit=5, pile_on=False), striding_deck(11, 20), 0),
    "stride 13": deal_open(CLASSIC, striding_deck(13, 35), 0),
    "endgame": OpenGame(
        at("h", "?5", "?4", indicator="Ah", talon=2),
        (cards("6c 6d 7d 9h Qs"), cards("7c Td 6s Kh")),
        cards("9c Ah"),
    ),
}


@pytest.mark.parametrize(
    ("deal", "counts"),
    [
        ("stride 5", [6, 17, 19, 108, 276, 358, 1867, 5580]),
        ("stride 7", [6, 15, 18, 96, 268, 406, 1876, 4985]),
        ("stride 11, five, no pile on", [6, 22, 58, 251, 656, 2637, 7162, 29427]),
        ("stride 13", [6, 12, 14, 75, 218, 307, 1536, 4306]),
        ("endgame", [5, 13, 20, 69, 184, 272, 889, 1949]),
    ],
)
def test_the_number_of_action_sequences_is_as_recorded(deal, counts):
    assert [perft(DEALS[deal], depth) for depth in range(1, 1 + len(counts))] == counts


@pytest.mark.parametrize("deal", list(DEALS))
def test_the_naive_engine_counts_the_same(deal):
    game = DEALS[deal]
    for depth in range(1, 6):
        assert perft(game, depth) == naive_perft(naive_twin(game), [], depth)
