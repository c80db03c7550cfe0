/**
 * What no vector shows: any bytes get a verdict, the command has its exit codes, and the group is the one it must be.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { encode } from '@msgpack/msgpack';
import { audit } from '../src/audit.js';
import { ascii, concat, hex, unhex } from '../src/bytes.js';
import { bytesUpTo, int, text, unpack } from '../src/encoding.js';
import { Fault } from '../src/faults.js';
import { G, decodePoint, linear, map, sum } from '../src/group.js';
import { writeLog } from '../src/logfile.js';

const COMMAND = fileURLToPath(new URL('../verify.js', import.meta.url));
const VECTORS = new URL('../../vectors/notes.json', import.meta.url);
const [{ log }] = JSON.parse(readFileSync(VECTORS, 'utf8')).testGroups;
const LOG = new Uint8Array(Buffer.from(log, 'base64'));
const COPIES = new URL('../../vectors/copies.json', import.meta.url);
const [{ log: another }] = JSON.parse(readFileSync(COPIES, 'utf8')).testGroups;
const OTHER = new Uint8Array(Buffer.from(another, 'base64'));
const WORDS = ['ok', 'incomplete', 'torn', 'invalid', 'equivocation', 'unsupported', 'unreadable'];

/** Numbers below `bound` that look like chance and are the same in each run. */
function dice(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function verify(...files) {
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  try {
    const paths = files.map((bytes, i) => {
      const path = join(folder, `${i}.log`);
      writeFileSync(path, bytes);
      return path;
    });
    return spawnSync(process.execPath, [COMMAND, '--json', ...paths], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('any change of a byte or a length gets a verdict and never an exception', () => {
  const memo = new Map();
  const next = dice(7);
  for (let round = 0; round < 300; round++) {
    const file = LOG.slice(0, next(LOG.length + 1));
    if (file.length > 0) file[next(file.length)] ^= 1 << next(8);
    assert.ok(WORDS.includes(audit(file, memo).verdict));
  }
});

test('records of any bytes in sound entries get a verdict', () => {
  const next = dice(8);
  for (let round = 0; round < 300; round++) {
    const payload = Uint8Array.from({ length: 1 + next(200) }, () => next(256));
    if (next(2)) payload[0] = 0x98;
    const verdict = audit(writeLog([payload], next(2) ? [payload] : [])).verdict;
    assert.ok(['invalid', 'unsupported'].includes(verdict));
  }
});

test('a log of the magic alone is incomplete, and seat 0 owes its first record', () => {
  const { verdict, owed } = audit(ascii('p2pdurak log 1\n'));
  assert.deepEqual([verdict, owed], ['incomplete', [0, 0]]);
});

test('the exit code is 4 for a game without a result', () => {
  const { status, stdout, stderr } = verify(LOG);
  assert.deepEqual([status, JSON.parse(stdout).verdict, stderr], [4, 'incomplete', '']);
});

test('the exit code is 5 for a file that is no log, and 2 for one that is not there and for wrong arguments', () => {
  assert.equal(verify(ascii('no log')).status, 5);
  for (const args of [['/nowhere/at/all'], [], ['--unknown']]) {
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
    assert.deepEqual([status, stderr.split('\n').length], [2, 2]);
  }
});

test('of logs of two games the verdict with the greater exit code stands, and its reason tells of both', () => {
  const magic = 15;
  const record0 = magic + 4 + Buffer.from(OTHER).readUInt32BE(magic) + 32;
  const [begun, torn] = [OTHER.slice(0, record0), OTHER.slice(0, record0 + 1)];
  const cases = [
    [[LOG, begun], 4, 'incomplete'],
    [[LOG, torn], 5, 'torn'],
    [[torn, LOG], 5, 'torn'],
  ];
  for (const [logs, status, verdict] of cases) {
    const done = verify(...logs);
    assert.deepEqual([done.status, JSON.parse(done.stdout).verdict], [status, verdict]);
    assert.match(JSON.parse(done.stdout).reason, /different games/);
  }
});

test('two copies of one game are merged', () => {
  const { stdout } = verify(LOG.slice(0, LOG.length - 1), LOG);
  assert.deepEqual([JSON.parse(stdout).verdict, JSON.parse(stdout).records], ['incomplete', 9]);
});

test('a point that bears the point of order two is refused', () => {
  const orderTwo = unhex('ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f');
  const marked = G.point.add(G.point.constructor.fromHex(orderTwo, true)).toBytes();
  assert.throws(() => decodePoint(marked), Fault);
  assert.throws(() => decodePoint(orderTwo), Fault);
});

test('a sum is the same by any of the three ways to compute it', () => {
  const elements = Array.from({ length: 12 }, (_, i) => G.times(BigInt(i + 2)));
  const terms = elements.map((element, i) => [BigInt(i) - 5n, element]);
  const alone = sum(terms.map(([n, element]) => linear([[n, element]])));
  const base = terms.reduce((n, [factor], i) => n + factor * BigInt(i + 2), 0n);
  assert.deepEqual([hex(linear(terms).bytes), hex(G.times(base).bytes)], [hex(alone.bytes), hex(alone.bytes)]);
});

test('Elligator 2 maps as the specification shows', () => {
  const r = Uint8Array.from({ length: 32 }, (_, i) => i);
  assert.equal(hex(map(r).bytes), '0691eee3cf70a0056df6bfa03120635636581b5c4ea571dfc680f78c7e0b4137');
});

test('the reader takes what a msgpack library writes, and no longer form of it', () => {
  for (const n of [0, 127, 128, 255, 256, 65535, 65536]) assert.equal(unpack(int(0, 70000), encode(n)), n);
  for (const size of [0, 31, 32, 255, 256]) {
    assert.equal(unpack(text(300), encode('ä'.repeat(size / 2))), 'ä'.repeat(size / 2));
    assert.equal(unpack(bytesUpTo(300), encode(new Uint8Array(size))).length, size);
  }
  assert.throws(() => unpack(int(0, 300), unhex('cc05')), Fault);
  assert.throws(() => unpack(int(0, 300), unhex('0505')), Fault);
  assert.throws(() => unpack(bytesUpTo(9), concat(unhex('c50001'), unhex('05'))), Fault);
  assert.throws(() => unpack(text(9), unhex('a3eda080')), Fault);
});
