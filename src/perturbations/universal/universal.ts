import { z } from 'zod';
import { energyOf } from '../../audio/energies.ts';
import { resample } from '../../audio/resample.ts';
import { between, oneOf, orNull, positive, whole } from '../../base/option-kinds.ts';
import { createRandom } from '../../base/random.ts';
import type { Fitted, Perturbation } from '../contract.ts';
import {
  type FitMaterial,
  type FittedSound,
  finiteLoss,
  fittedAssetParameters,
  fittedParameters,
  prepareFitted,
  tiled,
} from '../shared/attacks.ts';
import { mixAtSnr, refuseSilence } from '../shared/signal-to-noise.ts';

/** What a fit depends on: `snrDb` is not among it, so that all ratios share one. */
type FitParameters = {
  readonly [Name in 'fitSnrDb' | 'epochs' | 'stepsPerClip' | 'stepSize' | 'lengthSeconds']: number;
} & Pick<UniversalParameters, 'recipe'>;

/** Where parameters leave it to the recipe. */
const usual = {
  srb: { stepsPerClip: 20, stepSize: 0.001, lengthSeconds: 18 },
  mended: { stepsPerClip: 3, stepSize: 0.15, lengthSeconds: 2 },
} as const;

/** A clip is fooled from this CER on, against the transcript of the clean clip. */
const fooledCer = 0.7;

const parameters = z.strictObject({
  ...fittedParameters,
  snrDb: between(-20, 120).describe(
    'Signal-to-noise ratio over the whole clip in decibels: lower is louder. All ratios share one fit',
  ),
  recipe: oneOf(['mended', 'srb'])
    .default('mended')
    .describe('How it is fitted: srb, as Speech Robust Bench does it, or mended, without the faults of that'),
  fitSnrDb: between(-20, 120)
    .default(10)
    .describe('Signal-to-noise ratio in decibels at which it is fitted; srb: of mean peaks, not of energies'),
  epochs: whole(1, 10_000).default(10).describe('How often at most the fit goes through its clips'),
  stepsPerClip: orNull(whole(1, 10_000)).describe(
    'Steps for a clip in each epoch, at most; null: 20 (srb), 3 (mended)',
  ),
  stepSize: orNull(positive(10)).describe(
    'Of each step: of full scale for every sample (srb; null: .001), as a part of the sound (mended; null: .15)',
  ),
  lengthSeconds: orNull(between(0.05, 600)).describe(
    'Length of the sound, after which it begins again; null: 18 (srb), 2 (mended)',
  ),
});

type UniversalParameters = z.output<typeof parameters>;

/**
 * One sound for all clips: fitted on clips of some speakers, so that a recognizer mishears them, and added to clips of all others, tiled to
 * their length and scaled to the SNR. Two recipes of the fit:
 *
 * `srb`, as Speech Robust Bench and robust_speech have it (after Neekhara et al., Interspeech 2019): 18 s that begin at zero; for each clip
 * an addition r, begun evenly in [0, 1e-4], goes against the sign of the gradient of ||r|| / 2 less the loss by `stepSize`, within
 * .003 of full scale and with the rest within the mean peak of the clips over 10^(fitSnrDb / 20), until the CER against the transcript of the clean clip
 * is 70 % or `stepsPerClip` are done; all `epochs` are run, and the one with the greatest CER over all clips counts. A clip longer than the
 * sound gets nothing beyond it.
 *
 * `mended`, ours: the sound is tiled and scaled by energy in the fit as it is in the test; each step goes along the mean of the past
 * gradients, which fades by .9 (momentum), each divided by its norm, by `stepSize` of the sound's own norm; clips that the last epoch
 * fooled are left out of the next, and the fit ends when all are; the epoch with the greatest CER counts.
 */
export const universal: Perturbation<UniversalParameters, FittedSound> = {
  name: 'universal',
  version: 1,
  about: 'Adds one sound that makes a recognizer mishear whoever speaks, fitted on other speakers.',
  parameters,
  assetParameters: fittedAssetParameters,
  random: false,
  adversarial: true,
  identity: null,
  example: {
    ...{ source: 'whisper', fitSpeakers: 0.5, clipsPerSpeaker: 2, snrDb: 20, recipe: 'mended', fitSnrDb: 10 },
    ...{ epochs: 2, stepsPerClip: null, stepSize: null, lengthSeconds: 0.25 },
  },
  prepare(parameters, services) {
    const { recipe, fitSnrDb, epochs } = parameters;
    const defaults = usual[recipe];
    const asked: FitParameters = {
      ...{ recipe, fitSnrDb, epochs },
      stepsPerClip: parameters.stepsPerClip ?? defaults.stepsPerClip,
      stepSize: parameters.stepSize ?? defaults.stepSize,
      lengthSeconds: parameters.lengthSeconds ?? defaults.lengthSeconds,
    };
    const given = { recipe: asked, passesPerClip: passesPerClip(asked) };
    return prepareFitted(universal, parameters, services, given, (material) => fit(material, asked));
  },
  async apply(clip, { snrDb }, { assets, speaker }) {
    assets.refuseFitted(speaker);
    const fitted = await assets.sound();
    const { samples, sampleRate } = resample(clip, fitted.sampleRate);
    const facts = { askedSnrDb: snrDb, fit: fitted.facts };
    if (samples.length === 0) {
      return { clip: { samples: new Float32Array(0), sampleRate }, facts: { ...facts, achievedSnrDb: null } };
    }
    const added = tiled(fitted, samples.length);
    const energies = { signal: energyOf(samples), noise: energyOf(added) };
    refuseSilence('universal', energies.signal, snrDb);
    refuseSilence('universal', energies.noise, snrDb, 'what was fitted for its length');
    const mixed = mixAtSnr(samples, added, snrDb, energies);
    return { clip: { samples: mixed.samples, sampleRate }, facts: { ...facts, achievedSnrDb: mixed.achievedSnrDb } };
  },
};

/** A sound on its way, between two passes through the recognizer. Both arrays are kept from step to step. */
interface Way {
  readonly sound: Float64Array;
  /** What is to be added for the clip in hand (srb), or the fading mean of gradients (mended). */
  readonly beside: Float64Array;
  begin(clip: number, epoch: number): void;
  step(clip: number): Promise<void>;
  /** A clip with the sound as it is. */
  heard(clip: number): Float32Array;
  end(clip: number): void;
}

/** Steps, what is heard after each of them (srb), and what is heard after each epoch. */
function passesPerClip({ recipe, epochs, stepsPerClip }: FitParameters): number {
  return epochs * (stepsPerClip * (recipe === 'srb' ? 2 : 1) + 1);
}

/** Goes through epochs and clips, keeps how far it is after each step, and gives the sound of the best epoch. */
async function fit(material: FitMaterial, parameters: FitParameters): Promise<Fitted> {
  const { clips, set, gradient, checkpoint, signal, told } = material;
  const { recipe, epochs, stepsPerClip, lengthSeconds } = parameters;
  const srb = recipe === 'srb';
  const length = Math.max(1, Math.round(lengthSeconds * gradient.sampleRate));
  const way = (srb ? srbWay : mendedWay)(material, parameters, length);
  const maxPasses = clips.length * passesPerClip(parameters);
  const at = { epoch: 0, place: 0, step: 0, passes: 0, bestEpoch: 0, bestCer: -1, bestFooled: 0 };
  const names = Object.keys(at) as (keyof typeof at)[];
  const fooled = new Float64Array(clips.length);
  const best = way.sound.slice();
  const parts = [fooled, way.sound, way.beside, best];
  const size = parts.reduce((sum, part) => sum + part.length, names.length);

  const kept = await checkpoint.load();
  if (kept?.length === size) {
    for (const [place, name] of names.entries()) at[name] = kept[place]!;
    let from = names.length;
    for (const part of parts) {
      part.set(kept.subarray(from, from + part.length));
      from += part.length;
    }
  }
  const keep = async () => {
    const state = new Float64Array(size);
    state.set(names.map((name) => at[name]));
    let from = names.length;
    for (const part of parts) {
      state.set(part, from);
      from += part.length;
    }
    await checkpoint.save(state);
    signal?.throwIfAborted();
  };
  const asked = listener(material, () => told(++at.passes, maxPasses));
  const allFooled = () => at.epoch > 0 && fooled.every((one) => one === 1);

  while (at.epoch < epochs && (srb || !allFooled())) {
    for (; at.place < clips.length; at.place++, at.step = 0) {
      if (!srb && fooled[at.place] === 1) continue;
      if (at.step === 0) way.begin(at.place, at.epoch);
      while (at.step < stepsPerClip) {
        await way.step(at.place);
        told(++at.passes, maxPasses);
        at.step++;
        if (srb && isFooled(await asked(at.place, way.heard(at.place)))) at.step = stepsPerClip;
        await keep();
      }
      way.end(at.place);
    }
    const sum = { errors: 0, characters: 0 };
    for (const clip of clips.keys()) {
      const found = await asked(clip, way.heard(clip));
      sum.errors += found.errors;
      sum.characters += found.characters;
      fooled[clip] = isFooled(found) ? 1 : 0;
      signal?.throwIfAborted();
    }
    at.epoch++;
    at.place = 0;
    const cer = sum.errors / Math.max(1, sum.characters);
    // Of epochs that are alike the last has gone furthest; theirs keeps the first.
    if (cer > at.bestCer || (!srb && cer === at.bestCer)) {
      [at.bestEpoch, at.bestCer, at.bestFooled] = [at.epoch, cer, fooled.reduce((all, one) => all + one, 0)];
      best.set(way.sound);
    }
    await keep();
  }
  const { epoch, passes, bestEpoch, bestCer, bestFooled } = at;
  return {
    ...{ samples: Float32Array.from(best), sampleRate: gradient.sampleRate },
    facts: {
      ...{ recipe, speakers: set.speakers.size, clips: clips.length, epochs: epoch, passes },
      ...{ bestEpoch, cer: bestCer, fooledClips: bestFooled },
    },
  };
}

interface Heard {
  readonly errors: number;
  readonly characters: number;
}

function isFooled({ errors, characters }: Heard): boolean {
  return errors > 0 && errors >= fooledCer * characters;
}

/** Edits of what the recognizer writes now against what it wrote of the clean clip, which it is asked about once. */
function listener({ clips, gradient, recognizer, set, signal }: FitMaterial, passed: () => void) {
  const cleans = new Map<number, string>();
  return async (clip: number, heard: Float32Array): Promise<Heard> => {
    const { samples: before, language } = clips[clip]!;
    const write = async (samples: Float32Array) =>
      (await recognizer.recognize({ samples, sampleRate: gradient.sampleRate }, language, signal)).text;
    const clean = cleans.get(clip) ?? (await write(before));
    cleans.set(clip, clean);
    const found = set.characterErrors(clean, await write(heard), language);
    passed();
    return found;
  };
}

/** Greatest change of one clip's steps, of full scale. */
const srbClipRadius = 0.003;
const srbStart = 1e-4;

function srbWay(material: FitMaterial, { fitSnrDb, stepSize }: FitParameters, length: number): Way {
  const { clips, set } = material;
  const sound = new Float64Array(length);
  const beside = new Float64Array(length);
  const meanPeak = clips.reduce((sum, { samples }) => sum + peakOf(samples), 0) / clips.length;
  const radius = meanPeak / 10 ** (fitSnrDb / 20);
  const within = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
  const heard = (clip: number) =>
    clips[clip]!.samples.map((sample, n) => (n < length ? sample + sound[n]! + beside[n]! : sample));
  return {
    ...{ sound, beside, heard },
    begin(clip, epoch) {
      const random = createRandom({ seed: set.seed, fit: 'universal', epoch, clip });
      beside.fill(0);
      for (let n = 0; n < Math.min(length, clips[clip]!.samples.length); n++) beside[n] = srbStart * random.next();
    },
    async step(clip) {
      const { samples, reference, language } = clips[clip]!;
      const { gradient } = await finiteLoss('universal', material.gradient, heard(clip), reference, language);
      const norm = Math.sqrt(beside.reduce((sum, value) => sum + value ** 2, 0));
      for (let n = 0; n < Math.min(length, samples.length); n++) {
        const slope = (norm === 0 ? 0 : (0.5 * beside[n]!) / norm) - gradient[n]!;
        const moved = within(beside[n]! - stepSize * Math.sign(slope), srbClipRadius);
        beside[n] = within(sound[n]! + moved, radius) - sound[n]!;
      }
    },
    end() {
      for (let n = 0; n < length; n++) sound[n] = within(sound[n]! + beside[n]!, radius);
      beside.fill(0);
    },
  };
}

/** Share of the past gradients that stays with each step. */
const momentum = 0.9;

function mendedWay(material: FitMaterial, { fitSnrDb, stepSize }: FitParameters, length: number): Way {
  const { clips, set } = material;
  const random = createRandom({ seed: set.seed, fit: 'universal' });
  const sound = Float64Array.from({ length }, () => random.normal());
  const beside = new Float64Array(length);
  const heard = (clip: number) => {
    const { samples } = clips[clip]!;
    const added = tiled({ samples: Float32Array.from(sound) }, samples.length);
    return mixAtSnr(samples, added, fitSnrDb).samples;
  };
  toUnit(sound);
  return {
    ...{ sound, beside, heard },
    begin() {},
    async step(clip) {
      const { reference, language } = clips[clip]!;
      const { gradient } = await finiteLoss('universal', material.gradient, heard(clip), reference, language);
      const folded = new Float64Array(length);
      for (const [n, slope] of gradient.entries()) folded[n % length]! += slope;
      if (!toUnit(folded)) return;
      for (let n = 0; n < length; n++) beside[n] = momentum * beside[n]! + folded[n]!;
      const direction = beside.slice();
      if (!toUnit(direction)) return;
      for (let n = 0; n < length; n++) sound[n]! += stepSize * direction[n]!;
      toUnit(sound);
    },
    end() {},
  };
}

function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

/** Divides values by their norm; false, and nothing changed, where that is zero. */
function toUnit(values: Float64Array): boolean {
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0));
  if (norm === 0) return false;
  for (let n = 0; n < values.length; n++) values[n]! /= norm;
  return true;
}
