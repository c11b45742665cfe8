import { createLikenessSearch, type LikenessSearch } from './likeness-search.ts';
import { keepRecent } from './recently-used.ts';
import { releaseSamples } from './release-samples.ts';

/** How a sound is cut into segments for another tempo, all in seconds. */
export interface StretchSegments {
  /** Length of what is taken over in one piece. */
  readonly segmentSeconds: number;
  /** Range within which the best place for the next segment is looked for. */
  readonly searchSeconds: number;
  /** Length of the cross-fade from one segment to the next. */
  readonly overlapSeconds: number;
}

/**
 * The sound at another tempo, its pitch kept: WSOLA with long segments, the effect `tempo` of SoX 14.4.2 sample by sample,
 * but for what single precision sums up in another order. Segments are taken from the sound `factor` times as far apart as
 * they are laid down; each is moved within a range to where it continues the one before best (least squared difference),
 * and faded over in a straight line. (Verhelst and Roelands, ICASSP 1993; sizes are rounded as SoX rounds them.)
 *
 * @param factor above 1 is faster; the length becomes length / factor, rounded
 * @example stretchTime(samples, 16000, 1.25, { segmentSeconds: 0.03, searchSeconds: 0.00537, overlapSeconds: 0.00439 })
 */
export function stretchTime(
  samples: Float32Array,
  sampleRate: number,
  factor: number,
  segments: StretchSegments,
): Float32Array {
  const segment = Math.floor(sampleRate * segments.segmentSeconds + 0.5);
  const range = Math.floor(sampleRate * segments.searchSeconds + 0.5);
  // Whole multiples of 8, and never more than half of a segment.
  const rounded = 8 * Math.floor(Math.max(sampleRate * segments.overlapSeconds + 4.5, 16) / 8);
  const overlap = 2 * rounded > segment ? rounded - 8 : rounded;
  const hop = segment - overlap;
  const middle = Math.floor(range / 2);
  const output = new Float32Array(Math.floor(samples.length / factor + 0.5));
  const count = Math.ceil(output.length / hop);
  const furthest = Math.ceil(factor * hop * count) + range + segment + 8;
  const padded = new Float32Array(Math.max(furthest, middle + samples.length));
  padded.set(samples, middle);
  const search = searchFor({ overlap, range: Math.max(1, range) });
  const fadeStep = Math.fround(1 / overlap);

  for (let index = 0, tail = 0; index < count; index++) {
    const place = Math.floor(factor * index * hop + 0.5);
    const start = index * hop;
    let from = place + middle;
    let faded = 0;
    if (index > 0) {
      search.template.set(padded.subarray(tail, tail + overlap));
      from = place + search.minDifference(padded, place);
      for (; faded < overlap && start + faded < output.length; faded++) {
        const share = Math.fround(fadeStep * faded);
        output[start + faded] = padded[tail + faded]! * (1 - share) + padded[from + faded]! * share;
      }
    }
    const end = Math.min(hop, output.length - start);
    if (faded < end) output.set(padded.subarray(from + faded, from + end), start + faded);
    tail = from + hop;
  }
  releaseSamples(padded);
  return output;
}

const searchFor = keepRecent(
  4,
  ({ overlap, range }: { overlap: number; range: number }) => `${overlap} ${range}`,
  ({ overlap, range }): LikenessSearch => createLikenessSearch(overlap, range),
);
