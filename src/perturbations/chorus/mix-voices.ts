/** One delayed copy, as it is mixed in. */
export interface MixedVoice {
  readonly amplitude: number;
  /** Pairs, as `VoiceDelays` has them: a delay, and for how many samples it stays so; repeated without end. */
  readonly runs: Int32Array;
}

/** Where a voice is in its runs. */
interface Cursor {
  run: number;
  left: number;
}

/**
 * Writes a sound together with two delayed copies of another (mostly of itself). Stretches in which no delay changes are
 * one loop: that is what makes it fast.
 *
 * @param base mixed in as it is, times `baseGain`; may be `mixed` itself
 * @param samples what the copies are of
 * @param mixed what is written; `base` and the copies are silent where they have ended
 */
export function mixVoices(
  base: Float32Array,
  baseGain: number,
  samples: Float32Array,
  voices: readonly [MixedVoice, MixedVoice],
  mixed: Float32Array,
): void {
  const [first, second] = voices;
  const { amplitude } = first;
  const { amplitude: otherAmplitude } = second;
  const cursor: Cursor = { run: 0, left: first.runs[1]! };
  const otherCursor: Cursor = { run: 0, left: second.runs[1]! };
  const sounding = Math.min(base.length, samples.length);
  for (let start = 0; start < mixed.length; ) {
    const end = Math.min(mixed.length, start + Math.min(cursor.left, otherCursor.left));
    const delay = first.runs[cursor.run]!;
    const otherDelay = second.runs[otherCursor.run]!;
    const loopStart = Math.min(end, Math.max(start, delay, otherDelay));
    const loopEnd = Math.max(loopStart, Math.min(end, sounding));
    const edge = (n: number) =>
      baseGain * (base[n] ?? 0) +
      amplitude * (samples[n - delay] ?? 0) +
      otherAmplitude * (samples[n - otherDelay] ?? 0);
    for (let n = start; n < loopStart; n++) mixed[n] = edge(n);
    for (let n = loopStart; n < loopEnd; n++) {
      mixed[n] = baseGain * base[n]! + amplitude * samples[n - delay]! + otherAmplitude * samples[n - otherDelay]!;
    }
    for (let n = loopEnd; n < end; n++) mixed[n] = edge(n);
    advance(cursor, first.runs, end - start);
    advance(otherCursor, second.runs, end - start);
    start = end;
  }
}

function advance(cursor: Cursor, runs: Int32Array, count: number): void {
  cursor.left -= count;
  if (cursor.left > 0) return;
  cursor.run = (cursor.run + 2) % runs.length;
  cursor.left = runs[cursor.run + 1]!;
}
