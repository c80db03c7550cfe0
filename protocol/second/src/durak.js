/**
 * Owns the game of Annex A as a contract: layout, options, actions, demands, state, digest; knows no keys or proofs.
 */

import { sha256 } from '@noble/hashes/sha2';
import { ascii, concat, equal, u16 } from './bytes.js';
import { cheating, demand } from './faults.js';

export const CARDS = 36;
const RANKS = 9;
const HAND = 6;
const TRUMP_QUESTIONS = 16;
const NO_CARD = 0xff;

/** Positions of deck 2: whose hand they are dealt to, the stock in its order, and what lies face up. */
export const LAYOUT = {
  hands: [
    [0, 2, 4, 6, 8, 10],
    [1, 3, 5, 7, 9, 11],
  ],
  stock: Array.from({ length: 23 }, (_, i) => 12 + i),
  faceUp: [35],
};

const OPENERS = { lowest_trump: 2, host: 0, coin: 3 };
const COIN = 3;
const QUESTIONS = 2;

const OPTIONS = new RegExp(
  [
    '^first_attacker=(?<firstAttacker>lowest_trump|host|coin)',
    'trumpless=(?<trumpless>lowest_card|host)',
    'rematch_first=(?<rematchFirst>winner|alternate)',
    'after_draw=(?<afterDraw>same|other)',
    'first_bout_limit=(?<limit>6|5)',
    'pile_on=(?<pileOn>on|off)',
    'move_timer=(?<timer>0|[1-9][0-9]{0,4})',
    'open=(?<open>on|off)$',
  ].join('\\n'),
);

/** The options that these bytes stand for, or null if this verifier does not know them. */
export function decodeOptions(bytes) {
  const found = OPTIONS.exec(String.fromCharCode(...bytes));
  if (!found) return null;
  const timer = Number(found.groups.timer);
  return timer === 0 || (timer >= 5 && timer <= 86400) ? { ...found.groups, text: bytes } : null;
}

/** Whether `opener` may stand in the `start0` of this game of a match. */
export function allowsOpener(options, game, opener) {
  const first = OPENERS[options.firstAttacker];
  return opener === first || (game > 1 && (opener === 0 || opener === 1));
}

const suit = (card) => Math.floor(card / RANKS);
const rank = (card) => card % RANKS;

const ACTIONS = {
  0: ['attack', 1, 1],
  1: ['beat', 1, 1],
  2: ['take', 0, 0],
  3: ['done', 0, 0],
  4: ['show', 1, 1],
  5: ['deny', 1, 3],
};

/** {name, cards}; throws cheating if these bytes are no action. */
export function decodeAction(bytes) {
  const [first, ...cards] = bytes;
  const [name, least, most] = ACTIONS[first] ?? [];
  demand(name !== undefined, cheating, 'these bytes are no action');
  demand(cards.length >= least && cards.length <= most, cheating, `a ${name} has another number of cards`);
  demand(
    cards.every((card) => card < CARDS),
    cheating,
    'an action names a card that is none',
  );
  return { name, cards };
}

/** The list of questions: each is {seat, cards}. */
function questions(trump, indicator) {
  const trumps = Array.from({ length: RANKS }, (_, r) => trump * RANKS + r).filter((card) => card !== indicator);
  const forTrumps = trumps.flatMap((card, i) => [i % 2, 1 - (i % 2)].map((seat) => ({ seat, cards: [card] })));
  const plain = [0, 1, 2, 3].filter((s) => s !== trump);
  const ranks = [0, 1, 2, 3, 4, 5].map((r) => plain.map((s) => s * RANKS + r));
  return [...forTrumps, ...ranks.flatMap((cards) => [0, 1].map((seat) => ({ seat, cards })))];
}

/** `opener` is 0, 1, or 2 for by questions. */
export function start(options, indicator, opener) {
  const byQuestions = opener === QUESTIONS;
  return {
    options,
    trump: suit(indicator),
    indicator,
    known: [[], []],
    hidden: [HAND, HAND],
    attacker: byQuestions ? 0 : opener,
    phase: byQuestions ? 'first' : 'attack',
    table: [],
    cap: Math.min(Number(options.limit), HAND),
    talon: LAYOUT.stock.length + 1,
    discard: [],
    bout: 1,
    question: byQuestions ? 0 : null,
  };
}

export const isCoin = (opener) => opener === COIN;

const count = (game, seat) => game.known[seat].length + game.hidden[seat];

/** The seat to act, or null when the game is over. */
export function toAct(game) {
  switch (game.phase) {
    case 'first':
      return questions(game.trump, game.indicator)[game.question].seat;
    case 'defend':
      return 1 - game.attacker;
    case 'over':
      return null;
    default:
      return game.attacker;
  }
}

/** What an action must prove: {open: card}, {absent: cards}, or null. */
export function demandOf(game, { name, cards }) {
  if (name === 'deny') return { absent: cards };
  if (cards.length > 0 && !game.known[toAct(game)].includes(cards[0])) return { open: cards[0] };
  return null;
}

const onTable = (game) => game.table.flat().filter((card) => card !== null);

function isPublic(game, card) {
  return card === game.indicator || [...game.known.flat(), ...onTable(game), ...game.discard].includes(card);
}

const replaced = (pair, seat, value) => pair.map((old, i) => (i === seat ? value : old));
const sorted = (cards) => [...cards].sort((a, b) => a - b);

/** The state without a card that `seat` plays. */
function play(game, seat, card) {
  if (game.known[seat].includes(card)) {
    return {
      ...game,
      known: replaced(
        game.known,
        seat,
        game.known[seat].filter((other) => other !== card),
      ),
    };
  }
  demand(game.hidden[seat] > 0, cheating, 'a card is played that the hand cannot hold');
  demand(!isPublic(game, card), cheating, 'a card is played that lies somewhere else');
  return { ...game, hidden: replaced(game.hidden, seat, game.hidden[seat] - 1) };
}

function opened(game, attacker) {
  const cap = Math.min(Number(game.options.limit), count(game, 1 - attacker));
  return { ...game, attacker, phase: 'attack', question: null, cap };
}

function answer(game, { name, cards }) {
  const list = questions(game.trump, game.indicator);
  const asked = list[game.question];
  if (name === 'show') {
    demand(asked.cards.includes(cards[0]), cheating, 'a card is shown that was not asked for');
    demand(game.hidden[asked.seat] > 0, cheating, 'a card is shown by a hand without hidden cards');
    const known = replaced(game.known, asked.seat, sorted([...game.known[asked.seat], cards[0]]));
    const hidden = replaced(game.hidden, asked.seat, game.hidden[asked.seat] - 1);
    return opened({ ...game, known, hidden }, asked.seat);
  }
  demand(name === 'deny', cheating, `a ${name} answers no question`);
  demand(equal(cards, asked.cards), cheating, 'other cards are denied than were asked for');
  demand(game.question < list.length - 1, cheating, 'the last question cannot be denied');
  if (game.question === TRUMP_QUESTIONS - 1 && game.options.trumpless === 'host') return opened(game, 0);
  return { ...game, question: game.question + 1 };
}

const isFull = (game) => game.table.length >= game.cap || count(game, game.attacker) === 0;
const ranksOnTable = (game) => onTable(game).map(rank);

function attack(game, card) {
  const fits = game.table.length === 0 || ranksOnTable(game).includes(rank(card));
  demand(fits, cheating, 'a card is added whose rank is not on the table');
  const next = play(game, game.attacker, card);
  return { ...next, table: [...next.table, [card, null]] };
}

function beat(game, card) {
  const [last] = game.table[game.table.length - 1];
  const beats = suit(card) === suit(last) ? card > last : suit(card) === game.trump;
  demand(beats, cheating, 'a card does not beat the attack');
  const next = play(game, 1 - game.attacker, card);
  return { ...next, phase: 'attack', table: [...next.table.slice(0, -1), [last, card]] };
}

/** One seat draws: the state after, and the draw of hidden cards if there is one. */
function draw(game, seat) {
  const n = Math.min(HAND - count(game, seat), game.talon);
  if (n <= 0) return [game, []];
  const talon = game.talon - n;
  const last = talon === 0;
  const hiddenDrawn = last ? n - 1 : n;
  const known = last ? replaced(game.known, seat, sorted([...game.known[seat], game.indicator])) : game.known;
  const hidden = replaced(game.hidden, seat, game.hidden[seat] + hiddenDrawn);
  const next = { ...game, talon, known, hidden, indicator: last ? null : game.indicator };
  return [next, hiddenDrawn > 0 ? [{ seat, count: hiddenDrawn }] : []];
}

/** The end of a bout: {game, draws}. */
function endBout(game, beaten) {
  const defender = 1 - game.attacker;
  const cards = onTable(game);
  const cleared = beaten
    ? { ...game, discard: sorted([...game.discard, ...cards]) }
    : { ...game, known: replaced(game.known, defender, sorted([...game.known[defender], ...cards])) };
  const [first, firstDraws] = draw({ ...cleared, table: [] }, game.attacker);
  const [second, secondDraws] = draw(first, defender);
  const draws = [...firstDraws, ...secondDraws];
  const next = { ...second, attacker: beaten ? defender : game.attacker };
  if (next.talon === 0 && [0, 1].some((seat) => count(next, seat) === 0)) {
    return { game: { ...next, phase: 'over', cap: 0 }, draws };
  }
  const cap = Math.min(HAND, count(next, 1 - next.attacker));
  return { game: { ...next, phase: 'attack', bout: next.bout + 1, cap }, draws };
}

const goOn = (game) => ({ game, draws: [] });

const BOUT = {
  'attack attack': (game, [card]) => goOn({ ...attack(game, card), phase: 'defend' }),
  'attack done': (game) => {
    demand(game.table.length > 0, cheating, 'the attacker must lead a card');
    return endBout(game, true);
  },
  'defend beat': (game, [card]) => {
    const next = beat(game, card);
    return isFull(next) ? endBout(next, true) : goOn(next);
  },
  'defend take': (game) => {
    const ends = isFull(game) || game.options.pileOn === 'off';
    return ends ? endBout(game, false) : goOn({ ...game, phase: 'pileon' });
  },
  'pileon attack': (game, [card]) => {
    const next = attack(game, card);
    return isFull(next) ? endBout(next, false) : goOn(next);
  },
  'pileon done': (game) => endBout(game, false),
};

/** The next state and what is drawn: {game, draws: [{seat, count}]}. Throws cheating if the rules refuse the action. */
export function apply(game, action) {
  if (game.phase === 'first') return goOn(answer(game, action));
  const step = BOUT[`${game.phase} ${action.name}`];
  demand(step !== undefined, cheating, `a ${action.name} has no place here`);
  return step(game, action.cards);
}

/** {winner, loser}, both null after a draw. Only in `over`. */
export function outcome(game) {
  const empty = [0, 1].filter((seat) => count(game, seat) === 0);
  return empty.length === 2 ? { winner: null, loser: null } : { winner: empty[0], loser: 1 - empty[0] };
}

const optional = (value) => Uint8Array.from(value === null ? [] : [value]);

/** The framed fields of a state, as they are hashed. */
export function encodeState(game) {
  const fields = [
    game.options.text,
    Uint8Array.of(game.trump),
    optional(game.indicator),
    ...[0, 1].flatMap((seat) => [Uint8Array.from(game.known[seat]), Uint8Array.of(game.hidden[seat])]),
    Uint8Array.of(game.attacker),
    ascii(game.phase),
    Uint8Array.from(game.table.flatMap(([first, second]) => [first, second ?? NO_CARD])),
    Uint8Array.of(game.cap),
    Uint8Array.of(game.talon),
    Uint8Array.from(game.discard),
    u16(game.bout),
    optional(game.question),
  ];
  return concat(...fields.flatMap((field) => [u16(field.length), field]));
}

export const gameDigest = (game) => sha256(concat(ascii('p2pdurak/1/rules-state\n'), encodeState(game)));
