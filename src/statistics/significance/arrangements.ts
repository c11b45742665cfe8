import type { Random } from '../../base/random.ts';

/**
 * Calls with subsets of `units` things, as one byte for eight of them: with every subset where there are at most
 * `permutations`, else with so many random ones.
 *
 * @returns how many calls were made, and whether they were all the subsets there are
 */
export function eachArrangement(
  units: number,
  permutations: number,
  random: Random,
  call: (subset: Uint8Array) => void,
): { readonly arrangements: number; readonly exact: boolean } {
  requirePermutations(permutations);
  const octets = Math.ceil(units / 8);
  const subset = new Uint8Array(4 * Math.ceil(octets / 4));
  const arrangements = 2 ** units;
  if (arrangements <= permutations || units === 0) {
    for (let arrangement = 0; arrangement < arrangements; arrangement++) {
      for (let octet = 0; octet < octets; octet++) subset[octet] = Math.floor(arrangement / 256 ** octet) & 255;
      call(subset);
    }
    return { arrangements, exact: true };
  }
  for (let permutation = 0; permutation < permutations; permutation++) {
    for (let octet = 0; octet < octets; octet += 4) {
      const bits = Math.floor(random.next() * 4294967296);
      subset[octet] = bits & 255;
      subset[octet + 1] = (bits >>> 8) & 255;
      subset[octet + 2] = (bits >>> 16) & 255;
      subset[octet + 3] = bits >>> 24;
    }
    call(subset);
  }
  return { arrangements: permutations, exact: false };
}

/** @throws RangeError unless a whole number above 0 */
export function requirePermutations(permutations: number): void {
  if (!(Number.isInteger(permutations) && permutations > 0)) {
    throw new RangeError(`expected a whole number of permutations above 0, but got ${permutations}`);
  }
}
