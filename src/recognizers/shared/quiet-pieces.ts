/** A stretch of a longer sound. */
export interface Piece {
  readonly startSeconds: number;
  readonly samples: Float32Array;
}

/** How much of a piece, from its end back, is searched for a quiet place. */
const searchedShare = 1 / 3;
/** Short enough to lie in a pause between words. */
const windowSeconds = 0.1;

/**
 * Cuts sound that is longer than a model can hear at once. Each cut lies in the middle of the quietest tenth of a second within
 * the last third of what fits, so that words stay whole where the speaker pauses at all. The first of equally quiet
 * places is taken from behind, which makes as few pieces as possible.
 *
 * @param longestSeconds above 0
 * @returns pieces in order that follow each other without gap; views, not copies. The whole sound where it fits
 * @example quietPieces(samples, 16000, 30).map(({ startSeconds }) => startSeconds) // [0, 27.35, 53.1]
 */
export function quietPieces(samples: Float32Array, sampleRate: number, longestSeconds: number): Piece[] {
  const longest = Math.max(1, Math.floor(longestSeconds * sampleRate));
  const pieces: Piece[] = [];
  let start = 0;
  while (samples.length - start > longest) {
    const from = start + Math.floor(longest * (1 - searchedShare));
    const cut = quietestPlace(samples, from, start + longest, Math.round(windowSeconds * sampleRate));
    pieces.push({ startSeconds: start / sampleRate, samples: samples.subarray(start, cut) });
    start = cut;
  }
  pieces.push({ startSeconds: start / sampleRate, samples: samples.subarray(start) });
  return pieces;
}

/** The middle of the window with the least energy between two places; the end where no window fits. */
function quietestPlace(samples: Float32Array, from: number, to: number, window: number): number {
  if (window < 1 || to - from <= window) return to;
  // Squares of 16-bit steps are whole numbers, so that sliding sums have no rounding that piles up.
  const energyAt = (index: number) => Math.round(samples[index]! * 32_768) ** 2;
  let energy = 0;
  for (let index = from; index < from + window; index++) energy += energyAt(index);
  let least = energy;
  let place = from;
  for (let start = from + 1; start + window <= to; start++) {
    energy += energyAt(start + window - 1) - energyAt(start - 1);
    if (energy <= least) {
      least = energy;
      place = start;
    }
  }
  return place + (window >> 1);
}
