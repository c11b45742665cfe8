import type { Reason } from '../../model/reason.ts';
import { type Condition, rateOf } from '../../model/trial.ts';
import { srbAttackCategories } from '../../perturbations/ladders/srb-table.ts';
import type { RobustnessValue } from '../../scoring/srb/quality-difficulty.ts';
import type { Dataset, Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { publishedRateHz } from './published-for.ts';
import { srbDifficulty, srbPrintedDifficulty, srbRecordedDifficulty } from './srb-difficulties.ts';

/** One scenario in one data set: what averages are made of. */
export interface Leaf {
  readonly condition: number;
  readonly dataset: number;
  readonly family: string;
  readonly category: string;
  /** Made to be misheard: averaged apart, as plain WERD. */
  readonly adversarial: boolean;
  /** Points by which its rates are divided. */
  readonly difficulty: RobustnessValue;
}

/** All scenarios but clean sound, in every data set in which they are heard. */
export function leavesOf(design: Design, options: RobustnessOptions): Leaf[] {
  return design.conditions.flatMap((condition, index) => {
    if (index === 0) return [];
    const place = index - design.disturbed;
    const recorded = place < 0 ? null : options.recorded[place]!;
    const adversarial = place < 0 && index >= design.unattacked;
    return design.survey.datasets.flatMap((dataset, number): Leaf[] => {
      if (dataset.recorded !== (recorded === null ? null : place)) return [];
      return [
        {
          condition: index,
          dataset: number,
          family: familyOf(condition),
          category: recorded?.category ?? categoryOf(condition, options.categories),
          adversarial,
          difficulty: adversarial
            ? {
                value: null,
                reason: { code: 'no-difficulty-of-attacks' },
              }
            : design.measured && !isGiven(recorded)
              ? design.measured.of(index, number)
              : difficultyOf(
                  condition,
                  dataset,
                  { recorded, sounds: design.sounds[index]!, notPublished: design.notPublishedFor[number]! },
                  options,
                ),
        },
      ];
    });
  });
}

/** Clean sound of a data set, which is no scenario. */
export function cleanLeaf(dataset: number): Leaf {
  const difficulty: RobustnessValue = { value: null, reason: { code: 'no-difficulty-of-clean' } };
  return { condition: 0, dataset, family: 'clean', category: 'clean', adversarial: false, difficulty };
}

/** Whether any rate is divided by a published difficulty, as far as the clips are not looked at. */
export function usesPublished(design: Design, options: RobustnessOptions): boolean {
  const { difficulties } = options;
  const named = difficulties === 'srb' || difficulties === 'srb-table-3';
  const isPublished = ({ condition, difficulty }: Leaf) => {
    const recorded = options.recorded[condition - design.disturbed];
    return difficulty.value !== null && (recorded === undefined ? named : typeof recorded.difficulty === 'string');
  };
  return leavesOf(design, options).some(isPublished);
}

/** Whether a recorded scenario has a difficulty of its own. */
function isGiven(recorded: RobustnessOptions['recorded'][number] | null): boolean {
  return recorded !== null && recorded.difficulty !== null;
}

function difficultyOf(
  condition: Design['conditions'][number],
  dataset: Dataset,
  {
    recorded,
    sounds,
    notPublished,
  }: {
    readonly recorded: RobustnessOptions['recorded'][number] | null;
    readonly sounds: Design['sounds'][number];
    readonly notPublished: Reason | null;
  },
  { difficulties }: RobustnessOptions,
): RobustnessValue {
  if (difficulties === null) return { value: null, reason: { code: 'difficulty-not-asked' } };
  if (recorded !== null && recorded.difficulty !== null) {
    const given = recorded.difficulty;
    if (typeof given === 'number') return { value: given };
    if (notPublished !== null) return { value: null, reason: notPublished };
    if (difficulties !== 'srb-table-3') return srbRecordedDifficulty(given);
    return srbPrintedDifficulty(given.slice(given.indexOf('/') + 1), 1);
  }
  const { name, rung } = condition;
  if (typeof difficulties === 'object') {
    if (Object.hasOwn(difficulties, name)) return { value: difficulties[name]! };
    return { value: null, reason: { code: 'difficulty-not-given' } };
  }
  const [ladder = '', family = ''] = rung?.family.split('/') ?? [];
  if (rung !== undefined && ladder === 'srb') {
    // The ladder calls collections by what the benchmark had.
    const other = sounds.find(({ collection, dataSet }) => dataSet !== collection);
    if (other === undefined) {
      const rateHz = rateOf(condition.steps);
      if (notPublished !== null) return { value: null, reason: notPublished };
      if (rateHz !== null && rateHz !== publishedRateHz) {
        const [kilohertz, made] = [publishedRateHz / 1000, rateHz / 1000];
        return { value: null, reason: { code: 'difficulty-of-other-rate', kilohertz, made } };
      }
      return difficulties === 'srb-table-3'
        ? srbPrintedDifficulty(family, rung.rank)
        : srbDifficulty(dataset, family, rung.rank);
    }
    return {
      value: null,
      reason: { code: 'difficulty-of-other-sounds', collection: other.collection },
    };
  }
  if (ladder === 'earwitness') {
    return {
      value: null,
      reason: { code: 'difficulty-of-other-ladder' },
    };
  }
  return { value: null, reason: { code: 'difficulty-of-other-benchmark' } };
}

/**
 * Weights that add up to 1. `sound`: a mean of families, each a mean of its ranks (and each of these, where its data sets stand apart, a
 * mean over them), so that no family weighs more for having more ranks or data sets; the overall value is the mean of categories. `flat`: a mean over all
 * scenarios of a category in all data sets, as Speech Robust Bench has it (its overall value is a mean of categories too).
 *
 * @example meanWeights(leaves, 'flat') // for four scenarios of one category: [.25, .25, .25, .25]
 */
export function meanWeights(leaves: readonly Leaf[], manner: 'sound' | 'flat'): number[] {
  const keys: ((leaf: Leaf) => string | number)[] =
    manner === 'flat'
      ? [({ category }) => category]
      : [({ category }) => category, ({ family }) => family, ({ condition }) => condition];
  const weights = leaves.map(() => 0);
  const share = (places: readonly number[], weight: number, [key, ...rest]: typeof keys) => {
    if (key === undefined) {
      for (const place of places) weights[place] = weight / places.length;
      return;
    }
    const parts = Map.groupBy(places, (place) => key(leaves[place]!));
    for (const part of parts.values()) share(part, weight / parts.size, rest);
  };
  if (leaves.length > 0) share(Array.from(leaves.keys()), 1, keys);
  return weights;
}

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
function familyOf({ name, rung }: Condition): string {
  return rung?.family ?? name;
}

/**
 * The category of a condition: what the options say of it, its family or its ladder; else that of Speech Robust Bench for
 * the families that have its names; else its family is a category of its own.
 *
 * @example categoryOf(resolveScenario('srb/music:1', [srb])[0], {}) // 'environment noise'
 */
function categoryOf(condition: Condition, wanted: Readonly<Record<string, string>>): string {
  const family = familyOf(condition);
  const slash = family.indexOf('/');
  const ladder = slash < 0 ? family : family.slice(0, slash);
  for (const name of [condition.name, family, ladder]) if (Object.hasOwn(wanted, name)) return wanted[name]!;
  if (Object.hasOwn(srbAttackCategories, family)) return srbAttackCategories[family]!;
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
