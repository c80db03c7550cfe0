/** Owns the strict check of signatures (SPEC: Signatures); does not know what is signed. */

import { sha512 } from '@noble/hashes/sha2';
import { ascii, concat, equal, littleEndian } from './bytes.js';
import { demand, malformed } from './faults.js';
import { G, decodePoint, decodeScalar, hasSmallOrder, linear } from './group.js';
import { L } from './hashing.js';

/** The bytes that are signed for a message. */
export const signedBytes = (label, message) => concat(ascii('p2pdurak/1/' + label), Uint8Array.of(0), message);

/**
 * Throws malformed unless the signature holds. noble's own verify multiplies by the cofactor, which this protocol
 * forbids:
 * two readers would differ over a record.
 */
export function checkSignature(publicKey, label, message, signature) {
  demand(signature.length === 64, malformed, 'a signature has 64 bytes');
  const A = decodePoint(publicKey);
  const R = signature.subarray(0, 32);
  const s = decodeScalar(signature.subarray(32));
  demand(!hasSmallOrder(R), malformed, 'a signature begins with a point of small order');
  const k = littleEndian(sha512(concat(R, publicKey, signedBytes(label, message)))) % L;
  demand(
    equal(
      linear([
        [s, G],
        [-k, A],
      ]).bytes,
      R,
    ),
    malformed,
    'a signature does not verify',
  );
}
