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
