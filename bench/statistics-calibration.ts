/**
 * Whether intervals cover and tests keep their level, on invented speakers.
 *
 *   node bench/statistics-calibration.ts [SIMULATIONS [RESAMPLES]]
 *
 * A speaker has a number of words and a difficulty (errors per word), both lognormal; errors are Poisson around words x
 * difficulty. The two systems of a comparison share the speaker's difficulty up to a lognormal factor. Populations:
 * - equal: 200 words each, difficulty's logarithm with standard deviation .5
 * - unequal: words with standard deviation .8 on the log scale (the upper 5 % have 14 times the words of the lower),
 *   difficulty .5
 * - hard: words 1, difficulty 1 (a few speakers are not understood at all), and the difficult speak more (correlation .3)
 *
 * Prints for each population and number of speakers: the share of 95 % intervals that hold the true rate, the true
 * difference (second system 10 % worse), and the share of p values of at most .05 where the systems are alike.
 */
import { createRandom, type Random } from '../src/base/random.ts';
import { differenceInterval } from '../src/statistics/bootstrap/difference-interval.ts';
import { type ClusteredCounts, rateInterval } from '../src/statistics/bootstrap/rate-interval.ts';
import { pairedPermutationTest } from '../src/statistics/significance/paired-permutation-test.ts';

interface Population {
  readonly name: string;
  readonly sizeSpread: number;
  readonly difficultySpread: number;
  readonly correlation: number;
}

const populations: readonly Population[] = [
  { name: 'equal', sizeSpread: 0, difficultySpread: 0.5, correlation: 0 },
  { name: 'unequal', sizeSpread: 0.8, difficultySpread: 0.5, correlation: 0 },
  { name: 'hard', sizeSpread: 1, difficultySpread: 1, correlation: 0.3 },
];
const meanWords = 200;
const meanRate = 0.15;
const systemSpread = 0.3;
const change = 1.1;

function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let left = mean; left > 0; left -= 30) {
    const floor = Math.exp(-Math.min(left, 30));
    for (let product = random.next(); product > floor; product *= random.next()) count++;
  }
  return count;
}

function simulate(population: Population, speakers: number, factor: number, random: Random) {
  const { sizeSpread, difficultySpread, correlation } = population;
  const words = new Float64Array(speakers);
  const first = new Float64Array(speakers);
  const second = new Float64Array(speakers);
  for (let speaker = 0; speaker < speakers; speaker++) {
    const size = random.normal();
    const difficulty = correlation * size + Math.sqrt(1 - correlation ** 2) * random.normal();
    words[speaker] = Math.max(1, Math.round(meanWords * Math.exp(sizeSpread * size - sizeSpread ** 2 / 2)));
    const rate = meanRate * Math.exp(difficultySpread * difficulty - difficultySpread ** 2 / 2);
    const own = () => rate * Math.exp(systemSpread * random.normal() - systemSpread ** 2 / 2);
    first[speaker] = poisson(words[speaker]! * own(), random);
    second[speaker] = poisson(words[speaker]! * own() * factor, random);
  }
  const counts = (numerators: Float64Array): ClusteredCounts => ({ numerators, denominators: words });
  return { first: counts(first), second: counts(second) };
}

const simulations = Number(process.argv[2] ?? 10_000);
const resamples = Number(process.argv[3] ?? 1000);
const trueRate = (population: Population) =>
  meanRate * Math.exp(population.correlation * population.sizeSpread * population.difficultySpread);

console.log(
  `${simulations} simulations, ${resamples} resamples; standard error of a coverage .95: ${Math.sqrt((0.95 * 0.05) / simulations).toFixed(4)}`,
);
console.log(
  'population speakers | rate: plain expanded (width ratio) | difference: plain expanded | test: alpha at .05',
);
for (const population of populations) {
  for (const speakers of [6, 8, 10, 12, 16, 20, 30, 50]) {
    const random = createRandom(['calibration', population.name, speakers]);
    const held = { rate: { none: 0, expanded: 0 }, difference: { none: 0, expanded: 0 } };
    const width = { none: 0, expanded: 0 };
    let rejected = 0;
    const rate = trueRate(population);
    const difference = rate * (change - 1);
    for (let simulation = 0; simulation < simulations; simulation++) {
      const { first, second } = simulate(population, speakers, change, random);
      for (const smallSample of ['none', 'expanded'] as const) {
        const options = { resamples, smallSample, minimumClusters: 2, random };
        const one = rateInterval(first, options);
        if (one.low! <= rate && rate <= one.high!) held.rate[smallSample]++;
        width[smallSample] += one.high! - one.low!;
        const two = differenceInterval(first, second, options);
        if (two.low! <= difference && difference <= two.high!) held.difference[smallSample]++;
      }
      const alike = simulate(population, speakers, 1, random);
      if (pairedPermutationTest(alike.first, alike.second, { permutations: 999, random }).pValue! <= 0.05) rejected++;
    }
    const share = (count: number) => (count / simulations).toFixed(4);
    console.log(
      `${population.name} ${speakers} | ${share(held.rate.none)} ${share(held.rate.expanded)} (${(width.expanded / width.none).toFixed(2)}) | ` +
        `${share(held.difference.none)} ${share(held.difference.expanded)} | ${share(rejected)}`,
    );
  }
}
