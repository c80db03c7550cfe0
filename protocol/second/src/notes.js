/** Owns notes and the result that they and a chain give (SPEC: Notes, Results); makes no verdict. */

import { ZEROS, equal } from './bytes.js';
import { bytes, bytesUpTo, int, tuple, unpack } from './encoding.js';
import { outcome } from './durak.js';
import { cheating, demand, malformed, unexpected } from './faults.js';
import { DEALT, isOver, owes } from './follow.js';
import { G, decodeScalar } from './group.js';
import { RECORDS_MAX, splitSigned } from './records.js';
import { checkSignature } from './signatures.js';

export const NOTE_KINDS = ['resign', 'leave', 'claim', 'desync', 'open'];
export const [RESIGN, LEAVE, CLAIM, DESYNC, OPEN] = NOTE_KINDS.keys();
const NOTE_BYTES_MAX = 1024;

const NOTE = tuple({
  sid: bytes(32),
  seat: int(0, 1),
  kind: int(0, 4),
  seq: int(0, RECORDS_MAX - 1),
  head: bytes(32),
  body: bytesUpTo(256),
});

export function decodeNote(note) {
  const [signed, signature] = splitSigned(note, NOTE_BYTES_MAX);
  return { ...unpack(NOTE, signed), signed, signature };
}

const headBefore = (state, seq) => (seq === 0 ? ZEROS : state.heads[seq - 1]);

/** Whether record `seq` of the chain contradicts a note of its author. */
function contradicts(state, seq, note) {
  if (state.seats[seq] !== note.seat) return false;
  const lastWord = note.kind === RESIGN || note.kind === CLAIM;
  return (lastWord && seq >= note.seq) || (seq === note.seq - 1 && !equal(state.heads[seq], note.head));
}

function checkKey(state, { seat, body }) {
  const x = decodeScalar(body);
  demand(
    state.Y[seat] !== null && G.times(x).equals(state.Y[seat]),
    unexpected,
    'an opened key is not the one of the game',
  );
}

/**
 * `state` is the one after the whole chain, with the heads and seats of its records.
 * Throws unless the note holds beside it and the notes `before`.
 */
export function checkNote(state, note, before) {
  const n = state.seq;
  demand(equal(note.sid, state.sid), unexpected, 'a note is of another game');
  const key = state.keys[note.seat];
  demand(key !== null, malformed, 'a note is of a seat that has not introduced itself');
  checkSignature(key, 'sign note', note.signed, note.signature);
  const contradicted = state.heads.some((_, seq) => contradicts(state, seq, note));
  demand(!contradicted, cheating, 'a note is contradicted by a record of its author');
  const placed = note.seq > n || equal(headBefore(state, note.seq), note.head);
  demand(placed, unexpected, 'a note is about another course of the game');
  if (note.kind === OPEN) checkKey(state, note);
  const second = before.some(({ seat, kind }) => seat === note.seat && kind === note.kind);
  demand(!second, unexpected, 'a seat has made such a note before');
  const early = note.kind === CLAIM && note.seq === n && owes(state)?.seat === note.seat;
  demand(!early, unexpected, 'a claim is made by the seat that owes the next step');
  const open = note.kind === OPEN && note.seq <= n;
  demand(!open || result(state, before).final, unexpected, 'a key is opened before the end');
  demand(note.seq <= n || !isOver(state), unexpected, 'a note speaks of records behind the end');
}

/** The resign that counts, if one does. */
function decidingResign(state, resigns) {
  const first = Math.min(...resigns.map(({ seq }) => seq));
  const earliest = resigns.filter(({ seq }) => seq === first);
  return earliest.find(({ seat }) => seat === owes(state)?.seat) ?? earliest[0];
}

/** {end, winner, loser, final, deciding}: what a chain that holds and the notes that hold come to. */
export function result(state, notes) {
  const heard = notes.filter(({ seq }) => seq <= state.seq);
  const of = (end, winner, loser, deciding = null, final = false) => ({ end, winner, loser, deciding, final });
  if (isOver(state)) {
    const { winner, loser } = outcome(state.game);
    return of('cards', winner, loser, null, true);
  }
  const resigns = heard.filter(({ kind, seq }) => kind === RESIGN && seq >= DEALT);
  if (resigns.length > 0) {
    const deciding = decidingResign(state, resigns);
    return of('resign', 1 - deciding.seat, deciding.seat, deciding, true);
  }
  const counts = state.seq >= DEALT;
  const claim = heard.find(({ kind, seq, seat }) => kind === CLAIM && seq === state.seq && seat !== owes(state).seat);
  if (counts && claim) return of('claimed', claim.seat, 1 - claim.seat, claim);
  const left = heard.find(({ kind }) => kind === LEAVE || kind === RESIGN);
  if (left) return of('left', null, left.seq >= DEALT ? left.seat : null, left);
  const differs = heard.find(({ kind }) => kind === DESYNC);
  return differs ? of('desync', null, null, differs) : of('running', null, null);
}
