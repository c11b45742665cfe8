import type { Utterance } from '../model/utterance.ts';
import type { PlannedQuestion, Store } from '../store/contract.ts';
import { type Asking, askTrial } from './ask-trial.ts';
import type { ClipMaker } from './clips.ts';
import type { ConditionBook } from './conditions.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Budget } from './limits/budget.ts';
import { createRate } from './limits/rate.ts';
import { createSemaphore, type Semaphore } from './limits/semaphore.ts';
import type { RunSetup } from './setup.ts';

const pageSize = 256;

/** What the lanes of a batch share. */
export interface LaneContext {
  readonly setup: RunSetup;
  readonly batch: number;
  readonly clips: ClipMaker;
  readonly conditions: ConditionBook;
  readonly commit: GroupCommit;
  readonly budget: Budget;
  /** Permits for this machine's processor. */
  readonly processor: Semaphore;
  utterance(position: number): Utterance;
  /** Told of every question as it is settled. */
  settled(recognizer: number | null, failed: boolean): void;
  /** Aborted when any lane meets an error that no trial is to blame for, or the user stops the run. */
  readonly stop: AbortSignal;
}

/** Walks the open questions of a batch for one recognizer (or for the sounds to be measured), several at once, in order. */
export async function walkOpen(
  store: Store,
  runId: string,
  batch: number,
  recognizer: number | null,
  atOnce: number,
  stop: AbortSignal,
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
  let broken = false;
  const work = async () => {
    try {
      for (let question = next(); question && !broken && !stop.aborted; question = next()) await answer(question);
    } catch (error) {
      broken = true;
      throw error;
    }
  };
  // Settled, not all: what is in flight when one of them breaks is waited for and kept.
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}

/** Asks one recognizer all its open questions of a batch. */
export async function runLane(context: LaneContext, recognizerIndex: number): Promise<void> {
  const { setup, batch, stop } = context;
  const recognizer = setup.recognizers[recognizerIndex]!;
  const { concurrency, rates } = recognizer.limits;
  const asking: Asking = { recognizer, permits: createSemaphore(concurrency), rate: createRate(rates, setup.clock) };
  const inFlight = new Map<string, Promise<boolean>>();

  // One more than can be asked at once: its sound is made while the others are being recognized.
  await walkOpen(setup.store, setup.runId, batch, recognizerIndex, concurrency + 1, stop, async (question) => {
    if (question.twin) {
      await inFlight.get(question.key)?.catch(() => false);
      if (setup.store.linkStored(setup.runId, { batch, position: question.position }, question.key)) {
        context.settled(recognizerIndex, false);
        return;
      }
    }
    const failed = askTrial(context, asking, question);
    inFlight.set(question.key, failed);
    try {
      context.settled(recognizerIndex, await failed);
    } finally {
      inFlight.delete(question.key);
    }
  });
}
