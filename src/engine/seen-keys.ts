/** Remembers which keys it has seen, in a fixed amount of memory: it may take a new key for a known one, never the reverse. */
export interface SeenKeys {
  /** Whether the key may have been seen before; from now on it has. */
  see(key: string): boolean;
}

const bits = 2 ** 25;

/**
 * A Bloom filter (B. Bloom, Communications of the ACM 13(7), 1970) of 4 MiB with three probes: among a million keys about
 * one in 500 is taken for a known one.
 *
 * @param key hexadecimal digits of a hash, at least 24
 */
export function createSeenKeys(): SeenKeys {
  const words = new Uint32Array(bits / 32);
  return {
    see(key) {
      let known = true;
      for (let probe = 0; probe < 3; probe++) {
        const bit = Number.parseInt(key.slice(probe * 8, probe * 8 + 8), 16) % bits;
        const mask = 1 << (bit & 31);
        const word = bit >>> 5;
        if ((words[word]! & mask) === 0) known = false;
        words[word]! |= mask;
      }
      return known;
    },
  };
}
