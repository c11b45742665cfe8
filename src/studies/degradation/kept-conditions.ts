import { leftOutByAequevox } from '../../perturbations/ladders/aequevox.ts';
import { gather } from '../shared/sliced-counts.ts';
import type { Design, MeasureKind } from './design.ts';
import type { DegradationOptions } from './options.ts';
import type { Tally } from './tally.ts';

/** Whether a condition is looked at, for one kind of measure. */
export interface KeptCondition {
  readonly kind: MeasureKind;
  readonly condition: number;
  /** Mean over the measures of the kind of what everybody's rate is; null without answers. */
  readonly mean: number | null;
  readonly kept: boolean;
  /** Why not. */
  readonly reason?: string;
}

/**
 * Which conditions count. Where everything is lost already, no group can lose more than another: a group that was worse
 * before then seems to degrade least.
 */
export function keptConditions(tally: Tally, design: Design, options: DegradationOptions): KeptCondition[] {
  const kinds = [...new Set(design.measures.map(({ kind }) => kind))];
  return kinds.flatMap((kind) =>
    design.conditions.flatMap(({ name }, condition): KeptCondition[] => {
      if (condition === 0) return [];
      const mean = meanRate(tally, design, kind, condition);
      const place = { kind, condition, mean };
      if (mean === null) return [{ ...place, kept: false, reason: 'nothing was answered in it and in the baseline' }];
      if (options.profile === 'aequevox') {
        return leftOutByAequevox.includes(name)
          ? [{ ...place, kept: false, reason: 'AequeVox leaves it out' }]
          : [{ ...place, kept: true }];
      }
      return mean > options.ceiling
        ? [{ ...place, kept: false, reason: `its mean is above the ceiling of ${options.ceiling}` }]
        : [{ ...place, kept: true }];
    }),
  );
}

function meanRate({ slices, series }: Tally, { measures }: Design, kind: MeasureKind, condition: number) {
  const whole = slices.whole();
  const rates = measures.flatMap((measure, number) => {
    if (measure.kind !== kind) return [];
    const { errors, words } = whole.counts(series.after(number, condition))?.totals(whole.rows) ?? {
      errors: 0,
      words: 0,
    };
    return words === 0 ? [] : [errors / words];
  });
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

/** Groups whose baseline is above the ceiling already. */
export interface NoRoom {
  readonly attribute: string;
  readonly group: string;
  readonly measure: number;
  readonly rate: number;
}

/** Groups that have no room to degrade: nothing they seem to be spared can be believed. */
export function groupsWithoutRoom(
  { slices, series }: Tally,
  design: Design,
  { ceiling }: DegradationOptions,
): NoRoom[] {
  return slices.groups().flatMap((part) =>
    design.measures.flatMap((_, measure): NoRoom[] => {
      const { n, counts } = gather(part, series.baseline(measure));
      const rate = counts.numerators.reduce((sum, count) => sum + count, 0) / n.words;
      return n.words > 0 && rate > ceiling
        ? [{ attribute: part.group!.attribute, group: part.group!.value, measure, rate }]
        : [];
    }),
  );
}
