import { z } from 'zod';
import { durationSeconds } from '../../audio/clip.ts';
import { levelDbfs } from '../../audio/levels.ts';
import { resample } from '../../audio/resample.ts';
import { between, flag, positive, whole } from '../../base/option-kinds.ts';
import { createRandom } from '../../base/random.ts';
import type { Fitted, Perturbation } from '../contract.ts';
import {
  type FitMaterial,
  type FittedSound,
  finiteLoss,
  fittedAssetParameters,
  fittedParameters,
  prepareFitted,
} from '../shared/attacks.ts';

type FitParameters = {
  readonly [Name in 'lengthSeconds' | 'peak' | 'epochs' | 'stepSize']: number;
};

const parameters = z.strictObject({
  ...fittedParameters,
  lengthSeconds: between(0.01, 10).default(0.64).describe('Length of the sound before the clip'),
  peak: between(0.0001, 1).default(0.02).describe('Greatest sample of the sound, of full scale'),
  epochs: whole(1, 10_000).default(10).describe('How often the fit goes through its clips'),
  stepSize: positive(2).default(0.1).describe('Of the first step for every sample, as a part of the peak'),
  control: flag(false).describe(
    'Whether the samples of the sound are put in random order: white noise of the same level and peak',
  ),
});

type PrependParameters = z.output<typeof parameters>;

/**
 * One short sound before all clips, fitted on clips of some speakers so that a recognizer writes nothing of what follows (V. Raina et al.,
 * "Muting Whisper: A Universal Acoustic Adversarial Attack on Speech Foundation Models", EMNLP 2024: .64 s, no sample beyond .02 of full
 * scale). What is made small is the loss of an empty text, the mean over the clips: for Whisper minus the logarithm of the probability that the
 * text ends where it begins (where the export suppresses an end there, as those of transformers.js do: behind the one token that it writes
 * first), for models with connectionist temporal classification of blanks alone. It begins with noise that the seed draws; each
 * step goes against the sign of the mean of the past gradients, which fades by .9 and of which each is divided by its norm (momentum), by `stepSize` of `peak`,
 * the later the shorter; all samples stay within `peak`.
 */
export const prepend: Perturbation<PrependParameters, FittedSound> = {
  name: 'prepend',
  version: 1,
  about: 'Puts a short sound before a clip that makes a recognizer write nothing, fitted on other speakers.',
  parameters,
  assetParameters: fittedAssetParameters,
  random: false,
  adversarial: true,
  identity: null,
  example: {
    ...{ source: 'whisper', fitSpeakers: 0.5, clipsPerSpeaker: 2, lengthSeconds: 0.64, peak: 0.02 },
    ...{ epochs: 2, stepSize: 0.1, control: false },
  },
  prepare(parameters, services) {
    const { lengthSeconds, peak, epochs, stepSize } = parameters;
    const asked = { lengthSeconds, peak, epochs, stepSize };
    const given = { recipe: asked, passesPerClip: epochs };
    return prepareFitted(prepend, parameters, services, given, (material) => fit(material, asked));
  },
  async apply(clip, { control }, { assets, speaker }) {
    assets.refuseFitted(speaker);
    const fitted = await assets.sound();
    const { samples, sampleRate } = resample(clip, fitted.sampleRate);
    if (samples.length === 0)
      return { clip: { samples: new Float32Array(0), sampleRate }, facts: { fit: fitted.facts } };
    const before = control ? inRandomOrder(fitted.samples) : fitted.samples;
    const after = joined(before, samples);
    const beforeSeconds = before.length / sampleRate;
    return {
      clip: { samples: after, sampleRate },
      facts: { beforeSeconds, levelDbfs: levelDbfs(before), control, fit: fitted.facts },
      timeMap: [
        [0, 0],
        [beforeSeconds, 0],
        [after.length / sampleRate, durationSeconds(clip)],
      ],
    };
  },
};

/** Share of the past gradients that stays with each step. */
const momentum = 0.9;

/** Keeps how far it is after each step. */
async function fit(material: FitMaterial, { lengthSeconds, peak, epochs, stepSize }: FitParameters): Promise<Fitted> {
  const { clips, set, gradient: source, checkpoint, signal, told } = material;
  const length = Math.max(1, Math.round(lengthSeconds * source.sampleRate));
  const random = createRandom({ seed: set.seed, fit: 'prepend' });
  const sound = Float64Array.from({ length }, () => peak * (2 * random.next() - 1));
  const mean = new Float64Array(length);
  // Steps, and what the losses of the first and the last epoch add up to.
  const at = new Float64Array(3);
  const parts = [at, sound, mean];
  const kept = await checkpoint.load();
  if (kept?.length === 3 + 2 * length) {
    at.set(kept.subarray(0, 3));
    sound.set(kept.subarray(3, 3 + length));
    mean.set(kept.subarray(3 + length));
  }
  const steps = epochs * clips.length;
  while (at[0]! < steps) {
    const step = at[0]!;
    const { samples, language } = clips[step % clips.length]!;
    const heard = joined(Float32Array.from(sound), samples);
    const { loss, gradient } = await finiteLoss('prepend', source, heard, '', language);
    if (step < clips.length) at[1]! += loss;
    if (step >= steps - clips.length) at[2]! += loss;
    let squares = 0;
    for (let n = 0; n < length; n++) squares += gradient[n]! ** 2;
    const now = stepSize * peak * (1 - step / steps);
    for (let n = 0; n < length && squares > 0; n++) {
      mean[n] = momentum * mean[n]! + gradient[n]! / Math.sqrt(squares);
      sound[n] = Math.max(-peak, Math.min(peak, sound[n]! - now * Math.sign(mean[n]!)));
    }
    at[0] = step + 1;
    told(step + 1, steps);
    await checkpoint.save(Float64Array.from(parts.flatMap((part) => [...part])));
    signal?.throwIfAborted();
  }
  return {
    ...{ samples: Float32Array.from(sound), sampleRate: source.sampleRate },
    facts: {
      ...{ speakers: set.speakers.size, clips: clips.length, epochs, passes: steps },
      ...{ firstLoss: at[1]! / clips.length, lastLoss: at[2]! / clips.length },
    },
  };
}

function joined(before: Float32Array, samples: Float32Array): Float32Array {
  const whole = new Float32Array(before.length + samples.length);
  whole.set(before);
  whole.set(samples, before.length);
  return whole;
}

/** The order is always the same: one control for all clips, as there is one sound. */
function inRandomOrder(samples: Float32Array): Float32Array {
  const order = samples.slice();
  const random = createRandom('prepend: control');
  for (let place = order.length - 1; place > 0; place--) {
    const other = random.integer(place + 1);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order;
}
