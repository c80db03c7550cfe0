"""Every test vector is put to the program: it must take the valid ones, and refuse the others."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from fairdeck import audit as audit_module
from fairdeck import packets
from fairdeck import referee as referee_module
from fairdeck.audit import Finding, audit
from fairdeck.deck import (
    absent_context,
    absent_items,
    check_absent,
    opening_context,
    share_statement,
    share_weights,
    take_opening,
    take_remask,
    take_shares,
)
from fairdeck.elgamal import Ciphertext, deck_hash, decode_deck
from fairdeck.errors import Malformed, Unsupported
from fairdeck.game import IllegalAction
from fairdeck.group import (
    EDWARDS25519,
    base,
    card_points,
    decode_point,
    decode_points,
    decode_scalar,
    encode_scalar,
    hash_to_group,
    hash_to_scalar,
    pedersen_points,
)
from fairdeck.merge import merge
from fairdeck.packets import decode_message
from fairdeck.pake import Pake
from fairdeck.referee import commitment, session_id
from fairdeck.sealing import Epoch, Hello, Offer, StrayPacketError, decode_hello, session_keys
from fairdeck.shuffle import check_shuffle
from fairdeck.sigma import Unequal, verify_equal, verify_key, verify_unequal
from fairdeck.sign import check_public_key, is_signed
from fairdeck.transcript import PREFIX, context, hash32, hash64
from fairdeck.wire import (
    Start0,
    Start1,
    decode_note,
    decode_record,
    encode_note,
    encode_record,
    record_head,
    unpack,
)
from p2pdurak.durak import DURAK
from p2pdurak.rules.cards import Suit
from p2pdurak.rules.options import parse_options
from p2pdurak.rules.state import Hand, Pair, Phase, State, digest, encode_state
from tests.fairdeck.cheap import DurakReferee
from tests.fairdeck.from_vectors import CARDS, deck_owing, deck_with_hand, element, hand_of

TREE: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = TREE / "protocol" / "vectors"
SPEC: Final = TREE / "protocol" / "SPEC.md"
FILES: Final = sorted(FOLDER.glob("*.json"))

Vector = Mapping[str, Any]


def b(vector: Vector, name: str) -> bytes:
    return bytes.fromhex(vector[name])


def every_b(values: list[str]) -> tuple[bytes, ...]:
    return tuple(map(bytes.fromhex, values))


# One function for each type of test: whether the program accepts. A value inside that differs fails the test at once.


def hashed(v: Vector) -> bool:
    items = every_b(v["items"])
    assert len(hash32(v["label"], *items)) == 32
    return (hash64(v["label"], *items), hash32(v["label"], *items)) == (b(v, "hash64"), b(v, "hash32"))


def is_context(v: Vector) -> bool:
    return context(b(v, "sid"), v["seat"], v["purpose"]) == b(v, "ctx")


def hashed_to_scalar(v: Vector) -> bool:
    return encode_scalar(hash_to_scalar(EDWARDS25519, v["label"], *every_b(v["items"]))) == b(v, "scalar")


def is_point(v: Vector) -> bool:
    return decode_point(EDWARDS25519, b(v, "point")).data == b(v, "point")


def is_scalar(v: Vector) -> bool:
    return encode_scalar(decode_scalar(EDWARDS25519, b(v, "scalar"))) == b(v, "scalar")


def hashed_to_group(v: Vector) -> bool:
    return hash_to_group(EDWARDS25519, v["label"], b(v, "message")).data == b(v, "point")


def are_card_points(v: Vector) -> bool:
    return tuple(P.data for P in card_points(EDWARDS25519, len(v["points"]))) == every_b(v["points"])


def are_pedersen_points(v: Vector) -> bool:
    return tuple(P.data for P in pedersen_points(EDWARDS25519, len(v["points"]) - 1)) == every_b(v["points"])


def computed(v: Vector) -> bool:
    s, P, Q = decode_scalar(EDWARDS25519, b(v, "s")), element(v["P"]), element(v["Q"])
    return tuple(R.data for R in (s * P, P + Q, P - Q)) == every_b([v["product"], v["sum"], v["difference"]])


def signed(v: Vector) -> bool:
    assert b(v, "signed") == PREFIX + v["label"].encode() + b"\0" + b(v, "message")
    return is_signed(check_public_key(b(v, "public")), v["label"], b(v, "message"), b(v, "signature"))


def possessed(v: Vector) -> bool:
    assert b(v, "ctx") == context(b(v, "sid"), v["seat"], "key")
    return verify_key(b(v, "ctx"), decode_point(EDWARDS25519, b(v, "Y")), b(v, "proof"))


def equal(v: Vector) -> bool:
    return verify_equal(b(v, "ctx"), element(v["Y"]), element(v["A"]), element(v["D"]), b(v, "proof"))


def unequal(v: Vector) -> bool:
    items = [Unequal(element(item["A"]), element(item["V"])) for item in v["items"]]
    return verify_unequal(b(v, "ctx"), element(v["Y"]), items, b(v, "proof"))


def shuffled(v: Vector) -> bool:
    assert b(v, "ctx") == context(b(v, "sid"), v["seat"], v["purpose"])
    points = decode_points(EDWARDS25519, b(v, "inp"))  # in the first deck of a game all first halves are G
    inp = tuple(Ciphertext(*points[i : i + 2]) for i in range(0, len(points), 2))
    check_shuffle(b(v, "ctx"), element(v["Y"]), inp, b(v, "out"), b(v, "proof"))
    return True


def shared(v: Vector) -> bool:
    positions = tuple(v["positions"])
    deck = deck_owing(b(v, "sid"), v["author"], element(v["Y"]), b(v, "cards"), positions)
    assert (deck.owed(v["author"]), deck.hash) == (positions, b(v, "deckHash"))
    take_shares(deck, v["author"], b(v, "shares"))
    D = tuple(element(b(v, "shares")[32 * i : 32 * i + 32]) for i in range(len(positions)))
    statement = share_statement(deck, v["author"], positions, D)
    assert statement == b(v, "statement")
    assert tuple(map(encode_scalar, share_weights(deck, statement, positions))) == every_b(v["weights"])
    return True


def opened(v: Vector) -> bool:
    deck = deck_with_hand(b(v, "sid"), v["seat"], element(v["Y"]), hand_of(v["hand"]))
    assert deck.hand_hash(v["seat"]) == b(v, "handHash")
    remask = every_b(v["remask"])
    take_opening(deck, v["seat"], v["card"], remask, b(v, "opening"))
    after = take_remask(deck, v["seat"], remask)
    assert after.hand_hash(v["seat"]) == b(v, "listHash")
    assert opening_context(after, v["seat"], b(v, "opening")[0]) == b(v, "ctx")
    assert card_points(EDWARDS25519, CARDS)[v["card"]].data == b(v, "opened")
    return True


def denied(v: Vector) -> bool:
    deck = deck_with_hand(b(v, "sid"), v["seat"], element(v["Y"]), hand_of(v["hand"]))
    assert deck.hand_hash(v["seat"]) == b(v, "handHash")
    cards = tuple(v["cards"])
    check_absent(deck, v["seat"], cards, b(v, "proof"))
    assert absent_context(deck, v["seat"], cards) == b(v, "ctx")
    items = [{"A": item.A.data.hex(), "V": item.V.data.hex()} for item in absent_items(deck, v["seat"], cards)]
    assert items == v["items"]
    return True


def listed(value: Any) -> Any:
    """A decoded message as JSON would have it."""
    match value:
        case bytes():
            return value.hex()
        case tuple() | list():
            return [listed(part) for part in value]
        case _:
            return value


def is_record(v: Vector) -> bool:
    read = decode_record(b(v, "record"))
    assert (read.data, read.head) == (b(v, "record"), b(v, "head"))
    envelope = [1, read.sid, read.seq, read.seat, read.prev, int(read.kind), unpack(read.signed)[6], read.digest]  # type: ignore[index]
    assert listed(envelope) == list(v["fields"].values())
    assert encode_record(read.sid, read.seq, read.seat, read.prev, read.body, read.digest) == read.signed
    return True


def is_note(v: Vector) -> bool:
    read = decode_note(b(v, "note"))
    parts = [read.sid, read.seat, int(read.kind), read.seq, read.head, read.body]
    assert listed(parts) == list(v["fields"].values())
    return encode_note(read.sid, read.seat, read.kind, read.seq, read.head, read.body) == read.signed


def names_session(v: Vector) -> bool:
    a = Start0(
        *(v["suite"], v["cards"], b(v, "options"), "any name", "any date", b(v, "vk0"), b(v, "commit")),
        *(b(v, "exporter"), v["game"], b(v, "link"), v["opener"]),
    )
    found = session_id(a, Start1("any name", b(v, "vk1"), b(v, "nonce"), bytes(32), bytes(64)))
    assert hash32("sid", b(v, "packed")) == found
    return found == b(v, "sid")


def committed(v: Vector) -> bool:
    return commitment(b(v, "nonce"), b(v, "Y")) == b(v, "commit")


def coin_falls(v: Vector) -> bool:
    return bool(hash32("coin", b(v, "sid"), b(v, "share"))[0] & 1 == v["opener"])


def links(v: Vector) -> bool:
    return hash32("link", b(v, "head"), b(v, "note")) == b(v, "link")


def deck_hashed(v: Vector) -> bool:
    return deck_hash(decode_deck(EDWARDS25519, b(v, "deck"), len(v["deck"]) // 128)) == b(v, "hash")


def hand_hashed(v: Vector) -> bool:
    deck = deck_with_hand(b(v, "sid"), v["seat"], base(EDWARDS25519), hand_of(v["hand"]))
    return deck.hand_hash(v["seat"]) == b(v, "hash")


def is_head(v: Vector) -> bool:
    return record_head(b(v, "record")) == b(v, "head")


def state_hashed(v: Vector) -> bool:
    """The formula of `Referee.digest`; that it is the program's own is shown by the whole games."""
    items = (b(v, "gameDigest"), b(v, "hand0"), b(v, "hand1"), bytes([v["stockDrawn"]]))
    return hash32("state", *items, bytes(v["owed0"]), bytes(v["owed1"])) == b(v, "digest")


def is_action(v: Vector) -> bool:
    action = DURAK.decode(b(v, "action"))
    cards = getattr(action, "cards", (action.card,) if hasattr(action, "card") else ())
    assert (type(action).__name__.lower(), list(map(int, cards))) == (v["name"], v["cards"])
    return DURAK.encode(action) == b(v, "action")


def are_options(v: Vector) -> bool:
    DURAK.check_options(b(v, "options"))
    return True


def game_hashed(v: Vector) -> bool:
    fields = v["fields"]
    state = State(
        options=parse_options(bytes.fromhex(fields["options"]).decode()),
        trump=Suit(fields["trump"]),
        indicator=fields["indicator"],
        hands=(Hand(tuple(fields["known0"]), fields["hidden0"]), Hand(tuple(fields["known1"]), fields["hidden1"])),
        attacker=fields["attacker"],
        phase=Phase(fields["phase"]),
        table=tuple(Pair(*pair) for pair in fields["table"]),
        cap=fields["cap"],
        talon=fields["talon"],
        discard=tuple(fields["discard"]),
        bout=fields["bout"],
        question=fields["question"],
    )
    assert encode_state(state) == b(v, "encoded")
    return digest(state) == b(v, "digest")


def edited(log: str, edits: list[tuple[int, int, str]]) -> bytes:
    data = b64decode(log)
    for at, remove, insert in reversed(edits):
        data = data[:at] + bytes.fromhex(insert) + data[at + remove :]
    return data


def log_holds(v: Vector) -> bool:
    found = audit(edited(v["log"], v["edits"]), DURAK)
    damaged = found.checks[-1].name == "file"
    place = None if damaged else found.place
    assert (found.finding.value, found.accused, place) == (v["verdict"], v["accused"], v["place"]), found.checks[-1]
    if found.finding.readable:
        owed = None if found.owed is None else [found.owed.seat, int(found.owed.kind)]
        ended = found.verdict
        said = [len(found.saved.records), len(found.saved.notes), ended.end.value, ended.winner, ended.loser, owed]
        assert said == [v[name] for name in ("records", "notes", "end", "winner", "loser", "owed")]
    for step, (number, head, game, owed) in zip(found.steps, v.get("trace", ()), strict="trace" in v):
        after = step.referee
        assert (after.seq - 1, after.head.hex()) == (number, head)
        assert game == (None if after.state is None else DURAK.digest(after.state).hex())
        assert owed == (None if after.owed is None else [after.owed.seat, int(after.owed.kind)])
    return found.finding in {Finding.OK, Finding.INCOMPLETE}


def merged(v: Vector) -> bool:
    """Whether the copies are of one game and prove no fork."""
    first, second = (edited(v["log"], v[name]) for name in ("first", "second"))
    both = merge(first, second)
    assert both.relation.value == v["relation"]
    if v["merged"] is None:
        assert both.data == b""
        return False
    assert both.data == edited(v["log"], v["merged"])
    found = audit(both.data, DURAK)
    assert (found.finding.value, found.accused) == (v["verdict"], v["accused"])
    return found.finding in {Finding.OK, Finding.INCOMPLETE}


def exchanged(v: Vector) -> bool:
    x, y = (int.from_bytes(b(v, name), "little") for name in ("x", "y"))
    guest, host = (
        Pake(role, v["nameplate"], v["words"].encode(), lambda count, s=scalar: s.to_bytes(count, "big"))  # type: ignore[arg-type, misc]
        for role, scalar in (("guest", x), ("host", y))
    )
    assert (guest.message, host.message) == (b(v, "guestMessage"), b(v, "hostMessage"))
    items = (b"guest", guest.message, b"host", host.message, v["nameplate"].encode())
    assert hash32("pake transcript", *items) == b(v, "transcript")
    found = guest.finish(host.message)
    assert found == host.finish(guest.message)
    stated = tuple(b(v, name) for name in ("sessionSecret", "confirmHost", "confirmGuest"))
    return (found.session_secret, found.confirm_host, found.confirm_guest) == stated


def message_taken(v: Vector) -> bool:
    scalar = int.from_bytes(b(v, "scalar"), "little")
    side = Pake(v["role"], v["nameplate"], v["words"].encode(), lambda count: scalar.to_bytes(count, "big"))
    assert side.message == b(v, "own")
    side.finish(b(v, "message"))
    return True


def keys_derived(v: Vector) -> bool:
    keys = session_keys(b(v, "secret"))
    stated = (b(v, "conversation"), (b(v, "hello0"), b(v, "hello1")), v["topic"], b(v, "exporter"), v["safety"])
    return (keys.conversation, keys.hello, keys.topic, keys.exporter, keys.safety) == stated


def is_hello(v: Vector) -> bool:
    hello = decode_hello(session_keys(b(v, "secret")), v["seat"], b(v, "packet"))
    return (hello.nonce, hello.echo, hello.public) == (b(v, "nonce"), b(v, "echo"), b(v, "public"))


def dropped_or_opened(epoch: Epoch, packet: str) -> str | None:
    try:
        return epoch.open(bytes.fromhex(packet)).hex()
    except StrayPacketError:
        return None


def epoch_opens(v: Vector) -> bool:
    receiver = 1 - v["sender"]
    private = X25519PrivateKey.from_private_bytes(b(v, f"private{receiver}"))
    offer, other = Offer(b(v, f"nonce{receiver}"), private), v["sender"]
    hello = Hello(b(v, f"nonce{other}"), offer.nonce, b(v, f"public{other}"))
    epoch = Epoch(session_keys(b(v, "secret")), receiver, offer, hello)
    assert (epoch.ident, offer.public) == (b(v, "ident"), b(v, f"public{receiver}"))
    return [dropped_or_opened(epoch, packet) for packet, _ in v["packets"]] == [opened for _, opened in v["packets"]]


def message_says(v: Vector) -> bool:
    acks, payload = decode_message(b(v, "message"))
    kinds = (packets.Record, packets.Post, packets.Ack, packets.Sync, packets.Ping, packets.Pong)
    said = [kinds.index(type(payload)), *astuple(acks), *astuple(payload)]
    return bool(listed(said) == v["fields"])


TYPES: Final[dict[str, Callable[[Vector], bool]]] = {
    "Hash": hashed,
    "Context": is_context,
    "HashToScalar": hashed_to_scalar,
    "Point": is_point,
    "Scalar": is_scalar,
    "HashToGroup": hashed_to_group,
    "CardPoints": are_card_points,
    "PedersenPoints": are_pedersen_points,
    "Arithmetic": computed,
    "Signature": signed,
    "KeyPossession": possessed,
    "EqualLogarithms": equal,
    "UnequalLogarithms": unequal,
    "Shuffle": shuffled,
    "Shares": shared,
    "Opening": opened,
    "Denial": denied,
    "Record": is_record,
    "Note": is_note,
    "SessionId": names_session,
    "Commitment": committed,
    "Coin": coin_falls,
    "Link": links,
    "DeckHash": deck_hashed,
    "HandHash": hand_hashed,
    "RecordHead": is_head,
    "StateDigest": state_hashed,
    "Action": is_action,
    "Options": are_options,
    "State": game_hashed,
    "EditedLog": log_holds,
    "TwoCopies": merged,
    "KeyExchange": exchanged,
    "KeyExchangeMessage": message_taken,
    "SessionKeys": keys_derived,
    "Hello": is_hello,
    "Epoch": epoch_opens,
    "Message": message_says,
}


def accepted(kind: str, vector: Vector) -> bool:
    try:
        return TYPES[kind](vector)
    except (Malformed, Unsupported, IllegalAction, StrayPacketError):
        return False


def misjudged(path: Path) -> list[tuple[str, int, str]]:
    """Every test of a file whose result is not what the program finds."""
    wrong = []
    for group in json.loads(path.read_text())["testGroups"]:
        for test in group["tests"]:
            vector = group | test
            if accepted(group["type"], vector) != (test["result"] == "valid"):
                wrong.append((group["type"], test["tcId"], test["comment"]))
    return wrong


NAMES: Final = [path.name for path in FILES]
SLOW: Final = {"copies.json", "logs.json", "notes.json", "pake.json", "shuffle.json"}

each_file = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in NAMES]
)


@pytest.fixture
def _records_are_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most logs begin as another does; a head stands for the whole chain, so what follows it is known."""
    known: dict[tuple[bytes, bytes, bool], Any] = {}

    def follow(referee: DurakReferee, data: bytes, *, verify: bool) -> Any:
        place = (referee.head, data, verify)
        if place not in known:
            known[place] = referee_module.follow(referee, data, verify=verify)
        return known[place]

    monkeypatch.setattr(audit_module, "follow", follow)


@each_file
@pytest.mark.usefixtures("_records_are_followed_once")
def test_vectors_have_the_result_that_they_state(name: str) -> None:
    assert misjudged(FOLDER / name) == []


@pytest.mark.parametrize("name", NAMES)
def test_section_that_a_file_belongs_to_is_a_heading_of_the_specification(name: str) -> None:
    headings = {line.lstrip("# ") for line in SPEC.read_text(encoding="utf-8").splitlines() if line.startswith("#")}
    assert of(name)["algorithm"].removeprefix("p2pdurak/1 ") in headings


def of(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="ascii"))
    return content


def vectors(content: dict[str, Any]) -> list[Vector]:
    return [group | test for group in content["testGroups"] for test in group["tests"]]


@pytest.mark.parametrize("name", NAMES)
def test_tests_of_a_file_are_numbered_and_counted_and_most_of_them_must_be_refused(name: str) -> None:
    content = of(name)
    tests = vectors(content)
    assert [test["tcId"] for test in tests] == list(range(1, content["numberOfTests"] + 1))
    results = [test["result"] for test in tests]
    assert set(results) == {"valid", "invalid"}
    assert results.count("invalid") > results.count("valid")


@pytest.mark.parametrize("name", NAMES)
def test_every_test_that_must_be_refused_names_its_attack_and_every_flag_is_explained(name: str) -> None:
    content = of(name)
    tests = vectors(content)
    assert all(test["flags"] for test in tests if test["result"] == "invalid")
    assert {flag for test in tests for flag in test["flags"]} == set(content["notes"])
    assert all(note["description"].endswith(".") and note["bugType"] for note in content["notes"].values())
    assert all(test["comment"] for test in tests)


def challenge_in(vector: Vector) -> bytes:
    """The challenge as it stands in a proof: behind the points, or before the one answer."""
    place = {"KeyPossession": 0, "EqualLogarithms": 0, "Opening": 33, "Shares": -64}
    match vector["type"]:
        case "Shuffle":
            place["Shuffle"] = len(vector["inp"]) // 2
        case "UnequalLogarithms" | "Denial":
            place[vector["type"]] = 32 * len(vector["W"])
        case _:
            pass
    proof = bytes.fromhex(vector.get("proof") or vector.get("opening") or vector["shares"])
    return proof[place[vector["type"]] :][:32]


PROOFS: Final = ["key_proof.json", "equal.json", "shuffle.json", "shares.json", "openings.json", "denials.json"]


@pytest.mark.parametrize("name", PROOFS)
def test_challenge_that_a_proof_gives_on_the_way_is_the_one_that_stands_in_it(name: str) -> None:
    right = [vector for vector in vectors(of(name)) if vector["result"] == "valid"]
    assert right
    assert [vector["tcId"] for vector in right if challenge_in(vector).hex() != vector["challenge"]] == []


def test_all_vectors_together_are_small_enough_for_a_checkout() -> None:
    assert sum(path.stat().st_size for path in FILES) < 3_500_000


def generate(*arguments: str) -> subprocess.CompletedProcess[str]:
    script = [sys.executable, "-P", str(TREE / "scripts" / "gen_vectors.py")]
    return subprocess.run([*script, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_vectors_are_what_the_generator_makes() -> None:
    done = generate("--check")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
