import { shownDifference } from '../../model/comparison.ts';
import type { Comparison, Statement, Verdict } from '../../model/finding.ts';
import { openInWords } from '../../model/reason.ts';
import { whyOpen } from './open-verdict.ts';
import { differenceInWords, listed, named, type Sides } from './wording.ts';

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
  sides?: Sides,
): Statement & { readonly comparison: Comparison } {
  const { verdict } = quoted.comparison;
  const text = `${sentence(differenceInWords(shownDifference(quoted.comparison), than, sides), verdict)}.${whyOpen(quoted.comparison)}`;
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

/** Names of more recognizers than this stand in the table alone. */
const maxLeading = 3;

/**
 * Who leads, where a study counts something else than errors: for `found` of its `scores`.
 *
 * @param ranked best first, of those that have a number
 * @param most what the first does: `hallucinates in the fewest clips`
 * @param verdictOf of two by name; null where nobody compared them
 * @returns null of one alone, and where not all were compared
 * @example leadersInWords(['a', 'b'], 'loses the fewest words', () => 'cannot tell') // 'Which of a and b loses the fewest words cannot be told.'
 */
export function leadersInWords(
  ranked: readonly string[],
  most: string,
  verdictOf: (first: string, second: string) => Verdict | null,
): string | null {
  const [leader, ...others] = ranked;
  if (leader === undefined || others.length === 0) return null;
  const verdicts = others.map((other) => verdictOf(leader, other));
  if (verdicts.includes(null)) return null;
  const alike = [leader, ...others.filter((_, place) => verdicts[place] === 'cannot tell')];
  if (alike.length === 1) return `${named(leader)} ${most}.`;
  const which = alike.length > maxLeading ? `these ${alike.length}` : listed(alike);
  const some = alike.length > maxLeading && alike.length < ranked.length ? `the first ${alike.length}` : which;
  return `Which of ${some} ${most} cannot be told.`;
}

/** The verdict of a list of comparisons on two of its series, in either order. */
export function verdictAmong(
  pairs: readonly { readonly first: string; readonly second: string; readonly comparison: Comparison }[],
): (first: string, second: string) => Verdict | null {
  return (one, other) =>
    pairs.find(({ first, second }) => (first === one && second === other) || (first === other && second === one))
      ?.comparison.verdict ?? null;
}
