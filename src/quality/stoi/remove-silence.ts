import { hannWindow } from './hann-window.ts';

/** What pystoi adds to levels and norms so that they are never 0. */
const epsilon = Number.EPSILON;

/** Two sounds side by side, of one length. */
export interface SoundPair {
  readonly clip: Float64Array;
  readonly clean: Float64Array;
}

/**
 * Takes out of both sounds the frames in which the clean one is silent: quieter by the dynamic range, or more, than its loudest
 * frame. What remains is put together by overlap and add, at half a frame. (Taal et al., 2011, section II; as pystoi 0.4.1 does.)
 */
export function removeSilence(
  clip: Float32Array | Float64Array,
  clean: Float32Array | Float64Array,
  frameLength: number,
  dynamicRangeDb: number,
): SoundPair {
  const hop = frameLength / 2;
  const window = hannWindow(frameLength);
  const frames = Math.max(0, Math.ceil((clean.length - frameLength) / hop));
  const levels = new Float64Array(frames);
  let loudest = Number.NEGATIVE_INFINITY;
  for (let frame = 0; frame < frames; frame++) {
    let energy = 0;
    for (let n = 0, at = frame * hop; n < frameLength; n++, at++) {
      const sample = window[n]! * clean[at]!;
      energy += sample * sample;
    }
    const level = 20 * Math.log10(Math.sqrt(energy) + epsilon);
    levels[frame] = level;
    if (level > loudest) loudest = level;
  }
  let kept = 0;
  for (let frame = 0; frame < frames; frame++) if (loudest - dynamicRangeDb < levels[frame]!) kept++;
  const length = kept === 0 ? 0 : (kept + 1) * hop;
  const pair = { clip: new Float64Array(length), clean: new Float64Array(length) };
  let to = 0;
  for (let frame = 0; frame < frames; frame++) {
    if (loudest - dynamicRangeDb >= levels[frame]!) continue;
    for (let n = 0, from = frame * hop; n < frameLength; n++, from++) {
      pair.clip[to + n]! += window[n]! * clip[from]!;
      pair.clean[to + n]! += window[n]! * clean[from]!;
    }
    to += hop;
  }
  return pair;
}
