"""The specification says what the code does: its titles, labels, tables, examples and its state machine."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from fairdeck import wire
from fairdeck.group import EDWARDS25519
from fairdeck.notes import NOTE_LABEL
from fairdeck.packets import Kind as MessageKind
from fairdeck.referee import RECORD_LABEL, present
from fairdeck.wire import BODIES, BYTES_MAX, Kind, NoteKind, decode_record
from p2pdurak.durak import DURAK
from p2pdurak.rendezvous.packets import Kind as MeetingKind
from p2pdurak.rules.options import OPTION_NAMES
from p2pdurak.rules.state import Phase, State
from p2pdurak.table.chair import PostKind
from tests.fairdeck.cheap import SeededRng
from tests.fairdeck.games import played
from tests.spec_examples import examples, start0_signed
from tests.spec_map import mapped, times_eight
from tests.spec_page import (
    MODULES,
    PROTOCOL,
    ROOT,
    annotated_bytes,
    code,
    headings,
    paragraph,
    section,
    sources,
    spec,
    tables,
)
from tests.spec_page import examples as printed

# Titles and links


def test_every_reference_in_a_docstring_finds_its_heading() -> None:
    named = {
        name for path in MODULES for name in re.findall(r"SPEC: ([A-Z][a-z]+(?: [a-z]+)*)", path.read_text("utf-8"))
    }

    assert named - set(headings(spec()).values()) == set()
    assert len(named) > 5


def test_every_link_within_the_page_finds_its_heading() -> None:
    anchors = re.findall(r"\]\(#([^)]+)\)", spec())

    assert [anchor for anchor in anchors if anchor not in headings(spec())] == []


def test_the_contents_name_every_section() -> None:
    listed = re.findall(r"\]\(#([^)]+)\)", spec().split("## Overview")[0])
    sections = set(re.findall(r"^## (.+)$", spec(), re.MULTILINE))

    assert {headings(spec())[anchor] for anchor in listed} == sections


# Examples


def test_every_example_is_what_the_code_computes() -> None:
    assert printed() == examples()


def test_the_record_that_is_shown_byte_by_byte_is_what_the_code_writes() -> None:
    assert annotated_bytes() == start0_signed()


def test_the_map_to_the_group_is_what_the_page_says() -> None:
    rng = SeededRng("map")
    inputs = [bytes(32), b"\xff" * 32, bytes(31) + b"\x80", *(rng(32) for _ in range(20))]

    assert [times_eight(mapped(r)) for r in inputs] == [EDWARDS25519.map_uniform(r) for r in inputs]


# Labels and tables


def test_the_page_lists_every_label_of_a_hash_and_no_other() -> None:
    in_code = set(re.findall(r'hash(?:32|64)\(\s*"([^"]+)"', sources()))
    in_code |= set(re.findall(r'hash_to_(?:scalar|group)\(\s*[\w.]+,\s*"([^"]+)"', sources()))

    assert {label for row in tables(section("Hashing"))[0] for label in code(row[0])} == in_code


def test_the_page_names_every_label_of_a_key_or_a_signature() -> None:
    labels = set(re.findall(r'_derive\([\w.]+, (?:[\w.]+, )?"([^"]+)"', sources())) | {RECORD_LABEL, NOTE_LABEL}

    assert {label for label in labels if label not in spec()} == set()
    assert len(labels) > 8


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.name)
def test_the_fields_of_a_body_are_those_of_the_code(kind: Kind) -> None:
    rows = tables(paragraph(kind.name.lower()))[0]

    assert tuple(row[0] for row in rows) == BODIES[kind].__struct_fields__


def test_the_fields_around_a_body_are_those_of_the_code() -> None:
    assert tuple(row[0] for row in tables(section("Records"))[0]) == wire.Envelope.__struct_fields__
    assert tuple(row[0] for row in tables(section("Notes"))[0]) == wire.NoteBody.__struct_fields__


def test_the_numbers_and_lengths_of_records_are_those_of_the_code() -> None:
    rows = tables(section("Records"))[1]

    found = {Kind(int(row[0])): (row[1].strip("`"), int(row[2].split()[0])) for row in rows}
    assert found == {kind: (kind.name.lower(), BYTES_MAX[kind]) for kind in Kind}


@pytest.mark.parametrize(
    ("title", "table", "kinds"),
    [("Notes", 1, NoteKind), ("Meeting", 0, MeetingKind), ("Messages", 0, MessageKind), ("Posts", 0, PostKind)],
    ids=["notes", "meeting", "messages", "posts"],
)
def test_the_numbers_of_other_messages_are_those_of_the_code(title: str, table: int, kinds: type) -> None:
    words = [" ".join(row[:2]).split()[:2] for row in tables(section(title))[table]]

    assert words == [[str(int(kind)), kind.name.lower()] for kind in kinds]  # type: ignore[attr-defined]


def test_the_annex_lists_every_option_and_phase() -> None:
    options, phases = section("Options"), section("State")

    assert tuple(code(row[0])[0] for row in tables(options)[0]) == OPTION_NAMES
    assert {phase.value for phase in Phase if f"`{phase.value}`" not in phases} == set()


def test_the_annex_deals_the_cards_as_the_game_does() -> None:
    first, second, stock, upcard = (row[0] for row in tables(section("Cards and layout"))[0])
    low, high = map(int, stock.split(" … "))

    assert tuple(map(int, first.split())) == DURAK.layout.hands[0]
    assert tuple(map(int, second.split())) == DURAK.layout.hands[1]
    assert tuple(range(low, high + 1)) == DURAK.layout.stock
    assert (int(upcard),) == DURAK.layout.upcards


def test_the_annex_hashes_every_field_of_the_state() -> None:
    rows = tables(section("Game digest"))[0]
    named = " ".join(row[1] for row in rows)

    assert [number for row in rows for number in map(int, row[0].split(","))] == list(range(1, 16))
    assert {field for field in State.__dataclass_fields__ if field != "hands" and field not in named} == set()


# The state machine


def test_the_state_machine_and_the_limits_are_those_of_the_code() -> None:
    script = [sys.executable, str(ROOT / "scripts" / "spec_tables.py"), "--check"]

    assert subprocess.run(script, check=False, cwd=ROOT).returncode == 0


def test_a_whole_game_takes_only_the_steps_of_the_state_machine_and_each_of_them() -> None:
    steps = {_step(place) for place in range(len(played().records))}

    assert steps == {tuple(re.sub("`", "", cell) for cell in row) for row in tables(section("State machine"))[0]}


def _step(place: int) -> tuple[str, ...]:
    """One record of a game in the words of the table."""
    pair = played()
    before, record = pair.before[place], decode_record(pair.records[place])
    after = pair.before[place + 1] if place + 1 < len(pair.before) else pair.referee
    who = f"seat {record.seat}"
    if before.state is not None:
        actor = before.game.to_act(before.state)
        lacking = bool(actor is not None and present(before.deck).drawn[actor])
        who = "the other seat, if one is" if lacking else "the seat to act, if no card is on its way to it"
        assert (record.seat == actor) is not lacking
    return before.stage.name, who, record.kind.name.lower(), after.stage.name


# The page that leads from sections to modules and vectors


def _map() -> list[tuple[str, ...]]:
    return tables((PROTOCOL / "README.md").read_text("utf-8"))[1]


def test_the_map_of_the_protocol_names_only_headings_that_exist() -> None:
    links = [re.fullmatch(r"\[(.+)\]\(SPEC\.md#(.+)\)", row[0]) for row in _map()]

    assert [link for link in links if link is None or headings(spec()).get(link[2]) != link[1]] == []


def test_the_map_of_the_protocol_names_every_module() -> None:
    named = {name for row in _map() for name in code(row[1]) if "/" not in name}

    assert named == {path.stem for path in MODULES}


def test_the_map_of_the_protocol_names_every_file_of_vectors_and_no_other() -> None:
    named = {name for row in _map() for name in code(row[2])}

    assert named == {path.name for path in (PROTOCOL / "vectors").glob("*.json")}
