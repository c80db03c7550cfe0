"""What the panel says has been proven."""

from __future__ import annotations

from dataclasses import replace

from p2pdurak.events import Event, Moved, Peer, Shuffling
from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show
from p2pdurak.rules.state import Hand
from p2pdurak.rules.view import View
from p2pdurak.ui.draw.screen import Tone
from tests.ui.live.seats import BEATEN, LEADING, LED, NINE_C, TEN_C, cards, dealt, moved, seated, typed

PEER = Peer("mira", "ab", "copper-lamp")
SHUFFLED = (PEER, Shuffling("you", 1), Shuffling("mira", 2), dealt(LEADING))


def proofs(*events: Event, view: View = LEADING) -> list[str]:
    model = seated(*events, view=view)
    typed(model, "i")
    panel = model.screen(1000.0).panel
    return [] if panel is None else [line.text for line in panel.lines]


def test_the_safety_words_are_to_be_compared():
    assert any("copper-lamp" in line and line.startswith("Not proven") for line in proofs(*SHUFFLED))


def test_both_shuffles_are_named_with_their_authors():
    assert "✓ Shuffles proven: 2 of 2, by you and mira: nobody can know or choose the order." in proofs(*SHUFFLED)


def test_half_a_deal_proves_one_shuffle():
    assert "✓ Shuffles proven: 1 of 2, by you." in proofs(Shuffling("you", 1))


def test_records_are_counted_up_to_the_last_move():
    assert any("20 records" in line for line in proofs(Moved(19, 0, Attack(NINE_C), False, LED)))


def test_a_card_out_of_the_hidden_hand_is_opened_with_a_proof():
    lines = proofs(moved(0, Attack(NINE_C), LED), moved(1, Beat(TEN_C), BEATEN))
    assert "✓ You opened 1 card with a proof." in lines
    assert "✓ mira opened 1 card with a proof." in lines


def test_a_card_that_was_taken_up_before_is_known_already():
    known = replace(LEADING.state, hands=(Hand((NINE_C,), 5), LEADING.state.hands[1]))
    view = replace(LEADING, state=known)
    lines = proofs(moved(0, Attack(NINE_C), LED), view=view)
    assert "✓ You opened 0 cards with a proof; 1 card more had been seen before." in lines


def test_an_answer_about_the_lowest_trump_is_a_proof():
    denied = proofs(moved(1, Deny(cards("6h 7h")), LEADING))
    assert "✓ mira has proven to hold none of 6♥, 7♥ at the deal." in denied


def test_a_shown_trump_is_opened_with_a_proof():
    assert any("You opened 1 card" in line for line in proofs(moved(0, Show(cards("7h")[0]), LEADING)))


def test_known_cards_of_the_other_hand_are_listed():
    hands = (LEADING.state.hands[0], Hand(cards("8c Td"), 4))
    view = replace(LEADING, state=replace(LEADING.state, hands=hands))
    assert "Cards known in the hand of mira: 8♣, 10♦." in proofs(view=view)
    assert "Cards known in the hand of mira: none." in proofs()


def test_a_new_game_begins_with_no_proofs():
    again = proofs(*SHUFFLED, moved(0, Attack(NINE_C), LED), moved(1, Done(), LED), Shuffling("mira", 1))
    assert "✓ Shuffles proven: 1 of 2, by mira." in again
    assert not any("opened" in line for line in again)


def test_only_what_is_proven_is_green():
    model = seated(*SHUFFLED)
    typed(model, "i")
    panel = model.screen(1000.0).panel
    assert panel is not None
    assert all((line.tone is Tone.GOOD) == line.text.startswith("✓") for line in panel.lines)
