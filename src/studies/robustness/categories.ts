import type { Condition } from '../../model/condition.ts';

/** Categories of Speech Robust Bench by family, as its program has them; Table 1 shows accent and synthetic speech apart. */
const srbCategories: Readonly<Record<string, string>> = {
  gnoise: 'white noise',
  env_noise: 'environment noise',
  env_noise_esc50: 'environment noise',
  env_noise_musan: 'environment noise',
  env_noise_wham: 'environment noise',
  music: 'environment noise',
  crosstalk: 'environment noise',
  rir: 'spatial acoustics',
  real_rir: 'spatial acoustics',
  echo: 'spatial acoustics',
  bass: 'special effects',
  treble: 'special effects',
  phaser: 'special effects',
  tempo_up: 'special effects',
  tempo_down: 'special effects',
  speedup: 'special effects',
  slowdown: 'special effects',
  pitch_up: 'special effects',
  pitch_down: 'special effects',
  chorus: 'special effects',
  tremolo: 'special effects',
  resample: 'audio processing',
  gain: 'audio processing',
  lowpass: 'audio processing',
  highpass: 'audio processing',
};

/** Ladders whose families have the benchmark's names. */
const srbLadders = new Set(['srb', 'earwitness']);

/** The family of a condition: that of its rung, or itself alone. */
export function familyOf({ name, rung }: Condition): string {
  return rung?.family ?? name;
}

/**
 * The category of a condition: what the options say of it, its family or its ladder; else that of Speech Robust Bench for
 * the families that have its names; else its family is a category of its own.
 *
 * @example categoryOf(resolveScenario('srb/music:1', [srb])[0], {}) // 'environment noise'
 */
export function categoryOf(condition: Condition, wanted: Readonly<Record<string, string>>): string {
  const family = familyOf(condition);
  const slash = family.indexOf('/');
  const ladder = slash < 0 ? family : family.slice(0, slash);
  for (const name of [condition.name, family, ladder]) if (Object.hasOwn(wanted, name)) return wanted[name]!;
  const own = family.slice(slash + 1);
  return srbLadders.has(ladder) && Object.hasOwn(srbCategories, own) ? srbCategories[own]! : family;
}

/** The columns of Table 1 of Speech Robust Bench, in its order. */
export const tableOneCategories: readonly (readonly [category: string, heading: string])[] = [
  ['accent', 'accent'],
  ['audio processing', 'audio proc'],
  ['environment noise', 'noise (env)'],
  ['white noise', 'noise (white)'],
  ['special effects', 'sFX'],
  ['social (far field)', 'social (FF)'],
  ['social (near field)', 'social (NF)'],
  ['spatial acoustics', 'spatial'],
  ['synthetic speech', 'synth speech'],
];
