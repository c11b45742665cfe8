/**
 * How fast bootstrap intervals are made: 10,000 resamples of 2,000 values, and of 2,000 speakers.
 *
 *   node bench/statistics.ts [REPEATS]
 *
 * Prints one JSON line per measurement (one warm-up, then the least and the median of the repeats, and the least of the
 * processor's time, which other work on the machine disturbs less), after lines with values that show the inputs to be the
 * agreed ones. Inputs: linear congruential numbers x <- 1664525 x + 1013904223 (mod 2^32) from 2024; 2,000 values
 * (x >> 8) / 2^24; then 2,000 word counts 20 + (x >> 24); then errors floor(words x ((x >> 8) / 2^24) x .3). The peer is
 * scipy.stats.bootstrap with method BCa on the same inputs, run in the same minute.
 *
 * Seen on a quiet machine with two cores, three rounds in turns with scipy 1.17.1, seconds by the clock, least of 7: mean .047 to .055
 * (scipy .195 to .283; in batches of 200 .144 to .217), .18 to .24 of it; rate by speaker .055 to .107 (scipy .279 to .369), .20 to .33
 * of it.
 */
import { createRandom } from '../src/base/random.ts';
import { bootstrapInterval } from '../src/statistics/bootstrap/bootstrap-interval.ts';
import { rateInterval } from '../src/statistics/bootstrap/rate-interval.ts';

const repeats = Number(process.argv[2] ?? 5);
const size = 2000;
let state = 2024;
const next = () => {
  state = (Math.imul(1664525, state) + 1013904223) >>> 0;
  return state;
};
const share = () => (next() >>> 8) / 2 ** 24;
const values = Float64Array.from({ length: size }, share);
const words = Float64Array.from({ length: size }, () => 20 + (next() >>> 24));
const errors = words.map((count) => Math.floor(count * share() * 0.3));

function check(what: string, value: number, expected: number): void {
  console.log(JSON.stringify({ check: what, value, expected }));
  if (Math.abs(value - expected) > 1e-12) process.exitCode = 1;
}

async function measure(work: string, run: () => unknown): Promise<void> {
  await run();
  const seconds: number[] = [];
  const processor: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const usedBefore = process.cpuUsage();
    const before = performance.now();
    await run();
    seconds.push((performance.now() - before) / 1000);
    const used = process.cpuUsage(usedBefore);
    processor.push((used.user + used.system) / 1e6);
  }
  seconds.sort((a, b) => a - b);
  const figures = { min: seconds[0]!, median: seconds[seconds.length >> 1]!, processor: Math.min(...processor) };
  console.log(JSON.stringify({ work, units: 'seconds per 10,000 resamples of 2,000', repeats, ...figures }));
}

const sum = (numbers: Float64Array) => numbers.reduce((total, number) => total + number, 0);
check('mean of values', sum(values) / size, 0.497322651029);
check('pooled rate', sum(errors) / sum(words), 0.148079944586);

const counts = { numerators: errors, denominators: words };
const options = () => ({ resamples: 10_000, random: createRandom(1) });
const plain = () => ({ ...options(), method: 'BCa' as const });

await measure('statistics/bca-mean', () => bootstrapInterval(values, 'mean', { ...options(), smallSample: 'none' }));
await measure('statistics/percentile-mean', () =>
  bootstrapInterval(values, 'mean', { ...options(), smallSample: 'none', method: 'percentile' }),
);
await measure('statistics/bca-mean (statistic given as a function)', () => {
  bootstrapInterval(values, (drawn) => sum(drawn) / size, { ...options(), smallSample: 'none' });
});
await measure('statistics/bca-pooled-rate-by-speaker', () => rateInterval(counts, plain()));
await measure('statistics/symmetric-pooled-rate-by-speaker (the default)', () => rateInterval(counts, options()));
