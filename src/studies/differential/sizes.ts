import type { DifferentialOptions } from './options.ts';

/** n and k of a search, and after how many texts of an iteration it learns. */
export interface Sizes {
  readonly batch: number;
  readonly keep: number;
  readonly part: number;
}

/** What CrossASR takes (section III): about an hour of theirs. */
const paper = { batch: 210, keep: 400 } as const;

/** Of a small pool an iteration takes this share, so that there is something left to choose among. */
const share = 1 / 10;

/** An iteration learns so many times, as what it takes is little beside speaking and recognizing. */
const partsOfIteration = 3;

/**
 * Texts of an iteration, and how many of them stage 1 keeps: as the options say, else those of the paper, scaled down where a tenth
 * of the pool is less.
 *
 * @example sizesFor(300, { batch: null, keep: null, learnAfter: null }) // { batch: 30, keep: 57, part: 10 }
 */
export function sizesFor(
  texts: number,
  { batch, keep, learnAfter }: Pick<DifferentialOptions, 'batch' | 'keep' | 'learnAfter'>,
): Sizes {
  const taken = batch ?? Math.min(paper.batch, Math.max(1, Math.ceil(texts * share)));
  return {
    batch: taken,
    keep: Math.max(taken, keep ?? Math.round((taken * paper.keep) / paper.batch)),
    part: Math.min(taken, learnAfter ?? Math.ceil(taken / partsOfIteration)),
  };
}
