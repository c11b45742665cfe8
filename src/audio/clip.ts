/** One channel of sound in memory. Samples are in [-1, 1] at full scale; louder values are allowed between steps. */
export interface Clip {
  readonly samples: Float32Array;
  /** Samples per second. */
  readonly sampleRate: number;
}

/** Length of a clip in seconds. */
export function durationSeconds(clip: Clip): number {
  return clip.samples.length / clip.sampleRate;
}

/** The first `length` samples, followed by silence where there are fewer. Always a new array. */
export function fitLength(samples: Float32Array, length: number): Float32Array {
  const fitted = new Float32Array(length);
  fitted.set(samples.length > length ? samples.subarray(0, length) : samples);
  return fitted;
}

/** As many samples as there is room for, from `start` on, which may lie before the first; outside there is silence. */
export function copyWithSilence(samples: Float32Array, start: number, into: Float32Array): void {
  const from = Math.min(samples.length, Math.max(0, start));
  const to = Math.max(from, Math.min(samples.length, start + into.length));
  const offset = Math.min(into.length, Math.max(0, from - start));
  into.fill(0, 0, offset);
  if (from < to) into.set(samples.subarray(from, to), offset);
  into.fill(0, offset + to - from);
}

/** Samples of one channel: of files with more than 24 bits in double precision. */
export type ChannelSamples = Float32Array | Float64Array;

/**
 * Channels to one, by their mean. A single channel is given back as it is.
 *
 * @throws RangeError where there is no channel, or their lengths differ
 */
export function mixToMono(channels: readonly ChannelSamples[]): Float32Array {
  const [first] = channels;
  if (!first) throw new RangeError('expected at least one channel, got none');
  if (channels.length === 1) return first instanceof Float32Array ? first : Float32Array.from(first);
  if (channels.some((channel) => channel.length !== first.length)) {
    throw new RangeError(`expected channels of equal length, got ${channels.map(({ length }) => length).join(', ')}`);
  }
  const mixed = new Float32Array(first.length);
  const [, second] = channels;
  if (second && channels.length === 2) {
    // By far the most; several times as quick as a loop within a loop.
    for (let n = 0; n < mixed.length; n++) mixed[n] = (first[n]! + second[n]!) / 2;
    return mixed;
  }
  for (let n = 0; n < mixed.length; n++) {
    let sum = 0;
    for (const channel of channels) sum += channel[n]!;
    mixed[n] = sum / channels.length;
  }
  return mixed;
}
