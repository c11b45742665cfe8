import { badInput, badUsage } from '../../base/errors.ts';
import { countEdits } from '../alignment/align.ts';
import { countCharacterEdits } from '../alignment/characters.ts';
import { addCounts, type EditCounts, errorRate, noEdits } from '../edit-counts.ts';
import { plain } from '../normalizers/basic.ts';
import { byLanguage, goesByLanguage } from '../normalizers/by-language.ts';
import type { Normalizer } from '../normalizers/normalizer.ts';
import { normalizerNamed } from '../normalizers/normalizers.ts';
import { matchErrorRate, wordInformationLost, wordInformationPreserved } from './score-tally.ts';

/** How texts are made comparable before their words are counted. */
export interface TextRateOptions {
  /**
   * A name (`earwitness list normalizers`), or what `makeNormalizer` gives. Default: `by-language`, as of the command, and without a
   * language `plain`: one pair alone tells it too rarely. `none` counts the texts as they stand, as jiwer and Hugging Face's `evaluate` do.
   */
  readonly normalizer?: string | Normalizer;
  /** BCP 47 tag of all texts. */
  readonly language?: string;
}

/** One text, or as many as there are on the other side. */
export type Texts = string | readonly string[];

/**
 * Word error rate of texts: the errors of all pairs over the words of all references, 0 or more. Null where no reference
 * has a word, of which no rate exists (jiwer gives the number of insertions there).
 *
 * @param references what was said: one text, or several
 * @param hypotheses what was recognized: as many, in the same order
 * @throws EarwitnessError `bad-input`: not as many of one as of the other, or something else than texts; `bad-config`: no such
 * normalizer; `bad-usage`: no such option, or no language for `by-language`
 * @example wer(['the cat sat', 'hello variant'], ['the cat', 'hello variant']) // .2
 * @example wer('The cat', 'the cat', { normalizer: 'none' }) // .5
 * @example wer('今天很好', '今天真好', { language: 'zh' }) // .25
 * @example wer('it’s 10:05', 'it is ten oh five', { language: 'en' }) // 0
 */
export function wer(references: Texts, hypotheses: Texts, options?: TextRateOptions): number | null {
  return errorRate(countsOf(countEdits, references, hypotheses, options));
}

/**
 * Character error rate of texts, as `wer` takes and pools them; the one blank between two words is a character too, but beside characters that are words.
 *
 * @example cer('the cat', 'a cat') // 3 / 7
 */
export function cer(references: Texts, hypotheses: Texts, options?: TextRateOptions): number | null {
  return errorRate(countsOf(countCharacterEdits, references, hypotheses, options));
}

/**
 * Match error rate of texts, as `wer` takes and pools them: errors over all aligned places, 0 to 1; null where both sides are
 * empty.
 *
 * @example mer('the cat sat', 'the cat sat down') // .25
 */
export function mer(references: Texts, hypotheses: Texts, options?: TextRateOptions): number | null {
  return matchErrorRate(countsOf(countEdits, references, hypotheses, options));
}

/**
 * Word information lost, as `wer` takes and pools texts: 0 to 1; null where both sides are empty.
 *
 * @example wil('the cat sat', 'the cat sat down') // .25
 */
export function wil(references: Texts, hypotheses: Texts, options?: TextRateOptions): number | null {
  return wordInformationLost(countsOf(countEdits, references, hypotheses, options));
}

/**
 * Word information preserved, as `wer` takes and pools texts: 0 to 1; null where both sides are empty.
 *
 * @example wip('the cat sat', 'the cat sat down') // .75
 */
export function wip(references: Texts, hypotheses: Texts, options?: TextRateOptions): number | null {
  return wordInformationPreserved(countsOf(countEdits, references, hypotheses, options));
}

function countsOf(
  count: (
    reference: readonly string[],
    hypothesis: readonly string[],
    rule: 'least',
    hasCharacterWords?: boolean,
  ) => EditCounts,
  references: Texts,
  hypotheses: Texts,
  { language, normalizer = language === undefined ? plain : byLanguage, ...unknown }: TextRateOptions = {},
): EditCounts {
  const [other] = Object.keys(unknown);
  if (other !== undefined) {
    throw badUsage(`expected no options but normalizer and language, but got ${JSON.stringify(other)}`);
  }
  const said = listOf(references, 'references');
  const heard = listOf(hypotheses, 'hypotheses');
  if (said.length !== heard.length) {
    throw badInput(
      `expected a hypothesis for each reference, in the same order, but got references: ${said.length}, hypotheses: ${heard.length}`,
    );
  }
  const made = typeof normalizer === 'string' ? normalizerNamed(normalizer) : normalizer;
  const { words, hasCharacterWords } = made;
  if (goesByLanguage(made) && language === undefined) {
    throw badUsage(`expected the option language, since the normalizer ${made.name} goes by it`);
  }
  let counts = noEdits;
  for (const [index, text] of said.entries()) {
    counts = addCounts(
      counts,
      count(words(text, language), words(heard[index]!, language), 'least', hasCharacterWords?.(language)),
    );
  }
  return counts;
}

function listOf(texts: Texts, name: string): readonly string[] {
  if (typeof texts === 'string') return [texts];
  if (!Array.isArray(texts)) {
    throw badInput(`${name}: expected a text or an array of texts, but got ${texts === null ? 'null' : typeof texts}`);
  }
  const wrong = texts.findIndex((text) => typeof text !== 'string');
  if (wrong === -1) return texts;
  const found: unknown = texts[wrong];
  throw badInput(
    `${name}[${wrong}]: expected a text, but got ${found === null ? 'null' : typeof found}; write '' where nothing was said`,
  );
}
