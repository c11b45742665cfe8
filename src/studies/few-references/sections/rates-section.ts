import type { Chart, Section } from '../../../model/finding.ts';
import type { FewReferencesFinding } from '../finding.ts';
import type { RateResult } from '../results.ts';

/** Charts beyond this nobody looks at; the table has all. */
const maxCharts = 12;

const labelOf = ({ group }: RateResult) => (group === null ? 'everybody' : `${group.attribute} ${group.value}`);

/** Error rates of everybody and of groups, from the sample alone and over all recordings. */
export function ratesSection({ design, results, options }: FewReferencesFinding): Section | null {
  const { recognizers } = design;
  if (recognizers.length === 0) return null;
  const charts = recognizers.slice(0, maxCharts).flatMap(({ name }, recognizer): Chart[] => {
    const own = results.rates.filter((rate) => rate.recognizer === recognizer);
    const series = (['sample', 'powered'] as const).map((kind) => ({
      name: kind === 'sample' ? 'transcribed recordings alone' : 'all recordings',
      points: own.flatMap((rate, x) => (rate[kind].value === null ? [] : [{ x, estimate: rate[kind] }])),
    }));
    if (own.length < 2 || series.every(({ points }) => points.length === 0)) return [];
    return [
      { title: name, xLabel: 'Group', xTicks: own.map(labelOf), yLabel: 'Word error rate', yKind: 'rate', series },
    ];
  });
  return {
    id: 'few-references-rates',
    title: 'Error rates of all recordings',
    charts,
    tables: [
      {
        id: 'few-references-rates',
        title: 'Word error rates, from the sample alone and over all recordings',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'group', label: 'Group', kind: 'text' },
          { key: 'recordings', label: 'Recordings', kind: 'count', help: 'With a transcript and a verdict.' },
          { key: 'transcribed', label: 'With a reference', kind: 'count' },
          { key: 'speakers', label: 'Speakers of these', kind: 'count' },
          { key: 'powered', label: 'All recordings', kind: 'rate' },
          { key: 'sample', label: 'Sample alone', kind: 'rate' },
          ...(options.share === 1 ? [] : [{ key: 'byAll', label: 'By all references', kind: 'rate' as const }]),
          {
            key: 'varianceRatio',
            label: 'Variance, of that of the sample',
            kind: 'ratio',
            help: '0.5 is worth twice as many transcripts; 1 is worth nothing.',
          },
          {
            key: 'weight',
            label: 'Weight of verdicts',
            kind: 'number',
            help: 'Lambda of PPI++; 0: they do not count.',
          },
          { key: 'pseudoAll', label: 'Verdicts, all', kind: 'rate', help: 'Pseudo errors per pseudo word.' },
          { key: 'pseudoSample', label: 'Verdicts, sample', kind: 'rate' },
        ],
        rows: results.rates.map((rate) => ({
          recognizer: recognizers[rate.recognizer]!.name,
          group: labelOf(rate),
          recordings: rate.recordings,
          transcribed: rate.transcribed,
          speakers: rate.sample.n.speakers,
          powered: rate.powered,
          sample: rate.sample,
          ...(rate.byAll === null ? {} : { byAll: rate.byAll }),
          varianceRatio: rate.varianceRatio,
          weight: rate.weight,
          pseudoAll: rate.pseudo.all,
          pseudoSample: rate.pseudo.sample,
        })),
        note: 'Over all recordings: the rate of the sample + weight × (verdicts of all – verdicts of the sample). The weight is tuned on everybody and held for groups. Intervals: t, speakers as units.',
      },
    ],
  };
}
