/**
 * How often equal effects are told apart: tests of "as much as", where there is something in both.
 *
 *   node bench/calibration/equal-effects.ts [WORLDS [ONLY]]
 *
 * 1,000 invented worlds of each kind by default (standard error of a share of .05: .007); ONLY runs those whose name contains it. One line for each kind.
 *
 * A speaker has lognormal words around 100 (spread .6). Rates of a group are lognormal with its mean and standard deviation, which two
 * recognizers (or conditions) share by half (correlation .5 of the logarithms); errors are Poisson, so that rates above 1 occur. A mean
 * of 10 % with a standard deviation of 12 points is very skewed. `plain`: 100 words, normal rates, and nothing shared.
 *
 * `recognizers`: gaps of two recognizers or three (`compareGaps`), rates of each by group. `error` is the share of worlds in which one
 * is called less unequal than another that is as unequal, `found` that in which a true difference is told; `dealt p` that of a p of at
 * most .05 by dealing attributes anew (version 18 of `disparity`), which asks whether they matter to any recognizer at all, and with an interval that is not corrected. `contradict` is the number
 * of worlds in which a pair's interval and its own p part.
 *
 * `losses`: all lose as much from one condition to another, whatever they had before. Share of worlds with a verdict: `groups` of
 * `degradation` and `adversarial` (`compareSides`; in brackets p alone), `shift` of `disparity` (`dealGroups` of `changesOf`, with the
 * interval; in brackets p alone), `change` of a gap in `gap-decomposition` (`rateContrast`), `recognizers` in what they lose in
 * `robustness` (`jointPairedTest`; in brackets p alone; the rates of the groups are those of two recognizers there, on the speakers of
 * the first), `together`: three groups and two recognizers with other rates, any pair (`testTogether`).
 * `groups`: gaps to everybody in `disparity` of two groups that are alike, beside an attribute that makes 50 points (`dealGroups`).
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { differenceInterval } from '../../src/statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../src/statistics/bootstrap/random-of-data.ts';
import { studentQuantile } from '../../src/statistics/distributions.ts';
import { compareGaps } from '../../src/statistics/fairness/compare-gaps.ts';
import { dealGroups } from '../../src/statistics/fairness/deal-groups.ts';
import { rateContrast } from '../../src/statistics/fairness/rate-contrast.ts';
import { jointPairedTest } from '../../src/statistics/significance/joint-paired-test.ts';
import { groupVariance } from '../../src/statistics/significance/studentized-difference.ts';
import { changesOf } from '../../src/studies/disparity/domain-shift.ts';
import { compareSides, type GroupSide } from '../../src/studies/shared/group-pairs.ts';
import { testTogether } from '../../src/studies/shared/test-groups.ts';
import { poisson } from './poisson.ts';

const worlds = Number(process.argv[2] ?? 1000);
const only = new RegExp(process.argv[3] ?? '');

interface World {
  /** Speakers of each group. */
  readonly sizes: readonly number[];
  /** By recognizer, then group. */
  readonly rates: readonly (readonly number[])[];
  /** Standard deviation of speakers' rates, by group. */
  readonly spreads: readonly number[];
  /** Equal words, and rates that are normal and nothing to do with each other. */
  readonly plain?: boolean;
}

interface Drawn {
  readonly groupOf: readonly number[];
  readonly words: Float64Array;
  /** By recognizer, then speaker. */
  readonly errors: readonly Float64Array[];
}

function draw(world: World, random: Random): Drawn {
  const { sizes, rates, spreads } = world;
  const groupOf = sizes.flatMap((size, group) => Array.from({ length: size }, () => group));
  if (world.plain) {
    const drawn = (group: number, mean: number) => 100 * Math.max(0, mean + spreads[group]! * random.normal());
    const errors = rates.map((own) => Float64Array.from(groupOf, (group) => drawn(group, own[group]!)));
    return { groupOf, words: new Float64Array(groupOf.length).fill(100), errors };
  }
  const words = Float64Array.from(groupOf, () => Math.max(5, Math.round(100 * Math.exp(0.6 * random.normal() - 0.18))));
  const errors = rates.map(() => new Float64Array(groupOf.length));
  groupOf.forEach((group, speaker) => {
    const own = random.normal();
    errors.forEach((into, recognizer) => {
      const mean = rates[recognizer]![group]!;
      const spread = Math.sqrt(Math.log1p((spreads[group]! / mean) ** 2));
      const deviate = (own + random.normal()) / Math.SQRT2;
      into[speaker] = poisson(words[speaker]! * mean * Math.exp(spread * deviate - spread ** 2 / 2), random, 100);
    });
  });
  return { groupOf, words, errors };
}

const told = (p: number | null) => p !== null && p <= 0.05 + 1e-12;

/** Mean distance of the groups from everybody, and the sum of the standard errors of the groups' gaps. */
function meanDisparity({ words }: Drawn, groupOf: ArrayLike<number>, errors: Float64Array, groups: number) {
  const all = [0, 0, 0, 0, 0, 0];
  const own = Array.from({ length: groups }, () => [0, 0, 0, 0, 0, 0]);
  for (let speaker = 0; speaker < words.length; speaker++) {
    const [wrong, said] = [errors[speaker]!, words[speaker]!];
    for (const sums of [all, own[groupOf[speaker]!]!]) {
      sums[0]! += wrong;
      sums[1]! += said;
      sums[2]! += wrong * wrong;
      sums[3]! += wrong * said;
      sums[4]! += said * said;
      sums[5]!++;
    }
  }
  const variance = ([wrong, said, squares, products, squaredWords, speakers]: readonly number[]) =>
    groupVariance(speakers!, wrong!, said!, squares!, products!, squaredWords!, 0);
  let [mean, noise] = [0, 0];
  for (const sums of own) {
    const others = all.map((value, place) => value - sums[place]!);
    mean += Math.abs(sums[0]! / sums[1]! - all[0]! / all[1]!) / groups;
    noise += Math.sqrt(variance(sums) + variance(others)) * (1 - sums[1]! / all[1]!);
  }
  return { mean, noise };
}

/**
 * Whether the difference of two mean disparities is beyond what dealing attributes anew makes of it, each brought to the standard errors
 * of its groups, and whether its interval leaves out 0 too.
 */
function dealt(drawn: Drawn, groups: number, random: Random): { p: boolean; verdict: boolean } {
  const { groupOf, errors } = drawn;
  const found = errors.map((own) => meanDisparity(drawn, groupOf, own, groups));
  const observed = found[1]!.mean - found[0]!.mean;
  const hands = Int32Array.from(groupOf);
  const others = Float64Array.from({ length: 199 }, () => {
    for (let left = hands.length - 1; left > 0; left--) {
      const place = random.integer(left + 1);
      [hands[left], hands[place]] = [hands[place]!, hands[left]!];
    }
    const [one, other] = errors.map((own, recognizer) => {
      const { mean, noise } = meanDisparity(drawn, hands, own, groups);
      return (mean * found[recognizer]!.noise) / noise;
    });
    return other! - one!;
  });
  const middle = others.reduce((sum, value) => sum + value, 0) / others.length;
  const asFar = others.filter((value) => Math.abs(value - middle) >= Math.abs(observed - middle)).length;
  if (!told((asFar + 1) / (others.length + 1))) return { p: false, verdict: false };
  const { low, high } = resampledDifference(drawn, groups, observed, random);
  return { p: true, verdict: low > 0 || high < 0 };
}

/** A t interval with the standard deviation of resamples. */
function resampledDifference({ groupOf, words, errors }: Drawn, groups: number, observed: number, random: Random) {
  const speakers = groupOf.length;
  const resampled = Float64Array.from({ length: 200 }, () => {
    const drawn = Array.from({ length: speakers }, () => random.integer(speakers));
    const taken = (values: Float64Array) => Float64Array.from(drawn, (speaker) => values[speaker]!);
    const again = {
      groupOf: drawn.map((speaker) => groupOf[speaker]!),
      words: taken(words),
      errors: errors.map(taken),
    };
    const [one, other] = again.errors.map((own) => meanDisparity(again, again.groupOf, own, groups).mean);
    return other! - one!;
  });
  const mean = resampled.reduce((sum, value) => sum + value, 0) / resampled.length;
  const variance = resampled.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (resampled.length - 1);
  const half = studentQuantile(0.975, speakers - 1) * Math.sqrt((variance * speakers) / (speakers - 1));
  return { low: observed - half, high: observed + half };
}

/** @param equal pairs of recognizers that are as unequal, as `first second` */
function recognizers(name: string, world: World, equal: readonly string[] = ['0 1']): void {
  const title = `recognizers: ${name}, ${world.sizes.join('/')}`;
  if (!only.test(title)) return;
  const counts = { wrong: 0, found: 0, dealt: 0, dealtVerdict: 0, contradict: 0 };
  const groups = world.sizes.length;
  const places = world.rates.flatMap((_, first) =>
    world.rates.slice(first + 1).map((__, offset) => ({ first, second: first + 1 + offset })),
  );
  // Where it is of interest: it takes most of the time.
  const withDealt = places.length === 1 && /equal|found/.test(name);
  for (let number = 0; number < worlds; number++) {
    const random = createRandom(['equal effects', title, number]);
    const drawn = draw(world, random);
    const { groupOf, words, errors } = drawn;
    const { pairs } = compareGaps(
      {
        speakers: groupOf.map((_, speaker) => speaker),
        profiles: groupOf,
        groups: world.sizes.map((_, group) => [group]),
      },
      places.map(({ first, second }) => ({ first: errors[first]!, second: errors[second]!, words })),
      { resamples: 299, random },
    );
    const isEqual = ({ first, second }: (typeof places)[number]) => equal.includes(`${first} ${second}`);
    const verdict = (place: number) => told(pairs[place]!.adjustedPValue);
    if (places.some((pair, place) => isEqual(pair) && verdict(place))) counts.wrong++;
    if (places.some((pair, place) => !isEqual(pair) && verdict(place))) counts.found++;
    if (withDealt) {
      const { p, verdict: both } = dealt(drawn, groups, random);
      if (p) counts.dealt++;
      if (both) counts.dealtVerdict++;
    }
    for (const { difference, pValue } of pairs) {
      const { low, high } = difference;
      if (low !== null && high !== null && told(pValue) !== (low > 0 || high < 0)) counts.contradict++;
    }
  }
  const share = (count: number) => (count / worlds).toFixed(3);
  const error = equal.length > 0 ? `error ${share(counts.wrong)} ` : '';
  const found = equal.length < places.length ? `found ${share(counts.found)} ` : '';
  const byDealing =
    places.length === 1 ? `dealt p ${share(counts.dealt)} with interval ${share(counts.dealtVerdict)} ` : '';
  console.log(`${title}: ${error}${found}${byDealing}contradict ${counts.contradict}`);
}

const pairsOfSizes = [
  [40, 40],
  [10, 10],
  [10, 40],
  [8, 40],
];
for (const sizes of pairsOfSizes) {
  const both = (
    one: readonly number[],
    other: readonly number[],
    spreads: readonly number[] = [0.12, 0.12],
  ): World => ({
    ...{ sizes, rates: [one, other], spreads },
  });
  recognizers('no gaps', both([0.2, 0.2], [0.2, 0.2]));
  recognizers('no gaps, twice the errors', both([0.2, 0.2], [0.4, 0.4]));
  recognizers('equal small gaps', both([0.25, 0.2], [0.25, 0.2], [0.06, 0.06]));
  recognizers('equal large gaps', both([0.7, 0.1], [0.7, 0.1]));
  recognizers('equal large gaps, plain', { ...both([0.7, 0.1], [0.7, 0.1]), plain: true });
  recognizers('equal large gaps, one worse for all', both([0.7, 0.1], [0.8, 0.2]));
  recognizers('large gaps of opposite sign', both([0.7, 0.1], [0.1, 0.7]));
  recognizers('small gaps of opposite sign', both([0.25, 0.2], [0.2, 0.25], [0.06, 0.06]));
  recognizers('unlike spreads', both([0.4, 0.2], [0.3, 0.1], [0.12, 0.02]));
  recognizers('unlike spreads, the other', both([0.4, 0.2], [0.3, 0.1], [0.02, 0.12]));
}
const three = [0.1, 0.3, 0.5];
for (const sizes of [
  [40, 40, 40],
  [10, 20, 40],
]) {
  const spreads = [0.12, 0.06, 0.02];
  recognizers('three groups', { sizes, rates: [three, three], spreads: [0.1, 0.1, 0.1] });
  recognizers('three groups, unlike spreads', { sizes, rates: [three, three.map((rate) => rate + 0.1)], spreads });
  recognizers('three groups, as unequal for others', {
    sizes,
    rates: [three, three.toReversed()],
    spreads: [0.1, 0.1, 0.1],
  });
  const triple: World = { sizes, rates: [three, three, [0.3, 0.3, 0.3]], spreads: [0.1, 0.1, 0.1] };
  recognizers('three recognizers, one without gaps', triple, ['0 1']);
  recognizers('three recognizers, alike', { ...triple, rates: [three, three, three] }, ['0 1', '0 2', '1 2']);
}
for (const sizes of pairsOfSizes) {
  for (const gap of [0.1, 0.2]) {
    const rates = [
      [0.2, 0.2],
      [0.2 + gap, 0.2],
    ];
    recognizers(`found: ${100 * gap} points beside none`, { sizes, rates, spreads: [0.12, 0.12] }, []);
  }
}

interface Ends {
  readonly low: number | null;
  readonly high: number | null;
}

const leavesOutZero = ({ low, high }: Ends) => low !== null && high !== null && (low > 0 || high < 0);

/** Counts of one condition, of one group or of all. */
function countsOf({ groupOf, words, errors }: Drawn, condition: number, groups: readonly number[] | null) {
  const kept = (values: Float64Array) =>
    values.map((value, speaker) => (groups === null || groups.includes(groupOf[speaker]!) ? value : 0));
  return { numerators: kept(errors[condition]!), denominators: kept(words) };
}

/** What the speakers of a group lose from one condition to another. */
function lossOf(
  { groupOf, words, errors }: Drawn,
  group: number,
  [before, after]: readonly [number, number],
): GroupSide {
  const clusters = groupOf.flatMap((own, speaker) => (own === group ? [speaker] : []));
  const of = (value: (speaker: number) => number) => Float64Array.from(clusters, value);
  return {
    clusters,
    counts: {
      numerators: of((speaker) => errors[after]![speaker]! - errors[before]![speaker]!),
      denominators: of((speaker) => words[speaker]!),
    },
    n: { utterances: clusters.length, speakers: clusters.length, words: 0 },
  };
}

const settings = { level: 0.95, resamples: 300, minimumSpeakers: 5, permutations: 499 };

/** @param world before and after, by group */
function losses(name: string, world: World): void {
  const title = `losses: ${name}, ${world.sizes.join('/')}`;
  if (!only.test(title)) return;
  const hits = { groups: 0, groupsP: 0, shift: 0, shiftP: 0, change: 0, recognizers: 0, recognizersP: 0 };
  for (let number = 0; number < worlds; number++) {
    const random = createRandom(['equal effects', title, number]);
    const drawn = draw(world, random);
    const [one, other] = [0, 1].map((group) => lossOf(drawn, group, [0, 1])) as [GroupSide, GroupSide];
    const { pValue, interval } = compareSides(one, other, { ...settings, seed: number });
    if (told(pValue)) hits.groupsP++;
    if (told(pValue) && leavesOutZero(interval)) hits.groups++;

    const [before, after] = [countsOf(drawn, 0, null), countsOf(drawn, 1, null)];
    const parts = (group: number, sign: number) => [
      { counts: countsOf(drawn, 1, [group]), weight: sign },
      { counts: countsOf(drawn, 0, [group]), weight: -sign },
    ];
    const all = [
      { counts: after, weight: -1 },
      { counts: before, weight: 1 },
    ];
    const units = { speakers: drawn.groupOf.map((_, speaker) => speaker), profiles: drawn.groupOf, groups: [[0], [1]] };
    const { cells } = dealGroups({ ...units, outcomes: [changesOf(before, after)] }, { permutations: 499, random });
    if (told(cells[0]![0]!.adjustedPValue)) {
      hits.shiftP++;
      if (leavesOutZero(rateContrast([...parts(0, 1), ...all], { minimumClusters: 5 }))) hits.shift++;
    }
    if (told(rateContrast([...parts(0, 1), ...parts(1, -1)], { minimumClusters: 5 }).pValue)) hits.change++;

    const [rates, spreads] = [world.rates, world.spreads];
    const byRecognizer = [0, 1].flatMap((recognizer) => rates.map((own) => [own[recognizer]!]));
    const heard = draw({ sizes: [world.sizes[0]!], rates: byRecognizer, spreads: [spreads[0]!] }, random);
    const [first, second] = [lossOf(heard, 0, [0, 1]).counts, lossOf(heard, 0, [2, 3]).counts];
    const { comparisons } = jointPairedTest(1, () => ({ first, second }), {
      ...{ permutations: 499, random, randomOfComparison: randomOfData(number) },
    });
    if (told(comparisons[0]!.pValue)) {
      hits.recognizersP++;
      const between = differenceInterval(first, second, {
        resamples: 300,
        minimumClusters: 5,
        random: randomOfData(number),
      });
      if (leavesOutZero(between)) hits.recognizers++;
    }
  }
  const share = (count: number) => (count / worlds).toFixed(3);
  console.log(
    `${title}: groups ${share(hits.groups)} (${share(hits.groupsP)}) shift ${share(hits.shift)} (${share(hits.shiftP)}) change ${share(hits.change)} recognizers ${share(hits.recognizers)} (${share(hits.recognizersP)})`,
  );
}

function together(sizes: readonly number[], spreads: readonly number[]): void {
  const title = `losses: together, ${sizes.join('/')}, spreads ${spreads.join(' ')}`;
  if (!only.test(title)) return;
  let hits = 0;
  for (let number = 0; number < worlds; number++) {
    const rates = [
      [0.1, 0.2, 0.3],
      [0.4, 0.5, 0.6],
      [0.3, 0.1, 0.2],
      [0.5, 0.3, 0.4],
    ];
    const drawn = draw({ sizes, rates, spreads }, createRandom(['equal effects', title, number]));
    const measures = [[0, 1] as const, [2, 3] as const].map((which) =>
      sizes.map((_, group) => lossOf(drawn, group, which)),
    );
    const tests = testTogether(measures, { ...settings, seed: number, study: 'equal effects', what: number }).flat();
    if (tests.some(({ adjustedPValue, difference }) => told(adjustedPValue ?? null) && leavesOutZero(difference)))
      hits++;
  }
  console.log(`${title}: any ${(hits / worlds).toFixed(3)}`);
}

function gaps(sizes: readonly number[], spreads: readonly number[]): void {
  const title = `groups: alike beside 50 points, ${sizes.join('/')}, spreads ${spreads.join(' ')}`;
  if (!only.test(title)) return;
  let hits = 0;
  for (let number = 0; number < worlds; number++) {
    const random = createRandom(['equal effects', title, number]);
    const world = { sizes: [...sizes, ...sizes], rates: [[0.1, 0.1, 0.6, 0.6]], spreads: [...spreads, ...spreads] };
    const drawn = draw(world, random);
    const all = countsOf(drawn, 0, null);
    const units = { speakers: drawn.groupOf.map((_, speaker) => speaker), profiles: drawn.groupOf, outcomes: [all] };
    const groups = [
      [0, 2],
      [1, 3],
      [0, 1],
      [2, 3],
    ];
    const { cells } = dealGroups({ ...units, groups }, { permutations: 499, random });
    const wrong = [0, 1].some((group) => {
      if (!told(cells[0]![group]!.adjustedPValue)) return false;
      return leavesOutZero(
        differenceInterval(all, countsOf(drawn, 0, groups[group]!), { resamples: 300, random: randomOfData(number) }),
      );
    });
    if (wrong) hits++;
  }
  console.log(`${title}: error ${(hits / worlds).toFixed(3)}`);
}

for (const sizes of pairsOfSizes) {
  const both = (
    before: readonly number[],
    after: readonly number[],
    spreads: readonly number[] = [0.12, 0.12],
  ): World => ({
    ...{ sizes, rates: [before, after], spreads },
  });
  losses('20 points, no gap', both([0.2, 0.2], [0.4, 0.4]));
  losses('30 points, gap', both([0.4, 0.1], [0.7, 0.4]));
  losses('50 points, gap', both([0.1, 0.3], [0.6, 0.8]));
  losses('30 points, unlike spreads', both([0.2, 0.1], [0.5, 0.4], [0.12, 0.02]));
  losses('30 points, unlike spreads, the other', both([0.2, 0.1], [0.5, 0.4], [0.02, 0.12]));
  gaps(sizes, [0.12, 0.12]);
  gaps(sizes, [0.12, 0.02]);
}
for (const sizes of [
  [40, 40, 40],
  [10, 20, 40],
]) {
  together(sizes, [0.12, 0.12, 0.12]);
  together(sizes, [0.12, 0.06, 0.02]);
}
