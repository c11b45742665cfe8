import type { Section } from '../../../model/finding.ts';
import type { Design } from '../design.ts';
import type { Tally } from '../tally.ts';

/** Which words were taken for which on clean sound, by recognizer. */
export function misheardSection({ misheard }: Tally, { recognizers }: Design): Section | null {
  const rows = misheard.flatMap((pairs, recognizer) =>
    pairs.map(({ reference, hypothesis, count }) => ({
      recognizer: recognizers[recognizer]!.name,
      said: reference,
      heard: hypothesis,
      count,
    })),
  );
  if (rows.length === 0) return null;
  return {
    id: 'robustness-misheard',
    title: 'Words most often misheard, clean',
    summary: true,
    tables: [
      {
        id: 'robustness-misheard',
        title: 'Words most often misheard, clean',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'said', label: 'Said', kind: 'text', transcript: true },
          { key: 'heard', label: 'Heard', kind: 'text', transcript: true },
          { key: 'count', label: 'Times', kind: 'count' },
        ],
        rows,
      },
    ],
  };
}
