import { createRandom, type Random } from '../../base/random.ts';
import type { GateCheck, GateLimit } from '../../model/gate.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { BaselineTrial } from './baseline.ts';
import { checkLimits } from './check-limits.ts';
import { attributesOf, checkKey, isSampledLimit } from './limits.ts';
import { decideAtLook, isCertain, type LookedCheck, orderSpeakers, planLooks, speakerOf } from './looks.ts';
import { createReleases } from './simulated-releases.ts';
import type { GateTally } from './tally-trials.ts';
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

/** What a gate will say of releases that are not made yet. */
export interface PlannedGate {
  readonly limits: readonly PlannedLimit[];
  /** Of all limits together, of releases that lost nothing and so much: shares that pass and fail. */
  readonly releases: readonly { readonly loss: number; readonly passes: number; readonly fails: number }[];
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

/** How releases are judged of which verdicts are counted. */
const simulated = { permutations: 1000, resamples: 500, verdictsOnly: true };

/**
 * What the limits of a gate can see with this corpus, by the gate's own decisions on simulated releases. Speakers differ in each condition
 * as they do in this run, without its chance; a part of the trials is answered anew, with counts of errors that vary within a speaker as
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
): PlannedGate {
  // What is counted has no chance in it.
  const own = limits.filter(isSampledLimit);
  if (own.length === 0) return { limits: [], releases: [] };
  const { releases = 200, onProgress } = settings;
  const lowest = Math.min(...own.map(({ worseBy }) => worseBy ?? 0));
  const losses = [...new Set([0, settings.loss, ...steps.map((step) => Number((lowest + step).toFixed(6)))])].sort(
    (a, b) => a - b,
  );
  const release = createReleases(trials, utterances, own, settings.anew);
  const draw = (loss: number, random: Random): GateTally => {
    const drawn = release(loss, random);
    drawn.add(trials);
    return drawn.tally();
  };
  const counts = new Map<string, { check: GateCheck; passes: number[]; fails: number[] }>();
  const verdicts = losses.map(() => ({ pass: 0, inconclusive: 0, fail: 0 }));
  losses.forEach((loss, at) => {
    for (let release = 0; release < releases; release++) {
      const random = createRandom({ seed: settings.seed, use: 'plan', loss, release });
      const checks = checkLimits(own, draw(loss, random), [], { ...settings, ...simulated });
      for (const check of checks) {
        const key = checkKey(check);
        const found = counts.get(key) ?? { check, passes: losses.map(() => 0), fails: losses.map(() => 0) };
        if (check.verdict === 'pass') found.passes[at]!++;
        if (check.verdict === 'fail') found.fails[at]!++;
        counts.set(key, found);
      }
      verdicts[at]![worstVerdict(checks)]++;
      onProgress?.(at * releases + release + 1, losses.length * releases);
    }
  });
  const planned = [...counts.values()].map(({ check, passes, fails }): PlannedLimit => {
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
  const together = losses.flatMap((loss, at) => {
    const { pass, fail } = verdicts[at]!;
    return loss === 0 || loss === settings.loss ? [{ loss, passes: pass / releases, fails: fail / releases }] : [];
  });
  return { limits: planned, releases: together };
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
  const release = createReleases(trials, utterances, own, settings.anew);
  const losses = [...new Set([0, settings.loss])];
  return losses.map((loss, at) => {
    const sums = { asked: 0, passes: 0, fails: 0 };
    for (let number = 0; number < releases; number++) {
      const random = createRandom({ seed, use: 'plan', loss, release: number });
      const drawn = release(loss, random);
      let checks: readonly LookedCheck[] = [];
      for (const [place, look] of looks.entries()) {
        drawn.add(parts[place]!);
        const judged = checkLimits(own, drawn.tally(), [], { ...settings, ...simulated, look });
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
