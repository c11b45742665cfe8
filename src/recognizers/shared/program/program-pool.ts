import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from '../../../audio/clip.ts';
import { encodeWav } from '../../../audio/encode-wav.ts';
import { resample } from '../../../audio/resample.ts';
import { EarwitnessError } from '../../../base/errors.ts';
import { canonicalJson } from '../../../base/hash.ts';
import { asJson } from '../../../base/json.ts';
import { temporaryFolder } from '../../../base/on-disk.ts';
import type { ProgramStart } from '../../../system/run-program.ts';
import { type PartialTranscript, type Recognition, RecognitionError } from '../../contract.ts';
import { givenUp } from '../requests.ts';
import { type BatchClip, ProgramProcess } from './program-process.ts';
import type { ProgramHello } from './protocol.ts';

export interface PoolOptions {
  /** What a worker is started with. */
  start(worker: number, device: string | undefined): ProgramStart;
  readonly workers: number;
  /** Clips at once; absent: as many as the process takes. */
  readonly batch?: number | undefined;
  /** Given to the workers in turn. */
  readonly devices: readonly string[];
  readonly startLimitSeconds: number;
}

/** Processes of one recognizer that stay, each with one batch in hand. */
export interface ProgramPool {
  readonly hello: ProgramHello;
  recognize(clip: Clip, language: string, signal: AbortSignal): Promise<Recognition>;
  /** @param took is told what it took of the processor, before the final transcript */
  stream(
    chunks: AsyncIterable<Clip>,
    language: string,
    signal: AbortSignal,
    took?: (processorSeconds: number | null) => void,
  ): AsyncIterable<PartialTranscript>;
  close(): Promise<void>;
}

interface Worker {
  readonly index: number;
  process: ProgramProcess | null;
  busy: boolean;
  idleSinceMs: number;
  /** Whether its process has been asked anything: what it does later may come of that. */
  used: boolean;
}

/** One clip, or one stream, that waits for a worker. */
interface Waiting {
  /** To be asked with no other: a stream, or a clip whose batch died. */
  alone: boolean;
  /** To be asked of a process that has been asked nothing else: what that does is the doing of this clip. */
  fresh?: true;
  readonly clip?: BatchClip;
  /** Instead of a clip: has the process to itself until it resolves. */
  readonly work?: (process: ProgramProcess) => Promise<void>;
  resolve(recognition: Recognition): void;
  reject(error: unknown): void;
  /** Whoever asked has given it up. */
  over?: true;
  /** Which process has it, and under which number. */
  inHand?: { readonly process: ProgramProcess; readonly id: number };
}

/** A batch that is not full waits until nothing more has come for so long. */
const gatherMs = 20;
/** A process that was idle for so long is asked whether it still hears. */
const idleMs = 60_000;
const pingSeconds = 5;

/**
 * Starts the processes of a recognizer, which are started again when they have died. A clip whose batch died with it is asked again
 * alone, and one that was alone but not the first again as the first, so that no clip fails for another.
 *
 * @throws EarwitnessError `missing-program` where they cannot be started, with their last words; `nothing-answered` where that takes too long
 */
export async function openPool(options: PoolOptions): Promise<ProgramPool> {
  const workers: Worker[] = Array.from({ length: options.workers }, (_, index) => ({
    index,
    process: null,
    busy: false,
    idleSinceMs: performance.now(),
    used: false,
  }));
  const queue: Waiting[] = [];
  let hello: ProgramHello | null = null;
  let closed = false;
  let gathering: NodeJS.Timeout | undefined;
  let folder: string | null = null;
  let files = 0;

  const start = async (worker: Worker): Promise<ProgramProcess> => {
    const device = options.devices.length === 0 ? undefined : options.devices[worker.index % options.devices.length];
    const process = new ProgramProcess(options.start(worker.index, device));
    worker.process = process;
    worker.used = false;
    const said = await process.hello(options.startLimitSeconds);
    hello ??= said;
    if (whatItIs(said) !== whatItIs(hello)) {
      await process.kill();
      const [was, is] = [hello, said].map(({ name, version }) => `${name} ${version}`);
      throw new RecognitionError('refused', `the program was ${was} before, and is ${is} now; start a new run`);
    }
    await process.open(worker.index, device, options.startLimitSeconds);
    return process;
  };

  /** @param fresh it must have been asked nothing; @param pinged whether it is still there must be known */
  const ready = async (worker: Worker, fresh: boolean, pinged: boolean): Promise<ProgramProcess> => {
    const process = worker.process;
    if (process !== null && process.broken === null && !(fresh && worker.used)) {
      const known = performance.now() - worker.idleSinceMs < idleMs && !(pinged && worker.used);
      if (known || (await process.ping(pingSeconds))) return process;
    }
    try {
      await (fresh ? process?.close() : process?.kill());
      return await start(worker);
    } catch (error) {
      if (error instanceof RecognitionError)
        throw new RecognitionError('crash', `the program could not be started again: ${error.message}`, {
          retryable: true,
        });
      throw error;
    }
  };

  const serve = async (worker: Worker, group: readonly Waiting[]) => {
    worker.busy = true;
    try {
      const [first] = group;
      // A stream cannot be asked again: its chunks are gone.
      const process = await ready(worker, first?.fresh === true, first?.work !== undefined);
      const { used } = worker;
      worker.used = true;
      if (first?.work !== undefined) await first.work(process);
      else await ask(process, group, used);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      worker.idleSinceMs = performance.now();
      worker.busy = false;
      dispatch();
    }
  };

  const ask = async (process: ProgramProcess, group: readonly Waiting[], used: boolean) => {
    const answers = process.recognize(group.map(({ clip }) => clip!));
    await Promise.all(
      answers.map(async ({ id, answer }, place) => {
        const waiting = group[place]!;
        waiting.inHand = { process, id };
        try {
          waiting.resolve(await answer);
        } catch (error) {
          // It may be the doing of a neighbour, or of what was asked before.
          const innocent = process.broken === error && (group.length > 1 || used) && !waiting.over;
          if (closed || !innocent) return waiting.reject(error);
          delete waiting.inHand;
          waiting.alone = true;
          if (group.length === 1) waiting.fresh = true;
          queue.unshift(waiting);
        }
      }),
    );
  };

  const dispatch = (gathered = false): void => {
    clearTimeout(gathering);
    const batch = Math.min(options.batch ?? Number.POSITIVE_INFINITY, hello?.batch ?? 1);
    for (const worker of workers) {
      const [first] = queue;
      if (first === undefined) return;
      if (worker.busy) continue;
      const others = queue.findIndex(({ alone }) => alone);
      const together = first.alone ? 1 : Math.min(batch, others === -1 ? queue.length : others);
      if (!first.alone && together < batch && !gathered && !closed) {
        gathering = setTimeout(() => dispatch(true), gatherMs);
        return;
      }
      void serve(worker, queue.splice(0, together));
    }
  };

  const enqueue = (waiting: Waiting) => {
    queue.push(waiting);
    dispatch();
  };

  /** Waits for what is in the queue or in hand, no longer than until it is given up. */
  const settled = <T>(
    signal: AbortSignal,
    place: (resolve: (value: T) => void, reject: (error: unknown) => void) => Waiting,
  ) =>
    new Promise<T>((resolve, reject) => {
      if (closed) return reject(new RecognitionError('error', 'the recognizer was closed'));
      if (signal.aborted) return reject(givenUp(signal));
      const giveUp = () => {
        const at = queue.indexOf(waiting);
        waiting.over = true;
        if (at !== -1) queue.splice(at, 1);
        if (waiting.inHand) void waiting.inHand.process.cancel(waiting.inHand.id);
        reject(givenUp(signal));
      };
      const done = () => signal.removeEventListener('abort', giveUp);
      const waiting = place(
        (value) => {
          done();
          resolve(value);
        },
        (error) => {
          done();
          reject(error);
        },
      );
      signal.addEventListener('abort', giveUp, { once: true });
      enqueue(waiting);
    });

  const wavFile = async (clip: Clip): Promise<string> => {
    folder ??= temporaryFolder('program');
    const path = join(folder, `${++files}.wav`);
    await writeFile(path, encodeWav(clip, { format: 's16' }));
    return path;
  };

  const close = async () => {
    closed = true;
    clearTimeout(gathering);
    for (const { reject } of queue.splice(0)) reject(new RecognitionError('error', 'the recognizer was closed'));
    await Promise.all(workers.map(({ process, busy }) => (busy ? process?.kill() : process?.close())));
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  };

  try {
    await Promise.all(workers.map(start));
  } catch (error) {
    await close();
    throw asOpening(error);
  }
  const opened: ProgramHello = hello!;
  return {
    hello: opened,
    async recognize(clip, language, signal) {
      refuseOtherLanguages(opened, language);
      const heard = resample(clip, opened.sampleRate);
      const wav = opened.audio === 'wav' ? await wavFile(heard) : undefined;
      try {
        return await settled<Recognition>(signal, (resolve, reject) => ({
          alone: false,
          clip: { language, clip: heard, ...(wav !== undefined && { wav }) },
          resolve,
          reject,
        }));
      } finally {
        if (wav !== undefined) await rm(wav, { force: true });
      }
    },
    async *stream(chunks, language, signal, took) {
      refuseOtherLanguages(opened, language);
      const { promise: left, resolve: leave } = Promise.withResolvers<void>();
      const process = await settled<ProgramProcess>(signal, (resolve, reject) => ({
        alone: true,
        work: (taken) => {
          resolve(taken);
          return left;
        },
        resolve: () => {},
        reject,
      })).catch((error: unknown) => {
        leave();
        throw error;
      });
      let released: Promise<void> = Promise.resolve();
      try {
        const asked = { language, sampleRate: opened.sampleRate, chunks, signal };
        const free = (when: Promise<void>) => {
          released = when;
        };
        yield* process.stream(asked, free, took);
      } finally {
        // Not waited for: the worker is free when its process has let go.
        void released.finally(leave);
      }
    },
    close,
  };
}

/**
 * Everything of an introduction that can change an answer: of a device its kind, of a batch how large it really is.
 *
 * @param batch max clips at once that the config allows
 */
export function identityOf(
  { name, version, sampleRate, device, audio, facts, ...hello }: ProgramHello,
  batch?: number,
) {
  const together = Math.min(batch ?? hello.batch, hello.batch);
  return {
    name,
    version,
    sampleRate,
    ...(device !== undefined && { device: device.replace(/:\d+$/, '') }),
    audio,
    ...(together > 1 && { batch: together }),
    ...(Object.keys(facts).length > 0 && { facts }),
  };
}

const whatItIs = (hello: ProgramHello) => canonicalJson(asJson(identityOf(hello)));

/** @throws RecognitionError `refused` where the process has named its languages, and this is none */
function refuseOtherLanguages({ languages, name }: ProgramHello, language: string): void {
  const primary = (tag: string) => tag.toLowerCase().split('-', 1)[0];
  if (languages === undefined || languages.some((known) => primary(known) === primary(language))) return;
  throw new RecognitionError('refused', `${name} recognizes ${languages.slice(0, 10).join(', ')}, but not ${language}`);
}

/** What stands in the way of opening: one sentence. */
export function asOpening(error: unknown): unknown {
  if (!(error instanceof RecognitionError)) return error;
  const code = error.kind === 'timeout' ? 'nothing-answered' : 'missing-program';
  return new EarwitnessError(code, error.message, { cause: error });
}
