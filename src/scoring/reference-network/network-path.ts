import type { BackwardPath } from './backward-path.ts';
import { createNetworkMatrix } from './network-matrix.ts';
import { type NetworkTable, nothing } from './network-table.ts';
import { remainingCost } from './remaining-cost.ts';
import type { StepCosts } from './step-costs.ts';

export interface NetworkPathOptions {
  /** What kept steps may take, 16 MB by default: where there are more, they are computed twice, stretch by stretch. */
  readonly historyBytes?: number;
  /** A matrix of at most so many cells is computed whole, 16,384 by default. */
  readonly smallMatrix?: number;
}

/**
 * The cheapest way through two networks at once: one matrix with a row for each arc of the reference and a column for each
 * of the hypothesis, where what came before an arc is the best of the arcs that lead to it. Steps and ties are as in
 * sclite's alignment of networks (`net_dp.c` of NIST's SCTK): the two words against each other, then an insertion, then a
 * deletion; of several arcs before, the first in the text.
 *
 * Of each row only the stretch is computed where cost and `remainingCost` together are within a bound, which is raised until
 * the path found is within it. Every cell of every path as cheap lies there then, and what was left out is taken too dear
 * at most, so that path and ties are those of the whole matrix (E. Ukkonen, "Algorithms for approximate string matching",
 * Information and Control 64, 1985).
 *
 * Sums are of 32 bits as sclite's are, since with costs below 1 their rounding decides ties; whole costs are exact up to
 * 5 million words.
 *
 * Time is proportional to the cells within the bound: of texts with few errors some in a hundred of arcs x arcs, of texts
 * that have nothing in common up to four times all. Memory is proportional to the sum of the arcs, plus at most some 20 MB,
 * plus 4 bytes for each cell of the open places at every 16 million cells.
 *
 * @param matches whether two symbols agree; equality where it is null
 */
export function networkPath(
  reference: NetworkTable,
  hypothesis: NetworkTable,
  costs: StepCosts,
  matches: ((referenceSymbol: number, hypothesisSymbol: number) => boolean) | null,
  { historyBytes = 16 * 2 ** 20, smallMatrix = 1 << 14 }: NetworkPathOptions = {},
): BackwardPath {
  const whole = Number.isInteger(costs.nothing) || ![reference, hypothesis].some(hasEmptyAlternative);
  const matrix = createNetworkMatrix(reference, hypothesis, costs, matches, whole, historyBytes);
  if (reference.arcs * hypothesis.arcs > smallMatrix) {
    const remaining = remainingCost(reference, hypothesis, costs, matches === null);
    const least = remaining(0, 0);
    const steps = reference.arcs + hypothesis.arcs;
    const most = costs.deletionOrInsertion * steps;
    // Each sum of 32 bits may be wrong by its last digit.
    const rounding = whole ? 0 : steps * most * 2 ** -24;
    for (let spare = 32 * costs.deletionOrInsertion; least + spare < most / 2; spare *= 2) {
      const path = matrix.path(least + spare + rounding, remaining);
      if (path !== null) return path;
    }
  }
  return matrix.path(Number.POSITIVE_INFINITY, null)!;
}

function hasEmptyAlternative({ symbols }: NetworkTable): boolean {
  return symbols.indexOf(nothing, 1) >= 0;
}
