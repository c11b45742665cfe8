import type { GroupComparison } from './group-comparison.ts';

/** Comparisons that show a difference, and those that leave it open: first those whose interval says how great it may be. */
export function mostTelling(comparisons: readonly GroupComparison[]): {
  readonly told: readonly GroupComparison[];
  readonly open: readonly GroupComparison[];
} {
  const told = comparisons.filter(({ comparison }) => comparison.verdict !== 'cannot tell');
  const open = comparisons.filter(({ comparison }) => comparison.verdict === 'cannot tell');
  const hasInterval = ({ comparison }: GroupComparison) => Number(comparison.difference.low !== null);
  return { told, open: open.toSorted((one, other) => hasInterval(other) - hasInterval(one)) };
}
