"""Every attack that the protocol names, in the order of its list: the animals of the zoo or the tests that try it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.zoo.families import FAMILIES

TESTS = Path(__file__).parents[1]
ANIMALS = {animal.name for family in FAMILIES for animal in family.members}

BODIES, LOGS, HIDDEN = (f"fairdeck/test_{name}.py::" for name in ("referee_bodies", "hostile_logs", "hidden_faults"))

ATTACKS: dict[str, tuple[str, ...]] = {
    "a rogue key": ("a rogue key that cancels the other",),
    "a mirrored or negated key": ("a key that mirrors the other seat's", "the negated key of the other seat"),
    "a proof of another game, seat or purpose": (
        "possession proven in another game",
        "possession proven for the other seat",
        "possession proven for another purpose",
        "a proof of another game",
        "a proof of the other seat",
        "a proof of a remask, for a shuffle",
        "a proof of a shuffle, for a remask",
        "shares proven in another game",
        "an opening proven in another game",
        "a remask proven in another game",
        "a remask proven for the other seat",
        "a denial of another game",
        "a denial of the other seat",
    ),
    "points that are no elements": (
        "the game key is the identity",
        "the game key is a point of order 2",
        "the game key is a point of order 4",
        "the game key is a point of order 8",
        "the game key is a second encoding of a point",
        "the game key is a point off the curve",
        "the identity point as a first half",
        "the identity point as a second half",
        "a point of order 2 for a card",
        "a second encoding of a card",
        "a card off the curve",
        "fairdeck/test_group.py::test_points_of_another_length_are_refused",
    ),
    "the same as verification keys": (
        "the identity key is the identity",
        "the identity key is a point of order 2",
        "the identity key is a point of order 4",
        "the identity key is a point of order 8",
        "the identity key is a key marked by order 2",
        "the identity key is a key marked by order 4",
        "the identity key is a key marked by order 8",
        "the identity key is a second encoding of a point",
        "the identity key is a point off the curve",
        "fairdeck/test_sign.py::test_key_of_another_length_is_refused",
    ),
    "an element marked by a point of small order": (
        "the game key is a key marked by order 2",
        "the game key is a key marked by order 4",
        "the game key is a key marked by order 8",
        "a card marked by order 2",
        "a card marked by order 4",
        "a card marked by order 8",
        "a second half marked by order 2",
        "a commitment marked by order 2",
        "a share marked by order 2",
        "an opening marked by order 2",
        "a remask marked by order 2",
        "zoo/test_demonstrations.py::test_mark_of_order_two_goes_through_the_honest_shuffle_where_the_library_is_old",
        "zoo/test_demonstrations.py::test_door_that_takes_elements_only_stops_it",
    ),
    "a scalar of the order or more": (
        "a scalar of the order or more",
        "a second encoding of an answer",
        "an answer in its second encoding",
        "an opening in its second encoding",
        "a denial in its second encoding",
    ),
    "a card replaced": ("a card replaced by one of his choice", "something in the deck that is no card"),
    "a card twice": (
        "a card twice, remasked",
        "a card twice, byte for byte",
        "a card twice, by a permutation that is none",
    ),
    "two equal first halves": ("one first half for two cards",),
    "cards swapped after proving": ("cards swapped after proving", "two cards swapped against the proof"),
    "the first deck shuffled": ("the first deck shuffled instead of the host's",),
    "the own shuffle sent back": ("the host's own shuffle sent back", "a deck that was not shuffled"),
    "the shuffle of another game": ("deck and proof of an earlier game",),
    "remasked under one key": ("cards remasked under his key alone", "a proof under his key alone"),
    "all ciphertexts scaled": ("all ciphertexts doubled",),
    "a short or long deck or proof": (
        "a short deck",
        "a long deck",
        "a deck of broken length",
        "a short proof",
        "a long proof",
        "no proof",
    ),
    "every word of a proof altered": (
        "zoo/test_tools.py::test_every_word_of_a_shuffle_counts",
        "fairdeck/test_shuffle.py::test_proof_with_any_word_altered_is_refused",
        "fairdeck/test_sigma.py::test_proof_with_any_word_altered_is_refused",
        "fairdeck/test_deck.py::test_remask_with_any_word_altered_is_refused",
    ),
    "generators with known logarithms": (
        "zoo/test_demonstrations.py::test_known_logarithms_let_a_card_be_in_the_deck_twice",
        "zoo/test_demonstrations.py::test_known_logarithms_of_the_generators_alone_let_lie_what_is_no_card",
        "zoo/test_demonstrations.py::test_generators_from_a_hash_stop_both",
    ),
    "a wrong share": ("a wrong share", "a wrong share of a card just drawn", "a wrong share with a move"),
    "a share that makes another card": (
        "a share that turns a card into another",
        "a share that turns the indicator into another card",
    ),
    "errors that cancel": (
        "two errors that cancel in a sum of shares",
        "errors that cancel under weights known in advance",
        "errors that cancel under a proof without weights",
        "zoo/test_demonstrations.py::test_weights_known_before_the_shares_let_the_host_choose_the_trump",
        "zoo/test_demonstrations.py::test_weights_hashed_from_the_shares_stop_it",
    ),
    "shares for another position, seat, key or game": (
        "two shares exchanged",
        "a share of a card of the talon",
        "a share of his own hand instead",
        "shares under another key",
        "shares proven in another game",
        "shares proven for another deck",
    ),
    "shares missing or too many": (
        "no shares",
        "a share missing",
        "a share too many",
        "the indicator's share withheld",
        "shares withheld with a move",
        "shares twice with a move",
        "shares that nobody owes",
    ),
    "shares asked for": (
        "zoo/test_shares_given.py::test_no_share_leaves_a_seat_before_it_is_owed",
        "fairdeck/test_deck.py::test_shares_come_without_being_asked_for_a_position",
    ),
    "a card that is not his to play": (
        "a card that he does not hold",
        "a card that he has played already",
        "a card of the talon",
    ),
    "one card named, another opened": (
        "one card named, another of his opened",
        "a card opened as any other",
    ),
    "another index": ("an opening at another index", "an opening beyond the end of the hand"),
    "a trump denied that is held": (
        "a held trump denied by the honest steps",
        "a held trump denied with zero as blinding",
        "a held trump denied with another exponent",
        "a held trump denied with an invented W",
        "a held trump left out of the denial",
        "another card denied twice for a held trump",
        "a denial of another card for a held trump",
        "a denial replayed for another card",
        "zoo/test_demonstrations.py::test_denial_without_its_second_equation_lets_a_held_trump_be_denied",
        "fairdeck/test_sigma.py::test_denial_with_a_bad_W_is_malformed",
    ),
    "a trump claimed, a question passed over": (
        "a trump claimed that he does not hold",
        "a question passed over",
        "a card shown that nobody has asked for",
        f"{BODIES}test_rank_skipped_in_the_search_for_the_lowest_trump_accuses_the_mover",
    ),
    "a remask that is no remask": (
        "a remask that drops a card",
        "a remask that adds a card",
        "a remask that doubles a card",
        "a remask that doubles a card byte for byte",
        "a remask that replaces a card",
        "a remask under both keys",
        "a remask of other cards than his hand",
    ),
    "a remask missing or not due": (
        "a remask that is missing",
        "half a remask",
        "a remask where none is due",
        "a remask of an earlier hand",
    ),
    "an opening from before the remask": ("an opening from the list before the remask",),
    "two records for one place": (
        "a second record for a place that is taken",
        "a second record with another one before it",
        "fairdeck/test_merge.py::test_fork_proves_equivocation_against_its_author",
    ),
    "records replayed, reordered, dropped, cut, of another game": (
        "a record replayed",
        "records out of order",
        "a record for a later place",
        "a record sent back to its author",
        "a record of an earlier game",
        "a record of another session",
        "another record before it",
        "a record cut short",
    ),
    "another key, another seat": (
        "a record signed by another key",
        "a record in the victim's name",
        "a cheat in the victim's name",
        "a move in the victim's turn",
        "shares in the victim's turn",
    ),
    "shares before the second shuffle": ("shares before the second shuffle", "a move before the deal"),
    "another deal after he has seen his hand": (
        "another shuffle after he has seen his hand",
        "a shuffle out of turn after he has seen his hand",
        "the game proposed anew after the deal",
    ),
    "another move from a restored snapshot": (
        "another move from a restored snapshot",
        "fairdeck/test_session.py::test_session_that_lost_its_records_and_moves_anew_is_caught",
    ),
    "leaving after the deal": (
        "fairdeck/test_notes.py::test_leaving_after_the_second_shuffle_is_unfinished_for_the_leaver",
    ),
    "hostile msgpack": (
        "a byte that msgpack does not have",
        "arrays in arrays, five thousand deep",
        "an array of four thousand million",
        "a string of four thousand million",
        "an extension type",
        "a map for the record",
        "fairdeck/test_wire.py::test_hostile_bytes_are_malformed",
    ),
    "downgrades": (
        "downgrade to a group without secrets",
        "a group that nobody knows",
        "a deck of 24 cards",
        "options that are not known",
        "options edited on the way",
        "another version of the protocol",
        "an opener against the options",
        "fairdeck/test_session.py::test_cheap_suite_cannot_be_forced_on_a_program_that_has_only_the_real_one",
    ),
    "a saved log edited, cut, spliced": (
        f"{LOGS}test_chain_with_a_record_deleted_swapped_doubled_or_spliced_is_invalid_and_accuses_nobody",
        f"{LOGS}test_no_flip_of_a_byte_of_a_real_game_is_ok_and_none_gets_as_far_as_a_proof",
        f"{LOGS}test_no_prefix_of_a_real_game_is_ok_before_its_last_record",
    ),
    "crashes between write and send, send and receive": (
        "fairdeck/test_restore.py::test_game_goes_on_to_its_end_after_a_crash",
        "simulation/test_simulation.py::test_two_thousand_safety_seeds_break_nothing",
        "table/test_one_game.py::test_no_record_and_no_note_reaches_the_channel_before_it_is_on_disk",
        "faults/test_crash_points.py::test_an_evening_ends_well_whatever_call_of_it_fails",
    ),
    "a biased permutation, nonces used twice": (
        "zoo/test_unlinkable.py::test_shuffles_take_every_permutation_equally_often",
        "zoo/test_unlinkable.py::test_no_secret_is_drawn_twice_in_a_game",
        "zoo/test_unlinkable.py::test_no_secret_is_drawn_twice_with_a_broken_generator",
        "zoo/test_demonstrations.py::test_nonce_used_twice_tells_everybody_the_key",
        f"{HIDDEN}test_proofs_of_two_shares_share_no_nonce_though_the_generator_is_broken",
        f"{HIDDEN}test_two_denials_share_no_secret_though_the_generator_is_broken",
    ),
    "the commitment opened otherwise": (
        "the commitment opened to another key",
        "the commitment opened to another nonce",
    ),
    "resigns, claims and moves that cross": (
        "fairdeck/test_session.py::test_resigns_that_cross_are_judged_alike_on_both_sides",
        "fairdeck/test_session.py::test_winning_move_that_crosses_a_resign_counts",
        "fairdeck/test_session.py::test_claim_then_move_voids_the_claim",
    ),
    "a false digest": ("a false digest", "a false digest before the deal"),
    "a HELLO replayed": (
        "zoo/test_demonstrations.py::test_replayed_hello_opens_the_old_epoch_again_where_nonces_are_not_fresh",
        "zoo/test_demonstrations.py::test_fresh_nonces_make_an_old_hello_worth_nothing",
        "fairdeck/test_channel.py::test_the_hello_that_opened_an_epoch_opens_no_second_one",
        "mutants/test_layers.py::test_no_counter_is_used_twice_under_one_key_whatever_hello_comes_again",
    ),
}
"""What is tried -> animals by name, and tests by file below `tests/` and name."""


@cache
def names_in(path: str) -> set[str]:
    tree = ast.parse((TESTS / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def exists(tried_by: str) -> bool:
    path, _, name = tried_by.partition("::")
    return name in names_in(path) if name else tried_by in ANIMALS


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_is_tried_by_animals_and_tests_that_exist(attack: str) -> None:
    assert ATTACKS[attack]
    assert [tried_by for tried_by in ATTACKS[attack] if not exists(tried_by)] == []
