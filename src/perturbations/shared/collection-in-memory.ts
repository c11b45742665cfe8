import type { Clip } from '../../audio/clip.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import type { JsonObject } from '../../base/json.ts';
import type { AssetServices } from '../contract.ts';

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
