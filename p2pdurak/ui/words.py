"""The sentences that tell a player what happens: cards, roles, moves, results and troubles in plain English.

It owns the wording for every face; it does not know where a sentence is shown, and it writes one line a sentence.
"""

from __future__ import annotations

from typing import Final, assert_never

from p2pdurak import events
from p2pdurak.events import Event, Link, Reason, Seat
from p2pdurak.rules.cards import suit_of
from p2pdurak.rules.options import AfterDraw, FirstAttacker, RematchFirst
from p2pdurak.rules.state import BoutOutcome, Phase, State
from p2pdurak.ui.card_words import CardStyle, sort_hand, suit_word
from p2pdurak.ui.endings import result_lines, trouble_sentences
from p2pdurak.ui.option_words import offered_sentences
from p2pdurak.ui.prompts import ACCEPT_QUESTION, move_text, prompt, their_turn
from p2pdurak.ui.scene import Scene, safe, sentence

_Meeting = events.Broker | events.Code | events.Waiting | events.WrongTry | events.Peer | events.Knock
_Play = events.Dealt | events.Opener | events.Turn | events.Moved | events.Drew | events.Bout | events.Advice
_News = events.LinkState | events.Late | events.Refused | events.Result | events.Again | events.Trouble
_NotSaid = _Meeting | _Play | _News | events.Offer | events.Shuffling


def describe(event: Event, scene: Scene, style: CardStyle, before: State | None = None) -> tuple[str, ...]:
    """Say an event in sentences.

    Args:
        event: what happened.
        scene: what holds after the event.
        style: how cards are written.
        before: the public state before a move, which tells a lead from a card thrown in.

    Returns:
        One line each, without line ends; none where a player need not hear of it.
    """
    if isinstance(event, events.Said):
        return (_said(event, scene),)
    return tuple(map(sentence, _describe(event, scene, style, before)))


def _describe(event: _NotSaid, scene: Scene, style: CardStyle, before: State | None) -> tuple[str, ...]:
    match event:
        case events.LinkState():
            return (_link(event, scene),)
        case events.Late():
            return (_late(event, scene),)
        case events.Refused(reason=reason):
            return (safe(reason),)
        case events.Result():
            return result_lines(event, scene, style)
        case events.Again(seat=seat):
            asked = seat == scene.seat
            return (f"{scene.peer()} {'is asked for a rematch' if asked else 'wants to play again'}.",)
        case events.Trouble():
            return (" ".join(trouble_sentences(event, scene)),)
        case _ if isinstance(event, _Meeting):
            return _meeting(event)
        case events.Offer(options=options, ask=ask):
            return (*offered_sentences(options), *((ACCEPT_QUESTION,) if ask else ()))
        case events.Shuffling(who=who, proofs=proofs):
            return (f"Shuffling: {scene.called(who)} ok, proofs {proofs}/2",)
        case _:
            return _play(event, scene, style, before)


def _play(event: _Play, scene: Scene, style: CardStyle, before: State | None) -> tuple[str, ...]:
    match event:
        case events.Dealt():
            return _dealt(event, scene, style)
        case events.Opener():
            return (_opener(event, scene, style),)
        case events.Turn():
            return _turn(event, scene, style)
        case events.Moved():
            return (_moved(event, scene, style, before),)
        case events.Drew(cards=cards, view=view):
            return (f"you: draw {style.cards(sort_hand(cards, view.state.trump))}",) if cards else ()
        case events.Bout():
            return (_bout(event, scene),)
        case events.Advice():
            return (f"Hint: {move_text(event.action, event.view.state, style)}. {_why(event)}",)
        case _:
            assert_never(event)


def _said(event: events.Said, scene: Scene) -> str:
    """Nothing is changed in what a player has written."""
    says = sentence(f"{scene.who(event.seat)} {'say' if event.seat == scene.seat else 'says'}")
    return f"{says}: {safe(event.text)}"


def _meeting(event: _Meeting) -> tuple[str, ...]:
    match event:
        case events.Broker(address=address, round_trip_ms=round_trip_ms):
            return (f"Broker {safe(address)}: ok{_milliseconds(round_trip_ms)}",)
        case events.Code(code=code, join=join):
            # Each on a line of its own, with nothing glued to it, so that a triple click takes exactly that.
            return ("Your code:", safe(code), "Or the whole line that your friend types:", safe(join))
        case events.Waiting(text=text):
            return (safe(text),)
        case events.WrongTry(left=left):
            tries = "1 try is left" if left == 1 else f"{left} tries are left"
            return (f"Somebody tried a wrong code; {tries} before a fresh code is made.",)
        case events.Peer(name=name, safety=safety):
            return (
                f"{safe(name)} joined, safety words {safe(safety)}",
                "If your friend sees other safety words, leave: somebody sits between you.",
            )
        case events.Knock(name=name, safety=safety):
            return (f"Does {safe(name)} see the same words, {safe(safety)}? Type yes to let your friend in, or no.",)
        case _:
            assert_never(event)


def _dealt(event: events.Dealt, scene: Scene, style: CardStyle) -> tuple[str, ...]:
    trump = suit_of(event.indicator)
    return (
        f"Game {event.game} against {scene.peer()}. You are the {'guest' if event.seat else 'host'}.",
        f"Your hand: {style.cards(sort_hand(event.hand, trump))}",
        f"Trump: {suit_word(trump)}. {style.card(event.indicator)} lies under the talon and is drawn last.",
    )


def _opener(event: events.Opener, scene: Scene, style: CardStyle) -> str:
    reason = _opener_reason(event, scene, style)
    attacks = scene.does(event.seat, "attack first", "attacks first")
    return f"{attacks}: {reason}." if reason else f"{attacks}."


def _opener_reason(event: events.Opener, scene: Scene, style: CardStyle) -> str:
    """Say why this seat begins, from the options and the last game; nothing where they do not tell."""
    if scene.state is None:
        return f"{style.card(event.card)} was shown" if event.card is not None else ""
    if event.card is not None:
        if suit_of(event.card) == scene.state.trump:
            return f"{style.card(event.card)} is the lowest trump in the two hands"
        return f"nobody holds a trump, and {style.card(event.card)} is the lowest card"
    options = scene.state.options
    if scene.last is None or scene.last.reason not in (Reason.CARDS, Reason.RESIGN):
        return _FIRST_REASONS[options.first_attacker]
    if options.rematch_first is RematchFirst.ALTERNATE:
        return "the first attack changes from game to game"
    if scene.last.durak is None:
        same = options.after_draw is AfterDraw.SAME
        return f"after a draw the {'same' if same else 'other'} player attacks first"
    return "the winner of the last game begins" if event.seat != scene.last.durak else ""


_FIRST_REASONS: Final = {
    FirstAttacker.LOWEST_TRUMP: "nobody holds a trump, so the host begins",
    FirstAttacker.HOST: "the options let the host begin",
    FirstAttacker.COIN: "the coin of both players fell so",
}
"""Why a seat begins a first game without having shown a card."""


def _turn(event: events.Turn, scene: Scene, style: CardStyle) -> tuple[str, ...]:
    if event.view.state.phase in (Phase.QUESTION, Phase.OVER):
        return ()  # the programs answer the questions by themselves
    if event.seat != event.view.seat:
        return (their_turn(scene.who(event.seat), event.view.state, style),)
    clock = f". {event.seconds} s left." if event.seconds else ""
    return (prompt(event.view, style) + clock,)


def _moved(event: events.Moved, scene: Scene, style: CardStyle, before: State | None) -> str:
    clock = " (played by the clock)" if event.auto else ""
    return f"{scene.who(event.seat)}: {move_text(event.action, before or event.view.state, style)}{clock}"


def _bout(event: events.Bout, scene: Scene) -> str:
    first, second = (0, 1) if scene.seat is None else (scene.seat, 1 - scene.seat)
    ending = bout_end(event.outcome, event.attacker, scene)
    mine = scene.does(first, str(event.hands[first]), str(event.hands[first]))
    return f"{ending}. {mine}, {scene.who(second)} {event.hands[second]}, talon {event.talon}."


def bout_end(outcome: BoutOutcome, attacker: Seat, scene: Scene) -> str:
    """Say how a bout ended, without its end mark."""
    match outcome:
        case BoutOutcome.BEATEN:
            return "Beaten off"
        case BoutOutcome.PICKUP:
            return scene.does(1 - attacker, "take the cards", "takes the cards")
        case _:
            assert_never(outcome)


def _why(advice: events.Advice) -> str:
    """Say how much a hint is worth, and never more than was found out."""
    if len(advice.view.legal_actions()) == 1:
        return "It is your only move."
    if advice.value is not None:
        return _EXACT[advice.value]
    if advice.trials > 1:
        return f"Nothing clearly better in {advice.trials} trials."
    return "A guess: this ending is too long to work out." if advice.trials else "A rule of thumb."


_EXACT: Final = {
    1: "Exact: this wins.",
    0: "Exact: this draws, and nothing wins.",
    -1: "Exact: every move loses.",
}
"""By the value of the position for the player who asks."""


def _link(event: events.LinkState, scene: Scene) -> str:
    peer = scene.peer()
    match event.state:
        case Link.UP:
            return f"{peer} is connected{_milliseconds(event.rtt_ms)}"
        case Link.SLOW:
            return f"{peer} is slow, {event.silent_s} s"
        case Link.DOWN:
            if event.claim_in_s is None:
                return f"{peer} is offline and may return"
            if event.claim_in_s <= 0:
                return f"{peer} is offline. {_CLAIM}"
            minutes, seconds_left = divmod(event.claim_in_s, 60)
            return f"{peer} is offline and may return ({minutes}:{seconds_left:02})"
        case Link.OWN_DOWN:
            return f"you are offline, reconnecting ({event.attempt})"
        case _:
            assert_never(event.state)


_CLAIM: Final = "Type claim to claim the win, or keep waiting."


def _late(event: events.Late, scene: Scene) -> str:
    late = f"{scene.does(event.seat, 'are late', 'is late')}, {event.seconds} s"
    return f"{late}. {_CLAIM}" if event.claimable and event.seat != scene.seat else late


def _milliseconds(value: int | None) -> str:
    return "" if value is None else f", {value} ms"
