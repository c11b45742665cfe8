import type { PlannedQuestion } from '../store/contract.ts';
import type { LaneContext } from './lane-context.ts';

const pageSize = 256;

/** Walks the open questions of a batch for one recognizer (or for the sounds to be measured), several at once, in order. */
export async function walkOpen(
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
