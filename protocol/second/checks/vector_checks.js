/**
 * Owns one check for each type of vector: whether this verifier accepts a test, and the values on the way; reads no
 * file.
 */

import { concat, hex, unhex } from '../src/bytes.js';
import { decodeDeck, deckHash } from '../src/deck.js';
import * as durak from '../src/durak.js';
import { coin, stateDigest } from '../src/follow.js';
import * as group from '../src/group.js';
import * as hands from '../src/hands.js';
import { context, hash32, hash64, hashToScalar } from '../src/hashing.js';
import { decodeNote } from '../src/notes.js';
import * as proofs from '../src/proofs.js';
import * as records from '../src/records.js';
import { shuffle } from '../src/shuffle.js';
import { checkSignature, signedBytes } from '../src/signatures.js';

const CARDS = 36;

/** Every value in the one form in which vectors state it. */
export function plain(value) {
  if (value instanceof group.Element) return hex(value.bytes);
  if (value instanceof Uint8Array) return hex(value);
  if (typeof value === 'bigint') return hex(group.encodeScalar(value));
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') return mapped(value, plain);
  return value;
}

const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
const point = (text) => group.decodePoint(unhex(text));
const entries = (list) => list.map(({ A, B, batch }) => ({ A: point(A), B: point(B), batch }));
/** An input is not decoded as a deck: all first halves of deck 0 are equal. */
const masked = (text) =>
  text.match(/.{128}/g).map((card) => ({ A: point(card.slice(0, 64)), B: point(card.slice(64)) }));
const demandChallenge = ({ c, challenge }) => proofs.demandChallenge(challenge, c, 'a vector');
/** An element of a sum, which may be the identity. */
const anyPoint = (text) => (text === '01'.padEnd(64, '0') ? group.G.times(0n) : point(text));

// Each check throws a fault or gives the values that it came to. A value of the same name in the test must be equal.

function keyPossession({ sid, seat, Y, proof }) {
  const ctx = context(unhex(sid), seat, 'key');
  const found = proofs.keyPossession(ctx, point(Y), unhex(proof));
  demandChallenge(found);
  return { ctx, ...found };
}

function equalLogarithms({ ctx, Y, A, D, proof }) {
  const found = proofs.equalLogarithms(unhex(ctx), point(Y), point(A), point(D), unhex(proof));
  demandChallenge(found);
  return found;
}

function unequalLogarithms({ ctx, Y, items, proof }) {
  const pairs = items.map(({ A, V }) => ({ A: point(A), V: point(V) }));
  const found = proofs.unequalLogarithms(unhex(ctx), point(Y), pairs, unhex(proof));
  demandChallenge(found);
  return found;
}

function denial({ sid, seat, Y, hand, cards, proof }) {
  const owner = { sid: unhex(sid), seat, Y: point(Y) };
  const list = entries(hand);
  const ctx = hands.denialStatement(owner, list, cards);
  const items = hands.denialItems(list, cards, CARDS);
  const found = proofs.unequalLogarithms(ctx, owner.Y, items, unhex(proof));
  demandChallenge(found);
  hands.checkDenial(owner, list, cards, unhex(proof), CARDS);
  return { ctx, items, handHash: hands.handHash(owner.sid, seat, list), ...found };
}

function shuffled({ sid, seat, purpose, Y, inp, out, proof }) {
  const n = unhex(inp).length / 64;
  const ctx = context(unhex(sid), seat, purpose);
  const found = shuffle(ctx, point(Y), masked(inp), decodeDeck(unhex(out), n), unhex(proof));
  demandChallenge(found);
  return { ...found, ctx, u: found.us, productOfU: found.product };
}

function shares({ sid, author, Y, cards, positions, shares: given }) {
  const deck = decodeDeck(unhex(cards), unhex(cards).length / 64);
  const hashOfDeck = deckHash(deck);
  const batch = { sid: unhex(sid), author, Y: point(Y), deck, hashOfDeck, positions };
  const [Ds, proof] = hands.splitShares(positions, unhex(given));
  const { statement, weights, A, D } = hands.sharesStatement({ ...batch, Ds });
  const found = proofs.equalLogarithms(statement, batch.Y, A, D, proof);
  hands.checkShares(batch, unhex(given));
  return { ...found, deckHash: hashOfDeck, statement, weights, ASum: A, DSum: D };
}

function opening({ sid, seat, Y, hand, card, remask, opening: given }) {
  const owner = { sid: unhex(sid), seat, Y: point(Y) };
  const before = entries(hand);
  const { list } = hands.checkPlay(owner, before, card, remask.map(unhex), unhex(given), CARDS);
  const { index, D, proof } = hands.splitOpening(list, unhex(given));
  const ctx = hands.openingStatement(owner, list, index);
  const { A, B } = list[index];
  const found = proofs.equalLogarithms(ctx, owner.Y, A, D, proof);
  const [handHash, listHash] = [before, list].map((cards) => hands.handHash(owner.sid, seat, cards));
  return { ...found, handHash, listHash, ctx, opened: B.minus(D) };
}

function record({ record: bytes }) {
  const { version, sid, seq, seat, prev, kind, body, digest, head } = records.decodeRecord(unhex(bytes));
  return { fields: { version, sid, seq, seat, prev, kind, body: Object.values(body), digest }, head };
}

function note({ note: bytes }) {
  const { sid, seat, kind, seq, head, body } = decodeNote(unhex(bytes));
  return { fields: { sid, seat, kind, seq, head, body } };
}

function session({ version, suite, cards, options, vk0, vk1, commit, nonce, exporter, game, link, opener }) {
  const first = mapped({ options, vk: vk0, commit, exporter, link }, unhex);
  const made = records.packedSession({ ...first, suite, cards, game, opener }, unhex(vk1), unhex(nonce));
  const packed = Uint8Array.of(made[0], version, ...made.subarray(2));
  return { packed, sid: hash32('sid', packed) };
}

function signature({ public: key, label, message, signature: given }) {
  checkSignature(unhex(key), label, unhex(message), unhex(given));
  return { signed: signedBytes(label, unhex(message)) };
}

function arithmetic({ s, P, Q }) {
  const [left, right] = [anyPoint(P), anyPoint(Q)];
  return { product: left.times(group.decodeScalar(unhex(s))), sum: left.plus(right), difference: left.minus(right) };
}

function options({ options: bytes }) {
  if (durak.decodeOptions(unhex(bytes)) === null) throw new Refusal('these options are not known');
  return {};
}

function state({ fields }) {
  const game = {
    ...fields,
    options: { text: unhex(fields.options) },
    known: [fields.known0, fields.known1],
    hidden: [fields.hidden0, fields.hidden1],
    table: fields.table,
  };
  return { encoded: durak.encodeState(game), digest: durak.gameDigest(game) };
}

/** Where a check of the verifier answers with a value instead of a fault. */
export class Refusal extends Error {}

export const CHECKS = {
  Hash: ({ label, items }) => {
    const parts = items.map(unhex);
    return { hash64: hash64(label, ...parts), hash32: hash32(label, ...parts) };
  },
  Context: ({ sid, seat, purpose }) => ({ ctx: context(unhex(sid), seat, purpose) }),
  HashToScalar: ({ label, items }) => ({ scalar: hashToScalar(label, ...items.map(unhex)) }),
  Point: ({ point: bytes }) => ({ point: point(bytes) }),
  HashToGroup: ({ label, message }) => ({ point: group.hashToGroup(label, unhex(message)) }),
  CardPoints: ({ points }) => ({ points: group.cardPoints(points.length) }),
  PedersenPoints: ({ points }) => ({ points: group.pedersenPoints(points.length) }),
  Arithmetic: arithmetic,
  Scalar: ({ scalar }) => ({ scalar: group.decodeScalar(unhex(scalar)) }),
  Signature: signature,
  Record: record,
  Note: note,
  KeyPossession: keyPossession,
  EqualLogarithms: equalLogarithms,
  UnequalLogarithms: unequalLogarithms,
  Denial: denial,
  Shuffle: shuffled,
  Shares: shares,
  Opening: opening,
  SessionId: session,
  Commitment: ({ nonce, Y }) => ({ commit: records.commitment(unhex(nonce), unhex(Y)) }),
  Coin: ({ sid, share }) => ({ opener: coin(unhex(sid), unhex(share)) }),
  Link: ({ head, note: bytes }) => ({ link: hash32('link', unhex(head), unhex(bytes)) }),
  DeckHash: ({ deck }) => ({ hash: deckHash(decodeDeck(unhex(deck), unhex(deck).length / 64)) }),
  HandHash: ({ sid, seat, hand }) => ({ hash: hands.handHash(unhex(sid), seat, entries(hand)) }),
  RecordHead: ({ record: bytes }) => ({ head: records.recordHead(unhex(bytes)) }),
  StateDigest: ({ gameDigest, hand0, hand1, stockDrawn, owed0, owed1 }) => ({
    digest: stateDigest({
      digestOfGame: unhex(gameDigest),
      handHashes: [hand0, hand1].map(unhex),
      stockDrawn,
      owed: [owed0, owed1],
    }),
  }),
  Action: ({ action }) => durak.decodeAction(unhex(action)),
  Options: options,
  State: state,
};

/** A log of a group after the edits of a test: their offsets are those of the group's log, so the last goes first. */
export function edited(log, edits) {
  const bytes = new Uint8Array(Buffer.from(log, 'base64'));
  return edits.reduceRight(
    (file, [at, remove, insert]) => concat(file.subarray(0, at), unhex(insert), file.subarray(at + remove)),
    bytes,
  );
}
