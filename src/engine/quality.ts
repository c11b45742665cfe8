import { type Clip, durationSeconds } from '../audio/clip.ts';
import type { ClipQuality } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';
import type { TimeMap } from '../perturbations/contract.ts';
import type { Measurements } from '../store/contract.ts';
import type { StudyQuality } from '../studies/contract.ts';
import type { ClipMaker, MadeClip } from './clips.ts';

/** A measure of quality that a run has opened. */
export interface OpenedQuality extends StudyQuality {
  /** Hash of everything that decides a value. */
  readonly key: string;
}

/** The measures of a run. They may work in threads of their own: several clips may be measured at once. */
export interface QualityMeters {
  readonly measures: readonly OpenedQuality[];
  /**
   * What some of the measures (by their names) say of a clip, in their order.
   *
   * @param clean for those that need it: what the clip was made from, at the clip's times; or why there is none
   * @throws EarwitnessError where an engine fails
   */
  measure(
    names: readonly string[],
    clip: Clip,
    clean: Clip | { readonly reason: string },
  ): Promise<readonly ClipQuality[]>;
}

/** What was heard before anything was done to a clip, moved to the clip's times; or why it cannot be. */
export async function cleanBeside(
  clips: ClipMaker,
  utterance: Utterance,
  made: { readonly clip: Clip; readonly timeMap: TimeMap | null },
): Promise<Clip | { readonly reason: string }> {
  return alignedClean((await clips.clean(utterance)).clip, durationSeconds(made.clip), made.timeMap);
}

/**
 * Measures of a clip what is not stored yet, and stores it.
 *
 * @param keys of measures of this run
 */
export async function addQuality(
  { meters, clips, store }: { readonly meters: QualityMeters; readonly clips: ClipMaker; readonly store: Measurements },
  utterance: Utterance,
  made: MadeClip,
  keys: readonly string[],
): Promise<void> {
  const stored = store.storedQuality(made.hash, keys);
  const missing = meters.measures.filter(({ key }) => keys.includes(key) && !stored.has(key));
  if (missing.length === 0) return;
  const clean = missing.some(({ needsClean }) => needsClean)
    ? await cleanBeside(clips, utterance, made)
    : { reason: 'it was not asked for' };
  const names = missing.map(({ name }) => name);
  const results = await meters.measure(names, made.clip, clean);
  store.saveQuality(
    made.hash,
    results.map((result, index) => ({ ...result, key: missing[index]!.key, measure: missing[index]!.name })),
  );
}

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
      reason: `the clip has ${heardSeconds.toFixed(3)} s and the clean one ${heardLast.toFixed(3)} s, and their times cannot be aligned`,
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
