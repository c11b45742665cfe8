import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { encodeWav } from '../../audio/encode-wav.ts';
import { maxSampleRate } from '../../audio/pcm.ts';
import { badInput } from '../../base/errors.ts';
import { whole } from '../../base/option-kinds.ts';
import { atRate, usualRateHz } from '../../model/trial.ts';
import { readWav } from '../../perturbations/perturbations.ts';
import { stepsOf } from '../../session/config/check-conditions.ts';
import { namedConditions } from '../../session/export/named-conditions.ts';
import { openSoundMaker } from '../../session/export/sound-maker.ts';
import { defineCall } from '../call.ts';

/**
 * Changes a sound as `earwitness perturb` changes a WAV file that holds it: `samples` (32-bit floats, full scale ±1, or 16-bit integers) at `rate`
 * come in, floats go out. What is drawn at random depends on that file, the seed and the draw.
 */
export const perturb = defineCall(
  z.object({
    rate: whole(1, maxSampleRate),
    scenario: z.union([z.string(), z.array(z.unknown())]),
    seed: whole(0),
    draw: whole(0),
    baseFolder: z.string(),
  }),
  async ({ rate, scenario, seed, draw, baseFolder }, { samples }) => {
    const conditions =
      typeof scenario === 'string'
        ? await namedConditions([scenario], undefined, [], baseFolder)
        : [{ name: 'steps', steps: await stepsOf(scenario, 'scenario', baseFolder) }];
    if (conditions.length !== 1) {
      throw badInput(
        `expected one condition, but ${scenario} stands for ${conditions.length}: ${conditions.map(({ name }) => name).join(', ')}; name one`,
      );
    }
    const folder = await mkdtemp(join(tmpdir(), 'earwitness-'));
    const file = join(folder, 'sound.wav');
    try {
      await writeFile(file, wavOf(samples, rate));
      await using maker = await openSoundMaker({
        ...{ baseFolder, config: null, seed, draw, quality: [], format: 'f32', force: false },
        conditions: conditions.map((one) => ({ ...one, steps: atRate(one.steps, usualRateHz) })),
      });
      const utterance = { id: 'sound', sound: { file }, language: 'und', attributes: {}, tags: [] };
      const [made] = await maker.make({
        utterance,
        wanted: [{ condition: 0, output: null, bytes: true, before: null }],
      });
      if (made === undefined || 'failure' in made) {
        // Of an array there is no file to name, and none to make.
        const why = made?.failure ?? 'the audio was not made';
        throw badInput(why.replaceAll(`${file}: `, '').replace(/; make (?:a|the) file [^;]*$/, ''));
      }
      const { samples: changed, sampleRate } = readWav(made.bytes!);
      return { value: { rate: sampleRate }, arrays: { samples: Float32Array.from(changed) } };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

function wavOf(samples: unknown, sampleRate: number): Uint8Array {
  if (samples instanceof Float32Array) return encodeWav({ samples, sampleRate }, { format: 'f32' });
  if (samples instanceof Int16Array) {
    const scaled = Float32Array.from(samples, (sample) => sample / 32768);
    return encodeWav({ samples: scaled, sampleRate }, { format: 's16' });
  }
  throw badInput('expected samples as 32-bit floats or 16-bit integers');
}
