import { type Clip, durationSeconds } from '../audio/clip.ts';
import type { ClipQuality } from '../model/measurement.ts';
import type { Utterance } from '../model/utterance.ts';
import type { TimeMap } from '../perturbations/contract.ts';
import type { Store } from '../store/contract.ts';
import type { StudyQuality } from '../studies/contract.ts';
import { alignedClean } from './aligned-clean.ts';
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
  { meters, clips, store }: { readonly meters: QualityMeters; readonly clips: ClipMaker; readonly store: Store },
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
