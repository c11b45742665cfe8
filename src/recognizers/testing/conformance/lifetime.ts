import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Transcript } from '../../../model/observation.ts';
import { RecognitionError } from '../../contract.ts';
import { neverAborted, repeated, stretch, type TrialBench } from './trial-bench.ts';

const manyRecognitions = 1000;
const recognitionsToWarmUp = 200;
const maxGrowthBytes = 32 * 2 ** 20;
const maxSecondsToAbort = 1;
const timeUnderWay = 50;
const maxMsToClose = 3000;

/** A member gives back what it opened, can be stopped, and does not grow. */
export function proveLifetime<Options>({
  tried,
  mayDiffer,
  proves,
  provesSlowly,
  opened,
  ask,
}: TrialBench<Options>): void {
  const [first, second] = tried.requests;

  proves('gives back everything it opened', async () => {
    const once = () => opened(async (recognizer) => void (await ask(recognizer, second)));
    // What a library keeps for the life of the process, it opens with the first call.
    await once();
    const before = heldResources();
    for (let time = 0; time < 3; time++) await once();
    const after = await settledResources(before, maxMsToClose);
    assert.ok(
      after.handles <= before.handles &&
        after.openFiles <= before.openFiles &&
        after.childProcesses <= before.childProcesses,
      `${inspect(before)} became ${inspect(after)}`,
    );
  });

  proves('ends a call that is given up within a second, and answers the next one', async () => {
    let expected: Transcript | undefined;
    await opened(async (recognizer) => {
      expected = await ask(recognizer, second);
      const abort = new AbortController();
      const call = ask(recognizer, first.clip ? { ...first, clip: repeated(first.clip, 6) } : first, abort.signal);
      const settled = call.then(
        () => null,
        (error: unknown) => error,
      );
      await new Promise((resolve) => setTimeout(resolve, timeUnderWay));
      const started = performance.now();
      abort.abort(new Error('tried'));
      const error = await settled;
      assert.ok((performance.now() - started) / 1000 < maxSecondsToAbort, 'giving up took longer than a second');
      if (error !== null) assert.ok(error instanceof RecognitionError, String(error));
      const next = await ask(recognizer, second);
      if (mayDiffer === false) assert.deepEqual(next, expected);
    });
  });

  provesSlowly('does not grow over a thousand recognitions', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const brief = second.clip ? { ...second, clip: stretch(second.clip, 0.5) } : second;
    await opened(async (recognizer) => {
      let before = 0;
      for (let call = 0; call <= manyRecognitions; call++) {
        if (call === recognitionsToWarmUp) {
          collect();
          before = heldBytes();
        }
        await recognizer.recognize(brief, neverAborted);
      }
      collect();
      const grown = heldBytes() - before;
      assert.ok(grown < maxGrowthBytes, `${(grown / 2 ** 20).toFixed(1)} MB more`);
    });
  });
}

/**
 * Memory in use, in bytes: all of the process but what V8 has ready for objects to come, which is more the more garbage there was (35 MB
 * between two measurements of a service with seven calls for a clip, whose objects grew by one); and all of the processes it started.
 */
function heldBytes(): number {
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed + bytesBelow('self');
}

/** Of the processes below one, to the last generation. Where the system does not tell, none. */
function bytesBelow(id: string): number {
  const children = list(`/proc/${id}/task`).flatMap((task) => childrenOf(task, id));
  return children.reduce((sum, child) => {
    const [, kilobytes = 0] = /VmRSS:\s+(\d+)/.exec(read(`/proc/${child}/status`)) ?? [];
    return sum + 1024 * Number(kilobytes) + bytesBelow(child);
  }, 0);
}

/** What this process holds of the system's. Where the system does not tell (no `/proc`), files and processes count as 0. */
interface HeldResources {
  /** Sockets, timers, pipes, …, which keep the process alive. */
  readonly handles: number;
  readonly openFiles: number;
  readonly childProcesses: number;
}

/** Counts what is held at this moment. */
function heldResources(): HeldResources {
  return {
    handles: process.getActiveResourcesInfo().length,
    openFiles: list('/proc/self/fd').length,
    childProcesses: list('/proc/self/task').flatMap((task) => childrenOf(task)).length,
  };
}

/**
 * Waits until no more is held than before, since sockets and processes take a moment to end.
 *
 * @returns what is held in the end: no more than before, or still more after so many milliseconds
 */
async function settledResources(before: HeldResources, maxMs: number): Promise<HeldResources> {
  const end = performance.now() + maxMs;
  for (;;) {
    const held = heldResources();
    const settled =
      held.handles <= before.handles &&
      held.openFiles <= before.openFiles &&
      held.childProcesses <= before.childProcesses;
    if (settled || performance.now() > end) return held;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function childrenOf(task: string, id = 'self'): string[] {
  return read(`/proc/${id}/task/${task}/children`).split(' ').filter(Boolean);
}

/** Nothing where the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
