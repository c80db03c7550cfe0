"""What a new process needs to sit down again to a game that its program has not lived to end.

It owns that value and its form in the file of secrets; it finds no file by itself, and nobody to play with.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from p2pdurak.rules.match import GameEnd, Match
from p2pdurak.rules.options import Options, format_options, parse_options
from p2pdurak.safe_text import SafeText, clean_name
from p2pdurak.store import PLAYERS_MAX, STEM, GameLog, Secrets, read_secrets

FORMAT: Final = 1
HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
BROKERS_MAX: Final = 64
"""More addresses than any cluster has."""

TEXT_MAX: Final = 2048
"""The longest that stands there is a broker's address with user and password."""

COUNT_MAX: Final = 1 << 30
"""More games than anybody plays; what is larger is no number of ours."""

DAMAGED: Final = "The file of secrets beside it is damaged."

Fields = Mapping[str, Any]
"""What JSON gives for an object: its values are of any type until they have been looked at."""


class KeptError(Exception):
    """What is kept of a game cannot be used to go on with it; the sentence says why."""


@dataclass(frozen=True, slots=True)
class WayBack:
    """How this player finds his table again.

    Attributes:
        identity: the number of his key in his folder.
        brokers: the addresses as he wrote them, passwords included; none: a bot in the same program.
        bind: where the embedded broker listens that his own program runs; None: it runs none.
        port: its TCP port.
        bot: the level of the bot that sits on the other side in the same program; None: a friend sits there.
    """

    identity: int
    brokers: tuple[str, ...] = field(default=(), repr=False)
    bind: str | None = None
    port: int = 0
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class KeptGame:
    """One game of a match as it began, from our seat.

    Attributes:
        secret: the 32 bytes of the channel.
        way: how we find the table again.
        name: what we are called.
        stem: the beginning of the names of our logs.
        number: of the game in its match, from 1.
        link: 32 bytes that name the game before, by its end; zeros in the first.
        former: the 32 bytes that name that game in its records; zeros in the first.
        peer_key: the other player's key (32 bytes), where he has introduced himself.
        peer_name: his name; empty before that.
        options: what is played.
        match: the games before this one.
        games: leave after so many games; 0: when told to.
        confirm: whether a host is asked before he lets the guest in.
        friends_broker: the address of a broker that may run on the friend's computer.
    """

    secret: bytes = field(repr=False)
    way: WayBack
    name: SafeText
    stem: str
    number: int
    link: bytes
    former: bytes
    peer_key: bytes | None
    peer_name: SafeText
    options: Options
    match: Match
    games: int = 0
    confirm: bool = False
    friends_broker: str | None = None

    def fields(self) -> dict[str, object]:
        """As it is written into the file of secrets."""
        way = self.way
        return {
            "format": FORMAT,
            "secret": self.secret.hex(),
            "identity": way.identity,
            "brokers": list(way.brokers),
            "bind": way.bind,
            "port": way.port,
            "bot": way.bot,
            "name": self.name,
            "stem": self.stem,
            "number": self.number,
            "link": self.link.hex(),
            "former": self.former.hex(),
            "peer_key": None if self.peer_key is None else self.peer_key.hex(),
            "peer_name": self.peer_name,
            "options": format_options(self.options),
            "match": _match_fields(self.match),
            "games": self.games,
            "confirm": self.confirm,
            "friends_broker": self.friends_broker,
        }


@dataclass(frozen=True, slots=True)
class Comeback:
    """All that our disk holds of a game that we come back to.

    Attributes:
        kept: the game and its match.
        secrets: ours.
        log: open again, and locked.
        records: the chain in it.
        notes: the notes in it.
    """

    kept: KeptGame
    secrets: Secrets
    log: GameLog
    records: tuple[bytes, ...]
    notes: tuple[bytes, ...]


def comeback(path: Path) -> Comeback:
    """Open what our disk holds of a game, to go on with it; its log is locked then.

    Raises:
        KeptError: there is nothing to go on with.
        StoreError: its log cannot be used, or another program has it.
    """
    kept, secrets = kept_beside(path)
    log, saved = GameLog.reopen(path)
    return Comeback(kept, secrets, log, saved.records, saved.notes)


def kept_beside(path: Path) -> tuple[KeptGame, Secrets]:
    """What the file of secrets beside a log says.

    Raises:
        KeptError: there is none, or it does not say how to go on.
    """
    secrets = read_secrets(path)
    if secrets is None:
        raise KeptError("There are no secrets beside it, or they cannot be read.")
    if (len(secrets.entropy), len(secrets.nonce)) != (64, 32):
        raise KeptError(DAMAGED)
    return kept_game(secrets.match), secrets


def kept_game(fields: Fields | None) -> KeptGame:
    """Read what `KeptGame.fields` gave.

    Raises:
        KeptError: anything of it is missing, of another type, or out of bounds.
    """
    if fields is None:
        raise KeptError("The file of secrets beside it does not say how to go on with it.")
    if fields.get("format") != FORMAT:
        raise KeptError("The file of secrets beside it was written by another version of this program.")
    try:
        return _kept_game(fields)
    except (KeyError, TypeError, ValueError) as error:
        raise KeptError(DAMAGED) from error


def _kept_game(fields: Fields) -> KeptGame:
    bind, peer_key, friends, bot = (fields[name] for name in ("bind", "peer_key", "friends_broker", "bot"))
    brokers = fields["brokers"]
    if not isinstance(brokers, list) or len(brokers) > BROKERS_MAX:
        raise TypeError("a list of brokers")
    way = WayBack(
        identity=_number(fields["identity"], 1, PLAYERS_MAX),
        brokers=tuple(_text(broker) for broker in brokers),
        bind=None if bind is None else str(ip_address(_text(bind))),
        port=_number(fields["port"], 0, 65535),
        bot=None if bot is None else _text(bot),
    )
    if way.bot is None and not way.brokers:
        raise ValueError("no broker and no bot")
    return KeptGame(
        secret=_bytes(fields["secret"], 32),
        way=way,
        name=clean_name(_text(fields["name"])),
        stem=_stem(fields["stem"]),
        number=_number(fields["number"], 1, COUNT_MAX),
        link=_bytes(fields["link"], 32),
        former=_bytes(fields["former"], 32),
        peer_key=None if peer_key is None else _bytes(peer_key, 32),
        peer_name=clean_name(_text(fields["peer_name"])) if fields["peer_name"] else SafeText(""),
        options=parse_options(_text(fields["options"])),
        match=_match(fields["match"]),
        games=_number(fields["games"], 0, COUNT_MAX),
        confirm=_flag(fields["confirm"]),
        friends_broker=None if friends is None else _text(friends),
    )


def _match_fields(match: Match) -> dict[str, object]:
    last = match.last
    return {
        "score": list(match.score),
        "draws": match.draws,
        "resigned": match.resigned,
        "claimed": match.claimed,
        "unfinished": match.unfinished,
        "last": None
        if last is None
        else {
            "opener": last.opener,
            "winner": last.winner,
            "durak": last.durak,
            "finished": last.finished,
            "resigned": last.resigned,
            "claimed": last.claimed,
        },
    }


def _match(fields: Fields) -> Match:
    host, guest = fields["score"]
    counts = (_number(fields[name], 0, COUNT_MAX) for name in ("draws", "resigned", "claimed", "unfinished"))
    draws, resigned, claimed, unfinished = counts
    score = (_number(host, 0, COUNT_MAX), _number(guest, 0, COUNT_MAX))
    last = fields["last"]
    return Match(score, draws, resigned, claimed, unfinished, None if last is None else _game_end(last))


def _game_end(fields: Fields) -> GameEnd:
    opener, winner, durak = (
        None if fields[name] is None else _number(fields[name], 0, 1) for name in ("opener", "winner", "durak")
    )
    finished, resigned, claimed = (_flag(fields[name]) for name in ("finished", "resigned", "claimed"))
    return GameEnd(opener, winner, durak, finished, resigned, claimed)


def _number(value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError("a number in its bounds")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= TEXT_MAX:
        raise TypeError("a text")
    return value


def _stem(value: object) -> str:
    if STEM.fullmatch(_text(value)) is None:
        raise ValueError("the beginning of a name of a log")
    return _text(value)


def _bytes(value: object, length: int) -> bytes:
    if not isinstance(value, str) or len(value) != 2 * length or HEX.fullmatch(value) is None:
        raise ValueError("bytes in hexadecimal digits")
    return bytes.fromhex(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("true or false")
    return value
