import { z } from 'zod';
import { gaussianNoise } from '../../audio/gaussian-noise.ts';
import { rms } from '../../audio/levels.ts';
import { changeSamples, scaling } from '../../audio/samplewise.ts';
import { badInput } from '../../base/errors.ts';
import { between, nonEmpty, orNull } from '../../base/option-kinds.ts';
import type { Perturbation, PerturbationServices } from '../contract.ts';
import { type ChosenSounds, channelOfFiles, chooseSounds, nameOf, soundSelection } from '../shared/chosen-sounds.ts';
import { readNoise } from '../shared/signal-to-noise.ts';

const silence = 'silence';
const whiteNoise = 'white-noise';

const parameters = z.strictObject({
  sounds: nonEmpty(4096).describe(
    'What is heard: `silence` (digital), `white-noise`, or sounds of a collection or folder',
  ),
  levelDbfs: orNull(between(-120, 0)).describe(
    'Level (root mean square) in decibels below full scale; null for the level of the clip',
  ),
  channel: channelOfFiles('mean'),
  select: soundSelection,
});

type ReplaceSoundParameters = z.output<typeof parameters>;

/**
 * Takes the sound away and puts something without speech of the same length in its place: whatever a recognizer writes
 * then, it made up. The sound is kept for nothing but its length, its rate and, if no level is given, its level.
 */
export const replaceSound: Perturbation<ReplaceSoundParameters, ChosenSounds | null> = {
  name: 'replace-sound',
  version: 2,
  about: 'Puts silence, hiss or a recorded sound in the place of the clip.',
  parameters,
  assetParameters: ['sounds'],
  random: true,
  identity: null,
  example: { sounds: whiteNoise, levelDbfs: -40, channel: 'mean', select: {} },
  async prepare({ sounds, select }, services) {
    if (sounds === silence || sounds === whiteNoise) return { identity: { made: sounds }, assets: null };
    return chooseSounds('replace-sound', sounds, select, services);
  },
  async apply({ samples, sampleRate }, parameters, services) {
    const { length } = samples;
    if (length === 0 || parameters.sounds === silence) {
      return { clip: { samples: new Float32Array(length), sampleRate }, facts: { sound: silence } };
    }
    const wanted = parameters.levelDbfs === null ? rms(samples) : 10 ** (parameters.levelDbfs / 20);
    const { replacement, ...facts } = await sound(parameters, { length, sampleRate }, services);
    const level = rms(replacement);
    if (level === 0) {
      throw badInput(
        `replace-sound: expected a sound, but ${JSON.stringify(facts.sound)} is digital silence there; take it out, or ask for "silence"`,
      );
    }
    const gain = wanted / level;
    return {
      clip: { samples: changeSamples(replacement, [scaling(gain)]).samples, sampleRate },
      facts: { ...facts, gain },
    };
  },
};

async function sound(
  { channel }: ReplaceSoundParameters,
  { length, sampleRate }: { readonly length: number; readonly sampleRate: number },
  { random, assets }: PerturbationServices<ChosenSounds | null>,
) {
  if (assets === null) return { replacement: gaussianNoise(length, random), sound: whiteNoise };
  const { collection, indices } = assets;
  const index = indices[random.integer(indices.length)]!;
  const request = { collection, index, channel, start: 'random', resampled: true, sampleRate, length } as const;
  const { samples, startSeconds, repeated } = await readNoise(request, random);
  return { replacement: samples, sound: nameOf(collection, index), startSeconds, repeated };
}
