// The entry of a thread that listens to clips: tasks in, what the measures say out.
import { parentPort, workerData } from 'node:worker_threads';
import type { Clip } from '../../audio/clip.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { OpenedQuality } from '../../engine/quality.ts';
import type { ClipQuality } from '../../model/trial.ts';
import type { ConfiguredMember } from '../config/config.ts';
import { openMeasures } from './open-measures.ts';

/** What a thread is started with. */
export interface QualityJob {
  readonly measures: readonly ConfiguredMember[];
  readonly baseFolder: string;
}

/** One clip and who is to listen to it. */
export interface QualityTask {
  readonly names: readonly string[];
  readonly clip: Clip;
  readonly clean: Clip | { readonly reason: string };
}

/** What a thread says: first that its measures are open, then an answer to each task, in their order. */
export type FromQualityWorker =
  | { readonly opened: readonly OpenedQuality[] }
  | { readonly results: readonly ClipQuality[] }
  | { readonly failed: { readonly code: string | null; readonly message: string; readonly stack: string } };

const port = parentPort!;
const say = (message: FromQualityWorker) => port.postMessage(message);
const fail = (error: unknown) =>
  say({
    failed: {
      code: error instanceof EarwitnessError ? error.code : null,
      message: messageOf(error),
      stack: error instanceof Error ? (error.stack ?? '') : '',
    },
  });

const { measures, baseFolder } = workerData as QualityJob;
const opening = openMeasures(measures, baseFolder);
opening.then(({ measures: opened }) => say({ opened }), fail);
port.on('message', async (message: QualityTask | 'close') => {
  const opened = await opening.catch(() => null);
  if (message === 'close' || opened === null) {
    await opened?.[Symbol.asyncDispose]();
    port.close();
    return;
  }
  try {
    say({ results: await opened.measure(message.names, message.clip, message.clean) });
  } catch (error) {
    fail(error);
  }
});
