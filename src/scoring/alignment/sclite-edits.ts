import type { EditCounts } from '../edit-counts.ts';
import { createMatchMasks, firstBlock, lastBlock, type OperationTape, traceColumns } from './trace-back.ts';

/**
 * Least cost with 4 for a substitution and 3 for a deletion or an insertion, traced back as `AlignmentRule` states, by
 * columns of machine words.
 *
 * It is computed as the greatest score with 3 for equal items, 1 for unequal ones set against each other and nothing for a
 * gap: cost = 3 x (both lengths) - 2 x score, so that both have the same paths. Scores of neighbouring cells differ by 0 to
 * 3. With `down` the difference to the cell above and `right` that to the cell on the left, a cell of unequal items has
 * right = max(1, down before, right above) - down before, one of equal items 3 - down before; so a difference of 3, or of
 * 2, runs down over cells where the difference to the cell above was 0, which one addition does for all rows of a word
 * (J. Loving, Y. Hernandez and G. Benson, "BitPAl: a bit-parallel, general integer-scoring sequence alignment algorithm",
 * Bioinformatics 30, 2014, have the idea for any scores).
 *
 * A path of cost c has at most c / 3 gaps and keeps within as many diagonals (E. Ukkonen, "Algorithms for approximate
 * string matching", Information and Control 64, 1985). Every path as cheap as the best lies in that band, and scores that
 * the band cuts off are taken too low, so the result is exact.
 *
 * @param reference at least one symbol from 1 to `symbols`
 * @param hypothesis symbols from 0 to `symbols`, where 0 is one that the reference lacks
 * @param costBound cost of some path, which the best cannot exceed; Infinity where none is known
 * @param alreadyCorrect items found equal before, added to the counts
 */
export function scliteEdits(
  reference: Int32Array,
  referenceLength: number,
  hypothesis: Int32Array,
  hypothesisLength: number,
  symbols: number,
  costBound: number,
  alreadyCorrect: number,
  tape: OperationTape | null,
): EditCounts {
  const masks = createMatchMasks(reference, referenceLength, symbols);
  const blocks = (referenceLength + 31) >>> 5;
  const downs = new Int32Array(3 * blocks);
  const lengthDifference = hypothesisLength - referenceLength;
  const maxGaps = Math.min(Math.floor(costBound / 3), referenceLength + hypothesisLength);
  const spare = (maxGaps - Math.abs(lengthDifference)) >> 1;
  const band = { least: Math.min(0, lengthDifference) - spare, greatest: Math.max(0, lengthDifference) + spare };

  /** Computes columns `from + 1` to `to`, and keeps their steps where they are wanted. */
  const advance = (from: number, to: number, history: Int32Array | null, stride: number) => {
    for (let column = from + 1; column <= to; column++) {
      const last = lastBlock(band, column, referenceLength);
      const equalities = masks.of(hypothesis[column - 1]!);
      let write = (column - from - 1) * stride;
      // Above the band, as above the first row, the score is taken to stay the same with each column.
      let carry1 = 0;
      let carry2 = 0;
      let carry3 = 0;
      for (let block = firstBlock(band, column); block <= last; block++) {
        const place = 3 * block;
        const down1 = downs[place]!;
        const down2 = downs[place + 1]!;
        const down3 = downs[place + 2]!;
        const equal = equalities[block]!;
        const down0 = ~(down1 | down2 | down3);
        const begin3 = equal & down0;
        const right3 = (((begin3 + down0 + carry3) ^ down0) | begin3) & down0;
        const above3 = (right3 << 1) | carry3;
        const run2 = down0 & ~right3;
        const equalOr3 = equal | above3;
        const jump2 = down1 & equalOr3;
        const begin2 = ((jump2 << 1) | carry2) & run2;
        const right2 = jump2 | ((((begin2 + run2) ^ run2) | begin2) & run2);
        const above2 = (right2 << 1) | carry2;
        const right1 = (down2 & equalOr3) | (down1 & ~equalOr3 & above2) | (run2 & ~right2);
        const above1 = (right1 << 1) | carry1;
        const above0 = ~(above1 | above2 | above3);
        carry1 = right1 >>> 31;
        carry2 = right2 >>> 31;
        carry3 = right3 >>> 31;
        if (history) {
          const right0 = ~(right1 | right2 | right3);
          const paired = equal | (right0 & down1) | (right1 & down0);
          history[write] = (paired & ~equal) | (~paired & right0);
          history[write + 1] = ~paired;
          write += 2;
        }
        const equalOrDown3 = equal | down3;
        const other = ~equal;
        downs[place] = (above2 & equalOrDown3) | (other & ((above1 & down2) | (above0 & (down0 | down1))));
        downs[place + 1] = (above1 & equalOrDown3) | (other & above0 & down2);
        downs[place + 2] = above0 & equalOrDown3;
      }
    }
  };

  const keep = () => {
    const kept = downs.slice();
    return () => downs.set(kept);
  };
  return traceColumns({ advance, keep }, band, referenceLength, hypothesisLength, alreadyCorrect, tape);
}
