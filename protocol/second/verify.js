#!/usr/bin/env node
/**
 * Owns the command `verify.js LOG [LOG2] [--json]`: reads files, prints a verdict, exits with its code; judges
 * nothing.
 */

import { closeSync, openSync, readSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { audit } from './src/audit.js';
import { LOG_BYTES_MAX } from './src/logfile.js';
import { merge } from './src/merge.js';
import { KINDS } from './src/records.js';

const EXITS = { ok: 0, incomplete: 4 };
const CANNOT_OPEN = 2;
const ALL_OTHERS = 5;
const MERGEABLE = ['ok', 'incomplete', 'torn'];

/** At most one byte more than a log may have: enough to see that it is too long. */
function readFile(path) {
  const buffer = Buffer.alloc(LOG_BYTES_MAX + 1);
  const file = openSync(path, 'r');
  try {
    let size = 0;
    for (let count = -1; count !== 0 && size < buffer.length; size += count) {
      count = readSync(file, buffer, size, buffer.length - size, null);
    }
    return new Uint8Array(buffer.subarray(0, size));
  } finally {
    closeSync(file);
  }
}

const exitOf = ({ verdict }) => EXITS[verdict] ?? ALL_OTHERS;

function judge(files) {
  const memo = new Map();
  const verdicts = files.map((file) => audit(file, memo));
  if (files.length === 1) return verdicts[0];
  const bad = verdicts.find(({ verdict }) => !MERGEABLE.includes(verdict));
  if (bad) return bad;
  const { log } = merge(...files);
  if (log) return audit(log, memo);
  const worse = exitOf(verdicts[1]) > exitOf(verdicts[0]) ? verdicts[1] : verdicts[0];
  return { ...worse, reason: `the logs are of different games; of one of them: ${worse.reason}` };
}

/** What is printed of a verdict: the words of the specification, and where it stands. */
function report({ verdict, accused, at, place, reason, records, notes, end, winner, loser, owed }) {
  const where = { record: at === 'record' ? place : null, note: at === 'note' ? place : null };
  const told = { verdict, accused, ...where, reason };
  if (end === undefined) return told;
  const step = owed && { seat: owed[0], kind: KINDS[owed[1]] };
  return { ...told, records, notes, result: { end, winner, loser }, owed: step };
}

function sentences({ verdict, accused, record, note, reason, records, notes, result, owed }) {
  const seat = (who) => (who === null ? 'nobody' : `seat ${who}`);
  const lines = [`${verdict}: ${reason}`];
  if (record !== null) lines.push(`record: ${record}`);
  if (note !== null) lines.push(`note: ${note}`);
  if (accused !== null) lines.push(`accused: ${seat(accused)}`);
  if (result === undefined) return lines.join('\n');
  lines.push(`records: ${records}, notes: ${notes}`);
  lines.push(`result: ${result.end}, winner: ${seat(result.winner)}, loser: ${seat(result.loser)}`);
  if (owed) lines.push(`owed: ${owed.kind} by ${seat(owed.seat)}`);
  return lines.join('\n');
}

function main() {
  let options;
  try {
    options = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
  } catch {
    options = { values: {}, positionals: [] };
  }
  const { values, positionals } = options;
  if (positionals.length < 1 || positionals.length > 2) {
    console.error('usage: verify.js LOG [LOG2] [--json]');
    return CANNOT_OPEN;
  }
  let files;
  try {
    files = positionals.map(readFile);
  } catch (error) {
    console.error(`A file cannot be opened (${error.code}).`);
    return CANNOT_OPEN;
  }
  const verdict = report(judge(files));
  console.log(values.json ? JSON.stringify(verdict) : sentences(verdict));
  return exitOf(verdict);
}

process.exitCode = main();
