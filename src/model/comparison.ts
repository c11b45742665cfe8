import type { Cell, Comparison, Estimate, Verdict } from './finding.ts';
import type { OpenVerdict, Reason } from './reason.ts';

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
    ...(open !== undefined && { open: withEnds(open, ({ low, high }) => ({ low: 0 - high, high: 0 - low })) }),
  };
}

/** What tells nothing, though its own interval leaves out 0: by its test, alone or among others. */
type OfTest = Extract<Reason, { readonly code: 'corrected' | 'not-significant' }>;

/** The ends of the interval that a test asks for; null where the interval of the difference itself stands. */
function endsOf(reason: Reason): { readonly low: number; readonly high: number } | null {
  if (!isOfTest(reason)) return null;
  const { low, high } = reason;
  return low === undefined || high === undefined ? null : { low, high };
}

function isOfTest(reason: Reason): reason is OfTest {
  return reason.code === 'corrected' || reason.code === 'not-significant';
}

/**
 * An open verdict with the ends of its interval in another measure, or seen from the other side; as it is where it has none.
 *
 * @example withEnds(open, ({ low, high }) => ({ low: 100 * low, high: 100 * high }))
 */
export function withEnds(
  open: OpenVerdict,
  changed: (ends: { readonly low: number; readonly high: number }) => { readonly low: number; readonly high: number },
): OpenVerdict {
  const ends = endsOf(open.reason);
  if (ends === null || !isOfTest(open.reason)) return open;
  return { ...open, reason: { ...open.reason, ...changed(ends) } };
}

/**
 * The difference with the interval that its verdict goes by: the one that its test asks for, among the comparisons made with it, where that test is why
 * nothing is told. It holds 0 there, which its own interval does not. What is told stands on both.
 *
 * @example shownDifference(comparison).low // -0.002, of one that has 0.001 alone
 */
export function shownDifference({ difference, open }: Comparison): Estimate {
  const ends = open === undefined ? null : endsOf(open.reason);
  return ends === null ? difference : { ...difference, ...ends };
}
