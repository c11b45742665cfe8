import { type AlignedPlace, isError, isInsertion } from './aligned-place.ts';
import { type LoopOptions, type RepeatedLoop, repeatedLoops } from './repeated-loops.ts';

/** Traces of words that nobody said. Signs to look at, not a verdict. */
export interface HallucinationSigns {
  /** Runs of at least `leastRun` inserted words. */
  readonly runs: readonly InsertionRun[];
  readonly extraWords: Readonly<Record<ExtraWordPosition, number>>;
  /** Loops in the hypothesis of which at least one word is an error; what was said over and over is none. */
  readonly loops: readonly RepeatedLoop[];
  /** Words of the hypothesis per second of sound; null with `reason`. Speech has seldom more than 5. */
  readonly wordsPerSecond: number | null;
  readonly reason?: string;
}

export interface HallucinationOptions extends LoopOptions {
  /** Shortest run of inserted words that is listed; 3 by default. */
  readonly leastRun?: number;
  readonly durationSeconds?: number;
}

/**
 * What in one alignment looks as if the recognizer had made it up: runs of inserted words, loops, where the extra words
 * stand, and how fast somebody would have had to speak.
 *
 * @throws RangeError as `insertionRuns` and `repeatedLoops`, and for a duration below 0 or not finite
 * @example
 * hallucinationSigns(align([], ['thank', 'you', 'for', 'watching']), { durationSeconds: 1 })
 * // one run of 4 words, position 'alone'; wordsPerSecond 4
 */
export function hallucinationSigns(
  aligned: readonly AlignedPlace[],
  options: HallucinationOptions = {},
): HallucinationSigns {
  const { leastRun = 3, durationSeconds } = options;
  if (durationSeconds !== undefined && !(durationSeconds >= 0 && Number.isFinite(durationSeconds))) {
    throw new RangeError(`expected a duration of 0 seconds or more, but got ${durationSeconds}`);
  }
  const heard = aligned.filter(({ hypothesis }) => hypothesis !== null);
  const loops = repeatedLoops(
    heard.map(({ hypothesis }) => hypothesis!),
    options,
  ).filter(({ start, words, repeats }) => heard.slice(start, start + words.length * repeats).some(isError));
  return {
    runs: insertionRuns(aligned, leastRun),
    extraWords: extraWordPositions(aligned),
    loops,
    ...(durationSeconds === undefined
      ? { wordsPerSecond: null, reason: 'the duration is not known' }
      : durationSeconds === 0
        ? { wordsPerSecond: null, reason: 'the sound is empty' }
        : { wordsPerSecond: heard.length / durationSeconds }),
  };
}

/** Words one after another that nobody said. */
export interface InsertionRun {
  /** Place of the first in the alignment. */
  readonly start: number;
  /** Words of the reference before it. */
  readonly afterReferenceWords: number;
  readonly words: readonly string[];
  readonly position: ExtraWordPosition;
}

/**
 * Where extra words stand: before the first word of the reference, between its words, after the last, or `alone` where the
 * reference is empty and nothing was said at all.
 */
export type ExtraWordPosition = 'before' | 'inside' | 'after' | 'alone';

/**
 * Stretches of inserted words, in order. A recognizer that hears speech in noise or goes on by itself (hallucination:
 * A. Koenecke et al., "Careless Whisper", FAccT 2024) leaves long ones; where extra words follow some that were wrong, an
 * alignment may count a few of them as substitutions, so runs are at least that long.
 *
 * @param leastWords shorter runs are left out; 1 by default, which gives all
 * @throws RangeError where `leastWords` is no whole number from 1
 * @example insertionRuns(align(['yes'], ['yes', 'thank', 'you']))
 * // [{ start: 1, afterReferenceWords: 1, words: ['thank', 'you'], position: 'after' }]
 */
export function insertionRuns(aligned: readonly AlignedPlace[], leastWords = 1): InsertionRun[] {
  if (!Number.isInteger(leastWords) || leastWords < 1) {
    throw new RangeError(`expected runs of at least 1 word, but got ${leastWords}`);
  }
  const said = aligned.reduce((count, { reference }) => count + (reference === null ? 0 : 1), 0);
  const runs: InsertionRun[] = [];
  let before = 0;
  for (let place = 0; place < aligned.length; place++) {
    if (!isInsertion(aligned[place]!)) {
      if (aligned[place]!.reference !== null) before++;
      continue;
    }
    const start = place;
    const words: string[] = [];
    while (place < aligned.length && isInsertion(aligned[place]!)) words.push(aligned[place++]!.hypothesis ?? '');
    place--;
    const position = said === 0 ? 'alone' : before === 0 ? 'before' : before === said ? 'after' : 'inside';
    if (words.length >= leastWords) runs.push({ start, afterReferenceWords: before, words, position });
  }
  return runs;
}

/**
 * How many extra words stand where. Many before or after tell of a recording cut wrongly or of speech heard in silence.
 *
 * @example extraWordPositions(align(['yes'], ['oh', 'yes'])) // { before: 1, inside: 0, after: 0, alone: 0 }
 */
export function extraWordPositions(aligned: readonly AlignedPlace[]): Record<ExtraWordPosition, number> {
  const counts = { before: 0, inside: 0, after: 0, alone: 0 };
  for (const { position, words } of insertionRuns(aligned)) counts[position] += words.length;
  return counts;
}
