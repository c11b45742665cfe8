import { errors, referenceLength } from '../../scoring/edit-counts.ts';
import { plain } from '../../scoring/normalizers/basic.ts';
import { type ScoringPair, type ScoringRules, scorePair } from './scoring-pair.ts';

/** Of more pairs only these are counted twice: none is told then. */
const maxPairs = 20_000;

/**
 * Counts pairs without a language too, so that whoever named none learns what the one that was taken for theirs changes.
 *
 * @param rules as `score` counts
 */
export function watchOtherCount(rules: ScoringRules): {
  see(pair: ScoringPair): void;
  /** `WER 11.0 %; 11.6 % without a language (--normalizer plain)`; null where both are the same. */
  told(wer: number | null): string | null;
} {
  let seen = 0;
  let wrong = 0;
  let said = 0;
  return {
    see(pair) {
      if (++seen > maxPairs) return;
      const { words } = scorePair(pair, { ...rules, normalizer: plain, characters: false });
      wrong += errors(words);
      said += referenceLength(words);
    },
    told(wer) {
      const shown = (rate: number) => `${(100 * rate).toFixed(1)} %`;
      if (seen > maxPairs || wer === null || said === 0 || shown(wrong / said) === shown(wer)) return null;
      return `WER ${shown(wer)}; ${shown(wrong / said)} without a language (--normalizer ${plain.name})`;
    },
  };
}
