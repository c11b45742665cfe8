import type { Comparison, Estimate } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/rate-interval.ts';
import { type Contrast, compareAll } from '../shared/comparisons.ts';
import { comparisonFamilies, mainFamily } from './comparison-families.ts';
import { cellOf, heardOf, rateOf } from './counts.ts';
import type { Design } from './design.ts';
import {
  countedAsOne,
  countLeaves,
  type Known,
  type LevelEstimates,
  levelEstimates,
  mannerOf,
  meanRate,
  sizeOf,
  speakersIn,
} from './level-estimates.ts';
import { cleanLeaf, type Leaf, leavesOf, meanWeights } from './scenario-tree.ts';

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
  /** Of these, without any answer; without clean sound to compare with. */
  readonly unanswered: number;
  readonly withoutBaseline: number;
}

/** Clean sound of a scope. */
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
export function concludeLevels(known: Known): Levels {
  const { design, options } = known;
  const { recognizers, conditions } = design;
  const leaves = leavesOf(design, options);
  const scopes = scopesOf(design);
  const counts = recognizers.map((_, recognizer) => countLeaves(leaves, recognizer, known));
  const rows: LevelRow[] = [];
  for (const scope of scopes) {
    const among = leaves.filter(({ dataset }) => scope.datasets.includes(dataset));
    if (among.length === 0) continue;
    const add = (at: Pick<LevelRow, 'level' | 'name' | 'rank'>, mine: (leaf: Leaf) => boolean) => {
      const asked = new Set(among.filter(mine));
      recognizers.forEach((_, recognizer) => {
        const answered = counts[recognizer]!.filter(({ leaf }) => asked.has(leaf));
        rows.push({
          scope,
          ...at,
          recognizer,
          scenarios: asked.size,
          unanswered: asked.size - answered.length,
          withoutBaseline: answered.filter(({ pair }) => pair === null).length,
          ...levelEstimates(answered, known),
        });
      });
    };
    add({ level: 'overall', name: '' }, ({ adversarial }) => !adversarial);
    if (among.some(({ adversarial }) => adversarial)) {
      add({ level: 'adversarial', name: '' }, ({ adversarial }) => adversarial);
    }
    const categories = new Set(among.map((leaf) => leaf.category));
    for (const name of categories) add({ level: 'category', name }, (leaf) => leaf.category === name);
    for (const name of new Set(among.map((leaf) => leaf.family))) {
      add({ level: 'family', name }, (leaf) => leaf.family === name);
    }
    for (const condition of new Set(among.map((leaf) => leaf.condition))) {
      add({ level: 'scenario', name: conditions[condition]!.name }, (leaf) => leaf.condition === condition);
    }
    const rankOf = ({ condition }: Leaf) => conditions[condition]!.rung?.rank;
    for (const name of ['', ...categories]) {
      const inIt = among.filter(({ category, adversarial }) => (name === '' ? !adversarial : category === name));
      const ranks = [...new Set(inIt.flatMap((leaf) => rankOf(leaf) ?? []))].sort((a, b) => a - b);
      for (const rank of ranks.length < 2 ? [] : ranks) {
        add({ level: 'severity', name, rank }, (leaf) => inIt.includes(leaf) && rankOf(leaf) === rank);
      }
    }
  }
  const clean = scopes.flatMap((scope) =>
    recognizers.map((_, recognizer): CleanRow => {
      return { scope, recognizer, wordErrorRate: cleanRate(recognizer, scope.datasets, known) };
    }),
  );
  return { scopes, clean, rows };
}

/** Word error rate of clean sound of some data sets, as the profile puts them together. */
function cleanRate(recognizer: number, datasets: readonly number[], known: Known): Estimate {
  const leaves = datasets.flatMap((dataset) =>
    known.design.survey.datasets[dataset]!.recorded === null ? [cleanLeaf(dataset)] : [],
  );
  return meanRate(countLeaves(leaves, recognizer, known), 'words', 'rate', known);
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
export function askLevels({ cells, design, options }: Omit<Known, 'seed'>): AskedLevel[] {
  const leaves = leavesOf(design, options);
  const categories = [...new Set(leaves.map(({ category }) => category))];
  const pairs = design.recognizers.flatMap((_, first) =>
    design.recognizers.slice(first + 1).map((_, place) => ({ first, second: first + 1 + place })),
  );
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
        const common = mine.filter((leaf) => has(leaf, first, second) && has(leaf, second, first));
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
            const isMean = mannerOf(options) === 'flat' && new Set(common.map(({ dataset }) => dataset)).size > 1;
            const withoutInterval: Reason | undefined =
              isMean && fewest < options.minimumSpeakers
                ? { code: 'few-units', need: options.minimumSpeakers, have: [fewest], each: 'data set' }
                : undefined;
            const family = category === null ? mainFamily(first, second, design, options) : 1;
            return { first: one.counts, second: other.counts, n: other.n, family, withoutInterval };
          },
        };
      });
    }),
  );
  const pooled = (recognizer: number, other: number) => heardOf(cells, 'pooled', [[]], recognizer, other);
  // Of clean sound alone its own comparison says it.
  if (leaves.every(({ adversarial }) => adversarial)) return means;
  return [
    ...means,
    ...pairs.map(({ first, second }): AskedLevel => {
      const contrast = () => {
        const { words, n } = pooled(second, first);
        const family = mainFamily(first, second, design, options);
        return { first: pooled(first, second).words, second: words, n, family };
      };
      const place = { category: null, recognizer: second, comparedWith: first, rests: null };
      return { measure: 'pooled word error rate', ...place, contrast };
    }),
  ];

  function both(leaves: readonly Pick<Leaf, 'condition' | 'dataset'>[], recognizer: number, other: number) {
    const places = leaves.flatMap((leaf) => cellOf(leaf, design));
    return heardOf(cells, 'condition', places, recognizer, other);
  }

  function has(leaf: Leaf, recognizer: number, other: number): boolean {
    return rateOf(both([leaf], recognizer, other).words) !== null;
  }

  function sideOf(mine: readonly Leaf[], measure: LevelComparison['measure'], recognizer: number, other: number) {
    const groups = countedAsOne(mine, ({ condition }) => condition, options);
    const weights = meanWeights(
      groups.map(([leaf]) => leaf!),
      mannerOf(options),
    );
    const disturbed = groups.map((leaves) => both(leaves, recognizer, other).words);
    const parts = groups.flatMap((leaves, index): WeightedRate[] => {
      const weight = weights[index]!;
      const part = { counts: disturbed[index]!, weight };
      if (measure === 'word error rate') return [part];
      const clean = leaves.map(({ dataset }) => ({ condition: 0, dataset }));
      return [part, { counts: both(clean, recognizer, other).words, weight: -weight }];
    });
    const here = mine.map((leaf) => {
      const { words, n } = both([leaf], recognizer, other);
      return { leaf, words, n };
    });
    return {
      counts: combineRates(parts) ?? none,
      n: { ...sizeOf(here, cells.units.isSpeaker), pairs: here.reduce((total, { n }) => total + n.pairs, 0) },
      fewest: Math.min(...disturbed.map(speakersIn)),
    };
  }
}

const none: ClusteredCounts = { numerators: new Float64Array(0), denominators: new Float64Array(0) };

/** Levels by themselves, all of them corrected together. */
export function compareLevels(known: Known): LevelComparison[] {
  const asked = askLevels(known);
  const compared = compareAll(asked, ({ contrast }) => contrast(), comparisonSettings(known));
  return asked.map(({ contrast: _, ...place }, index) => ({ ...place, comparison: compared[index]! }));
}

export function comparisonSettings({ cells, options, seed }: Omit<Known, 'design'>) {
  const { level, resamples, minimumSpeakers } = options;
  const families = comparisonFamilies(options);
  return { level, resamples, minimumSpeakers, seed, families, speakers: cells.units.count };
}
