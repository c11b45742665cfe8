import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { DifferentialOptions } from './options.ts';

/** Whether a transcript says a text, by a rule that overlooks spelling. */
export type SaysText = (text: string, transcript: string) => boolean;

/**
 * Takes for the same what differs only in accepted variants, in blanks, or in few letters: CrossASR's people found that
 * "taxpayers" and "tax payers" make failed tests that are none (section IV, false positives). A transcript twenty times as long as
 * the text is never the same, and is not looked at.
 *
 * @param normalizer of this rule
 * @example
 * const says = tolerantRule({ variants: [['colour', 'color']], ignoreBlanks: true, distance: 0 }, english);
 * says('the taxpayers', 'the tax payers') // true
 */
export function tolerantRule(
  { variants, ignoreBlanks, distance }: Omit<DifferentialOptions['tolerant'], 'normalizer'>,
  normalizer: Normalizer,
): SaysText {
  const rewrite = variantRewriter(variants.map((spellings) => spellings.map((one) => normalizer.words(one))));
  const wordsOf = (text: string) => {
    const words = rewrite(normalizer.words(text));
    return ignoreBlanks ? [words.join('')] : words;
  };
  return (text, transcript) => {
    if (transcript.length > 1000 + 20 * text.length) return false;
    const said = wordsOf(text);
    const written = wordsOf(transcript);
    const [reference, hypothesis] = [said.join(' '), written.join(' ')];
    if (reference === hypothesis) return true;
    const allowed = distance * [...reference].length;
    // Each edit changes the length (in code units) by two at most.
    if (distance === 0 || Math.abs(reference.length - hypothesis.length) > 2 * allowed) return false;
    const { substitutions, deletions, insertions } = countCharacterEdits(said, written);
    return substitutions + deletions + insertions <= allowed;
  };
}

/** Writes every spelling of a variant as its first; where several begin at a word, the longest is taken. */
function variantRewriter(variants: readonly (readonly (readonly string[])[])[]): (words: string[]) => string[] {
  const byFirstWord = new Map<string, { readonly words: readonly string[]; readonly as: readonly string[] }[]>();
  for (const spellings of variants) {
    for (const words of spellings) {
      if (words.length === 0) continue;
      const entry = { words, as: spellings[0]! };
      const known = byFirstWord.get(words[0]!);
      if (known === undefined) byFirstWord.set(words[0]!, [entry]);
      else known.push(entry);
    }
  }
  for (const entries of byFirstWord.values()) entries.sort((a, b) => b.words.length - a.words.length);
  return (words) => {
    const rewritten: string[] = [];
    for (let place = 0; place < words.length; ) {
      const found = byFirstWord
        .get(words[place]!)
        ?.find((entry) => entry.words.every((word, offset) => words[place + offset] === word));
      if (found === undefined) rewritten.push(words[place++]!);
      else {
        rewritten.push(...found.as);
        place += found.words.length;
      }
    }
    return rewritten;
  };
}
