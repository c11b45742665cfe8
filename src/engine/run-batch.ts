import { EarwitnessError } from '../base/errors.ts';
import type { BatchRecord } from '../store/contract.ts';
import { soundChanged } from './ask-trial.ts';
import { runLane } from './lane.ts';
import type { LaneContext } from './lane-context.ts';
import { createProgressMeter } from './progress.ts';
import { walkOpen } from './walk-open.ts';

/**
 * Sees to it that every question of a planned batch has an answer: one lane for each recognizer, and one for the sounds
 * to be measured, side by side. An error that no trial is to blame for stops all of them; what is in flight is kept.
 */
export async function runBatch(
  shared: Omit<LaneContext, 'settled' | 'breakOff' | 'stop' | 'batch' | 'inFlight'>,
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
    inFlight: new Map(),
    settled: meter.settled,
    breakOff: (error) => broken.abort(error),
    stop: AbortSignal.any([setup.signal, broken.signal]),
  };
  const walking = lanes
    .filter((lane) => open.get(lane) !== 0)
    .map((lane) => (lane === null ? measureSounds(context) : runLane(context, lane)));
  // Settled, not all: every lane ends by itself, with what it had in flight.
  await Promise.allSettled(walking);
  meter.finish();
  context.stop.throwIfAborted();
}

async function measureSounds(context: LaneContext): Promise<void> {
  const { batch, clips, conditions, commit } = context;
  await walkOpen(context, null, 1, async (question) => {
    const utterance = context.utterance(question.utterance);
    try {
      const { hash } = await clips.make(utterance, await conditions.at(question.condition), question.draw);
      if (hash !== question.key) throw new EarwitnessError('bad-input', soundChanged);
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
