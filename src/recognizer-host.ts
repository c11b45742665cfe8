// The entry of a process that holds one recognizer: opens it, answers calls, and ends when its parent does.
import { Worker } from 'node:worker_threads';
import { EarwitnessError, messageOf } from './base/errors.ts';
import { createFileHasher } from './decoders/contract.ts';
import type { RecognizerAddress } from './engine/executors/contract.ts';
import type { FromHost, ToHost } from './engine/executors/host.ts';
import { answered, failedWith } from './engine/executors/outcome.ts';
import type { Recognizer } from './recognizers/contract.ts';
import { loadMember } from './session/members/load-member.ts';
import { trustedVariable } from './session/members/own-module.ts';
import { createProcessorMeter, ownProcessorSeconds } from './system/processor-time.ts';

/** Recognizers of one's own may start others; those built in do not. */
let starts = true;
const meter = createProcessorMeter(() => ownProcessorSeconds(starts));
const aborts = new Map<number, AbortController>();
/** Calls that wait until it is written down that an earlier one has paid. */
const noted = new Map<number, () => void>();
let recognizer: Recognizer | null = null;

function tell(message: FromHost): void {
  process.send?.(message);
}

async function open({ type, options, baseFolder, jobsFolder }: RecognizerAddress): Promise<Recognizer> {
  const { member, moduleHash } = await loadMember('recognizers', type, baseFolder);
  starts = moduleHash !== null;
  const services = { baseFolder, environment: trustedVariable, fileHash: createFileHasher() };
  return member.open(options, jobsFolder === undefined ? services : { ...services, jobsFolder });
}

async function recognize({ id, request, clip }: ToHost & { say: 'recognize' }): Promise<void> {
  const started = performance.now();
  const processorSeconds = meter.begin();
  const seconds = () => (performance.now() - started) / 1000;
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    const alreadyPaid = () =>
      new Promise<void>((resolve) => {
        noted.set(id, resolve);
        tell({ say: 'already-paid', id });
      });
    const transcript = await recognizer!.recognize({ ...request, ...(clip && { clip }), alreadyPaid }, abort.signal);
    tell({ say: 'outcome', id, outcome: answered(transcript, seconds(), processorSeconds()) });
  } catch (error) {
    tell({ say: 'outcome', id, outcome: failedWith(error, seconds()) });
    processorSeconds();
  } finally {
    aborts.delete(id);
    noted.delete(id);
  }
}

async function close(): Promise<void> {
  await recognizer?.close();
  process.exit(0);
}

process.on('message', (message: ToHost) => {
  switch (message.say) {
    case 'open':
      open(message.address).then(
        (opened) => {
          recognizer = opened;
          tell({ say: 'opened' });
        },
        (error: unknown) => {
          tell({
            say: 'not-opened',
            code: error instanceof EarwitnessError ? error.code : null,
            message: messageOf(error),
          });
        },
      );
      break;
    case 'recognize':
      void recognize(message);
      break;
    case 'abort':
      aborts.get(message.id)?.abort(new Error('the call was given up'));
      break;
    case 'noted':
      noted.get(message.id)?.();
      break;
    case 'close':
      void close();
      break;
  }
});

// The parent is gone, or has closed the channel: nobody waits for answers any more.
process.once('disconnect', () => process.exit(0));
// Ctrl-C in a terminal, its end and a service manager's stop go to every process of the group; the parent decides what becomes of calls
// in flight.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
// An engine that computes keeps this thread from hearing of anything; another sees that the parent is gone.
const parent = Number(process.argv[2]);
new Worker(`setInterval(() => process.ppid === ${parent} || process.kill(process.pid, 'SIGKILL'), 500)`, {
  eval: true,
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
}).unref();
