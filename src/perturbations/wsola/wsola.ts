import { z } from 'zod';
import { durationSeconds } from '../../audio/clip.ts';
import { wsola as changeTempo, shortestWsolaSamples } from '../../audio/wsola.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between, orNull } from '../../base/option-kinds.ts';
import { plainPerturbation, type TimeMap } from '../contract.ts';

/**
 * Another tempo at the same pitch, sample by sample as SR-MT made it, with its habits (audio/wsola.ts); `tempo` is the one
 * to choose otherwise. A rate is how much faster, a duration factor how much longer: the paper gives rates, the files of its
 * authors are named after duration factors, so exactly one has to be named here.
 */
export const wsola = plainPerturbation({
  name: 'wsola',
  version: 1,
  about: 'Speaks faster or slower at the same pitch, in pieces of 10 ms, with a silent end.',
  parameters: z
    .strictObject({
      rate: orNull(between(0.25, 4)).describe(
        'How much faster, 0.25 to 4: at 1.25 the length is divided by 1.25. Either this or durationFactor',
      ),
      durationFactor: orNull(between(0.25, 4)).describe(
        'How much longer, 0.25 to 4: at 1.25 the length is multiplied by 1.25. Either this or rate',
      ),
    })
    .refine(({ rate, durationFactor }) => (rate === null) !== (durationFactor === null), {
      message: 'expected either rate or durationFactor; leave the other out',
    }),
  random: false,
  identity: null,
  example: { rate: null, durationFactor: 1.25 },
  apply(clip, { rate: givenRate, durationFactor }) {
    const rate = givenRate ?? 1 / durationFactor!;
    const { samples, sampleRate } = clip;
    const facts = { rate, durationFactor: durationFactor ?? 1 / givenRate! };
    if (samples.length === 0) return { clip: { samples: new Float32Array(0), sampleRate }, facts };
    if (sampleRate * rate < 100 || sampleRate < 200) {
      throw new InapplicableStep(
        `wsola: expected a clip of at least ${Math.ceil(Math.max(200, 100 / rate))} samples per second, but it has ${sampleRate}; leave this clip out`,
      );
    }
    const shortest = shortestWsolaSamples(sampleRate, rate);
    if (samples.length < shortest) {
      throw new InapplicableStep(
        `wsola: expected a clip of at least ${shortest} samples (${(shortest / sampleRate).toFixed(3)} s), but it has ${samples.length}; leave this clip out`,
      );
    }
    const changed = changeTempo(samples, sampleRate, rate);
    const end = [changed.samples.length / sampleRate, durationSeconds(clip)] as const;
    const lastPiece = [changed.endOut / sampleRate, changed.endIn / sampleRate] as const;
    const timeMap: TimeMap = lastPiece[0] < end[0] ? [[0, 0], lastPiece, end] : [[0, 0], end];
    return { clip: { samples: changed.samples, sampleRate }, facts, timeMap };
  },
});
