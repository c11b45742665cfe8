import { z } from 'zod';
import { between, whole } from '../../base/option-kinds.ts';
import { plainPerturbation, type TimeMap } from '../contract.ts';

/**
 * The sound again and again, with silence between: its words should come as often. A time map cannot fall, so times of the
 * last copy map to the sound, and those before it to its start.
 */
export const repeatSound = plainPerturbation({
  name: 'repeat-sound',
  version: 1,
  about: 'Plays the clip several times, with pauses between.',
  parameters: z.strictObject({
    times: whole(1, 20).describe('How often it is heard: 2 is once more'),
    pauseSeconds: between(0, 3600).default(0.5).describe('Seconds of digital silence between one copy and the next'),
  }),
  random: false,
  identity: { times: 1, pauseSeconds: 0.5 },
  example: { times: 2, pauseSeconds: 0.5 },
  apply({ samples, sampleRate }, { times, pauseSeconds }) {
    const { length } = samples;
    const pause = length === 0 ? 0 : Math.round(pauseSeconds * sampleRate);
    const repeated = new Float32Array(times * length + (times - 1) * pause);
    for (let copy = 0; copy < times; copy++) repeated.set(samples, copy * (length + pause));
    const lastStart = ((times - 1) * (length + pause)) / sampleRate;
    const lastCopy: TimeMap = [
      [lastStart, 0],
      [repeated.length / sampleRate, length / sampleRate],
    ];
    return {
      clip: { samples: repeated, sampleRate },
      facts: { times, pauseSeconds: times === 1 ? 0 : pause / sampleRate },
      timeMap: lastStart > 0 ? [[0, 0], ...lastCopy] : lastCopy,
    };
  },
});
