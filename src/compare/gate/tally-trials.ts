import type { WorseUtterance } from '../../model/gate.ts';
import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { repeatedLoops } from '../../scoring/analysis/repeated-loops.ts';
import { errors } from '../../scoring/edit-counts.ts';
import { TimeSum } from '../../studies/shared/computing-time.ts';
import { keepBest } from '../../studies/shared/examples.ts';
import { SlicedCounts } from '../../studies/shared/sliced-counts.ts';
import { type BaselineTrial, contentOf, questionOf } from './baseline.ts';

/** A trial of the run that is judged. Those of one utterance come one after another. */
export interface GateTrial {
  readonly utterance: Utterance;
  readonly conditionName: string;
  /** Steps of the condition as canonical JSON: a condition of another run by the same name may be another one. */
  readonly steps: string;
  readonly draw: number;
  readonly repeat: number;
  readonly recognizer: string;
  readonly observation: Observation;
  /** What it cost, where that is known. */
  readonly price?: number;
  /** Asked beside: it counts where recognitions are counted, and in no rate of words. */
  readonly isBeside?: boolean;
}

/** What of a recognizer is counted and has no interval: this run is all there is. */
export interface GateFacts {
  /** Recognitions that were asked, whichever study asked them. */
  trials: number;
  failed: number;
  /** Answered trials with words in the reference. */
  answered: number;
  /** Of these: no word, or a loop that the reference does not have. */
  collapsed: number;
  /** Of answers. */
  readonly time: TimeSum;
  /** Of all trials. */
  audioSeconds: number;
  /** Of trials whose price is known. */
  price: number;
  pricedSeconds: number;
  /** Compared trials with another count of errors than in the baseline, or none. */
  changed: number;
}

/**
 * Series of a recognizer in a condition. `answered`: errors of the transcripts. `worst`: trials without a transcript too, each with all of its
 * words wrong. The others are of the trials that the baseline has: `before` and `after` where this run has a transcript too, `allBefore` and `worstAfter` of all.
 */
export const gateSeries = ['answered', 'worst', 'before', 'after', 'allBefore', 'worstAfter'] as const;
export type GateSeries = (typeof gateSeries)[number];

/** What the limits of a gate are checked against: the trials of a run, beside those of its baseline. */
export interface GateTally {
  readonly slices: SlicedCounts;
  readonly recognizers: readonly string[];
  /** In the order in which they came. */
  readonly conditions: readonly string[];
  /** Of all utterances, whether groups are made of them or not. */
  readonly attributes: ReadonlySet<string>;
  /** @param condition null: all together */
  series(recognizer: string, condition: string | null, which: GateSeries): number;
  facts(recognizer: string, condition: string | null): GateFacts;
  /** The trials themselves as a baseline has them; failed ones are left out. */
  readonly trials: readonly BaselineTrial[];
  readonly withoutReference: number;
  readonly baseline: {
    /** Trials with a transcript that both have, and that are the same question. */
    readonly compared: number;
    /** The baseline has an answer to the same question, and this run has none. */
    readonly failedHere: number;
    /** Of the same name, but about another clip, reference or condition. */
    readonly otherContent: number;
    /** Of recognizers that the run has. */
    readonly onlyThere: number;
    readonly onlyHere: number;
    /** How many the baseline has. */
    trialsOf(recognizer: string, condition: string | null): number;
  } | null;
  readonly worseUtterances: readonly WorseUtterance[];
}

const maxWorse = 10;

/** Where counts of trials are added up by recognizer, condition, speaker and group. */
export interface GateCounters extends Pick<GateTally, 'slices' | 'series' | 'facts'> {
  add(recognizer: string, condition: string, which: GateSeries, errors: number, words: number): void;
  /** Who decides a rate is looked for; of `after` the difference to `before`. */
  watch(
    at: { readonly recognizer: string; readonly condition: string },
    which: 'answered' | 'after',
    share: WatchedShare,
  ): void;
}

interface WatchedShare {
  readonly errors: number;
  readonly words: number;
  /** The words of the transcript. */
  readonly heard: readonly string[];
}

export function createGateCounters(groupBy: readonly string[]): GateCounters {
  const slices = new SlicedCounts(groupBy);
  const places = new Map<string, Map<string | null, number>>();
  let count = 0;
  const facts = new Map<string, GateFacts>();
  const series = (recognizer: string, condition: string | null, which: GateSeries): number => {
    const own = places.get(recognizer) ?? new Map<string | null, number>();
    places.set(recognizer, own);
    const place = own.get(condition) ?? count++;
    own.set(condition, place);
    return place * gateSeries.length + gateSeries.indexOf(which);
  };
  return {
    slices,
    series,
    facts(recognizer, condition) {
      const key = JSON.stringify([recognizer, condition]);
      const none = {
        trials: 0,
        failed: 0,
        answered: 0,
        collapsed: 0,
        time: new TimeSum(),
        audioSeconds: 0,
        price: 0,
        pricedSeconds: 0,
        changed: 0,
      };
      const own = facts.get(key) ?? none;
      facts.set(key, own);
      return own;
    },
    add(recognizer, condition, which, errors, words) {
      for (const place of [null, condition]) slices.add(series(recognizer, place, which), errors, words);
    },
    watch({ recognizer, condition }, which, { errors, words, heard }) {
      for (const place of [null, condition]) {
        slices.watch(series(recognizer, place, which), errors, words, () => heard);
      }
    },
  };
}

/**
 * Counts the trials of a run for its limits, and beside a baseline.
 *
 * @param words what makes words of a text
 * @param groupBy attributes that limits name
 * @param baseline null: there is none
 */
export async function tallyTrials(
  trials: AsyncIterable<GateTrial> | Iterable<GateTrial>,
  words: (text: string, language: string) => string[],
  groupBy: readonly string[],
  baseline: readonly BaselineTrial[] | null,
): Promise<GateTally> {
  const tally = createTrialTally(words, groupBy, baseline);
  for await (const trial of trials) tally.add(trial);
  return tally.tally();
}

/** Trials as they come; `tally` says what was counted until then. */
export interface TrialTally {
  /** So that its speaker and its groups are known before a trial is there. */
  expect(utterance: Utterance): void;
  add(trial: GateTrial): void;
  tally(): GateTally;
}

/** As `tallyTrials`, for trials that come by and by. */
export function createTrialTally(
  words: (text: string, language: string) => string[],
  groupBy: readonly string[],
  baseline: readonly BaselineTrial[] | null,
): TrialTally {
  const recognizers = new Set<string>();
  const conditions = new Set<string>();
  const attributes = new Set<string>();
  const known = new Map((baseline ?? []).map((trial) => [questionOf(trial), trial]));
  const counters = createGateCounters(groupBy);
  const worse = keepBest<WorseUtterance>(maxWorse);
  const counted: BaselineTrial[] = [];
  const seen = { withoutReference: 0, compared: 0, failedHere: 0, otherContent: 0, onlyHere: 0 };
  const there = new Map<string, number>();
  const thereKey = (recognizer: string, condition: string | null) => JSON.stringify([recognizer, condition]);
  for (const { recognizer, condition } of known.values())
    for (const key of [thereKey(recognizer, null), thereKey(recognizer, condition)])
      there.set(key, (there.get(key) ?? 0) + 1);
  const met = new Set<string>();
  let current = { id: null as string | null, reference: null as readonly string[] | null, loops: 0 };

  const meet = (utterance: Utterance): void => {
    for (const name of Object.keys(utterance.attributes)) attributes.add(name);
  };
  const add = (trial: GateTrial): void => {
    const { utterance, conditionName, recognizer, observation, draw, repeat } = trial;
    const { language } = utterance;
    recognizers.add(recognizer);
    conditions.add(conditionName);
    // Nobody was asked what cannot be asked.
    if (observation.failure?.kind === 'inapplicable') return;
    const counts = [counters.facts(recognizer, null), counters.facts(recognizer, conditionName)];
    for (const own of counts) {
      own.trials++;
      if (observation.transcript === undefined) own.failed++;
      own.time.add(observation);
      own.audioSeconds += observation.soundSeconds ?? 0;
      if (trial.price !== undefined) {
        own.price += trial.price;
        own.pricedSeconds += observation.soundSeconds ?? 0;
      }
    }
    if (trial.isBeside === true) return;
    if (current.id !== utterance.id) {
      const reference = utterance.reference === undefined ? null : words(utterance.reference, language);
      const loops = reference === null ? 0 : repeatedLoops(reference).length;
      current = { id: utterance.id, reference, loops };
      meet(utterance);
      if (reference === null) seen.withoutReference++;
      else counters.slices.enter(utterance);
    }
    const { reference } = current;
    if (reference === null) return;
    const written = observation.transcript === undefined ? null : words(observation.transcript.text, language);
    if (written !== null && reference.length > 0) {
      const isCollapsed = written.length === 0 || repeatedLoops(written).length > current.loops;
      for (const own of counts) {
        own.answered++;
        if (isCollapsed) own.collapsed++;
      }
    }
    const made = written === null ? null : errors(countEdits(reference, written));
    const count = (which: GateSeries, wrong: number) =>
      counters.add(recognizer, conditionName, which, wrong, reference.length);
    count('worst', made ?? reference.length);
    const watch = (which: 'answered' | 'after', wrong: number, heard: readonly string[]) =>
      counters.watch({ recognizer, condition: conditionName }, which, {
        errors: wrong,
        words: reference.length,
        heard,
      });
    if (made !== null) {
      count('answered', made);
      watch('answered', made, written!);
    }
    const question = { recognizer, condition: conditionName, utterance: utterance.id, draw, repeat };
    const content = contentOf(utterance.reference!, language, trial.steps, observation.soundSeconds);
    if (made !== null) counted.push({ ...question, words: reference.length, errors: made, content });
    if (baseline === null) return;
    const before = known.get(questionOf(question));
    if (before === undefined) {
      seen.onlyHere++;
      return;
    }
    met.add(questionOf(question));
    // Of a failed trial nobody knows the duration.
    if (before.words !== reference.length || (made !== null && before.content !== content)) {
      seen.otherContent++;
      return;
    }
    if (made === null) seen.failedHere++;
    else seen.compared++;
    count('allBefore', before.errors);
    count('worstAfter', made ?? reference.length);
    if (made !== before.errors) for (const own of counts) own.changed++;
    if (made === null) return;
    count('before', before.errors);
    count('after', made);
    watch('after', made - before.errors, written!);
    const more = made - before.errors;
    if (more > 0) {
      const rank = [before.errors === 0 ? 1 : 0, more / Math.max(1, reference.length)];
      const found = { recognizer, utterance: utterance.id, condition: conditionName, words: reference.length };
      if (worse.wants(rank)) worse.offer(rank, { ...found, errorsBefore: before.errors, errorsAfter: made });
    }
  };
  return {
    expect(utterance) {
      meet(utterance);
      if (utterance.reference !== undefined) counters.slices.enter(utterance);
    },
    add,
    tally() {
      const onlyThere = [...known].filter(([key, one]) => recognizers.has(one.recognizer) && !met.has(key)).length;
      return {
        ...counters,
        recognizers: [...recognizers],
        conditions: [...conditions],
        attributes,
        trials: counted,
        withoutReference: seen.withoutReference,
        baseline:
          baseline === null
            ? null
            : {
                ...{ ...seen, onlyThere },
                trialsOf: (recognizer, condition) => there.get(thereKey(recognizer, condition)) ?? 0,
              },
        worseUtterances: worse.items(),
      };
    },
  };
}
