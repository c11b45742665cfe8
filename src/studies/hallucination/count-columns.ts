import type { Cell, Column } from '../../model/finding.ts';
import type { PartResult } from './results.ts';

/** What every table of parts tells. */
export const countColumns: readonly Column[] = [
  { key: 'share', label: 'Sounds with words', kind: 'rate' },
  {
    key: 'pace',
    label: 'Words per minute',
    kind: 'number',
    help: 'Words written down in a minute of sound without speech.',
  },
  { key: 'sounds', label: 'Sounds', kind: 'count' },
  { key: 'withWords', label: 'With words', kind: 'count' },
  { key: 'words', label: 'Words', kind: 'count' },
  {
    key: 'withLoops',
    label: 'With loops',
    kind: 'count',
    help: 'Sounds for which the same 1 to 20 words are written at least three times in a row.',
  },
];

/** The cells of these columns. */
export function cells(
  { part, shareWithWords, wordsPerMinute }: PartResult,
  recognizers: readonly string[],
): Record<string, Cell> {
  const { sums } = part;
  return {
    recognizer: recognizers[part.recognizer]!,
    share: shareWithWords,
    pace: wordsPerMinute,
    sounds: sums.sounds,
    withWords: sums.withWords,
    words: sums.words,
    withLoops: sums.withLoops,
  };
}
