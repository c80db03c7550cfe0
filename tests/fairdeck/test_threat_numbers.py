"""What hostile bytes and hostile logs may try, by the numbers of the list of threats: each has a test."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

WIRE, LIMITS, SEALING, HIDDEN, PROPERTIES, GAME = (
    f"fairdeck/test_{name}.py"
    for name in ("wire", "limits", "sealing", "hidden_faults", "wire_properties", "game")
)  # fmt: skip
LOGS, AUDIT, LOG, MERGE, BODIES = (
    f"fairdeck/test_{name}.py" for name in ("hostile_logs", "audit", "log", "merge", "referee_bodies")
)
FILES, VERIFY, SECOND = "cli/test_hostile_files.py", "cli/test_verify.py", "test_second_verifier.py"

TYPES = (WIRE, "test_value_of_another_type_is_malformed_in_every_field")
HOSTILE = (WIRE, "test_hostile_bytes_are_malformed")
SEALED = (SEALING, "test_a_message_of_the_wrong_form_is_malformed")

THREATS: dict[int, tuple[str, tuple[tuple[str, str], ...]]] = {
    1: ("no bytes", (
        HOSTILE,
        (WIRE, "test_signature_alone_is_no_message"),
        (SEALING, "test_bytes_that_no_honest_program_writes_are_malformed"),
    )),
    2: ("the byte that msgpack does not have", (
        HOSTILE,
        (WIRE, "test_unpacking_refuses_what_is_no_value_of_this_protocol"),
    )),
    3: ("a byte behind the value", (
        (WIRE, "test_trailing_byte_is_malformed"),
        (WIRE, "test_note_of_another_arity_or_form_is_malformed"),
        (SEALING, "test_bytes_that_no_honest_program_writes_are_malformed"),
    )),
    4: ("every strict prefix of every kind of message", (
        (WIRE, "test_every_strict_prefix_is_malformed"),
        (WIRE, "test_every_strict_prefix_of_a_note_is_malformed"),
        (WIRE, "test_every_strict_prefix_of_a_sealed_message_is_malformed"),
        ("test_rendezvous.py", "test_every_prefix_of_a_packet_is_refused"),
    )),
    5: ("every bit flipped", (
        (WIRE, "test_every_bit_flip_of_a_record_is_malformed_or_another_canonical_one"),
        (WIRE, "test_every_bit_flip_of_a_note_is_malformed_or_another_canonical_note"),
        (SEALING, "test_every_bit_flip_of_a_message_is_malformed_or_another_message_in_its_one_form"),
    )),
    6: ("arrays in arrays, 512 to a million deep", (
        HOSTILE,
        (WIRE, "test_no_depth_of_nesting_does_more_than_be_malformed"),
        (HIDDEN, "test_a_hostile_sealed_message_of_the_largest_size_takes_little_memory"),
    )),
    7: ("maps in maps", (
        HOSTILE,
        (WIRE, "test_no_depth_of_nesting_does_more_than_be_malformed"),
        (HIDDEN, "test_a_hostile_sealed_message_of_the_largest_size_takes_little_memory"),
    )),
    8: ("a length of 2^32 - 1 in every family", (
        HOSTILE,
        (HIDDEN, "test_a_hostile_sealed_message_of_the_largest_size_takes_little_memory"),
    )),
    9: ("a string of ten million bytes", (
        (WIRE, "test_bytes_over_the_cap_are_refused_before_they_are_read"),
        (WIRE, "test_notes_over_the_cap_are_refused_before_they_are_read"),
    )),
    10: ("as long as the cap, and a byte longer", (
        (WIRE, "test_record_may_be_as_long_as_the_cap_of_its_kind_and_no_longer"),
        (LIMITS, "test_what_reaches_a_limit_goes_through_and_one_more_does_not"),
        (LIMITS, "test_every_limit_has_its_case"),
    )),
    11: ("a message full of empty maps", (
        (WIRE, "test_hostile_bytes_of_the_largest_size_take_little_memory"),
        (HIDDEN, "test_a_hostile_sealed_message_of_the_largest_size_takes_little_memory"),
    )),
    12: ("a longer form than needed", (
        (WIRE, "test_longer_form_of_any_number_string_bytes_or_array_is_malformed"),
        (SEALING, "test_bytes_that_no_honest_program_writes_are_malformed"),
    )),
    13: ("a fraction, or what is no number, for a number", (TYPES, HOSTILE, SEALED)),
    14: ("a truth value for a number", (TYPES, SEALED)),
    15: ("nothing for a value", (TYPES, SEALED)),
    16: ("text for bytes, also in base64, and bytes for text", (TYPES, SEALED)),
    17: ("a map, also with one key twice", (
        TYPES, SEALED, (HIDDEN, "test_a_map_is_malformed_whatever_its_keys_are"),
    )),
    18: ("extension types and timestamps", (TYPES, HOSTILE, SEALED)),
    19: ("a field missing, a field too many", (
        (WIRE, "test_missing_and_surplus_fields_are_malformed"),
        (WIRE, "test_note_of_another_arity_or_form_is_malformed"),
        SEALED,
    )),
    20: ("a card that is not in the deck, or one twice", (
        (WIRE, "test_values_out_of_bounds_are_malformed"),
        (GAME, "test_bytes_that_are_no_action_are_refused"),
        (BODIES, "test_bytes_that_are_no_action_accuse_the_mover"),
        (HIDDEN, "test_a_card_outside_the_deck_is_in_no_action"),
        (HIDDEN, "test_a_card_that_is_denied_twice_is_no_answer_to_its_question"),
    )),
    21: ("text that is no UTF-8, half a surrogate pair", (
        (WIRE, "test_name_that_is_no_utf8_is_malformed"),
        HOSTILE,
    )),
    22: ("what is no bytes at all", (
        (WIRE, "test_only_bytes_are_messages"),
        ("fairdeck/test_group.py", "test_only_bytes_are_points"),
    )),
    23: ("two readers that differ over a message", (
        (WIRE, "test_second_reader_agrees_on_records_and_mutations"),
        (WIRE, "test_second_reader_agrees_on_notes_and_mutations"),
        (WIRE, "test_second_reader_agrees_on_sealed_messages_and_mutations"),
        (PROPERTIES, "test_nothing_but_malformed_comes_out_of_any_bytes"),
        (SECOND, "test_the_second_verifier_judges_every_vector_as_it_says"),
    )),
    77: ("every prefix of a log", (
        (LOGS, "test_every_prefix_of_a_real_game_is_read_as_its_whole_entries_and_a_torn_rest"),
        (LOGS, "test_no_prefix_of_a_real_game_is_ok_before_its_last_record"),
        (AUDIT, "test_no_prefix_of_a_log_is_ok_before_its_last_record"),
    )),
    78: ("every byte of a log flipped", (
        (LOGS, "test_no_flip_of_a_byte_of_a_real_game_is_ok_and_none_gets_as_far_as_a_proof"),
        (LOGS, "test_no_flip_of_any_bit_of_a_frame_is_ok"),
        (AUDIT, "test_log_with_any_byte_flipped_is_never_ok_and_no_proof_is_looked_at_behind_a_broken_hash"),
    )),
    79: ("records deleted, swapped, doubled, spliced", (
        (LOGS, "test_chain_with_a_record_deleted_swapped_doubled_or_spliced_is_invalid_and_accuses_nobody"),
        (LOGS, "test_edit_with_every_hash_made_anew_is_invalid_at_that_record_and_accuses_nobody"),
        (LOGS, "test_player_who_edits_his_own_record_cannot_go_on_to_the_other_seats_next_one"),
    )),
    80: ("one key on both seats", (
        (AUDIT, "test_one_key_on_both_seats_is_found"),
        (BODIES, "test_one_key_on_both_seats_accuses_the_guest"),
    )),
    81: ("a log cut before its last move", (
        (LOGS, "test_game_cut_before_its_last_move_has_no_result_and_names_who_owes_it"),
        (AUDIT, "test_chain_cut_short_is_incomplete_and_says_who_owes_the_next_step"),
    )),
    82: ("two copies of one game", (
        (MERGE, "test_prefix_gives_way_to_the_longer_copy"),
        (MERGE, "test_fork_proves_equivocation_against_its_author"),
        (MERGE, "test_no_edit_of_one_copy_accuses_an_honest_seat"),
        (VERIFY, "test_fork_names_both_records_and_its_author_and_gives_5"),
        (VERIFY, "test_notes_that_cannot_stand_together_are_left_out_and_counted"),
        (SECOND, "test_both_verifiers_merge_two_copies_of_a_fresh_game"),
    )),
    83: ("files that are no log, and names behind which there is no file", (
        (LOGS, "test_file_that_is_no_log_has_its_verdict_in_little_memory"),
        (LOG, "test_file_full_of_tiny_entries_is_refused"),
        (FILES, "test_every_command_says_a_sentence_to_a_file_that_is_no_log"),
        (FILES, "test_large_file_takes_neither_the_machines_memory_nor_its_time"),
        (FILES, "test_name_behind_which_there_is_no_file_gives_a_sentence_and_2"),
        (FILES, "test_file_of_many_gigabytes_is_not_read_beyond_the_limit"),
    )),
    84: ("a result that only a note claims", (
        (LOGS, "test_no_note_changes_the_result_that_the_chain_gives"),
        (FILES, "test_result_that_a_note_claims_is_no_result"),
    )),
    85: ("a replay that differs from time to time", (
        (FILES, "test_game_loaded_three_times_is_the_same_game"),
        (FILES, "test_nothing_that_is_told_of_a_game_hangs_on_the_seed_of_hashes_or_on_the_language"),
        (FILES, "test_replay_tells_the_same_at_every_speed_and_from_every_place"),
    )),
    86: ("a folder with bad files in it", (
        (FILES, "test_folder_with_such_files_lists_every_game_and_says_what_the_others_are"),
    )),
}  # fmt: skip
"""Number -> what is tried, and the tests by file and name: a layer by itself first, then a command or a program."""


@cache
def names_in(path: str) -> set[str]:
    tree = ast.parse((TESTS / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_no_threat_is_left_out() -> None:
    assert list(THREATS) == [*range(1, 24), *range(77, 87)]


@pytest.mark.parametrize("number", THREATS)
def test_named_tests_exist(number: int) -> None:
    what, tests = THREATS[number]
    assert what
    assert tests
    assert [name for path, name in tests if name not in names_in(path)] == []
