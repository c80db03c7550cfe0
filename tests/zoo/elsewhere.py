"""Attacks that other tests than the zoo itself carry out: what each tries, what stops it, where, who is blamed.

It owns the list; docs/attacks.md is written from it, and a test looks whether every test named here exists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """An attack, the section that stops it, the file and the test that try it, and who is blamed."""

    attack: str
    section: str
    file: str
    name: str
    blamed: str

    @property
    def test(self) -> str:
        """As pytest names it."""
        folder, file = self.file.split("/")
        return f"tests/{folder}/test_{file}.py::test_{self.name}"


ELSEWHERE: Final = {
    "The same defences taken away": (
        Elsewhere(
            "Weights of shares that are known before them",
            "Shares",
            "zoo/demonstrations",
            "weights_known_before_the_shares_let_the_host_choose_the_trump",
            "-",
        ),
        Elsewhere(
            "Constants whose logarithms are known",
            "Constants",
            "zoo/demonstrations",
            "known_logarithms_let_a_card_be_in_the_deck_twice",
            "-",
        ),
        Elsewhere(
            "Generators alone whose logarithms are known",
            "Constants",
            "zoo/demonstrations",
            "known_logarithms_of_the_generators_alone_let_lie_what_is_no_card",
            "-",
        ),
        Elsewhere(
            "The ace marked by order 2, followed through the honest shuffle",
            "Points",
            "zoo/demonstrations",
            "mark_of_order_two_goes_through_the_honest_shuffle_where_the_library_is_old",
            "-",
        ),
        Elsewhere(
            "A nonce used twice", "Own secrets", "zoo/demonstrations", "nonce_used_twice_tells_everybody_the_key", "-"
        ),
        Elsewhere(
            "A denial whose blinding is not tied to the key",
            "Denial",
            "zoo/demonstrations",
            "denial_without_its_second_equation_lets_a_held_trump_be_denied",
            "-",
        ),
        Elsewhere(
            "A rogue key without a proof of possession",
            "Key possession",
            "zoo/demonstrations",
            "key_without_a_proof_lets_the_host_see_every_card",
            "-",
        ),
        Elsewhere(
            "A replayed HELLO where nonces are not fresh",
            "Epochs",
            "zoo/demonstrations",
            "replayed_hello_opens_the_old_epoch_again_where_nonces_are_not_fresh",
            "-",
        ),
    ),
    "What a peer could learn": (
        Elsewhere(
            "Shares asked for: of the talon, of one's own hand, of a point",
            "Shares",
            "zoo/shares_given",
            "no_share_leaves_a_seat_before_it_is_owed",
            "nobody: there is no way to ask",
        ),
        Elsewhere(
            "When a card was drawn, from the place at which it is opened",
            "Remask",
            "zoo/unlinkable",
            "index_of_an_opening_says_nothing_about_when_its_card_was_drawn",
            "nobody: there is nothing to see",
        ),
        Elsewhere(
            "The same, from the bytes of a hand",
            "Remask",
            "zoo/unlinkable",
            "no_point_of_a_remasked_hand_was_seen_before",
            "nobody: there is nothing to see",
        ),
        Elsewhere(
            "A hidden card, from all that was sent",
            "Masked cards",
            "fairdeck/games",
            "no_record_tells_a_hidden_card_before_its_owner_opens_it",
            "nobody: there is nothing to see",
        ),
        Elsewhere(
            "A biased permutation",
            "Own secrets",
            "zoo/unlinkable",
            "shuffles_take_every_permutation_equally_often",
            "-",
        ),
        Elsewhere(
            "A nonce drawn twice, a generator that is broken",
            "Own secrets",
            "zoo/unlinkable",
            "no_secret_is_drawn_twice_with_a_broken_generator",
            "-",
        ),
    ),
    "Ends of a game": (
        Elsewhere(
            "Leaving after the deal",
            "Results",
            "fairdeck/notes",
            "leaving_after_the_second_shuffle_is_unfinished_for_the_leaver",
            "the leaver: unfinished",
        ),
        Elsewhere(
            "Leaving before anybody knows a card",
            "Results",
            "fairdeck/notes",
            "before_the_second_shuffle_leaving_and_resigning_are_neutral",
            "nobody",
        ),
        Elsewhere(
            "Resigns that cross",
            "Results",
            "fairdeck/session",
            "resigns_that_cross_are_judged_alike_on_both_sides",
            "nobody: both judge alike",
        ),
        Elsewhere(
            "A resign that crosses the winning move",
            "Results",
            "fairdeck/session",
            "winning_move_that_crosses_a_resign_counts",
            "nobody: the move counts",
        ),
        Elsewhere(
            "A claim, then a move",
            "Results",
            "fairdeck/session",
            "claim_then_move_voids_the_claim",
            "nobody: the claim is void",
        ),
        Elsewhere(
            "A program that lost its records moves anew",
            "Write ahead",
            "fairdeck/session",
            "session_that_lost_its_records_and_moves_anew_is_caught",
            "the cheater, by both records",
        ),
        Elsewhere(
            "A record after the end",
            "Moves",
            "fairdeck/referee",
            "record_after_the_end_accuses_its_author",
            "the cheater, by his signature",
        ),
    ),
    "The line": (
        Elsewhere(
            "Another code, or a guess",
            "Key exchange",
            "fairdeck/pake",
            "wrong_confirmation_is_a_wrong_code",
            "nobody: the attempt ends",
        ),
        Elsewhere(
            "A middleman",
            "Key exchange",
            "fairdeck/pake",
            "middleman_who_swaps_a_message_for_his_own_makes_confirmation_fail",
            "nobody: the attempt ends",
        ),
        Elsewhere(
            "An own message sent back",
            "Key exchange",
            "fairdeck/pake",
            "own_message_is_refused_when_it_comes_back",
            "nobody: dropped",
        ),
        Elsewhere(
            "A replayed HELLO",
            "Epochs",
            "fairdeck/channel",
            "the_hello_that_opened_an_epoch_opens_no_second_one",
            "nobody: dropped",
        ),
        Elsewhere(
            "Any HELLO, replayed at any time: no key and counter twice",
            "Epochs",
            "fairdeck/channel_hostile",
            "restarts_of_either_side_lose_and_double_nothing",
            "nobody: dropped",
        ),
        Elsewhere(
            "A HELLO with a key of low order",
            "Epochs",
            "fairdeck/channel",
            "a_low_order_key_in_an_authentic_hello_is_malformed",
            "nobody",
        ),
        Elsewhere(
            "A packet replayed",
            "Packets",
            "fairdeck/sealing",
            "one_packet_replayed_a_thousand_times_is_opened_once",
            "nobody: dropped",
        ),
        Elsewhere(
            "A packet sent back", "Packets", "fairdeck/channel", "own_packets_sent_back_are_dropped", "nobody: dropped"
        ),
        Elsewhere(
            "A forged counter",
            "Packets",
            "fairdeck/channel",
            "a_forged_counter_does_not_stop_genuine_packets",
            "nobody: dropped",
        ),
        Elsewhere(
            "A whole old session replayed",
            "Packets",
            "fairdeck/channel",
            "a_whole_old_session_replayed_brings_nothing_and_the_line_goes_on",
            "nobody: dropped",
        ),
    ),
    "Saved logs": (
        Elsewhere(
            "Any byte changed",
            "Log file",
            "fairdeck/audit",
            "log_with_any_byte_flipped_is_never_ok_and_no_proof_is_looked_at_behind_a_broken_hash",
            "nobody",
        ),
        Elsewhere(
            "A byte changed and every hash made anew",
            "Audit",
            "fairdeck/audit",
            "record_changed_with_its_hash_made_anew_is_never_ok",
            "nobody",
        ),
        Elsewhere(
            "A log cut short",
            "Verdicts",
            "fairdeck/audit",
            "chain_cut_short_is_incomplete_and_says_who_owes_the_next_step",
            "whoever owes the next step",
        ),
        Elsewhere(
            "A shuffler whom every proof vouches for",
            "Audit",
            "fairdeck/audit",
            "cheat_that_every_proof_vouches_for_is_found_once_both_keys_are_shown_and_its_author_named",
            "the shuffler, once both keys are shown",
        ),
    ),
}
