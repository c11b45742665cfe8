import { availableParallelism } from 'node:os';
import { systemClock } from '../../base/clock.ts';
import { createClosing } from '../../base/closing.ts';
import { runWorker, type WorkerCounts } from '../../queue/queue-worker.ts';
import { requireServer } from '../../store/store-place.ts';
import { runProgram } from '../../system/run-program.ts';
import type { LoadedConfig } from '../config/config.ts';
import { createExecutor, describeRecognizers, setUpRecognizer } from '../open/describe-recognizers.ts';
import { createServices } from '../open/services.ts';
import { remakeClip } from './remake-clip.ts';

interface WorkerHooks {
  readonly warn: (message: string) => void;
  /** Told when it is ready to make calls. */
  readonly ready: () => void;
  readonly drain: AbortSignal;
  readonly abort: AbortSignal;
}

/**
 * Makes calls of runs elsewhere with the recognizers of a config, as they are on this machine.
 *
 * @param store `postgres://user@host/database`
 * @throws EarwitnessError `bad-config` for a store that is a file; where a recognizer cannot be opened
 */
export async function workFor(
  store: string,
  { config, baseFolder }: LoadedConfig,
  { warn, ready, drain, abort }: WorkerHooks,
): Promise<WorkerCounts> {
  requireServer(store);
  await using closing = createClosing();
  const services = createServices({
    baseFolder,
    synthesizers: config.synthesizers,
    recognizers: config.recognizers,
    warn,
  });
  closing.defer(() => services.close());
  const described = await describeRecognizers(config, services.recognizer);
  const executor = createExecutor(described, 'auto', services.recognizer, systemClock, { store, clips: null });
  closing.defer(() => executor.close());
  const workers = config.workers ?? availableParallelism();
  const recognizers = await Promise.all(
    described.map(async (recognizer) => {
      const { name, limits } = await setUpRecognizer(recognizer, null, workers, 'auto', services.recognizer);
      return { name, identity: recognizer.identity, concurrency: limits.concurrency };
    }),
  );
  return await runWorker({
    address: store,
    recognizers,
    executor,
    place: config.clips ?? null,
    remake: remakeClip,
    gpu: await gpuOfMachine(),
    drain,
    abort,
    ready,
    tell: warn,
  });
}

/** Names of the GPUs as NVIDIA's driver gives them; null where there is none, or no driver of theirs. */
async function gpuOfMachine(): Promise<string | null> {
  const { end, output } = await runProgram({
    ...{ program: 'nvidia-smi', arguments: ['--query-gpu=name', '--format=csv,noheader'] },
    ...{ maxSeconds: 10, maxOutputBytes: 65_536 },
  });
  if (end.how !== 'exit' || end.code !== 0) return null;
  const names = Map.groupBy(output.toString().split('\n').filter(Boolean), (line) => line.trim());
  return [...names].map(([name, { length }]) => (length === 1 ? name : `${length} ${name}`)).join(', ') || null;
}
