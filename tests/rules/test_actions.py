import pytest

from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take, action_text, action_word
from tests.rules.games import cards

SEVEN_D, SIX_H = cards("7d 6h")


@pytest.mark.parametrize(
    ("action", "word", "text"),
    [
        (Attack(SEVEN_D), "attack", "7d"),
        (Beat(SEVEN_D), "beat", "7d"),
        (Take(), "take", "take"),
        (Done(), "done", "done"),
        (Show(SIX_H), "show", "show 6h"),
        (Deny((SIX_H,)), "deny", "deny 6h"),
        (Deny(cards("6c 6d 6s")), "deny", "deny 6c 6d 6s"),
    ],
)
def test_every_action_has_its_word_and_its_text(action, word, text):
    assert action_word(action) == word
    assert action_text(action) == text


def test_an_attack_and_a_beat_with_the_same_card_differ():
    assert Attack(SEVEN_D) != Beat(SEVEN_D)
