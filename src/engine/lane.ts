import { type Asking, askTrial } from './ask-trial.ts';
import type { LaneContext } from './lane-context.ts';
import { createRate } from './limits/rate.ts';
import { createSemaphore } from './limits/semaphore.ts';
import { walkOpen } from './walk-open.ts';

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
