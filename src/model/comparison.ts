import type { Cell, Comparison, Estimate, Verdict } from './finding.ts';

/** Whether a cell compares two estimates. */
export function isComparison(cell: Cell | undefined): cell is Comparison {
  return typeof cell === 'object' && cell !== null && 'verdict' in cell;
}

/**
 * The number of a cell with the interval that is shown: of a comparison the difference, with the interval that its verdict goes by. Null where it holds a text, a plain number or nothing.
 *
 * @example estimateOf(row.wordErrorRate)?.value // 0.12
 */
export function estimateOf(cell: Cell | undefined): Estimate | null {
  if (typeof cell !== 'object' || cell === null) return null;
  return isComparison(cell) ? shownDifference(cell) : cell;
}

const opposite: Readonly<Record<Verdict, Verdict>> = { better: 'worse', worse: 'better', 'cannot tell': 'cannot tell' };

/**
 * The same comparison seen from the other side.
 *
 * @example turned(comparison).difference.value // 0.04 where it was -0.04
 */
export function turned(comparison: Comparison): Comparison {
  const { difference, verdict, open } = comparison;
  // 0 - x, so that nothing becomes -0.
  const negative = (value: number | null) => (value === null ? null : 0 - value);
  return {
    ...comparison,
    difference: {
      ...difference,
      value: negative(difference.value),
      low: negative(difference.high),
      high: negative(difference.low),
    },
    verdict: opposite[verdict],
    ...(open?.reason.code === 'corrected' &&
      open.reason.low !== undefined && {
        open: { ...open, reason: { ...open.reason, low: 0 - open.reason.high!, high: 0 - open.reason.low } },
      }),
  };
}

/**
 * The difference with the interval that its verdict goes by: among the comparisons made with it, where these are why nothing is told. It holds 0 there, which
 * its own interval does not. What is told stands on both.
 *
 * @example shownDifference(comparison).low // -0.002, of one that has 0.001 alone
 */
export function shownDifference({ difference, open }: Comparison): Estimate {
  if (open?.reason.code !== 'corrected') return difference;
  const { low, high } = open.reason;
  return low === undefined || high === undefined ? difference : { ...difference, low, high };
}
