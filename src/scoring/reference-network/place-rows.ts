import type { NetworkTable } from './network-table.ts';

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
export interface PlaceRows {
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
