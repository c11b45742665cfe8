import { grouped } from '../../base/number-format.ts';
import type { Estimate } from '../../model/finding.ts';
import type { BootstrapOptions, ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval, logRatioInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { combineRates } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import { distinctSpeakers, type GroupSide } from '../shared/group-pairs.ts';
import { type Attack, type AttackDesign, isOwn } from './design.ts';

/** What one recognizer loses to one kind of sound, all of its conditions together. */
export interface Loss {
  readonly recognizer: number;
  /** Of attacks those that know the recognizer or ask none; `all`: the mean of `pgd` and `universal`, as Speech Robust Bench has it. */
  readonly kind: Attack['kind'] | 'all';
  /** `47 of 48 clips`, `2 of 3 conditions`, where it is not over all; null: it is. */
  readonly over: string | null;
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
  /** `2 of 3 conditions`, where one of the two was not answered in all; null: over all. */
  readonly over: string | null;
}

/** Errors and words of a recognizer in a condition, by speaker. */
export type CountsOf = (recognizer: number, attack: number) => GroupSide;

/** The two columns of attacks of Speech Robust Bench. */
const srbColumns: readonly Attack['kind'][] = ['universal', 'pgd'];

/** The places of conditions of one kind that a recognizer heard, in the order of the kinds. */
export function kindsOf(recognizer: number, design: AttackDesign): Map<Attack['kind'], number[]> {
  const own = [...design.attacks.keys()].filter(
    (attack) => design.attacks[attack]!.heardBy.includes(recognizer) && isOwn({ recognizer, attack }, design),
  );
  return Map.groupBy(own, (attack) => design.attacks[attack]!.kind);
}

/** `38 of 40 clips`; null where it is all. */
export function clipsInWords(here: number, all: number, what = 'clips'): string | null {
  return here < all ? `${grouped(here)} of ${grouped(all)} ${what}` : null;
}

/**
 * What each recognizer loses to each kind of sound: means over conditions alike of the WER less that of the clean clips, in each condition of
 * the clips that were answered in it and clean. With `clipped` (Speech Robust Bench's program) a condition better than clean counts 0.
 *
 * @param counts of all clips of a condition; of those that were answered clean too, under the attack and clean
 */
export function lossesOf(
  design: AttackDesign,
  counts: Readonly<Record<'words' | 'under' | 'clean', CountsOf>>,
  clipped: boolean,
  bootstrap: BootstrapOptions,
): Loss[] {
  return design.recognizers.flatMap((_, recognizer) => {
    const kinds = kindsOf(recognizer, design);
    const clipsIn = (countsOf: CountsOf, attacks: readonly number[]) =>
      Math.max(0, ...attacks.map((attack) => countsOf(recognizer, attack).n.utterances));
    const among = (kind: Loss['kind'], parts: readonly (readonly number[])[]): Loss[] => {
      const all = parts.flat();
      if (all.length === 0) return [];
      const answered = parts
        .map((attacks) => attacks.filter((attack) => clipsIn(counts.under, [attack]) > 0))
        .filter((attacks) => attacks.length > 0);
      const weighed = answered.flatMap((attacks) =>
        attacks.map((attack) => ({
          weight: 1 / (answered.length * attacks.length),
          under: counts.under(recognizer, attack),
          clean: counts.clean(recognizer, attack),
        })),
      );
      const largest = weighed.toSorted((one, other) => other.under.n.utterances - one.under.n.utterances)[0];
      const n = largest?.under.n ?? counts.words(recognizer, 0).n;
      const change = toEstimate(meanChange(weighed, clipped, bootstrap), n);
      const fewest = Math.min(...weighed.map(({ under }) => under.n.utterances));
      const over =
        clipsInWords(weighed.length, all.length, 'conditions') ??
        clipsInWords(fewest, clipsIn(counts.words, [0, ...all]));
      return [{ recognizer, kind, over, change }];
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
  weighed: readonly { readonly weight: number; readonly under: GroupSide; readonly clean: GroupSide }[],
  clipped: boolean,
  bootstrap: BootstrapOptions,
): Interval {
  const { level = 0.95 } = bootstrap;
  const kept = weighed.filter(
    ({ under, clean }) => !clipped || (rateOf(under.counts) ?? 0) > (rateOf(clean.counts) ?? 0),
  );
  const method = 'mean over conditions';
  if (weighed.length === 0)
    return { value: null, low: null, high: null, level, reason: { code: 'nothing-answered' }, method };
  const after = combineRates(kept.map(({ under, weight }) => ({ counts: under.counts, weight })));
  const before = combineRates(kept.map(({ clean, weight }) => ({ counts: clean.counts, weight })));
  if (after === null || before === null) {
    return { value: 0, low: null, high: null, level, reason: { code: 'none-worse' }, method };
  }
  const interval = differenceInterval(before, after, bootstrap);
  if (!clipped) return interval;
  const least = (value: number | null) => (value === null ? null : Math.max(0, value));
  return { ...interval, value: least(interval.value), low: least(interval.low), high: least(interval.high) };
}

/**
 * LWERR of Speech Robust Bench (sections 4.4.2 and B): each group's rates are averaged over the conditions of a kind in which both were
 * answered, and the logarithm to base 2 of the ratio of the averages is taken. Groups are of different speakers and resampled apart.
 *
 * @param groups one of an attribute after the other, with the counts of its speakers
 */
export function logRatios(
  groups: readonly {
    readonly attribute: string;
    readonly value: string;
    readonly speakers: ReadonlySet<number>;
    readonly countsOf: CountsOf;
  }[],
  design: AttackDesign,
  bootstrap: BootstrapOptions,
): LogRatio[] {
  return groups.flatMap((one, place) =>
    groups.slice(place + 1).flatMap((other) => {
      if (other.attribute !== one.attribute) return [];
      const shared = one.speakers.intersection(other.speakers).size;
      return design.recognizers.flatMap((_, recognizer) =>
        [...kindsOf(recognizer, design)].flatMap(([kind, all]): LogRatio[] => {
          const attacks = all.filter((attack) =>
            [one, other].every(({ countsOf }) => (countsOf(recognizer, attack).n.words ?? 0) > 0),
          );
          if (attacks.length === 0) return [];
          const mean = ({ countsOf }: typeof one) =>
            combineRates(
              attacks.map((attack) => ({ counts: countsOf(recognizer, attack).counts, weight: 1 / attacks.length })),
            );
          const size = ({ countsOf }: typeof one) => countsOf(recognizer, attacks[0]!).n;
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
              over: clipsInWords(attacks.length, all.length, 'conditions'),
            },
          ];
        }),
      );
    }),
  );
}

/** Null where there is nothing to divide by. */
export function rateOf({ numerators, denominators }: ClusteredCounts): number | null {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const words = sum(denominators);
  return words === 0 ? null : sum(numerators) / words;
}
