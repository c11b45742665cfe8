import { operation } from '../alignment/trace-back.ts';
import {
  type BackwardPath,
  createPlaceRows,
  linearRow,
  type NetworkTable,
  nothing,
  type PlaceRow,
  type StepCosts,
} from './network-table.ts';
import type { RemainingCost } from './remaining-cost.ts';

/** The matrix of two networks as `networkPath` describes it. */
export interface NetworkMatrix {
  /**
   * The cheapest path, computed where cost and remaining cost are within the bound; null where it costs more.
   *
   * @param remaining null where the whole matrix is to be computed
   */
  path(bound: number, remaining: RemainingCost | null): BackwardPath | null;
}

/**
 * @param whole whether all costs are whole numbers, so that sums need no rounding to 32 bits
 * @param historyBytes what kept steps may take
 */
export function createNetworkMatrix(
  reference: NetworkTable,
  hypothesis: NetworkTable,
  costs: StepCosts,
  matches: ((referenceSymbol: number, hypothesisSymbol: number) => boolean) | null,
  whole: boolean,
  historyBytes: number,
): NetworkMatrix {
  const columns = hypothesis.arcs;
  const { substitution, deletionOrInsertion } = costs;
  const gapCosts = ({ symbols, optional }: NetworkTable) =>
    Float32Array.from(symbols, (symbol, arc) =>
      symbol === nothing ? costs.nothing : optional[arc] ? costs.optionalLeftOut : deletionOrInsertion,
    );
  const deletionCosts = gapCosts(reference);
  const insertionCosts = gapCosts(hypothesis);
  const reach = furthestAfter(hypothesis);
  const rows = createPlaceRows(reference, columns);

  // The steps of the stretch of rows that is looked at, row after row.
  const rowStarts = new Int32Array(reference.arcs);
  const rowLows = new Int32Array(reference.arcs);
  let steps = new Uint8Array(1 << 12);
  let before = hypothesis.linear ? null : new Int32Array(steps.length);
  let used = 0;
  const makeRoom = (cells: number) => {
    if (used + cells <= steps.length) return;
    const size = Math.max(used + cells, 2 * steps.length);
    steps = enlarged(steps, new Uint8Array(size));
    before = before && enlarged(before, new Int32Array(size));
  };

  let bound = Number.POSITIVE_INFINITY;
  let remaining: RemainingCost | null = null;
  const promising = (arc: number, column: number, cost: number) =>
    cost + (remaining === null ? 0 : remaining(arc, column)) <= bound && cost < Number.POSITIVE_INFINITY;

  /** Of the arcs before a column, the one over which the place is reached best; ties as sclite has them. */
  const bestBefore = (place: number, costsThere: Float32Array, from: number) => {
    const first = hypothesis.firstEntry[from]!;
    const end = hypothesis.firstEntry[from + 1]!;
    let best = hypothesis.entries[first]!;
    for (let index = first + 1; index < end; index++) {
      const column = hypothesis.entries[index]!;
      const better = costsThere[column]! - costsThere[best]!;
      if (better < 0 || (better === 0 && rows.over(place, column) < rows.over(place, best))) best = column;
    }
    return best;
  };

  // Each of these fills a row from a column on, as far as it may matter, and answers the last column filled.

  const fillFirst = (row: Float32Array): number => {
    row[0] = 0;
    let end = reach[0]!;
    for (let column = 1; column <= end; column++) {
      const previous = before ? firstCheapest(row, hypothesis, hypothesis.from[column]!) : column - 1;
      row[column] = row[previous]! + insertionCosts[column]!;
      steps[used + column] = operation.insertion;
      if (before) before[used + column] = previous;
      if (promising(0, column, row[column]!)) end = reach[column]!;
    }
    return end;
  };

  const fillLinear = (row: Float32Array, arc: number, above: PlaceRow): number => {
    const { low, high } = above;
    const stepsStart = used - low;
    const deletionCost = deletionCosts[arc]!;
    if (low === 0) {
      row[0] = above.costs![0]! + deletionCost;
      steps[stepsStart] = operation.deletion;
    }
    let end = reach[high]!;
    linearRow(
      row,
      above.costs!,
      Math.max(1, low),
      end,
      reference.symbols[arc]!,
      hypothesis.symbols,
      substitution,
      deletionCost,
      insertionCosts,
      whole,
      steps,
      stepsStart,
    );
    // Further on there are insertions alone.
    while (end < columns - 1 && promising(arc, end, row[end]!)) {
      end++;
      row[end] = row[end - 1]! + insertionCosts[end]!;
      steps[stepsStart + end] = operation.insertion;
    }
    return end;
  };

  const fillNetwork = (row: Float32Array, arc: number, above: PlaceRow): number => {
    const { low, high } = above;
    const costsAbove = above.costs!;
    const from = reference.from[arc]!;
    const symbol = reference.symbols[arc]!;
    const deletionCost = deletionCosts[arc]!;
    const stepsStart = used - low;
    let end = reach[high]!;
    for (let column = low; column <= end; column++) {
      const deleted = Math.fround(costsAbove[column]! + deletionCost);
      let best = deleted;
      let step: number = operation.deletion;
      let previous = 0;
      if (column > 0) {
        const other = hypothesis.symbols[column]!;
        const place = hypothesis.from[column]!;
        const insertedAfter = before ? firstCheapest(row, hypothesis, place) : column - 1;
        previous = before ? bestBefore(from, costsAbove, place) : column - 1;
        const words = symbol !== nothing && other !== nothing;
        const agrees = words && (matches ? matches(symbol, other) : symbol === other);
        // An empty alternative is never set against a word.
        const pairCost = agrees ? 0 : words ? substitution : 2 * substitution;
        const inserted = Math.fround(row[insertedAfter]! + insertionCosts[column]!);
        const paired = Math.fround(costsAbove[previous]! + pairCost);
        if (inserted <= deleted) {
          step = operation.insertion;
          best = inserted;
        }
        if (paired <= best) {
          step = agrees ? operation.correct : operation.substitution;
          best = paired;
        }
        if (step === operation.insertion) previous = insertedAfter;
      }
      row[column] = best;
      steps[stepsStart + column] = step;
      if (before) before[stepsStart + column] = previous;
      if (reach[column]! > end && promising(arc, column, best)) end = reach[column]!;
    }
    return end;
  };

  const passArc = (arc: number) => {
    const above = arc === 0 ? undefined : rows.at(reference.from[arc]!);
    if (arc > 0 && !above) return;
    let low = above?.low ?? 0;
    makeRoom(columns - low);
    rowStarts[arc] = used;
    rowLows[arc] = low;
    const row = rows.take();
    const fill = hypothesis.linear && !matches ? fillLinear : fillNetwork;
    let high = above ? fill(row, arc, above) : fillFirst(row);
    used += high + 1 - low;
    for (; low <= high && !promising(arc, low, row[low]!); low++) row[low] = Number.POSITIVE_INFINITY;
    for (; low <= high && !promising(arc, high, row[high]!); high--) row[high] = Number.POSITIVE_INFINITY;
    rows.arrive(arc, row, low, high);
    if (arc > 0) rows.leave(arc);
  };

  const path = (costBound: number, remainingCost: RemainingCost | null): BackwardPath | null => {
    bound = costBound;
    remaining = remainingCost;
    rows.restore(new Map());
    used = 0;
    const starts = [0];
    const checkpoints = [rows.copy()];
    for (let arc = 0; arc < reference.arcs; arc++) {
      if (used * (before ? 5 : 1) + rows.overBytes() > historyBytes) {
        rows.forgetLeft();
        starts.push(arc);
        checkpoints.push(rows.copy());
        used = 0;
      }
      passArc(arc);
    }
    const last = rows.at(1);
    if (!last) return null;
    let column = bestBefore(1, last.costs!, 1);
    if (!(last.costs![column]! <= bound)) return null;

    const found = { reference: [] as number[], hypothesis: [] as number[] };
    let arc = rows.over(1, column);
    while (arc > 0 || column > 0) {
      while (arc < starts.at(-1)!) {
        const end = starts.pop()!;
        checkpoints.pop();
        rows.restore(checkpoints.at(-1)!);
        used = 0;
        for (let again = starts.at(-1)!; again < end; again++) passArc(again);
      }
      const place = rowStarts[arc]! + column - rowLows[arc]!;
      const step = steps[place]!;
      found.reference.push(step === operation.insertion ? 0 : arc);
      found.hypothesis.push(step === operation.deletion ? 0 : column);
      if (step !== operation.deletion) column = before ? before[place]! : column - 1;
      if (step !== operation.insertion) arc = rows.over(reference.from[arc]!, column);
    }
    return found;
  };
  return { path };
}

/** For each column the furthest one that a step from it or one before it may lead to. */
function furthestAfter({ arcs, places, from, to }: NetworkTable): Int32Array {
  const lastExit = new Int32Array(places);
  for (let arc = 1; arc < arcs; arc++) lastExit[from[arc]!] = arc;
  const reach = new Int32Array(arcs);
  let furthest = 0;
  for (let arc = 0; arc < arcs; arc++) {
    furthest = Math.max(furthest, arc, lastExit[to[arc]!]!);
    reach[arc] = furthest;
  }
  return reach;
}

/** Of the columns that lead to a place, the first with the least cost in a row. */
function firstCheapest(row: Float32Array, table: NetworkTable, place: number): number {
  const end = table.firstEntry[place + 1]!;
  let index = table.firstEntry[place]!;
  let best = table.entries[index]!;
  for (index++; index < end; index++) {
    const column = table.entries[index]!;
    if (row[column]! < row[best]!) best = column;
  }
  return best;
}

function enlarged<Values extends Uint8Array | Int32Array>(values: Values, larger: Values): Values {
  larger.set(values);
  return larger;
}
