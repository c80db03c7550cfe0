/** Every test of every vector file, and nothing skipped: what this verifier cannot check is a failure. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { audit } from '../src/audit.js';
import { gameDigest } from '../src/durak.js';
import { Fault } from '../src/faults.js';
import { owes } from '../src/follow.js';
import { merge } from '../src/merge.js';
import { CHECKS, Refusal, edited, plain } from '../checks/vector_checks.js';

const FOLDER = new URL('../../vectors/', import.meta.url);
// Meeting and channel: what two programs need to talk. A verifier of saved games has no part in it.
const NOT_OF_A_VERIFIER = ['pake.json', 'packets.json'];
const LOG_WORDS = ['verdict', 'accused', 'place', 'records', 'notes', 'end', 'winner', 'loser', 'owed'];

/** Whether the verifier takes the test's values, and they agree with what it computes itself. */
function holds(check, vector) {
  try {
    const found = check(vector);
    return Object.keys(found).every((name) => !(name in vector) || same(plain(found[name]), vector[name]));
  } catch (error) {
    if (error instanceof Fault || error instanceof Refusal) return false;
    throw error;
  }
}

function same(found, stated) {
  try {
    assert.deepStrictEqual(found, stated);
    return true;
  } catch {
    return false;
  }
}

function checkTrace(trace, memo) {
  for (const [number, head, digest, owed] of trace) {
    const state = memo.get(head);
    assert.equal(state?.seq, number + 1, `record ${number} has another head`);
    assert.equal(state.game && plain(gameDigest(state.game)), digest, `after record ${number} the game is another`);
    const next = owes(state);
    assert.deepEqual(next && [next.seat, next.kind], owed, `after record ${number} another step is owed`);
  }
}

function checkLog(vector, memo) {
  const found = audit(edited(vector.log, vector.edits), memo);
  for (const word of LOG_WORDS.filter((name) => name in vector)) {
    assert.deepEqual(found[word], vector[word], `${word}, where the verifier says: ${found.reason}`);
  }
  if (vector.trace) checkTrace(vector.trace, memo);
}

function checkCopies({ log, first, second, relation, merged, verdict, accused }, memo) {
  const copies = [first, second].map((edits) => edited(log, edits));
  const found = merge(...copies);
  assert.equal(found.relation, relation);
  assert.deepEqual(found.log, merged && edited(log, merged));
  const judged = found.log ? audit(found.log, memo) : { verdict: 'none', accused: null };
  assert.deepEqual([judged.verdict, judged.accused], [verdict, accused]);
}

function checkVector(type, vector, memo) {
  if (type === 'TwoCopies') return checkCopies(vector, memo);
  if (type === 'EditedLog') return checkLog(vector, memo);
  assert.ok(type in CHECKS, `the type of vector ${type} is not known`);
  assert.equal(holds(CHECKS[type], vector), vector.result === 'valid');
}

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.json'))) {
  if (NOT_OF_A_VERIFIER.includes(name)) continue;
  test(`every vector of ${name} is judged as it says`, (t) => {
    const file = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
    const failures = [];
    const memo = new Map();
    let count = 0;
    for (const { tests, type, ...shared } of file.testGroups) {
      for (const own of tests) {
        count += 1;
        try {
          checkVector(type, { ...shared, ...own }, memo);
        } catch (error) {
          failures.push(`${name} ${own.tcId} (${own.comment}): ${error.message}`);
        }
      }
    }
    t.diagnostic(`${name}: ${count} tests`);
    assert.equal(count, file.numberOfTests);
    assert.deepEqual(failures, []);
  });
}
