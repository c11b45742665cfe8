import type { Comparison } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/combine-rates.ts';
import { compareAll } from '../shared/comparisons.ts';
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

/**
 * Compares every pair of recognizers by their mean over all scenarios and over those of each category, by rate and by what is
 * lost from clean sound; corrected for all of these together. Means are those of the profile, but nothing is clipped.
 * Recorded scenarios have a rate, but no loss here: their clean sound is of other utterances.
 */
export function compareLevels(
  tally: Counts,
  design: Design,
  options: RobustnessOptions,
  seed: number,
): LevelComparison[] {
  const leaves = leavesOf(design, options);
  const categories = [...new Set(leaves.map(({ category }) => category))];
  const pairs = design.recognizers.flatMap((_, first) =>
    design.recognizers.slice(first + 1).map((_, place) => ({ first, second: first + 1 + place })),
  );
  const items = (['word error rate', 'change from clean'] as const).flatMap((measure) =>
    // With one category it is all there is.
    [null, ...(categories.length > 1 ? categories : [])].flatMap((category) => {
      const mine = leaves.filter(
        (leaf) =>
          (category === null || leaf.category === category) &&
          (measure === 'word error rate' || leaf.condition < design.disturbed),
      );
      return mine.length === 0 ? [] : pairs.map((pair) => ({ measure, category, leaves: mine, ...pair }));
    }),
  );
  const partOf = wholeOf(tally);
  const { level, resamples, minimumSpeakers } = options;
  const compared = compareAll(
    items,
    ({ measure, category, leaves: mine, first, second }) => {
      const common = mine.filter((leaf) => words(leaf, first, second) > 0 && words(leaf, second, first) > 0);
      const one = sideOf(common, measure, first, second);
      const other = sideOf(common, measure, second, first);
      return {
        first: one.counts,
        second: other.counts,
        n: other.n,
        what: ['levels', measure, category, design.recognizers[first]!.name, design.recognizers[second]!.name],
      };
    },
    { level, resamples, minimumSpeakers, seed, study: 'robustness' },
  );
  return items.map(({ measure, category, first, second }, index) => ({
    measure,
    category,
    recognizer: second,
    comparedWith: first,
    comparison: compared[index]!,
  }));

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
