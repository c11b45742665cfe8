import { operation } from '../alignment/trace-back.ts';
import type { ReferenceNetwork } from './reference-network.ts';

/** The symbol of an arc without a word; no other symbol equals it. */
export const nothing = 0;

/** A network as numbers. Arc 0 stands before the first place; arcs of the network count from 1. */
export interface NetworkTable {
  /** Arcs, the one before the first place included. */
  readonly arcs: number;
  readonly places: number;
  /** By arc: equal words have equal symbols; words from 1, `nothing` otherwise. */
  readonly symbols: Int32Array;
  readonly optional: Uint8Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Whether each arc but the first follows the one before it and no other. */
  readonly linear: boolean;
  /** Arcs that lead to a place, in their order, from `entries[firstEntry[place]]` on. */
  readonly firstEntry: Int32Array;
  readonly entries: Int32Array;
}

/**
 * @param symbolOf gives equal words equal numbers from 1
 * @throws RangeError where an arc comes before one that leads to it, or a place cannot be reached or left
 */
export function tableOf(network: ReferenceNetwork, symbolOf: (word: string) => number): NetworkTable {
  const arcs = network.arcs.length + 1;
  const symbols = new Int32Array(arcs);
  const optional = new Uint8Array(arcs);
  const from = new Int32Array(arcs);
  const to = new Int32Array(arcs);
  const firstEntry = new Int32Array(network.places + 1);
  const left = new Uint8Array(network.places);
  let linear = true;
  firstEntry[1] = 1;
  for (const [index, arc] of network.arcs.entries()) {
    const reached = firstEntry[arc.from + 1];
    if (!reached || arc.from === 1 || arc.to === 0 || !(arc.to < network.places) || left[arc.to]) {
      throw new RangeError(
        `arcs must lead from place 0 to place 1 of ${network.places}, each after those before it; arc ${index} does not`,
      );
    }
    left[arc.from] = 1;
    symbols[index + 1] = arc.word === null ? nothing : symbolOf(arc.word);
    optional[index + 1] = arc.optional ? 1 : 0;
    from[index + 1] = arc.from;
    to[index + 1] = arc.to;
    firstEntry[arc.to + 1]!++;
    if (arc.from !== to[index]) linear = false;
  }
  for (let place = 0; place < network.places; place++) {
    if (firstEntry[place + 1] === 0 || (left[place] === 0 && place !== 1)) {
      throw new RangeError(
        `every place of a network must lie on a way from place 0 to place 1; place ${place} does not`,
      );
    }
  }
  for (let place = 1; place <= network.places; place++) {
    firstEntry[place]! += firstEntry[place - 1]!;
    if (firstEntry[place]! - firstEntry[place - 1]! !== 1) linear = false;
  }
  const entries = new Int32Array(arcs);
  const next = firstEntry.slice();
  for (let arc = 0; arc < arcs; arc++) entries[next[to[arc]!]!++] = arc;
  return { arcs, places: network.places, symbols, optional, from, to, linear, firstEntry, entries };
}

/** What the steps of a path through two networks cost; what agrees costs nothing. */
export interface StepCosts {
  readonly substitution: number;
  readonly deletionOrInsertion: number;
  readonly optionalLeftOut: number;
  /** For an alternative that says nothing. */
  readonly nothing: number;
}

/** A path from the end to the beginning: which arcs each step passes, 0 where a side rests. */
export interface BackwardPath {
  readonly reference: readonly number[];
  readonly hypothesis: readonly number[];
}

/** The costs at one place of the reference, by column; Infinity outside of `low` to `high`. */
export interface PlaceRow {
  /** Null once no arc needs them any more. */
  readonly costs: Float32Array | null;
  readonly low: number;
  readonly high: number;
  /** The first of the arcs to this place over which the cost is reached, from column `low` on; null where one leads to it. */
  readonly over: Int32Array | null;
}

/** The rows of the places that a walk through a reference has reached and not yet left. */
interface PlaceRows {
  at(place: number): PlaceRow | undefined;
  /** Over which arc a place is reached at a column. */
  over(place: number, column: number): number;
  /** A row of Infinity. */
  take(): Float32Array;
  /** Gives the row of an arc to the place it leads to, where the lesser cost stays, of equal ones the one before. */
  arrive(arc: number, costs: Float32Array, low: number, high: number): void;
  /** The arc has been passed: its row's place is left if no other arc leaves it. */
  leave(arc: number): void;
  /** Forgets over which arcs places were reached that no arc leaves any more. */
  forgetLeft(): void;
  /** Bytes that knowing these arcs takes. */
  overBytes(): number;
  copy(): ReadonlyMap<number, PlaceRow>;
  /** Goes on from a copy, which stays as it is. */
  restore(copy: ReadonlyMap<number, PlaceRow>): void;
}

/** @param columns of each row */
export function createPlaceRows(reference: NetworkTable, columns: number): PlaceRows {
  const { arcs, places, from, to, firstEntry, entries } = reference;
  const lastUse = new Int32Array(places);
  lastUse[1] = arcs;
  for (let arc = 1; arc < arcs; arc++) lastUse[from[arc]!] = arc;
  const rows = new Map<number, PlaceRow>();
  const spare: Float32Array[] = [];
  let overBytes = 0;

  const take = () => spare.pop() ?? new Float32Array(columns).fill(Number.POSITIVE_INFINITY);
  const giveBack = (costs: Float32Array, low: number, high: number) => {
    costs.fill(Number.POSITIVE_INFINITY, low, high + 1);
    spare.push(costs);
  };
  const clear = () => {
    for (const { costs, low, high } of rows.values()) if (costs) giveBack(costs, low, high);
    rows.clear();
    overBytes = 0;
  };

  const join = (known: PlaceRow, arc: number, costs: Float32Array, low: number, high: number): PlaceRow => {
    const kept = known.costs!;
    const least = Math.min(known.low, low);
    const most = Math.max(known.high, high);
    const over = new Int32Array(most - least + 1).fill(arc);
    over.set(known.over!, known.low - least);
    for (let column = low; column <= high; column++) {
      if (costs[column]! < kept[column]!) {
        kept[column] = costs[column]!;
        over[column - least] = arc;
      }
    }
    overBytes += 4 * (over.length - known.over!.length);
    return { costs: kept, low: least, high: most, over };
  };

  return {
    at: (place) => rows.get(place),
    over(place, column) {
      const row = rows.get(place);
      return row?.over?.[column - row.low] ?? entries[firstEntry[place]!]!;
    },
    take,
    arrive(arc, costs, low, high) {
      const place = to[arc]!;
      if (low > high) {
        giveBack(costs, 0, -1);
        return;
      }
      const known = rows.get(place);
      if (known) {
        rows.set(place, join(known, arc, costs, low, high));
        giveBack(costs, low, high);
        return;
      }
      const joins = firstEntry[place + 1]! - firstEntry[place]! > 1;
      const over = joins ? new Int32Array(high - low + 1).fill(arc) : null;
      if (over) overBytes += over.byteLength;
      rows.set(place, { costs, low, high, over });
    },
    leave(arc) {
      const place = from[arc]!;
      const row = rows.get(place);
      if (lastUse[place] !== arc || !row?.costs) return;
      giveBack(row.costs, row.low, row.high);
      // Where arcs join, the way back asks which was taken, as long as this stretch is looked at.
      if (row.over) rows.set(place, { ...row, costs: null });
      else rows.delete(place);
    },
    forgetLeft() {
      overBytes = 0;
      for (const [place, { costs, over }] of rows) {
        if (costs === null) rows.delete(place);
        else overBytes += over?.byteLength ?? 0;
      }
    },
    overBytes: () => overBytes,
    copy() {
      const copyOf = (row: PlaceRow) => ({ ...row, costs: row.costs?.slice(row.low, row.high + 1) ?? null });
      return new Map([...rows].map(([place, row]) => [place, copyOf(row)]));
    },
    restore(copy) {
      clear();
      for (const [place, { costs: kept, low, high, over }] of copy) {
        const costs = take();
        costs.set(kept!, low);
        rows.set(place, { costs, low, high, over });
        overBytes += over?.byteLength ?? 0;
      }
    },
  };
}

/**
 * One row of the matrix of two networks where the hypothesis has one wording, the case that long transcripts are: as in
 * `networkPath`, without looking for the best of several columns before.
 *
 * @param row receives the costs; the one before `first` is there
 * @param above costs at the place from which the arc of this row leaves
 * @param first at least 1
 * @param last the last column
 * @param whole whether all costs are whole numbers, so that sums need no rounding to 32 bits
 * @param stepsStart where the step of column 0 would stand
 */
export function linearRow(
  row: Float32Array,
  above: Float32Array,
  first: number,
  last: number,
  symbol: number,
  hypothesisSymbols: Int32Array,
  substitution: number,
  deletionCost: number,
  insertionCosts: Float32Array,
  whole: boolean,
  steps: Uint8Array,
  stepsStart: number,
): void {
  const neverPaired = 2 * substitution;
  const pairCost = symbol === nothing ? neverPaired : substitution;
  let left = row[first - 1]!;
  let diagonal = above[first - 1]!;
  for (let column = first; column <= last; column++) {
    const other = hypothesisSymbols[column]!;
    const up = above[column]!;
    const differs = Number(other !== symbol || symbol === nothing);
    let inserted = left + insertionCosts[column]!;
    let deleted = up + deletionCost;
    // An empty alternative is never set against a word.
    let paired = diagonal + differs * (other === nothing ? neverPaired : pairCost);
    if (!whole) {
      inserted = Math.fround(inserted);
      deleted = Math.fround(deleted);
      paired = Math.fround(paired);
    }
    const gap = Math.min(inserted, deleted);
    const best = Math.min(gap, paired);
    // Without branches: which step wins is as good as chance, and a wrong guess costs more than the rest.
    // (A deletion is one less than an insertion.)
    const rests = Number(gap < paired);
    steps[stepsStart + column] = differs + rests * (operation.insertion - differs - Number(deleted < inserted));
    row[column] = best;
    left = best;
    diagonal = up;
  }
}
