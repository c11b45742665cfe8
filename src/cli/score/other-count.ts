import { guessLanguage } from '../../base/guess-language.ts';
import { errors, referenceLength } from '../../scoring/edit-counts.ts';
import { byLanguage, watched } from '../../scoring/normalizers/by-language.ts';
import { languageOf, type ScoringPair, type ScoringRules, scorePair } from './scoring-pair.ts';

/** Of more pairs only these are counted twice: none is told then. */
const maxPairs = 20_000;

/**
 * Counts pairs as `run` and `compare` do by default, by the language of each, so that whoever sees two numbers learns why.
 *
 * @param rules as `score` counts
 */
export function watchOtherCount(rules: ScoringRules): {
  see(pair: ScoringPair): void;
  /** `` `run` and `compare` count 11.0 % with the normalizer english ``; null where they count the same, or nobody knows. */
  told(wer: number | null): string | null;
} {
  const pairs: ScoringPair[] = [];
  let seen = 0;
  return {
    see(pair) {
      seen++;
      if (seen <= maxPairs) pairs.push(pair);
      else pairs.length = 0;
    },
    told(wer) {
      if (pairs.length === 0 || wer === null) return null;
      const guessed = guessLanguage(pairs.slice(0, 1000).map(({ reference }) => reference.text)).language ?? 'en';
      const { words, settled } = watched(byLanguage);
      const normalizer = { ...rules.normalizer, words: (text: string, language = guessed) => words(text, language) };
      let wrong = 0;
      let said = 0;
      for (const pair of pairs) {
        const language = languageOf(pair, rules) ?? guessed;
        const { words: counts } = scorePair(pair, { ...rules, normalizer, language, characters: false });
        wrong += errors(counts);
        said += referenceLength(counts);
      }
      const shown = (rate: number) => `${(100 * rate).toFixed(1)} %`;
      if (said === 0 || shown(wrong / said) === shown(wer)) return null;
      return `WER ${shown(wer)}; run and compare count ${shown(wrong / said)}, with --normalizer ${settled().name}`;
    },
  };
}
