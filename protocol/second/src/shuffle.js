/** Owns the proof that a deck was only permuted and remasked (SPEC: Shuffle); does not know whose deck it is. */

import { concat, u16 } from './bytes.js';
import { encodeDeck } from './deck.js';
import { G, decodePoint, decodeScalar, linear, pedersenPoints, sum } from './group.js';
import { L, hash64, hashToScalar } from './hashing.js';
import { demandChallenge, words } from './proofs.js';

const join = (elements) => concat(...elements.map((element) => element.bytes));

function decodeProof(bytes, n) {
  const parts = words(bytes, 4 * n + 5);
  const points = parts.slice(0, 2 * n).map(decodePoint);
  const [c, s1, s2, s3, s4, ...rest] = parts.slice(2 * n).map(decodeScalar);
  return { cs: points.slice(0, n), chats: points.slice(n), c, s1, s2, s3, s4, sh: rest.slice(0, n), sp: rest.slice(n) };
}

function commitments({ cs, chats, c, s1, s2, s3, s4, sh, sp }, { Y, H, Hs, input, output, us, product }) {
  const n = us.length;
  const weighted = (factors, elements) => elements.map((element, i) => [factors[i], element]);
  const answers = (half) => [
    ...weighted(
      sp,
      output.map((card) => card[half]),
    ),
    ...weighted(
      us.map((u) => -c * u),
      input.map((card) => card[half]),
    ),
  ];
  return {
    t1: linear([
      [s1, G],
      [-c, sum(cs)],
      [c, sum(Hs)],
    ]),
    t2: linear([
      [s2, G],
      [-c, chats[n - 1]],
      [c * product, H],
    ]),
    t3: linear([
      [s3, G],
      ...weighted(sp, Hs),
      ...weighted(
        us.map((u) => -c * u),
        cs,
      ),
    ]),
    t41: linear([[-s4, G], ...answers('A')]),
    t42: linear([[-s4, Y], ...answers('B')]),
    th: chats.map((chat, i) =>
      linear([
        [sh[i], G],
        [sp[i], i === 0 ? H : chats[i - 1]],
        [-c, chat],
      ]),
    ),
  };
}

/** The values on the way, the challenge that they give, and the one that the proof states. */
export function shuffle(ctx, Y, input, output, proof) {
  const n = input.length;
  const parts = decodeProof(proof, n);
  const [H, ...Hs] = pedersenPoints(n + 1);
  const statement = [ctx, G.bytes, Y.bytes, join([H, ...Hs]), encodeDeck(input), encodeDeck(output)];
  const seed = hash64('shuffle seed', ...statement, join(parts.cs));
  const us = parts.cs.map((_, k) => hashToScalar('shuffle u', seed, u16(k)));
  const product = us.reduce((all, u) => (all * u) % L, 1n);
  const t = commitments(parts, { Y, H, Hs, input, output, us, product });
  const tail = [join(parts.cs), join(parts.chats), join([t.t1, t.t2, t.t3, t.t41, t.t42]), join(t.th)];
  return { seed, us, product, ...t, c: parts.c, challenge: hashToScalar('challenge shuffle', ...statement, ...tail) };
}

export function checkShuffle(ctx, Y, input, output, proof) {
  const { c, challenge } = shuffle(ctx, Y, input, output, proof);
  demandChallenge(challenge, c, 'the shuffle');
}
