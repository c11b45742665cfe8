import type { EnvelopePair } from './band-envelopes.ts';

/**
 * Mean, over all stretches of `stretch` frames, of the correlation between both spectrograms, each band's envelope made free of
 * mean and norm over the stretch and then each frame's spectrum over the bands (J. Jensen and C. H. Taal, "An algorithm for
 * predicting the intelligibility of speech masked by modulated noise maskers", IEEE/ACM Trans. Audio, Speech and Language
 * Processing 24, 2016, equations 3 to 8). Envelopes and spectra without any spread have no direction and count as 0; pystoi adds
 * noise of the machine's precision there.
 */
export function segmentCorrelation({ frames, clip, clean }: EnvelopePair, bands: number, stretch: number): number {
  const stretches = frames - stretch + 1;
  const first = new Float64Array(bands * stretch);
  const second = new Float64Array(bands * stretch);
  let total = 0;
  for (let start = 0; start < stretches; start++) {
    normalizedSegment(clip, frames, start, bands, stretch, first);
    normalizedSegment(clean, frames, start, bands, stretch, second);
    for (let n = 0; n < first.length; n++) total += first[n]! * second[n]!;
  }
  return total / (stretch * stretches);
}

/** One stretch of all bands, normalized over time and then over bands; written to `segment`, band after band. */
function normalizedSegment(
  envelopes: Float64Array,
  frames: number,
  start: number,
  bands: number,
  stretch: number,
  segment: Float64Array,
): void {
  for (let band = 0; band < bands; band++) {
    const from = band * frames + start;
    for (let n = 0; n < stretch; n++) segment[band * stretch + n] = envelopes[from + n]!;
    normalize(segment, band * stretch, 1, stretch);
  }
  for (let frame = 0; frame < stretch; frame++) normalize(segment, frame, stretch, bands);
}

/** Takes mean and norm from `count` values, `step` apart. */
function normalize(values: Float64Array, from: number, step: number, count: number): void {
  const end = from + step * count;
  let sum = 0;
  for (let at = from; at < end; at += step) sum += values[at]!;
  const mean = sum / count;
  let squares = 0;
  for (let at = from; at < end; at += step) {
    values[at]! -= mean;
    squares += values[at]! * values[at]!;
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let at = from; at < end; at += step) values[at]! *= scale;
}
