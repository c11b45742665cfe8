/**
 * Which way of stopping early asks least at the same error rates: boundaries with spent error (t and sign flips), betting, empirical-Bernstein
 * and normal-mixture confidence sequences.
 *
 *   node bench/calibration/sequential.ts [WORLDS [FLIPS [SPEAKERS]]]
 *
 * A world: so many speakers of ten clips of ten words, rates lognormal (spread .5) around 4 or 40 %, all answered anew. The limit is a margin that the corpus
 * is planned for: a loss of twice the margin fails in 90 % of the fixed design. True losses of none, one and two margins: at one margin either
 * decision is an error (fail at most .025, pass at most .05). `asked` is the mean share of the speakers. Whoever looks after each speaker begins with the tenth.
 *
 *   node bench/calibration/sequential.ts streams FILE
 *
 * Writes streams and what the sequences here say of them, for bench/python/sequential.py, which holds them against other programs.
 */
import { writeFileSync } from 'node:fs';
import { createRandom, type Random } from '../../src/base/random.ts';
import { normalQuantile, normalUpperTail, studentQuantile } from '../../src/statistics/distributions.ts';
import {
  type Spending,
  spendByPower,
  spendingBoundaries,
} from '../../src/statistics/sequential/spending-boundaries.ts';

/** As near the bounds of P. O'Brien and T. Fleming (Biometrics 35, 1979). */
const spendLate: Spending = (share, alpha) => 2 * normalUpperTail(-normalQuantile(alpha / 2) / Math.sqrt(share));
/** As near those of S. Pocock (Biometrika 64, 1977). */
const spendEvenly: Spending = (share, alpha) => alpha * Math.log1p((Math.E - 1) * share);

const failError = 0.025;
const passError = 0.05;
const words = 100;
const firstLook = 10;

/** Differences of rates of speakers, release less baseline, in the order in which they are asked. */
function world(speakers: number, rate: number, loss: number, random: Random): Float64Array {
  return Float64Array.from({ length: speakers }, () => {
    const own = Math.min(0.9, rate * Math.exp(0.5 * random.normal() - 0.125));
    let difference = 0;
    const after = Math.min(0.95, own + loss);
    for (let word = 0; word < words; word++) {
      if (random.next() < after) difference++;
      if (random.next() < own) difference--;
    }
    return difference / words;
  });
}

type Verdict = 'fail' | 'pass' | 'open';

/** What a rule says, and after how many speakers. */
type Rule = (
  differences: Float64Array,
  margin: number,
  random: Random,
) => { readonly verdict: Verdict; readonly asked: number };

/** So many looks, the last at the end, whole speakers, none before the tenth. */
function looksOf(speakers: number, count: number): number[] {
  const all = Array.from({ length: count }, (_, look) => Math.ceil((speakers * (look + 1)) / count));
  return [...new Set(all.map((look) => Math.min(speakers, Math.max(firstLook, look))))];
}

const known = new Map<string, number[]>();
function levels(looks: readonly number[], alpha: number, [name, spending]: readonly [string, Spending]): number[] {
  const key = JSON.stringify([looks, alpha, name]);
  const found =
    known.get(key) ??
    spendingBoundaries(
      looks.map((look) => look / looks.at(-1)!),
      alpha,
      spending,
    );
  known.set(key, found);
  return found;
}

const quantiles = new Map<string, number>();
function critical(level: number, freedom: number): number {
  const key = `${level} ${freedom}`;
  const found = quantiles.get(key) ?? -studentQuantile(level, freedom);
  quantiles.set(key, found);
  return found;
}

const boundaryT =
  (count: number, spending: readonly [string, Spending]): Rule =>
  (differences, margin) => {
    const looks = looksOf(differences.length, count);
    const [fails, passes] = [levels(looks, failError, spending), levels(looks, passError, spending)];
    let [sum, squares, at] = [0, 0, 0];
    for (const [look, until] of looks.entries()) {
      for (; at < until; at++) {
        sum += differences[at]! - margin;
        squares += (differences[at]! - margin) ** 2;
      }
      const spread = Math.sqrt(Math.max(1e-12, (squares - (sum * sum) / at) / (at - 1)) * at);
      const statistic = sum / spread;
      if (statistic > critical(fails[look]!, at - 1)) return { verdict: 'fail', asked: at };
      if (-statistic > critical(passes[look]!, at - 1)) return { verdict: 'pass', asked: at };
    }
    return { verdict: 'open', asked: at };
  };

/** Signs of speakers flipped, the same for all looks; at each look so many arrangements leave as the error spent allows. */
const boundaryFlips =
  (count: number, [, spending]: readonly [string, Spending], flips: number): Rule =>
  (differences, margin, random) => {
    const looks = looksOf(differences.length, count);
    const sums = new Float64Array(flips);
    const gone = [new Uint8Array(flips), new Uint8Array(flips)];
    const left = [0, 0];
    const bits = new Int32Array(Math.ceil(flips / 32));
    let at = 0;
    for (const until of looks) {
      for (; at < until; at++) {
        const own = differences[at]! - margin;
        random.words(bits);
        sums[0]! += own;
        for (let flip = 1; flip < flips; flip++) sums[flip]! += (bits[flip >> 5]! >> (flip & 31)) & 1 ? own : -own;
      }
      const share = at / differences.length;
      for (const [side, [alpha, sign, verdict]] of (
        [
          [failError, 1, 'fail'],
          [passError, -1, 'pass'],
        ] as const
      ).entries()) {
        const allowed = Math.floor(flips * spending(share, alpha) + 1e-9) - left[side]!;
        if (allowed <= 0) continue;
        const alive = [...sums.keys()].filter((flip) => gone[side]![flip] === 0);
        const values = Float64Array.from(alive, (flip) => sign * sums[flip]!).sort();
        // The greatest that stays; whoever is above it leaves.
        const bound = values[values.length - 1 - allowed]! + 1e-12;
        for (const flip of alive) {
          if (sign * sums[flip]! <= bound) continue;
          gone[side]![flip] = 1;
          left[side]!++;
        }
        if (gone[side]![0] === 1) return { verdict, asked: at };
      }
    }
    return { verdict: 'open', asked: at };
  };

/** Bets on a mean above `none` of values from 0 to 1, one after another; stops at 1 / alpha (I. Waudby-Smith and A. Ramdas, JRSS B 86, 2024). */
interface Bet {
  /** Capital after this value. */
  next(value: number): number;
}

/** Mean and variance as the predictable plug-in has them: as if a first value of 1/2 had been there, with variance 1/4. */
function plugIn() {
  let [n, sum, squares] = [0, 0.5, 0.25];
  return {
    mean: () => sum / (n + 1),
    variance: () => squares / (n + 1),
    add(value: number) {
      n++;
      sum += value;
      squares += (value - sum / (n + 1)) ** 2;
    },
    count: () => n,
  };
}

type Strategy = 'sequence' | 'fixed n' | 'growth';

function bet(none: number, alpha: number, strategy: Strategy, speakers: number): Bet {
  const seen = plugIn();
  let capital = 1;
  return {
    next(value) {
      const t = seen.count() + 1;
      const wished =
        strategy === 'growth'
          ? Math.max(0, (seen.mean() - none) / (seen.variance() + (seen.mean() - none) ** 2))
          : Math.sqrt(
              (2 * Math.log(1 / alpha)) /
                (seen.variance() * (strategy === 'sequence' ? t * Math.log(t + 1) : speakers)),
            );
      capital *= 1 + Math.min(wished, 0.75 / none) * (value - none);
      seen.add(value);
      return capital;
    },
  };
}

const scaled = (difference: number, bound = 1) => Math.min(1, Math.max(0, (difference / bound + 1) / 2));

/** @param bound differences beyond it count as it: below 1 that is an assumption about speakers, and another number is tested */
const betting =
  (strategy: Strategy, bound = 1): Rule =>
  (differences, margin) => {
    const none = scaled(margin, bound);
    const up = bet(none, failError, strategy, differences.length);
    const down = bet(1 - none, passError, strategy, differences.length);
    for (const [at, difference] of differences.entries()) {
      const value = scaled(difference, bound);
      const [fail, pass] = [up.next(value), down.next(1 - value)];
      if (at + 1 < firstLook) continue;
      if (fail >= 1 / failError) return { verdict: 'fail', asked: at + 1 };
      if (pass >= 1 / passError) return { verdict: 'pass', asked: at + 1 };
    }
    return { verdict: 'open', asked: differences.length };
  };

/** The lower ends of the predictable plug-in empirical-Bernstein sequence (their theorem 2), one-sided. */
function bernsteinLower(values: Float64Array, alpha: number): Float64Array {
  const seen = plugIn();
  let [weights, weighted, penalty, mean] = [0, 0, Math.log(1 / alpha), 0];
  return values.map((value, at) => {
    const t = at + 1;
    const lambda = Math.min(0.5, Math.sqrt((2 * Math.log(1 / alpha)) / (seen.variance() * t * Math.log(t + 1))));
    weights += lambda;
    weighted += lambda * value;
    penalty += (value - mean) ** 2 * (-Math.log(1 - lambda) - lambda);
    seen.add(value);
    mean += (value - mean) / t;
    return (weighted - penalty) / weights;
  });
}

/** Lower ends of the predictable plug-in Hoeffding sequence (their theorem 1), one-sided: it knows of values only that they lie between 0 and 1. */
function hoeffdingLower(values: Float64Array, alpha: number): Float64Array {
  let [weights, weighted, penalty] = [0, 0, Math.log(1 / alpha)];
  return values.map((value, at) => {
    const lambda = Math.min(1, Math.sqrt((8 * Math.log(1 / alpha)) / ((at + 1) * Math.log(at + 2))));
    weights += lambda;
    weighted += lambda * value;
    penalty += lambda ** 2 / 8;
    return (weighted - penalty) / weights;
  });
}

/**
 * Lower ends of a sequence from G. Bennett's inequality (JASA 57, 1962) for values whose variance is known: the capital of a constant bet, chosen to be best after the last. The variance
 * is that of all values, which nobody knows before: no declared one is better.
 */
function bennettLower(values: Float64Array, alpha: number): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const cost = (lambda: number) => variance * (Math.exp(lambda) - 1 - lambda);
  const distance = (lambda: number) => (Math.log(1 / alpha) / values.length + cost(lambda)) / lambda;
  let best = 0.01;
  for (let lambda = 0.01; lambda < 20; lambda += 0.01) if (distance(lambda) < distance(best)) best = lambda;
  let sum = 0;
  return values.map((value, at) => {
    sum += value;
    return (sum - (Math.log(1 / alpha) + (at + 1) * cost(best)) / best) / (at + 1);
  });
}

/** The precision of the normal mixture at which its sequence is shortest after `best` values, nearly. */
function mixturePrecision(alpha: number, best: number): number {
  const surprise = -2 * Math.log(2 * alpha);
  return best / (surprise + Math.log(surprise + 1));
}

/** Lower ends of the asymptotic sequence of a normal mixture (I. Waudby-Smith et al., Annals of Statistics 52, 2024), one-sided by half of the two-sided error. */
function mixtureLower(values: Float64Array, alpha: number, best: number): Float64Array {
  const precision = mixturePrecision(alpha, best);
  let [sum, squares] = [0, 0];
  return values.map((value, at) => {
    const t = at + 1;
    sum += value;
    squares += value * value;
    const spread = Math.sqrt(Math.max(0, squares - sum ** 2 / t) / (t - 1));
    const inside = t + precision;
    return sum / t - (spread * Math.sqrt(inside * Math.log(inside / (precision * (2 * alpha) ** 2)))) / t;
  });
}

const sequence =
  (lower: (values: Float64Array, alpha: number) => Float64Array): Rule =>
  (differences, margin) => {
    const fail = lower(
      differences.map((difference) => scaled(difference)),
      failError,
    );
    const pass = lower(
      differences.map((difference) => 1 - scaled(difference)),
      passError,
    );
    for (let at = Math.min(firstLook, differences.length) - 1; at < differences.length; at++) {
      if (fail[at]! > scaled(margin)) return { verdict: 'fail', asked: at + 1 };
      if (pass[at]! > 1 - scaled(margin)) return { verdict: 'pass', asked: at + 1 };
    }
    return { verdict: 'open', asked: differences.length };
  };

function measure(rule: Rule, speakers: number, rate: number, margin: number, loss: number, worlds: number) {
  const random = createRandom(['sequential', speakers, rate, loss / Math.max(margin, 1e-9)]);
  const flips = createRandom(['flips', speakers, rate]);
  const counts: Record<Verdict, number> = { fail: 0, pass: 0, open: 0 };
  let asked = 0;
  for (let at = 0; at < worlds; at++) {
    const said = rule(world(speakers, rate, loss, random), margin, flips);
    counts[said.verdict]++;
    asked += said.asked;
  }
  return { fail: counts.fail / worlds, pass: counts.pass / worlds, asked: asked / worlds / speakers };
}

/** The margin at which twice as much fails in 90 % of the fixed design. */
function plannedMargin(speakers: number, rate: number): number {
  let [low, high] = [0, 0.5];
  for (let step = 0; step < 12; step++) {
    const middle = (low + high) / 2;
    if (measure(fixed, speakers, rate, middle, 2 * middle, 1500).fail < 0.9) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const late = ['late', spendLate] as const;
const even = ['even', spendEvenly] as const;
const power = (exponent: number) => [`power ${exponent}`, spendByPower(exponent)] as const;
const fixed = boundaryT(1, late);

const [first, second, third] = process.argv.slice(2);
if (first === 'streams') {
  const streams = [0.02, 0.2, 0.5].map((rate) =>
    world(200, rate, 0.02, createRandom(['stream', rate])).map((difference) => scaled(difference)),
  );
  const said = streams.map((values) => {
    const capital = bet(0.51, 0.05, 'sequence', values.length);
    return {
      values: [...values],
      bernstein: [...bernsteinLower(values, 0.05)],
      precision: mixturePrecision(0.025, 100),
      mixture: [...mixtureLower(values, 0.025, 100)],
      capital: [...values].map((value) => capital.next(value)),
    };
  });
  writeFileSync(second!, JSON.stringify(said));
} else {
  const worlds = Number(first ?? 2000);
  const flips = Number(second ?? 1000);
  const rules: readonly (readonly [string, Rule])[] = [
    ['fixed', fixed],
    ...[late, even, power(1.5), power(2), power(3)].flatMap((spending) =>
      [5, 10].map((count) => [`t, ${count} looks, ${spending[0]}`, boundaryT(count, spending)] as const),
    ),
    ['t, 20 looks, even', boundaryT(20, even)],
    ['t, 20 looks, power 2', boundaryT(20, power(2))],
    ['flips, 10 looks, even', boundaryFlips(10, even, flips)],
    ['flips, 10 looks, power 2', boundaryFlips(10, power(2), flips)],
    ['betting, sequence', betting('sequence')],
    ['betting, fixed n', betting('fixed n')],
    ['betting, growth', betting('growth')],
    ['betting, fixed n, differences within .2', betting('fixed n', 0.2)],
    ['betting, growth, differences within .2', betting('growth', 0.2)],
    ['empirical Bernstein', sequence(bernsteinLower)],
    ['Hoeffding', sequence(hoeffdingLower)],
    ['Bennett, variance known', sequence(bennettLower)],
    [
      'normal mixture',
      (differences, margin, random) =>
        sequence((values, alpha) => mixtureLower(values, alpha, differences.length / 2))(differences, margin, random),
    ],
  ];
  const part = (value: number) => value.toFixed(3);
  for (const speakers of third === undefined ? [5, 20, 60, 200] : [Number(third)]) {
    for (const rate of [0.04, 0.4]) {
      const margin = speakers === 5 ? 0.02 : plannedMargin(speakers, rate);
      console.log(
        `\n${speakers} speakers, WER ${100 * rate} %, margin ${(100 * margin).toFixed(2)} points (twice it fails in 90 % of the fixed design)`,
      );
      console.log('| rule | loss 1: fail | pass | loss 2: fail | pass | asked | none: fail | pass | asked |');
      console.log('|---|---|---|---|---|---|---|---|---|');
      for (const [name, rule] of rules) {
        const [none, edge, twice] = [0, 1, 2].map((times) =>
          measure(rule, speakers, rate, margin, times * margin, speakers === 200 ? Math.ceil(worlds / 4) : worlds),
        );
        const cells = [
          edge!.fail,
          edge!.pass,
          twice!.fail,
          twice!.pass,
          twice!.asked,
          none!.fail,
          none!.pass,
          none!.asked,
        ];
        console.log(`| ${name} | ${cells.map(part).join(' | ')} |`);
      }
    }
  }
}
