"""What a hurried programmer might break: one small change each, and the tests that must notice it.

It owns the list; how a change is put in place and judged is in `inject` and `runner`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module.

    Attributes:
        name: what the changed program does wrong.
        module: the module that is changed, by its dotted name.
        old: text that occurs in it exactly once.
        new: what stands there instead.
        tests: node ids under `tests/`; each of them must fail.
    """

    name: str
    module: str
    old: str
    new: str
    tests: tuple[str, ...]


CHANNEL: Final = "fairdeck/test_channel.py::"
SEALING: Final = "fairdeck/test_sealing.py::"
DECK: Final = "fairdeck/test_deck.py::"
REFEREE: Final = "fairdeck/test_referee.py::"
LAYERS: Final = "mutants/test_layers.py::"
BODIES: Final = "fairdeck/test_referee_bodies.py::"

# From the disk to the line. Upper layers hide some of these: a packet that is taken twice is a record that the streams
# know already, and a counter that begins again is refused by the peer's window. So each layer is asked by itself.

LINE: Final = (
    Mutant(
        "an own record is sent before it is on disk",
        "p2pdurak.table.one_game",
        """
        self.log.append(Tag.RECORD, data)
        self.chair.channel.append(data, now)
        self._tell(self.session.last, before)""",
        """
        self.chair.channel.append(data, now)
        self.log.append(Tag.RECORD, data)
        self._tell(self.session.last, before)""",
        ("table/test_one_game.py::test_no_record_and_no_note_reaches_the_channel_before_it_is_on_disk",),
    ),
    Mutant(
        "a record of the peer is acknowledged before it is on disk",
        "p2pdurak.table.one_game",
        """
            self.log.append(Tag.RECORD, data)
            self.chair.channel.append(data, now)
            self._notes.catch_up()""",
        """
            self.chair.channel.append(data, now)
            self.log.append(Tag.RECORD, data)
            self._notes.catch_up()""",
        ("table/test_one_game.py::test_no_record_and_no_note_reaches_the_channel_before_it_is_on_disk",),
    ),
    Mutant(
        "a note is sent before it is on disk",
        "p2pdurak.table.beside",
        """
        self._save(data)
        self._channel.post(PostKind.NOTE, data, now)""",
        """
        self._channel.post(PostKind.NOTE, data, now)
        self._save(data)""",
        ("table/test_one_game.py::test_no_record_and_no_note_reaches_the_channel_before_it_is_on_disk",),
    ),
    Mutant(
        "a session that comes back signs before the peer has said what he holds",
        "fairdeck.session",
        "return self.reconciled and not self._silent",
        "return not self._silent",
        ("fairdeck/test_restore.py::test_nothing_is_signed_before_the_peer_has_said_what_he_holds",),
    ),
    Mutant(
        "the first word of a peer is taken for his word in the new epoch alone",
        "fairdeck.channel",
        "            if payload.seen:\n",
        "            if True:\n",
        (f"{LAYERS}test_peer_has_left_the_old_epoch_when_he_has_heard_us_in_the_new_one_not_when_he_speaks_in_it",),
    ),
    Mutant(
        "a record that came before is handed out again",
        "fairdeck.streams",
        "        if record == known or seq in self._disputed:\n            return []\n",
        "",
        (
            f"{CHANNEL}test_records_out_of_order_and_doubled_arrive_in_order_and_once",
            f"{CHANNEL}test_another_record_at_a_place_that_is_taken_is_handed_out_once",
        ),
    ),
    Mutant(
        "nothing is sent again",
        "fairdeck.channel",
        "        if self._resend.strikes(now):\n            self._rewind()\n",
        "        self._resend.strikes(now)\n",
        (
            f"{CHANNEL}test_an_unacknowledged_record_is_repeated_with_doubling_gaps_up_to_four_seconds",
            f"{CHANNEL}test_an_unacknowledged_post_is_repeated",
        ),
    ),
    Mutant(
        "a peer with an older file is thought to have what he had",
        "fairdeck.streams",
        "if not anew and (game, place) <= self._said:",
        "if (game, place) <= self._said:",
        (f"{LAYERS}test_peer_who_says_he_has_less_than_before_is_believed_at_the_first_word_of_an_epoch_only",),
    ),
    Mutant(
        "what overtakes its SYNC is taken at once",
        "fairdeck.channel",
        "        elif epoch.synced:  #",
        "        else:  #",
        (f"{CHANNEL}test_what_overtakes_its_sync_waits_for_it",),
    ),
    Mutant(
        "the counter of sealed packets stands still",
        "fairdeck.sealing",
        "        self._counter += 1\n",
        "",
        (
            f"{SEALING}test_a_sealed_packet_begins_with_type_conversation_epoch_sender_and_counter",
            f"{LAYERS}test_no_counter_is_used_twice_under_one_key",
        ),
    ),
    Mutant(
        "one offer opens several epochs",
        "fairdeck.epochs",
        "            self._offer = None\n            self._say_pending(self.pending)",
        "            self._say_pending(self.pending)",
        (f"{LAYERS}test_no_counter_is_used_twice_under_one_key_whatever_hello_comes_again",),
    ),
    Mutant(
        "a packet that was seen is opened again",
        "fairdeck.sealing",
        "if header[:-8] != self._opens or self._was_seen(counter):",
        "if header[:-8] != self._opens:",
        (f"{SEALING}test_one_packet_replayed_a_thousand_times_is_opened_once",),
    ),
    Mutant(
        "the window is moved before the packet is authentic",
        "fairdeck.sealing",
        "        try:\n            message = self._opener.decrypt(",
        "        self._note(counter)\n        try:\n            message = self._opener.decrypt(",
        (
            f"{SEALING}test_a_forged_counter_does_not_move_the_window",
            f"{CHANNEL}test_a_forged_counter_does_not_stop_genuine_packets",
        ),
    ),
    Mutant(
        "both directions have one key",
        "fairdeck.sealing",
        'f"channel key {sender}"',
        '"channel key"',
        (f"{LAYERS}test_each_direction_has_a_key_of_its_own",),
    ),
    Mutant(
        "both seats sign their HELLO with one key",
        "fairdeck.sealing",
        "mac = HMAC(keys.hello[seat], SHA256())",
        "mac = HMAC(keys.hello[0], SHA256())",
        (f"{SEALING}test_each_seat_signs_its_hello_with_a_key_of_its_own",),
    ),
    Mutant(
        "a sealed message may have a second form",
        "fairdeck.packets",
        "if encode_message(*decoded) != message:",
        "if False:",
        (f"{SEALING}test_bytes_that_no_honest_program_writes_are_malformed",),
    ),
)

CODE: Final = (
    Mutant(
        "one confirmation serves both roles",
        "fairdeck.pake",
        '"pake confirm guest"',
        '"pake confirm host"',
        ("fairdeck/test_pake.py::test_confirmation_of_the_other_role_is_a_wrong_code",),
    ),
    Mutant(
        "a second answer grants a second guess",
        "fairdeck.pake",
        "        if self._finished:\n",
        "        if False:\n",
        ("fairdeck/test_pake.py::test_second_message_in_a_run_is_refused_since_it_would_be_a_second_guess",),
    ),
    Mutant(
        "tries of a code are not counted",
        "p2pdurak.rendezvous.host",
        "left = TRIES_MAX - len(self._closed)",
        "left = TRIES_MAX",
        ("test_rendezvous.py::test_eight_wrong_tries_spend_the_code",),
    ),
)

PROOFS: Final = (
    Mutant(
        "points outside the subgroup pass the door",
        "fairdeck.group",
        "return bool(sodium.crypto_core_ed25519_is_valid_point(data))",
        "return bool(sodium.crypto_core_ed25519_add(data, self.mul_base(1)))",
        ("fairdeck/test_group.py::test_bytes_that_are_no_element_are_refused",),
    ),
    Mutant(
        "a scalar may have a second encoding",
        "fairdeck.group",
        "    if s >= group.order:\n",
        "    if False:\n",
        (
            "fairdeck/test_group.py::test_second_encoding_of_a_scalar_is_refused",
            "fairdeck/test_sigma.py::test_scalar_in_its_second_encoding_is_malformed",
        ),
    ),
    Mutant(
        "a verification key does not pass the door",
        "fairdeck.sign",
        "return decode_point(EDWARDS25519, data).data",
        "return data",
        ("fairdeck/test_sign.py::test_mixed_order_key_that_the_verifier_takes_is_stopped_at_the_door",),
    ),
    Mutant(
        "proofs are not bound to the game",
        "fairdeck.transcript",
        'return hash32("context", sid, bytes([seat])',
        'return hash32("context", bytes([seat])',
        (f"{DECK}test_shares_of_another_game_are_refused",),
    ),
    Mutant(
        "proofs are not bound to the seat",
        "fairdeck.transcript",
        'return hash32("context", sid, bytes([seat])',
        'return hash32("context", sid',
        ("fairdeck/test_transcript.py::test_context_differs_for_every_game_seat_and_purpose",),
    ),
    Mutant(
        "proofs are not bound to their purpose",
        "fairdeck.transcript",
        ', purpose.encode("ascii"))',
        ")",
        (f"{DECK}test_remask_of_another_purpose_game_or_seat_is_refused",),
    ),
    Mutant(
        "two secrets of one proof can be equal",
        "fairdeck.sigma",
        '            index.to_bytes(4, "big"),\n',
        "",
        ("fairdeck/test_sigma.py::test_every_name_and_index_has_a_secret_of_its_own",),
    ),
    Mutant(
        "the blinded difference of a denial may be the identity",
        "fairdeck.sigma",
        "W = [decode_point(group, proof[32 * i : 32 * i + 32]) for i in range(n)]",
        "W = [Point(group, proof[32 * i : 32 * i + 32]) for i in range(n)]",
        (
            "fairdeck/test_sigma.py::test_denial_with_zero_as_blinding_is_refused",
            "fairdeck/test_sigma.py::test_denial_with_a_bad_W_is_malformed",
        ),
    ),
    Mutant(
        "a denial does not use the key of the seat",
        "fairdeck.sigma",
        "absorbed += [item.A.data, item.V.data, w.data, t1.data, t2.data]",
        "absorbed += [item.A.data, item.V.data, w.data, t1.data]",
        (f"{LAYERS}test_denial_of_a_held_card_is_refused_also_where_its_author_answers_the_verifiers_own_challenge",),
    ),
    Mutant(
        "the challenges of a shuffle are known before the permutation is committed to",
        "fairdeck.shuffle",
        'seed = hash64("shuffle seed", *statement.absorb(), b"".join(C.data for C in c_perm))',
        'seed = hash64("shuffle seed", *statement.absorb())',
        (f"{LAYERS}test_challenges_of_a_shuffle_hang_on_the_commitment_and_on_the_whole_statement",),
    ),
    Mutant(
        "one point may occur twice in a deck",
        "fairdeck.elgamal",
        "    if len(set(points)) != len(points):\n",
        "    if False:\n",
        ("fairdeck/test_shuffle.py::test_deck_that_was_not_shuffled_at_all_is_malformed",),
    ),
    Mutant(
        "the weights of shares do not hang on the shares",
        "fairdeck.deck",
        '        b"".join(d.data for d in D),\n    )',
        "    )",
        (f"{DECK}test_errors_that_cancel_under_the_weights_of_the_right_shares_are_refused",),
    ),
    Mutant(
        "every share has the same weight",
        "fairdeck.deck",
        'hash_to_scalar(deck.group, "share weight", statement, bytes([p]))',
        'hash_to_scalar(deck.group, "share weight", statement)',
        (f"{DECK}test_errors_that_cancel_are_refused", f"{DECK}test_swapped_shares_are_refused"),
    ),
    Mutant(
        "an opening is not bound to the hand",
        "fairdeck.deck",
        'context(deck.sid, seat, "open"), deck.hand_hash(seat), bytes([index])',
        'context(deck.sid, seat, "open"), bytes([index])',
        (f"{DECK}test_what_an_opening_is_bound_to_differs_by_game_seat_hand_and_index",),
    ),
    Mutant(
        "the card that is opened need not be the one that is named",
        "fairdeck.deck",
        "    if entry.B - D != card_points(deck.group, len(deck.cards))[card]:\n",
        "    if False:\n",
        (f"{DECK}test_naming_one_card_and_opening_another_is_refused",),
    ),
    Mutant(
        "a hand of two batches need not be remasked",
        "fairdeck.deck",
        "    if len(remask) != 2:\n",
        "    if not remask:\n        return deck\n    if len(remask) != 2:\n",
        (f"{DECK}test_missing_remask_is_refused",),
    ),
    Mutant(
        "a hand of one batch may be remasked",
        "fairdeck.deck",
        "        if remask:\n",
        "        if False:\n",
        (f"{DECK}test_surplus_remask_is_refused",),
    ),
)

RECORDS: Final = (
    Mutant(
        "a message may have a second form",
        "fairdeck.wire",
        "    if pack(value) != data:\n",
        "    if False:\n",
        ("fairdeck/test_wire.py::test_longer_form_of_any_number_string_bytes_or_array_is_malformed",),
    ),
    Mutant(
        "the signature of a record is not looked at",
        "fairdeck.referee",
        "    if not is_signed(key, RECORD_LABEL, record.signed, record.signature):\n",
        "    if False:\n",
        (f"{REFEREE}test_record_signed_by_another_key_proves_nothing",),
    ),
    Mutant(
        "the link of the chain is not looked at",
        "fairdeck.referee",
        "    if record.prev != referee.head:\n",
        "    if False:\n",
        (f"{REFEREE}test_record_of_another_place_proves_nothing",),
    ),
    Mutant(
        "whose turn it is is not looked at",
        "fairdeck.referee",
        "if owed is None or owed != Owed(record.seat, record.kind):",
        "if owed is None:",
        (f"{REFEREE}test_record_out_of_turn_accuses_its_author",),
    ),
    Mutant(
        "the digests of both sides are not compared",
        "fairdeck.referee",
        "    if body_state.digest() != record.digest:\n",
        "    if False:\n",
        (f"{REFEREE}test_changed_digest_is_a_desync_that_names_the_record_and_its_author",),
    ),
    Mutant(
        "anybody's bytes for a taken place accuse the seat they name",
        "fairdeck.referee",
        "        and is_signed(key, RECORD_LABEL, other.signed, other.signature)\n",
        "",
        (f"{REFEREE}test_anything_else_for_a_place_that_is_taken_accuses_nobody",),
    ),
    Mutant(
        "the host's key may be the guest's",
        "fairdeck.referee",
        "if Y0 == Y1 or (Y0 + Y1).is_identity:",
        "if (Y0 + Y1).is_identity:",
        (f"{BODIES}test_equal_and_negated_keys_accuse_the_host",),
    ),
    Mutant(
        "the host's key may mirror the guest's",
        "fairdeck.referee",
        "if Y0 == Y1 or (Y0 + Y1).is_identity:",
        "if Y0 == Y1:",
        (f"{BODIES}test_equal_and_negated_keys_accuse_the_host",),
    ),
    Mutant(
        "the host is not held to his commitment",
        "fairdeck.referee",
        "    if commitment(body.nonce, body.Y) != present(referee.start0).commit:\n",
        "    if False:\n",
        (f"{BODIES}test_commitment_opened_to_something_else_accuses_the_host",),
    ),
    Mutant(
        "nobody has to know the secret of his key",
        "fairdeck.referee",
        '    if not verify_key(context(sid, seat, "key"), Y, proof):\n',
        "    if False:\n",
        (
            f"{BODIES}test_possession_proof_of_the_guest_holds_for_this_key_and_game_only",
            f"{BODIES}test_possession_proof_of_the_host_holds_for_his_key_only",
        ),
    ),
    Mutant(
        "shares that are owed may be left out of a move",
        "fairdeck.referee",
        "    if len(body.shares) != (1 if owed else 0):\n",
        "    if not body.shares:\n        return acted\n    if len(body.shares) != (1 if owed else 0):\n",
        (f"{BODIES}test_shares_missing_or_surplus_with_a_move_accuse_the_mover",),
    ),
    Mutant(
        "the win can be claimed on one's own turn",
        "fairdeck.notes",
        "if note.kind is NoteKind.CLAIM and note.seq == referee.seq and owed is not None and owed.seat == note.seat:",
        "if False:",
        ("fairdeck/test_notes.py::test_claim_on_the_claimers_own_turn_is_refused",),
    ),
    Mutant(
        "a note may name any head",
        "fairdeck.notes",
        "        if note.head != head:\n",
        "        if False:\n",
        ("fairdeck/test_notes.py::test_note_with_another_head_than_the_chain_is_refused",),
    ),
    Mutant(
        "who has resigned may play on",
        "fairdeck.notes",
        "if note.kind in LAST_WORDS and note.seq <= record.seq:",
        "if False:",
        ("fairdeck/test_notes.py::test_record_after_the_resign_of_its_author_accuses_him",),
    ),
    Mutant(
        "a game key is shown in the middle of the game",
        "fairdeck.session",
        '        if not self.verdict.final:\n            raise LocalError("The game key',
        '        if False:\n            raise LocalError("The game key',
        (f"{LAYERS}test_game_key_is_refused_before_a_note_is_even_made",),
    ),
    Mutant(
        "a note ahead of the chain is not looked at again when the chain has grown",
        "fairdeck.session",
        "                check_ahead(followed.referee, note)\n",
        "",
        ("fairdeck/test_session.py::test_note_that_has_seen_a_record_of_ours_that_we_have_not_made_ends_no_game",),
    ),
)

MUTANTS: Final = (*LINE, *CODE, *PROOFS, *RECORDS)
