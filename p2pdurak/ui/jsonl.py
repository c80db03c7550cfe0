"""JSON lines: every event as one JSON object a line, for scripts and tests that drive a game.

It owns the names of events and fields, which are only ever added to; it does not know who reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, TextIO, assert_never

from p2pdurak import events
from p2pdurak.events import Event, Link
from p2pdurak.rules.actions import Action, Attack, Beat, Deny, Done, Show, Take, action_text, action_word
from p2pdurak.rules.cards import Card, card_text
from p2pdurak.rules.view import View
from p2pdurak.ui.commands import Problem, Query, Question
from p2pdurak.ui.line_out import LineOut

_Fields = dict[str, Any]  # what `json` takes
_Play = (
    events.Dealt | events.Opener | events.Turn | events.Moved | events.Drew | events.Bout | events.Advice | events.Said
)
_News = events.LinkState | events.Late | events.Refused | events.Result | events.Again | events.Trouble

QUERY_REASON: Final = "Questions are for line mode; the events tell the same."


class JsonFace:
    """Writes the table's events to a stream, one JSON object a line, in ASCII.

    Args:
        out: where lines go; each is flushed at once.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = LineOut(out)

    @property
    def closed(self) -> bool:
        """Whether the reader of the stream is gone."""
        return self._out.closed

    def show(self, event: Event) -> None:
        """Write an event."""
        self._out.write(json.dumps(fields(event), ensure_ascii=True, separators=(",", ":")))

    def tell(self, typed: Problem | Question, line: str) -> None:
        """Refuse a line that is no command; the sentence says why."""
        self.show(events.Refused(line.strip(), typed.sentence))

    def answer(self, query: Query, view: View | None) -> None:  # noqa: ARG002 - every face is asked the same way
        """Refuse a question: a program follows the events."""
        self.show(events.Refused(query.value, QUERY_REASON))


def fields(event: Event) -> _Fields:
    """Give an event as the fields of its JSON object, `event` first."""
    match event:
        case events.Broker(address=address, round_trip_ms=round_trip_ms):
            return {"event": "broker", "address": address, "rtt_ms": round_trip_ms}
        case events.Code(code=code, join=join):
            return {"event": "code", "code": code, "join": join}
        case events.Waiting(text=text):
            return {"event": "waiting", "text": text}
        case events.WrongTry(left=left):
            return {"event": "wrong_try", "left": left}
        case events.Peer(name=name, key=key, safety=safety):
            return {"event": "peer", "name": name, "key": key, "safety": safety}
        case events.Knock(name=name, safety=safety):
            return {"event": "knock", "name": name, "safety": safety}
        case events.Offer(options=options, ask=ask):
            return {"event": "offer", "options": dict(options), "ask": ask}
        case events.Shuffling(who=who, proofs=proofs):
            return {"event": "shuffling", "who": who, "proofs": proofs}
        case _:
            return _news(event) if isinstance(event, _News) else _play(event)


def _play(event: _Play) -> _Fields:
    match event:
        case events.Dealt():
            return {
                "event": "dealt",
                "game": event.game,
                "seat": event.seat,
                "names": event.names,
                "hand": _cards(event.hand),
                "trump": card_text(event.indicator),
            }
        case events.Opener(seat=seat, card=card):
            return {"event": "opener", "seat": seat, "card": None if card is None else card_text(card)}
        case events.Turn(seat=seat, view=view, seconds=seconds):
            turn: _Fields = {"event": "turn", "seat": seat, "seconds": seconds}
            return {**turn, "legal": [action_text(a) for a in view.legal_actions()]} if seat == view.seat else turn
        case events.Moved():
            return _moved(event)
        case events.Drew(cards=cards):
            return {"event": "draw", "cards": _cards(cards)}
        case events.Bout():
            return {
                "event": "bout",
                "outcome": event.outcome.value,
                "attacker": event.attacker,
                "hands": event.hands,
                "talon": event.talon,
            }
        case events.Advice():
            return _advice(event)
        case events.Said(seat=seat, text=text):
            return {"event": "chat", "seat": seat, "text": text}
        case _:
            assert_never(event)


def _moved(event: events.Moved) -> _Fields:
    card, denied = _card_and_denied(event.action)
    return {
        "event": "move",
        "n": event.n,
        "seat": event.seat,
        "do": action_word(event.action),
        "card": None if card is None else card_text(card),
        "auto": event.auto,
        **({"cards": _cards(denied)} if denied else {}),
    }


def _advice(event: events.Advice) -> _Fields:
    card, _ = _card_and_denied(event.action)
    return {
        "event": "hint",
        "do": action_word(event.action),
        "card": None if card is None else card_text(card),
        "exact": None if event.value is None else _EXACT[event.value],
        "trials": event.trials,
    }


_EXACT: Final = {1: "win", 0: "draw", -1: "loss"}


def _card_and_denied(action: Action) -> tuple[Card | None, tuple[Card, ...]]:
    match action:
        case Attack(card=card) | Beat(card=card) | Show(card=card):
            return card, ()
        case Take() | Done():
            return None, ()
        case Deny(cards=cards):
            return None, cards
        case _:
            assert_never(action)


def _news(event: _News) -> _Fields:
    match event:
        case events.LinkState(state=state, rtt_ms=rtt_ms, claim_in_s=claim_in_s):
            own = state is Link.OWN_DOWN  # to a reader the link is down, whoever lost it
            text = Link.DOWN.value if own else state.value
            return {"event": "link", "state": text, "rtt_ms": rtt_ms, "claim_in_s": claim_in_s, "own": own}
        case events.Late(seat=seat, seconds=seconds, claimable=claimable):
            return {"event": "late", "seat": seat, "seconds": seconds, "claimable": claimable}
        case events.Refused(command=command, reason=reason):
            return {"event": "refused", "command": command, "reason": reason}
        case events.Result():
            return _result(event)
        case events.Again(seat=seat):
            return {"event": "again", "seat": seat}
        case events.Trouble(kind=kind, message=message, accused=accused, evidence=evidence):
            return {"event": "error", "kind": kind, "accused": accused, "message": message, "evidence": evidence}
        case _:
            assert_never(event)


def _result(event: events.Result) -> _Fields:
    return {
        "event": "result",
        "outcome": event.outcome,
        "durak": event.durak,
        "reason": event.reason.value,
        "by": event.by,
        "log": event.log,
        "head": event.head,
        "verified": event.verified,
        "seat": event.seat,
        "names": event.names,
        "hands": [None if hand is None else _cards(hand) for hand in event.hands],
        "score": event.score,
        "more": event.more,
        "next_opener": None if event.next_opener is None else event.next_opener.name.lower(),
    }


def _cards(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]
