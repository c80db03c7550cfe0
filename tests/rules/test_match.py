import pytest

from p2pdurak.rules.match import GameEnd, Match, Opener, next_opener
from p2pdurak.rules.options import CLASSIC, AfterDraw, FirstAttacker, Options, RematchFirst

ALTERNATE = Options(rematch_first=RematchFirst.ALTERNATE)


def won(winner: int, opener: int | None = 0, resigned: bool = False) -> GameEnd:
    return GameEnd(opener, winner, 1 - winner, finished=True, resigned=resigned, claimed=False)


def drawn(opener: int) -> GameEnd:
    return GameEnd(opener, None, None, finished=True, resigned=False, claimed=False)


def claimed(winner: int) -> GameEnd:
    return GameEnd(0, winner, 1 - winner, finished=False, resigned=False, claimed=True)


LEFT = GameEnd(1, None, None, finished=False, resigned=False, claimed=False)


@pytest.mark.parametrize(
    ("first", "opener"),
    [
        (FirstAttacker.LOWEST_TRUMP, Opener.ASK),
        (FirstAttacker.HOST, Opener.SEAT0),
        (FirstAttacker.COIN, Opener.COIN),
    ],
)
def test_the_first_game_opens_by_its_option(first, opener):
    assert next_opener(Options(first_attacker=first), Match()) is opener


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("opener", [0, 1])
def test_the_winner_opens_the_next_game(winner, opener):
    assert next_opener(CLASSIC, Match().add(won(winner, opener))) is Opener(winner)


def test_whoever_did_not_resign_opens_the_next_game():
    assert next_opener(CLASSIC, Match().add(won(1, None, resigned=True))) is Opener.SEAT1


@pytest.mark.parametrize("opener", [0, 1])
def test_after_a_draw_the_same_player_opens_or_the_other(opener):
    match = Match().add(drawn(opener))
    assert next_opener(CLASSIC, match) is Opener(opener)
    assert next_opener(Options(after_draw=AfterDraw.OTHER), match) is Opener(1 - opener)


@pytest.mark.parametrize("end", [won(0, 0), won(1, 0), drawn(0)])
def test_alternating_openers_ignore_the_result(end):
    assert next_opener(ALTERNATE, Match().add(end)) is Opener.SEAT1
    both = Options(rematch_first=RematchFirst.ALTERNATE, after_draw=AfterDraw.OTHER)
    assert next_opener(both, Match().add(end)) is Opener.SEAT1


def test_a_game_resigned_before_anybody_attacked_leaves_nothing_to_alternate():
    assert next_opener(ALTERNATE, Match().add(won(0, None, resigned=True))) is Opener.ASK


@pytest.mark.parametrize("end", [LEFT, claimed(0)])
def test_a_game_without_a_result_lets_the_next_open_as_a_first_game(end):
    match = Match().add(won(1)).add(end)
    assert next_opener(CLASSIC, match) is Opener.ASK
    assert next_opener(Options(first_attacker=FirstAttacker.COIN), match) is Opener.COIN


def test_the_values_of_the_opener_are_those_of_the_first_record():
    assert [opener.value for opener in (Opener.SEAT0, Opener.SEAT1, Opener.ASK, Opener.COIN)] == [0, 1, 2, 3]


def test_the_score_counts_duraks_draws_and_the_rest_apart():
    match = Match()
    for end in (won(0), won(0, resigned=True), won(1), drawn(0), claimed(1), LEFT):
        match = match.add(end)
    assert match == Match(score=(1, 2), draws=1, resigned=1, claimed=1, unfinished=1, last=LEFT)
    assert match.games == 6


def test_adding_a_game_leaves_the_match_as_it_was():
    match = Match()
    match.add(won(0))
    assert match == Match()


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        ((0, 0, 0, True, False, False), "one winner and one durak"),
        ((0, 1, None, True, False, False), "one winner and one durak"),
        ((0, 2, -1, True, False, False), "one winner and one durak"),
        ((0, None, None, True, True, False), "a resigned game"),
        ((0, 0, 1, False, True, False), "a resigned game"),
        ((0, 0, 1, True, False, True), "a claimed game"),
        ((None, None, None, True, False, False), "a drawn game"),
        ((0, 0, 1, False, False, False), "without a result"),
    ],
)
def test_a_contradictory_end_is_refused(end, sentence):
    with pytest.raises(ValueError, match=sentence):
        GameEnd(*end)
