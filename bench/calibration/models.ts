/**
 * Whether tests and intervals of fitted models keep their level and cover, on invented data.
 *
 *   node bench/calibration/models.ts [SIMULATIONS [PART | SIZES] …]     parts: mixed dispersed linear
 *
 * 10,000 simulations by default, for which all parts take about half an hour of one core; SIZES (4-and-60) are those of
 * groups of mixed and dispersed, all if absent. One JSON line for each situation:
 * `level` is the share of p values of at most .05 where there is no effect, `coverage` the share of 95 % intervals that hold
 * the true value where there is one. The standard error of each share is .0022.
 *
 * - mixed, dispersed: word errors of two groups of speakers, Poisson or negative binomial (theta 2) around words x .12 x
 *   exp(normal intercept of the speaker with standard deviation `spread`); four rows for each speaker, of 20 to 40 words
 *   each, or (`unequal`) with speakers' words lognormal (standard deviation .8). With an effect the second group has 1.3
 *   times the rate; whether the profile interval holds that is asked of the test that it inverts, by 1.3 times the words.
 *   `chiSquare`, `wald` and `plainPoisson` are the levels of the likelihood ratio without small-sample reference, of normal
 *   limits, and of a regression without speakers.
 * - linear: a line through 15 or 40 rows with errors that are normal, of Student's t with 3 degrees of freedom, or normal
 *   with one in ten 10 times as large
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { normalUpperTail } from '../../src/statistics/distributions.ts';
import type {
  CountRegression,
  CountRegressionOptions,
  SpeakerCountData,
} from '../../src/statistics/mixed-models/count-data.ts';
import {
  mixedNegativeBinomial,
  mixedPoisson,
  poissonRegression,
} from '../../src/statistics/mixed-models/count-models.ts';
import { huberRegression } from '../../src/statistics/regression/huber-regression.ts';
import { poisson } from './poisson.ts';

const simulations = Number(process.argv[2] ?? 10_000);
const sizesChosen = process.argv.slice(3).filter((name) => /^\d+-and-\d+$/.test(name));
const parts = process.argv.slice(3).filter((name) => !sizesChosen.includes(name));
const wanted = (part: string) => parts.length === 0 || parts.includes(part);
const print = (line: Record<string, string | number>) => console.log(JSON.stringify(line));
const share = (count: number, of = simulations) => Math.round((count / of) * 10_000) / 10_000;

/** Gamma with mean 1 and a whole shape. */
function gamma(shape: number, random: Random): number {
  let sum = 0;
  for (let part = 0; part < shape; part++) sum -= Math.log(1 - random.next());
  return sum / shape;
}

interface Groups {
  readonly sizes: readonly [number, number];
  readonly spread: number;
  readonly unequal?: boolean;
}

function countData(groups: Groups, theta: number, ratio: number, random: Random): SpeakerCountData {
  const errors: number[] = [];
  const words: number[] = [];
  const group: string[] = [];
  const speaker: string[] = [];
  for (let place = 0; place < groups.sizes[0] + groups.sizes[1]; place++) {
    const second = place >= groups.sizes[0];
    const rate = 0.12 * Math.exp(groups.spread * random.normal()) * (second ? ratio : 1);
    const factor = groups.unequal ? Math.exp(0.8 * random.normal() - 0.32) : 1;
    for (let row = 0; row < 4; row++) {
      const size = Math.max(1, Math.round((20 + random.integer(21)) * factor));
      words.push(size);
      errors.push(poisson(size * rate * (theta > 0 ? gamma(theta, random) : 1), random));
      group.push(second ? 'second' : 'first');
      speaker.push(`speaker ${place}`);
    }
  }
  return { errors, words, predictors: { group }, speaker };
}

const situations: readonly Groups[] = [
  { sizes: [4, 4], spread: 0.5 },
  { sizes: [6, 6], spread: 0.5 },
  { sizes: [10, 10], spread: 0.5 },
  { sizes: [20, 20], spread: 0.5 },
  { sizes: [4, 60], spread: 0.5 },
  { sizes: [20, 20], spread: 0.25 },
  { sizes: [20, 20], spread: 0.5, unequal: true },
  { sizes: [4, 60], spread: 0.5, unequal: true },
  { sizes: [4, 60], spread: 1 },
  { sizes: [10, 10], spread: 0 },
  { sizes: [20, 20], spread: 0 },
];

function counts(
  part: string,
  theta: number,
  fit: (data: SpeakerCountData, options: CountRegressionOptions) => CountRegression,
): void {
  for (const groups of situations) {
    if (sizesChosen.length > 0 && !sizesChosen.includes(groups.sizes.join('-and-'))) continue;
    const random = createRandom(['calibration', part, [...groups.sizes], groups.spread, groups.unequal === true]);
    const tally = { tested: 0, rejected: 0, chiSquare: 0, wald: 0, plain: 0, intervals: 0, held: 0 };
    for (let simulation = 0; simulation < simulations; simulation++) {
      const alike = countData(groups, theta, 1, random);
      const found = fit(alike, { intervals: 'wald' });
      const [test] = found.terms;
      const coefficient = found.coefficients[1];
      if (test?.pValue != null && coefficient?.estimate != null) {
        tally.tested++;
        if (test.pValue <= 0.05) tally.rejected++;
        if (2 * normalUpperTail(Math.sqrt(test.likelihoodRatio!)) <= 0.05) tally.chiSquare++;
        if (2 * normalUpperTail(Math.abs(coefficient.estimate) / coefficient.standardError!) <= 0.05) tally.wald++;
      }
      const plain = poissonRegression(alike, { intervals: 'wald' }).terms[0]!;
      if (plain.pValue !== null && plain.pValue <= 0.05) tally.plain++;

      const different = countData(groups, theta, 1.3, random);
      const { group } = different.predictors as { group: string[] };
      const words = Array.from(different.words, (size, row) => (group[row] === 'second' ? 1.3 * size : size));
      const against = fit({ ...different, words }, { intervals: 'wald' }).terms[0]!;
      if (against?.pValue == null) continue;
      tally.intervals++;
      if (against.pValue > 0.05) tally.held++;
    }
    print({
      part,
      speakers: groups.sizes.join(' and '),
      spread: groups.spread,
      words: groups.unequal ? 'unequal' : 'equal',
      level: share(tally.rejected, tally.tested),
      coverage: share(tally.held, tally.intervals),
      chiSquare: share(tally.chiSquare, tally.tested),
      wald: share(tally.wald, tally.tested),
      plainPoisson: share(tally.plain),
      withoutTest: simulations - tally.tested,
      withoutInterval: simulations - tally.intervals,
    });
  }
}

function linear(): void {
  const errors: Record<string, (random: Random) => number> = {
    normal: (random) => random.normal(),
    't with 3': (random) =>
      random.normal() / Math.sqrt((random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2) / 3),
    contaminated: (random) => random.normal() * (random.next() < 0.1 ? 10 : 1),
  };
  for (const [name, error] of Object.entries(errors)) {
    for (const rows of [8, 15, 40, 100]) {
      const random = createRandom(['calibration', 'linear', name, rows]);
      let held = 0;
      for (let simulation = 0; simulation < simulations; simulation++) {
        const x = Array.from({ length: rows }, () => 10 * random.next());
        const y = x.map((value) => 0.7 * value + error(random));
        const huber = huberRegression({ response: y, predictors: { x } }).coefficients[1]!.estimate;
        if (huber.low! <= 0.7 && 0.7 <= huber.high!) held++;
      }
      print({ part: 'linear', errors: name, rows, huber: share(held) });
    }
  }
}

if (wanted('linear')) linear();
if (wanted('mixed')) counts('mixed', 0, mixedPoisson);
if (wanted('dispersed')) counts('dispersed', 2, mixedNegativeBinomial);
