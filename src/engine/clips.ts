import type { Clip } from '../audio/clip.ts';
import { measureClip } from '../audio/clip-measurement.ts';
import { badInput } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { createRandom } from '../base/random.ts';
import type { Corpus } from '../corpora/contract.ts';
import { type ClipMeasurement, withoutRate } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';
import { type AppliedSteps, applySteps, type ReadyStep, seededParameters } from '../perturbations/apply-steps.ts';
import type { Checkpoint, TimeMap } from '../perturbations/contract.ts';
import type { Measurements } from '../store/contract.ts';
import type { ReadyCondition } from './conditions.ts';
import type { ClipRecipe, HeardClip } from './executors/contract.ts';
import { clipHash, soundHash, stepSeed } from './keys.ts';
import type { MakingMeter } from './making-meter.ts';

/** A sound as recognizers hear it. */
export interface MadeClip {
  readonly clip: HeardClip;
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

/** Sounds that took long to make, by the hashes of the sound that they were made from and of their clip. */
export interface KeptSounds {
  read(sound: string, clip: string): Promise<KeptSound | null>;
  write(sound: string, clip: string, made: KeptSound): Promise<void>;
  /** How far a step is with a clip; it goes when the clip is written. */
  checkpoint(sound: string, clip: string, position: number): Checkpoint;
}

export type KeptSound = Pick<AppliedSteps, 'clip' | 'facts' | 'timeMap'>;

export interface ClipMakerOptions {
  readonly store: Pick<Measurements, 'saveClip'>;
  readonly corpus: Corpus;
  readonly seed: number;
  /** At most so much memory for clips that are kept; those in use come on top. */
  readonly cacheBytes: number;
  /** Whether changed sounds are kept, or clean ones alone: then a changed one belongs to whoever asked for it. */
  readonly keepChanged: boolean;
  /** Whether measurements are kept in the store. */
  readonly save: boolean;
  /** Absent: what takes long is made again each time. */
  readonly kept?: KeptSounds | undefined;
  /** Is told of what takes long to make. */
  readonly making?: Pick<MakingMeter, 'made' | 'told'>;
  /** Ends what takes long to make. */
  readonly signal?: AbortSignal;
}

interface Wanted {
  readonly utterance: Utterance;
  readonly condition: ReadyCondition;
  readonly draw: number;
  readonly sound: string;
  readonly hash: string;
}

/** Clips are read or synthesized, and then changed by their condition; those used last are kept, up to `cacheBytes`. */
export function createClipMaker(options: ClipMakerOptions): ClipMaker {
  const { store, corpus, seed, cacheBytes, keepChanged, save } = options;
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
    if (identity === null) throw badInput(`${printable(utterance.id)}: this utterance has no audio`);
    return { hash: soundHash(identity), clip: await corpus.clip(utterance) };
  };
  const make = async (utterance: Utterance, condition: ReadyCondition, draw: number): Promise<MadeClip> => {
    const { steps } = condition.condition;
    // The clean clip's hash is its sound's: a file that is replaced meanwhile cannot come under the other's name.
    const { clip: before, hash: sound } = steps.length === 0 ? await read(utterance) : await cleanClip(utterance);
    const hash = clipHash(sound, condition, draw, seed, utterance);
    const kept = condition.costly ? options.kept : undefined;
    const known = (await kept?.read(sound, hash)) ?? null;
    const applied = known ?? (await apply(before, { utterance, condition, draw, sound, hash }));
    if (known === null) await kept?.write(sound, hash, applied);
    if (condition.costly) options.making?.made(hash);
    const { facts, timeMap } = applied;
    const recipe = recipeOf(before, { condition, draw, sound });
    const clip = recipe === null ? applied.clip : { ...applied.clip, recipe };
    const measurement = measureClip(clip, facts);
    if (save) {
      store.saveClip({ hash, sound, utteranceId: utterance.id, speaker: utterance.speaker ?? null, measurement });
    }
    return { clip, hash, measurement, timeMap };
  };
  const seedOf = (
    { condition: { steps }, steps: ready }: ReadyCondition,
    position: number,
    sound: string,
    draw: number,
  ) => {
    // By the name that is in the key, which for a module of the user's own is not its path.
    const { perturbation } = ready[position]!;
    const parameters = seededParameters(perturbation, steps[position]!.parameters);
    // The rate that steps are made at is not counted: where a clip has it, the others sound as they do without it.
    const place = position - (steps.length - withoutRate(steps).length);
    return stepSeed(seed, sound, place, { perturbation: perturbation.name, parameters }, draw);
  };
  /** Where all steps are members that need nothing but the clip. */
  const recipeOf = (
    source: Clip,
    { condition, draw, sound }: Pick<Wanted, 'condition' | 'draw' | 'sound'>,
  ): ClipRecipe | null => {
    const { steps } = condition.condition;
    const isPlain = ({ perturbation, prepared }: ReadyStep, position: number) =>
      prepared === null && perturbation.name === steps[position]!.perturbation;
    if (steps.length === 0 || condition.costly || condition.readsText || !condition.steps.every(isPlain)) return null;
    const recipe = condition.steps.map(({ perturbation: { name, version } }, position) => ({
      ...{ perturbation: name, version, parameters: steps[position]!.parameters },
      seed: seedOf(condition, position, sound, draw),
    }));
    return { source, steps: recipe };
  };
  const apply = (before: Clip, { utterance, condition, draw, sound, hash }: Wanted) => {
    const { steps } = condition.condition;
    return applySteps(before, steps, {
      ready: (position) => condition.steps[position]!,
      randomFor: (position) => createRandom(seedOf(condition, position, sound, draw)),
      othersFor(position) {
        const { perturbation } = condition.steps[position]!;
        const { making } = options;
        const checkpoint = perturbation.costly && options.kept?.checkpoint(sound, hash, position);
        return {
          ...(perturbation.readsText?.(steps[position]!.parameters) && {
            said: { reference: utterance.reference, language: utterance.language },
          }),
          ...(utterance.speaker !== undefined && { speaker: utterance.speaker }),
          ...(checkpoint && { checkpoint }),
          ...(making && { told: (done: number, of: number) => making.told(hash, perturbation.name, done, of) }),
          ...(options.signal && { signal: options.signal }),
        };
      },
    });
  };
  const clean: ReadyCondition = {
    index: -1,
    condition: { name: 'clean', steps: [] },
    steps: [],
    random: false,
    readsText: false,
    costly: false,
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
