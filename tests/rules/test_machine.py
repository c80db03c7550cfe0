"""The engine beside a naive one that sees all cards: they agree on every move, every refusal and every result."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from p2pdurak.rules.actions import Action, Attack, Beat, Done, Take, action_text, action_word
from p2pdurak.rules.cards import DECK, card_text
from p2pdurak.rules.engine import IllegalAction, outcome, to_act
from p2pdurak.rules.open_game import OpenGame, deal_open
from p2pdurak.rules.options import Options
from p2pdurak.rules.state import digest
from tests.rules.games import shuffled
from tests.rules.naive import NaiveGame

OPTIONS = [Options(), Options(pile_on=False), Options(first_bout_limit=5)]


def naive_move(action: Action) -> str:
    return f"{action_word(action)} {action_text(action)}" if isinstance(action, Attack | Beat) else action_text(action)


def texts(cards: tuple) -> list[str]:
    return sorted(map(card_text, cards))


class Twins:
    """One game in both engines."""

    def __init__(self, deck: list, opener: int, options: Options) -> None:
        self.game: OpenGame = deal_open(options, deck, opener)
        hands = [[card_text(card) for card in deck[seat:12:2]] for seat in (0, 1)]
        talon = [card_text(card) for card in deck[12:]]
        self.naive = NaiveGame(hands, talon, talon[-1][1], opener, options.pile_on, options.first_bout_limit)

    def play(self, action: Action) -> None:
        self.game, _ = self.game.play(to_act(self.game.state), action)
        self.naive.do(naive_move(action))

    def compare(self) -> None:
        state, naive = self.game.state, self.naive
        assert {naive_move(action) for action in self.game.legal_actions()} == naive.moves()
        assert to_act(state) == naive.turn()
        assert state.phase.value == naive.phase()
        assert [texts(hand) for hand in self.game.hands] == [sorted(hand) for hand in naive.hands]
        assert [hand.count for hand in state.hands] == [len(hand) for hand in naive.hands]
        assert all(set(state.hands[seat].known) <= set(self.game.hands[seat]) for seat in (0, 1))
        assert [card_text(pair.attack) for pair in state.table] == naive.attacks
        assert [card_text(pair.beaten_by) for pair in state.table if pair.beaten_by is not None] == naive.defences
        assert texts(state.discard) == sorted(naive.discard)
        assert state.talon == len(naive.talon)
        assert (state.indicator is None) == (naive.talon == [])
        assert state.attacker == naive.attacker
        assert state.bout == naive.bout
        assert naive.over or state.cap == naive.limit
        end = outcome(state)
        assert (end is not None) == naive.over
        if end is not None:
            assert end.winner == naive.winner()
            assert end.durak == (None if end.winner is None else 1 - end.winner)
        assert sorted(naive.all_cards()) == texts(DECK)


class TwoEngines(RuleBasedStateMachine):
    twins: Twins

    @initialize(seed=st.integers(0, 2**32), opener=st.integers(0, 1), options=st.sampled_from(OPTIONS))
    def deal(self, seed: int, opener: int, options: Options) -> None:
        self.twins = Twins(shuffled(Random(seed)), opener, options)

    @precondition(lambda self: to_act(self.twins.game.state) is not None)
    @rule(pick=st.integers(0, 2**16))
    def play(self, pick: int) -> None:
        actions = self.twins.game.legal_actions()
        self.twins.play(actions[pick % len(actions)])

    @precondition(lambda self: to_act(self.twins.game.state) is not None)
    @rule(seed=st.integers(0, 2**32))
    def play_a_while(self, seed: int) -> None:
        """Reaches endgames, which single steps seldom do."""
        rng = Random(seed)
        for _ in range(25):
            actions = self.twins.game.legal_actions()
            if actions:
                self.twins.play(rng.choice(actions))
                self.twins.compare()

    @rule(
        seat=st.integers(0, 1),
        action=st.sampled_from([*map(Attack, DECK), *map(Beat, DECK), Take(), Done()]),
    )
    def refuse(self, seat: int, action: Action) -> None:
        game, naive = self.twins.game, self.twins.naive
        if naive.turn() == seat and naive_move(action) in naive.moves():
            return
        before = digest(game.state)
        with pytest.raises(IllegalAction):
            game.play(seat, action)
        assert digest(game.state) == before

    @invariant()
    def both_engines_agree(self) -> None:
        if hasattr(self, "twins"):
            self.twins.compare()


TestTwoEngines = TwoEngines.TestCase
TestTwoEngines.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


@pytest.mark.parametrize("options", OPTIONS)
def test_both_engines_agree_on_whole_random_games(options):
    rng = Random(41)
    for number in range(60):
        twins = Twins(shuffled(rng), number % 2, options)
        twins.compare()
        while actions := twins.game.legal_actions():
            twins.play(rng.choice(actions))
            twins.compare()
        assert twins.naive.over
