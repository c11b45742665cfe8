import type { Random } from '../../base/random.ts';
import type { GateLimit } from '../../model/gate.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import type { BaselineTrial } from './baseline.ts';
import { attributesOf } from './limits.ts';
import { createGateCounters, type GateTally } from './tally-trials.ts';

/** A release whose trials come by and by. */
export interface DrawnRelease {
  add(trials: readonly BaselineTrial[]): void;
  tally(): GateTally;
}

/**
 * Releases like a run: speakers differ in each condition as they do there, without its chance, a part of the trials is answered anew, and
 * what is lost is lost by all alike.
 *
 * @param limits whose attributes make the groups that keep their rates
 * @param anew share of trials that a release answers anew: the others get the same errors
 * @returns a release that lost so much, of .02 for two points of WER
 */
export function createReleases(
  trials: readonly BaselineTrial[],
  utterances: ReadonlyMap<string, Utterance>,
  limits: readonly GateLimit[],
  anew: number,
): (loss: number, random: Random) => DrawnRelease {
  const groupBy = attributesOf(limits);
  const placeOf = ({ recognizer, condition, utterance }: BaselineTrial) =>
    JSON.stringify([recognizer, condition, utterances.get(utterance)?.speaker ?? utterance]);
  const sums = new Map<string, { errors: number; words: number; trials: number }>();
  for (const trial of trials) {
    const sum = sums.get(placeOf(trial)) ?? { errors: 0, words: 0, trials: 0 };
    sums.set(placeOf(trial), sum);
    sum.errors += trial.errors;
    sum.words += trial.words;
    sum.trials++;
  }
  const expected = (rates: (trial: BaselineTrial) => number) =>
    new Map(trials.map((trial) => [trial, trial.words * rates(trial)]));
  const seen = expected((trial) => {
    const { errors, words } = sums.get(placeOf(trial))!;
    return words === 0 ? 0 : errors / words;
  });
  // Speakers without an error say nothing of how errors vary.
  const spread = dispersion(seen, [...sums.values()].filter(({ errors }) => errors > 0).length);
  const partOf = ({ recognizer, condition, utterance }: BaselineTrial) => {
    const known = utterances.get(utterance);
    return JSON.stringify([recognizer, condition, groupBy.map((name) => known && (attributeOf(known, name) ?? null))]);
  };
  const rates = trueRates(Map.groupBy(trials, partOf).values(), placeOf, sums, spread);
  // The errors that a release is expected to have.
  const means = expected((trial) => rates.get(placeOf(trial)) ?? 0);
  const recognizers = [...new Set(trials.map(({ recognizer }) => recognizer))];
  const conditions = [...new Set(trials.map(({ condition }) => condition))];
  return (loss, random) => {
    const counters = createGateCounters(groupBy);
    // Groups are known before the first of their trials is there.
    for (const utterance of utterances.values()) counters.slices.enter(utterance);
    let current: string | null = null;
    let compared = 0;
    return {
      add(own) {
        compared += own.length;
        for (const trial of own) {
          if (current !== trial.utterance) counters.slices.enter(utterances.get(trial.utterance)!);
          current = trial.utterance;
          const { recognizer, condition, words } = trial;
          const mean = means.get(trial)!;
          const before = drawCount(mean, spread, random);
          const changed = random.next() < anew ? drawCount(mean, spread, random) : before;
          const right = Math.max(0.05, 1 - mean / Math.max(1, words));
          // Of the words that are right, so many go wrong that the rate grows by the loss.
          const after = changed + binomial(words - changed, loss === 0 ? 0 : Math.min(1, loss / right), random);
          for (const which of ['answered', 'worst', 'after', 'worstAfter'] as const)
            counters.add(recognizer, condition, which, after, words);
          for (const which of ['before', 'allBefore'] as const)
            counters.add(recognizer, condition, which, before, words);
          if (after !== before) for (const place of [null, condition]) counters.facts(recognizer, place).changed++;
        }
      },
      tally: () => ({
        ...{
          ...counters,
          recognizers,
          conditions,
          attributes: new Set<string>(),
          trials: [],
          withoutReference: 0,
          worseUtterances: [],
        },
        baseline: { compared, failedHere: 0, otherContent: 0, onlyThere: 0, onlyHere: 0, trialsOf: () => 0 },
      }),
    };
  };
}

/**
 * Rates of speakers that differ from each other as those of this run do without its own chance, which a release adds anew: to keep the
 * rates that were seen would count chance twice. Drawn towards the rate of their group, which stays, by the root of the share of their
 * variance that is no chance (constrained empirical Bayes; T. Louis, JASA 79, 1984).
 *
 * @param parts trials of one recognizer, condition and group
 */
function trueRates(
  parts: Iterable<readonly BaselineTrial[]>,
  placeOf: (trial: BaselineTrial) => string,
  sums: ReadonlyMap<string, { readonly errors: number; readonly words: number }>,
  spread: number,
): ReadonlyMap<string, number> {
  const rates = new Map<string, number>();
  for (const part of parts) {
    const places = [...new Set(part.map(placeOf))].filter((place) => sums.get(place)!.words > 0);
    const speakers = places.map((place) => sums.get(place)!);
    const total = (of: (speaker: { readonly errors: number; readonly words: number }) => number) =>
      speakers.reduce((sum, speaker) => sum + of(speaker), 0);
    const [errors, words] = [total((one) => one.errors), total((one) => one.words)];
    const rate = errors / words;
    const seen = total((one) => one.words * (one.errors / one.words - rate) ** 2);
    const room = words - total((one) => one.words ** 2) / words;
    const between = room > 0 ? Math.max(0, seen - (speakers.length - 1) * spread * rate) / room : 0;
    const drawn = speakers.map((one) => {
      const chance = (spread * rate) / one.words;
      const kept = between + chance > 0 ? Math.sqrt(between / (between + chance)) : 1;
      return rate + kept * (one.errors / one.words - rate);
    });
    const all = drawn.reduce((sum, one, at) => sum + one * speakers[at]!.words, 0);
    places.forEach((place, at) => {
      rates.set(place, all === 0 ? 0 : (drawn[at]! * errors) / all);
    });
  }
  return rates;
}

/** The variance of a trial's errors about what its speaker's rate expects, over that: 1 for independent rare errors. */
function dispersion(means: ReadonlyMap<BaselineTrial, number>, speakers: number): number {
  const expected = [...means].filter(([, mean]) => mean > 0);
  const freedom = expected.length - speakers;
  if (freedom <= 0 || expected.length === 0) return 1;
  const sum = expected.reduce((all, [{ errors }, mean]) => all + (errors - mean) ** 2 / mean, 0);
  return Math.min(20, Math.max(0.05, sum / freedom));
}

/** A count of this mean, whose variance is `spread` times as much: binomial below 1, else a Poisson number of a gamma mean. */
function drawCount(mean: number, spread: number, random: Random): number {
  if (mean === 0) return 0;
  if (spread < 1) {
    const items = mean / (1 - spread);
    const whole = Math.floor(items) + (random.next() < items % 1 ? 1 : 0);
    return binomial(whole, 1 - spread, random);
  }
  return poisson(spread < 1.01 ? mean : (spread - 1) * gamma(mean / (spread - 1), random), random);
}

function binomial(items: number, share: number, random: Random): number {
  let count = 0;
  if (share > 0) for (let item = 0; item < items; item++) if (random.next() < share) count++;
  return count;
}

/** D. Knuth's products of uniform numbers, in pieces, since the exponential of a large mean is 0. */
function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let left = mean; left > 0; left -= 30) {
    const floor = Math.exp(-Math.min(left, 30));
    for (let product = random.next(); product > floor; product *= random.next()) count++;
  }
  return count;
}

/** G. Marsaglia and W. Tsang, "A simple method for generating gamma variables" (ACM TOMS 26, 2000); shapes below 1 by their boost. */
function gamma(shape: number, random: Random): number {
  if (shape < 1) return gamma(shape + 1, random) * random.next() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const normal = random.normal();
    const v = (1 + c * normal) ** 3;
    if (v > 0 && Math.log(random.next()) < 0.5 * normal ** 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}
