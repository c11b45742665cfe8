import { createRandom, type Random } from '../../base/random.ts';
import type { GateCheck, GateLimit } from '../../model/gate.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { BaselineTrial } from './baseline.ts';
import { checkLimits } from './check-limits.ts';
import { attributesOf, checkKey, isSampledLimit } from './limits.ts';
import { decideAtLook, isCertain, type LookedCheck, orderSpeakers, planLooks, speakerOf } from './looks.ts';
import { createGateCounters, type GateTally } from './tally-trials.ts';
import { type CheckSettings, worstVerdict } from './verdicts.ts';

/** What a limit will say of releases that are not made yet. */
export interface PlannedLimit {
  readonly check: Pick<GateCheck, 'measure' | 'limit' | 'recognizer' | 'condition' | 'group'>;
  readonly speakers: number;
  readonly words: number;
  /** Shares of releases that do as this run does. */
  readonly unchanged: { readonly passes: number; readonly fails: number };
  /** Shares of fail by what is lost in truth (.05: five points more WER than this run); in the order of the losses. */
  readonly losses: readonly { readonly loss: number; readonly fails: number }[];
  /** The loss that keeps the limit yet; null for a gap. */
  readonly room: number | null;
  /** The loss that fails in 80 of 100; null: none of those tried. */
  readonly detectable: number | null;
  /** How many speakers like these see the wanted loss in 80 of 100; null where nobody can say. */
  readonly speakersForLoss: number | null;
}

/** What a gate that is asked until it is certain will ask, and how it decides, of releases that lost so much. */
export interface PlannedAsking {
  readonly loss: number;
  /** Mean share of the speakers. */
  readonly asked: number;
  /** Shares of releases. */
  readonly passes: number;
  readonly fails: number;
}

export interface PlanSettings extends CheckSettings {
  /** Share of trials that a release answers anew: the others get the same errors. */
  readonly anew: number;
  /** A loss that must be seen, of .02 for two points. */
  readonly loss: number;
  /** Simulated releases for each loss; 200 by default: shares within about 3 points. */
  readonly releases?: number;
  readonly onProgress?: (done: number, of: number) => void;
}

const power = 0.8;

/** Points of WER beyond the limit that is asked for. */
const steps = [0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5];

/**
 * What the limits of a gate can see with this corpus, by the gate's own decisions on simulated releases. Each speaker keeps the rate that this
 * run has in each condition; a part of the trials is answered anew, with counts of errors that vary within a speaker as
 * they do in this run; a release that lost something has further errors in as many words, alike for all. What a run cannot know is stated by whoever asks: how much a release answers anew
 * (all of it, of a new model), and that a loss is spread over all speakers.
 *
 * @param trials of the run, those of one utterance one after another
 */
export function planLimits(
  trials: readonly BaselineTrial[],
  utterances: ReadonlyMap<string, Utterance>,
  limits: readonly GateLimit[],
  settings: PlanSettings,
): PlannedLimit[] {
  // What is counted has no chance in it.
  const own = limits.filter(isSampledLimit);
  if (own.length === 0) return [];
  const { releases = 200, onProgress } = settings;
  const lowest = Math.min(...own.map(({ worseBy }) => worseBy ?? 0));
  const losses = [...new Set([0, settings.loss, ...steps.map((step) => Number((lowest + step).toFixed(6)))])].sort(
    (a, b) => a - b,
  );
  const release = createReleases(trials, utterances, own, settings);
  const draw = (loss: number, random: Random): GateTally => {
    const drawn = release(loss, random);
    drawn.add(trials);
    return drawn.tally();
  };
  const counts = new Map<string, { check: GateCheck; passes: number[]; fails: number[] }>();
  losses.forEach((loss, at) => {
    for (let release = 0; release < releases; release++) {
      const random = createRandom({ seed: settings.seed, use: 'plan', loss, release });
      const checks = checkLimits(own, draw(loss, random), [], { ...settings, permutations: 1000, resamples: 500 });
      for (const check of checks) {
        const key = checkKey(check);
        const found = counts.get(key) ?? { check, passes: losses.map(() => 0), fails: losses.map(() => 0) };
        if (check.verdict === 'pass') found.passes[at]!++;
        if (check.verdict === 'fail') found.fails[at]!++;
        counts.set(key, found);
      }
      onProgress?.(at * releases + release + 1, losses.length * releases);
    }
  });
  return [...counts.values()].map(({ check, passes, fails }): PlannedLimit => {
    const { measure, limit, recognizer, condition, group, value } = check;
    const shares = losses.map((loss, at) => ({ loss, fails: fails[at]! / releases }));
    // What a release may lose and keep the limit.
    const room = measure === 'worseBy' ? limit : Math.max(0, limit - rateOf(trials, utterances, check));
    const detectable = measure === 'gap' ? null : lossAt(shares, power);
    const { speakers, words = 0 } = value.n;
    return {
      check: { measure, limit, recognizer, condition, group },
      ...{ speakers, words, losses: measure === 'gap' ? [] : shares, detectable },
      unchanged: { passes: passes[0]! / releases, fails: shares[0]!.fails },
      room: measure === 'gap' ? null : room,
      speakersForLoss: speakersFor(detectable, settings.loss, room, speakers),
    };
  });
}

/** The rate of this run where a limit holds. */
function rateOf(
  trials: readonly BaselineTrial[],
  utterances: ReadonlyMap<string, Utterance>,
  { recognizer, condition, group }: Pick<GateCheck, 'recognizer' | 'condition' | 'group'>,
): number {
  const valueIn = (trial: BaselineTrial, attribute: string) => {
    const utterance = utterances.get(trial.utterance);
    return utterance === undefined ? undefined : attributeOf(utterance, attribute);
  };
  const own = trials.filter(
    (trial) =>
      trial.recognizer === recognizer &&
      (condition === null || trial.condition === condition) &&
      (group === null || valueIn(trial, group.attribute) === group.value),
  );
  const sum = (of: (trial: BaselineTrial) => number) => own.reduce((all, trial) => all + of(trial), 0);
  return sum(({ words }) => words) === 0 ? 0 : sum(({ errors }) => errors) / sum(({ words }) => words);
}

/** Between two losses the share goes in a straight line. */
function lossAt(shares: readonly { readonly loss: number; readonly fails: number }[], wanted: number): number | null {
  const above = shares.findIndex(({ fails }) => fails >= wanted);
  if (above < 0) return null;
  if (above === 0) return shares[0]!.loss;
  const [one, other] = [shares[above - 1]!, shares[above]!];
  return one.loss + ((wanted - one.fails) / (other.fails - one.fails)) * (other.loss - one.loss);
}

/** What lies beyond what the limit allows is seen with the root of the number of speakers. */
function speakersFor(detectable: number | null, loss: number, limit: number, speakers: number): number | null {
  if (detectable === null || loss <= limit || detectable <= limit) return null;
  return Math.max(1, Math.ceil(speakers * ((detectable - limit) / (loss - limit)) ** 2));
}

/**
 * The same releases, asked speaker by speaker until the gate is certain.
 *
 * @returns of a release without a change, and of one with the wanted loss
 */
export function planAsking(
  trials: readonly BaselineTrial[],
  utterances: ReadonlyMap<string, Utterance>,
  limits: readonly GateLimit[],
  settings: PlanSettings & { readonly askUntil: 'verdict' | 'limits' },
): PlannedAsking[] {
  const own = limits.filter(isSampledLimit);
  if (own.length === 0) return [];
  const { releases = 200, onProgress, seed, minimumSpeakers = defaultMinimumClusters } = settings;
  const order = orderSpeakers(utterances.values(), attributesOf(own), seed);
  const looks = planLooks(order.length, minimumSpeakers);
  const places = new Map(order.map((speaker, place) => [speaker, place]));
  const lookOf = ({ utterance }: BaselineTrial) => {
    const place = places.get(speakerOf(utterances.get(utterance)!))!;
    return looks.findIndex(({ speakers }) => place < speakers);
  };
  const byLook = Map.groupBy(trials, lookOf);
  const parts = looks.map((_, look) => byLook.get(look) ?? []);
  const release = createReleases(trials, utterances, own, settings);
  const losses = [...new Set([0, settings.loss])];
  return losses.map((loss, at) => {
    const sums = { asked: 0, passes: 0, fails: 0 };
    for (let number = 0; number < releases; number++) {
      const random = createRandom({ seed, use: 'plan', loss, release: number });
      const drawn = release(loss, random);
      let checks: readonly LookedCheck[] = [];
      for (const [place, look] of looks.entries()) {
        drawn.add(parts[place]!);
        const judged = checkLimits(own, drawn.tally(), [], { ...settings, permutations: 1000, resamples: 500, look });
        checks = decideAtLook(checks, judged, look);
        if (look.share < 1 && !isCertain(checks, settings.askUntil)) continue;
        sums.asked += look.share;
        break;
      }
      const verdict = worstVerdict(checks);
      if (verdict === 'pass') sums.passes++;
      if (verdict === 'fail') sums.fails++;
      onProgress?.(at * releases + number + 1, losses.length * releases);
    }
    return { loss, asked: sums.asked / releases, passes: sums.passes / releases, fails: sums.fails / releases };
  });
}

/** A release whose trials come by and by. */
interface DrawnRelease {
  add(trials: readonly BaselineTrial[]): void;
  tally(): GateTally;
}

function createReleases(
  trials: readonly BaselineTrial[],
  utterances: ReadonlyMap<string, Utterance>,
  limits: readonly GateLimit[],
  { anew }: PlanSettings,
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
  // The errors that a release is expected to have.
  const means = new Map(
    trials.map((trial) => {
      const { errors, words } = sums.get(placeOf(trial))!;
      return [trial, words === 0 ? 0 : (trial.words * errors) / words];
    }),
  );
  // Speakers without an error say nothing of how errors vary.
  const spread = dispersion(means, [...sums.values()].filter(({ errors }) => errors > 0).length);
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
          if (current !== trial.utterance) counters.enter(utterances.get(trial.utterance)!);
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
        baseline: { compared, otherContent: 0, onlyThere: 0, onlyHere: 0 },
      }),
    };
  };
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
