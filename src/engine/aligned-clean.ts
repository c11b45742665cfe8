import type { Clip } from '../audio/clip.ts';
import type { TimeMap } from '../perturbations/contract.ts';

/** By how much a stretch may be longer than it was and still count as unchanged: a resampler's rounding of the length. */
const toleranceSeconds = 0.001;

/**
 * The clean clip at the times of the changed one, for measures that compare sample by sample: what was delayed is delayed, and
 * where the changed clip has something of its own (a pause, a room that rings on) the clean one is silent. A clip whose time
 * was stretched has no such counterpart.
 *
 * @param heardSeconds length of the changed clip
 * @param timeMap from times in the changed clip to times in the clean one; null where they are the same
 * @example alignedClean(clean, 2.5, [[0, 0], [2, 2], [2.5, 2]]) // half a second of silence added at the end
 */
export function alignedClean(
  clean: Clip,
  heardSeconds: number,
  timeMap: TimeMap | null,
): Clip | { readonly reason: string } {
  const { samples, sampleRate } = clean;
  const heardLength = Math.round(heardSeconds * sampleRate);
  const map: TimeMap = timeMap ?? [
    [0, 0],
    [samples.length / sampleRate, samples.length / sampleRate],
  ];
  const [[heardFirst, originalFirst], [heardLast, originalLast]] = [map[0] ?? [0, 0], map.at(-1) ?? [0, 0]];
  if (timeMap === null && Math.abs(heardLast - heardSeconds) > toleranceSeconds) {
    return {
      reason: `the clip has ${heardSeconds.toFixed(3)} s and the clean one ${heardLast.toFixed(3)} s, and nothing tells how their times belong together`,
    };
  }
  const aligned = new Float32Array(heardLength);
  const copy = (fromHeard: number, toHeard: number, original: number) => {
    const start = Math.round(fromHeard * sampleRate);
    const end = Math.min(heardLength, Math.round(toHeard * sampleRate));
    const shift = Math.round((original - fromHeard) * sampleRate);
    for (let n = Math.max(0, start, -shift); n < end && n + shift < samples.length; n++)
      aligned[n] = samples[n + shift]!;
  };
  for (let index = 1; index < map.length; index++) {
    const [heardFrom, originalFrom] = map[index - 1]!;
    const [heardTo, originalTo] = map[index]!;
    const heard = heardTo - heardFrom;
    const original = originalTo - originalFrom;
    if (Math.abs(heard - original) <= toleranceSeconds) copy(heardFrom, heardTo, originalFrom);
    else if (Math.abs(original) > toleranceSeconds) {
      return {
        reason: `the clip's time was changed (${heard.toFixed(2)} s of it were ${original.toFixed(2)} s), so that it cannot be compared with the clean one sample by sample`,
      };
    }
  }
  // Before the first and behind the last pair nothing is said: a map of whole clips has nothing there but rounding.
  if (heardFirst > 0 && heardFirst <= toleranceSeconds) copy(0, heardFirst, originalFirst - heardFirst);
  if (heardSeconds - heardLast <= toleranceSeconds) copy(heardLast, heardSeconds, originalLast);
  return { samples: aligned, sampleRate };
}
