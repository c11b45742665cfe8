import type { Section } from '../../../model/finding.ts';
import { comparedWithColumn, recognizerColumn, verdictCells, verdictColumns } from '../../shared/columns.ts';
import { counted } from '../../shared/wording.ts';
import type { DisparityFinding } from '../finding.ts';

/** Every two recognizers, by sound tests and by FairLENS' own rules, and where the two part. */
export function pairsSection({ design, results, options }: DisparityFinding): Section | null {
  if (results.pairs.length === 0) return null;
  const names = design.recognizers.map(({ name }) => name);
  const columns = [recognizerColumn, comparedWithColumn];
  const sides = ({ first, second }: (typeof results.pairs)[number]) => ({
    recognizer: names[second]!,
    comparedWith: names[first]!,
  });
  const parting = results.pairs.filter(({ disagree }) => disagree).length;
  const alpha = 1 - options.level + 1e-12;
  const wApart = ({ wTest }: (typeof results.pairs)[number]) => (wTest?.wilcoxon.pValue ?? 1) <= alpha;
  const partingInFairness = results.pairs.filter(
    (pair) => wApart(pair) !== (pair.disparity.verdict !== 'cannot tell'),
  ).length;
  return {
    id: 'disparity-pairs',
    title: 'Recognizers compared',
    text: [
      parting === 0
        ? 'In error rates, overlap of intervals (FairLENS’ rule) and the paired test agree on every pair.'
        : `In error rates, overlap of intervals (FairLENS’ rule) and the paired test part on ${counted(parting, 'pair')} of ${results.pairs.length}: intervals may overlap although the same speakers are served better by one.`,
      partingInFairness === 0
        ? 'In disparity, the uncorrected W-test and the test over speakers agree on every pair.'
        : `In disparity, the uncorrected W-test and the test over speakers part on ${counted(partingInFairness, 'pair')} of ${results.pairs.length}. The W-test takes overlapping groups for independent, and a recognizer with more errors for less fair because it varies more.`,
    ],
    tables: [
      {
        id: 'disparity-pairs-errors',
        title: 'Difference in word error rate on the trials that both answered',
        columns: [
          ...columns,
          { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer errors.' },
          ...verdictColumns('From swapping the two recognizers speaker by speaker'),
          { key: 'overlap', label: 'Intervals overlap', kind: 'text', help: 'FairLENS: no difference if they do.' },
          { key: 'rules', label: 'The two rules', kind: 'text' },
        ],
        rows: results.pairs.map((pair) => ({
          ...sides(pair),
          difference: pair.wordErrorRate,
          ...verdictCells(pair.wordErrorRate),
          overlap: pair.overlap === null ? null : pair.overlap ? 'yes' : 'no',
          rules: pair.overlap === null ? null : pair.disagree ? 'disagree' : 'agree',
        })),
      },
      {
        id: 'disparity-pairs-fairness',
        title: 'Difference in mean disparity',
        columns: [
          ...columns,
          { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: less unequal.' },
          ...verdictColumns('From exchanging attributes among speakers'),
          {
            key: 'wTest',
            label: 'W-test p',
            kind: 'pvalue',
            help: 'Wilcoxon’s signed-rank test on the groups’ disparities, uncorrected, as FairLENS has it.',
          },
          { key: 'wHolm', label: 'W-test p, Holm', kind: 'pvalue' },
          { key: 'wDiscovery', label: 'W-test p, Benjamini-Hochberg', kind: 'pvalue' },
          { key: 'wForm', label: 'W-test', kind: 'text' },
        ],
        rows: results.pairs.map((pair) => ({
          ...sides(pair),
          difference: pair.disparity,
          ...verdictCells(pair.disparity),
          wTest: pair.wTest?.wilcoxon.pValue ?? null,
          wHolm: pair.wTest?.holmPValue ?? null,
          wDiscovery: pair.wTest?.falseDiscoveryPValue ?? null,
          wForm: pair.wTest === null ? null : `${pair.wTest.wilcoxon.method}, ${pair.wTest.groups} groups`,
        })),
        note: 'Both know distances alone: a recognizer that is worse for the weak and one that is better for them may have the same mean disparity. The gaps of groups have signs.',
      },
    ],
  };
}
