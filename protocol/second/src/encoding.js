/** Owns the canonical MessagePack of signed messages (SPEC: Encoding); does not know the messages. */

import { encode } from '@msgpack/msgpack';
import { demand, malformed } from './faults.js';

/** The canonical bytes of an array of numbers and byte strings: msgpack's own shortest forms. */
export const pack = (values) => encode(values);

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** One message's bytes and a place in them. Every method takes one value in its shortest form or throws malformed. */
export class Reader {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  #take(count) {
    demand(this.#at + count <= this.#bytes.length, malformed, 'a message ends within a value');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  #number(width, least) {
    const n = this.#take(width).reduce((value, byte) => value * 256 + byte, 0);
    demand(n >= least, malformed, 'a number or a length is not in its shortest form');
    return n;
  }

  end() {
    demand(this.#at === this.#bytes.length, malformed, 'there are bytes behind the message');
  }

  uint() {
    const first = this.#take(1)[0];
    if (first < 0x80) return first;
    switch (first) {
      case 0xcc:
        return this.#number(1, 2 ** 7);
      case 0xcd:
        return this.#number(2, 2 ** 8);
      case 0xce:
        return this.#number(4, 2 ** 16);
      case 0xcf: // beyond 2^53 the number is not exact, but it is above every bound of these messages all the same
        return this.#number(8, 2 ** 32);
      default:
        throw malformed('a number was expected');
    }
  }

  bool() {
    const first = this.#take(1)[0];
    demand(first === 0xc2 || first === 0xc3, malformed, 'true or false was expected');
    return first === 0xc3;
  }

  text() {
    const first = this.#take(1)[0];
    let length;
    if (first >= 0xa0 && first <= 0xbf) length = first - 0xa0;
    else if (first === 0xd9) length = this.#number(1, 32);
    else if (first === 0xda) length = this.#number(2, 256);
    else throw malformed('a text was expected');
    try {
      return UTF8.decode(this.#take(length));
    } catch (error) {
      throw error.kind ? error : malformed('a text is not UTF-8');
    }
  }

  bytes() {
    const first = this.#take(1)[0];
    demand(first === 0xc4 || first === 0xc5, malformed, 'bytes were expected');
    return this.#take(first === 0xc4 ? this.#number(1, 0) : this.#number(2, 256));
  }

  arrayLength() {
    const first = this.#take(1)[0];
    if (first >= 0x90 && first <= 0x9f) return first - 0x90;
    demand(first === 0xdc, malformed, 'an array was expected');
    return this.#number(2, 16);
  }
}

// The types of the SPEC's tables: each is a function from a reader to a value.

export const int = (least, most) => (reader) => {
  const n = reader.uint();
  demand(n >= least && n <= most, malformed, `a number is not from ${least} to ${most}`);
  return n;
};

export const bool = (reader) => reader.bool();

/** At most `letters` code points, and at most `size` bytes of UTF-8. */
export const text =
  (letters, size = Infinity) =>
  (reader) => {
    const words = reader.text();
    demand([...words].length <= letters, malformed, `a text has more than ${letters} characters`);
    demand(new TextEncoder().encode(words).length <= size, malformed, `a text has more than ${size} bytes`);
    return words;
  };

export const bytes = (size) => (reader) => {
  const value = reader.bytes();
  demand(value.length === size, malformed, `there are not exactly ${size} bytes`);
  return value;
};

export const bytesUpTo = (most) => (reader) => {
  const value = reader.bytes();
  demand(value.length <= most, malformed, `there are more than ${most} bytes`);
  return value;
};

export const listUpTo = (type, most) => (reader) => {
  const length = reader.arrayLength();
  demand(length <= most, malformed, `a list has more than ${most} parts`);
  return Array.from({ length }, () => type(reader));
};

/** An array with a fixed place for each field; `fields` maps names to types. */
export const tuple = (fields) => (reader) => {
  const names = Object.keys(fields);
  demand(reader.arrayLength() === names.length, malformed, 'an array has too few or too many fields');
  const value = {};
  for (const name of names) value[name] = fields[name](reader, value);
  return value;
};

/** Reads a whole message. */
export function unpack(type, message) {
  const reader = new Reader(message);
  const value = type(reader);
  reader.end();
  return value;
}
