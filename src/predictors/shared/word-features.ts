import { hashStretch } from './feature-hash.ts';

/** What is known of a word by itself. */
export interface WordFeatures {
  readonly hash: number;
  readonly letters: number;
  /** Phonemes of its first pronunciation; without a dictionary, or where it is not in it, groups of vowels. */
  readonly sounds: number;
  /** Whether the dictionary has it; true where there is no dictionary. */
  readonly pronounced: boolean;
  /** Whether it has a letter outside a to z: of another language, or no word at all. */
  readonly foreign: boolean;
  /** Hashes of its stretches of letters and of phonemes, each once. */
  readonly stretches: Uint32Array;
}

/** Kinds of features, so that the letters of a word and its phonemes never have one hash. */
const kinds = { word: 1, letters: 2, phonemes: 3 } as const;
/** Of a word that is no word (a whole line without blanks) only so many letters are looked at. */
const maxLetters = 60;

/**
 * Features of one word: its stretches of 2 to 4 letters, its edges among them, and of 1 to 3 phonemes.
 *
 * @param word lower-case
 * @param pronunciations phonemes of words; null where no dictionary is used
 */
export function wordFeatures(word: string, pronunciations: ReadonlyMap<string, string> | null): WordFeatures {
  const phonemes = pronunciations?.get(word);
  const stretches = new Set<number>();
  const framed = ` ${word.slice(0, maxLetters)} `;
  for (let length = 2; length <= 4; length++) {
    for (let start = 0; start + length <= framed.length; start++) {
      stretches.add(hashStretch(kinds.letters, framed, start, start + length));
    }
  }
  if (phonemes !== undefined) {
    const marks = [...phonemes.matchAll(/\S+/g)]
      .slice(0, maxLetters)
      .map(({ index, 0: phoneme }) => ({ start: index, end: index + phoneme.length }));
    for (let length = 1; length <= 3; length++) {
      for (let first = 0; first + length <= marks.length; first++) {
        const { end } = marks[first + length - 1]!;
        stretches.add(hashStretch(kinds.phonemes, phonemes, marks[first]!.start, end));
      }
    }
  }
  return {
    hash: hashStretch(kinds.word, word, 0, word.length),
    letters: word.length,
    sounds: phonemes === undefined ? vowelGroups(word) : phonemes.split(' ').length,
    pronounced: pronunciations === null || phonemes !== undefined,
    foreign: /[^a-z']/.test(word),
    stretches: Uint32Array.from(stretches),
  };
}

/** What each of a word's stretches counts: together as much as the word, however many there are. */
export const stretchWeight = (stretches: number) => 1 / Math.sqrt(stretches);

/** What a word is worth by itself, from what features are. */
export function wordScore({ hash, stretches }: WordFeatures, scoreOf: (hash: number) => number): number {
  let sum = 0;
  for (let place = 0; place < stretches.length; place++) sum += scoreOf(stretches[place]!);
  return scoreOf(hash) + stretchWeight(stretches.length) * sum;
}

function vowelGroups(word: string): number {
  return Math.max(1, word.match(/[aeiouy]+/g)?.length ?? 0);
}
