import type { Comparison, Estimate } from '../../model/finding.ts';
import { neededClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { BootstrapOptions, ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/rate-interval.ts';
import { type Contrast, compareAll } from '../shared/comparisons.ts';
import { comparisonFamilies, mainFamily } from './comparison-families.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import {
  byCluster,
  type Counted,
  countLeaves,
  type EstimateSettings,
  type LeafCounts,
  type LevelEstimates,
  levelEstimates,
  mannerOf,
  meanRate,
  type PartOf,
  sizeOf,
  speakersIn,
  wholeOf,
} from './level-estimates.ts';
import type { RobustnessOptions } from './options.ts';
import { type Leaf, leavesOf, meanWeights } from './scenario-tree.ts';

/** Some data sets that are spoken of together. */
export interface Scope {
  readonly kind: 'everything' | 'language' | 'corpus';
  /** Empty for everything. */
  readonly name: string;
  readonly datasets: readonly number[];
}

/** One recognizer on some scenarios together, in some data sets. */
export interface LevelRow extends LevelEstimates {
  readonly scope: Scope;
  /** `overall` and `severity` (all scenarios of one rank, in a category or in all of them) are without attacks, `adversarial` is all of those. */
  readonly level: 'overall' | 'adversarial' | 'category' | 'family' | 'scenario' | 'severity';
  /** Of the category, family or scenario; empty for all of them. */
  readonly name: string;
  /** Of a severity, 1 the mildest. */
  readonly rank?: number;
  readonly recognizer: number;
  /** Scenarios, each counted in every data set. */
  readonly scenarios: number;
  /** Of these, without any answer; without clean sound to compare with; without a difficulty. */
  readonly unanswered: number;
  readonly withoutBaseline: number;
  readonly withoutDifficulty: number;
}

/** Clean sound: the mean over the clean data sets of a scope. */
export interface CleanRow {
  readonly scope: Scope;
  readonly recognizer: number;
  readonly wordErrorRate: Estimate;
}

export interface Levels {
  readonly scopes: readonly Scope[];
  readonly clean: readonly CleanRow[];
  readonly rows: readonly LevelRow[];
}

/** Everything, then languages where there are several, and corpora where there are more than languages. */
function scopesOf(design: Design): Scope[] {
  const { survey } = design;
  const all = survey.datasets.map((_, number) => number);
  const by = (kind: 'language' | 'corpus', nameOf: (number: number) => string, among: readonly number[]): Scope[] => {
    const parts = Map.groupBy(among, nameOf);
    return parts.size < 2 ? [] : [...parts].map(([name, datasets]) => ({ kind, name, datasets }));
  };
  const clean = all.filter((number) => survey.datasets[number]!.recorded === null);
  const languages = by('language', (number) => survey.datasets[number]!.language, all);
  const corpora = by('corpus', (number) => datasetName(number, design), clean);
  return [
    { kind: 'everything', name: '', datasets: all },
    ...languages,
    ...(corpora.length > languages.length ? corpora : []),
  ];
}

/** What a data set is called: its corpus or recorded scenario, with the language where there are several. */
export function datasetName(number: number, { survey: { datasets }, conditions, disturbed }: Design): string {
  const { corpus, language, recorded } = datasets[number]!;
  const name = recorded === null ? (corpus ?? 'unnamed') : conditions[disturbed + recorded]!.name;
  return datasets.some((other) => other.language !== language) ? `${name} (${language})` : name;
}

/** Means over scenarios, families and categories, for everything, each language and each corpus. */
export function concludeLevels(tally: Counts, design: Design, options: RobustnessOptions, seed: number): Levels {
  const leaves = leavesOf(design, options);
  const scopes = scopesOf(design);
  const partOf = wholeOf(tally);
  const { level, resamples, minimumSpeakers } = options;
  const bootstrap: BootstrapOptions = {
    level,
    resamples,
    minimumClusters: minimumSpeakers,
    random: randomOfData(seed),
  };
  const rows: LevelRow[] = [];
  const clean: CleanRow[] = [];
  design.recognizers.forEach((_, recognizer) => {
    const counts = countLeaves(leaves, recognizer, { tally, design, options, partOf });
    for (const scope of scopes) {
      const here = ({ dataset }: { readonly dataset: number }) => scope.datasets.includes(dataset);
      const among = leaves.filter(here);
      const answered = counts.filter(({ leaf }) => here(leaf));
      clean.push({
        scope,
        recognizer,
        wordErrorRate: cleanRate({
          recognizer,
          datasets: scope.datasets,
          partOf,
          tally,
          design,
          settings: { options, bootstrap },
        }),
      });
      const add = (at: Pick<LevelRow, 'level' | 'name' | 'rank'>, mine: (leaf: (typeof leaves)[number]) => boolean) => {
        const asked = among.filter(mine);
        const known = answered.filter(({ leaf }) => mine(leaf));
        rows.push({
          scope,
          ...at,
          recognizer,
          scenarios: asked.length,
          unanswered: asked.length - known.length,
          withoutBaseline: known.filter(({ pair }) => pair === null).length,
          withoutDifficulty: known.filter(({ leaf }) => leaf.difficulty.value === null).length,
          ...levelEstimates(known, { options, bootstrap }),
        });
      };
      if (among.length === 0) continue;
      add({ level: 'overall', name: '' }, ({ adversarial }) => !adversarial);
      if (among.some(({ adversarial }) => adversarial)) {
        add({ level: 'adversarial', name: '' }, ({ adversarial }) => adversarial);
      }
      for (const category of new Set(among.map((leaf) => leaf.category))) {
        add({ level: 'category', name: category }, (leaf) => leaf.category === category);
      }
      for (const family of new Set(among.map((leaf) => leaf.family))) {
        add({ level: 'family', name: family }, (leaf) => leaf.family === family);
      }
      for (const condition of new Set(among.map((leaf) => leaf.condition))) {
        const { name } = design.conditions[condition]!;
        add({ level: 'scenario', name }, (leaf) => leaf.condition === condition);
      }
      const rankOf = ({ condition }: { readonly condition: number }) => design.conditions[condition]!.rung?.rank;
      for (const name of ['', ...new Set(among.map((leaf) => leaf.category))]) {
        const inIt = among.filter(({ category, adversarial }) => (name === '' ? !adversarial : category === name));
        const ranks = [...new Set(inIt.flatMap((leaf) => rankOf(leaf) ?? []))].sort((a, b) => a - b);
        for (const rank of ranks.length < 2 ? [] : ranks) {
          add({ level: 'severity', name, rank }, (leaf) => inIt.includes(leaf) && rankOf(leaf) === rank);
        }
      }
    }
  });
  // Recognizers side by side.
  const beside = Map.groupBy(rows, ({ scope, level, name, rank }) =>
    JSON.stringify([scope.kind, scope.name, level, name, rank ?? null]),
  );
  return { scopes, clean, rows: [...beside.values()].flat() };
}

/** Word error rate of clean sound: the mean over the clean ones of some data sets. */
function cleanRate({
  recognizer,
  datasets,
  partOf,
  tally,
  design,
  settings,
}: {
  readonly recognizer: number;
  readonly datasets: readonly number[];
  readonly partOf: PartOf;
  readonly tally: Counts;
  readonly design: Design;
  readonly settings: EstimateSettings;
}): Estimate {
  const counts = datasets.flatMap((dataset): LeafCounts[] => {
    const part = design.survey.datasets[dataset]!.recorded === null ? partOf(dataset) : null;
    if (part === null) return [];
    const { counts: words, n } = byCluster(part, tally, tally.series.words(recognizer, 0));
    if (n.words === 0) return [];
    const difficulty = { value: null, reason: 'clean audio has no difficulty' };
    const leaf = { condition: 0, dataset, family: 'clean', category: 'clean', adversarial: false, difficulty };
    const { isSpeaker } = tally.slices.clusters;
    return [{ leaf, words, characters: words, pair: null, n, isSpeaker, speakers: speakersIn(words) }];
  });
  return meanRate(counts, 'words', 'rate', settings);
}

/** One recognizer against another over many scenarios, on the trials that both answered. */
export interface LevelComparison {
  /** Means over scenarios, clean sound not among them; `pooled`: all errors over all words of all conditions, clean sound among them. */
  readonly measure: 'word error rate' | 'change from clean' | 'pooled word error rate';
  /** Null: all categories. */
  readonly category: string | null;
  /** `comparison` is about this one: its mean less that of `comparedWith`. */
  readonly recognizer: number;
  readonly comparedWith: number;
  /** Where one of the two has no words in some scenarios: over which both have, and the two means there; else null. */
  readonly rests: { readonly over: string; readonly own: number | null; readonly others: number | null } | null;
  readonly comparison: Comparison;
}

/** A comparison that is to be made. */
interface AskedLevel extends Omit<LevelComparison, 'comparison'> {
  readonly contrast: () => Contrast;
}

/**
 * Every pair of recognizers by their mean over all scenarios and over those of each category, by rate and by what is lost from
 * clean sound; and by the rate of all conditions pooled. Means are those of the profile, but nothing is clipped. Recorded scenarios have a rate, but no loss here: their
 * clean sound is of other utterances.
 */
export function askLevels(tally: Counts, design: Design, options: RobustnessOptions): AskedLevel[] {
  const leaves = leavesOf(design, options);
  const categories = [...new Set(leaves.map(({ category }) => category))];
  const pairs = design.recognizers.flatMap((_, first) =>
    design.recognizers.slice(first + 1).map((_, place) => ({ first, second: first + 1 + place })),
  );
  const partOf = wholeOf(tally);
  const means = (['word error rate', 'change from clean'] as const).flatMap((measure) =>
    // With one category it is all there is.
    [null, ...(categories.length > 1 ? categories : [])].flatMap((category) => {
      const mine = leaves.filter(
        (leaf) =>
          (category === null ? !leaf.adversarial : leaf.category === category) &&
          (measure === 'word error rate' || leaf.condition < design.disturbed),
      );
      // What is one condition is compared there, once.
      if (mine.length === 0 || (mine.length === 1 && measure === 'word error rate')) return [];
      return pairs.map(({ first, second }): AskedLevel => {
        const common = mine.filter((leaf) => words(leaf, first, second) > 0 && words(leaf, second, first) > 0);
        const meanOf = (...[recognizer, other]: readonly [number, number]) =>
          rateOf(sideOf(common, measure, recognizer, other).counts);
        const over = `${common.length} of ${mine.length} scenarios`;
        return {
          measure,
          category,
          recognizer: second,
          comparedWith: first,
          rests:
            common.length === mine.length ? null : { over, own: meanOf(second, first), others: meanOf(first, second) },
          contrast: () => {
            const other = sideOf(common, measure, second, first);
            const one = sideOf(common, measure, first, second);
            const fewest = Math.min(one.fewest, other.fewest);
            const isMean = new Set(common.map(({ dataset }) => dataset)).size > 1;
            const withoutInterval =
              isMean && fewest < options.minimumSpeakers
                ? neededClusters(options.minimumSpeakers, fewest, 'in each data set')
                : undefined;
            const family = category === null ? mainFamily(first, second, design, options) : 1;
            return { first: one.counts, second: other.counts, n: other.n, family, withoutInterval };
          },
        };
      });
    }),
  );
  const pooled = (recognizer: number, other: number) =>
    byCluster(
      tally.slices.whole(),
      tally,
      tally.series.pooled(recognizer),
      tally.series.pooledWithout(recognizer, other),
    );
  // Of clean sound alone its own comparison says it.
  if (leaves.every(({ adversarial }) => adversarial)) return means;
  return [
    ...means,
    ...pairs.map(({ first, second }): AskedLevel => {
      const contrast = () => {
        const { counts, n } = pooled(second, first);
        const family = mainFamily(first, second, design, options);
        return { first: pooled(first, second).counts, second: counts, n, family };
      };
      const place = { category: null, recognizer: second, comparedWith: first, rests: null };
      return { measure: 'pooled word error rate', ...place, contrast };
    }),
  ];

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
    const { isSpeaker } = tally.slices.clusters;
    const sizes: Counted[] = [];
    let [pairs, fewest] = [0, Number.POSITIVE_INFINITY];
    const parts = mine.flatMap((leaf, index): WeightedRate[] => {
      const here = both(leaf, recognizer, other);
      sizes.push({ leaf, words: here.counts, n: here.n, isSpeaker });
      pairs += here.n.pairs;
      fewest = Math.min(fewest, speakersIn(here.counts));
      const disturbed = { counts: here.counts, weight: weights[index]! };
      if (measure === 'word error rate') return [disturbed];
      const clean = both({ condition: 0, dataset: leaf.dataset }, recognizer, other);
      return [disturbed, { counts: clean.counts, weight: -weights[index]! }];
    });
    return { counts: combineRates(parts) ?? none, n: { ...sizeOf(sizes), pairs }, fewest };
  }
}

function rateOf({ numerators, denominators }: ClusteredCounts): number | null {
  const [errors, words] = [numerators, denominators].map((values) => values.reduce((sum, value) => sum + value, 0));
  return words === 0 ? null : errors! / words!;
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

export function comparisonSettings({ slices }: Pick<Counts, 'slices'>, options: RobustnessOptions, seed: number) {
  const { level, resamples, minimumSpeakers, familyError } = options;
  const { count: speakers } = slices.clusters;
  return { level, resamples, minimumSpeakers, seed, familyError, families: comparisonFamilies(options), speakers };
}
