import { canonicalJson, type Json } from './json.ts';
import { sha256Words } from './sha256.ts';

const utf8 = new TextEncoder();

/** Where nobody names another. */
export const defaultSeed = 1;

/** A seeded source of random numbers. It is always passed in, never global, so that the same seed gives the same run. */
export interface Random {
  /** The next number in [0, 1), 32 bits fine. */
  next(): number;
  /** A whole number from 0 to `bound - 1`, each alike likely. */
  integer(bound: number): number;
  /** The next draw of the standard normal distribution. */
  normal(): number;
  /** The next numbers of 32 bits, as many as there is room for: several times as fast as one by one. */
  words(into: Int32Array): void;
}

/**
 * A generator that belongs to what it is seeded from: the same value gives the same numbers everywhere.
 * Algorithm: sfc32 (Chris Doty-Humphrey, PractRand), 128 bits of state taken from SHA-256 of the canonical JSON.
 *
 * @example
 * const random = createRandom({ run: 7, utterance: 'a' });
 * random.integer(6) + 1; // a die
 */
export function createRandom(seed: Json): Random {
  const words = sha256Words(utf8.encode(canonicalJson(seed)));
  const state = Int32Array.of(words[0]!, words[1]!, words[2]!, words[3]! | 1);
  const one = new Int32Array(1);
  const bits = (): number => {
    draw(state, one);
    return one[0]! >>> 0;
  };
  for (let round = 0; round < 12; round++) bits();

  let spare: number | null = null;
  const next = () => bits() / 4294967296;
  return {
    next,
    integer(bound) {
      // Values past the last whole multiple of the bound are drawn again, so that no remainder is favoured.
      const limit = 4294967296 - (4294967296 % bound);
      let value = bits();
      while (value >= limit) value = bits();
      return value % bound;
    },
    normal() {
      if (spare !== null) {
        const value = spare;
        spare = null;
        return value;
      }
      // Marsaglia and Bray (1964), polar method.
      for (;;) {
        const u = 2 * next() - 1;
        const v = 2 * next() - 1;
        const square = u * u + v * v;
        if (square > 0 && square < 1) {
          const factor = Math.sqrt((-2 * Math.log(square)) / square);
          spare = v * factor;
          return u * factor;
        }
      }
    },
    words: (into) => draw(state, into),
  };
}

/** The next numbers of sfc32, as many as there is room for. A function of its own, as it is compiled best where all generators share it. */
function draw(state: Int32Array, into: Int32Array): void {
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let counter = state[3]!;
  for (let n = 0; n < into.length; n++) {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    into[n] = sum;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}
