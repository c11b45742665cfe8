import { benjaminiHochberg, holm } from '../significance/multiplicity.ts';
import { type WilcoxonResult, wilcoxonSignedRank } from '../significance/wilcoxon-signed-rank.ts';
import { inseparableSets } from './grouped-units.ts';

/** A measure of several models on several groups; no words are needed. */
export interface GroupTable {
  readonly groups: readonly string[];
  readonly models: readonly {
    readonly name: string;
    /** One for each group, in their order; null where there is none. */
    readonly values: readonly (number | null)[];
    /**
     * What groups are measured from: the measure over all the data (error rates: pooled). Absent or null: the plain mean
     * over the groups that have a value.
     */
    readonly baseline?: number | null;
  }[];
}

/** Whether more of the measure is better (accuracy) or worse (error rates). */
export type BetterWay = 'lower' | 'higher';

/** How far the groups of one model are from its baseline. */
export interface ModelDisparity {
  readonly name: string;
  /** Null where no group has a value. */
  readonly baseline: number | null;
  /** Group by group in the measure's own unit: above 0 is worse than the baseline, whichever way is better. */
  readonly gaps: readonly (number | null)[];
  /** The distances: gaps without their sign. */
  readonly disparities: readonly (number | null)[];
  /** Null where no group has a value. */
  readonly meanDisparity: number | null;
  /** Groups with a value. */
  readonly groups: number;
}

/** Two models: whose groups are farther from its baseline. */
export interface DisparityComparison {
  /** Places in the table. */
  readonly first: number;
  readonly second: number;
  /** Groups in which both have a value. */
  readonly groups: number;
  /** Mean disparity of the second less that of the first, over these. Null where there are none. */
  readonly difference: number | null;
  /** On the second's disparities less the first's. */
  readonly wilcoxon: WilcoxonResult;
  /** Corrected for all pairs of the table, after Holm, and after Benjamini and Hochberg. */
  readonly holmPValue: number | null;
  readonly falseDiscoveryPValue: number | null;
}

export interface DisparityTable {
  readonly models: readonly ModelDisparity[];
  readonly pairs: readonly DisparityComparison[];
  /** Largest sets of models without a significant difference inside, by the uncorrected p values, as places. */
  readonly clusters: readonly (readonly number[])[];
}

/**
 * Digits to which disparities are compared: differences that are equal but for the last digits of their sums are ties, which
 * the ranks must see.
 */
const digits = 12;

/**
 * FairLENS' comparison of models by fairness (Y. Wang and others, section 3.1, appendices A and B), on any table of groups and
 * models and for any measure: the distance of each group from the model's baseline, its mean over the groups, and
 * Wilcoxon's signed-rank test on the distances of every two models (exact for up to 50 groups without ties, else the normal
 * form with its corrections: `wilcoxon.method`).
 *
 * The test is the paper's: it takes groups for independent, and knows of their distances alone, not of what stands behind
 * them. Groups that share speakers are not independent, and a noisy value lies farther off: `dealGroups` asks speakers.
 *
 * @param level of confidence that joins models into clusters, .95 by default: they stay together where p > 1 - level
 * @throws RangeError for models whose number of values is not that of the groups, and values that are not finite
 * @example
 * const { models, pairs } = compareDisparities({
 *   groups: ['African', 'Caucasian', 'South Asian', 'East Asian'],
 *   models: [{ name: 'A', values: [89.5, 94.3, 93.4, 72.5] }, { name: 'B', values: [91.2, 92.3, 91.7, 78] }],
 * }, { better: 'higher' });
 * models[0].meanDisparity // 7.4625
 * pairs[0].wilcoxon.pValue // .25
 */
export function compareDisparities(
  table: GroupTable,
  options: { readonly better?: BetterWay; readonly level?: number } = {},
): DisparityTable {
  const { better = 'lower', level = 0.95 } = options;
  const models = table.models.map((model) => disparityOf(model, table.groups.length, better));
  const compared = models.flatMap((_, first) =>
    models.slice(first + 1).map((__, offset) => compare(models, first, first + 1 + offset)),
  );
  const pValues = compared.map(({ wilcoxon }) => wilcoxon.pValue);
  const [holms, discoveries] = [holm(pValues), benjaminiHochberg(pValues)];
  return {
    models,
    pairs: compared.map((pair, place) => ({
      ...pair,
      holmPValue: holms[place]!,
      falseDiscoveryPValue: discoveries[place]!,
    })),
    clusters: inseparableSets(
      models.length,
      compared.filter(({ wilcoxon: { pValue } }) => pValue !== null && pValue <= 1 - level),
    ),
  };
}

function disparityOf(model: GroupTable['models'][number], groups: number, better: BetterWay): ModelDisparity {
  const { name, values } = model;
  if (values.length !== groups) {
    throw new RangeError(`expected ${groups} values of a model, one for each group, but got ${values.length}`);
  }
  const known = values.filter((value) => value !== null);
  for (const value of [...known, model.baseline ?? 0]) {
    if (!Number.isFinite(value)) throw new RangeError(`expected finite values or null, but got ${value}`);
  }
  const baseline = known.length === 0 ? null : (model.baseline ?? meanOf(known));
  const gaps = values.map((value) => {
    if (value === null || baseline === null) return null;
    return better === 'lower' ? value - baseline : baseline - value;
  });
  const disparities = gaps.map((gap) => (gap === null ? null : Math.abs(gap)));
  return {
    name,
    baseline,
    gaps,
    disparities,
    meanDisparity: meanOf(disparities.filter((distance) => distance !== null)),
    groups: known.length,
  };
}

function compare(
  models: readonly ModelDisparity[],
  first: number,
  second: number,
): Omit<DisparityComparison, 'holmPValue' | 'falseDiscoveryPValue'> {
  const differences = models[first]!.disparities.flatMap((one, group) => {
    const other = models[second]!.disparities[group]!;
    return one === null || other === null ? [] : [other - one];
  });
  const largest = differences.reduce((most, difference) => Math.max(most, Math.abs(difference)), 0);
  // Relative to the largest, so that the unit of the measure does not matter.
  const ranked = differences.map((difference) => (largest === 0 ? 0 : Number((difference / largest).toFixed(digits))));
  return {
    first,
    second,
    groups: differences.length,
    difference: meanOf(differences),
    wilcoxon: wilcoxonSignedRank(ranked),
  };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
