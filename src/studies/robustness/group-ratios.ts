import type { Estimate } from '../../model/finding.ts';
import { differenceInterval, logRatioInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import { distinctSpeakers } from '../shared/group-pairs.ts';
import { type Counts, type GroupPart, rateOf } from './counts.ts';
import {
  bootstrapOf,
  countLeaves,
  type Known,
  type LeafCounts,
  mannerOf,
  meanParts,
  sizeOf,
} from './level-estimates.ts';
import type { RobustnessOptions } from './options.ts';
import { cleanLeaf, type Leaf, leavesOf, meanWeights } from './scenario-tree.ts';

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
  /** Means of the group, and of the one that it is compared with. */
  readonly groupRate: number | null;
  readonly otherRate: number | null;
}

/** An attribute with more values is not compared pair by pair. */
const maxGroups = 4;

/**
 * LWERR of Speech Robust Bench (section 4.4.2, Fig. 7), by data set and category: each group's rates are averaged over the
 * scenarios, and the ratio of the averages is taken; only scenarios that have both groups. Data sets are never put together: what
 * differs between them is not who speaks. Groups are of different speakers and resampled apart.
 */
export function groupRatios({ groups }: Counts, known: Known): GroupRatio[] {
  const { design, options } = known;
  const all = leavesOf(design, options);
  return groups.flatMap((cube, dataset) => {
    const isClean = design.survey.datasets[dataset]!.recorded === null;
    const leaves = [...(isClean ? [cleanLeaf(dataset)] : []), ...all.filter((leaf) => leaf.dataset === dataset)];
    const categories = Map.groupBy(leaves, ({ category }) => category);
    const attributes = Map.groupBy(cube.parts('group'), ({ group }) => group!.attribute);
    const pairs = [...attributes.values()].flatMap((parts) =>
      parts.length > maxGroups
        ? []
        : parts.flatMap((one, place) => parts.slice(place + 1).map((other) => [one, other] as const)),
    );
    return pairs.flatMap(([one, other]) =>
      [...categories].flatMap(([category, mine]) =>
        design.recognizers.flatMap((_, recognizer) => {
          const found = ratioOf(one, other, mine, recognizer, known);
          const { attribute, value: group } = one.group!;
          return found === null
            ? []
            : [{ dataset, attribute, group, comparedWith: other.group!.value, category, recognizer, ...found }];
        }),
      ),
    );
  });
}

/** Over the scenarios in which both groups have words; null where there are none. */
function ratioOf(
  one: GroupPart,
  other: GroupPart,
  leaves: readonly Leaf[],
  recognizer: number,
  { cells: { units }, design, options, seed }: Known,
): Pick<GroupRatio, 'ratio' | 'groupRate' | 'otherRate'> | null {
  const path = ({ condition }: Leaf) => [design.conditions[condition]!.name];
  const common = leaves.filter((leaf) => [one, other].every((part) => part.counts(recognizer, path(leaf)).words > 0));
  const weights = meanWeights(common, mannerOf(options));
  const meanOf = (part: GroupPart) => {
    const sides = common.map((leaf) => {
      const { counts: words, n } = part.side({ series: recognizer, path: path(leaf), ratio: 'wer' });
      return { leaf, words, n };
    });
    const isSpeaker = (place: number) => units.isSpeaker(part.units[place]!);
    const counts = combineRates(sides.map(({ words }, place) => ({ counts: words, weight: weights[place]! })));
    return { counts, n: sizeOf(sides, isSpeaker) };
  };
  const [mine, others] = [meanOf(one), meanOf(other)];
  if (mine.counts === null || others.counts === null) return null;
  const settings = { ...bootstrapOf({ options, seed }), clusters: 'separate' } as const;
  const inBoth = new Set(one.units).intersection(new Set(other.units.filter(units.isSpeaker))).size;
  const n = {
    utterances: mine.n.utterances + others.n.utterances,
    speakers: distinctSpeakers(mine.n, others.n, inBoth),
    words: mine.n.words + others.n.words,
  };
  return {
    ratio: toEstimate(logRatioInterval(others.counts, mine.counts, settings), n),
    ...{ groupRate: rateOf(mine.counts), otherRate: rateOf(others.counts) },
  };
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
export function languageGaps(known: Known): LanguageGap[] {
  const { cells, design, options } = known;
  const { isSpeaker } = cells.units;
  const languageOf = ({ dataset }: Leaf) => design.survey.datasets[dataset]!.language;
  const languages = [...new Set(design.survey.datasets.map(({ language }) => language))];
  if (languages.length < 2 || languages.length > maxLanguages) return [];
  const leaves = leavesOf(design, options);
  const categories = [...new Set(leaves.map(({ category }) => category))];
  const settings = { ...bootstrapOf(known), clusters: 'separate' } as const;
  return design.recognizers.flatMap((_, recognizer) => {
    const counts = countLeaves(leaves, recognizer, known).filter(({ pair }) => pair);
    return categories.flatMap((category) =>
      languages.flatMap((comparedWith, place) =>
        languages.slice(place + 1).flatMap((language): LanguageGap[] => {
          const of = (wanted: string) =>
            counts.filter(({ leaf }) => leaf.category === category && languageOf(leaf) === wanted);
          const [one, other] = inCommon(of(comparedWith), of(language));
          const [before, after] = [degradationOf(one, options), degradationOf(other, options)];
          if (before === null || after === null) return [];
          const [here, there] = [sizeOf(other, isSpeaker), sizeOf(one, isSpeaker)];
          const n = {
            utterances: here.utterances + there.utterances,
            speakers: here.speakers + there.speakers,
            words: here.words + there.words,
          };
          const difference = toEstimate(differenceInterval(before, after, settings), n);
          return [{ recognizer, category, language, comparedWith, difference }];
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

function degradationOf(all: readonly LeafCounts[], options: RobustnessOptions) {
  const counts = meanParts(all, 'rate', options);
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
