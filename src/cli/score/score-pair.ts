import { align } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { countEdits } from '../../scoring/alignment/count-edits.ts';
import type { AlignmentRule } from '../../scoring/alignment/edit-operation.ts';
import type { EditCounts } from '../../scoring/edit-counts.ts';
import { applyGlm, foldAsciiCase, type Glm, type GlmSide, glmNetwork } from '../../scoring/glm/glm.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { splitWords } from '../../scoring/normalizers/split-words.ts';
import { type AlignedNetworkWord, alignNetwork } from '../../scoring/reference-network/align-network.ts';
import { parseReference } from '../../scoring/reference-network/parse-reference.ts';
import type { ReferenceNetwork } from '../../scoring/reference-network/reference-network.ts';
import type { Similarity } from '../../scoring/similarity/semantic-similarity.ts';
import { foldCase } from '../../scoring/transcript-files/fold-case.ts';
import type { ScoringPair } from './scoring-pair.ts';

export type LetterCase = 'keep' | 'fold' | 'fold-ascii';

/** How `score` makes texts comparable and aligns them. */
export interface ScoringRules {
  readonly normalizer: Normalizer;
  readonly rule: AlignmentRule;
  /** Folded after normalization; `fold-ascii` folds A to Z alone, as sclite does without `-s`. */
  readonly letterCase: LetterCase;
  /** Rewrites both sides before the normalizer does. */
  readonly glm: Glm | null;
}

export interface ScoredPair {
  readonly words: EditCounts;
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
  const words = (text: string): string[] => {
    const normalized = normalizer.words(text);
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
    return { words: counts, characters: charactersOf(aligned, rule), aligned: () => aligned };
  }
  return {
    words: countEdits(said, heard, rule),
    characters: countCharacterEdits(said, heard, rule),
    aligned: () => align(said, heard, rule),
  };
}

function charactersOf(aligned: readonly AlignedNetworkWord[], rule: AlignmentRule): EditCounts {
  const said: string[] = [];
  const heard: string[] = [];
  for (const { reference, hypothesis, leftOut } of aligned) {
    // As with words: what may be left out and was is correct by sclite's rule and counts nowhere by the other.
    if (leftOut && rule === 'least') continue;
    const both = leftOut ? (reference ?? hypothesis) : null;
    if ((both ?? reference) !== null) said.push((both ?? reference)!);
    if ((both ?? hypothesis) !== null) heard.push((both ?? hypothesis)!);
  }
  return countCharacterEdits(said, heard, rule);
}
