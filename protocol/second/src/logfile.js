/** Owns the bytes of a log: magic, entries, limits (SPEC: Log file); does not look into records and notes. */

import { ascii, concat, equal, u32 } from './bytes.js';
import { hash32 } from './hashing.js';
import { RECORDS_MAX, RECORD_BYTES_MAX, recordHead } from './records.js';

const MAGIC = ascii('p2pdurak log 1\n');
const ANY_VERSION = ascii('p2pdurak log ');
export const LOG_BYTES_MAX = 8388608;
const NOTES_MAX = 16;
const LENGTH_BYTES = 4;
const HASH_BYTES = 32;
const [R, N] = ascii('RN');

const startsWith = (bytes, beginning) => equal(bytes.subarray(0, beginning.length), beginning);
const hashOf = { [R]: recordHead, [N]: (payload) => hash32('log note', payload) };

const entry = (tag, payload) => concat(u32(payload.length + 1), Uint8Array.of(tag), payload, hashOf[tag](payload));

/** The bytes of a log of these records and notes. */
export function writeLog(records, notes) {
  return concat(MAGIC, ...records.map((record) => entry(R, record)), ...notes.map((note) => entry(N, note)));
}

function readEntry(file, at) {
  const left = file.length - at;
  if (left < LENGTH_BYTES) return 'torn';
  const length = new DataView(file.buffer, file.byteOffset + at).getUint32(0);
  if (length < 2 || length > RECORD_BYTES_MAX + 1) return 'damaged';
  if (left < LENGTH_BYTES + length + HASH_BYTES) return 'torn';
  const tag = file[at + LENGTH_BYTES];
  const end = at + LENGTH_BYTES + length;
  const payload = file.subarray(at + LENGTH_BYTES + 1, end);
  if (tag !== R && tag !== N) return 'damaged';
  if (!equal(hashOf[tag](payload), file.subarray(end, end + HASH_BYTES))) return 'damaged';
  return { tag, payload, next: end + HASH_BYTES };
}

/** {state, records, notes}; state is whole, torn, damaged, unsupported or unreadable. */
export function readLog(file) {
  const log = { state: 'whole', records: [], notes: [] };
  if (!startsWith(file, MAGIC)) {
    if (file.length > 0 && startsWith(MAGIC, file)) return { ...log, state: 'torn' };
    return { ...log, state: startsWith(file, ANY_VERSION) ? 'unsupported' : 'unreadable' };
  }
  if (file.length > LOG_BYTES_MAX) return { ...log, state: 'damaged' };
  for (let at = MAGIC.length; at < file.length && log.state === 'whole';) {
    const found = readEntry(file, at);
    if (typeof found === 'string') log.state = found;
    else {
      (found.tag === R ? log.records : log.notes).push(found.payload);
      at = found.next;
    }
  }
  if (log.records.length > RECORDS_MAX || log.notes.length > NOTES_MAX) log.state = 'damaged';
  return log;
}
