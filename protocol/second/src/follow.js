/**
 * Owns the public state of a game and the step that a record makes in it (SPEC: State machine to State digest); opens
 * no file.
 */

import { equal, isZeros, ZEROS } from './bytes.js';
import { cardOf, decodeDeck, deckHash, firstDeck } from './deck.js';
import * as durak from './durak.js';
import { Fault, cheating, demand, desync, malformed, unexpected, unsupported } from './faults.js';
import { decodePoint } from './group.js';
import { checkDenial, checkPlay, checkShares, handHash } from './hands.js';
import { context, hash32 } from './hashing.js';
import { checkKeyPossession } from './proofs.js';
import * as records from './records.js';
import { checkShuffle } from './shuffle.js';
import { checkSignature } from './signatures.js';

const SUITE = 1;
const HANDSHAKE = [
  { seat: 0, kind: records.START0 },
  { seat: 1, kind: records.START1 },
  { seat: 0, kind: records.SHUFFLE0 },
  { seat: 1, kind: records.SHUFFLE1 },
  { seat: 0, kind: records.SHARES },
];
/** From this many records on the game counts. */
export const DEALT = 4;

const BEGINNING = {
  seq: 0,
  head: ZEROS,
  sid: ZEROS,
  first: null,
  keys: [null, null],
  Y: [null, null],
  decks: [],
  hashOfDeck: null,
  onWay: [[], []],
  batches: [0, 0],
  faceUp: [null, null],
  hands: [[], []],
  stockDrawn: 0,
  remasks: [],
  game: null,
};

export const beginning = () => BEGINNING;

/** {seat, kind} of the record that comes next, or null when the game is over. */
export function owes(state) {
  if (state.game === null) return HANDSHAKE[state.seq];
  const seat = durak.toAct(state.game);
  if (seat === null) return null;
  return state.onWay[seat].length > 0 ? { seat: 1 - seat, kind: records.SHARES } : { seat, kind: records.MOVE };
}

export const isOver = (state) => state.game !== null && durak.toAct(state.game) === null;

/** The positions of deck 2 for which `seat` owes its shares, ascending. */
export function owedShares(state, seat) {
  if (state.hashOfDeck === null || isOver(state)) return [];
  const faceUp = state.faceUp[seat] === null ? durak.LAYOUT.faceUp : [];
  return [...state.onWay[1 - seat].map(({ position }) => position), ...faceUp].sort((a, b) => a - b);
}

const set = (pair, seat, value) => pair.map((old, i) => (i === seat ? value : old));

function checkPlace(state, record) {
  demand(record.seq === state.seq, unexpected, 'a record is for another place');
  demand(equal(record.prev, state.head), unexpected, 'a record names another predecessor');
  let sid = state.sid;
  if (state.seq === 1 && record.kind === records.START1) {
    sid = records.sessionId(state.first, record.body.vk, record.body.nonce);
  }
  demand(equal(record.sid, sid), unexpected, 'a record is of another game');
}

function checkAuthor(state, record) {
  const owed = owes(state);
  const introduces = state.seq < 2 && record.kind === owed.kind && record.seat === owed.seat;
  const key = introduces ? record.body.vk : state.keys[record.seat];
  demand(key !== null, unexpected, 'a record is of a seat that has not introduced itself');
  checkSignature(key, 'sign record', record.signed, record.signature);
}

function takeStart0(state, { body, seat }) {
  demand(body.suite === SUITE, unsupported, 'the suite is not known');
  demand(body.cards === durak.CARDS, unsupported, 'the number of cards is not known');
  const options = durak.decodeOptions(body.options);
  demand(options !== null, unsupported, 'the options are not known');
  demand(isZeros(body.link) === (body.game === 1), cheating, 'the link does not go with the number of the game');
  demand(durak.allowsOpener(options, body.game, body.opener), unexpected, 'the options do not allow this opener');
  return { ...state, first: body, options, keys: set(state.keys, seat, body.vk) };
}

function takeKey(state, body, seat) {
  const Y = decodePoint(body.Y);
  checkKeyPossession(context(state.sid, seat, 'key'), Y, body.possession);
  return { ...state, Y: set(state.Y, seat, Y) };
}

function takeStart1(state, { body, seat }) {
  demand(!equal(body.vk, state.first.vk), cheating, 'both seats have one identity key');
  const sid = records.sessionId(state.first, body.vk, body.nonce);
  return takeKey({ ...state, sid, keys: set(state.keys, seat, body.vk) }, body, seat);
}

function takeShuffle(state, { body, seat }, input, Y) {
  const deck = decodeDeck(body.deck, durak.CARDS);
  checkShuffle(context(state.sid, seat, 'shuffle'), Y, input, deck, body.proof);
  return { ...state, decks: [...state.decks, deck] };
}

function takeShuffle0(state, record) {
  const { nonce, Y } = record.body;
  demand(
    equal(records.commitment(nonce, Y), state.first.commit),
    cheating,
    'the host shows another key than he committed to',
  );
  const next = takeKey(state, record.body, record.seat);
  demand(!next.Y[0].equals(next.Y[1]), cheating, 'both seats have one game key');
  const both = next.Y[0].plus(next.Y[1]);
  demand(!both.isIdentity, cheating, 'the game keys cancel each other');
  return takeShuffle(next, record, firstDeck(durak.CARDS, both), both);
}

function takeShuffle1(state, record) {
  const shuffled = takeShuffle(state, record, state.decks[0], state.Y[0].plus(state.Y[1]));
  const onWay = durak.LAYOUT.hands.map((positions) => positions.map((position) => ({ position, batch: 0 })));
  const dealt = { ...shuffled, hashOfDeck: deckHash(shuffled.decks[1]), onWay };
  return takeBatch(dealt, record.seat, record.body.shares);
}

/** One batch of shares by `author`: the cards on their way to the other seat arrive. */
function takeBatch(state, author, bytes) {
  const positions = owedShares(state, author);
  const deck = state.decks[1];
  const { sid, hashOfDeck } = state;
  const Ds = checkShares({ sid, author, Y: state.Y[author], deck, hashOfDeck, positions }, bytes);
  const shareOf = new Map(positions.map((position, i) => [position, Ds[i]]));
  const owner = 1 - author;
  const entries = state.onWay[owner].map(({ position, batch }) => {
    const { A, B } = deck[position];
    return { A, B: B.minus(shareOf.get(position)), batch };
  });
  const faceUp = state.faceUp[author] ?? durak.LAYOUT.faceUp.map((position) => shareOf.get(position));
  return {
    ...state,
    onWay: set(state.onWay, owner, []),
    hands: set(state.hands, owner, [...state.hands[owner], ...entries]),
    faceUp: set(state.faceUp, author, faceUp),
  };
}

/** Who acts first, from `start0` or by the coin: 0, 1, or 2 for by questions. */
export const coin = (sid, share) => hash32('coin', sid, share)[0] & 1;

function startGame(state) {
  const [position] = durak.LAYOUT.faceUp;
  const [[share0], [share1]] = state.faceUp;
  const indicator = cardOf(state.decks[1][position].B.minus(share0).minus(share1), durak.CARDS);
  demand(indicator >= 0, cheating, 'the card that lies face up is no card');
  const { opener } = state.first;
  const first = durak.isCoin(opener) ? coin(state.sid, share0.bytes) : opener;
  return { ...state, game: durak.start(state.options, indicator, first) };
}

function takeShares(state, { body, seat }) {
  const next = takeBatch(state, seat, body.shares);
  return next.game === null ? startGame(next) : next;
}

/** Checks what a move must prove; gives the state with the hand of the mover as it is then. */
function takeProof(state, seat, { remask, proof }, wanted) {
  demand(proof.length === (wanted ? 1 : 0), malformed, 'a proof is missing, or is not due');
  if (wanted?.open === undefined) demand(remask.length === 0, malformed, 'a remask is not due');
  if (!wanted) return state;
  const owner = { sid: state.sid, seat, Y: state.Y[seat] };
  const hand = state.hands[seat];
  if (wanted.absent) {
    checkDenial(owner, hand, wanted.absent, proof[0], durak.CARDS);
    return state;
  }
  const { list, rest } = checkPlay(owner, hand, wanted.open, remask, proof[0], durak.CARDS);
  const remasks =
    remask.length > 0 ? [...state.remasks, { seat, place: state.seq, before: hand, after: list }] : state.remasks;
  return { ...state, remasks, hands: set(state.hands, seat, rest) };
}

function takeDraw(state, { seat, count }) {
  const batch = (state.batches[seat] + 1) % 256;
  const positions = durak.LAYOUT.stock.slice(state.stockDrawn, state.stockDrawn + count);
  const drawn = positions.map((position) => ({ position, batch }));
  return {
    ...state,
    stockDrawn: state.stockDrawn + count,
    batches: set(state.batches, seat, batch),
    onWay: set(state.onWay, seat, [...state.onWay[seat], ...drawn]),
  };
}

function takeMove(state, { body, seat }) {
  const action = durak.decodeAction(body.action);
  const proven = takeProof(state, seat, body, durak.demandOf(state.game, action));
  const { game, draws } = durak.apply(state.game, action);
  const next = draws.reduce(takeDraw, { ...proven, game });
  const due = owedShares(next, seat).length > 0;
  demand(body.shares.length === (due ? 1 : 0), cheating, 'shares are missing, or are not due');
  return due ? takeBatch(next, seat, body.shares[0]) : next;
}

const BODIES = [takeStart0, takeStart1, takeShuffle0, takeShuffle1, takeShares, takeMove];

/** What is malformed in a signed body is cheating: an honest program makes no such thing. */
function takeBody(state, record) {
  try {
    return BODIES[record.kind](state, record);
  } catch (fault) {
    if (fault instanceof Fault && fault.kind === 'malformed') throw cheating(fault.message);
    throw fault;
  }
}

export function stateDigest({ digestOfGame, handHashes, stockDrawn, owed }) {
  const positions = owed.map((list) => Uint8Array.from(list));
  return hash32('state', digestOfGame, ...handHashes, Uint8Array.of(stockDrawn), ...positions);
}

export function digestOf(state) {
  if (state.game === null) return ZEROS;
  return stateDigest({
    digestOfGame: durak.gameDigest(state.game),
    handHashes: [0, 1].map((seat) => handHash(state.sid, seat, state.hands[seat])),
    stockDrawn: state.stockDrawn,
    owed: [0, 1].map((seat) => owedShares(state, seat)),
  });
}

/** The state after a decoded record. Throws the first fault, in the order that the protocol gives. */
export function follow(state, record) {
  checkPlace(state, record);
  checkAuthor(state, record);
  const owed = owes(state);
  const onTurn = owed !== null && owed.seat === record.seat && owed.kind === record.kind;
  demand(onTurn, cheating, 'a record is not the one that is owed');
  const taken = takeBody(state, record);
  demand(equal(record.digest, digestOf(taken)), desync, 'a record names another state than the one that follows');
  return { ...taken, seq: state.seq + 1, head: record.head };
}

/** Whether two different records prove that one seat signed twice for one place (SPEC: Following a record). */
export function isEquivocation(state, one, other) {
  const same = equal(one.sid, other.sid) && one.seat === other.seat && one.seq === other.seq;
  if (!same || isZeros(one.sid) || equal(one.head, other.head) || state.keys[one.seat] === null) return false;
  try {
    for (const record of [one, other])
      checkSignature(state.keys[one.seat], 'sign record', record.signed, record.signature);
    return true;
  } catch (fault) {
    if (fault instanceof Fault) return false;
    throw fault;
  }
}
