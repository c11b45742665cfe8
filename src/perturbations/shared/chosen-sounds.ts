import { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts';
import { nonEmpty, oneOf } from '../../base/option-kinds.ts';
import { limitText, someOf } from '../../base/printable.ts';
import { sha256Digits } from '../../base/sha256.ts';
import type { AssetServices, Prepared } from '../contract.ts';

/** Sounds of a collection that a step may use. */
export interface ChosenSounds {
  readonly collection: SoundCollection;
  /** Their numbers in the collection, at least one. */
  readonly indices: readonly number[];
}

/** Facts that the sounds must have. */
export type SoundSelection = Readonly<Record<string, string | number | boolean>>;

export const collectionName = nonEmpty(4096).describe(
  'A collection by its name in the config (under `sounds`), or the path of a folder of audio files',
);

export const soundSelection = z
  .record(z.string().max(200), z.union([z.string().max(1000), z.number(), z.boolean()]))
  .default({})
  .describe(
    'Only sounds of which the collection knows these facts: {"category": "dog"}; `name` is the name of the file',
  );

export const channelOfFiles = (preset: 'mean' | 'first') =>
  oneOf(['mean', 'first'])
    .default(preset)
    .describe('What is taken of files with several channels: their mean, or the first alone');

/**
 * Opens a collection for a step. What goes into keys is what its sounds are and which of them may be used: not what
 * collection, files or facts are called.
 *
 * @throws EarwitnessError `bad-config` or `bad-input` where there is no such collection, or nothing in it that is wanted
 */
export async function chooseSounds(
  step: string,
  name: string,
  select: SoundSelection,
  services: AssetServices,
): Promise<Prepared<ChosenSounds>> {
  const collection = await services.sounds(name);
  const wanted = Object.entries(select);
  const indices = [...collection.sounds.keys()].filter((index) => {
    const { name: file, facts } = collection.sounds[index]!;
    return wanted.every(([fact, value]) => isFact(fact === 'name' ? file : factOf(facts, fact), value));
  });
  if (indices.length === 0) throw nothingChosen(step, collection, wanted);
  return {
    identity: chosenIdentity(collection, indices),
    assets: { collection, indices },
    loaded: { collection: name, sounds: indices.length, dataSet: publishedDataSet(collection) },
  };
}

/** Collections of Speech Robust Bench as they are published: how many files, and how these are called. */
const published: readonly (readonly [name: string, files: number | null, stem: RegExp])[] = [
  ['ms-snsd', 51, /^[A-Za-z]+_\d+$/],
  ['esc-50', 2000, /^[1-5]-\d+-[A-Z]-\d{1,2}$/],
  ['musan-noise', 930, /^noise-[a-z-]+-\d{4}$/],
  ['musan-music', 660, /^music-[a-z-]+-\d{4}$/],
  ['musan-speech', 426, /^speech-[a-z-]+-\d{4}$/],
  ['wham', 3000, /^\w{8}_-?[\d.]+_\w{8}_-?[\d.]+$/],
  ['slr28-simulated', 60_000, /^Room\d{3}-\d{5}$/],
  // How many of the responses and noises the benchmark had is not told in one way.
  ['slr28-real', null, /^(air|RVB2014|RWCP)_type\d_/],
];

/**
 * Which published collection this is by number and names of its files; null for any other, a part of one included.
 *
 * @example publishedDataSet({ sounds: [{ name: 'rain.wav' }] }) // null
 */
export function publishedDataSet({ sounds }: { readonly sounds: readonly { readonly name: string }[] }): string | null {
  const found = published.find(
    ([, files, stem]) =>
      (files === null || files === sounds.length) &&
      sounds.every(({ name }) => stem.test(name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''))),
  );
  return found?.[0] ?? null;
}

/** What a step's key says of the sounds that it may use. */
export function chosenIdentity(collection: SoundCollection, indices: readonly number[]): Json {
  if (indices.length === collection.sounds.length) return { sounds: collection.identity };
  const chosen = new TextEncoder().encode(canonicalJson([...indices]));
  return { sounds: collection.identity, chosen: sha256Digits(chosen) };
}

/** A fact of a sound; undefined where it has none of this name. */
export function factOf(facts: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(facts, name) ? facts[name] : undefined;
}

/** The name of a sound as facts and sentences have it. */
export function nameOf(collection: SoundCollection, index: number): string {
  return limitText(collection.sounds[index]!.name, 200);
}

/** Numbers of tables come as text. */
function isFact(fact: Json | undefined, wanted: string | number | boolean): boolean {
  return fact === wanted || (fact !== undefined && fact !== null && String(fact) === String(wanted));
}

function nothingChosen(
  step: string,
  collection: SoundCollection,
  wanted: readonly (readonly [string, string | number | boolean])[],
): EarwitnessError {
  const asked = wanted.map(([fact, value]) => `${fact} ${JSON.stringify(value)}`).join(' and ');
  const known = new Set(collection.sounds.slice(0, 1000).flatMap(({ facts }) => Object.keys(facts)));
  const facts = known.size === 0 ? 'they have no facts' : `their facts are ${someOf([...known], 12)}`;
  return badInput(
    `${step}: expected a sound with ${limitText(asked, 300)}, but none of the ${collection.sounds.length} of ${JSON.stringify(limitText(collection.name, 200))} is one (${limitText(facts, 300)}); correct select`,
  );
}

/** A sound that is in memory already, with its name and what is known of it. */
export interface SoundInMemory {
  readonly name: string;
  readonly clip: Clip;
  readonly facts?: JsonObject;
}

/**
 * A collection of sounds that are no files. Its identity is their names.
 *
 * @example inMemory([{ name: 'hum', clip: { samples, sampleRate: 16000 } }])
 */
export function collectionInMemory(name: string, sounds: readonly SoundInMemory[]): SoundCollection {
  return {
    name,
    identity: { inMemory: sounds.map((sound) => sound.name) },
    sounds: sounds.map((sound) => ({ name: sound.name, facts: sound.facts ?? {} })),
    durationSeconds: async (index) => sounds[index]!.clip.samples.length / sounds[index]!.clip.sampleRate,
    async read(index, stretch) {
      const { samples, sampleRate } = sounds[index]!.clip;
      if (stretch === undefined) return { samples, sampleRate };
      const from = Math.round(stretch.startSeconds * sampleRate);
      return { samples: samples.slice(from, Math.round(stretch.endSeconds * sampleRate)), sampleRate };
    },
  };
}

/** Services that know this collection alone, by any name. */
export function onlySounds(collection: SoundCollection): AssetServices {
  return {
    sounds: async () => collection,
    codec: async (name) => {
      throw new RangeError(`expected no codec to be asked for, got ${String(name)}`);
    },
  };
}
