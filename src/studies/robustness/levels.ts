import type { Estimate } from '../../model/finding.ts';
import type { BootstrapOptions } from '../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import { byCluster, countLeaves, type LeafCounts, type PartOf, speakersIn, wholeOf } from './leaf-counts.ts';
import { type EstimateSettings, type LevelEstimates, levelEstimates, meanRate } from './level-estimates.ts';
import type { RobustnessOptions } from './options.ts';
import { leavesOf } from './scenario-tree.ts';

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
  /** `severity`: all scenarios of one rank, in a category or in all of them. */
  readonly level: 'overall' | 'category' | 'family' | 'scenario' | 'severity';
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
export function scopesOf(design: Design): Scope[] {
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
      add({ level: 'overall', name: '' }, () => true);
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
        const inIt = among.filter(({ category }) => name === '' || category === name);
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
    const difficulty = { value: null, reason: 'clean sound has no difficulty' };
    const leaf = { condition: 0, dataset, family: 'clean', category: 'clean', difficulty };
    return [{ leaf, words, characters: words, pair: null, n, speakers: speakersIn(words) }];
  });
  return meanRate(counts, 'words', 'rate', settings);
}
