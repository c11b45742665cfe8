import type { Json } from '../../base/json.ts';
import { createRandom, type Random } from '../../base/random.ts';
import { sha256Digits } from '../../base/sha256.ts';

/** Random numbers that belong to what is resampled with them. */
export type RandomOfData = (tables: readonly Float64Array[]) => Random;

/**
 * Random numbers that come from a seed and from the counts that are resampled, so that one quantity has one interval wherever
 * it is computed: the same counts of the same number of clusters, in whatever order, are resampled alike. Two rates that
 * change places give the difference with its sign changed, and its interval turned round.
 *
 * Counts are told apart by 24 bits each, so that sums of the same fractions in another order count as the same.
 *
 * @example rateInterval(counts, { random: randomOfData(7) }) // the same interval as anywhere else with seed 7
 */
export function randomOfData(seed: Json): RandomOfData {
  return (tables) => {
    const counts = new Float32Array(tables.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const table of tables) {
      counts.set(table, at);
      at += table.length;
    }
    return createRandom({ seed, data: sha256Digits(new Uint8Array(counts.buffer)) });
  };
}

/** Tables in an order that does not depend on how they were counted. */
export interface ArrangedTables {
  readonly tables: readonly Float64Array[];
  /** Whether the two rates that are compared have changed places. */
  readonly turned: boolean;
}

/**
 * The rows of tables in the order of their values; of two rates the one that comes first by them stands first.
 *
 * @param width columns of a table: 2 for one rate, 4 for two of the same clusters
 */
export function arrangeTables(tables: readonly Float64Array[], width: number): ArrangedTables {
  const sorted = tables.map((table) => sortedRows(table, width));
  if (sorted.length === 1 && width === 2) return { tables: sorted, turned: false };
  const others = sorted.length === 2 ? [sorted[1]!, sorted[0]!] : [sortedRows(exchanged(tables[0]!), width)];
  return precedes(others, sorted) ? { tables: others, turned: true } : { tables: sorted, turned: false };
}

function sortedRows(table: Float64Array, width: number): Float64Array {
  const order = Uint32Array.from({ length: table.length / width }, (_, row) => row * width);
  const keys = Float32Array.from(table);
  order.sort((one, other) => {
    for (let column = 0; column < width; column++) {
      const difference = keys[one + column]! - keys[other + column]!;
      if (difference !== 0) return difference;
    }
    return 0;
  });
  const rows = new Float64Array(table.length);
  order.forEach((place, row) => {
    rows.set(table.subarray(place, place + width), row * width);
  });
  return rows;
}

/** Counts of two rates of the same clusters, the second first. */
function exchanged(table: Float64Array): Float64Array {
  const result = new Float64Array(table.length);
  for (let place = 0; place < table.length; place++) result[place] = table[place ^ 2]!;
  return result;
}

function precedes(one: readonly Float64Array[], other: readonly Float64Array[]): boolean {
  for (const [index, table] of one.entries()) {
    const beside = other[index]!;
    if (table.length !== beside.length) return table.length < beside.length;
    for (let place = 0; place < table.length; place++) {
      const difference = Math.fround(table[place]!) - Math.fround(beside[place]!);
      if (difference !== 0) return difference < 0;
    }
  }
  return false;
}
