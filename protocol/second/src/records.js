/**
 * Owns the bytes of records: fields, bodies, bounds, heads, session id (SPEC: Records to Session id); follows no
 * game.
 */

import { bool, bytes, bytesUpTo, int, listUpTo, pack, text, tuple, unpack } from './encoding.js';
import { demand, malformed } from './faults.js';
import { hash32 } from './hashing.js';

export const KINDS = ['start0', 'start1', 'shuffle0', 'shuffle1', 'shares', 'move'];
export const [START0, START1, SHUFFLE0, SHUFFLE1, SHARES, MOVE] = KINDS.keys();
export const RECORD_BYTES_MAX = 12288;
export const RECORDS_MAX = 8192;
const SIGNATURE_BYTES = 64;
const BYTES_MAX = [1024, 1024, RECORD_BYTES_MAX, RECORD_BYTES_MAX, 8192, 8192];
const VERSION = 1;
const COUNT_MAX = 2147483648;

const blob = bytesUpTo(RECORD_BYTES_MAX);
const name = text(64, 64);

const BODIES = [
  tuple({
    suite: int(0, 255),
    cards: int(0, 255),
    options: bytesUpTo(512),
    name,
    date: text(20),
    vk: bytes(32),
    commit: bytes(32),
    exporter: bytes(32),
    game: int(1, COUNT_MAX),
    link: bytes(32),
    opener: int(0, 3),
  }),
  tuple({ name, vk: bytes(32), nonce: bytes(32), Y: bytes(32), possession: bytes(64) }),
  tuple({ nonce: bytes(32), Y: bytes(32), possession: bytes(64), deck: blob, proof: blob }),
  tuple({ deck: blob, proof: blob, shares: blob }),
  tuple({ shares: blob }),
  tuple({
    action: bytesUpTo(64),
    auto: bool,
    think_ms: int(0, COUNT_MAX),
    remask: listUpTo(blob, 2),
    proof: listUpTo(blob, 2),
    shares: listUpTo(blob, 2),
  }),
];

const RECORD = tuple({
  version: int(VERSION, VERSION),
  sid: bytes(32),
  seq: int(0, RECORDS_MAX - 1),
  seat: int(0, 1),
  prev: bytes(32),
  kind: int(0, 5),
  body: (reader, { kind }) => BODIES[kind](reader),
  digest: bytes(32),
});

/** Splits signed bytes from their signature; bounds first, so that nothing big is ever looked at. */
export function splitSigned(message, most) {
  demand(message.length > SIGNATURE_BYTES && message.length <= most, malformed, 'a message is too short or too long');
  return [message.subarray(0, -SIGNATURE_BYTES), message.subarray(-SIGNATURE_BYTES)];
}

export const recordHead = (record) => hash32('record', record);

/** Throws malformed unless these bytes can be read; says nothing about who signed them. */
export function decodeRecord(record) {
  const [signed, signature] = splitSigned(record, RECORD_BYTES_MAX);
  const fields = unpack(RECORD, signed);
  demand(record.length <= BYTES_MAX[fields.kind], malformed, `a ${KINDS[fields.kind]} is too long`);
  return { ...fields, signed, signature, head: recordHead(record) };
}

/** Whether the first bytes of record 0 name another version of the protocol (SPEC: Audit, chain 1). */
export function isOfOtherVersion(record) {
  return record.length > 1 && record[0] >= 0x90 && record[0] <= 0x9f && record[1] <= 0x7f && record[1] !== VERSION;
}

/** The bytes behind the session id, from the bodies of `start0` and `start1`. */
export function packedSession(first, vk1, nonce1) {
  const { suite, cards, options, vk, commit, exporter, game, link, opener } = first;
  return pack([VERSION, suite, cards, options, vk, vk1, commit, nonce1, exporter, game, link, opener]);
}

export const sessionId = (first, vk1, nonce1) => hash32('sid', packedSession(first, vk1, nonce1));

export const commitment = (nonce, Y) => hash32('commit', nonce, Y);
