from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from p2pdurak.rules.actions import Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import DECK, parse_card
from p2pdurak.rules.engine import IllegalAction, Refusal, apply, deal
from p2pdurak.rules.options import CLASSIC, FirstAttacker, Options, Trumpless
from p2pdurak.rules.state import State
from p2pdurak.rules.view import View, lowest_lead
from tests.rules.games import Chooser, at, cards, hand, random_choice, random_deal, steps, suit
from tests.rules.recount import Recount


def led(state: State, text: str) -> State:
    return apply(state, Attack(parse_card(text))).state


STATE = led(at("h", "6c Kd ?1", "8c ?3", indicator="Qh", talon=5, discard="7d 8d"), "6c")
MINE = View(1, STATE, cards("8c 9c 6s 7h"))


def test_a_view_tells_mine_from_theirs():
    assert MINE.mine == hand("8c ?3")
    assert MINE.theirs == hand("Kd ?1")
    assert MINE.their_known == cards("Kd")


def test_the_unseen_cards_are_those_that_nobody_showed_me():
    seen = {*MINE.hand, *cards("6c Kd Qh 7d 8d")}
    assert MINE.unseen == tuple(card for card in DECK if card not in seen)


def test_the_unseen_cards_fill_the_other_hand_and_the_talon_in_every_game():
    rng = Random(2)
    for _ in range(10):
        for game, *_ in steps(random_deal(rng), random_choice(rng)):
            for seat in (0, 1):
                view = game.view(seat)
                face_down = max(0, game.state.talon - 1)
                assert len(view.unseen) == view.theirs.hidden + face_down
                assert set(view.their_known) <= set(game.hands[1 - seat])


def test_the_other_hand_can_be_told_when_no_card_lies_face_down():
    held = View(0, at("h", "6c Kd", "8c ?2", indicator="Qh", talon=1), cards("6c Kd"))
    gone = tuple(card for card in DECK if card not in cards("6c Kd 8c 9c Tc Qh"))
    last = replace(held, state=replace(held.state, discard=gone))
    assert last.face_down == 0
    assert last.their_hand == cards("8c 9c Tc")
    assert held.their_hand is None
    assert replace(last, hand=cards("6c")).their_hand is None


def test_a_hand_of_which_every_card_is_known_can_be_told_early():
    view = View(0, at("h", "6c ?5", "8c 9c", indicator="Qh", talon=5), cards("6c 7c Tc Jc Qc Kc"))
    assert view.their_hand == cards("8c 9c")


# ---- the same with pencil and paper ----

OPTIONS = {
    "classic": CLASSIC,
    "no pile-on": Options(pile_on=False),
    "first bout of five": Options(first_bout_limit=5),
    "the host begins": Options(first_attacker=FirstAttacker.HOST, trumpless=Trumpless.HOST),
}


def kept_count(seed: int, options: Options) -> Iterator[tuple[View, Recount]]:
    """Each view of both players in a game that is mostly sensible, beside the notes of a player in that seat."""
    rng = Random(seed)
    opener = rng.choice((0, 1)) if options.first_attacker is not FirstAttacker.LOWEST_TRUMP else None
    game = random_deal(rng, options, opener)
    limit = options.first_bout_limit
    notes = [Recount(s, game.hands[s], game.talon[-1], pile_on=options.pile_on, first_limit=limit) for s in (0, 1)]
    yield from ((game.view(seat), notes[seat]) for seat in (0, 1))
    for before, seat, action, _, after in steps(game, first_or_random(rng)):
        talon = before.talon[:-1]
        draws = [note.hear(seat, action) for note in notes]
        # The attacker draws first; whose cards those are shows in the hands, of which each player sees his own.
        for who in (0, 1):
            drawn = set(talon[: sum(draws)]) & set(after.hands[who])
            assert len(drawn) == draws[who]
            notes[who].draw(drawn)
        yield from ((after.view(who), notes[who]) for who in (0, 1))


def first_or_random(rng: Random) -> Chooser:
    """Mostly the first action, so that many cards are taken and the game still ends."""
    return lambda _, actions: actions[0] if rng.random() < 0.5 else rng.choice(actions)


def agrees_with(view: View, notes: Recount) -> bool:
    """Whether a view tells what the notes tell."""
    return (
        set(view.hand) == notes.mine
        and set(view.their_known) == notes.theirs
        and set(view.unseen) == notes.unseen()
        and view.indicator == notes.turned_up
        and view.face_down == notes.face_down
        and set(view.state.discard) == notes.gone
        and (view.their_hand is not None) >= (notes.face_down == 0)
        and view.their_hand in (None, tuple(sorted(notes.theirs | notes.unseen())), tuple(sorted(notes.theirs)))
    )


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_what_a_player_knows_is_what_a_naive_recount_of_the_open_actions_tells(options):
    told = Counter()
    for seed in range(8):
        for view, notes in kept_count(seed, options):
            assert agrees_with(view, notes), f"game {seed}, seat {view.seat}, bout {view.state.bout}"
            told["known"] += bool(notes.theirs)
            told["drawn indicator"] += notes.turned_up is None
            told["every card"] += view.their_hand is not None
    assert min(told["known"], told["drawn indicator"], told["every card"]) > 100


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_recount_agrees_through_two_hundred_games(options):
    for seed in range(1000, 1200):
        assert all(agrees_with(view, notes) for view, notes in kept_count(seed, options)), f"game {seed}"


def test_only_the_player_to_act_has_legal_actions():
    assert MINE.my_turn
    assert MINE.legal_actions() == (Beat(parse_card("8c")), Beat(parse_card("9c")), Beat(parse_card("7h")), Take())
    other = View(0, STATE, cards("7c Kd"))
    assert not other.my_turn
    assert other.legal_actions() == ()


def test_a_hand_with_cards_still_face_down_is_not_complete():
    assert MINE.complete
    assert not View(1, STATE, cards("8c 9c")).complete


# ---- the forced done ----

BEATEN = apply(led(at("h", "6c 9d ?1", "?4"), "6c"), Beat(parse_card("Tc"))).state


def test_done_is_forced_without_a_card_of_a_rank_on_the_table():
    assert View(0, BEATEN, cards("8s 9d")).forced_done


def test_done_is_not_forced_with_a_card_that_may_be_added():
    assert not View(0, BEATEN, cards("Ts 9d")).forced_done


def test_done_is_not_forced_while_a_drawn_card_is_face_down():
    assert not View(0, BEATEN, cards("9d")).forced_done


def test_done_is_forced_in_a_pile_on_too():
    state = apply(led(at("h", "6c 9d", "?4"), "6c"), Take()).state
    assert View(0, state, cards("9d")).forced_done


def test_nothing_is_forced_for_the_other_player_or_in_a_lead_or_defence():
    assert not View(1, BEATEN, cards("6s 7s 8c")).forced_done
    assert not View(0, at("h", "6c", "7c"), cards("6c")).forced_done
    assert not View(1, led(at("h", "Ah", "7c 8c"), "Ah"), cards("7c 8c")).forced_done


# ---- the clock ----


def test_the_clock_takes_for_a_defender_although_he_could_beat():
    assert MINE.timeout_action() == Take()


def test_the_clock_is_done_for_an_attacker_although_he_could_add():
    assert View(0, BEATEN, cards("Ts 9d")).timeout_action() == Done()
    state = apply(led(at("h", "6c 6d", "?4"), "6c"), Take()).state
    assert View(0, state, cards("6d")).timeout_action() == Done()


@pytest.mark.parametrize(
    ("held", "led_card"),
    [
        ("6h 9c 8d", "8d"),
        ("6h 8s 8d", "8d"),
        ("6h 8s 8c 8d", "8c"),
        ("Ah 7h Kh", "7h"),
        ("6h As", "As"),
    ],
)
def test_the_clock_leads_the_lowest_card_that_is_no_trump(held, led_card):
    state = at("h", held, "?6")
    assert View(0, state, cards(held)).timeout_action() == Attack(parse_card(led_card))


def test_the_lowest_lead_of_no_cards_does_not_exist():
    with pytest.raises(ValueError, match="empty"):
        lowest_lead((), suit("h"))


def test_the_clock_answers_a_question_truthfully():
    state = deal(CLASSIC, parse_card("Kh"), None)
    assert View(0, state, cards("6h 7c")).timeout_action() == Show(parse_card("6h"))
    assert View(0, state, cards("7h 7c")).timeout_action() == Deny(cards("6h"))


def test_the_clock_plays_for_nobody_out_of_turn():
    with pytest.raises(IllegalAction) as caught:
        View(0, STATE, cards("Kd")).timeout_action()
    assert caught.value.refusal is Refusal.NOT_YOUR_TURN


def test_what_the_clock_plays_is_always_legal():
    for game, seat, *_ in steps(random_deal(Random(3)), random_choice(Random(3))):
        view = game.view(seat)
        assert view.timeout_action() in view.legal_actions()


def test_an_answer_is_given_only_by_the_one_who_is_asked():
    state = deal(CLASSIC, parse_card("Kh"), None)
    assert View(0, state, cards("6h")).answer() == Show(parse_card("6h"))
    with pytest.raises(IllegalAction) as caught:
        View(1, state, cards("7h")).answer()
    assert caught.value.refusal is Refusal.NOT_YOUR_TURN
    with pytest.raises(IllegalAction) as caught:
        View(0, at("h", "6c", "7c"), cards("6c")).answer()
    assert caught.value.refusal is Refusal.NOT_ASKED
