"""The sentences that tell a player what happens: cards, roles, moves, results and troubles in plain English.

It owns the wording for every face; it does not know where a sentence is shown, and it writes one line a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, assert_never

from p2pdurak import events
from p2pdurak.events import Event, Link, Reason, Seat
from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take
from p2pdurak.rules.cards import SUIT_LETTERS, Card, Suit, rank_of, suit_of
from p2pdurak.rules.options import CLASSIC, AfterDraw, FirstAttacker, RematchFirst, option_pairs
from p2pdurak.rules.state import BoutOutcome, Phase, State
from p2pdurak.rules.view import View
from p2pdurak.safe_text import SafeText, clean

_Meeting = events.Broker | events.Code | events.Waiting | events.WrongTry | events.Peer
_Play = events.Dealt | events.Opener | events.Turn | events.Moved | events.Drew | events.Bout | events.Said

OUTSIDE_CELLS_MAX: Final = 1000
"""Paths, addresses and messages are shown whole; this only keeps a mistake elsewhere from flooding the terminal."""

_RANK_TEXTS: Final = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
_RANK_WORDS: Final = ("six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUIT_SIGNS: Final = "♣♦♥♠"
_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_SUIT_COLOURS: Final = (32, 94, 31, None)
"""SGR codes of the four-colour deck: green, bright blue (dark blue drowns on black), red, the terminal's own."""


@dataclass(frozen=True, slots=True)
class CardStyle:
    """How a card is written: `10♥`, `10h` (ascii) or `ten of hearts` (words), in its suit's colour or plain."""

    ascii: bool = False
    words: bool = False
    colour: bool = False

    def card(self, card: Card) -> str:
        """Write one card."""
        colour = _SUIT_COLOURS[suit_of(card)]
        text = self._plain(card)
        return f"\x1b[{colour}m{text}\x1b[39m" if self.colour and colour is not None else text

    def cards(self, cards: Iterable[Card]) -> str:
        """Write cards in the order given, with commas between."""
        return ", ".join(map(self.card, cards))

    def _plain(self, card: Card) -> str:
        if self.words:
            return spell_card(card)
        return _RANK_TEXTS[rank_of(card)] + (SUIT_LETTERS if self.ascii else SUIT_SIGNS)[suit_of(card)]


ASCII_CARDS: Final = CardStyle(ascii=True)


@dataclass(frozen=True, slots=True)
class Scene:
    """What sentences refer to without saying it: who sits where, the public state, and how the last game ended."""

    names: tuple[str, str] = ("the host", "the guest")
    seat: Seat | None = None
    friend: str = "your friend"
    state: State | None = None
    last: events.Result | None = None

    def after(self, event: Event) -> Scene:
        """Give the scene that holds once `event` has happened."""
        match event:
            case events.Peer(name=name):
                return replace(self, friend=_safe(name))
            case events.Dealt(game=game, names=names, view=view):
                last = None if game == 1 else self.last
                return replace(self, names=names, seat=event.seat, state=view.state, last=last)
            case events.Turn(view=view) | events.Moved(view=view) | events.Drew(view=view):
                return replace(self, seat=view.seat, state=view.state)
            case events.Result(names=names, seat=seat):
                return replace(self, names=names, seat=seat, last=event)
            case _:
                return self

    def who(self, seat: Seat) -> str:
        """Name a seat: `you`, or the friend's name, which can never be mistaken for `you` or for our own name."""
        name = _safe(self.names[seat])
        if self.seat is None:
            return name
        if seat == self.seat:
            return "you"
        mistakable = name.casefold() in ("you", _safe(self.names[self.seat]).casefold())
        return f"{name} (your friend)" if mistakable else name

    def peer(self) -> str:
        """Name the other player, also before the deal."""
        return self.friend if self.seat is None else self.who(1 - self.seat)

    def does(self, seat: Seat, yours: str, theirs: str) -> str:
        """Begin a sentence with a seat and its verb: `You take` or `mira takes`."""
        return f"You {yours}" if seat == self.seat else f"{self.who(seat)} {theirs}"


def spell_card(card: Card) -> str:
    """Write a card in words: `ten of hearts`."""
    return f"{rank_word(card)} of {suit_word(suit_of(card))}"


def rank_word(card: Card) -> str:
    """Write a card's rank in words: `ten`."""
    return _RANK_WORDS[rank_of(card)]


def suit_word(suit: Suit) -> str:
    """Write a suit in words: `hearts`."""
    return _SUIT_WORDS[suit]


def sort_hand(cards: Iterable[Card], trump: Suit) -> tuple[Card, ...]:
    """Sort cards by suit, then rank, with the trumps last."""
    return tuple(sorted(cards, key=lambda card: (suit_of(card) == trump, suit_of(card), rank_of(card))))


def unbeaten(state: State) -> Card | None:
    """Find the attack card that waits to be beaten."""
    return next((pair.attack for pair in state.table if pair.beaten_by is None), None)


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
    match event:
        case events.LinkState():
            return (_link(event, scene),)
        case events.Late():
            return (_late(event, scene),)
        case events.Refused(command=command, reason=reason):
            return (f"{_safe(command)}: {_safe(reason)}" if command else _safe(reason),)
        case events.Result():
            return _result(event, scene, style)
        case events.Trouble():
            return (_trouble(event, scene),)
        case events.Broker() | events.Code() | events.Waiting() | events.WrongTry() | events.Peer():
            return _meeting(event)
        case events.Offer(options=options, ask=ask):
            question = ("Play by these rules? Press Enter, or type no.",) if ask else ()
            return ("Options of this game:", *(_option(*option) for option in options), *question)
        case events.Shuffling(who=who, proofs=proofs):
            return (f"Shuffling: {_safe(who)} ok, proofs {proofs}/2",)
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
        case events.Said(seat=seat, text=text):
            return (f"{scene.who(seat)} {'say' if seat == scene.seat else 'says'}: {_safe(text)}",)
        case _:
            assert_never(event)


def _meeting(event: _Meeting) -> tuple[str, ...]:
    match event:
        case events.Broker(address=address, round_trip_ms=round_trip_ms):
            return (f"Broker {_safe(address)}: ok{_milliseconds(round_trip_ms)}",)
        case events.Code(code=code, join=join):
            return (f"Code: {_safe(code)}", f"Your friend types: {_safe(join)}")
        case events.Waiting(text=text):
            return (_safe(text),)
        case events.WrongTry(left=left):
            tries = "1 try is left" if left == 1 else f"{left} tries are left"
            return (f"Somebody tried a wrong code; {tries} before a fresh code is made.",)
        case events.Peer(name=name, safety=safety):
            return (
                f"{_safe(name)} joined, safety words {_safe(safety)}",
                "If your friend sees other safety words, leave: somebody sits between you.",
            )
        case _:
            assert_never(event)


def _option(name: str, value: str) -> str:
    classic = dict(option_pairs(CLASSIC)).get(name)
    note = "" if classic in (value, None) else f" (classic: {classic})"
    return f"{_safe(name)}: {_safe(value)}{note}"


def _dealt(event: events.Dealt, scene: Scene, style: CardStyle) -> tuple[str, ...]:
    trump = suit_of(event.indicator)
    return (
        f"Game {event.game} against {scene.peer()}. You are the {'guest' if event.seat else 'host'}.",
        f"Your hand: {style.cards(sort_hand(event.hand, trump))}",
        f"Trump: {suit_word(trump)}. {style.card(event.indicator)} lies under the talon and is drawn last.",
    )


def _opener(event: events.Opener, scene: Scene, style: CardStyle) -> str:
    reason = _opener_reason(event, scene, style)
    sentence = scene.does(event.seat, "attack first", "attacks first")
    return f"{sentence}: {reason}." if reason else f"{sentence}."


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
        return (_their_turn(scene.who(event.seat), event.view.state, style),)
    clock = f". {event.seconds} s left." if event.seconds else ""
    return (prompt(event.view, style) + clock,)


def prompt(view: View, style: CardStyle) -> str:
    """Say what can be done on our own turn: `Beat 9♣: 10♣, 6♥; or take`."""
    if not view.complete:
        return "Your new cards are on their way; wait a moment"
    state, legal = view.state, view.legal_actions()
    cards = sort_hand((action.card for action in legal if isinstance(action, Attack | Beat)), state.trump)
    text = style.cards(cards)
    attack = unbeaten(state)
    if state.phase is Phase.DEFEND and attack is not None:
        target = style.card(attack)
        return f"Beat {target}: {text}; or take" if cards else f"Nothing beats {target}: take"
    if not state.table:
        return f"Your move: {text} (attack)"
    if state.phase is Phase.PILE_ON:
        return f"Pile on: {text}; or done" if cards else "Nothing to pile on: done"
    return f"Throw in: {text}; or done" if cards else "Nothing to throw in: done"


def _their_turn(name: str, state: State, style: CardStyle) -> str:
    attack = unbeaten(state)
    if state.phase is Phase.DEFEND and attack is not None:
        return f"{name} has to beat {style.card(attack)} or take."
    if not state.table:
        return f"{name} has to attack."
    return f"{name} may {'pile on' if state.phase is Phase.PILE_ON else 'throw in'} or be done."


def _moved(event: events.Moved, scene: Scene, style: CardStyle, before: State | None) -> str:
    clock = " (played by the clock)" if event.auto else ""
    return f"{scene.who(event.seat)}: {_action(event.action, style, before or event.view.state)}{clock}"


def _action(action: Action, style: CardStyle, state: State) -> str:
    match action:
        case Attack(card=card):
            return f"{_attack_word(state, card)} {style.card(card)}"
        case Beat(card=card):
            return f"beat {style.card(card)}"
        case Take():
            return "take"
        case Done():
            return "done"
        case Show(card=card):
            return f"show {style.card(card)}"
        case Deny(cards=cards):
            return f"no {style.cards(cards)}"
        case _:
            assert_never(action)


def _attack_word(state: State, card: Card) -> str:
    """Name an attack: a lead, a throw-in or a pile-on; `state` may already hold the card itself."""
    if state.phase is Phase.PILE_ON:
        return "pile on"
    return "throw in" if any(pair.attack != card for pair in state.table) else "attack"


def _bout(event: events.Bout, scene: Scene) -> str:
    first, second = (0, 1) if scene.seat is None else (scene.seat, 1 - scene.seat)
    match event.outcome:
        case BoutOutcome.BEATEN:
            ending = "Beaten off"
        case BoutOutcome.PICKUP:
            ending = scene.does(1 - event.attacker, "take the cards", "takes the cards")
        case _:
            assert_never(event.outcome)
    mine = scene.does(first, str(event.hands[first]), str(event.hands[first]))
    return f"{ending}. {mine}, {scene.who(second)} {event.hands[second]}, talon {event.talon}."


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
    sentence = f"{scene.does(event.seat, 'are late', 'is late')}, {event.seconds} s"
    return f"{sentence}. {_CLAIM}" if event.claimable and event.seat != scene.seat else sentence


def _result(event: events.Result, scene: Scene, style: CardStyle) -> tuple[str, ...]:
    lines = [_ending(event, scene)]
    for seat, hand in enumerate(event.hands):
        if hand:
            trump = Suit(suit_of(hand[0])) if scene.state is None else scene.state.trump
            whose = "You hold" if seat == event.seat else f"{scene.who(seat)} holds"
            lines.append(f"{whose}: {style.cards(sort_hand(hand, trump))}")
    if event.verified:
        lines.append("Verified: the deal, both shuffles and every move are proven.")
    else:
        lines.append("Not everything is verified; p2pdurak verify on the log tells what is.")
    if event.log:
        lines.append(f"Log: {_safe(event.log)}")
    lines.append(score(event, scene))
    lines.append("Type rematch to play again, or leave." if event.more else "The match is over.")
    return tuple(lines)


def score(result: events.Result, scene: Scene) -> str:
    """Say the score of the match after its last game."""
    own, draws = result.seat, result.score[2]
    return f"Durak so far: you {result.score[own]}, {scene.peer()} {result.score[1 - own]}, draws {draws}."


def _ending(event: events.Result, scene: Scene) -> str:
    verdict = _verdict(event, scene)
    mine = event.outcome == "win"
    match event.reason:
        case Reason.CARDS:
            return verdict
        case Reason.RESIGN:
            if event.durak is None:
                return verdict
            return f"{scene.does(event.durak, 'resigned', 'resigned')}. {verdict}"
        case Reason.CLAIMED:
            claim = "You claim" if mine or event.by == event.seat else f"{scene.peer()} claims"
            return f"{claim} the win of an unfinished game; a claim is a note in the log, and proves nothing."
        case Reason.LEFT:
            who = "The table was left" if event.by is None else scene.does(event.by, "left the table", "left the table")
            return f"{who} before the end. {verdict}"
        case Reason.CHEAT:
            return f"The game ends because cheating is proven. {verdict}"
        case Reason.DESYNC:
            return f"The two programs disagree about the game: a fault of the software, nobody cheated. {verdict}"
        case Reason.MALFORMED:
            return f"{scene.peer()} sent something that cannot be read. {verdict}"
        case _:
            assert_never(event.reason)


def _verdict(event: events.Result, scene: Scene) -> str:
    if event.durak is None:
        without_durak = {
            "draw": "A draw: both hands are empty, and nobody is the durak.",
            "win": "You win!",
            "loss": f"{scene.peer()} wins.",
        }
        return without_durak.get(event.outcome, "The game has no result.")
    if event.durak == event.seat:
        return f"You are the durak. {scene.peer()} wins."
    return f"{scene.peer()} is the durak. You win!"


def _trouble(event: events.Trouble, scene: Scene) -> str:
    parts = [f"{_safe(event.kind)}: {_safe(event.message)}"]
    if event.accused is not None:
        parts.append(f"accused: {scene.who(event.accused)}")
    if event.evidence is not None:
        parts.append(f"evidence: {_safe(event.evidence)}")
    return "; ".join([*(part.rstrip(".") for part in parts[:-1]), parts[-1]])


def _milliseconds(value: int | None) -> str:
    return "" if value is None else f", {value} ms"


def _safe(text: str) -> SafeText:
    """Clean at the last door: own paths, addresses and messages may carry strange characters too."""
    return clean(text, OUTSIDE_CELLS_MAX)
