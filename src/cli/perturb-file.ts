import type { WavOptions } from '../audio/encode-wav.ts';
import { measureClip } from '../audio/measure-clip.ts';
import { createRandom } from '../base/random.ts';
import type { SoundFiles } from '../decoders/contract.ts';
import { soundHash, stepSeed } from '../engine/keys.ts';
import type { Condition } from '../model/condition.ts';
import type { ClipMeasurement } from '../model/measurement.ts';
import { applySteps } from '../perturbations/apply-steps.ts';
import { loadMember } from '../session/members/load-member.ts';
import { writeSound } from './write-sound.ts';

/** A file that was changed and written. */
export interface PerturbedFile {
  /** Of the clip before it was written; 16-bit files are rounded from it. */
  readonly measurement: ClipMeasurement;
}

/**
 * Makes what changes one file after another. A file sounds as it would in a run with the same seed, condition and draw.
 */
export async function createPerturber(options: {
  readonly sounds: SoundFiles;
  readonly condition: Condition;
  readonly seed: number;
  readonly draw: number;
  readonly format: WavOptions['format'];
  readonly baseFolder: string;
}): Promise<(input: string, output: string) => Promise<PerturbedFile>> {
  const { sounds, seed, draw, format, baseFolder } = options;
  const { steps } = options.condition;
  const perturbations = await Promise.all(
    steps.map(async ({ perturbation }) => (await loadMember('perturbations', perturbation, baseFolder)).member),
  );
  return async (input, output) => {
    const clean = await sounds.read(input);
    const sound = soundHash(await sounds.identity(input));
    const { clip, facts } = applySteps(clean, steps, {
      perturbation: (_name, position) => perturbations[position]!,
      randomFor: (position) => createRandom(stepSeed(seed, sound, position, steps[position]!, draw)),
    });
    await writeSound(output, clip, format);
    return { measurement: measureClip(clip, facts) };
  };
}
