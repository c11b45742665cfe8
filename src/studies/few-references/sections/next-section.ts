import type { Section } from '../../../model/finding.ts';
import type { FewReferencesFinding } from '../finding.ts';

/** Which recordings to transcribe next. */
export function nextSection({ next, options }: FewReferencesFinding): Section | null {
  const { attributes, cells } = next;
  const wanted = cells.reduce((sum, cell) => sum + cell.next, 0);
  if (options.next === 0) return null;
  const nameOf = (values: readonly (string | null)[]) =>
    attributes.length === 0
      ? 'all recordings'
      : attributes.map((attribute, place) => `${attribute} ${values[place] ?? 'unknown'}`).join(' × ');
  const strata = attributes.filter((name) => !options.strata.includes(name));
  return {
    id: 'few-references-next',
    title: 'What to transcribe next',
    text:
      wanted === 0
        ? ['Every recording has a reference.']
        : [
            'So many of each group that all are known about equally well: more where verdicts leave much open and little is transcribed. Within a group they were drawn at random, because only then does the sample stand for the rest; transcribe all that are listed, not the easy ones.',
            ...(strata.length > 0
              ? [
                  `With these, more of some groups is transcribed than of others: set strata: [${strata.join(', ')}] then.`,
                ]
              : []),
          ],
    tables: [
      {
        id: 'few-references-cells',
        title: 'How many of each group',
        columns: [
          { key: 'cell', label: 'Recordings of', kind: 'text' },
          { key: 'recordings', label: 'Recordings', kind: 'count' },
          { key: 'transcribed', label: 'With a reference', kind: 'count' },
          {
            key: 'open',
            label: 'Left open',
            kind: 'number',
            help: 'Standard deviation of a recording’s errors per word that verdicts do not explain.',
          },
          { key: 'next', label: 'Transcribe next', kind: 'count' },
        ],
        rows: cells.map(({ values, recordings, transcribed, residualDeviation, next: count }) => ({
          cell: nameOf(values),
          recordings,
          transcribed,
          open: residualDeviation,
          next: count,
        })),
      },
      {
        id: 'few-references-next',
        title: 'Recordings to transcribe next',
        columns: [
          { key: 'utterance', label: 'Recording', kind: 'text' },
          { key: 'cell', label: 'Of', kind: 'text' },
        ],
        rows: cells.flatMap(({ values, ids }) => ids.map((utterance) => ({ utterance, cell: nameOf(values) }))),
      },
    ],
  };
}
