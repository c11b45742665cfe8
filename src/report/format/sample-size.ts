import { formatFixed } from '../../base/number-format.ts';
import { visibleText } from '../../base/printable.ts';
import type { SampleSize } from '../../model/finding.ts';

/**
 * How much data stands behind a number, in words.
 *
 * @example formatSampleSize({ utterances: 160, speakers: 16, words: 1412 }) // '160 utterances, 16 speakers, 1,412 words'
 */
export function formatSampleSize(n: SampleSize): string {
  if (n.ratings !== undefined) {
    const by = n.listeners ? counted(n.listeners, 'listener') : 'listeners unknown';
    const clips = n.utterances > 0 ? [counted(n.utterances, 'utterance')] : [];
    return [counted(n.ratings, 'rating'), by, ...clips].join(', ');
  }
  const parts = [
    counted(n.utterances, 'utterance'),
    n.speakers > 0 ? counted(n.speakers, 'speaker') : 'speakers unknown',
  ];
  if (n.words !== undefined) {
    const made = n.normalizer === undefined ? '' : ` (normalizer ${visibleText(n.normalizer)})`;
    parts.push(counted(n.words, 'word') + made);
  }
  if (n.pairs !== undefined) parts.push(counted(n.pairs, 'pair'));
  return parts.join(', ');
}

/** A count with its noun, in the plural where it must be: `1 speaker`, `1,412 words`. */
export function counted(count: number, noun: string): string {
  return `${formatFixed(count, 0)} ${noun}${count === 1 ? '' : 's'}`;
}
