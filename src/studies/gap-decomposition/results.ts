import { createRandom, type Random } from '../../base/random.ts';
import type { Comparison, Estimate, SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { type ContrastPart, rateContrast } from '../../statistics/fairness/rate-contrast.ts';
import { decomposeGap, type GapPart, undividedGap } from '../../statistics/gap-decomposition/decompose-gap.ts';
import type { Interval } from '../../statistics/interval.ts';
import { correctByHolm, toComparison } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { GroupPair } from '../shared/group-pairs.ts';
import { causeRows } from './cause-values.ts';
import type { ClipFacts } from './causes.ts';
import type { Design } from './design.ts';
import type { GapDecompositionOptions } from './options.ts';
import { placesOf, sizeOf, type Tally } from './tally.ts';

/** A part of a gap with its test. */
export interface PartResult {
  readonly name: string;
  /** `recording`, `delivery`, `text`, or of the remainder its own. */
  readonly kind: string;
  readonly part: Comparison;
}

/** One gap of one recognizer, taken apart. */
export interface PairResult {
  readonly recognizer: number;
  readonly pair: GroupPair;
  readonly rates: { readonly group: number | null; readonly others: number | null };
  readonly gap: Comparison;
  readonly kinds: readonly PartResult[];
  readonly parts: readonly PartResult[];
  readonly remainder: PartResult;
  /** Causes that cannot be told from the group, and are in the remainder. */
  readonly inRemainder: readonly string[];
  readonly n: Required<Pick<SampleSize, 'utterances' | 'speakers' | 'words'>>;
  /** Utterances without a value of some cause. */
  readonly leftOut: number;
}

const ownTest = 'each is a t test of its own';

/** Takes every gap of every recognizer apart; one correction (Holm) over all gaps, and one over all causes and remainders. */
export function conclude(
  known: { readonly design: Design; readonly clips: readonly ClipFacts[]; readonly tally: Tally },
  options: GapDecompositionOptions,
  seed: number,
): PairResult[] {
  const { design } = known;
  const raw = design.recognizers.flatMap((_, recognizer) =>
    design.pairs.map((pair) => onePair(recognizer, pair, known, options, seed)),
  );
  const gaps = correctByHolm(
    raw.map(({ found }) => found.gapPValue),
    ownTest,
  );
  const single = raw.map(({ parts, found }) => [...parts, found.remainder]);
  const parts = correctByHolm(
    single.flat().map(({ pValue }) => pValue),
    ownTest,
  );
  let next = 0;
  return raw.map(({ recognizer, pair, found, n, leftOut }, place): PairResult => {
    const comparison = (interval: Interval, pValue: number | null, corrected: number | null, correction: string) =>
      compared(interval, n, pValue, corrected, correction);
    const own = single[place]!.map(({ name, kind, part, pValue }) => ({
      name,
      kind,
      part: comparison(part, pValue, parts.adjusted[next++]!, parts.correction),
    }));
    const gapCorrected = comparison(found.gap, found.gapPValue, gaps.adjusted[place]!, gaps.correction);
    return {
      recognizer,
      pair,
      rates: found.rates,
      gap: gapCorrected,
      // Sums of what is tested one by one: shown with their intervals, and not tested again.
      kinds: found.kinds.map(({ name, kind, part }) => ({
        name,
        kind,
        part: comparison(part, null, null, 'not tested again'),
      })),
      parts: own.slice(0, -1),
      remainder: own.at(-1)!,
      inRemainder: found.inRemainder,
      n,
      leftOut,
    };
  });
}

function onePair(
  recognizer: number,
  pair: GroupPair,
  known: { readonly design: Design; readonly clips: readonly ClipFacts[]; readonly tally: Tally },
  options: GapDecompositionOptions,
  seed: number,
) {
  const { survey, recognizers } = known.design;
  const { level, minimumSpeakers, bent } = options;
  const { places, causes, missing, leftOut } = causeRows(recognizer, pair, known, options);
  const rows = places.map((place) => survey.utterances[place]!);
  const found = decomposeGap(
    {
      errors: places.map((place) => known.tally.errors(recognizer, 0, place)!),
      words: rows.map(({ words }) => words),
      inGroup: rows.map(({ values }) => values[pair.place] === pair.value),
      speakers: rows.map(({ cluster }) => cluster),
      causes,
    },
    { level, minimumSpeakers, bent, random: randomOf(pair, recognizers[recognizer]!.name, seed) },
  );
  const absent = missing.map(({ name, kind, reason }): GapPart => {
    return { name, kind, pValue: null, part: { ...found.gap, value: null, low: null, high: null, reason } };
  });
  const n = sizeOf(places, survey);
  return { recognizer, pair, found, parts: [...found.parts, ...absent], n, leftOut };
}

/** The same for all that is said of a gap, so that it has one interval. */
function randomOf({ attribute, value }: GroupPair, recognizer: string, seed: number): Random {
  return createRandom({ seed, study: 'gap-decomposition', attribute, value, recognizer });
}

function compared(
  interval: Interval,
  n: SampleSize,
  pValue: number | null,
  adjustedPValue: number | null,
  correction: string,
): Comparison {
  const tested = { pValue, test: 't test by the jackknife over speakers' };
  return toComparison(toEstimate(interval, n), tested, adjustedPValue, correction);
}

/** A gap in sound as it is, and with all clips made alike in something. */
export interface CounterfactualResult {
  readonly recognizer: number;
  readonly pair: GroupPair;
  /** Its place among the design's variants. */
  readonly variant: number;
  /** Errors per word of the group and of the others, and their difference, in sound as it is. */
  readonly before: GapOf;
  readonly after: GapOf;
  /** By how much the gap changes: below 0 it shrinks. */
  readonly change: Comparison;
  /** Clips that were changed, of those counted here. */
  readonly changed: number;
  readonly n: SampleSize;
}

/** Rates of two groups and their gap. */
interface GapOf {
  readonly group: number | null;
  readonly others: number | null;
  readonly gap: Estimate;
}

/**
 * Gaps again on the same utterances in changed sound, each against sound as it is, with the intervals of whole gaps. Speakers are the same in both, and what they
 * have alike drops out of the change. One correction (Holm) over all changes.
 */
export function counterfactuals(
  { design, tally }: { readonly design: Design; readonly tally: Tally },
  options: GapDecompositionOptions,
  seed: number,
): CounterfactualResult[] {
  const { level, minimumSpeakers } = options;
  const raw = design.recognizers.flatMap(({ input }, recognizer) =>
    design.pairs.flatMap((pair) =>
      design.variants.slice(1).flatMap((_, index) => {
        if (input !== 'sound') return [];
        const variant = index + 1;
        const places = placesOf(pair, recognizer, [0, variant], design, tally);
        const n = sizeOf(places, design.survey);
        const rows = places.map((place) => {
          const { values, cluster, words } = design.survey.utterances[place]!;
          const [before, after] = [0, variant].map((at) => tally.errors(recognizer, at, place)!);
          return { before: before!, after: after!, words, cluster, inGroup: values[pair.place] === pair.value };
        });
        const gapParts = (at: 'before' | 'after', sign: number): ContrastPart[] =>
          [true, false].map((side) => {
            const own = rows.filter(({ inGroup }) => inGroup === side);
            return { counts: bySpeaker(own, at, design.survey.clusters.count), weight: side ? sign : -sign };
          });
        const change = rateContrast([...gapParts('after', 1), ...gapParts('before', -1)], {
          level,
          minimumClusters: minimumSpeakers,
        });
        const gapOf = (at: 'before' | 'after'): GapOf => {
          const data = {
            errors: rows.map((row) => row[at]),
            words: rows.map(({ words }) => words),
            inGroup: rows.map(({ inGroup }) => inGroup),
            speakers: rows.map(({ cluster }) => cluster),
          };
          const random = randomOf(pair, design.recognizers[recognizer]!.name, seed);
          const [group, others] = [true, false].map((side) =>
            pooled(
              rows.filter(({ inGroup }) => inGroup === side),
              at,
            ),
          );
          return {
            ...{ group: group!, others: others! },
            gap: toEstimate(undividedGap(data, { level, minimumSpeakers, random }).part, n),
          };
        };
        const changed = places.filter((place) => tally.changed(variant, place)).length;
        return [{ recognizer, pair, variant, before: gapOf('before'), after: gapOf('after'), change, changed, n }];
      }),
    ),
  );
  const pValues = raw.map(({ change }) => change.pValue);
  const { adjusted, correction } = correctByHolm(pValues, 'each is a t test of its own');
  return raw.map((row, place): CounterfactualResult => {
    const difference = toEstimate(row.change, row.n);
    const tested = { pValue: row.change.pValue, test: 't test over speakers (linearization)' };
    return { ...row, change: toComparison(difference, tested, adjusted[place]!, correction) };
  });
}

/** Errors of an utterance before and after, among so many words of a speaker. */
interface ChangedRow {
  readonly before: number;
  readonly after: number;
  readonly words: number;
  readonly cluster: number;
}

function bySpeaker(rows: readonly ChangedRow[], at: 'before' | 'after', clusters: number): ClusteredCounts {
  const counts = { numerators: new Float64Array(clusters), denominators: new Float64Array(clusters) };
  for (const row of rows) {
    counts.numerators[row.cluster]! += row[at];
    counts.denominators[row.cluster]! += row.words;
  }
  return counts;
}

function pooled(rows: readonly ChangedRow[], at: 'before' | 'after'): number | null {
  const words = rows.reduce((sum, row) => sum + row.words, 0);
  return words > 0 ? rows.reduce((sum, row) => sum + row[at], 0) / words : null;
}
