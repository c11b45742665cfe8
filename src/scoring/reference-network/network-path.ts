import { operation } from '../alignment/edit-operation.ts';
import { linearRow } from './linear-row.ts';
import { type NetworkTable, nothing } from './network-table.ts';

/** What the steps of a path cost; what agrees costs nothing. */
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

interface PlaceRow {
  readonly costs: Float32Array;
  /** The first of the arcs to this place over which the cost is reached; null where only one leads to it. */
  readonly over: Int32Array | null;
}

/**
 * The cheapest way through two networks at once: one matrix with a row for each arc of the reference and a column for each
 * of the hypothesis, where what came before an arc is the best of the arcs that lead to it. Steps and ties are as in
 * sclite's alignment of networks (`net_dp.c` of NIST's SCTK): the two words against each other, then an insertion, then a
 * deletion; of several arcs before, the first in the text.
 *
 * Sums are of 32 bits as sclite's are, since with costs below 1 their rounding decides ties; whole costs are exact up to
 * 5 million words.
 *
 * Time is proportional to arcs x arcs, twice where their product exceeds 16 million; memory to the sum of the arcs, plus
 * at most some 20 MB, plus 4 bytes for each column and each open place at every 16 million cells.
 *
 * @param matches whether two symbols agree; equality where it is null
 * @param historyBytes what kept steps may take: where there are more, the matrix is computed twice, stretch by stretch
 */
export function networkPath(
  reference: NetworkTable,
  hypothesis: NetworkTable,
  costs: StepCosts,
  matches: ((referenceSymbol: number, hypothesisSymbol: number) => boolean) | null,
  historyBytes = 16 * 2 ** 20,
): BackwardPath {
  const columns = hypothesis.arcs;
  const gapCosts = ({ symbols, optional }: NetworkTable) =>
    Float32Array.from(symbols, (symbol, arc) =>
      symbol === nothing ? costs.nothing : optional[arc] ? costs.optionalLeftOut : costs.deletionOrInsertion,
    );
  const deletionCosts = gapCosts(reference);
  const insertionCosts = gapCosts(hypothesis);
  const whole = Number.isInteger(costs.nothing) || ![reference, hypothesis].some(hasEmptyAlternative);
  const lastUse = new Int32Array(reference.places);
  lastUse[1] = reference.arcs;
  for (let arc = 1; arc < reference.arcs; arc++) lastUse[reference.from[arc]!] = arc;
  const entriesOf = (place: number) => reference.firstEntry[place + 1]! - reference.firstEntry[place]!;

  // Stretches of rows whose steps fit into the history.
  const stepBytes = hypothesis.linear ? 1 : 5;
  const starts = [0];
  let bytes = 0;
  let mostRows = 0;
  for (let arc = 0; arc < reference.arcs; arc++) {
    const rowBytes = columns * (stepBytes + (entriesOf(reference.to[arc]!) > 1 ? 4 : 0));
    if (bytes > 0 && bytes + rowBytes > historyBytes) {
      starts.push(arc);
      bytes = 0;
    }
    bytes += rowBytes;
    mostRows = Math.max(mostRows, arc + 1 - starts.at(-1)!);
  }
  const steps = new Uint8Array(mostRows * columns);
  const before = hypothesis.linear ? null : new Int32Array(mostRows * columns);

  let rows = new Map<number, PlaceRow>();
  let windowStart = 0;
  const spareRows: Float32Array[] = [];
  const overAt = (place: number, column: number) =>
    rows.get(place)?.over?.[column] ?? reference.entries[reference.firstEntry[place]!]!;

  /** Of the arcs before a column, the one over which the place is reached best; ties as sclite has them. */
  const bestBefore = (place: number, costsThere: Float32Array, from: number) => {
    const first = hypothesis.firstEntry[from]!;
    const end = hypothesis.firstEntry[from + 1]!;
    let best = hypothesis.entries[first]!;
    for (let index = first + 1; index < end; index++) {
      const column = hypothesis.entries[index]!;
      const better = costsThere[column]! - costsThere[best]!;
      if (better < 0 || (better === 0 && overAt(place, column) < overAt(place, best))) best = column;
    }
    return best;
  };

  const computeRow = (arc: number): Float32Array => {
    const row = spareRows.pop() ?? new Float32Array(columns);
    let place = (arc - windowStart) * columns;
    if (arc === 0) {
      row[0] = 0;
      for (let column = 1; column < columns; column++) {
        const previous = hypothesis.linear ? column - 1 : bestBefore(0, row, hypothesis.from[column]!);
        row[column] = row[previous]! + insertionCosts[column]!;
        steps[++place] = operation.insertion;
        if (before) before[place] = previous;
      }
      return row;
    }
    const from = reference.from[arc]!;
    const above = rows.get(from)!.costs;
    const symbol = reference.symbols[arc]!;
    const deletionCost = deletionCosts[arc]!;
    const { substitution } = costs;
    row[0] = above[0]! + deletionCost;
    steps[place] = operation.deletion;
    if (!before && !matches) {
      const { symbols } = hypothesis;
      linearRow(row, above, symbol, symbols, substitution, deletionCost, insertionCosts, whole, steps, place);
      return row;
    }
    if (before) before[place] = 0;
    for (let column = 1; column < columns; column++) {
      const other = hypothesis.symbols[column]!;
      const previous = before ? firstCheapest(row, hypothesis, hypothesis.from[column]!) : column - 1;
      const diagonalColumn = before ? bestBefore(from, above, hypothesis.from[column]!) : previous;
      const words = symbol !== nothing && other !== nothing;
      const agrees = words && (matches ? matches(symbol, other) : symbol === other);
      // An empty alternative is never set against a word.
      const pairCost = agrees ? 0 : words ? substitution : 2 * substitution;
      const inserted = Math.fround(row[previous]! + insertionCosts[column]!);
      const deleted = Math.fround(above[column]! + deletionCost);
      let step: number = agrees ? operation.correct : operation.substitution;
      let best = Math.fround(above[diagonalColumn]! + pairCost);
      if (inserted < best) {
        step = operation.insertion;
        best = inserted;
      }
      if (deleted < best) {
        step = operation.deletion;
        best = deleted;
      }
      steps[++place] = step;
      if (before) before[place] = step === operation.insertion ? previous : diagonalColumn;
      row[column] = best;
    }
    return row;
  };

  const advance = (to: number) => {
    for (let arc = windowStart; arc < to; arc++) {
      const row = computeRow(arc);
      const target = reference.to[arc]!;
      const known = rows.get(target);
      if (!known) {
        const over = entriesOf(target) > 1 ? new Int32Array(columns).fill(arc) : null;
        rows.set(target, { costs: row, over });
      } else {
        for (let column = 0; column < columns; column++) {
          if (row[column]! < known.costs[column]!) {
            known.costs[column] = row[column]!;
            known.over![column] = arc;
          }
        }
        spareRows.push(row);
      }
      const from = reference.from[arc]!;
      if (arc > 0 && lastUse[from] === arc) {
        const done = rows.get(from)!;
        spareRows.push(done.costs);
        // Where arcs join, the way back asks which was taken, as long as this stretch is looked at.
        if (done.over) rows.set(from, { costs: noCosts, over: done.over });
        else rows.delete(from);
      }
    }
  };

  const checkpoints: Map<number, PlaceRow>[] = [];
  for (let window = 0; window + 1 < starts.length; window++) {
    checkpoints.push(copyOf(rows));
    advance(starts[window + 1]!);
    windowStart = starts[window + 1]!;
    for (const [place, { costs: kept }] of rows) if (kept === noCosts) rows.delete(place);
  }
  advance(reference.arcs);

  const path = { reference: [] as number[], hypothesis: [] as number[] };
  let column = bestBefore(1, rows.get(1)!.costs, 1);
  let arc = overAt(1, column);
  while (arc > 0 || column > 0) {
    while (arc < windowStart) {
      rows = checkpoints.pop()!;
      const end = windowStart;
      windowStart = starts[checkpoints.length]!;
      advance(end);
    }
    const place = (arc - windowStart) * columns + column;
    const step = steps[place]!;
    path.reference.push(step === operation.insertion ? 0 : arc);
    path.hypothesis.push(step === operation.deletion ? 0 : column);
    if (step !== operation.deletion) column = before ? before[place]! : column - 1;
    if (step !== operation.insertion) arc = overAt(reference.from[arc]!, column);
  }
  return path;
}

const noCosts = new Float32Array(0);

function hasEmptyAlternative({ symbols }: NetworkTable): boolean {
  return symbols.indexOf(nothing, 1) >= 0;
}

function copyOf(rows: ReadonlyMap<number, PlaceRow>): Map<number, PlaceRow> {
  return new Map(
    [...rows].map(([place, { costs, over }]) => [place, { costs: costs.slice(), over: over?.slice() ?? null }]),
  );
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
