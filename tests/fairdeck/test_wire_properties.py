"""Writing and reading are inverse for every message that can be written."""

from __future__ import annotations

import pytest

from fairdeck import limits
from fairdeck.errors import Malformed
from fairdeck.packets import Ack, Acks, Payload, Ping, Pong, Post, Sync, decode_message, encode_message
from fairdeck.packets import Record as Packed
from fairdeck.wire import (
    BYTES_MAX,
    Body,
    Move,
    NoteKind,
    Shares,
    Shuffle0,
    Shuffle1,
    Start0,
    Start1,
    decode_note,
    decode_record,
    encode_note,
    encode_record,
)
from tests.fairdeck.naive_wire import is_message, is_note, is_record

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

hashes = st.binary(min_size=32, max_size=32)
signatures = st.binary(min_size=64, max_size=64)
blobs = st.binary(max_size=300)
parts = st.lists(blobs, max_size=2).map(tuple)
names = st.text(max_size=limits.NAME_BYTES_MAX).filter(lambda name: len(name.encode()) <= limits.NAME_BYTES_MAX)
small = st.integers(0, 255)
counts = st.integers(0, 2**31)
games = st.integers(1, 2**31)
seqs = st.integers(0, limits.RECORDS_MAX - 1)
seats = st.integers(0, 1)
bodies = st.one_of(
    st.builds(
        Start0,
        suite=small,
        cards=small,
        options=st.binary(max_size=400),
        name=names,
        date=st.text(max_size=20),
        vk=hashes,
        commit=hashes,
        exporter=hashes,
        game=games,
        link=hashes,
        opener=st.integers(0, 3),
    ),
    st.builds(Start1, name=names, vk=hashes, nonce=hashes, Y=hashes, possession=signatures),
    st.builds(Shuffle0, nonce=hashes, Y=hashes, possession=signatures, deck=blobs, proof=blobs),
    st.builds(Shuffle1, deck=blobs, proof=blobs, shares=blobs),
    st.builds(Shares, shares=blobs),
    st.builds(
        Move,
        action=st.binary(max_size=64),
        auto=st.booleans(),
        think_ms=counts,
        remask=parts,
        proof=parts,
        shares=parts,
    ),
)


@settings(max_examples=500)
@given(hashes, seqs, seats, hashes, bodies, hashes, signatures)
def test_record_comes_back(
    sid: bytes, seq: int, seat: int, prev: bytes, body: Body, digest: bytes, signature: bytes
) -> None:
    data = encode_record(sid, seq, seat, prev, body, digest) + signature
    assert is_record(data)
    record = decode_record(data)
    assert len(data) <= BYTES_MAX[record.kind]
    assert (record.sid, record.seq, record.seat, record.prev) == (sid, seq, seat, prev)
    assert (record.body, record.digest, record.signature) == (body, digest, signature)
    assert record.data == data


@settings(max_examples=200)
@given(hashes, seats, st.sampled_from(NoteKind), seqs, hashes, st.binary(max_size=256), signatures)
def test_note_comes_back(
    sid: bytes, seat: int, kind: NoteKind, seq: int, head: bytes, body: bytes, signature: bytes
) -> None:
    data = encode_note(sid, seat, kind, seq, head, body) + signature
    assert is_note(data)
    note = decode_note(data)
    assert (note.sid, note.seat, note.kind, note.seq, note.head, note.body) == (sid, seat, kind, seq, head, body)
    assert note.data == data


counts53 = st.integers(0, 2**53)
boots = st.binary(min_size=8, max_size=8)
payloads = st.one_of(
    st.builds(Packed, game=counts53, seq=st.integers(0, limits.RECORDS_MAX), record=blobs),
    st.builds(Post, boot=boots, first=counts53, n=counts53, kind=small, body=blobs),
    st.just(Ack()),
    st.builds(Sync, head=hashes, seen=st.booleans()),
    st.builds(Ping, token=counts53),
    st.builds(Pong, token=counts53),
)
acks = st.builds(Acks, game=counts53, place=st.integers(0, limits.RECORDS_MAX), boot=boots, post=counts53)


@settings(max_examples=200)
@given(acks, payloads)
def test_sealed_message_comes_back(heard: Acks, payload: Payload) -> None:
    data = encode_message(heard, payload)
    assert is_message(data)
    assert decode_message(data) == (heard, payload)


@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_nothing_but_malformed_comes_out_of_any_bytes(data: bytes) -> None:
    for decode, known in ((decode_record, is_record), (decode_note, is_note), (decode_message, is_message)):
        try:
            decode(data)
        except Malformed:
            assert not known(data)
        else:
            assert known(data)
