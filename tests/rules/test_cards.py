import pytest

from p2pdurak.rules.cards import DECK, Rank, Suit, beats, card_of, card_text, parse_card, rank_of, suit_of


def test_the_deck_has_36_different_cards():
    assert list(range(36)) == sorted(DECK)
    assert len({(suit_of(card), rank_of(card)) for card in DECK}) == 36


def test_a_card_is_its_suit_times_nine_plus_its_rank():
    assert card_of(Suit.HEARTS, Rank.TEN) == 22
    assert all(card_of(suit_of(card), rank_of(card)) == card for card in DECK)


@pytest.mark.parametrize(("text", "card"), [("6c", 0), ("Ac", 8), ("6d", 9), ("Th", 22), ("As", 35)])
def test_a_card_is_written_as_rank_and_suit(text, card):
    assert card_text(card) == text
    assert parse_card(text) == card


def test_reading_is_the_inverse_of_writing_for_all_cards():
    assert [parse_card(card_text(card)) for card in DECK] == list(DECK)


@pytest.mark.parametrize("text", ["", "T", "h", "th", "TH", "10h", "hT", "5c", "1h", "Th ", " Th", "Th\n", "T♥", "6с"])
def test_other_texts_are_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match="is no card"):
        parse_card(text)


@pytest.mark.parametrize("trump", list(Suit))
def test_387_of_the_ordered_pairs_are_beats(trump):
    assert sum(beats(card, attack, trump) for card in DECK for attack in DECK) == 387


@pytest.mark.parametrize(
    ("card", "attack", "beaten"),
    [
        ("7c", "6c", True),
        ("6c", "7c", False),
        ("Ac", "Kc", True),
        ("7d", "6c", False),
        ("6c", "6d", False),
        ("6h", "Ac", True),
        ("6h", "7h", False),
        ("Ah", "Kh", True),
        ("As", "6h", False),
        ("6h", "6h", False),
    ],
)
def test_a_card_beats_by_rank_in_its_suit_or_as_trump(card, attack, beaten):
    assert beats(parse_card(card), parse_card(attack), Suit.HEARTS) is beaten


def test_of_two_cards_at_most_one_beats_the_other():
    for trump in Suit:
        assert not any(beats(a, b, trump) and beats(b, a, trump) for a in DECK for b in DECK)
