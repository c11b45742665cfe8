/**
 * Whether tests keep their level: how often p is at most .05 where nothing differs.
 *
 *   node bench/calibration/tests.ts [SIMULATIONS [ONLY]]
 *
 * 10,000 simulations by default, about eight minutes of one core; ONLY runs the settings whose name contains it. One line
 * for each setting and test: the share of p values of at most .05 (standard error .002), for intervals the share that holds
 * the truth. A test without a p value has not found anything.
 *
 * Invented data. Speakers' error rates are lognormal (spread .5) around .15 unless it is said otherwise; "spread x3" has
 * three times that of the other group around the same mean, on the normal scale. Clusters: speakers with utterances that
 * share a deviation (intraclass correlation .3), where every utterance is taken for independent.
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { krippendorffAlpha, krippendorffAlphaInterval } from '../../src/statistics/agreement/krippendorff-alpha.ts';
import { normalUpperTail } from '../../src/statistics/distributions.ts';
import { binomialTest, mcnemar, signTest } from '../../src/statistics/significance/binomial-test.ts';
import { benjaminiHochberg, holm } from '../../src/statistics/significance/multiplicity.ts';
import { pairedPermutationTest, signFlipTest } from '../../src/statistics/significance/paired-permutation-test.ts';
import { permutationTestOfMeans, permutationTestOfRates } from '../../src/statistics/significance/permutation-test.ts';
import { pairedTTest, studentTTest, welchTTest } from '../../src/statistics/significance/t-test.ts';
import { wilcoxonSignedRank } from '../../src/statistics/significance/wilcoxon-signed-rank.ts';
import { poisson as drawPoisson } from './poisson.ts';

/** By test: 1 where it found something (or an interval held the truth), else 0; the mean over simulations is printed. */
type Outcomes = Record<string, number>;
type Setting = (random: Random) => Outcomes;

/** Sums that should be .05 may be a last digit above it. */
const rejects = (pValue: number | null) => (pValue !== null && pValue <= 0.05 + 1e-12 ? 1 : 0);

const permutations = 999;
const fill = (length: number, make: (index: number) => number) =>
  Float64Array.from({ length }, (_, index) => make(index));
const round = (values: Float64Array, digits: number) => values.map((value) => Number(value.toFixed(digits)));
const logNormal = (random: Random) => 0.15 * Math.exp(0.5 * random.normal() - 0.125);

// The documented figures were drawn in pieces of this size.
const poisson = (mean: number, random: Random) => drawPoisson(mean, random, 100);

/** Utterances of speakers whose deviations they share; their variance is 1. */
function clustered(speakers: number, each: number, correlation: number, random: Random): Float64Array {
  const own = fill(speakers, () => Math.sqrt(correlation) * random.normal());
  return fill(
    speakers * each,
    (index) => own[Math.floor(index / each)]! + Math.sqrt(1 - correlation) * random.normal(),
  );
}

const meansOf = (values: Float64Array, each: number) =>
  fill(values.length / each, (speaker) => {
    return values.subarray(speaker * each, (speaker + 1) * each).reduce((sum, value) => sum + value, 0) / each;
  });

function paired(differences: Float64Array, random: Random): Outcomes {
  return {
    'signed rank': rejects(wilcoxonSignedRank(differences).pValue),
    'signed rank, normal': rejects(wilcoxonSignedRank(differences, { method: 'normal' }).pValue),
    'signed rank, normal, continuity': rejects(
      wilcoxonSignedRank(differences, { method: 'normal', continuityCorrection: true }).pValue,
    ),
    'sign flips': rejects(signFlipTest(differences, { permutations, random }).pValue),
    sign: rejects(signTest(differences).pValue),
    'paired t': rejects(pairedTTest(differences).pValue),
  };
}

function tied(differences: Float64Array): Outcomes {
  return {
    'signed rank, all sign flips, pratt': rejects(wilcoxonSignedRank(differences, { method: 'all-sign-flips' }).pValue),
    'signed rank, all sign flips, drop': rejects(
      wilcoxonSignedRank(differences, { method: 'all-sign-flips', zeros: 'drop' }).pValue,
    ),
    'signed rank, normal, pratt': rejects(wilcoxonSignedRank(differences, { method: 'normal' }).pValue),
    'signed rank, normal, drop': rejects(wilcoxonSignedRank(differences, { method: 'normal', zeros: 'drop' }).pValue),
    'signed rank, normal, split': rejects(wilcoxonSignedRank(differences, { method: 'normal', zeros: 'split' }).pValue),
  };
}

function independent(first: Float64Array, second: Float64Array, random: Random): Outcomes {
  return {
    'permutation of means': rejects(permutationTestOfMeans(first, second, { permutations, random }).pValue),
    'permutation of means, not studentized': rejects(
      permutationTestOfMeans(first, second, { statistic: 'difference', permutations, random }).pValue,
    ),
    'Student t': rejects(studentTTest(first, second).pValue),
    'Welch t': rejects(welchTTest(first, second).pValue),
  };
}

/** Speakers with Poisson errors in words of lognormal number. */
function speakers(count: number, meanWords: number, wordSpread: number, rateSpread: number, random: Random) {
  const denominators = fill(count, () => Math.max(5, Math.round(meanWords * Math.exp(wordSpread * random.normal()))));
  const numerators = denominators.map((words) => {
    const rate = 0.15 * Math.exp(rateSpread * random.normal() - rateSpread ** 2 / 2);
    return poisson(words * rate, random);
  });
  return { numerators, denominators };
}

function rates(first: ReturnType<typeof speakers>, second: ReturnType<typeof speakers>, random: Random): Outcomes {
  // Numbers of its own, so that what the others find stays as it is.
  const own = createRandom([...first.numerators]);
  return {
    'permutation of rates': rejects(permutationTestOfRates(first, second, { permutations, random }).pValue),
    'permutation of rates, not studentized': rejects(
      permutationTestOfRates(first, second, { statistic: 'difference', permutations, random }).pValue,
    ),
    'permutation of rates, unskewed': rejects(
      permutationTestOfRates(first, second, { statistic: 'unskewed', permutations, random: own }).pValue,
    ),
  };
}

/** Items that just one of two systems has right; of clustered items each speaker suits one system more. */
function items(speakerCount: number, each: number, spread: number, random: Random): Outcomes {
  let first = 0;
  let second = 0;
  for (let speaker = 0; speaker < speakerCount; speaker++) {
    const lean = 1 / (1 + Math.exp(-spread * random.normal()));
    for (let item = 0; item < each; item++) {
      if (random.next() > 0.4) continue;
      if (random.next() < lean) first++;
      else second++;
    }
  }
  return {
    'McNemar, exact': rejects(mcnemar(first, second).pValue),
    'McNemar, mid-p': rejects(mcnemar(first, second, 'mid-p').pValue),
    'McNemar, chi-square': rejects(mcnemar(first, second, 'chi-square').pValue),
    'McNemar, corrected': rejects(mcnemar(first, second, 'corrected').pValue),
  };
}

/** Two systems with the same rates on the same speakers, but for a chance of each speaker and system (spread .3). */
function alikeSystems(count: number, wordSpread: number, random: Random): Outcomes {
  const words = fill(count, () => Math.max(5, Math.round(200 * Math.exp(wordSpread * random.normal()))));
  const means = words.map((denominator) => denominator * logNormal(random));
  const heard = () => ({
    numerators: means.map((mean) => poisson(mean * Math.exp(0.3 * random.normal()), random)),
    denominators: words,
  });
  const result = pairedPermutationTest(heard(), heard(), { permutations, random });
  return { 'paired permutation by speaker': rejects(result.pValue) };
}

function leaningSpeakers(random: Random): Outcomes {
  const denominators = fill(20, () => 100);
  const factors = fill(20, () => Math.exp(0.3 * random.normal()));
  const one = { numerators: factors.map((factor) => poisson(18 * factor, random)), denominators };
  const other = { numerators: factors.map((factor) => poisson(18 / factor, random)), denominators };
  return {
    'paired permutation by speaker': rejects(pairedPermutationTest(one, other, { permutations, random }).pValue),
  };
}

/** Ten comparisons, `real` of which differ: whether any other one is found, and the share of others among the found. */
function many(real: number, shared: number, random: Random): Outcomes {
  const common = random.normal();
  const pValues = Array.from({ length: 10 }, (_, index) => {
    const z = Math.sqrt(shared) * common + Math.sqrt(1 - shared) * random.normal() + (index < real ? 3 : 0);
    return 2 * normalUpperTail(Math.abs(z));
  });
  const found = (adjusted: (number | null)[]) => adjusted.reduce<number>((sum, p) => sum + rejects(p), 0);
  const controlled = benjaminiHochberg(pValues);
  return {
    'Holm: any false finding': Math.min(1, found(holm(pValues).slice(real))),
    'Benjamini-Hochberg: false share': found(controlled.slice(real)) / Math.max(1, found(controlled)),
  };
}

/** Three raters of four grades, who now and then are one grade off. */
function raters(units: number, random: Random): number[][] {
  const ratings: number[][] = [[], [], []];
  for (let unit = 0; unit < units; unit++) {
    const truth = Math.floor(random.next() * 4);
    for (const rater of ratings) {
      const slip = random.next() < 0.3 ? (random.next() < 0.5 ? -1 : 1) : 0;
      rater.push(Math.min(3, Math.max(0, truth + slip)));
    }
  }
  return ratings;
}

const holds = ({ low, high }: { low: number | null; high: number | null }, truth: number) =>
  low !== null && high !== null && low <= truth && truth <= high ? 1 : 0;

const many400k = raters(400_000, createRandom('the population of ratings'));
const trueAlpha = krippendorffAlpha(many400k, 'ordinal').value!;

function alphas(units: number, random: Random): Outcomes {
  const interval = krippendorffAlphaInterval(raters(units, random), 'ordinal', { resamples: 500, random });
  return { 'ordinal alpha, interval': holds(interval, trueAlpha) };
}

const normals = (count: number, random: Random, scale = 1) => fill(count, () => scale * random.normal());
const symmetric = (count: number, random: Random) => fill(count, () => logNormal(random) - logNormal(random));
const skewed = (count: number, random: Random) => fill(count, () => Math.exp(random.normal()) - Math.exp(0.5));
const settings: Record<string, Setting> = {};
for (const count of [6, 8, 20, 60]) {
  settings[`paired, ${count} speakers`] = (random) => paired(symmetric(count, random), random);
}
settings['paired, 20 speakers, skewed around mean 0'] = (random) => paired(skewed(20, random), random);
settings['paired, 20 clusters of 10 utterances as 200'] = (random) => paired(clustered(20, 10, 0.3, random), random);
settings['paired, 20 clusters of 10 utterances, their means'] = (random) =>
  paired(meansOf(clustered(20, 10, 0.3, random), 10), random);
for (const count of [8, 20, 60]) {
  settings[`paired with ties and zeros, ${count} speakers`] = (random) => tied(round(normals(count, random, 1.5), 0));
}
settings['sign of equally many trials, 30'] = (random) => {
  const successes = fill(30, () => random.integer(2)).reduce((sum, success) => sum + success, 0);
  return { binomial: rejects(binomialTest(successes, 30)) };
};
for (const [first, second] of [
  [20, 20],
  [20, 60],
  [10, 60],
  [4, 60],
  [4, 4],
] as const) {
  const sample = (count: number, random: Random) => fill(count, () => logNormal(random));
  settings[`${first} against ${second} speakers`] = (random) =>
    independent(sample(first, random), sample(second, random), random);
  settings[`${first} against ${second} speakers, first spread x3`] = (random) =>
    independent(normals(first, random, 3), normals(second, random), random);
  settings[`${first} against ${second} speakers, second spread x3`] = (random) =>
    independent(normals(first, random), normals(second, random, 3), random);
}
settings['10 against 10 clusters of 5 utterances as 50'] = (random) =>
  independent(clustered(10, 5, 0.3, random), clustered(10, 5, 0.3, random), random);
settings['4 against 60 clusters of 10 utterances, their means'] = (random) =>
  independent(meansOf(clustered(4, 10, 0.3, random), 10), meansOf(clustered(60, 10, 0.3, random), 10), random);
for (const [first, second] of [
  [10, 12],
  [20, 60],
  [4, 60],
] as const) {
  settings[`rates of ${first} against ${second} speakers`] = (random) =>
    rates(speakers(first, 200, 0.8, 0.5, random), speakers(second, 200, 0.8, 0.5, random), random);
  settings[`rates of ${first} against ${second}, first with a fifth of the words`] = (random) =>
    rates(speakers(first, 40, 0.8, 0.5, random), speakers(second, 200, 0.8, 0.5, random), random);
  settings[`rates of ${first} against ${second}, first with five times the words`] = (random) =>
    rates(speakers(first, 1000, 0.8, 0.5, random), speakers(second, 200, 0.8, 0.5, random), random);
  settings[`rates of ${first} against ${second}, first of twice the spread`] = (random) =>
    rates(speakers(first, 200, 0.8, 1, random), speakers(second, 200, 0.8, 0.5, random), random);
}
for (const count of [25, 100, 400]) settings[`${count} items, independent`] = (random) => items(count, 1, 0, random);
settings['400 items of 20 speakers who lean'] = (random) => items(20, 20, 0.7, random);
settings['the same speakers, by speaker'] = leaningSpeakers;
for (const count of [6, 8, 20, 50]) {
  settings[`systems alike on ${count} speakers of 200 words`] = (random) => alikeSystems(count, 0, random);
  settings[`systems alike on ${count} speakers of unequal words`] = (random) => alikeSystems(count, 0.8, random);
}
settings['10 comparisons, none real'] = (random) => many(0, 0, random);
settings['10 comparisons, none real, correlated'] = (random) => many(0, 0.6, random);
settings['10 comparisons, 5 real'] = (random) => many(5, 0, random);
for (const units of [20, 50]) settings[`${units} units rated by three`] = (random) => alphas(units, random);

const simulations = Number(process.argv[2] ?? 10_000);
const only = process.argv[3] ?? '';
for (const [name, setting] of Object.entries(settings)) {
  if (!name.includes(only)) continue;
  const random = createRandom(name);
  const sums = new Map<string, number>();
  const began = process.cpuUsage();
  for (let simulation = 0; simulation < simulations; simulation++) {
    for (const [test, outcome] of Object.entries(setting(random))) sums.set(test, (sums.get(test) ?? 0) + outcome);
  }
  const { user } = process.cpuUsage(began);
  console.log(`${name} (${simulations} simulations, ${(user / 1e6).toFixed(1)} s)`);
  for (const [test, sum] of sums) console.log(`  ${test.padEnd(40)} ${(sum / simulations).toFixed(4)}`);
}
