/**
 * How often bootstrap intervals of level .95 hold the truth, on invented speakers.
 *
 *   node bench/calibration/intervals.ts [SECTION [SIMULATIONS [RESAMPLES [SPEAKERS | POPULATION] …]]]
 *
 * SECTION: `speakers` (rates, differences and ratios of two systems on the same speakers), `groups` (differences and ratios
 * between groups of different speakers, and the differences that `permutationTestOfRates` does not reject), `observations`
 * (plain values); `all` by default. 10,000 simulations with 500 resamples, all populations and numbers of speakers by default.
 *
 * A speaker has a number of words and a difficulty (errors per word); errors are Poisson around words x difficulty. The two
 * systems of a comparison share the speaker's difficulty up to a lognormal factor (standard deviation .3 of its logarithm);
 * the second makes 10 % more errors. Populations, spreads being standard deviations of logarithms:
 * - poisson: 100 words each, speakers alike
 * - equal: 200 words each, difficulty .5
 * - beta: 100 words each, difficulty beta with mean .15, errors binomial (correlation within speakers 1/13)
 * - rare: 60 words each, 3 % errors, difficulty .5: one speaker in four makes none
 * - unequal: words .8 (the upper 5 % have 14 times the words of the lower), difficulty .5
 * - 4-or-60: 4 or 60 utterances of 10 words, as many of each, difficulty .5
 * - mostly-4: the same, three speakers in four with 4: 20 of them count as 8
 * - clustered: 4 to 20 utterances of 5 to 20 words, difficulty .4 of the speaker times .6 of the utterance
 * - clustered-4-or-60: the same with 4 or 60 utterances
 * - hard: words 1, difficulty 1 (a few speakers are not understood at all), and the difficult speak more (correlation .3)
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { bootstrapInterval } from '../../src/statistics/bootstrap/bootstrap-interval.ts';
import { differenceInterval, logRatioInterval } from '../../src/statistics/bootstrap/difference-interval.ts';
import { type ClusteredCounts, rateInterval } from '../../src/statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../src/statistics/interval.ts';
import { permutationTestOfRates } from '../../src/statistics/significance/permutation-test.ts';
import { gamma } from './gamma.ts';
import { poisson } from './poisson.ts';

const change = 1.1;
const systemSpread = 0.3;

interface Speaker {
  readonly words: number;
  readonly first: number;
  readonly second: number;
}

interface Population {
  readonly name: string;
  readonly rate: number;
  /** @param factor by which the second system makes more errors */
  readonly speaker: (random: Random, factor: number) => Speaker;
}

/** Lognormal with mean 1. */
function factorOf(spread: number, random: Random): number {
  return Math.exp(spread * random.normal() - spread ** 2 / 2);
}

function errorsOf(words: number, rate: number, factor: number, random: Random): Speaker {
  const own = () => rate * factorOf(systemSpread, random);
  return { words, first: poisson(words * own(), random), second: poisson(words * own() * factor, random) };
}

function utterancesOf(utterances: number, factor: number, random: Random): Speaker {
  const rate = 0.15 * factorOf(0.4, random);
  let [words, first, second] = [0, 0, 0];
  for (let utterance = 0; utterance < utterances; utterance++) {
    const length = 5 + random.integer(16);
    const own = rate * factorOf(0.6, random);
    words += length;
    first += poisson(length * own, random);
    second += poisson(length * own * factor, random);
  }
  return { words, first, second };
}

function betaSpeaker(random: Random, factor: number): Speaker {
  const right = gamma(12 * 0.85, random);
  const wrong = gamma(12 * 0.15, random);
  const rate = wrong / (wrong + right);
  let [first, second] = [0, 0];
  for (let word = 0; word < 100; word++) {
    if (random.next() < rate) first++;
    // Of rates above .91 the second system cannot make 10 % more; they are 1 in 10 million.
    if (random.next() < rate * factor) second++;
  }
  return { words: 100, first, second };
}

const populations: readonly Population[] = [
  {
    name: 'poisson',
    rate: 0.15,
    speaker: (random, factor) => ({
      words: 100,
      first: poisson(15, random),
      second: poisson(15 * factor, random),
    }),
  },
  {
    name: 'equal',
    rate: 0.15,
    speaker: (random, factor) => errorsOf(200, 0.15 * factorOf(0.5, random), factor, random),
  },
  { name: 'beta', rate: 0.15, speaker: betaSpeaker },
  {
    name: 'rare',
    rate: 0.03,
    speaker: (random, factor) => errorsOf(60, 0.03 * factorOf(0.5, random), factor, random),
  },
  {
    name: 'unequal',
    rate: 0.15,
    speaker(random, factor) {
      const words = Math.max(1, Math.round(200 * factorOf(0.8, random)));
      return errorsOf(words, 0.15 * factorOf(0.5, random), factor, random);
    },
  },
  {
    name: '4-or-60',
    rate: 0.15,
    speaker: (random, factor) => errorsOf(random.next() < 0.5 ? 40 : 600, 0.15 * factorOf(0.5, random), factor, random),
  },
  {
    name: 'mostly-4',
    rate: 0.15,
    speaker: (random, factor) =>
      errorsOf(random.next() < 0.75 ? 40 : 600, 0.15 * factorOf(0.5, random), factor, random),
  },
  { name: 'clustered', rate: 0.15, speaker: (random, factor) => utterancesOf(4 + random.integer(17), factor, random) },
  {
    name: 'clustered-4-or-60',
    rate: 0.15,
    speaker: (random, factor) => utterancesOf(random.next() < 0.5 ? 4 : 60, factor, random),
  },
  {
    name: 'hard',
    rate: 0.15 * Math.exp(0.3),
    speaker(random, factor) {
      const size = random.normal();
      const difficulty = 0.3 * size + Math.sqrt(1 - 0.3 ** 2) * random.normal();
      const words = Math.max(1, Math.round(200 * Math.exp(size - 0.5)));
      return errorsOf(words, 0.15 * Math.exp(difficulty - 0.5), factor, random);
    },
  },
];

function draw(population: Population, speakers: number, factor: number, random: Random) {
  const all = Array.from({ length: speakers }, () => population.speaker(random, factor));
  const denominators = Float64Array.from(all, ({ words }) => words);
  const counts = (of: (speaker: Speaker) => number): ClusteredCounts => {
    return { numerators: Float64Array.from(all, of), denominators };
  };
  return { first: counts(({ first }) => first), second: counts(({ second }) => second) };
}

/** How often each kind of interval held the truth, and how long they were. */
class Coverage {
  readonly #kinds = new Map<string, { held: number; given: number; length: number }>();

  add(kind: string, interval: Pick<Interval, 'low' | 'high'>, truth: number): void {
    const tally = this.#kinds.get(kind) ?? { held: 0, given: 0, length: 0 };
    this.#kinds.set(kind, tally);
    if (interval.low === null || interval.high === null) return;
    tally.given++;
    if (interval.low <= truth && truth <= interval.high) tally.held++;
    tally.length += interval.high - interval.low;
  }

  /** Coverage, and after a slash the mean length over that of the kind without a prefix. */
  toString(): string {
    return [...this.#kinds]
      .map(([kind, { held, given, length }]) => {
        const plain = this.#kinds.get(kind.replace('plain ', ''));
        const ratio = plain && kind.startsWith('plain ') ? ` (length x ${(length / plain.length).toFixed(2)})` : '';
        return `${kind} ${(held / given).toFixed(4)}${ratio}`;
      })
      .join(' | ');
  }
}

const section = process.argv[2] ?? 'all';
const simulations = Number(process.argv[3] ?? 10_000);
const resamples = Number(process.argv[4] ?? 500);
const chosen = process.argv.slice(5);
const chosenSizes = chosen.map(Number).filter((size) => size > 0);
const sizes = chosenSizes.length > 0 ? chosenSizes : [10, 20, 50];
const names = chosen.filter((name) => !(Number(name) > 0));
const wanted = (name: string) => names.length === 0 || names.includes(name);
const error = Math.sqrt((0.95 * 0.05) / simulations).toFixed(4);
console.log(`${simulations} simulations, ${resamples} resamples; standard error of a coverage .95: ${error}`);

if (section === 'all' || section === 'speakers') {
  for (const population of populations.filter(({ name }) => wanted(name))) {
    for (const speakers of sizes) {
      const random = createRandom(['calibration', population.name, speakers]);
      const coverage = new Coverage();
      for (let simulation = 0; simulation < simulations; simulation++) {
        const { first, second } = draw(population, speakers, change, random);
        const options = { resamples, minimumClusters: 2, random };
        const plain = { ...options, method: 'BCa' } as const;
        const difference = population.rate * (change - 1);
        coverage.add('rate', rateInterval(first, options), population.rate);
        coverage.add('plain rate', rateInterval(first, plain), population.rate);
        coverage.add('difference', differenceInterval(first, second, options), difference);
        coverage.add('plain difference', differenceInterval(first, second, plain), difference);
        coverage.add('log ratio', logRatioInterval(first, second, options), Math.log2(change));
      }
      console.log(`${population.name} ${speakers} speakers: ${coverage}`);
    }
  }
}

if (section === 'all' || section === 'groups') {
  const compared = ['equal', '4-or-60', 'clustered'];
  for (const population of populations.filter(({ name }) => compared.includes(name) && wanted(name))) {
    for (const [few, many] of [
      [20, 20],
      [20, 60],
      [4, 60],
    ] as const) {
      const random = createRandom(['groups', population.name, few, many]);
      const coverage = new Coverage();
      for (let simulation = 0; simulation < simulations; simulation++) {
        const first = draw(population, few, change, random).first;
        const second = draw(population, many, change, random).second;
        const options = { resamples, minimumClusters: 2, clusters: 'separate', random } as const;
        const plain = { ...options, method: 'BCa' } as const;
        const difference = population.rate * (change - 1);
        coverage.add('difference', differenceInterval(first, second, options), difference);
        coverage.add('plain difference', differenceInterval(first, second, plain), difference);
        const tested = { level: 0.95, permutations: 2 * resamples - 1, statistic: 'unskewed', random } as const;
        coverage.add('not rejected', permutationTestOfRates(second, first, tested).interval!, difference);
        coverage.add('log ratio', logRatioInterval(first, second, options), Math.log2(change));
      }
      console.log(`${population.name} ${few} and ${many} speakers: ${coverage}`);
    }
  }
}

const distributions: readonly (readonly [string, (random: Random) => number, number, number])[] = [
  ['normal', (random) => random.normal(), 0, 0],
  ['uniform', (random) => random.next(), 0.5, 0.5],
  ['lognormal .5', (random) => Math.exp(0.5 * random.normal()), Math.exp(0.125), 1],
  ['exponential', (random) => -Math.log(1 - random.next()), 1, Math.LN2],
];

function medianOf(values: Float64Array): number {
  const sorted = values.toSorted();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

if (section === 'all' || section === 'observations') {
  for (const [name, value, mean, median] of distributions.filter(([name]) => wanted(name))) {
    for (const count of sizes) {
      const random = createRandom(['observations', name, count]);
      const coverage = new Coverage();
      for (let simulation = 0; simulation < simulations; simulation++) {
        const values = Float64Array.from({ length: count }, () => value(random));
        const options = { resamples, random };
        const plain = { ...options, smallSample: 'none' } as const;
        coverage.add('mean', bootstrapInterval(values, 'mean', options), mean);
        coverage.add('plain mean', bootstrapInterval(values, 'mean', plain), mean);
        coverage.add('percentile mean', bootstrapInterval(values, 'mean', { ...options, method: 'percentile' }), mean);
        coverage.add('median', bootstrapInterval(values, medianOf, options), median);
      }
      console.log(`${name} ${count} observations: ${coverage}`);
    }
  }
}
