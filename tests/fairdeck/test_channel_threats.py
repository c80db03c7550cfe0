"""What a line, a code guesser and a stranger may try, by the numbers of the list of threats: each has a test."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

PAKE, CHANNEL, SEALING = (f"fairdeck/test_{name}.py" for name in ("pake", "channel", "sealing"))
STORMS, LINE, DUEL, STRANGERS = (
    "fairdeck/test_channel_hostile.py", "table/test_noise_on_the_line.py", "table/test_duel_hostile.py",
    "e2e/test_strangers.py",
)  # fmt: skip
MEETING, CODES, SIGN, REFEREE, SESSION = (
    "test_rendezvous.py", "test_codes.py",
    "fairdeck/test_sign.py", "fairdeck/test_referee.py", "fairdeck/test_session.py",
)  # fmt: skip

THREATS: dict[int, tuple[str, tuple[tuple[str, str], ...]]] = {
    24: ("a wrong code", (
        (MEETING, "test_wrong_word_is_learned_by_both_sides"),
        (STRANGERS, "test_eight_wrong_codes_bring_a_fresh_one_and_of_two_right_joiners_one_plays"),
    )),
    25: ("a code without words, with unknown words, with look-alike letters", (
        (CODES, "test_wrong_code_is_refused_with_what_is_wrong"),
        (CODES, "test_look_alike_letters_of_the_nameplate_are_mapped"),
        (PAKE, "test_code_without_words_is_refused"),
    )),
    26: ("our own first message sent back", (
        (MEETING, "test_own_packets_sent_back_are_dropped"),
        (PAKE, "test_own_message_is_refused_when_it_comes_back"),
        (PAKE, "test_own_message_is_refused_also_under_the_other_sides_letter"),
    )),
    27: ("the identity, a point of small order, a short element", (
        (PAKE, "test_bytes_that_are_no_element_of_the_group_are_refused"),
        (PAKE, "test_message_of_another_length_is_refused"),
        (MEETING, "test_open_with_a_bad_element_is_dropped_and_costs_no_try"),
    )),
    28: ("a third party while an attempt is open", (
        (MEETING, "test_second_guest_is_told_to_wait_and_then_that_the_table_is_taken"),
    )),
    29: ("two joiners with the right code at once", (
        (MEETING, "test_one_of_three_right_guests_meets_on_a_bad_line_and_the_others_learn_that_the_table_is_taken"),
        (STRANGERS, "test_eight_wrong_codes_bring_a_fresh_one_and_of_two_right_joiners_one_plays"),
    )),
    30: ("a first message of long ago, retained by the broker", (
        (MEETING, "test_stale_open_costs_a_try_and_five_seconds_and_then_the_right_guest_meets"),
        (MEETING, "test_stale_open_delivered_again_is_no_second_try"),
    )),
    31: ("the confirmation of the other role", (
        (MEETING, "test_confirmation_of_the_other_role_is_not_taken"),
        (PAKE, "test_confirmation_of_the_other_role_is_a_wrong_code"),
    )),
    32: ("a version that the broker has edited", (
        (MEETING, "test_version_edited_by_the_broker_is_told_by_the_host_and_does_not_hinder"),
    )),
    33: ("identity keys of small order or of another form", (
        (SIGN, "test_small_order_key_signs_nothing"),
        (SIGN, "test_bytes_that_are_no_element_are_no_verification_key"),
        (REFEREE, "test_bad_verification_key_is_malformed"),
    )),
    34: ("our own identity key on the other seat", (
        (SESSION, "test_nobody_plays_against_his_own_key"),
        (DUEL, "test_equal_identity_on_both_seats_is_refused"),
    )),
    35: ("a low-order key for the agreement of an epoch", (
        (CHANNEL, "test_a_low_order_key_in_an_authentic_hello_is_malformed"),
        (SEALING, "test_a_low_order_key_is_refused"),
    )),
    36: ("one packet a thousand times", (
        (CHANNEL, "test_one_packet_replayed_a_thousand_times_counts_once"),
        (SEALING, "test_one_packet_replayed_a_thousand_times_is_opened_once"),
        (LINE, "test_one_packet_a_thousand_times_moves_the_game_once"),
    )),
    37: ("a whole old session", (
        (CHANNEL, "test_a_whole_old_session_replayed_brings_nothing_and_the_line_goes_on"),
        (CHANNEL, "test_replayed_hellos_of_a_former_process_are_answered_rarely"),
        (MEETING, "test_whole_meeting_replayed_at_a_new_host_proves_nothing"),
        (LINE, "test_a_whole_old_evening_replayed_changes_nothing"),
    )),
    38: ("our own packets sent back", (
        (CHANNEL, "test_own_packets_sent_back_are_dropped"),
        (SEALING, "test_own_packets_sent_back_are_refused"),
        (DUEL, "test_garbage_replays_and_reflections_on_the_line_change_nothing"),
    )),
    39: ("each bit of a header flipped", (
        (SEALING, "test_a_flipped_header_bit_is_refused"),
        (LINE, "test_no_flipped_bit_of_a_header_is_heard"),
    )),
    40: ("a forged counter of 2^63", (
        (CHANNEL, "test_a_forged_counter_does_not_stop_genuine_packets"),
        (SEALING, "test_a_forged_counter_does_not_move_the_window"),
        (LINE, "test_no_flipped_bit_of_a_header_is_heard"),
    )),
    41: ("a tag cut short", (
        (SEALING, "test_a_cut_tag_is_refused"),
        (LINE, "test_a_packet_cut_anywhere_is_not_heard"),
    )),
    42: ("the two directions exchanged", (
        (SEALING, "test_own_packets_sent_back_with_the_other_seat_written_in_are_refused"),
        (SEALING, "test_own_hello_sent_back_with_the_other_seat_written_in_is_refused"),
    )),
    43: ("a hundred thousand packets of garbage in ten seconds", (
        (CHANNEL, "test_ten_thousand_garbage_packets_are_counted_and_change_nothing"),
        (LINE, "test_a_hundred_thousand_packets_of_garbage_in_ten_seconds_stop_no_game_and_take_no_memory"),
        (STRANGERS, "test_game_goes_on_under_a_flood_bombs_replays_and_silent_sockets"),
    )),
    44: ("fifty kills of both sides in one game", (
        (STORMS, "test_fifty_kills_of_both_sides_in_one_game_repeat_no_key_with_a_nonce_and_lose_nothing"),
    )),
    45: ("a state folder that was copied", (
        (STORMS, "test_two_processes_of_a_copied_folder_share_no_epoch_and_the_other_side_keeps_one_chain"),
        (STORMS, "test_a_copy_that_has_not_heard_how_far_the_peer_is_takes_the_records_over_before_it_writes"),
        ("table/test_store.py", "test_log_is_locked_until_it_is_closed"),
    )),
}  # fmt: skip
"""Number -> what is tried, and the tests by file and name: a layer by itself first, then a table or a whole program."""


@cache
def names_in(path: str) -> set[str]:
    tree = ast.parse((TESTS / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_no_threat_is_left_out() -> None:
    assert list(THREATS) == list(range(24, 46))


@pytest.mark.parametrize("number", THREATS)
def test_named_tests_exist(number: int) -> None:
    what, tests = THREATS[number]
    assert what
    assert tests
    assert [name for path, name in tests if name not in names_in(path)] == []
