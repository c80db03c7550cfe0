/** Owns byte strings: joining, comparing, numbers in them; knows no meaning of theirs. */

import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils';

export { concatBytes as concat, bytesToHex as hex, hexToBytes as unhex, utf8ToBytes as ascii };

export const ZEROS = new Uint8Array(32);

/** Big-endian, `width` bytes (SPEC: Conventions, U16 and U32). */
function bigEndian(n, width) {
  return Uint8Array.from({ length: width }, (_, i) => (n / 2 ** (8 * (width - 1 - i))) & 0xff);
}

export const u16 = (n) => bigEndian(n, 2);
export const u32 = (n) => bigEndian(n, 4);

export function equal(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export const isZeros = (bytes) => bytes.every((byte) => byte === 0);

/** Unsigned, little-endian. */
export function littleEndian(bytes) {
  return BigInt('0x' + (bytesToHex(bytes.slice().reverse()) || '0'));
}

/** 32 bytes, little-endian. */
export function toLittleEndian(n) {
  return hexToBytes(n.toString(16).padStart(64, '0')).reverse();
}
