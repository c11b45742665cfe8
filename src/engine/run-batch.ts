import { EarwitnessError } from '../base/errors.ts';
import type { BatchRecord } from '../store/contract.ts';
import { runLane } from './lane.ts';
import type { LaneContext } from './lane-context.ts';
import { createProgressMeter } from './progress.ts';
import { walkOpen } from './walk-open.ts';

/**
 * Sees to it that every question of a planned batch has an answer: one lane for each recognizer, and one for the sounds
 * to be measured, side by side. An error that no trial is to blame for stops all of them; what is in flight is kept.
 */
export async function runBatch(
  shared: Omit<LaneContext, 'settled' | 'stop' | 'batch'>,
  batch: BatchRecord,
): Promise<void> {
  const { setup } = shared;
  const { store, runId, clock, on } = setup;
  const lanes: (number | null)[] = [null, ...setup.recognizers.keys()];
  const open = new Map(lanes.map((lane) => [lane, store.countOpen(runId, batch.batch, lane)]));
  const meter = createProgressMeter(open, { size: batch.size, ...store.progress(runId, batch.batch) }, clock, on);

  const broken = new AbortController();
  const context: LaneContext = {
    ...shared,
    batch: batch.batch,
    settled: meter.settled,
    stop: AbortSignal.any([setup.signal, broken.signal]),
  };
  const errors: unknown[] = [];
  const run = async (lane: number | null) => {
    if (open.get(lane) === 0) return;
    try {
      await (lane === null ? measureSounds(context) : runLane(context, lane));
    } catch (error) {
      errors.push(error);
      broken.abort(error);
    }
  };
  await Promise.all(lanes.map(run));
  meter.finish();
  setup.signal.throwIfAborted();
  if (errors.length > 0) throw errors[0];
}

async function measureSounds(context: LaneContext): Promise<void> {
  const { setup, batch, clips, conditions, commit, stop } = context;
  await walkOpen(setup.store, setup.runId, batch, null, 1, stop, async (question) => {
    const utterance = context.utterance(question.utterance);
    try {
      await clips.make(utterance, await conditions.at(question.condition), question.draw);
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
          failure: { kind: 'sound', message: error.message },
        },
      });
      context.settled(null, true);
    }
  });
}
