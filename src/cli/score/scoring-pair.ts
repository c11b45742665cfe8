import type { Json } from '../../base/json.ts';

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
  readonly reference: ScoringText;
  readonly hypothesis: ScoringText;
  /** There was no hypothesis for this reference: it is scored as an empty one, and said to be so. */
  readonly missing?: true;
  /** Values of an attribute; none where the pair lacks it, several where it belongs to several groups. */
  values(attribute: string): readonly string[];
  /** All attributes, for who asks for data. */
  attributes(): { readonly [name: string]: Json };
}

/** What was left over when two files were put together. */
export interface Leftovers {
  /** References without a hypothesis, scored as deleted: how many, and the first of them. */
  readonly missingHypotheses: Leftover;
  /** Hypotheses (in ctm files: channels) without a reference, not scored. */
  readonly strangerHypotheses: Leftover;
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
  /** What in the files may not be meant, for people: known once all pairs were read. */
  hints(): readonly string[];
  /** Of two ctm files: at which silences they were cut into pairs; Infinity where they were not. */
  readonly silenceSeconds?: number;
}

/** Counts what is left over while two files are put together. */
export function createLeftovers() {
  const missing = createLeftover();
  const strangers = createLeftover();
  const ignored = { segments: 0, words: 0 };
  const leftovers = (): Leftovers => ({
    missingHypotheses: missing,
    strangerHypotheses: strangers,
    ignoredSegments: ignored.segments,
    ignoredWords: ignored.words,
  });
  return { missing, strangers, ignored, leftovers };
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
