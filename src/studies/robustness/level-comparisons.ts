import type { Comparison } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/combine-rates.ts';
import { type Contrast, compareAll, type Family } from '../shared/comparisons.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import { byCluster, wholeOf } from './leaf-counts.ts';
import { mannerOf } from './level-estimates.ts';
import type { RobustnessOptions } from './options.ts';
import { type Leaf, leavesOf, meanWeights } from './scenario-tree.ts';

/** One recognizer against another over many scenarios, on the trials that both answered. */
export interface LevelComparison {
  readonly measure: 'word error rate' | 'change from clean';
  /** Null: all categories. */
  readonly category: string | null;
  /** `comparison` is about this one: its mean less that of `comparedWith`. */
  readonly recognizer: number;
  readonly comparedWith: number;
  readonly comparison: Comparison;
}

/** What comparisons of recognizers are about, most important first: their shares of the error are kept apart (`jointPairedTest`). */
export const comparisonFamilies: readonly Family[] = [
  { name: 'clean audio and all scenarios together', weight: 2 },
  { name: 'categories and the worst group', weight: 1 },
  { name: 'single conditions', weight: 1 },
];

/** A comparison that is to be made. */
interface AskedLevel extends Omit<LevelComparison, 'comparison'> {
  readonly contrast: () => Contrast;
}

/**
 * Every pair of recognizers by their mean over all scenarios and over those of each category, by rate and by what is lost from
 * clean sound. Means are those of the profile, but nothing is clipped. Recorded scenarios have a rate, but no loss here: their
 * clean sound is of other utterances.
 */
export function askLevels(tally: Counts, design: Design, options: RobustnessOptions): AskedLevel[] {
  const leaves = leavesOf(design, options);
  const categories = [...new Set(leaves.map(({ category }) => category))];
  const pairs = design.recognizers.flatMap((_, first) =>
    design.recognizers.slice(first + 1).map((_, place) => ({ first, second: first + 1 + place })),
  );
  const partOf = wholeOf(tally);
  return (['word error rate', 'change from clean'] as const).flatMap((measure) =>
    // With one category it is all there is.
    [null, ...(categories.length > 1 ? categories : [])].flatMap((category) => {
      const mine = leaves.filter(
        (leaf) =>
          (category === null || leaf.category === category) &&
          (measure === 'word error rate' || leaf.condition < design.disturbed),
      );
      if (mine.length === 0) return [];
      return pairs.map(({ first, second }): AskedLevel => {
        return {
          measure,
          category,
          recognizer: second,
          comparedWith: first,
          contrast: () => {
            const common = mine.filter((leaf) => words(leaf, first, second) > 0 && words(leaf, second, first) > 0);
            const other = sideOf(common, measure, second, first);
            const one = sideOf(common, measure, first, second);
            return { first: one.counts, second: other.counts, n: other.n, family: category === null ? 0 : 1 };
          },
        };
      });
    }),
  );

  function both({ condition, dataset }: Pick<Leaf, 'condition' | 'dataset'>, recognizer: number, other: number) {
    const { series } = tally;
    const without = series.without(recognizer, condition, other);
    return byCluster(partOf(dataset)!, tally, series.words(recognizer, condition), without);
  }

  function words(leaf: Leaf, recognizer: number, other: number): number {
    return both(leaf, recognizer, other).n.words;
  }

  function sideOf(mine: readonly Leaf[], measure: LevelComparison['measure'], recognizer: number, other: number) {
    const weights = meanWeights(mine, mannerOf(options));
    const n = { utterances: 0, speakers: 0, words: 0, pairs: 0 };
    const parts = mine.flatMap((leaf, index): WeightedRate[] => {
      const here = both(leaf, recognizer, other);
      n.utterances = Math.max(n.utterances, here.n.utterances);
      n.speakers = Math.max(n.speakers, here.n.speakers);
      n.words += here.n.words;
      n.pairs += here.n.pairs;
      const disturbed = { counts: here.counts, weight: weights[index]! };
      if (measure === 'word error rate') return [disturbed];
      const clean = both({ condition: 0, dataset: leaf.dataset }, recognizer, other);
      return [disturbed, { counts: clean.counts, weight: -weights[index]! }];
    });
    return { counts: combineRates(parts) ?? none, n };
  }
}

const none: ClusteredCounts = { numerators: new Float64Array(0), denominators: new Float64Array(0) };

/** Levels by themselves, all of them corrected together. */
export function compareLevels(
  tally: Counts,
  design: Design,
  options: RobustnessOptions,
  seed: number,
): LevelComparison[] {
  const asked = askLevels(tally, design, options);
  const compared = compareAll(asked, ({ contrast }) => contrast(), comparisonSettings(tally, options, seed));
  return asked.map(({ contrast: _, ...place }, index) => ({ ...place, comparison: compared[index]! }));
}

export function comparisonSettings(
  { slices }: Pick<Counts, 'slices'>,
  { level, resamples, minimumSpeakers, familyError }: RobustnessOptions,
  seed: number,
) {
  const { count: speakers } = slices.clusters;
  return { level, resamples, minimumSpeakers, seed, familyError, families: comparisonFamilies, speakers };
}
