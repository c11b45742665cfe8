import { type AlignedPlace, isError } from './aligned-place.ts';
import { type ExtraWordPosition, extraWordPositions, type InsertionRun, insertionRuns } from './insertion-runs.ts';
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
