import { callerNames } from '../base/caller.ts';
import { EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { type Failure, failuresInWords } from '../model/observation.ts';
import type { PlannedQuestion } from '../store/contract.ts';
import { type AskedTrial, askTrial } from './ask-trial.ts';
import type { Asking, LaneContext, RunContext } from './lane-context.ts';

/** Where the first recording is an odd one, two others are tried. */
const commonestFailure = 3;
/** Sounds that cannot be read are passed over; where so many in a row cannot, they are not where the list says. */
const maxTrials = 20;
/** Whoever takes longer to fail is not tried again. */
const longEnoughMs = 60_000;
/** Trials that the tried ones are chosen among. */
const pageSize = 4096;

/** Failures that say nothing of the recognizer, and cost nothing to meet. */
const blameless: readonly Failure['kind'][] = ['sound', 'inapplicable', 'unknown-utterance'];

/** A recognizer that answered nothing. */
interface Silent {
  readonly recognizer: string;
  readonly trials: number;
  readonly failure: Failure;
  /** It was not asked, because no sound could be read. */
  readonly unheard: boolean;
}

/**
 * Asks each recognizer a trial of the run before the rest is asked, all of them at once: a wrong key or a missing model is
 * told in seconds, not in the morning. What is answered is kept and not asked again; failures are kept where another trial
 * is answered, and else forgotten, so that the same run goes on once the fault is mended. Where none of twenty sounds can be read, the
 * others are not looked for either: of three hundred thousand that takes minutes.
 *
 * Each is tried once for each start of the program, in the first batch that has an open question to it.
 *
 * @returns what tries those that have not been tried, with the questions that a batch has so far
 * @throws EarwitnessError `nothing-answered`, with all that did not answer, or with the sounds that cannot be read
 */
export function createPreflight(run: RunContext): (batch: number) => Promise<void> {
  const { store, runId, preflight, on, signal } = run.setup;
  const tried = new Set<string>();
  return async (batch) => {
    if (!preflight) return;
    const broken = new AbortController();
    const context: LaneContext = {
      ...run,
      batch,
      inFlight: new Map(),
      settled: () => {},
      breakOff: (error) => broken.abort(error),
      stop: AbortSignal.any([signal, broken.signal]),
      recall: AbortSignal.any([signal, broken.signal]),
    };
    const candidates = run.askings.flatMap((asking, index) => {
      // Two names of one identity have the same answers.
      if (tried.has(asking.identity) || store.countOpen(runId, batch, index) === 0) return [];
      tried.add(asking.identity);
      return [{ asking, index }];
    });
    if (candidates.length === 0) return;
    on({ type: 'preflight', recognizers: candidates.length });
    const ends = await Promise.allSettled(
      candidates.map(async ({ asking, index }) => {
        try {
          return await tryOut(context, { ...asking, hasty: true }, index);
        } catch (error) {
          context.breakOff(error);
          throw error;
        }
      }),
    );
    context.stop.throwIfAborted();
    const silent = ends.flatMap((end) => (end.status === 'fulfilled' && end.value !== null ? [end.value] : []));
    if (silent.some(({ unheard }) => unheard)) {
      // Sounds that are found later have other keys: the questions are planned again.
      const { study } = store.batches(runId).find((record) => record.batch === batch)!;
      store.beginBatch(runId, batch, study);
    }
    if (silent.length > 0) throw new EarwitnessError('nothing-answered', sentence(silent));
  };
}

async function tryOut(context: LaneContext, asking: Asking, recognizer: number): Promise<Silent | null> {
  const { store, runId, clock } = context.setup;
  const started = clock.monotonicMs();
  const open = store.open(runId, context.batch, { recognizer, after: -1, limit: pageSize });
  const failed: AskedTrial[] = [];
  const blamed: Failure[] = [];
  let silent = true;
  try {
    for (const question of apart(open)) {
      const enough = blamed.length === commonestFailure || failed.length === maxTrials;
      if (enough || clock.monotonicMs() - started > longEnoughMs) break;
      // What failed in an earlier run may be to blame itself.
      if (store.failedBefore(question.key)) continue;
      const asked = await askTrial(context, asking, question);
      if (asked.failure === null) {
        silent = false;
        await asked.keep();
        return null;
      }
      failed.push(asked);
      if (!blameless.includes(asked.failure.kind)) blamed.push(asked.failure);
    }
    const unread = failed.flatMap(({ failure }) => (failure?.kind === 'sound' ? [failure] : []));
    const unheard = unread.length === maxTrials;
    const counted = unheard ? unread : blamed;
    silent = counted.length > 0;
    return silent
      ? { recognizer: asking.recognizer.name, trials: counted.length, failure: counted[0]!, unheard }
      : null;
  } finally {
    await Promise.all(failed.map((asked) => (silent ? asked.dismiss() : asked.keep())));
  }
}

/** The first, then those far from each other: neighbours are often of one speaker and one recorder. One of each utterance. */
function* apart(questions: readonly PlannedQuestion[]): Generator<PlannedQuestion> {
  const utterances = new Set<number>();
  const size = questions.length;
  for (let parts = 1; parts <= 2 * size; parts *= 2) {
    for (let part = 0; part < parts; part++) {
      const question = questions[Math.floor((part * size) / parts)]!;
      if (utterances.has(question.utterance)) continue;
      utterances.add(question.utterance);
      yield question;
    }
  }
}

function sentence(silent: readonly Silent[]): string {
  const unheard = silent.find((one) => one.unheard);
  if (unheard !== undefined) {
    const { trials, failure } = unheard;
    return `none of the first ${trials} recordings could be read (${printable(failure.message, 500)}). The run stopped: fix that and run again, or continue all the same with ${callerNames().allMayFail}`;
  }
  const way = `ix that and run again, or continue all the same with ${callerNames().allMayFail}`;
  const told = silent.map(({ recognizer, trials, failure: { kind, message } }) => {
    const none = trials === 1 ? 'did not answer the first trial' : `answered none of the first ${trials} trials`;
    return `${recognizer} ${none} (${failuresInWords[kind]}: ${printable(message, 500)})`;
  });
  return told.length === 1
    ? `${told[0]}. The run stopped: f${way}`
    : `${told.length} recognizers do not answer, so the run stopped:\n  ${told.join('\n  ')}\nF${way}`;
}
