import type { RobustnessValue } from '../../scoring/srb/quality-difficulty.ts';
import { categoryOf, familyOf } from './categories.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { srbDifficulty, srbRecordedDifficulty } from './srb-difficulties.ts';
import type { Dataset } from './survey.ts';

/** One scenario in one data set: what averages are made of. */
export interface Leaf {
  readonly condition: number;
  readonly dataset: number;
  readonly family: string;
  readonly category: string;
  /** Points by which its rates are divided. */
  readonly difficulty: RobustnessValue;
}

/** All scenarios but clean sound, in every data set in which they are heard. */
export function leavesOf(design: Design, options: RobustnessOptions): Leaf[] {
  return design.conditions.flatMap((condition, index) => {
    if (index === 0) return [];
    const place = index - design.disturbed;
    const recorded = place < 0 ? null : options.recorded[place]!;
    return design.survey.datasets.flatMap((dataset, number): Leaf[] => {
      if (dataset.recorded !== (recorded === null ? null : place)) return [];
      return [
        {
          condition: index,
          dataset: number,
          family: familyOf(condition),
          category: recorded?.category ?? categoryOf(condition, options.categories),
          difficulty:
            design.measured && !isGiven(recorded)
              ? design.measured.of(index, number)
              : difficultyOf(condition, dataset, { recorded, sounds: design.sounds[index]! }, options),
        },
      ];
    });
  });
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
  }: {
    readonly recorded: RobustnessOptions['recorded'][number] | null;
    readonly sounds: Design['sounds'][number];
  },
  { difficulties }: RobustnessOptions,
): RobustnessValue {
  if (difficulties === null) return { value: null, reason: 'no difficulties were asked for' };
  if (recorded !== null && recorded.difficulty !== null) {
    const given = recorded.difficulty;
    return typeof given === 'number' ? { value: given } : srbRecordedDifficulty(given);
  }
  const { name, rung } = condition;
  if (typeof difficulties === 'object') {
    if (Object.hasOwn(difficulties, name)) return { value: difficulties[name]! };
    return { value: null, reason: 'the config gives no difficulty for it' };
  }
  const [ladder = '', family = ''] = rung?.family.split('/') ?? [];
  if (rung !== undefined && ladder === 'srb') {
    // The ladder calls collections by what the benchmark had.
    const other = sounds.find(({ collection, dataSet }) => dataSet !== collection);
    if (other === undefined) return srbDifficulty(dataset, family, rung.rank);
    return {
      value: null,
      reason: `the published difficulty is of the sounds of ${other.collection}, which those under this name in the config are not; difficulties: measured gives its own`,
    };
  }
  if (ladder === 'earwitness') {
    return {
      value: null,
      reason:
        'the published difficulties are of the sounds of the ladder srb, which this one mends; difficulties: measured gives its own',
    };
  }
  return { value: null, reason: 'the published difficulties are of scenarios of Speech Robust Bench' };
}

/**
 * Weights that add up to 1. `sound`: a mean of families, each a mean of its ranks, each a mean over the data sets, so that no
 * family weighs more for having more ranks or data sets; the overall value is the mean of categories. `flat`: a mean over all
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
