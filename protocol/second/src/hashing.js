/** Owns the one hash and its framing (SPEC: Hashing, Proof contexts); knows no message. */

import { sha512 } from '@noble/hashes/sha2';
import { ascii, concat, littleEndian, u32 } from './bytes.js';

export const L = 2n ** 252n + 27742317777372353535851937790883648493n;

/** All 64 bytes of the hash of `items` under `label`. */
export function hash64(label, ...items) {
  const parts = [ascii('p2pdurak/1/' + label), ...items];
  return sha512(concat(...parts.flatMap((part) => [u32(part.length), part])));
}

export const hash32 = (label, ...items) => hash64(label, ...items).slice(0, 32);

/** A scalar, as a BigInt below L. */
export const hashToScalar = (label, ...items) => littleEndian(hash64(label, ...items)) % L;

/** What binds a proof to its game, its author and its use. */
export const context = (sid, seat, purpose) => hash32('context', sid, Uint8Array.of(seat), ascii(purpose));
