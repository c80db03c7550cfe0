/** Owns what two logs of one game come to (SPEC: Two copies); judges neither. */

import { equal, hex } from './bytes.js';
import { readLog, writeLog } from './logfile.js';
import { decodeRecord } from './records.js';

function ofDifferentGames(one, other) {
  if (one.length > 0 && other.length > 0 && !equal(one[0], other[0])) return true;
  return one.length > 1 && other.length > 1 && !equal(decodeRecord(one[1]).sid, decodeRecord(other[1]).sid);
}

/**
 * {relation, log}: how two logs that hold relate (same, first longer, second longer, fork, other game), and the bytes
 * of
 * the merged log, null if they are of different games.
 */
export function merge(oneFile, otherFile) {
  const [one, other] = [oneFile, otherFile].map(readLog);
  if (ofDifferentGames(one.records, other.records)) return { relation: 'other game', log: null };
  const common = Math.min(one.records.length, other.records.length);
  const differs = one.records.slice(0, common).findIndex((record, place) => !equal(record, other.records[place]));
  if (differs >= 0) return { relation: 'fork', log: writeLog([...one.records, other.records[differs]], one.notes) };
  const longer = one.records.length >= other.records.length ? one.records : other.records;
  const known = new Set(one.notes.map(hex));
  const notes = [...one.notes, ...other.notes.filter((note) => !known.has(hex(note)))];
  const ahead = Math.sign(one.records.length - other.records.length);
  const relation = { '-1': 'second longer', 0: 'same', 1: 'first longer' }[ahead];
  return { relation, log: writeLog(longer, notes) };
}
