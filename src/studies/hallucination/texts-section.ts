import type { Section } from '../../model/finding.ts';
import { recognizerColumn } from '../shared/columns.ts';
import { counted, named } from '../shared/wording.ts';
import type { HallucinationOptions } from './options.ts';
import type { Tally } from './tally.ts';

/** The commonest invented texts. */
export function textsSection({ texts }: Tally, recognizers: readonly string[], options: HallucinationOptions): Section {
  const rows = texts.flatMap((own, recognizer) =>
    own.commonest(options.texts).map(({ text, sounds }) => ({ recognizer: recognizers[recognizer]!, text, sounds })),
  );
  const text = texts.map((own, recognizer) => {
    const rest = own.uncounted > 0 ? `, and ${own.uncounted} more that were not told apart` : '';
    return `${named(recognizers[recognizer]!)} wrote ${counted(own.different, 'different text')}${rest}.`;
  });
  return {
    id: 'hallucination-texts',
    title: 'What is made up',
    text,
    ...(rows.length === 0
      ? {}
      : {
          tables: [
            {
              id: 'hallucination-texts',
              title: 'The commonest invented texts',
              columns: [
                recognizerColumn,
                { key: 'text', label: 'Text', kind: 'text' as const, transcript: true as const },
                { key: 'sounds', label: 'Sounds', kind: 'count' as const },
              ],
              rows,
              note: 'After normalization; long texts are cut.',
            },
          ],
        }),
  };
}
