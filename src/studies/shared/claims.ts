import type { Comparison, Statement, Verdict } from '../../model/finding.ts';
import { openInWords, whyOpen } from './open-verdict.ts';
import { differenceInWords } from './wording.ts';

// Claims quote rows: what a sentence tells, its verdict, why there is none, and the numbers printed beside it are of one row of a table.

/** What a claim takes from the row that it quotes. */
type Quoted = Pick<Statement, 'kind' | 'about' | 'estimate' | 'headline'> & { readonly comparison: Comparison };

/**
 * A claim about one comparison.
 *
 * @param than stands behind the difference: `than narrow-beams`
 * @param sentence all of it but the period, of the difference in words
 * @example
 * claimFrom({ comparison, kind: 'difference' }, 'than b', (apart) => `a: ${apart}`).text
 * // 'a: 0.39 points less than b (95 % CI 5.29 less to 4.52 more). No verdict: the interval holds 0; about 40 more speakers would settle it.'
 */
export function claimFrom(
  quoted: Quoted,
  than: string,
  sentence: (apart: string, verdict: Verdict) => string,
): Statement & { readonly comparison: Comparison } {
  const { difference, verdict } = quoted.comparison;
  const text = `${sentence(differenceInWords(difference, than), verdict)}.${whyOpen(quoted.comparison)}`;
  return { text, verdict, ...quoted };
}

/**
 * Why none of several comparisons has a verdict, said of the one that is nearest to it, by name.
 *
 * @param what they are: `gap`
 * @param nameOf a comparison, as its row names it: `one, sex female beside male`
 * @returns a sentence that follows others, with a blank before it, and the row that it is about; null where it is not known why
 * @example nearestToVerdict(gaps, 'gap', nameOf)?.text // ' The gap nearest to a verdict, one, sex female beside male: the interval holds 0.'
 */
export function nearestToVerdict<Row extends { readonly comparison: Comparison }>(
  rows: readonly Row[],
  what: string,
  nameOf: (row: Row) => string,
): { readonly text: string; readonly row: Row } | null {
  const tested = rows.filter(({ comparison }) => comparison.pValue !== null);
  const [nearest] = (tested.length > 0 ? tested : rows).toSorted(
    (a, b) => (a.comparison.pValue ?? 1) - (b.comparison.pValue ?? 1),
  );
  if (nearest === undefined) return null;
  const { verdict, open } = nearest.comparison;
  if (verdict !== 'cannot tell' || open === undefined) return null;
  const text =
    rows.length === 1
      ? whyOpen(nearest.comparison)
      : ` The ${what} nearest to a verdict, ${nameOf(nearest)}: ${openInWords(open)}.`;
  return { text, row: nearest };
}
