import type { Clock } from '../base/clock.ts';
import { badInput, EarwitnessError } from '../base/errors.ts';
import { Pace } from '../base/pace.ts';
import type { ReadyStep } from '../perturbations/apply-steps.ts';
import type { BatchProgress, BatchRecord, PlannedQuestion } from '../store/contract.ts';
import type { Batch, Question } from '../studies/contract.ts';
import { askTrial, failureOfSound, soundChanged } from './ask-trial.ts';
import type { OnEvent } from './events.ts';
import type { Asking, LaneContext, RunContext } from './lane-context.ts';
import type { MakingMeter } from './making-meter.ts';
import { addQuality } from './quality.ts';
import { meterNamed, predictAndKeep, predictorNamed } from './text-models.ts';

/**
 * Sees to it that every question of a planned batch has an answer: one lane for each recognizer, and one for the sounds
 * and texts to be measured, side by side. An error that no trial is to blame for stops all of them; what is in flight is kept.
 */
export async function runBatch(shared: RunContext, batch: BatchRecord, asked: Batch): Promise<void> {
  const { setup } = shared;
  const { store, runId, clock, on } = setup;
  const lanes: (number | null)[] = [null, ...setup.recognizers.keys()];
  const open = new Map(lanes.map((lane) => [lane, store.countOpen(runId, batch.batch, lane)]));
  await beginConditions(shared, batch.batch, lanes);
  const counts = { size: batch.size, ...store.progress(runId, batch.batch) };
  const meter = createProgressMeter(open, counts, shared.making, clock, on);

  const [broken, hopeless] = [new AbortController(), new AbortController()];
  const context: LaneContext = {
    ...shared,
    batch: batch.batch,
    inFlight: new Map(),
    settled: meter.settled,
    breakOff(error) {
      if (!broken.signal.aborted && !(error instanceof EarwitnessError && error.code === 'budget'))
        hopeless.abort(error);
      broken.abort(error);
    },
    stop: AbortSignal.any([setup.signal, broken.signal]),
    recall: AbortSignal.any([setup.signal, hopeless.signal]),
  };
  const walking = lanes
    .filter((lane) => open.get(lane) !== 0)
    .map((lane) => (lane === null ? measure(context, asked) : runLane(context, lane)));
  // Settled, not all: every lane ends by itself, with what it had in flight.
  await Promise.allSettled(walking);
  meter.finish();
  context.stop.throwIfAborted();
}

/** Does what takes long and is done once, for the conditions that some question is still open in: no clip's time has it in it. */
async function beginConditions(
  { setup: { store, runId }, conditions }: RunContext,
  batch: number,
  lanes: readonly (number | null)[],
): Promise<void> {
  const waiting = new Map<number, readonly ReadyStep[]>();
  for (const index of store.conditions(runId).keys()) {
    const { steps } = (await conditions.heard(index)?.catch(() => null)) ?? { steps: [] };
    if (steps.some(({ prepared }) => prepared?.begin)) waiting.set(index, steps);
  }
  for (const lane of waiting.size === 0 ? [] : lanes) {
    let page: readonly PlannedQuestion[] = [];
    do {
      const after = page.at(-1)?.position ?? -1;
      page = store.open(runId, batch, { recognizer: lane, after, limit: pageSize });
      for (const { condition } of page) {
        for (const { prepared } of waiting.get(condition) ?? []) await prepared?.begin?.();
        waiting.delete(condition);
      }
    } while (page.length > 0 && waiting.size > 0);
  }
}

/** Sounds, texts and the time: what is asked of no recognizer. */
async function measure(context: LaneContext, asked: Batch): Promise<void> {
  const { batch, clips, conditions, commit, setup } = context;
  const { store, quality: meters, clock } = setup;
  // What measures listen to is made here; they listen in threads of their own.
  const atOnce = meters === undefined ? 1 : setup.workers;
  const textsOf = textQuestions(asked);
  await walkOpen(context, null, atOnce, async (question) => {
    if (question.asks !== undefined) {
      if (question.asks === 'elapsed') {
        store.saveElapsed(question.key, context.elapsedSeconds());
      } else {
        const texts = await textsOf(question);
        if (texts.ask === 'similarity') {
          const meter = await meterNamed(setup.similarity, texts.embedder);
          store.saveSimilarity(question.key, await meter.compare(texts));
        } else {
          const predictor = await predictorNamed(setup.predictors, texts.predictor);
          const keeping = { store, clock, signal: context.stop };
          await predictAndKeep(predictor, { key: question.key, question: texts }, keeping);
        }
      }
      context.settled(null, false);
      return;
    }
    const utterance = context.utterance(question.utterance);
    try {
      const made = await clips.make(utterance, await conditions.at(question.condition), question.draw);
      if (made.hash !== question.key) throw badInput(soundChanged());
      if (meters !== undefined && question.quality !== undefined)
        await addQuality({ meters, clips, store }, utterance, made, question.quality);
      context.settled(null, false);
    } catch (error) {
      if (!(error instanceof EarwitnessError) || error.code !== 'bad-input') throw error;
      await commit.end(null, {
        place: { batch, position: question.position },
        key: question.key,
        utteranceId: utterance.id,
        speaker: utterance.speaker ?? null,
        observation: {
          soundSeconds: null,
          timing: { seconds: 0, calls: 0 },
          failure: failureOfSound(error),
        },
      });
      context.settled(null, true);
    }
  });
}

/** Questions about texts: what they are about is not journaled, only its hash. */
type TextQuestion = Extract<Question, { readonly ask: 'similarity' | 'prediction' }>;

/**
 * Finds the questions about texts that journaled ones stand for, by walking their batch once more. To be asked in the order of
 * the positions; the next may be asked before the last was found.
 */
function textQuestions(batch: Batch): (planned: PlannedQuestion) => Promise<TextQuestion> {
  const questions = batch.questions()[Symbol.asyncIterator]();
  let next = 0;
  let found: Promise<TextQuestion | null> = Promise.resolve(null);
  const find = async (position: number): Promise<TextQuestion> => {
    for (;;) {
      const { done, value } = await questions.next();
      if (done) throw new Error(`a batch had a request at ${position} when it was planned, and has none now`);
      if (next++ < position) continue;
      if (value.ask !== 'similarity' && value.ask !== 'prediction')
        throw new Error(`the request at ${position} was another when it was planned`);
      return value;
    }
  };
  return ({ position }) => {
    const searched = found.then(() => find(position));
    found = searched;
    return searched;
  };
}

/** Asks one recognizer all its open questions of a batch. */
async function runLane(context: LaneContext, recognizerIndex: number): Promise<void> {
  const { setup, batch } = context;
  const { inFlight, askings } = context;
  const asking = askings[recognizerIndex]!;
  const { concurrency, batch: ahead = 1 } = asking.recognizer.limits;
  const alike = askings.filter(({ identity }) => identity === asking.identity).length > 1;

  // More than can be asked at once: their sounds are made while the others are being recognized.
  await walkOpen(context, recognizerIndex, concurrency + ahead, async (question) => {
    if (question.twin || alike) {
      for (let asked = inFlight.get(question.key); asked; asked = inFlight.get(question.key)) {
        await asked.catch(() => false);
      }
      if (setup.store.linkStored(setup.runId, { batch, position: question.position })) {
        context.settled(recognizerIndex, false);
        return;
      }
    }
    const failed = askAndKeep(context, asking, question);
    inFlight.set(question.key, failed);
    try {
      context.settled(recognizerIndex, await failed);
    } finally {
      inFlight.delete(question.key);
    }
  });
}

/** @returns whether it failed; what cannot be asked has not */
async function askAndKeep(context: LaneContext, asking: Asking, question: PlannedQuestion): Promise<boolean> {
  const asked = await askTrial(context, asking, question);
  await asked.keep();
  return asked.failure !== null && asked.failure.kind !== 'inapplicable';
}

const everyMs = 100;
const silentMs = 5000;

/** Counts what has been settled in a batch and says how long the rest will take. */
interface ProgressMeter {
  settled(lane: number | null, failed: boolean): void;
  finish(): void;
}

const openLane = (left: number, startedMs: number) => ({ left, pace: new Pace(startedMs) });

/**
 * The time left is that of the slowest lane at the pace of its last answers: lanes work side by side, and answers
 * that were stored before took no time and say nothing about it. All of them wait for sounds that are made slowly.
 *
 * @param open how many questions each lane still has to settle
 */
function createProgressMeter(
  open: ReadonlyMap<number | null, number>,
  { size, answered: before, reused, trials }: BatchProgress & { readonly size: number },
  making: Pick<MakingMeter, 'secondsLeft'>,
  clock: Clock,
  on: OnEvent,
): ProgressMeter {
  const startedMs = clock.monotonicMs();
  const lanes = new Map([...open].map(([lane, left]) => [lane, openLane(left, startedMs)]));
  let told = Number.NEGATIVE_INFINITY;
  const asked = { size: trials.planned, answered: trials.answered, failed: 0 };
  const measured = { size: size - trials.planned, answered: before - trials.answered, failed: 0 };

  const secondsLeft = (now: number): number | null => {
    let longest = making.secondsLeft();
    if (longest === null) return null;
    for (const { left, pace } of lanes.values()) {
      if (left === 0) continue;
      const each = pace.secondsEach(now);
      if (each === null) return null;
      longest = Math.max(longest, each * left);
    }
    return longest;
  };
  const tell = (now: number) => {
    told = now;
    silent.refresh();
    const left = secondsLeft(now);
    const waits = asked.answered === asked.size && measured.answered < measured.size;
    if (asked.size === 0) on({ type: 'progress', of: 'questions', ...measured, reused, secondsLeft: left });
    else if (waits) on({ type: 'progress', of: 'measurements', ...measured, reused: 0, secondsLeft: left });
    else on({ type: 'progress', of: 'trials', ...asked, reused, secondsLeft: left });
  };

  // Of those who wait long for an answer, the time left grows meanwhile.
  const silent = setTimeout(() => tell(clock.monotonicMs()), silentMs).unref();
  return {
    settled(lane, failed) {
      const now = clock.monotonicMs();
      const counts = lanes.get(lane);
      if (counts) {
        counts.left--;
        counts.pace.done(now);
      }
      const settled = lane === null ? measured : asked;
      settled.answered++;
      if (failed) settled.failed++;
      if (now - told >= everyMs) tell(now);
    },
    finish() {
      tell(clock.monotonicMs());
      clearTimeout(silent);
    },
  };
}

const pageSize = 256;

/** Walks the open questions of a batch for one recognizer (or for the sounds to be measured), several at once, in order. */
async function walkOpen(
  { setup: { store, runId }, batch, stop, breakOff }: LaneContext,
  recognizer: number | null,
  atOnce: number,
  answer: (question: PlannedQuestion) => Promise<void>,
): Promise<void> {
  let after = -1;
  let page: readonly PlannedQuestion[] = [];
  let index = 0;
  const next = (): PlannedQuestion | null => {
    if (index === page.length) {
      page = store.open(runId, batch, { recognizer, after, limit: pageSize });
      index = 0;
      if (page.length === 0) return null;
      after = page.at(-1)!.position;
    }
    return page[index++]!;
  };
  const work = async () => {
    try {
      for (let question = next(); question && !stop.aborted; question = next()) await answer(question);
    } catch (error) {
      breakOff(error);
      throw error;
    }
  };
  // Settled, not all: what is in flight when one of them breaks is waited for and kept.
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}
