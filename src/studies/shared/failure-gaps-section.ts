import type { Section, Statement } from '../../model/finding.ts';
import { adjustedColumn, comparedWithColumn, groupColumn, recognizerColumn, verdictColumn } from './columns.ts';
import { turned } from './comparisons.ts';
import type { FailureGap } from './failure-gaps.ts';
import { named } from './wording.ts';

/** Those beyond chance, in a sentence each: of the group that fails more often. */
export function failureStatements(gaps: readonly FailureGap[]): Statement[] {
  return gaps
    .filter(({ gap }) => gap.verdict !== 'cannot tell')
    .map(({ recognizer, attribute, value, comparedWith, failed, asked, othersFailed, othersAsked, gap }): Statement => {
      const more = { value, count: `${failed} of ${asked}` };
      const fewer = { value: comparedWith, count: `${othersFailed} of ${othersAsked}` };
      const isMore = gap.verdict === 'worse';
      const [one, other] = isMore ? [more, fewer] : [fewer, more];
      const comparison = isMore ? gap : turned(gap);
      return {
        text: `${named(recognizer)} gives no answer more often for ${named(attribute)} ${named(one.value)} than for ${named(other.value)}: in ${one.count} trials against ${other.count}. Its error rates are of the answers that are left.`,
        verdict: comparison.verdict,
        comparison,
        kind: 'difference',
      };
    });
}

/** Null where nothing failed, or there are no groups. */
export function failureGapsSection(study: string, gaps: readonly FailureGap[]): Section | null {
  if (gaps.length === 0) return null;
  const id = `${study}-failures-by-group`;
  return {
    id,
    title: 'Failures by group',
    text: [
      'Trials without an answer are left out of error rates: where one group has more of them, rates are not of the same.',
    ],
    tables: [
      {
        id,
        title: 'Failed trials of groups',
        columns: [
          recognizerColumn,
          groupColumn,
          { key: 'failed', label: 'Failed', kind: 'count' },
          { key: 'asked', label: 'Trials', kind: 'count' },
          comparedWithColumn,
          { key: 'othersFailed', label: 'Failed there', kind: 'count' },
          { key: 'othersAsked', label: 'Trials there', kind: 'count' },
          { key: 'gap', label: 'Difference of shares', kind: 'difference' },
          adjustedColumn('How often chance alone would make such a difference, corrected for all of the table (Holm).'),
          verdictColumn,
        ],
        rows: gaps.map(({ attribute, value, gap, ...row }) => ({
          ...row,
          group: `${attribute} ${value}`,
          gap,
          adjustedPValue: gap.adjustedPValue,
          verdict: gap.verdict,
        })),
      },
    ],
  };
}
