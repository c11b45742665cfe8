import { EarwitnessError } from '../base/errors.ts';
import type { BatchRecord } from '../store/contract.ts';
import type { Batch } from '../studies/contract.ts';
import { soundChanged } from './ask-trial.ts';
import { runLane } from './lane.ts';
import type { LaneContext, RunContext } from './lane-context.ts';
import { predictAndKeep, predictorNamed } from './predictions.ts';
import { createProgressMeter } from './progress.ts';
import { addQuality } from './quality.ts';
import { meterNamed } from './similarities.ts';
import { textQuestions } from './unjournaled.ts';
import { walkOpen } from './walk-open.ts';

/**
 * Sees to it that every question of a planned batch has an answer: one lane for each recognizer, and one for the sounds
 * and texts to be measured, side by side. An error that no trial is to blame for stops all of them; what is in flight is kept.
 */
export async function runBatch(shared: RunContext, batch: BatchRecord, asked: Batch): Promise<void> {
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
    .map((lane) => (lane === null ? measure(context, asked) : runLane(context, lane)));
  // Settled, not all: every lane ends by itself, with what it had in flight.
  await Promise.allSettled(walking);
  meter.finish();
  context.stop.throwIfAborted();
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
      if (made.hash !== question.key) throw new EarwitnessError('bad-input', soundChanged);
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
          failure: { kind: 'sound', message: error.message },
        },
      });
      context.settled(null, true);
    }
  });
}
