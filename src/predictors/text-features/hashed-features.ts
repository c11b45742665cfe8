/** Some columns of the table that is learned from, for all texts at hand, and what they say of a text. */
export interface FeatureBlock {
  readonly columns: number;
  /**
   * What the coefficients are thought to be before anything is tried; zeros where absent. The penalty pulls towards it.
   */
  readonly prior?: { readonly determinable: Float64Array; readonly failing: Float64Array };
  /** How strong the penalty is: weak for few columns that are known to matter, strong for many of which most do not. */
  readonly penalty: 'few' | 'many';
  /** Columns of one of the tried texts and their values; those that are not 0. */
  row(tried: number): { readonly indexes: ArrayLike<number>; readonly values: ArrayLike<number> };
  /** Adds to each text of the pool the product of its columns with the coefficients. */
  addScores(coefficients: Float64Array, into: Float64Array): void;
}

/**
 * Features are known by 32 bits in place of their names, so that no table of names is kept (K. Weinberger et al., "Feature
 * hashing for large scale multitask learning", ICML 2009). FNV-1a over the UTF-16 codes of a stretch of text, begun with the
 * kind of feature, and mixed at the end as in MurmurHash3.
 *
 * @example hashStretch(1, 'vote', 0, 4)
 */
function hashStretch(kind: number, text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 ^ kind;
  for (let place = start; place < end; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return mix(hash);
}

/** The hash of two features that follow each other. */
export function hashPair(first: number, second: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ second);
}

function mix(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Columns of hashed features: an open table, several times as fast as a Map where most questions are answered by no. */
export interface HashColumns {
  /** How many there are. */
  readonly count: number;
  /** The column of a feature, made where there is none. */
  add(hash: number): number;
  /** The column of a feature; -1 where there is none. */
  find(hash: number): number;
}

const free = -1;

/** A table without columns, which grows: kept small, because it is asked about features that it seldom has. */
export function createHashColumns(): HashColumns {
  let hashes = new Uint32Array(1 << 10);
  let columns = new Int32Array(hashes.length).fill(free);
  let mask = hashes.length - 1;
  let count = 0;
  const placeOf = (hash: number) => {
    let place = hash & mask;
    while (columns[place] !== free && hashes[place] !== hash) place = (place + 1) & mask;
    return place;
  };
  const grow = () => {
    const [before, columnsBefore] = [hashes, columns];
    hashes = new Uint32Array(2 * before.length);
    columns = new Int32Array(hashes.length).fill(free);
    mask = hashes.length - 1;
    for (let place = 0; place < before.length; place++) {
      if (columnsBefore[place] === free) continue;
      const next = placeOf(before[place]!);
      hashes[next] = before[place]!;
      columns[next] = columnsBefore[place]!;
    }
  };
  return {
    get count() {
      return count;
    },
    add(hash) {
      let place = placeOf(hash);
      if (columns[place] === free) {
        if (3 * count >= hashes.length) {
          grow();
          place = placeOf(hash);
        }
        hashes[place] = hash;
        columns[place] = count++;
      }
      return columns[place]!;
    },
    find: (hash) => columns[placeOf(hash)]!,
  };
}

/**
 * The first pronunciation of each word of a pronouncing dictionary as PocketSphinx and CMU have them: a word and its phonemes
 * on a line, further pronunciations as `word(2)`, remarks after `;;` and `##`. Words are made lower-case.
 *
 * @example parsePronunciations('vote V OW T\nvote(2) V OW') // Map { 'vote' => 'V OW T' }
 */
export function parsePronunciations(dictionary: string): Map<string, string> {
  const pronunciations = new Map<string, string>();
  for (let start = 0, end = 0; start < dictionary.length; start = end + 1) {
    end = dictionary.indexOf('\n', start);
    if (end === -1) end = dictionary.length;
    if (dictionary.startsWith(';;', start) || dictionary.startsWith('##', start)) continue;
    const [written = '', ...phonemes] = dictionary.slice(start, end).split(/\s+/).filter(Boolean);
    if (phonemes.length === 0) continue;
    const variant = /^(.+)\(\w+\)$/.exec(written);
    const word = (variant?.[1] ?? written).toLowerCase();
    if (!pronunciations.has(word)) pronunciations.set(word, phonemes.join(' '));
  }
  return pronunciations;
}

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
