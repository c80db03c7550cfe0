/**
 * Owns the proofs about logarithms: key, equal, unequal (SPEC: Key possession, Equal logarithms, Denial); knows no
 * card.
 */

import { encodeScalar, decodePoint, decodeScalar, G, linear } from './group.js';
import { equal } from './bytes.js';
import { demand, malformed } from './faults.js';
import { hashToScalar } from './hashing.js';

/** Cuts bytes into `count` words of 32. */
export function words(bytes, count) {
  demand(bytes.length === 32 * count, malformed, `a proof has not exactly ${count} words`);
  return Array.from({ length: count }, (_, i) => bytes.subarray(32 * i, 32 * i + 32));
}

/** Accepts if the hash gives the challenge of the proof. */
export function demandChallenge(found, stated, what) {
  demand(equal(encodeScalar(found), encodeScalar(stated)), malformed, `the proof of ${what} does not hold`);
}

/** The values on the way: T and the challenge that they give. */
export function keyPossession(ctx, Y, proof) {
  const [c, s] = words(proof, 2).map(decodeScalar);
  const T = linear([
    [s, G],
    [-c, Y],
  ]);
  return { c, T, challenge: hashToScalar('challenge key', ctx, G.bytes, Y.bytes, T.bytes) };
}

export function checkKeyPossession(ctx, Y, proof) {
  const { c, challenge } = keyPossession(ctx, Y, proof);
  demandChallenge(challenge, c, 'key possession');
}

/** For Y = x G and D = x A. */
export function equalLogarithms(ctx, Y, A, D, proof) {
  const [c, s] = words(proof, 2).map(decodeScalar);
  const T1 = linear([
    [s, G],
    [-c, Y],
  ]);
  const T2 = linear([
    [s, A],
    [-c, D],
  ]);
  const items = [G, Y, A, D, T1, T2].map((element) => element.bytes);
  return { c, T1, T2, challenge: hashToScalar('challenge equal', ctx, ...items) };
}

export function checkEqualLogarithms(ctx, Y, A, D, proof) {
  const { c, challenge } = equalLogarithms(ctx, Y, A, D, proof);
  demandChallenge(challenge, c, 'equal logarithms');
}

/** For Y = x G and V != x A in every item {A, V}. */
export function unequalLogarithms(ctx, Y, items, proof) {
  demand(items.length > 0, malformed, 'a denial of nothing cannot be made');
  const n = items.length;
  const parts = words(proof, 3 * n + 1);
  const W = parts.slice(0, n).map(decodePoint);
  const [c, ...s] = parts.slice(n).map(decodeScalar);
  const T1 = items.map(({ A, V }, i) =>
    linear([
      [s[i], V],
      [-s[n + i], A],
      [-c, W[i]],
    ]),
  );
  const T2 = items.map((_, i) =>
    linear([
      [s[i], Y],
      [-s[n + i], G],
    ]),
  );
  const hashed = items.flatMap(({ A, V }, i) => [A, V, W[i], T1[i], T2[i]]);
  const bytes = [G, Y, ...hashed].map((element) => element.bytes);
  return { c, W, T1, T2, challenge: hashToScalar('challenge unequal', ctx, ...bytes) };
}

export function checkUnequalLogarithms(ctx, Y, items, proof) {
  const { c, challenge } = unequalLogarithms(ctx, Y, items, proof);
  demandChallenge(challenge, c, 'unequal logarithms');
}
