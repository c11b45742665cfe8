/**
 * How often a fair variant is called unfair, and how much unfairness is found: the tests of the study `disparity`, on invented data.
 *
 *   node bench/calibration/disparity.ts [SIMULATIONS [PART …]]     parts: fair power pairs shift model
 *
 * 10,000 simulations by default, of `model` a fifth of that. One JSON line for each situation. Standard error of a share of .05
 * from 10,000 simulations .002, from 2,000 .005.
 *
 * A variant: speakers of two sexes (a third women), three ages (a half, a third, a sixth) and, for half of the speakers, one of two
 * accents (a quarter have the second), drawn at random, all groups and pairs of at least 10 speakers; two recognizers on the same
 * speakers, the second with `ratio` times the errors. Speakers have lognormal difficulties (logarithmic spread `spread`, .5
 * if not said), lognormal numbers of words around 60 (spread .6), and Poisson errors at a rate of .12. Unfair variants give the
 * women, or the second accent, `effect` times the errors.
 *
 * - fair: the share of variants in which any group of any recognizer is called worse or better (`any`, as the study: interval and
 *   corrected test), by the test alone (`test`), in which a mean disparity is called more than chance (`mean`), and in which
 *   uncorrected tests would call any group unequal (`uncorrected`); `overlap`: groups whose plain BCa interval does not overlap
 *   that of everybody, in any group. `unequal` has women with a third of the words; `spread` 1 has speakers of very unequal difficulty
 * - power: how often the second accent is found, by effect and number of speakers
 * - pairs: the share of variants in which one recognizer is called less unequal than the other (`study`: the study's rule;
 *   `wTest`: FairLENS' W-test uncorrected), in fair variants, in one where both are alike unfair, and in one
 *   where the second is truly more unequal, having 1.5 times the errors of an unfair variant
 * - shift: the share of variants in which any group is called to lose more than others from one recording to a worse one, speakers
 *   being in both, or (`apart`) each in one; `test`: without the interval
 * - model: the share of tests of an attribute without effect at p of at most .05, and of intervals that hold a ratio of 1.3
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import type { ClusteredCounts } from '../../src/statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../src/statistics/bootstrap/difference-interval.ts';
import { rateInterval } from '../../src/statistics/bootstrap/rate-interval.ts';
import { compareDisparities } from '../../src/statistics/fairness/compare-disparities.ts';
import { compareGaps } from '../../src/statistics/fairness/compare-gaps.ts';
import { dealGroups } from '../../src/statistics/fairness/deal-groups.ts';
import type { GroupedUnits } from '../../src/statistics/fairness/grouped-units.ts';
import { rateContrast } from '../../src/statistics/fairness/rate-contrast.ts';
import { mixedPoisson } from '../../src/statistics/mixed-models/count-models.ts';
import { holm } from '../../src/statistics/significance/multiplicity.ts';
import { changesOf, presenceOf } from '../../src/studies/disparity/domain-shift.ts';
import { poisson } from './poisson.ts';

const simulations = Number(process.argv[2] ?? 10_000);
const parts = process.argv.slice(3);
const wanted = (part: string) => parts.length === 0 || parts.includes(part);
const print = (line: Record<string, string | number>) => console.log(JSON.stringify(line));
const significant = (pValue: number | null) => pValue !== null && pValue <= 0.05 + 1e-12;

const permutations = 399;
const resamples = 200;
const least = 10;

interface Variant {
  readonly speakers: number;
  readonly spread?: number;
  readonly ratio?: number;
  readonly effect?: number;
  readonly whom?: 'women' | 'accent';
  /** Women have a third of the words. */
  readonly unequal?: boolean;
}

interface Drawn extends GroupedUnits {
  readonly profiles: readonly number[];
  readonly values: readonly { readonly sex: string; readonly age: string; readonly accent: string | null }[];
}

function draw(variant: Variant, random: Random): Drawn {
  const { speakers, spread = 0.5, ratio = 1, effect = 1, whom = 'accent', unequal = false } = variant;
  const values = Array.from({ length: speakers }, () => {
    const age = random.next();
    const accent = random.next();
    return {
      sex: random.next() < 1 / 3 ? 'f' : 'm',
      age: age < 1 / 2 ? 'young' : age < 5 / 6 ? 'middle' : 'old',
      accent: accent < 1 / 2 ? null : accent < 3 / 4 ? 'first' : 'second',
    };
  });
  const counts = () => ({ numerators: new Float64Array(speakers), denominators: new Float64Array(speakers) });
  const outcomes = [counts(), counts()];
  values.forEach(({ sex, accent }, row) => {
    const hit = whom === 'women' ? sex === 'f' : accent === 'second';
    const difficulty = Math.exp(spread * random.normal() - spread ** 2 / 2) * (hit ? effect : 1);
    const share = unequal && sex === 'f' ? 1 / 3 : 1;
    const words = Math.max(1, Math.round(share * 60 * Math.exp(0.6 * random.normal() - 0.18)));
    outcomes.forEach(({ numerators, denominators }, outcome) => {
      numerators[row] = poisson(0.12 * difficulty * words * (outcome === 1 ? ratio : 1), random);
      denominators[row] = words;
    });
  });
  const keys = ['sex', 'age', 'accent'] as const;
  const profileKeys = [...new Set(values.map((value) => JSON.stringify(value)))];
  const profiles = values.map((value) => profileKeys.indexOf(JSON.stringify(value)));
  const members = new Map<string, Set<number>>();
  const sizes = new Map<string, number>();
  values.forEach((value, row) => {
    for (const one of keys) {
      for (const other of keys) {
        if (other < one || value[one] === null || value[other] === null) continue;
        const name = `${one} ${value[one]} ${other} ${value[other]}`;
        sizes.set(name, (sizes.get(name) ?? 0) + 1);
        members.set(name, (members.get(name) ?? new Set()).add(profiles[row]!));
      }
    }
  });
  const groups = [...members].filter(([name]) => sizes.get(name)! >= least).map(([, own]) => [...own]);
  return { speakers: values.map((_, row) => row), profiles, groups, outcomes, values };
}

function inGroup(units: GroupedUnits, group: number, { numerators, denominators }: ClusteredCounts): ClusteredCounts {
  const members = new Set(units.groups[group]);
  const keep = (values: Float64Array) => values.map((value, row) => (members.has(units.profiles[row]!) ? value : 0));
  return { numerators: keep(numerators), denominators: keep(denominators) };
}

const shares = (names: readonly string[]) => {
  const counts = new Map(names.map((name) => [name, 0]));
  return {
    add: (name: string, found: boolean) => counts.set(name, counts.get(name)! + (found ? 1 : 0)),
    of: (count: number) =>
      Object.fromEntries([...counts].map(([name, hits]) => [name, Math.round((1e4 * hits) / count) / 1e4])),
  };
};

function intervalOutside(units: GroupedUnits, outcome: number, group: number, random: Random): boolean {
  const all = units.outcomes[outcome]!;
  const { low, high } = differenceInterval(all, inGroup(units, group, all), {
    resamples,
    minimumClusters: least,
    random,
  });
  return low !== null && high !== null && (low > 0 || high < 0);
}

function anyOverlapMissing(units: GroupedUnits, random: Random): boolean {
  return units.outcomes.some((all) => {
    const options = { resamples, minimumClusters: least, method: 'BCa' as const, random };
    const whole = rateInterval(all, options);
    return units.groups.some((_, group) => {
      const own = rateInterval(inGroup(units, group, all), options);
      return own.low !== null && whole.low !== null && (own.low > whole.high! || own.high! < whole.low);
    });
  });
}

const fairWorlds: readonly Variant[] = [
  { speakers: 60 },
  { speakers: 120 },
  { speakers: 120, ratio: 2 },
  { speakers: 120, unequal: true },
  { speakers: 120, spread: 1 },
];
if (wanted('fair')) {
  for (const variant of fairWorlds) {
    const found = shares(['any', 'test', 'mean', 'uncorrected', 'overlap']);
    for (let simulation = 0; simulation < simulations; simulation++) {
      const random = createRandom(['fair', JSON.stringify(variant), simulation]);
      const units = draw(variant, random);
      const { cells, outcomes } = dealGroups(units, { permutations, random });
      const hits = cells.flatMap((row, outcome) =>
        row.flatMap(({ adjustedPValue }, group) => (significant(adjustedPValue) ? [{ outcome, group }] : [])),
      );
      found.add('test', hits.length > 0);
      found.add(
        'any',
        hits.some(({ outcome, group }) => intervalOutside(units, outcome, group, random)),
      );
      found.add('mean', holm(outcomes.map(({ pValue }) => pValue)).some(significant));
      found.add(
        'uncorrected',
        cells.flat().some(({ pValue }) => significant(pValue)),
      );
      if (simulation % 10 === 0) found.add('overlap', anyOverlapMissing(units, random));
    }
    const { overlap, ...rest } = found.of(simulations);
    print({ part: 'fair', ...JSON.parse(JSON.stringify(variant)), ...rest, overlap: Math.round(1e5 * overlap!) / 1e4 });
  }
}
if (wanted('power')) {
  for (const speakers of [60, 120, 240]) {
    for (const effect of [1.25, 1.5, 2]) {
      const found = shares(['found', 'other']);
      const count = Math.ceil(simulations / 10);
      for (let simulation = 0; simulation < count; simulation++) {
        const random = createRandom(['power', speakers, effect, simulation]);
        const units = draw({ speakers, effect }, random);
        const { cells } = dealGroups(units, { permutations, random });
        const second = new Set(units.profiles.filter((_, row) => units.values[row]!.accent === 'second'));
        const first = new Set(units.profiles.filter((_, row) => units.values[row]!.accent === 'first'));
        const hit = (members: ReadonlySet<number>) =>
          units.groups.some(
            (group, place) =>
              group.every((profile) => members.has(profile)) &&
              cells.some((row) => significant(row[place]!.adjustedPValue)),
          );
        found.add('found', hit(second));
        found.add('other', hit(first));
      }
      print({ part: 'power', speakers, effect, ...found.of(count) });
    }
  }
}
if (wanted('pairs')) {
  const variants: readonly Variant[] = [
    { speakers: 120 },
    { speakers: 120, ratio: 2 },
    { speakers: 120, effect: 1.5 },
    { speakers: 120, effect: 1.5, ratio: 1.5 },
  ];
  for (const variant of variants) {
    const found = shares(['study', 'wTest']);
    const count = Math.ceil(simulations / 5);
    for (let simulation = 0; simulation < count; simulation++) {
      const random = createRandom(['pairs', JSON.stringify(variant), simulation]);
      const units = draw(variant, random);
      const [one, other] = units.outcomes;
      const both = { first: one!.numerators, second: other!.numerators, words: one!.denominators };
      const { adjustedPValue } = compareGaps(units, [both], { resamples: 399, random }).pairs[0]!;
      const rate = ({ numerators, denominators }: ClusteredCounts) =>
        numerators.reduce((sum, one) => sum + one, 0) / denominators.reduce((sum, one) => sum + one, 0);
      const { pairs } = compareDisparities({
        groups: units.groups.map((_, group) => `${group}`),
        models: units.outcomes.map((all, outcome) => ({
          name: `${outcome}`,
          values: units.groups.map((_, group) => rate(inGroup(units, group, all))),
          baseline: rate(all),
        })),
      });
      found.add('study', significant(adjustedPValue));
      found.add('wTest', significant(pairs[0]!.wilcoxon.pValue));
    }
    print({ part: 'pairs', ...JSON.parse(JSON.stringify(variant)), ...found.of(count) });
  }
}
if (wanted('shift')) {
  for (const apart of [0, 1]) {
    const found = shares(['any', 'test']);
    for (let simulation = 0; simulation < simulations; simulation++) {
      const random = createRandom(['shift', apart, simulation]);
      // The second recognizer's errors stand for those of the second recording.
      const units = draw({ speakers: 160, ratio: 1.5 }, random);
      const half = (counts: ClusteredCounts, side: number): ClusteredCounts =>
        apart === 0
          ? counts
          : {
              numerators: counts.numerators.map((value, row) => (row % 2 === side ? value : 0)),
              denominators: counts.denominators.map((value, row) => (row % 2 === side ? value : 0)),
            };
      const [before, after] = [half(units.outcomes[0]!, 0), half(units.outcomes[1]!, 1)];
      const excesses = units.groups.map((_, group) =>
        rateContrast([
          { counts: inGroup(units, group, after), weight: 1 },
          { counts: inGroup(units, group, before), weight: -1 },
          { counts: after, weight: -1 },
          { counts: before, weight: 1 },
        ]),
      );
      // As in the study, groups of which too few are in one of the recordings are not tested.
      const told = [...excesses.keys()].filter((group) => excesses[group]!.low !== null);
      const dealt = {
        ...units,
        groups: told.map((group) => units.groups[group]!),
        outcomes: [changesOf(before, after)],
        strata: presenceOf([before, after]),
      };
      const { cells } = dealGroups(dealt, { permutations, random });
      const hits = cells[0]!.flatMap(({ adjustedPValue }, place) =>
        significant(adjustedPValue) ? [excesses[told[place]!]!] : [],
      );
      found.add('test', hits.length > 0);
      found.add(
        'any',
        hits.some(({ low, high }) => low !== null && (low > 0 || high! < 0)),
      );
    }
    print({ part: 'shift', apart, ...found.of(simulations) });
  }
}
if (wanted('model')) {
  for (const variant of [{ speakers: 60 }, { speakers: 120, unequal: true }] as const) {
    const found = shares(['sex', 'age', 'covers']);
    const count = Math.ceil(simulations / 5);
    for (let simulation = 0; simulation < count; simulation++) {
      const random = createRandom(['model', JSON.stringify(variant), simulation]);
      const fitOf = ({ outcomes, values, speakers }: Drawn) =>
        mixedPoisson(
          {
            errors: outcomes[0]!.numerators,
            words: outcomes[0]!.denominators,
            predictors: { sex: values.map(({ sex }) => sex), age: values.map(({ age }) => age) },
            speaker: Array.from({ length: speakers.length }, (_, row) => `${row}`),
          },
          { references: { sex: 'm' }, intervals: 'wald' },
        );
      const { terms } = fitOf(draw(variant, random));
      found.add('sex', significant(terms.find(({ term }) => term === 'sex')?.pValue ?? null));
      found.add('age', significant(terms.find(({ term }) => term === 'age')?.pValue ?? null));
      const unfair = fitOf(draw({ ...variant, effect: 1.3, whom: 'women' }, random));
      const { low, high } = unfair.coefficients.find(({ level }) => level === 'f')!.rateRatio;
      found.add('covers', low !== null && high !== null && low <= 1.3 && high >= 1.3);
    }
    print({ part: 'model', ...JSON.parse(JSON.stringify(variant)), ...found.of(count) });
  }
}
