import { operation } from '../alignment/edit-operation.ts';
import { nothing } from './network-table.ts';

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
