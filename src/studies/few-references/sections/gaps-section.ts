import type { Section } from '../../../model/finding.ts';
import { pairLabel } from '../../shared/group-pairs.ts';
import type { FewReferencesFinding } from '../finding.ts';

/** Gaps between groups, from the sample alone and over all recordings. */
export function gapsSection({ design, results }: FewReferencesFinding): Section | null {
  if (results.gaps.length === 0) return null;
  return {
    id: 'few-references-gaps',
    title: 'Gaps between groups',
    tables: [
      {
        id: 'few-references-gaps',
        title: 'Differences of word error rates',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'pair', label: 'Groups', kind: 'text' },
          {
            key: 'powered',
            label: 'All recordings',
            kind: 'difference',
            help: 'Above zero: more for the first group.',
          },
          { key: 'adjustedPValue', label: 'Adjusted p', kind: 'pvalue', help: 'Holm over all gaps.' },
          { key: 'verdict', label: 'Verdict', kind: 'verdict' },
          { key: 'sample', label: 'Sample alone', kind: 'difference' },
          { key: 'sampleVerdict', label: 'Its verdict', kind: 'verdict' },
          { key: 'varianceRatio', label: 'Variance, of that of the sample', kind: 'ratio' },
          { key: 'transcribed', label: 'With a reference', kind: 'count' },
          { key: 'speakers', label: 'Speakers of these', kind: 'count' },
        ],
        rows: results.gaps.map(({ recognizer, pair, sample, powered, varianceRatio }) => ({
          recognizer: design.recognizers[recognizer]!.name,
          pair: pairLabel(pair),
          powered,
          adjustedPValue: powered.adjustedPValue,
          verdict: powered.verdict,
          sample,
          sampleVerdict: sample.verdict,
          varianceRatio,
          transcribed: powered.difference.n.utterances,
          speakers: powered.difference.n.speakers,
        })),
      },
    ],
  };
}
