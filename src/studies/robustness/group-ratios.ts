import type { Estimate } from '../../model/finding.ts';
import { differenceInterval, logRatioInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import { distinctSpeakers } from '../shared/group-pairs.ts';
import { type Part, speakersInBoth } from '../shared/sliced-counts.ts';
import type { Design } from './design.ts';
import { countLeaves, type LeafCounts, mannerOf, sizeOf, wholeOf } from './level-estimates.ts';
import type { RobustnessOptions } from './options.ts';
import { type Leaf, leavesOf, meanWeights } from './scenario-tree.ts';
import type { Tally } from './tally.ts';

/** How many times as many errors a recognizer makes for one group as for another, in a category of scenarios. */
export interface GroupRatio {
  /** A corpus in one language, or recordings that are a scenario. */
  readonly dataset: number;
  readonly attribute: string;
  /** Above 0 is worse for this group. */
  readonly group: string;
  readonly comparedWith: string;
  readonly category: string;
  readonly recognizer: number;
  /** LWERR: logarithm to base 2 of the ratio of the groups' mean word error rates. */
  readonly ratio: Estimate;
  readonly wordErrorRates: readonly [group: number | null, comparedWith: number | null];
}

/** An attribute with more values is not compared pair by pair. */
const maxGroups = 4;

/**
 * LWERR of Speech Robust Bench (section 4.4.2, Fig. 7), by data set and category: each group's rates are averaged over the
 * scenarios, and the ratio of the averages is taken; only scenarios that have both groups. Data sets are never put together: what
 * differs between them is not who speaks. Groups are of different speakers and resampled apart.
 */
export function groupRatios(tally: Tally, design: Design, options: RobustnessOptions, seed: number): GroupRatio[] {
  const all = leavesOf(design, options);
  const ratios = tally.datasets.flatMap((set, dataset) => {
    const leaves = all.filter((leaf) => leaf.dataset === dataset);
    return ratiosOf(set.groups(), dataset, leaves, { tally, design, options, seed });
  });
  // Recognizers side by side.
  const beside = Map.groupBy(ratios, ({ dataset, attribute, group, comparedWith, category }) =>
    JSON.stringify([dataset, attribute, group, comparedWith, category]),
  );
  return [...beside.values()].flat();
}

function ratiosOf(
  groups: readonly Part[],
  dataset: number,
  leaves: readonly Leaf[],
  {
    tally,
    design,
    options,
    seed,
  }: { readonly tally: Tally; readonly design: Design; readonly options: RobustnessOptions; readonly seed: number },
): GroupRatio[] {
  const isClean = design.survey.datasets[dataset]?.recorded === null;
  const clean = {
    condition: 0,
    dataset,
    family: 'clean',
    category: 'clean',
    adversarial: false,
    difficulty: { value: null },
  };
  const asked = isClean ? [clean, ...leaves] : leaves;
  const categories = new Set(asked.map(({ category }) => category));
  const values = new Map<string, string[]>();
  for (const { group } of groups) {
    if (group) values.set(group.attribute, [...(values.get(group.attribute) ?? []), group.value]);
  }
  return [...values].flatMap(([attribute, names]) => {
    if (names.length > maxGroups) return [];
    const pairs = names.flatMap((group, place) => names.slice(place + 1).map((other) => ({ group, other })));
    return design.recognizers.flatMap((_, recognizer) =>
      pairs.flatMap(({ group, other }) => {
        const inBothGroups = speakersInBoth(partNamed(groups, attribute, group)!, partNamed(groups, attribute, other)!);
        const counted = (value: string) =>
          countLeaves(asked, recognizer, {
            tally,
            design,
            options,
            // Of a baseline elsewhere nothing is needed: ratios are of rates, not of changes.
            partOf: (of) => (of === dataset ? partNamed(groups, attribute, value) : null),
          });
        const [one, another] = [counted(group), counted(other)];
        return [...categories].flatMap((category): GroupRatio[] => {
          const { first, second } = inBoth(one, another, category);
          if (first.length === 0) return [];
          const [numerator, denominator] = [meanOf(first, options), meanOf(second, options)];
          const { level, resamples, minimumSpeakers } = options;
          const [mine, others] = [sizeOf(first), sizeOf(second)];
          if (numerator === null || denominator === null) return [];
          const interval = logRatioInterval(denominator, numerator, {
            level,
            resamples,
            minimumClusters: minimumSpeakers,
            clusters: 'separate',
            random: randomOfData(seed),
          });
          const n = {
            utterances: mine.utterances + others.utterances,
            speakers: distinctSpeakers(mine, others, inBothGroups),
            words: (mine.words ?? 0) + (others.words ?? 0),
          };
          return [
            {
              dataset,
              attribute,
              group,
              comparedWith: other,
              category,
              recognizer,
              ratio: toEstimate(interval, n),
              wordErrorRates: [rateOf(numerator), rateOf(denominator)],
            },
          ];
        });
      }),
    );
  });
}

function partNamed(parts: readonly Part[], attribute: string, value: string): Part | null {
  return parts.find(({ group }) => group?.attribute === attribute && group.value === value) ?? null;
}

/** The scenarios of a category that have answers for both groups. */
function inBoth(one: readonly LeafCounts[], other: readonly LeafCounts[], category: string) {
  const key = ({ leaf }: LeafCounts) => `${leaf.condition} ${leaf.dataset}`;
  const mine = (counts: readonly LeafCounts[]) => counts.filter(({ leaf }) => leaf.category === category);
  const known = new Map(mine(other).map((counts) => [key(counts), counts]));
  const first = mine(one).filter((counts) => known.has(key(counts)));
  return { first, second: first.map((counts) => known.get(key(counts))!) };
}

function meanOf(counts: readonly LeafCounts[], options: RobustnessOptions) {
  const weights = meanWeights(
    counts.map(({ leaf }) => leaf),
    mannerOf(options),
  );
  return combineRates(counts.map(({ words }, index): WeightedRate => ({ counts: words, weight: weights[index]! })));
}

function rateOf(counts: NonNullable<ReturnType<typeof meanOf>>): number {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  return sum(counts.numerators) / sum(counts.denominators);
}

/** What disturbances of a category cost a recognizer in one language, and in another. */
export interface LanguageGap {
  readonly recognizer: number;
  readonly category: string;
  readonly language: string;
  readonly comparedWith: string;
  /** Degradation in `language` less that in `comparedWith`, on the scenarios that both have; nothing is clipped. */
  readonly difference: Estimate;
}

/** More languages than this are not compared pair by pair. */
const maxLanguages = 8;

/** Degradation by category between languages: other speakers in each, resampled apart. */
export function languageGaps(tally: Tally, design: Design, options: RobustnessOptions, seed: number): LanguageGap[] {
  const languages = [...new Set(design.survey.datasets.map(({ language }) => language))];
  if (languages.length < 2 || languages.length > maxLanguages) return [];
  const leaves = leavesOf(design, options);
  const categories = [...new Set(leaves.map(({ category }) => category))];
  const partOf = wholeOf(tally);
  const { level, resamples, minimumSpeakers } = options;
  return design.recognizers.flatMap((_, recognizer) => {
    const counts = countLeaves(leaves, recognizer, { tally, design, options, partOf }).filter(({ pair }) => pair);
    return categories.flatMap((category) =>
      languages.flatMap((comparedWith, place) =>
        languages.slice(place + 1).flatMap((language): LanguageGap[] => {
          const of = (wanted: string) =>
            counts.filter(
              ({ leaf }) => leaf.category === category && design.survey.datasets[leaf.dataset]!.language === wanted,
            );
          const [one, other] = inCommon(of(comparedWith), of(language));
          const [before, after] = [degradationOf(one, options), degradationOf(other, options)];
          if (before === null || after === null) return [];
          const interval = differenceInterval(before, after, {
            level,
            resamples,
            minimumClusters: minimumSpeakers,
            clusters: 'separate',
            random: randomOfData(seed),
          });
          const [here, there] = [sizeOf(other), sizeOf(one)];
          const n = {
            utterances: here.utterances + there.utterances,
            speakers: here.speakers + there.speakers,
            words: (here.words ?? 0) + (there.words ?? 0),
          };
          return [{ recognizer, category, language, comparedWith, difference: toEstimate(interval, n) }];
        }),
      ),
    );
  });
}

/** Recorded scenarios are of one language: they count where they have the same category. */
function inCommon(one: readonly LeafCounts[], other: readonly LeafCounts[]): [LeafCounts[], LeafCounts[]] {
  const conditions = (counts: readonly LeafCounts[]) => new Set(counts.map(({ leaf }) => leaf.condition));
  const others = conditions(other);
  const common = new Set([...conditions(one)].filter((condition) => others.has(condition)));
  if (common.size === 0) return [[...one], [...other]];
  const kept = (counts: readonly LeafCounts[]) => counts.filter(({ leaf }) => common.has(leaf.condition));
  return [kept(one), kept(other)];
}

function degradationOf(counts: readonly LeafCounts[], options: RobustnessOptions) {
  const weights = meanWeights(
    counts.map(({ leaf }) => leaf),
    mannerOf(options),
  );
  return combineRates(
    counts.flatMap(({ pair }, index): WeightedRate[] => [
      { counts: pair!.after, weight: weights[index]! },
      { counts: pair!.before, weight: -weights[index]! },
    ]),
  );
}
