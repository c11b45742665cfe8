import type { Estimate } from '../../model/finding.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/combine-rates.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Design } from './design.ts';
import { countLeaves, type LeafCounts, wholeOf } from './leaf-counts.ts';
import { mannerOf, sizeOf } from './level-estimates.ts';
import type { RobustnessOptions } from './options.ts';
import { leavesOf, meanWeights } from './scenario-tree.ts';
import type { Tally } from './tally.ts';

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
