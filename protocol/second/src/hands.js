/**
 * Owns shares and hidden hands: what is given, opened, remasked, denied (SPEC: Shares to Denial); knows no rules of a
 * game.
 */

import { concat } from './bytes.js';
import { decodeDeck } from './deck.js';
import { demand, malformed } from './faults.js';
import { G, cardPoints, decodePoint, linear } from './group.js';
import { context, hash32, hashToScalar } from './hashing.js';
import { checkEqualLogarithms, checkUnequalLogarithms } from './proofs.js';
import { checkShuffle } from './shuffle.js';

const OPENING_BYTES = 97;
const PROOF_BYTES = 64;

/** `hand` is a list of {A, B, batch}; each entry is an item of its own. */
export function handHash(sid, seat, hand) {
  const entries = hand.map(({ A, B, batch }) => concat(A.bytes, B.bytes, Uint8Array.of(batch)));
  return hash32('hand', sid, Uint8Array.of(seat), ...entries);
}

/** The one statement about a batch of shares: its hash, the weights, the weighted sums. */
export function sharesStatement({ sid, author, Y, deck, hashOfDeck, positions, Ds }) {
  const As = positions.map((p) => deck[p].A);
  const join = (elements) => concat(...elements.map((element) => element.bytes));
  const ctx = context(sid, author, 'share');
  const lists = [Uint8Array.from(positions), join(As), join(Ds)];
  const statement = hash32('share statement', ctx, G.bytes, Y.bytes, hashOfDeck, ...lists);
  const weights = positions.map((p) => hashToScalar('share weight', statement, Uint8Array.of(p)));
  const weighted = (elements) => linear(elements.map((element, i) => [weights[i], element]));
  return { statement, weights, A: weighted(As), D: weighted(Ds) };
}

export function splitShares(positions, bytes) {
  demand(positions.length > 0, malformed, 'shares are given where none are owed');
  demand(
    bytes.length === 32 * positions.length + PROOF_BYTES,
    malformed,
    'there are not exactly the shares that are owed',
  );
  const Ds = positions.map((_, i) => decodePoint(bytes.subarray(32 * i, 32 * i + 32)));
  return [Ds, bytes.subarray(-PROOF_BYTES)];
}

/** `batch` is {sid, author, Y, deck, hashOfDeck, positions}; gives D for each position. */
export function checkShares(batch, bytes) {
  const [Ds, proof] = splitShares(batch.positions, bytes);
  const { statement, A, D } = sharesStatement({ ...batch, Ds });
  checkEqualLogarithms(statement, batch.Y, A, D, proof);
  return Ds;
}

export const needsRemask = (hand) => new Set(hand.map(({ batch }) => batch)).size > 1;

/** The list after a remask. */
export function checkRemask({ sid, seat, Y }, hand, [list, proof]) {
  const next = decodeDeck(list, hand.length);
  checkShuffle(context(sid, seat, 'remask'), Y, hand, next, proof);
  return next.map((card) => ({ ...card, batch: hand[0].batch }));
}

export function splitOpening(hand, opening) {
  demand(opening.length === OPENING_BYTES, malformed, 'an opening has 97 bytes');
  const index = opening[0];
  demand(index < hand.length, malformed, 'an opening names no place of the hand');
  return { index, D: decodePoint(opening.subarray(1, 33)), proof: opening.subarray(33) };
}

export function openingStatement({ sid, seat }, hand, index) {
  return hash32('open statement', context(sid, seat, 'open'), handHash(sid, seat, hand), Uint8Array.of(index));
}

/** The hand without the entry that was opened; `cards` is N. */
export function checkOpening(owner, hand, card, opening, cards) {
  const { index, D, proof } = splitOpening(hand, opening);
  const { A, B } = hand[index];
  checkEqualLogarithms(openingStatement(owner, hand, index), owner.Y, A, D, proof);
  demand(
    B.minus(D).equals(cardPoints(cards)[card]),
    malformed,
    'the card that is opened is not the card that is named',
  );
  return hand.filter((_, i) => i !== index);
}

/** Opening a card of a hand, with the remask that it needs and no other. Gives the hand left and the list before it. */
export function checkPlay(owner, hand, card, remask, opening, cards) {
  demand(remask.length === (needsRemask(hand) ? 2 : 0), malformed, 'a remask is missing, or is not due');
  const list = remask.length > 0 ? checkRemask(owner, hand, remask) : hand;
  return { list, rest: checkOpening(owner, list, card, opening, cards) };
}

export function denialStatement({ sid, seat }, hand, denied) {
  return hash32('absent statement', context(sid, seat, 'absent'), handHash(sid, seat, hand), Uint8Array.from(denied));
}

export function denialItems(hand, denied, cards) {
  const M = cardPoints(cards);
  return hand.flatMap(({ A, B }) => denied.map((t) => ({ A, V: B.minus(M[t]) })));
}

export function checkDenial(owner, hand, denied, proof, cards) {
  checkUnequalLogarithms(denialStatement(owner, hand, denied), owner.Y, denialItems(hand, denied, cards), proof);
}
