/** Owns the group: strict decoding, hashing to it, its constants, sums (SPEC: Group); knows no card game. */

import { ed25519 } from '@noble/curves/ed25519';
import { equal, hex, littleEndian, toLittleEndian, u16 } from './bytes.js';
import { demand, malformed } from './faults.js';
import { L, hash64 } from './hashing.js';

const { Point } = ed25519;
const Fp = Point.Fp;
const P = Fp.ORDER;
const MONTGOMERY_A = 486662n;

/** A point with its 32 bytes, which are computed once and only if somebody asks. */
export class Element {
  #bytes;

  constructor(point, bytes = undefined) {
    this.point = point;
    this.#bytes = bytes;
  }

  get bytes() {
    this.#bytes ??= this.point.toBytes();
    return this.#bytes;
  }

  plus(other) {
    return new Element(this.point.add(other.point));
  }

  minus(other) {
    return new Element(this.point.subtract(other.point));
  }

  /** `n` a BigInt of any sign. */
  times(n) {
    return linear([[n, this]]);
  }

  equals(other) {
    return this.point.equals(other.point);
  }

  get isIdentity() {
    return this.point.is0();
  }
}

export const G = new Element(Point.BASE);
const modL = (n) => ((n % L) + L) % L;
const addPoints = (points) => points.reduce((sum, point) => sum.add(point), Point.ZERO);

const KNOWN_MAX = 4096;
const known = new Map(); // a game shows the same keys and cards again and again, and the check of the subgroup is dear

/** SPEC: Points. Throws malformed for all that is no point of a peer. */
export function decodePoint(bytes) {
  demand(bytes.length === 32, malformed, 'a point has 32 bytes');
  const name = hex(bytes);
  if (!known.has(name)) {
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(name, decodeAnew(bytes.slice()));
  }
  return known.get(name);
}

function decodeAnew(bytes) {
  let point;
  try {
    point = Point.fromHex(bytes, false);
  } catch {
    throw malformed('these bytes are no point of the curve');
  }
  demand(equal(point.toBytes(), bytes), malformed, 'a point is not in its canonical form');
  demand(!point.is0(), malformed, 'the identity stands for nothing');
  demand(point.isTorsionFree(), malformed, 'a point lies outside the subgroup of prime order');
  return new Element(point, bytes);
}

/** SPEC: Scalars. A BigInt below L. */
export function decodeScalar(bytes) {
  demand(bytes.length === 32, malformed, 'a scalar has 32 bytes');
  const n = littleEndian(bytes);
  demand(n < L, malformed, 'a scalar is not below the order of the group');
  return n;
}

export const encodeScalar = toLittleEndian;

const WINDOW = 4;
const DIGITS = 64;
const MSM_FROM = 8; // below this many terms the buckets of noble's msm cost more than they save

function smallMultiples(point) {
  const table = [Point.ZERO, point];
  while (table.length < 1 << WINDOW) table.push(table[table.length - 1].add(point));
  return table;
}

/** Straus: one chain of doublings for all terms. */
function interleaved(terms) {
  const tables = terms.map(([, element]) => smallMultiples(element.point));
  let sum = Point.ZERO;
  for (let digit = DIGITS - 1; digit >= 0; digit--) {
    for (let i = 0; i < WINDOW; i++) sum = sum.double();
    terms.forEach(([n], i) => {
      const window = Number((n >> BigInt(digit * WINDOW)) & 15n);
      if (window) sum = sum.add(tables[i][window]);
    });
  }
  return sum;
}

/**
 * The sum of n E over `terms` [n, E]. Nothing here is secret, so no step runs in constant time. G has a table of its
 * own;
 * few other terms share one chain of doublings, many go to noble's multi-scalar multiplication.
 */
export function linear(terms) {
  const reduced = terms.map(([n, element]) => [modL(n), element]);
  const fixed = reduced.filter(([, element]) => element === G).map(([n]) => Point.BASE.multiplyUnsafe(n));
  const others = reduced.filter(([n, element]) => element !== G && n !== 0n);
  if (others.length >= MSM_FROM) {
    fixed.push(
      Point.msm(
        others.map(([, element]) => element.point),
        others.map(([n]) => n),
      ),
    );
  } else if (others.length > 0) {
    fixed.push(interleaved(others));
  }
  return new Element(addPoints(fixed));
}

export const sum = (elements) => new Element(addPoints(elements.map((element) => element.point)));

const isSquare = (n) => Fp.is0(n) || Fp.eql(Fp.pow(n, (P - 1n) / 2n), 1n);

/** Elligator 2 (SPEC: Hashing to the group): 32 bytes to a point of the subgroup. */
export function map(r) {
  const sign = r[31] & 0x80;
  const bare = r.slice();
  bare[31] &= 0x7f;
  const e = Fp.create(littleEndian(bare));
  let u = Fp.div(Fp.neg(MONTGOMERY_A), Fp.add(1n, Fp.mul(2n, Fp.sqr(e))));
  const right = Fp.mul(u, Fp.add(Fp.add(Fp.sqr(u), Fp.mul(MONTGOMERY_A, u)), 1n));
  if (!isSquare(right)) u = Fp.sub(Fp.neg(MONTGOMERY_A), u);
  const y = toLittleEndian(Fp.div(Fp.sub(u, 1n), Fp.add(u, 1n)));
  y[31] |= sign;
  return new Element(Point.fromHex(y, true).clearCofactor());
}

export function hashToGroup(label, message) {
  const h = hash64(label, message);
  return map(h.slice(0, 32)).plus(map(h.slice(32)));
}

/** A list of constants that grows on demand: entry i is HG(label, U16(i)). */
function constants(label) {
  const known = [];
  return (count) => {
    while (known.length < count) known.push(hashToGroup(label, u16(known.length)));
    return known.slice(0, count);
  };
}

/** M_0 ... M_{n-1}. */
export const cardPoints = constants('card');
/** H, H_1 ... H_{n-1}. */
export const pedersenPoints = constants('pedersen');

/** Whether 8 times what the bytes stand for is the identity; bytes that stand for nothing have no order. */
export function hasSmallOrder(bytes) {
  try {
    return Point.fromHex(bytes, true).isSmallOrder();
  } catch {
    return false;
  }
}
