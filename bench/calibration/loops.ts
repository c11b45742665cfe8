/**
 * Intervals of a word error rate, and of the difference of two, where a recognizer now and then repeats itself: how often those of level .95 hold the truth, how long they
 * are, and how often they end where no resample comes to.
 *
 *   node bench/calibration/loops.ts [SIMULATIONS [WORLD | SPEAKERS | LOOPS] …]
 *
 * 2,000 simulations with 2,000 resamples of all worlds, 12, 40 and 200 speakers, 0, 1, 3 and 10 loops a sample by default; a standard error
 * of .005 at a coverage of .95. SPEAKERS and LOOPS are written `40-speakers`, `3-loops`.
 *
 * A speaker says 3 clips of 10 words. 8 % of them are wrong, times a difficulty of the speaker (lognormal, .5); errors are Poisson. A clip has
 * a loop of 60 to 220 words by chance, so often that a sample has so many in the mean; the truth has them too. Worlds:
 * - even: as above
 * - unequal: half of the speakers say 2 clips, half 20
 * - long-speakers: a speaker says 30 clips, so that one with a loop has fewer errors than words all the same
 * - noisy: 90 % of the words are wrong, so that many speakers have more errors than words without any loop
 * - long-tail: loops have lognormal lengths of the same mean (1.2), so that one may be ten times as long
 *
 * Methods, all of whole speakers: `percentile`; `BCa`; `t of the logarithm`, the symmetric bootstrap that `rateInterval` was;
 * `percentile-t`, by the linearized standard error; `within resamples`, t of the logarithm that ends at the farthest resamples;
 * `rateInterval` as it is. Of a second system with the same difficulties and without loops less this one: `difference by t`, what
 * `differenceInterval` was, and `differenceInterval` as it is.
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { bcaCorrection, bootstrapLimits, noCorrection } from '../../src/statistics/bootstrap/bootstrap-interval.ts';
import { clusterSpread, symmetricHalfLength } from '../../src/statistics/bootstrap/cluster-spread.ts';
import { columnSums, effectiveClusters } from '../../src/statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../src/statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../src/statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../src/statistics/bootstrap/rate-interval.ts';
import { exactProportionInterval } from '../../src/statistics/exact-intervals.ts';
import { quantileSorted } from '../../src/statistics/quantile.ts';
import { poisson } from './poisson.ts';

const level = 0.95;
const normal95 = 1.959964;
const resamples = 2000;
const wordsOfClip = 10;
const meanLoop = 140;

interface World {
  readonly name: string;
  readonly clips: (random: Random) => number;
  /** The mean of `clips`. */
  readonly meanClips: number;
  readonly loopWords: (random: Random) => number;
  /** Of words without loops. */
  readonly errorRate: number;
}

const evenLoop = (random: Random) => 60 + random.integer(161);
const even: World = { name: 'even', clips: () => 3, meanClips: 3, loopWords: evenLoop, errorRate: 0.08 };
const worlds: readonly World[] = [
  even,
  { ...even, name: 'unequal', clips: (random) => (random.next() < 0.5 ? 2 : 20), meanClips: 11 },
  { ...even, name: 'long-speakers', clips: () => 30, meanClips: 30 },
  { ...even, name: 'noisy', errorRate: 0.9 },
  { ...even, name: 'long-tail', loopWords: (random) => Math.round(meanLoop * lognormal(1.2, random)) },
];

/** With mean 1. */
function lognormal(spread: number, random: Random): number {
  return Math.exp(spread * random.normal() - spread ** 2 / 2);
}

/** Of each speaker in turn errors without loops, words, errors with them, words. */
function drawTable(world: World, speakers: number, loops: number, random: Random): Float64Array<ArrayBuffer> {
  const chance = loops / (speakers * world.meanClips);
  const table = new Float64Array(4 * speakers);
  for (let place = 0; place < table.length; place += 4) {
    const difficulty = world.errorRate * lognormal(0.5, random);
    const clips = world.clips(random);
    for (let clip = 0; clip < clips; clip++) {
      table[place]! += poisson(wordsOfClip * difficulty, random);
      table[place + 2]! += poisson(wordsOfClip * difficulty, random);
      if (random.next() < chance) table[place + 2]! += world.loopWords(random);
    }
    table[place + 1] = clips * wordsOfClip;
    table[place + 3] = clips * wordsOfClip;
  }
  return table;
}

/** Rates of resamples, and how far each is from that of the table in its own standard errors. */
function resample(table: Float64Array, value: number, random: Random) {
  const speakers = table.length / 2;
  const rates = new Float64Array(resamples);
  const students = new Float64Array(resamples);
  for (let resampled = 0; resampled < resamples; resampled++) {
    let [errors, words, squares, products, wordSquares] = [0, 0, 0, 0, 0];
    for (let draw = 0; draw < speakers; draw++) {
      const place = 2 * random.integer(speakers);
      const [own, of] = [table[place]!, table[place + 1]!];
      errors += own;
      words += of;
      squares += own * own;
      products += own * of;
      wordSquares += of * of;
    }
    const rate = errors / words;
    rates[resampled] = rate;
    const variance = (squares - 2 * rate * products + rate * rate * wordSquares) / words ** 2;
    students[resampled] = variance > 0 ? (rate - value) / Math.sqrt(variance) : Math.sign(rate - value) * Infinity;
  }
  return { rates: rates.sort(), students: students.sort() };
}

type Ends = readonly [low: number, high: number];
const endsOf = ({ low, high }: { readonly low: number | null; readonly high: number | null }): Ends => [low!, high!];
const columnOf = (table: Float64Array, column: number) => table.filter((_, place) => place % 4 === column);

/** Each method's interval, the truth, and the farthest resamples. */
interface Made {
  readonly ends: Ends;
  readonly truth: number;
  readonly farthest: Ends;
}

function intervalsOf(both: Float64Array<ArrayBuffer>, base: number, added: number, random: Random) {
  const [before, words, after] = [0, 1, 2].map((column) => columnOf(both, column)) as Float64Array<ArrayBuffer>[];
  const table = both.filter((_, place) => place % 4 > 1);
  const sums = columnSums(table, 2);
  const value = sums[0]! / sums[1]!;
  const { rates, students } = resample(table, value, random);
  const farthest = [rates[0]!, rates.at(-1)!] as const;

  const without = Float64Array.from({ length: table.length / 2 }, (_, speaker) => {
    return (sums[0]! - table[2 * speaker]!) / (sums[1]! - table[2 * speaker + 1]!);
  });
  const standardError = Math.sqrt(clusterSpread(table, 2, sums, [1], false).variance);
  const student = (share: number) => quantileSorted(students, share);
  const logarithm = logarithmT(table, value, rates);
  const first = { numerators: before!, denominators: words! };
  const second = { numerators: after!, denominators: words! };
  const ofRate: Record<string, Ends> = {
    percentile: endsOf(bootstrapLimits(rates, normal95, noCorrection)),
    BCa: endsOf(bootstrapLimits(rates, normal95, bcaCorrection(rates, value, without))),
    't of the logarithm': logarithm,
    'percentile-t': [value - student(0.975) * standardError, value - student(0.025) * standardError],
    'within resamples': [Math.max(logarithm[0], farthest[0]), Math.min(logarithm[1], farthest[1])],
  };
  const difference = differenceT(both, random);
  // Ends lie at the farthest of ten times as many resamples.
  const own = { resamples, random: randomOfData(random.integer(2 ** 31)) };
  const all = { ...own, resamples: 10 * resamples, method: 'percentile', level: 1 - 1e-12 } as const;
  const ofOthers = Object.entries(ofRate).map(([name, ends]) => [name, { ends, truth: base + added, farthest }]);
  return {
    ...(Object.fromEntries(ofOthers) as Record<string, Made>),
    rateInterval: {
      ends: endsOf(rateInterval(second, own)),
      truth: base + added,
      farthest: endsOf(rateInterval(second, all)),
    },
    'difference by t': { ...difference, truth: added },
    differenceInterval: {
      ends: endsOf(differenceInterval(first, second, own)),
      truth: added,
      farthest: endsOf(differenceInterval(first, second, all)),
    },
  } satisfies Record<string, Made>;
}

function logarithmT(table: Float64Array, value: number, rates: Float64Array): Ends {
  const spread = clusterSpread(table, 2, columnSums(table, 2), [1 / value], true);
  const half = symmetricHalfLength(
    rates.map((rate) => Math.log(rate / value)),
    level,
    spread,
  );
  const isShare = table.every((count, place) => place % 2 === 1 || count <= table[place + 1]!);
  const clusters = effectiveClusters(table, 2);
  const widest = isShare ? exactProportionInterval(value * clusters, clusters, level) : { low: 0, high: Infinity };
  return [Math.max(widest.low!, value * Math.exp(-half)), Math.min(widest.high!, value * Math.exp(half))];
}

function differenceT(both: Float64Array, random: Random) {
  const sums = columnSums(both, 4);
  const value = (sums[2]! - sums[0]!) / sums[1]!;
  const table = new Float64Array(both.length / 2);
  for (let place = 0; place < both.length; place += 4) {
    table.set([both[place + 2]! - both[place]!, both[place + 1]!], place / 2);
  }
  const { rates } = resample(table, value, random);
  const spread = clusterSpread(both, 4, sums, [-1, 1], false);
  const half = symmetricHalfLength(
    rates.map((rate) => rate - value),
    level,
    spread,
  );
  const ends: Ends = [value - half, value + half];
  return { ends, farthest: [rates[0]!, rates.at(-1)!] as const };
}

const [first, ...rest] = process.argv.slice(2);
const simulations = Number(first ?? 2000);
const numbersOf = (what: string, usual: readonly number[]) => {
  const given = rest
    .filter((text) => /^\d/.test(text) && text.endsWith(`-${what}`))
    .map((text) => Number.parseInt(text, 10));
  return given.length > 0 ? given : usual;
};
const named = worlds.filter(({ name }) => rest.includes(name));

console.log(
  `${simulations} simulations, ${resamples} resamples: coverage, mean length in points, ends beyond every resample`,
);
for (const world of named.length > 0 ? named : worlds) {
  for (const speakers of numbersOf('speakers', [12, 40, 200])) {
    for (const loops of numbersOf('loops', [0, 1, 3, 10])) {
      const random = createRandom(['loops', world.name, speakers, loops]);
      const added = (loops * meanLoop) / (speakers * world.meanClips * wordsOfClip);
      const tallies = new Map<string, { held: number; given: number; length: number; beyond: number }>();
      for (let simulation = 0; simulation < simulations; simulation++) {
        const table = drawTable(world, speakers, loops, random);
        for (const [name, made] of Object.entries(intervalsOf(table, world.errorRate, added, random))) {
          const {
            ends: [low, high],
            truth,
            farthest,
          } = made;
          const tally = tallies.get(name) ?? { held: 0, given: 0, length: 0, beyond: 0 };
          tallies.set(name, tally);
          if (low === null || !Number.isFinite(high - low)) continue;
          tally.given++;
          if (low <= truth && truth <= high) tally.held++;
          tally.length += high - low;
          // Rounded sums may differ in the last digits.
          const rounding = 1e-9 * (farthest[1] - farthest[0]);
          if (low < farthest[0] - rounding || high > farthest[1] + rounding) tally.beyond++;
        }
      }
      const told = [...tallies].map(([name, { held, given, length, beyond }]) => {
        const points = ((100 * length) / given).toPrecision(3);
        return `${name} ${(held / given).toFixed(3)} ${points} ${((100 * beyond) / given).toFixed(1)} %`;
      });
      console.log(`${world.name}, ${speakers} speakers, ${loops} loops: ${told.join(' | ')}`);
    }
  }
}
