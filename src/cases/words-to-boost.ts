import { sha256 } from '../base/hash.ts';
import { clusterFailures } from '../scoring/analysis/cluster-failures.ts';
import type { DifferentialCase } from '../studies/differential/case.ts';

/** A word that a recognizer should expect more. */
export interface BoostedWord {
  /** Normalized; several with blanks between them where they were written together. */
  readonly words: string;
  /** Failed tests that it explains and no word before it does: its weight. */
  readonly failures: number;
  /** Failed tests that it broke in. */
  readonly everywhere: number;
  /** Failed tests whose text holds it, broken or not. */
  readonly texts: number;
}

/** A text belongs to the part that a list is made from, or to the one that it is tried on. */
export type Part = 'made from' | 'held out';

/**
 * The words that broke most in failed cases, weighted by the failures that each explains: what lists of hints are made of. A word that
 * breaks in few of the texts that hold it comes after others of its weight: more of it would not help.
 *
 * @param failed of one recognizer, or of several
 * @param most words at most
 * @example wordsToBoost(failed, 100).map(({ words }) => words)
 */
export function wordsToBoost(failed: readonly DifferentialCase[], most: number): BoostedWord[] {
  const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '');
  const { causes } = clusterFailures(
    failed.map(({ text, transcript }) => ({ reference: wordsOf(text), hypothesis: wordsOf(transcript) })),
    { maxCauses: Math.min(5000, 4 * most), minFailures: 1, maxExamples: 1, maxOutcomes: 1, blameLost: true },
  );
  return causes
    .filter(({ kind }) => kind === 'word')
    .map(({ words, failures, everywhere, texts }) => ({ words, failures, everywhere, texts: texts ?? everywhere }))
    .sort(
      (a, b) =>
        b.failures - a.failures || b.everywhere / b.texts - a.everywhere / a.texts || (a.words < b.words ? -1 : 1),
    )
    .slice(0, most);
}

/**
 * To which part a text belongs: by the seed and the text alone, so that it is never in both.
 *
 * @param share of the texts that are held out, from 0 to 1
 */
export function partOf(textId: string, share: number, seed: number): Part {
  return Number.parseInt(sha256(`held out ${seed} ${textId}`).slice(0, 12), 16) / 2 ** 48 < share
    ? 'held out'
    : 'made from';
}
