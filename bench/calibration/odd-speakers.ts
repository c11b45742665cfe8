/**
 * How far intervals and tests fall short in three variants that break what they assume, and how often the data show it
 * (`samplingWarnings`).
 *
 *   node bench/calibration/odd-speakers.ts [SIMULATIONS [WORLD …]]     variants: talkers lost spread
 *
 * 10,000 simulations by default; one JSON line for each situation; standard error of a share of .95 from 10,000 simulations .002.
 * Speakers have lognormal numbers of words and lognormal difficulties, and Poisson errors at a rate of .15.
 *
 * - talkers: words around 200 (logarithmic spread .8), difficulty (.6), which go together by `correlation`. `held`: share of 95 % intervals of the
 *   rate that hold the truth; `warned`: share of samples that show it; `quiet`: held where nothing was said
 * - lost: 100 words each, difficulty .4; the second recognizer gets 95 % of the words of one speaker in twenty wrong, and is so much better for the
 *   others that both are equal on average (`lost` 0: no such speaker). `held` is of the difference, `called`: test and interval say that they differ
 * - spread: two groups of different speakers, 100 words each, equal on average; difficulty .5, in the second group .5 times `factor`. `called`:
 *   the permutation test and its interval say that they differ
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import type { ClusteredCounts } from '../../src/statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../src/statistics/bootstrap/difference-interval.ts';
import { rateInterval } from '../../src/statistics/bootstrap/rate-interval.ts';
import { pairedPermutationTest } from '../../src/statistics/significance/paired-permutation-test.ts';
import { permutationTestOfRates } from '../../src/statistics/significance/permutation-test.ts';
import { samplingWarnings } from '../../src/studies/shared/speaker-warnings.ts';
import { poisson } from './poisson.ts';

const simulations = Number(process.argv[2] ?? 10_000);
const variants = process.argv.slice(3);
const rate = 0.15;
const resamples = 500;

const lognormal = (spread: number, random: Random) => Math.exp(spread * random.normal() - spread ** 2 / 2);

function drawn(count: number, speaker: () => { readonly words: number; readonly errors: number }): ClusteredCounts {
  const all = Array.from({ length: count }, speaker);
  return {
    numerators: Float64Array.from(all, ({ errors }) => errors),
    denominators: Float64Array.from(all, ({ words }) => words),
  };
}

/** Counts what was so, of the simulations of which it is known. */
class Shares {
  readonly #counts = new Map<string, { hits: number; of: number }>();

  add(name: string, hit: boolean): void {
    const count = this.#counts.get(name) ?? { hits: 0, of: 0 };
    this.#counts.set(name, { hits: count.hits + (hit ? 1 : 0), of: count.of + 1 });
  }

  print(situation: Readonly<Record<string, number | string>>): void {
    const shares = [...this.#counts].map(([name, { hits, of }]) => [name, Math.round((1000 * hits) / of) / 1000]);
    console.log(JSON.stringify({ ...situation, ...Object.fromEntries(shares) }));
  }
}

function simulate(
  situation: Readonly<Record<string, number | string>>,
  once: (random: Random, shares: Shares) => void,
): void {
  if (variants.length > 0 && !variants.includes(String(situation.variant))) return;
  const shares = new Shares();
  for (let simulation = 0; simulation < simulations; simulation++) {
    once(createRandom({ bench: 'odd speakers', situation, simulation }), shares);
  }
  shares.print(situation);
}

const holds = ({ low, high }: { low: number | null; high: number | null }, truth: number) =>
  low !== null && high !== null && low <= truth && truth <= high;
const leavesOut = ({ low, high }: { low: number | null; high: number | null }) =>
  low !== null && high !== null && (low > 0 || high < 0);

for (const correlation of [0, 0.5, 0.8]) {
  for (const speakers of [15, 30, 60]) {
    simulate({ variant: 'talkers', correlation, speakers }, (random, shares) => {
      const [ofWords, ofErrors] = [0.8, 0.6];
      const counts = drawn(speakers, () => {
        const size = random.normal();
        const difficulty = correlation * size + Math.sqrt(1 - correlation ** 2) * random.normal();
        const words = Math.max(1, Math.round(200 * Math.exp(ofWords * size - ofWords ** 2 / 2)));
        return { words, errors: poisson(words * rate * Math.exp(ofErrors * difficulty - ofErrors ** 2 / 2), random) };
      });
      const interval = rateInterval(counts, { resamples, minimumClusters: 5, random });
      if (interval.low === null) return;
      const held = holds(interval, rate * Math.exp(correlation * ofWords * ofErrors));
      const warned = samplingWarnings([{ name: 'a', counts }], [], 5).length > 0;
      shares.add('held', held);
      shares.add('warned', warned);
      if (!warned) shares.add('quiet', held);
    });
  }
}

for (const lost of [0, 0.05]) {
  for (const speakers of [20, 60]) {
    simulate({ variant: 'lost', lost, speakers }, (random, shares) => {
      const whole = 0.95;
      const others = (rate - lost * whole) / (1 - lost) / rate;
      const second = new Float64Array(speakers);
      let place = 0;
      const first = drawn(speakers, () => {
        const own = rate * lognormal(0.4, random);
        const isLost = random.next() < lost;
        second[place++] = isLost
          ? Math.round(100 * whole)
          : poisson(100 * own * others * lognormal(0.3, random), random);
        return { words: 100, errors: poisson(100 * own * lognormal(0.3, random), random) };
      });
      const counts = { ...first, numerators: second };
      const difference = differenceInterval(first, counts, { resamples, minimumClusters: 5, random });
      const { pValue } = pairedPermutationTest(first, counts, { permutations: 999, random });
      const warned =
        samplingWarnings(
          [
            { name: 'a', counts: first },
            { name: 'b', counts },
          ],
          [],
          5,
        ).length > 0;
      const called = pValue !== null && pValue <= 0.05 && leavesOut(difference);
      shares.add('held', holds(difference, 0));
      shares.add('called', called);
      shares.add('warned', warned);
      if (!warned) shares.add('called where quiet', called);
    });
  }
}

for (const factor of [1, 2]) {
  for (const [few, many] of [
    [20, 20],
    [20, 60],
    [60, 20],
  ] as const) {
    simulate({ variant: 'spread', factor, first: few, second: many }, (random, shares) => {
      const group = (count: number, spread: number) =>
        drawn(count, () => ({ words: 100, errors: poisson(100 * rate * lognormal(spread, random), random) }));
      const [first, second] = [group(few, 0.5), group(many, 0.5 * factor)];
      const { pValue } = permutationTestOfRates(second, first, { permutations: 999, statistic: 'unskewed', random });
      const groups = [
        { name: 'x', counts: first },
        { name: 'y', counts: second },
      ];
      shares.add('called', pValue !== null && pValue <= 0.05);
      shares.add('warned', samplingWarnings([], [{ name: 'group', groups }], 5).length > 0);
    });
  }
}
