import { firstOf } from '../../base/first-of.ts';
import { type AssumedLanguage, assumedLanguage, textsLookedAt } from '../../base/guess-language.ts';
import type { Json } from '../../base/json.ts';
import { knownLanguageTag, undeterminedLanguage } from '../../base/language-tag.ts';
import { align, countEdits } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import type { AlignmentRule } from '../../scoring/alignment/trace-back.ts';
import { type EditCounts, noEdits } from '../../scoring/edit-counts.ts';
import { applyGlm, foldAsciiCase, type Glm, type GlmSide, glmNetwork } from '../../scoring/glm.ts';
import { type Normalizer, splitWords } from '../../scoring/normalizers/normalizer.ts';
import { type AlignedNetworkWord, alignNetwork } from '../../scoring/reference-network/align-network.ts';
import { parseReference, type ReferenceNetwork } from '../../scoring/reference-network/reference-network.ts';
import type { Similarity } from '../../scoring/similarity/semantic-similarity.ts';
import { foldCase } from '../../scoring/transcript-files/read-trn.ts';

/** One side of a pair. */
export interface ScoringText {
  readonly text: string;
  /** Whether braces, `@` and words in parentheses have a meaning in it. */
  readonly alternatives: boolean;
  /** Where it begins, for errors: file and line, and the column from 1. */
  place(): { readonly where: string; readonly column: number };
}

/** A reference and what was recognized, as `score` takes them from whatever files there are. */
export interface ScoringPair {
  /** Null where it was given none. */
  readonly id: string | null;
  /** Of the reference in its file, by which people find what has no id. */
  readonly line: number;
  readonly reference: ScoringText;
  readonly hypothesis: ScoringText;
  /** The reference that the file of the hypothesis has beside it. */
  readonly ownReference?: string;
  /** There was no hypothesis for this reference: it is scored as an empty one, and said to be so. */
  readonly missing?: true;
  /** Values of an attribute; none where the pair lacks it, several where it belongs to several groups. */
  values(attribute: string): readonly string[];
  /** All attributes, for who asks for data. */
  attributes(): { readonly [name: string]: Json };
}

/** What was left over when two files were put together. */
export interface Leftovers {
  /** References missing hypotheses, scored as deletions: how many, and the first of them. */
  readonly missingHypotheses: Leftover;
  /** Hypotheses (in ctm files: channels) no reference, not scored. */
  readonly missingReferences: Leftover;
  /** Segments that the reference says are not to be scored, and the recognized words in them. */
  readonly ignoredSegments: number;
  readonly ignoredWords: number;
}

export interface Leftover {
  readonly count: number;
  readonly first: readonly string[];
}

/** Where pairs come from. */
export interface PairSource {
  readonly pairs: AsyncIterable<ScoringPair>;
  /** Known once all pairs were read; null where pairs are not put together by a name. */
  leftovers(): Leftovers | null;
  /** What was compared with what, and how: known once all pairs were read; null for two texts. */
  compared(): string | null;
  /** How it was put together, and what was taken for the texts of either side: a column, or what its form holds. Known as `compared` is. */
  taken(): { readonly how: string; readonly reference: string | null; readonly hypothesis: string | null };
  /** Of two ctm files: at which silences they were cut into pairs; Infinity where they were not. */
  readonly silenceSeconds?: number;
}

/** Counts what is left over while two files are put together. */
export function createLeftovers() {
  const missing = createLeftover();
  const unmatched = createLeftover();
  const ignored = { segments: 0, words: 0 };
  const leftovers = (): Leftovers => ({
    missingHypotheses: missing,
    missingReferences: unmatched,
    ignoredSegments: ignored.segments,
    ignoredWords: ignored.words,
  });
  return { missing, unmatched, ignored, leftovers };
}

/** Counts what was left over and keeps the first of it. */
function createLeftover(): Leftover & { add(name: string): void } {
  const first: string[] = [];
  let count = 0;
  return {
    first,
    get count() {
      return count;
    },
    add(name) {
      count++;
      if (first.length < 20) first.push(name);
    },
  };
}

/** A text in which every character stands for itself. */
export function plainText(text: string): ScoringText {
  return { text, alternatives: false, place: () => ({ where: 'text', column: 1 }) };
}

export type LetterCase = 'keep' | 'fold' | 'fold-ascii';

/** How `score` makes texts comparable and aligns them. */
export interface ScoringRules {
  readonly normalizer: Normalizer;
  readonly rule: AlignmentRule;
  /** Folded after normalization; `fold-ascii` folds A to Z alone, as sclite does without `-s`. */
  readonly letterCase: LetterCase;
  /** Rewrites both sides before the normalizer does. */
  readonly glm: Glm | null;
  /** Whether characters are counted too: between long texts that takes far longer than words do. */
  readonly characters: boolean;
  /** Of all texts, for normalizers that ask; null for the attribute `language` of each pair. */
  readonly language: string | null;
  /** Of the texts that have none, as `assumedLanguage` has it; absent where the normalizer does not ask. */
  readonly assumed?: string;
}

/** Columns that say the language, the first that is there. */
const languageNames = ['language', 'lang', 'locale'];

/** The language of a pair, as the rules or its own column have it. */
export function languageOf(
  pair: ScoringPair,
  { language, assumed }: Pick<ScoringRules, 'language' | 'assumed'>,
): string | undefined {
  if (language !== null) return language;
  const [own] = languageNames.flatMap((name) => pair.values(name));
  const tag = own === undefined ? undeterminedLanguage : (knownLanguageTag(own) ?? own);
  return tag === undeterminedLanguage ? assumed : tag;
}

/** Looks at the first pairs for the language of those that name none: the pairs from the first on, and what is assumed; null where each names one. */
export async function assumingLanguage(
  pairs: AsyncIterable<ScoringPair>,
  rules: Pick<ScoringRules, 'language'>,
): Promise<{ readonly pairs: AsyncIterable<ScoringPair>; readonly assumed: AssumedLanguage | null }> {
  const { first, all } = await firstOf(pairs, (_, count) => count === textsLookedAt);
  const unknown = first.filter((pair) => languageOf(pair, rules) === undefined);
  return {
    assumed: unknown.length === 0 ? null : assumedLanguage(unknown.map(({ reference }) => reference.text)),
    pairs: all,
  };
}

export interface ScoredPair {
  readonly words: EditCounts;
  /** Of nothing where characters are not counted. */
  readonly characters: EditCounts;
  /** Made when it is asked for. */
  aligned(): readonly AlignedNetworkWord[];
  /** Of the meanings of both texts, where a model was asked. */
  readonly similarity?: Similarity;
}

/** What gives a text more than one wording: braces, `@` for nothing, and words in parentheses. */
const manyWordings = /[{}@(]/;

/**
 * Scores one pair.
 *
 * The character error rate of a text with alternatives is that of the wording that the words were aligned with.
 *
 * @throws EarwitnessError `bad-input` with file, line and column where braces have no partner
 */
export function scorePair(pair: ScoringPair, rules: ScoringRules): ScoredPair {
  const { normalizer, rule, letterCase, glm } = rules;
  const language = languageOf(pair, rules);
  const hasCharacterWords = normalizer.hasCharacterWords?.(language);
  const words = (text: string): string[] => {
    const normalized = normalizer.words(text, language);
    if (letterCase === 'keep') return normalized;
    return normalized.map(letterCase === 'fold' ? foldCase : foldAsciiCase);
  };
  const wordings = (side: GlmSide): string[] | ReferenceNetwork => {
    const { text, alternatives, place } = side === 'ref' ? pair.reference : pair.hypothesis;
    if (glm !== null && !alternatives) return glmNetwork(glm, splitWords(text), side, words);
    const rewritten = glm === null ? text : applyGlm(glm, text, side);
    if (!alternatives || !manyWordings.test(rewritten)) return words(rewritten);
    const { where, column } = place();
    // Blanks before the text make its columns those of the line.
    return parseReference(' '.repeat(column - 1) + rewritten, words, where);
  };
  const said = wordings('ref');
  const heard = wordings('hyp');
  if ('arcs' in said || 'arcs' in heard) {
    const { counts, words: aligned } = alignNetwork(said, heard, rule);
    return {
      words: counts,
      characters: rules.characters ? charactersOf(aligned, rule, hasCharacterWords) : noEdits,
      aligned: () => aligned,
    };
  }
  return {
    words: countEdits(said, heard, rule),
    characters: rules.characters ? countCharacterEdits(said, heard, rule, hasCharacterWords) : noEdits,
    aligned: () => align(said, heard, rule),
  };
}

function charactersOf(
  aligned: readonly AlignedNetworkWord[],
  rule: AlignmentRule,
  hasCharacterWords?: boolean,
): EditCounts {
  const said: string[] = [];
  const heard: string[] = [];
  for (const { reference, hypothesis, leftOut } of aligned) {
    // As with words: what may be left out and was is correct by sclite's rule and counts nowhere by the other.
    if (leftOut && rule === 'least') continue;
    const both = leftOut ? (reference ?? hypothesis) : null;
    if ((both ?? reference) !== null) said.push((both ?? reference)!);
    if ((both ?? hypothesis) !== null) heard.push((both ?? hypothesis)!);
  }
  return countCharacterEdits(said, heard, rule, hasCharacterWords);
}
