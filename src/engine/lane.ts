import type { PlannedQuestion } from '../store/contract.ts';
import { askTrial } from './ask-trial.ts';
import type { Asking } from './asking.ts';
import type { LaneContext } from './lane-context.ts';
import { walkOpen } from './walk-open.ts';

/** Asks one recognizer all its open questions of a batch. */
export async function runLane(context: LaneContext, recognizerIndex: number): Promise<void> {
  const { setup, batch } = context;
  const { inFlight, askings } = context;
  const asking = askings[recognizerIndex]!;
  const { concurrency } = asking.recognizer.limits;
  const alike = askings.filter(({ identity }) => identity === asking.identity).length > 1;

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
    const failed = askAndKeep(context, asking, question);
    inFlight.set(question.key, failed);
    try {
      context.settled(recognizerIndex, await failed);
    } finally {
      inFlight.delete(question.key);
    }
  });
}

/** @returns whether it failed */
async function askAndKeep(context: LaneContext, asking: Asking, question: PlannedQuestion): Promise<boolean> {
  const asked = await askTrial(context, asking, question);
  await asked.keep();
  return asked.failure !== null;
}
