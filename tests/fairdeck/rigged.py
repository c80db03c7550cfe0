"""Games in which a shuffler cheated and every proof holds: possible only where all logarithms are known.

It owns two such games in the cheap group, played by honest sessions around one forged record; what an audit with both
game keys finds in them stands in the tests.
"""

from __future__ import annotations

from fairdeck.deck import as_ciphertexts, merged
from fairdeck.elgamal import Ciphertext, encode_deck, first_deck, remask
from fairdeck.game import Open
from fairdeck.group import card_points, times_base
from fairdeck.referee import act, dealt_by_guest, present
from fairdeck.shuffle import Statement, permute
from fairdeck.sigma import prove_key
from fairdeck.transcript import context
from fairdeck.wire import Move, NoteKind, Shuffle0, Shuffle1
from p2pdurak.durak import DURAK
from tests.fairdeck.cheap import CHEAP, Pair, SeededRng, dealt, randomly, sit_down, view_of
from tests.fairdeck.forge import forged, shuffle_proof_by_logarithms, with_card


def _take(pair: Pair, data: bytes) -> None:
    """Both sides take a record that neither session has made."""
    pair.before.append(pair.referee)
    for session in pair.seats:
        session.receive(data)


def _end(pair: Pair) -> Pair:
    pair.note(1, NoteKind.RESIGN)
    pair.open_both()
    return pair


def with_a_card_twice() -> Pair:
    """The host shuffles a deck in which one card lies at two places, and another is missing."""
    pair = sit_down("rigged").play(until=lambda now: len(now.records) == 2)
    referee, x = pair.referee, pair.host.x
    Y0 = times_base(CHEAP, x)
    Y = Y0 + present(referee.keys[1])
    ctx, inp = context(referee.sid, 0, "shuffle"), first_deck(CHEAP, Y, 36)
    honest = permute(ctx, x, Y, inp, SeededRng("rigged"))
    out = with_card(honest.out, 20, remask(CHEAP, Y, honest.out[21], 5))
    proof = shuffle_proof_by_logarithms(Statement(ctx, Y, inp, out), "rigged")
    possession = prove_key(context(referee.sid, 0, "key"), x, Y0, SeededRng("possession"))
    _take(pair, forged(referee, 0, Shuffle0(pair.host.secrets[1], Y0.data, possession, encode_deck(out), proof)))
    return _end(pair.play(until=dealt))


def with_a_card_that_is_none() -> Pair:
    """The guest puts something into the deck that is no card at all."""
    pair = sit_down("rigged").play(until=lambda now: len(now.records) == 3)
    referee, guest = pair.referee, pair.guest
    Y = present(referee.keys[0]) + present(referee.keys[1])
    ctx, inp = context(referee.sid, 1, "shuffle"), referee.shuffled
    honest = permute(ctx, guest.x, Y, inp, SeededRng("rigged"))
    out = with_card(honest.out, 20, Ciphertext(honest.out[20].C1, honest.out[20].C2 + Y))
    proof = shuffle_proof_by_logarithms(Statement(ctx, Y, inp, out), "rigged")
    shares = guest.holder.shares(dealt_by_guest(referee, encode_deck(out), proof, verify=True))
    _take(pair, forged(referee, 1, Shuffle1(encode_deck(out), proof, shares)))
    return _end(pair.play(until=dealt))


def with_a_remask_that_changes_a_card(seed: str = "rigged remask") -> Pair:
    """A seat swaps a card of its hand for one that lies elsewhere, while it plays another."""
    policy = randomly(seed)
    pair = sit_down(seed).play(until=dealt)
    while True:
        session, deck = pair.mover, present(pair.referee.deck)
        if session.our_move and deck.must_remask(session.seat) and len(deck.hands[session.seat]) > 1:
            action = policy(view_of(session))
            demand = DURAK.demand(present(pair.referee.state), action)
            if isinstance(demand, Open):
                return _remasked(pair, DURAK.encode(action), demand.card)
        pair.step(policy)


def _remasked(pair: Pair, action: bytes, card: int) -> Pair:
    session, referee = pair.mover, pair.referee
    deck, seat, x = present(referee.deck), pair.mover.seat, pair.mover.x
    Y, cards = deck.keys[seat], session.holder.cards(deck)
    ctx, hand = context(deck.sid, seat, "remask"), as_ciphertexts(deck, seat)
    honest = permute(ctx, x, Y, hand, SeededRng("remask"))
    place = next(i for i, k in enumerate(honest.permutation) if cards[k] != card)
    other = next(number for number in range(36) if number not in cards)
    new = Ciphertext(times_base(CHEAP, 9), card_points(CHEAP, 36)[other] + 9 * Y)
    out = with_card(honest.out, place, new)
    parts = (encode_deck(out), shuffle_proof_by_logarithms(Statement(ctx, Y, hand, out), "remask"))
    proof = (session.holder.opening(merged(deck, seat, out), card),)
    acted = act(referee, seat, DURAK.decode(action), parts, proof, verify=False)
    shares = (session.holder.shares(present(acted.deck)),) if present(acted.deck).owed(seat) else ()
    _take(pair, forged(referee, seat, Move(action, False, 0, parts, proof, shares)))
    return _end(pair)
