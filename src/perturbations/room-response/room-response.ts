import { z } from 'zod';
import { measureRt60 } from '../../audio/rooms/measure-rt60.ts';
import { severityClass } from '../../audio/rooms/shoebox.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { between } from '../../base/option-kinds.ts';
import { perturbation } from '../contract.ts';
import { applyRoom, type RoomResponse, readResponse, roomOutputParameters } from '../shared/apply-room.ts';
import {
  type ChosenSounds,
  channelOfFiles,
  chooseSounds,
  chosenIdentity,
  collectionName,
  factOf,
  nameOf,
  soundSelection,
} from '../shared/chosen-sounds.ts';

/** Keys of `select` that stand for classes, with the fact that they are made of. */
const severityFacts = { rt60Class: 'rt60Seconds', srmrClass: 'srmr' } as const;

const classes = 4;

export interface Responses extends ChosenSounds {
  /** Reverberation times or SRMR by which they were classed. */
  readonly values: ReadonlyMap<number, number>;
  /** Those used last, at the clips' rate. */
  readonly kept: Map<string, RoomResponse>;
}

/** Responses kept ready; with their spectra each takes a few megabytes. */
const maxKept = 8;

/**
 * Plays the sound in a room: convolves it with an impulse response of a collection, drawn for each clip. Preset: aligned
 * to the direct sound, as loud as before, without the tail. Speech Robust Bench: `dropSeconds: 0.01, normalize: 'l2',
 * align: 'none', keepTail: true, channel: 'first'`. Responses of other rates are resampled.
 */
export const roomResponse = perturbation({
  name: 'room-response',
  version: 1,
  about: 'Plays the clip in a room that was measured or simulated.',
  parameters: z.strictObject({
    sounds: collectionName,
    select: soundSelection.describe(
      'Only responses of which the collection knows these facts; rt60Class and srmrClass, 1 (mildest) to 4, are quarters of the range of reverberation times (measured where not known) and of SRMR',
    ),
    dropSeconds: between(0, 10)
      .default(0)
      .describe('How much of the beginning of the response is left out, in seconds'),
    channel: channelOfFiles('first'),
    ...roomOutputParameters,
  }),
  assetParameters: ['sounds'],
  random: true,
  identity: null,
  example: {
    sounds: 'rooms',
    select: {},
    dropSeconds: 0,
    channel: 'first',
    normalize: 'level',
    align: 'peak',
    keepTail: false,
  },
  async prepare({ sounds, select }, services) {
    const facts = Object.fromEntries(Object.entries(select).filter(([key]) => !Object.hasOwn(severityFacts, key)));
    const { assets, ...chosen } = await chooseSounds('room-response', sounds, facts, services);
    let { indices } = assets;
    let loaded = chosen.loaded!;
    let values: ReadonlyMap<number, number> = new Map();
    for (const key of Object.keys(severityFacts) as SeverityKey[]) {
      if (!Object.hasOwn(select, key)) continue;
      ({ indices, values } = await ofSeverity(assets.collection, indices, key, select[key]));
      const own = indices.map((index) => values.get(index)!);
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
      const [least, most] = [Math.min(...own), Math.max(...own)];
      loaded = { ...loaded, sounds: indices.length, rooms: { by: severityFacts[key], mean, least, most } };
    }
    const { collection } = assets;
    return {
      identity: chosenIdentity(collection, indices),
      assets: { collection, indices, values, kept: new Map() },
      loaded,
    };
  },
  async apply(clip, parameters, { random, assets }) {
    const { collection, indices, values, kept } = assets;
    const index = indices[random.integer(indices.length)]!;
    const { channel, dropSeconds, align } = parameters;
    const key = canonicalJson([index, clip.sampleRate, channel, dropSeconds, align]);
    const ready =
      kept.get(key) ?? (await readResponse('room-response', collection, index, clip.sampleRate, parameters));
    kept.delete(key);
    kept.set(key, ready);
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
    const { gain, ...perturbed } = applyRoom('room-response', clip, ready, parameters);
    const value = values.get(index);
    return {
      ...perturbed,
      facts: {
        sound: nameOf(collection, index),
        responseSeconds: ready.samples.length / clip.sampleRate,
        gain,
        ...(value !== undefined && { [Object.hasOwn(parameters.select, 'srmrClass') ? 'srmr' : 'rt60Seconds']: value }),
      },
    };
  },
});

type SeverityKey = keyof typeof severityFacts;

/**
 * The responses of one severity: four classes of equal width between the least and the largest reverberation time, or, from
 * the largest down, SRMR (Speech Robust Bench, appendix). Reverberation times that the collection does not know are
 * measured; responses that have none belong to no class.
 *
 * @returns those of `indices` that belong to the class, and what was measured of them
 * @throws EarwitnessError `bad-input` for another class than 1 to 4, one without responses, or a missing SRMR
 */
async function ofSeverity(
  collection: SoundCollection,
  indices: readonly number[],
  key: SeverityKey,
  wanted: unknown,
): Promise<{ readonly indices: readonly number[]; readonly values: ReadonlyMap<number, number> }> {
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted < 1 || wanted > classes) {
    throw badInput(
      `room-response: expected ${key} from 1 to ${classes}, but got ${JSON.stringify(wanted)}; 1 is the mildest`,
    );
  }
  const values = new Map<number, number>();
  for (const index of indices) {
    const known = Number(factOf(collection.sounds[index]!.facts, severityFacts[key]) ?? Number.NaN);
    const value = Number.isFinite(known) ? known : key === 'rt60Class' ? await measured(collection, index) : null;
    if (value !== null) values.set(index, value);
  }
  if (values.size === 0) throw withoutValues(collection, key);
  const all = [...values.values()];
  const least = all.reduce((a, b) => Math.min(a, b));
  const largest = all.reduce((a, b) => Math.max(a, b));
  const [mildest, worst] = key === 'rt60Class' ? [least, largest] : [largest, least];
  const found = [...values].filter(([, value]) => severityClass(value, mildest, worst, classes) === wanted);
  if (found.length === 0) {
    throw badInput(
      `room-response: expected responses in class ${wanted} of ${classes}, but none of the ${values.size} of ${JSON.stringify(collection.name)} between ${mildest.toFixed(2)} and ${worst.toFixed(2)} (${severityFacts[key]}) falls into it; choose another class or collection`,
    );
  }
  return { indices: found.map(([index]) => index), values };
}

async function measured(collection: SoundCollection, index: number): Promise<number | null> {
  const { samples, sampleRate } = await collection.read(index, undefined, 'first');
  return measureRt60(samples, sampleRate).rt60Seconds;
}

function withoutValues(collection: SoundCollection, key: SeverityKey): EarwitnessError {
  const [lack, advice] =
    key === 'srmrClass'
      ? ['none of them has the fact srmr', 'name a manifest with a column srmr, or use rt60Class']
      : ['none of them has a reverberation time, known or measured', 'check that they are room responses'];
  return badInput(
    `room-response: expected responses with ${severityFacts[key]} in ${JSON.stringify(collection.name)}, but ${lack}; ${advice}`,
  );
}
