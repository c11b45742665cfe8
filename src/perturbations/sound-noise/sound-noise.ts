import { z } from 'zod';
import { energiesOf } from '../../audio/energies.ts';
import { badInput } from '../../base/errors.ts';
import { between, flag, oneOf } from '../../base/option-kinds.ts';
import { perturbation } from '../contract.ts';
import { channelOfFiles, chooseSounds, collectionName, nameOf, soundSelection } from '../shared/chosen-sounds.ts';
import { isSilence, mixAtSnr, readNoise, refuseSilence } from '../shared/signal-to-noise.ts';

/** Sounds that begin or end with silence are drawn again; this often, and the collection is to blame. */
const maxDraws = 50;

/**
 * Mixes in a sound of a collection, drawn for each clip: noise, music, a talker. Signal-to-noise ratio: energy of the
 * whole clip, pauses included, to energy of what is added. No matching of levels and no guard against values beyond full
 * scale. `start: beginning`, `resampled: false` and `channel: first` are how Speech Robust Bench mixes, `start: random`
 * with `resampled: false` how SR-MT does.
 */
export const soundNoise = perturbation({
  name: 'sound-noise',
  version: 2,
  about: 'Mixes in a recorded sound: noise, music or somebody talking.',
  parameters: z.strictObject({
    sounds: collectionName,
    snrDb: between(-60, 120).describe('Signal-to-noise ratio over the whole clip in decibels: lower is noisier'),
    start: z
      .union([oneOf(['random', 'beginning', 'same']), between(0, 86_400)])
      .default('random')
      .describe(
        'Where in its file the noise begins: anywhere, at the beginning, or so many seconds behind it; same: anywhere, and a clip has the same noise from the same place at every SNR',
      ),
    resampled: flag(true).describe(
      "Whether noise of another sample rate sounds as recorded; if not, its samples count as the clip's",
    ),
    channel: channelOfFiles('mean'),
    select: soundSelection,
  }),
  assetParameters: ['sounds'],
  random: true,
  drawnWithout: ({ start }) => (start === 'same' ? ['snrDb'] : []),
  identity: null,
  example: { sounds: 'noises', snrDb: 10, start: 'random', resampled: true, channel: 'mean', select: {} },
  prepare: ({ sounds, select }, services) => chooseSounds('sound-noise', sounds, select, services),
  async apply({ samples, sampleRate }, { snrDb, start, resampled, channel }, { random, assets }) {
    if (samples.length === 0) {
      return { clip: { samples: new Float32Array(0), sampleRate }, facts: { askedSnrDb: snrDb, achievedSnrDb: null } };
    }
    const { collection, indices } = assets;
    const silent = new Set<number>();
    for (let draws = 0; draws < maxDraws; draws++) {
      const index = indices[random.integer(indices.length)]!;
      const from = start === 'same' ? 'random' : start;
      const request = {
        collection,
        index,
        channel,
        start: from,
        resampled,
        sampleRate,
        length: samples.length,
      } as const;
      const noise = await readNoise(request, random);
      const energies = energiesOf(samples, noise.samples);
      refuseSilence('sound-noise', energies.signal, snrDb);
      if (isSilence(energies.noise, noise.samples.length)) {
        silent.add(index);
        continue;
      }
      const { samples: mixed, finite, ...mix } = mixAtSnr(samples, noise.samples, snrDb, energies);
      return {
        clip: { samples: mixed, sampleRate },
        finite,
        facts: {
          sound: nameOf(collection, index),
          startSeconds: noise.startSeconds,
          repeated: noise.repeated,
          askedSnrDb: snrDb,
          ...mix,
        },
      };
    }
    const [first] = silent;
    throw badInput(
      `sound-noise: expected noise, but ${silent.size === 1 ? '' : `${silent.size} sounds, one of them `}${JSON.stringify(nameOf(collection, first!))} of ${JSON.stringify(collection.name)}${silent.size === 1 ? ' is' : ', are'} silence there; take ${silent.size === 1 ? 'it' : 'them'} out, or choose another start`,
    );
  },
});
