import type { Clip } from '../audio/clip.ts';
import { measureClip } from '../audio/levels.ts';
import { EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { createRandom } from '../base/random.ts';
import type { Corpus } from '../corpora/contract.ts';
import type { ClipMeasurement } from '../model/measurement.ts';
import type { Utterance } from '../model/utterance.ts';
import { applySteps, keyedParameters } from '../perturbations/apply-steps.ts';
import type { TimeMap } from '../perturbations/contract.ts';
import type { Store } from '../store/contract.ts';
import type { ReadyCondition } from './conditions.ts';
import { clipHash, soundHash, stepSeed } from './keys.ts';

/** A sound as recognizers hear it. */
export interface MadeClip {
  readonly clip: Clip;
  readonly hash: string;
  readonly measurement: ClipMeasurement;
  /** From its times to those of the clean clip; null where they are the same. */
  readonly timeMap: TimeMap | null;
}

/** Makes each clip once and keeps it for the recognizers that wait for it, as long as there is room. */
export interface ClipMaker {
  /** @throws EarwitnessError `bad-input` where the sound cannot be read or made */
  make(utterance: Utterance, condition: ReadyCondition, draw: number): Promise<MadeClip>;
  /** What the others are made from. */
  clean(utterance: Utterance): Promise<MadeClip>;
}

export interface ClipMakerOptions {
  readonly store: Pick<Store, 'saveClip'>;
  readonly corpus: Corpus;
  readonly seed: number;
  /** At most so much memory for clips that are kept; those in use come on top. */
  readonly cacheBytes: number;
  /** Whether changed sounds are kept, or clean ones alone: then a changed one belongs to whoever asked for it. */
  readonly keepChanged: boolean;
  /** Whether measurements are kept in the store. */
  readonly save: boolean;
}

export function createClipMaker({ store, corpus, seed, cacheBytes, keepChanged, save }: ClipMakerOptions): ClipMaker {
  // In order of use, oldest first. Promises, so that a clip which is being made is waited for and not made twice.
  const cache = new Map<string, { readonly making: Promise<MadeClip>; bytes: number }>();
  let bytes = 0;

  const evict = () => {
    for (const [key, entry] of cache) {
      if (bytes <= cacheBytes) return;
      bytes -= entry.bytes;
      cache.delete(key);
    }
  };
  const get = (key: string, make: () => Promise<MadeClip>): Promise<MadeClip> => {
    const known = cache.get(key);
    if (known) {
      cache.delete(key);
      cache.set(key, known);
      return known.making;
    }
    const entry = { making: make(), bytes: 0 };
    cache.set(key, entry);
    entry.making.then(
      ({ clip }) => {
        if (cache.get(key) !== entry) return;
        entry.bytes = clip.samples.byteLength;
        bytes += entry.bytes;
        evict();
      },
      () => cache.delete(key),
    );
    return entry.making;
  };

  const read = async (utterance: Utterance): Promise<{ clip: Clip; hash: string }> => {
    const identity = await corpus.soundIdentity(utterance);
    if (identity === null)
      throw new EarwitnessError('bad-input', `${printable(utterance.id)}: this utterance has no sound`);
    return { hash: soundHash(identity), clip: await corpus.clip(utterance) };
  };
  const make = async (utterance: Utterance, condition: ReadyCondition, draw: number): Promise<MadeClip> => {
    const { steps } = condition.condition;
    // The clean clip's hash is its sound's: a file that is replaced meanwhile cannot come under the other's name.
    const { clip: before, hash: sound } = steps.length === 0 ? await read(utterance) : await cleanClip(utterance);
    const hash = clipHash(sound, condition, draw, seed);
    const { clip, facts, timeMap } = await applySteps(before, steps, {
      ready: (position) => condition.steps[position]!,
      randomFor: (position) => {
        // By the name that is in the key, which for a module of the user's own is not its path.
        const { perturbation } = condition.steps[position]!;
        const parameters = keyedParameters(perturbation, steps[position]!.parameters);
        return createRandom(stepSeed(seed, sound, position, { perturbation: perturbation.name, parameters }, draw));
      },
    });
    const measurement = measureClip(clip, facts);
    if (save) {
      store.saveClip({ hash, sound, utteranceId: utterance.id, speaker: utterance.speaker ?? null, measurement });
    }
    return { clip, hash, measurement, timeMap };
  };
  const clean: ReadyCondition = {
    index: -1,
    condition: { name: 'clean', steps: [] },
    steps: [],
    random: false,
    recipe: [],
  };
  const keyOf = (utterance: Utterance, condition: ReadyCondition, draw: number) =>
    JSON.stringify([utterance.id, condition.recipe, condition.random ? draw : 0]);
  const cleanClip = (utterance: Utterance) => get(keyOf(utterance, clean, 0), () => make(utterance, clean, 0));

  return {
    make: (utterance, condition, draw) =>
      keepChanged || condition.condition.steps.length === 0
        ? get(keyOf(utterance, condition, draw), () => make(utterance, condition, draw))
        : make(utterance, condition, draw),
    clean: cleanClip,
  };
}
