import { hashJson } from '../base/hash.ts';
import { type Asking, askTrial } from './ask-trial.ts';
import type { LaneContext } from './lane-context.ts';
import { createRate } from './limits/rate.ts';
import { createSemaphore } from './limits/semaphore.ts';
import { walkOpen } from './walk-open.ts';

/** Asks one recognizer all its open questions of a batch. */
export async function runLane(context: LaneContext, recognizerIndex: number): Promise<void> {
  const { setup, batch } = context;
  const recognizer = setup.recognizers[recognizerIndex]!;
  const { concurrency, rates } = recognizer.limits;
  const { inFlight } = context;
  const identity = hashJson(recognizer.identity);
  const asking: Asking = {
    recognizer,
    identity,
    permits: createSemaphore(concurrency),
    rate: createRate(rates, setup.clock),
  };
  const alike = setup.recognizers.filter((other) => hashJson(other.identity) === identity).length > 1;

  // One more than can be asked at once: its sound is made while the others are being recognized.
  await walkOpen(context, recognizerIndex, concurrency + 1, async (question) => {
    if (question.twin || alike) {
      for (let asked = inFlight.get(question.key); asked; asked = inFlight.get(question.key)) {
        await asked.catch(() => false);
      }
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
