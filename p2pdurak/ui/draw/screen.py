"""Everything that a picture of the table shows, as one frozen value.

It owns the vocabulary between whoever follows a game (a player's seat, a replay) and the renderer. All text in it is
safe to show. It knows no size, no colour and no key's meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2pdurak.events import Link
from p2pdurak.rules.actions import Action
from p2pdurak.rules.cards import Card, Suit
from p2pdurak.rules.state import Pair
from p2pdurak.safe_text import SafeText


class Tone(Enum):
    """How a line speaks."""

    PLAIN = "plain"
    MINE = "mine"
    """Something is asked of the player."""
    GOOD = "good"
    ALARM = "alarm"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Seated:
    """One of the two players.

    Attributes:
        name: as it is shown.
        cards: his hand in the order of display; None is a card that cannot be seen.
        duraks: how often he was the durak in this match; None where no match is counted (replay).
        turn: the step is his.
    """

    name: SafeText
    cards: tuple[Card | None, ...]
    duraks: int | None = None
    turn: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """The mover's clock, in seconds."""

    left_s: int
    of_s: int


@dataclass(frozen=True, slots=True)
class Line:
    """The line to the other player.

    Attributes:
        state: as the table tells it.
        rtt_ms: the last round trip, if measured.
        seconds: silent for so long (SLOW), or left until the win may be claimed (DOWN; None while he owes nothing).
        attempt: our own tries to return (OWN_DOWN).
    """

    state: Link
    rtt_ms: int | None = None
    seconds: int | None = None
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the log: a move, or something said.

    Attributes:
        who: a player's name; empty for a remark of the program.
        action: the move; None for what was said.
        word: `attack`, `throw in`, `pile on`, `beat`, `take`, `done`, `show`, `no`; or the text that was said.
        auto: the clock played it.
        bout: the bout it belongs to.
    """

    who: SafeText
    action: Action | None
    word: str
    auto: bool = False
    bout: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """A line that is there for a while: chat, the line to the other player, a refusal."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Hint:
    """A key that does something now: the key's name, its label on the screen, and what it does."""

    key: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A line through a game.

    Attributes:
        points: the chance after each number of moves, from 0 to 1; None where it is not known.
        signs: of the moves that are worth a look, by their numbers.
        at: the number of moves that the table shows.
    """

    points: tuple[float | None, ...]
    signs: tuple[tuple[int, str], ...]
    at: int


@dataclass(frozen=True, slots=True)
class Panel:
    """Something that lies over the table: help, what is proven, a question, the end.

    Attributes:
        title: one line.
        lines: what it says, each with its tone; they are wrapped to the place there is.
        hints: what can be pressed while it is there; shown in its last line.
        scroll: lines scrolled down, where it is longer than the place.
        chart: what stands above the lines.
    """

    title: str
    lines: tuple[Notice, ...]
    hints: tuple[Hint, ...] = ()
    scroll: int = 0
    chart: Chart | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a replay stands.

    Attributes:
        at: moves shown.
        of: moves of the game.
        marks: the numbers of moves after which a bout ends.
        playing: it goes on by itself.
        speed: how fast.
        signs: of the moves that are worth a look, by their numbers.
    """

    at: int
    of: int
    marks: tuple[int, ...]
    playing: bool
    speed: float
    signs: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Screen:
    """The table as it is now.

    Attributes:
        title: the nameplate of the code, or date and names of a replay.
        bout: its number; 0 before the first.
        top: the other player.
        bottom: whose side it is seen from.
        trump: its suit.
        indicator: the face-up last card of the talon; None once drawn.
        talon: cards left to draw, the indicator counted.
        beaten: cards out of play.
        table: the pairs of this bout.
        prompt: what is to be done now, or who does it.
        tone: of the prompt.
        said: what the other player has just said at the table, such as `mira: take`.
        choosing: the player may play a card now, so that cards differ in whether they can be played.
        playable: the cards that can be.
        focus: the card that Enter would play.
        by_suit: the hand is sorted by suits, and may be shown in rows of suits.
        clock: the mover's, where there is one.
        line: to the other player; None in a replay.
        told: the log, oldest first.
        notice: what is said below the player's name; the last moves stand there otherwise.
        entry: the chat line that is being typed; None while none is.
        hints: keys for the last line, the most important first.
        panel: what lies over the table.
        progress: of a replay.
        notation: the move shown, in the text form of a game.
        judged: what an analysis says of the move shown, in several forms, the first that fits to be taken; it stands
            before the notation.
        game: its number in the match; 0: not told.
    """

    title: str
    bout: int
    top: Seated
    bottom: Seated
    trump: Suit
    indicator: Card | None
    talon: int
    beaten: int
    table: tuple[Pair, ...] = ()
    prompt: str = ""
    tone: Tone = Tone.PLAIN
    said: str = ""
    choosing: bool = False
    playable: frozenset[Card] = frozenset()
    focus: Card | None = None
    by_suit: bool = True
    clock: Clock | None = None
    line: Line | None = None
    told: tuple[Told, ...] = ()
    notice: Notice | None = None
    entry: str | None = None
    hints: tuple[Hint, ...] = ()
    panel: Panel | None = None
    progress: Progress | None = None
    notation: str = ""
    judged: tuple[str, ...] = ()
    game: int = 0
