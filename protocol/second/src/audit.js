/**
 * Owns the order of all checks of a log and the verdict that they give (SPEC: Audit, Verdicts); reads and prints
 * nothing.
 */

import { equal, hex } from './bytes.js';
import { unmask } from './deck.js';
import { CARDS } from './durak.js';
import { Fault } from './faults.js';
import { beginning, follow, isEquivocation, owes } from './follow.js';
import { cardPoints, decodeScalar } from './group.js';
import { readLog } from './logfile.js';
import { OPEN, checkNote, decodeNote, result } from './notes.js';
import { decodeRecord, isOfOtherVersion, recordHead } from './records.js';

/** What ends an audit: a verdict with whom it accuses and where. */
class Finding {
  constructor(verdict, reason, { accused = null, place = null, at = null } = {}) {
    Object.assign(this, { verdict, accused, at, place, reason });
  }
}

const FILES = {
  unreadable: new Finding('unreadable', 'the file is not a log'),
  unsupported: new Finding('unsupported', 'the file is of another version'),
  damaged: new Finding('invalid', 'the file is damaged'),
};

/** Runs a check; what it throws becomes the finding that stops the audit. */
function stopping(at, place, author, check) {
  try {
    return check();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    if (fault.kind === 'unsupported') throw new Finding('unsupported', fault.message, { at, place });
    const accused = fault.kind === 'cheating' || fault.kind === 'desync' ? author : null;
    throw new Finding('invalid', fault.message, { accused, at, place });
  }
}

const refuse = (at, place, reason) => {
  throw new Finding('invalid', reason, { at, place });
};

/** SPEC: Audit, chain: the decoded records, and the fork that stands behind them or null. */
function readChain(entries) {
  const records = [];
  for (const [place, bytes] of entries.entries()) {
    if (place === 0 && isOfOtherVersion(bytes)) {
      throw new Finding('unsupported', 'the game is of another version of the protocol', { at: 'record', place });
    }
    const record = stopping('record', place, null, () => decodeRecord(bytes));
    const last = place === entries.length - 1;
    if (last && record.seq < place && !equal(bytes, entries[record.seq])) return { records, fork: record };
    if (record.seq !== place) refuse('record', place, 'a record stands at another place than its own');
    if (place > 0 && !equal(record.prev, recordHead(entries[place - 1]))) {
      refuse('record', place, 'a record does not follow the one before it');
    }
    records.push(record);
  }
  return { records, fork: null };
}

/**
 * Follows the chain: the state after it, and whose each record is; `memo` maps heads to states that were reached
 * before, for readers of many logs of one game.
 */
function followChain(records, memo) {
  let state = beginning();
  for (const [place, record] of records.entries()) {
    const name = hex(record.head);
    const before = state;
    state = memo.get(name) ?? stopping('record', place, record.seat, () => follow(before, record));
    memo.set(name, state);
  }
  return { ...state, heads: records.map(({ head }) => head), seats: records.map(({ seat }) => seat) };
}

function judgeFork(state, records, fork) {
  const place = fork.seq;
  if (!isEquivocation(state, records[place], fork)) {
    refuse('record', records.length, 'the last record is none that follows, and proves nothing');
  }
  const reason = `seat ${fork.seat} signed two records for one place`;
  throw new Finding('equivocation', reason, { accused: fork.seat, at: 'record', place });
}

function holdNotes(state, entries) {
  const notes = [];
  for (const [place, bytes] of entries.entries()) {
    const note = stopping('note', place, null, () => decodeNote(bytes));
    if (state.seq === 0) refuse('note', place, 'a note stands in a log without records');
    stopping('note', place, note.seat, () => checkNote(state, note, notes));
    notes.push(note);
  }
  return notes;
}

const sameCards = (one, other) => {
  const names = (points) => points.map((point) => hex(point.bytes)).sort();
  return equal(names(one), names(other));
};

/** SPEC: Audit, opened: with both keys no shuffle proof is trusted. */
function auditOpened(state, notes) {
  const opens = [0, 1].map((seat) =>
    notes.find((note) => note.kind === OPEN && note.seat === seat && note.seq <= state.seq),
  );
  if (opens.includes(undefined)) return;
  const keys = opens.map(({ body }) => decodeScalar(body));
  const accuse = (accused, place, reason) => {
    throw new Finding('invalid', reason, { accused, at: 'record', place });
  };
  state.decks.forEach((deck, seat) => {
    const points = deck.map((card) => unmask(card, keys[0] + keys[1]));
    if (!sameCards(points, cardPoints(CARDS))) accuse(seat, seat + 2, 'a shuffle has changed the cards');
  });
  for (const { seat, place, before, after } of state.remasks) {
    const [old, next] = [before, after].map((hand) => hand.map((card) => unmask(card, keys[seat])));
    if (!sameCards(old, next)) accuse(seat, place, 'a remask has changed the cards');
  }
}

function judge({ state: fileState, records: entries, notes: noteEntries }, memo) {
  if (fileState in FILES) throw FILES[fileState];
  const { records, fork } = readChain(entries);
  const state = followChain(records, memo);
  if (fork) judgeFork(state, records, fork);
  const notes = holdNotes(state, noteEntries);
  auditOpened(state, notes);
  const { end, winner, loser, final } = result(state, notes);
  const next = final ? null : owes(state);
  const word = final ? 'ok' : 'incomplete';
  return {
    ...new Finding(
      fileState === 'torn' ? 'torn' : word,
      final ? 'every check holds' : 'every check holds, without a final result',
    ),
    records: records.length,
    notes: notes.length,
    end,
    winner,
    loser,
    owed: next && [next.seat, next.kind],
    state,
  };
}

/**
 * The verdict on the bytes of a log: {verdict, accused, at, place, reason}, and of logs that hold also records, notes,
 * end, winner, loser, owed and the state. `memo` is a Map that may be shared between audits.
 */
export function audit(file, memo = new Map()) {
  try {
    return judge(readLog(file), memo);
  } catch (finding) {
    if (finding instanceof Finding) return { ...finding };
    throw finding;
  }
}
