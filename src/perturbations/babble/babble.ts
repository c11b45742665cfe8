import { z } from 'zod';
import { energyOf } from '../../audio/energies.ts';
import { badInput } from '../../base/errors.ts';
import { between, whole } from '../../base/option-kinds.ts';
import type { Random } from '../../base/random.ts';
import { perturbation } from '../contract.ts';
import {
  channelOfFiles,
  chooseSounds,
  collectionName,
  factOf,
  nameOf,
  soundSelection,
} from '../shared/chosen-sounds.ts';
import { isSilence, mixAtSnr, readNoise, refuseSilence } from '../shared/signal-to-noise.ts';

/**
 * Other people talking at the same time: so many sounds of a collection of speech, each alike loud (by its energy) and from
 * a random place on, short ones repeated, added up and mixed in. Where the collection knows who speaks, every talker is
 * another speaker.
 */
export const babble = perturbation({
  name: 'babble',
  version: 2,
  about: 'Mixes in several people talking at the same time.',
  parameters: z.strictObject({
    sounds: collectionName,
    talkers: whole(1, 100).describe('How many people talk'),
    snrDb: between(-60, 120).describe('Ratio of the clip to all of them together over the whole clip in decibels'),
    channel: channelOfFiles('mean'),
    select: soundSelection,
  }),
  assetParameters: ['sounds'],
  random: true,
  identity: null,
  example: { sounds: 'talkers', talkers: 2, snrDb: 10, channel: 'mean', select: {} },
  prepare: ({ sounds, select }, services) => chooseSounds('babble', sounds, select, services),
  async apply({ samples, sampleRate }, { talkers, snrDb, channel }, { random, assets }) {
    const { length } = samples;
    if (length === 0) {
      return { clip: { samples: new Float32Array(0), sampleRate }, facts: { askedSnrDb: snrDb, achievedSnrDb: null } };
    }
    refuseSilence('babble', energyOf(samples), snrDb);
    const { collection } = assets;
    const sum = new Float32Array(length);
    const heard: string[] = [];
    const spoken = new Set<string>();
    for (const index of shuffled(assets.indices, random)) {
      if (heard.length === talkers) break;
      const speaker = factOf(collection.sounds[index]!.facts, 'speaker');
      if (speaker !== undefined && speaker !== null && spoken.has(String(speaker))) continue;
      const request = { collection, index, channel, start: 'random', resampled: true, sampleRate, length } as const;
      const { samples: talker } = await readNoise(request, random);
      const energy = energyOf(talker);
      // Somebody who is silent all the time is no talker.
      if (isSilence(energy, length)) continue;
      const gain = Math.sqrt(length / energy);
      for (let n = 0; n < length; n++) sum[n] = sum[n]! + gain * talker[n]!;
      heard.push(nameOf(collection, index));
      spoken.add(String(speaker));
    }
    if (heard.length < talkers) {
      throw badInput(
        `babble: expected ${talkers} talkers in ${JSON.stringify(collection.name)}, but it has ${heard.length} who are not silent; ask for fewer, or name a larger collection`,
      );
    }
    if (energyOf(sum) === 0) {
      throw badInput(
        `babble: expected talkers who differ, but those of ${JSON.stringify(collection.name)} cancel each other out; check its files`,
      );
    }
    const { samples: mixed, finite, ...mix } = mixAtSnr(samples, sum, snrDb);
    return { clip: { samples: mixed, sampleRate }, facts: { talkers: heard, askedSnrDb: snrDb, ...mix }, finite };
  },
});

/** In another order, each alike likely (Fisher and Yates), as far as it is asked for. */
function* shuffled(indices: readonly number[], random: Random): Generator<number> {
  const rest = [...indices];
  for (let left = rest.length; left > 0; left--) {
    const place = random.integer(left);
    yield rest[place]!;
    rest[place] = rest[left - 1]!;
  }
}
