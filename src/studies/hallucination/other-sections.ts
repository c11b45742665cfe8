import type { Condition } from '../../model/condition.ts';
import type { Section } from '../../model/finding.ts';
import { counted, named } from '../shared/wording.ts';
import { recognizerColumn } from './count-columns.ts';
import type { HallucinationOptions } from './options.ts';
import type { HallucinationResults } from './results.ts';
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

/** Every pair of recognizers. */
export function comparisonsSection({ comparisons }: HallucinationResults, recognizers: readonly string[]): Section {
  return {
    id: 'hallucination-comparisons',
    title: 'Comparisons',
    tables: [
      {
        id: 'hallucination-comparisons',
        title: 'Share of sounds with words, on the sounds that both answered',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'comparedWith', label: 'Compared with', kind: 'text' },
          { key: 'difference', label: 'Difference', kind: 'difference' },
        ],
        rows: comparisons.map(({ first, second, comparison }) => ({
          recognizer: recognizers[second]!,
          comparedWith: recognizers[first]!,
          difference: comparison,
        })),
      },
    ],
  };
}

/** Trials without a transcript. */
export function failuresSection(
  { trials }: Tally,
  conditions: readonly Condition[],
  recognizers: readonly string[],
): Section {
  const rows = conditions.flatMap((condition, place) =>
    recognizers.flatMap((recognizer, number) => {
      const { asked, failures } = trials.at(number * conditions.length + place);
      return failures.map(({ kind, count }) => ({
        condition: condition.name,
        recognizer,
        kind,
        count,
        share: count / asked,
      }));
    }),
  );
  const id = 'hallucination-failures';
  if (rows.length === 0) return { id, title: 'Failures', text: ['No trial failed.'] };
  return {
    id,
    title: 'Failures',
    text: ['A failed trial is no empty transcript: it is left out.'],
    tables: [
      {
        id,
        title: 'Failures by condition, recognizer and kind',
        columns: [
          { key: 'condition', label: 'Condition', kind: 'text' },
          recognizerColumn,
          { key: 'kind', label: 'Kind', kind: 'text' },
          { key: 'count', label: 'Trials', kind: 'count' },
          { key: 'share', label: 'Share of trials', kind: 'rate' },
        ],
        rows,
      },
    ],
  };
}
