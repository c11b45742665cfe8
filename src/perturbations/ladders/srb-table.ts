import type { JsonObject } from '../../base/json.ts';
import type { Step } from '../../model/trial.ts';
import type { Ladder, LadderFamily } from '../contract.ts';

/** One step of a scenario. */
export function step(perturbation: string, parameters: JsonObject): Step {
  return { perturbation, parameters };
}

/**
 * A family whose severities are values of one quantity, mildest first.
 *
 * @param unit stands behind the value in the rung's label
 * @param stepsAt what is done at a value; its rank from 1 is for what has classes in place of values
 */
export function ladderFamily(
  name: string,
  about: string,
  axis: string,
  severities: readonly number[],
  unit: string,
  stepsAt: (severity: number, rank: number) => readonly Step[],
): LadderFamily {
  return {
    name,
    about,
    axis,
    rungs: severities.map((severity, index) => ({
      label: `${severity}${unit}`,
      steps: stepsAt(severity, index + 1),
    })),
  };
}

const snrDb = [40, 30, 20, 10];

/**
 * The attacks of Speech Robust Bench, at its ratios (Table 2, "Adversarial"). Their steps lack the recognizer that a sound is made against
 * (and the speakers that one sound for all is fitted on): a study fills in each that hears them, so that they are no scenarios of a ladder by themselves. `srb` alone does not stand for them.
 */
export const attackLadder: Ladder = {
  name: 'srb',
  about: 'Speech Robust Bench: sounds made against each recognizer',
  source: 'Speech Robust Bench (2025), arXiv 2403.07937, section 3.1 (6) and appendix A; robust_speech',
  rateHz: 16_000,
  families: [
    ladderFamily('pgd', 'Utterance-specific attack (US)', 'signal-to-noise ratio', snrDb, ' dB', (ratio) => [
      step('pgd', { snrDb: ratio, steps: 100, relativeStep: 0.4 }),
    ]),
    ladderFamily('universal_adv', 'Utterance-agnostic attack (UA)', 'signal-to-noise ratio', snrDb, ' dB', (ratio) => [
      step('universal', { snrDb: ratio, recipe: 'srb', fitSnrDb: 10, epochs: 10 }),
    ]),
  ],
};

/** The categories of the attacks by family, as the columns of the benchmark’s tables call them. */
export const srbAttackCategories: Readonly<Record<string, string>> = {
  'srb/pgd': 'adversarial (US)',
  'srb/universal_adv': 'adversarial (UA)',
};

/** What a ladder does at the four severities of a family. */
export interface SeverityDefinition {
  readonly about: string;
  /** @param rank 1 to 4, for what has classes in place of values */
  steps(value: number, rank: number): readonly Step[];
}

const snr = { axis: 'signal-to-noise ratio', unit: ' dB', values: [30, 20, 10, 0] } as const;
const faster = { axis: 'factor', unit: '', values: [1.25, 1.5, 1.75, 2] } as const;
const slower = { axis: 'factor', unit: '', values: [0.875, 0.75, 0.625, 0.5] } as const;

/** Quarters of the range of the rooms that are loaded, whatever these are: the paper's .27 to 1.33 s are those of its own. */
const roomClasses = { axis: 'class of the rooms loaded', unit: ' of 4', values: [1, 2, 3, 4] } as const;

/**
 * The 25 families of Speech Robust Bench that change a recording, with their severities, mildest first: its program, which
 * agrees with Table 2 of the paper.
 */
const srbSeverities = {
  gnoise: snr,
  env_noise: snr,
  env_noise_esc50: snr,
  env_noise_musan: snr,
  env_noise_wham: snr,
  music: snr,
  crosstalk: snr,
  rir: roomClasses,
  real_rir: roomClasses,
  echo: { axis: 'delay', unit: ' ms', values: [125, 250, 500, 1000] },
  bass: { axis: 'gain', unit: ' dB', values: [20, 30, 40, 50] },
  treble: { axis: 'gain', unit: ' dB', values: [10, 23, 36, 50] },
  phaser: { axis: 'decay', unit: '', values: [0.3, 0.5, 0.7, 0.9] },
  tempo_up: faster,
  tempo_down: slower,
  speedup: faster,
  slowdown: slower,
  pitch_up: { axis: 'semitones', unit: '', values: [3, 6, 9, 12] },
  pitch_down: { axis: 'semitones', unit: '', values: [-3, -6, -9, -12] },
  chorus: { axis: 'delay', unit: ' ms', values: [30, 50, 70, 90] },
  tremolo: { axis: 'depth', unit: ' %', values: [50, 66, 83, 100] },
  resample: { axis: 'factor', unit: '', values: [0.75, 0.5, 0.25, 0.125] },
  gain: { axis: 'amplitude factor', unit: '', values: [10, 20, 30, 40] },
  lowpass: { axis: 'cutoff', unit: ' Hz', values: [4000, 2833, 1666, 500] },
  highpass: { axis: 'cutoff', unit: ' Hz', values: [500, 1333, 2166, 3000] },
} as const satisfies Record<string, { axis: string; unit: string; values: readonly number[] }>;

type SrbFamily = keyof typeof srbSeverities;

/** A ladder's families in the order of the benchmark. */
export function srbFamilies(definitions: Readonly<Record<SrbFamily, SeverityDefinition>>): LadderFamily[] {
  return Object.entries(srbSeverities).map(([name, { axis, unit, values }]) => {
    const { about, steps } = definitions[name as SrbFamily];
    return ladderFamily(name, about, axis, values, unit, steps);
  });
}

/** The echo of SoX at the benchmark's arguments, as both ladders have it. */
export const echoStep = (delayMs: number): Step =>
  step('echo', { delaySeconds: delayMs / 1000, decay: 0.3, gainIn: 0.8, gainOut: 0.9 });

/** The sweeping comb, likewise. */
export const phaserStep = (decay: number): Step =>
  step('phaser', { gainIn: 0.6, gainOut: 0.8, delaySeconds: 0.003, decay, frequencyHz: 2, modulation: 'triangle' });

/** The trembling, likewise. */
export const tremoloStep = (percent: number): Step => step('tremolo', { frequencyHz: 20, depth: percent / 100 });

/** Two more voices; the second 10 ms behind the first and swinging in a shape of its own. */
export const chorusStep = (delayMs: number, gainIn: number, secondModulation: 'sine' | 'sox-sine'): Step =>
  step('chorus', {
    gainIn,
    gainOut: 0.9,
    voices: [
      { delaySeconds: delayMs / 1000, decay: 0.4, frequencyHz: 0.25, depthSeconds: 0.002, modulation: 'triangle' },
      {
        delaySeconds: (delayMs + 10) / 1000,
        decay: 0.3,
        frequencyHz: 0.4,
        depthSeconds: 0.002,
        modulation: secondModulation,
      },
    ],
  });

/** The filter with SoX's own width of transition and attenuation. */
export const sincStep = (corners: { readonly highPassHz: number; readonly lowPassHz: number }): Step =>
  step('sinc-filter', { ...corners, transitionShare: 0.05, attenuationDb: 120 });
