/** Owns what two logs of one game come to (SPEC: Two copies); judges neither. */

import { equal, hex } from './bytes.js';
import { Fault } from './faults.js';
import { readLog, writeLog } from './logfile.js';
import { decodeNote } from './notes.js';
import { decodeRecord } from './records.js';

function ofDifferentGames(one, other) {
  if (one.length > 0 && other.length > 0 && !equal(one[0], other[0])) return true;
  return one.length > 1 && other.length > 1 && !equal(decodeRecord(one[1]).sid, decodeRecord(other[1]).sid);
}

/** What a note is one of, and how many records it has seen; one that does not decode is like no other. */
function standing(note) {
  try {
    const { seat, kind, seq } = decodeNote(note);
    return { key: `${seat} ${kind}`, seq };
  } catch (error) {
    if (error instanceof Fault) return { key: hex(note), seq: 0 };
    throw error;
  }
}

/** The notes of both that can stand in one log of `count` records: of each seat and kind the first. */
function unitedNotes(copies, count) {
  const united = new Map();
  for (const { records, notes } of copies) {
    for (const note of notes) {
      const { key, seq } = standing(note);
      if ((records.length === count || seq <= count) && !united.has(key)) united.set(key, note);
    }
  }
  return [...united.values()];
}

/**
 * {relation, log}: how two logs that hold relate (same, first longer, second longer, fork, other game), and the bytes
 * of the merged log, null if they are of different games.
 */
export function merge(oneFile, otherFile) {
  const [one, other] = [oneFile, otherFile].map(readLog);
  if (ofDifferentGames(one.records, other.records)) return { relation: 'other game', log: null };
  const common = Math.min(one.records.length, other.records.length);
  const differs = one.records.slice(0, common).findIndex((record, place) => !equal(record, other.records[place]));
  if (differs >= 0) return { relation: 'fork', log: writeLog([...one.records, other.records[differs]], one.notes) };
  const longer = one.records.length >= other.records.length ? one.records : other.records;
  const notes = unitedNotes([one, other], longer.length);
  const ahead = Math.sign(one.records.length - other.records.length);
  const relation = { '-1': 'second longer', 0: 'same', 1: 'first longer' }[ahead];
  return { relation, log: writeLog(longer, notes) };
}
