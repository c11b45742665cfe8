import type { Word } from '../../model/observation.ts';

/** A stretch of the best path: a word, a filler (silence, noise) or a place between words. */
export interface Segment {
  readonly word: string;
  /** Frames, counted from the start of the clip; the last one belongs to it. */
  readonly firstFrame: number;
  readonly lastFrame: number;
  /** Posterior probability on the library's logarithmic scale; 0 stands for 1, and for "unknown". */
  readonly logPosterior: number;
  readonly posterior: number;
}

const alwaysFillers: readonly string[] = ['<s>', '</s>', '<sil>', '(NULL)'];

/** Words that stand for silence and noise: the usual ones, and those of an acoustic model's `noisedict`. */
export function fillerWords(noiseDictionary: string): ReadonlySet<string> {
  const words = noiseDictionary.split('\n').flatMap((line) => line.trim().split(/\s+/, 1));
  return new Set([...alwaysFillers, ...words.filter((word) => word !== '')]);
}

/** A dictionary's word without the number of its pronunciation: `read(2)` is `read`. */
export function withoutVariant(word: string): string {
  return word.replace(/\(\d+\)$/, '');
}

/**
 * The words of a path with times in seconds. Confidences only where the decoder computed posteriors (a search through
 * the word lattice at the end, which short or hopeless stretches do not have): else it says 1 everywhere.
 *
 * @param frameRate frames per second
 */
export function wordsOf(segments: readonly Segment[], fillers: ReadonlySet<string>, frameRate: number): Word[] {
  const computed = segments.some(({ logPosterior }) => logPosterior !== 0);
  return segments
    .filter(({ word }) => !fillers.has(word))
    .map(({ word, firstFrame, lastFrame, posterior }) => ({
      text: withoutVariant(word),
      startSeconds: firstFrame / frameRate,
      endSeconds: (lastFrame + 1) / frameRate,
      ...(computed ? { confidence: Math.min(1, Math.max(0, posterior)) } : {}),
    }));
}
