import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { BootstrapOptions, ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval, logRatioInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { combineRates } from '../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import { distinctSpeakers } from '../shared/group-pairs.ts';
import { type Part, speakersInBoth } from '../shared/sliced-counts.ts';
import { type Attack, type Design, isOwn } from './design.ts';

/** What one recognizer loses to one kind of sound, all of its conditions together. */
export interface Loss {
  readonly recognizer: number;
  /** Of attacks those that know the recognizer or ask none; `all`: the mean of `pgd` and `universal`, as Speech Robust Bench has it. */
  readonly kind: Attack['kind'] | 'all';
  readonly conditions: number;
  /** Mean WER less that of the clean clips (WERD). */
  readonly change: Estimate;
}

/** Log ratio of what two groups of speakers get wrong under one kind of sound, as a mean over its conditions. */
export interface LogRatio {
  readonly recognizer: number;
  readonly kind: Attack['kind'];
  readonly attribute: string;
  readonly group: string;
  readonly comparedWith: string;
  /** LWERR: to base 2; above 0 the first gets more wrong. */
  readonly ratio: Estimate;
  readonly rates: readonly [group: number | null, comparedWith: number | null];
}

/** Errors and words of a recognizer in a condition, by speaker. */
export type CountsOf = (
  recognizer: number,
  attack: number,
) => { readonly counts: ClusteredCounts; readonly n: SampleSize };

/** The two columns of attacks of Speech Robust Bench. */
const srbColumns: readonly Attack['kind'][] = ['universal', 'pgd'];

/** The places of conditions of one kind that a recognizer heard, in the order of the kinds. */
export function kindsOf(recognizer: number, design: Design): Map<Attack['kind'], number[]> {
  const own = [...design.attacks.keys()].filter(
    (attack) => design.attacks[attack]!.heardBy.includes(recognizer) && isOwn({ recognizer, attack }, design),
  );
  return Map.groupBy(own, (attack) => design.attacks[attack]!.kind);
}

/**
 * What each recognizer loses to each kind of sound: means over conditions alike of the WER less that of the clean clips, which every clip
 * that counts was heard as too. With `clipped` (Speech Robust Bench's program) a condition better than clean counts 0.
 */
export function lossesOf(design: Design, countsOf: CountsOf, clipped: boolean, bootstrap: BootstrapOptions): Loss[] {
  return design.recognizers.flatMap((_, recognizer) => {
    const kinds = kindsOf(recognizer, design);
    const among = (kind: Loss['kind'], parts: readonly (readonly number[])[]): Loss[] => {
      const weighed = parts.flatMap((attacks) =>
        attacks.map((attack) => ({ attack, weight: 1 / (parts.length * attacks.length) })),
      );
      const { n } = countsOf(recognizer, 0);
      const change = toEstimate(
        meanChange(weighed, (attack) => countsOf(recognizer, attack).counts, clipped, bootstrap),
        n,
      );
      return weighed.length === 0 ? [] : [{ recognizer, kind, conditions: weighed.length, change }];
    };
    const named = [...kinds].flatMap(([kind, attacks]) => (kind === 'clean' ? [] : among(kind, [attacks])));
    return [
      ...named,
      ...among(
        'all',
        srbColumns.flatMap((kind) => (kinds.has(kind) ? [kinds.get(kind)!] : [])),
      ),
    ];
  });
}

function meanChange(
  weighed: readonly { readonly attack: number; readonly weight: number }[],
  countsOf: (attack: number) => ClusteredCounts,
  clipped: boolean,
  bootstrap: BootstrapOptions,
) {
  const { level = 0.95 } = bootstrap;
  const clean = countsOf(0);
  const kept = weighed.filter(({ attack }) => !clipped || (rateOf(countsOf(attack)) ?? 0) > (rateOf(clean) ?? 0));
  const method = 'mean over conditions';
  if (rateOf(clean) === null)
    return { value: null, low: null, high: null, level, reason: 'nothing was answered', method };
  const after = combineRates(kept.map(({ attack, weight }) => ({ counts: countsOf(attack), weight })));
  const before = combineRates(kept.map(({ weight }) => ({ counts: clean, weight })));
  if (after === null || before === null) {
    const reason = 'no condition has more errors than clean audio, and this profile takes 0 for fewer';
    return { value: 0, low: null, high: null, level, reason, method };
  }
  const interval = differenceInterval(before, after, bootstrap);
  if (!clipped) return interval;
  const least = (value: number | null) => (value === null ? null : Math.max(0, value));
  return { ...interval, value: least(interval.value), low: least(interval.low), high: least(interval.high) };
}

/**
 * LWERR of Speech Robust Bench (sections 4.4.2 and B): each group's rates are averaged over the conditions of a kind, and the logarithm to
 * base 2 of the ratio of the averages is taken. Groups are of different speakers and resampled apart.
 *
 * @param groups one of an attribute after the other, with the counts of its speakers
 */
export function logRatios(
  groups: readonly {
    readonly attribute: string;
    readonly value: string;
    readonly part: Part;
    readonly countsOf: CountsOf;
  }[],
  design: Design,
  bootstrap: BootstrapOptions,
): LogRatio[] {
  return groups.flatMap((one, place) =>
    groups.slice(place + 1).flatMap((other) => {
      if (other.attribute !== one.attribute) return [];
      const shared = speakersInBoth(one.part, other.part);
      return design.recognizers.flatMap((_, recognizer) =>
        [...kindsOf(recognizer, design)].flatMap(([kind, attacks]): LogRatio[] => {
          const mean = ({ countsOf }: typeof one) =>
            combineRates(
              attacks.map((attack) => ({ counts: countsOf(recognizer, attack).counts, weight: 1 / attacks.length })),
            );
          const size = ({ countsOf }: typeof one) => countsOf(recognizer, attacks[0]!).n;
          if ((size(one).words ?? 0) === 0 || (size(other).words ?? 0) === 0) return [];
          const [numerator, denominator] = [mean(one)!, mean(other)!];
          const interval = logRatioInterval(denominator, numerator, { ...bootstrap, clusters: 'separate' });
          const n = {
            utterances: size(one).utterances + size(other).utterances,
            speakers: distinctSpeakers(size(one), size(other), shared),
            words: (size(one).words ?? 0) + (size(other).words ?? 0),
          };
          return [
            {
              ...{ recognizer, kind, attribute: one.attribute, group: one.value, comparedWith: other.value },
              ratio: toEstimate(interval, n),
              rates: [rateOf(numerator), rateOf(denominator)],
            },
          ];
        }),
      );
    }),
  );
}

/** Null where there is nothing to divide by. */
function rateOf({ numerators, denominators }: ClusteredCounts): number | null {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const words = sum(denominators);
  return words === 0 ? null : sum(numerators) / words;
}
