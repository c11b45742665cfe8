import { z } from 'zod';
import { copyWithSilence } from '../../audio/clip.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';

const seconds = (where: string) => between(0, 3600).describe(`Seconds of digital silence ${where} the sound`);

/** Digital silence before and after the sound: nothing is said in it, so that a transcript should not change. */
export const padSilence = plainPerturbation({
  name: 'pad-silence',
  version: 1,
  about: 'Adds silence before and after the sound.',
  parameters: z.strictObject({ beforeSeconds: seconds('before'), afterSeconds: seconds('after') }),
  random: false,
  identity: { beforeSeconds: 0, afterSeconds: 0 },
  example: { beforeSeconds: 0.5, afterSeconds: 1 },
  apply({ samples, sampleRate }, { beforeSeconds, afterSeconds }) {
    if (samples.length === 0) {
      return { clip: { samples: new Float32Array(0), sampleRate }, facts: { beforeSeconds: 0, afterSeconds: 0 } };
    }
    const before = Math.round(beforeSeconds * sampleRate);
    const after = Math.round(afterSeconds * sampleRate);
    const padded = new Float32Array(before + samples.length + after);
    copyWithSilence(samples, -before, padded);
    const duration = samples.length / sampleRate;
    return {
      clip: { samples: padded, sampleRate },
      facts: { beforeSeconds: before / sampleRate, afterSeconds: after / sampleRate },
      timeMap: [
        ...(before > 0 ? [[0, 0] as const] : []),
        [before / sampleRate, 0],
        [(before + samples.length) / sampleRate, duration],
        ...(after > 0 ? [[padded.length / sampleRate, duration] as const] : []),
      ],
    };
  },
});
