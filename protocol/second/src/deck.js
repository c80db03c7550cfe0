/** Owns masked cards and decks of them (SPEC: Masked cards); does not know who may see which. */

import { concat, hex } from './bytes.js';
import { demand, malformed } from './faults.js';
import { G, cardPoints, decodePoint, linear } from './group.js';
import { hash32 } from './hashing.js';

const CARD_BYTES = 64;

/** A masked card is {A, B}: the two points of 64 bytes. */
export const encodeDeck = (deck) => concat(...deck.flatMap(({ A, B }) => [A.bytes, B.bytes]));

/** All cards under the sum of both keys with randomness 1. */
export const firstDeck = (count, Y) => cardPoints(count).map((M) => ({ A: G, B: M.plus(Y) }));

export function decodeDeck(bytes, count) {
  demand(bytes.length === CARD_BYTES * count, malformed, `a deck of ${count} cards has another length`);
  const halves = Array.from({ length: 2 * count }, (_, i) => decodePoint(bytes.subarray(32 * i, 32 * i + 32)));
  demand(
    new Set(halves.map((half) => hex(half.bytes))).size === 2 * count,
    malformed,
    'a point stands in a deck twice',
  );
  return Array.from({ length: count }, (_, i) => ({ A: halves[2 * i], B: halves[2 * i + 1] }));
}

export const deckHash = (deck) => hash32('deck', encodeDeck(deck));

/** What lies under the mask for whoever holds the key x. */
export const unmask = ({ A, B }, x) =>
  linear([
    [1n, B],
    [-x, A],
  ]);

/** The number of the card that a point stands for, or -1. */
export const cardOf = (point, count) => cardPoints(count).findIndex((M) => M.equals(point));
