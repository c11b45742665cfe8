import { z } from 'zod';
import { resample } from '../../audio/resample.ts';
import { badInput } from '../../base/errors.ts';
import { between } from '../../base/option-kinds.ts';
import { perturbation } from '../contract.ts';
import { channelOfFiles, chooseSounds, collectionName, nameOf, soundSelection } from '../shared/chosen-sounds.ts';

/** A longer sound is no clip to be put behind another; a podcast given by mistake would be held in memory whole. */
const maxSeconds = 600;

/**
 * Puts a sound of a collection behind the clip, as loud as it was recorded: a second sentence, whose words should follow.
 * Where the selection leaves one sound, it is the same behind every clip.
 */
export const appendSound = perturbation({
  name: 'append-sound',
  version: 1,
  about: 'Puts a recorded sound behind the clip: a second sentence, say.',
  parameters: z.strictObject({
    sounds: collectionName,
    pauseSeconds: between(0, 3600).default(0.5).describe('Seconds of digital silence between the clip and the sound'),
    channel: channelOfFiles('mean'),
    select: soundSelection,
  }),
  assetParameters: ['sounds'],
  random: true,
  identity: null,
  example: { sounds: 'sentences', pauseSeconds: 0.5, channel: 'mean', select: {} },
  prepare: ({ sounds, select }, services) => chooseSounds('append-sound', sounds, select, services),
  async apply({ samples, sampleRate }, { pauseSeconds, channel }, { random, assets: { collection, indices } }) {
    const index = indices[random.integer(indices.length)]!;
    const sound = nameOf(collection, index);
    if (samples.length === 0) {
      return { clip: { samples: new Float32Array(0), sampleRate }, facts: { sound, soundSeconds: 0 } };
    }
    const soundSeconds = await collection.durationSeconds(index);
    if (soundSeconds > maxSeconds) {
      throw badInput(
        `append-sound: expected a sound of at most ${maxSeconds} s, but ${JSON.stringify(sound)} has ${Math.round(soundSeconds)}; cut it, or select others`,
      );
    }
    const appended = resample(await collection.read(index, undefined, channel), sampleRate).samples;
    const start = samples.length + Math.round(pauseSeconds * sampleRate);
    const joined = new Float32Array(start + appended.length);
    joined.set(samples);
    joined.set(appended, start);
    const duration = samples.length / sampleRate;
    return {
      clip: { samples: joined, sampleRate },
      facts: { sound, soundSeconds: appended.length / sampleRate },
      timeMap: [
        [0, 0],
        [duration, duration],
        [joined.length / sampleRate, duration],
      ],
    };
  },
});
