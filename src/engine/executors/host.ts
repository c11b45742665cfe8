import { type ChildProcess, fork } from 'node:child_process';
import type { Clip } from '../../audio/clip.ts';
import type { Clock } from '../../base/clock.ts';
import { EarwitnessError, type ErrorCode, messageOf, missingProgram } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Job, Outcome, RecognizerAddress } from './contract.ts';
import { failed } from './outcome.ts';

/** How long an engine may take to stop when asked, before its process is killed. */
const graceMs = 1000;
const keptStderr = 1000;

interface Waiting {
  readonly settle: (outcome: Outcome) => void;
  readonly startedMs: number;
  readonly alreadyPaid: () => Promise<void>;
}

/** A process of its own that holds one opened recognizer. Dies with this process, and this process never with it. */
export class Host {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Waiting>();
  readonly #opened: Promise<void>;
  #lastId = 0;
  #busy = 0;
  #stderr = '';
  #dead = false;
  readonly #again: boolean;
  #wasOpened = false;
  #crashedOpening: string | null = null;

  /**
   * @param again whether this engine could be opened before: then it is a crash where its process ends while it opens
   */
  constructor(entry: URL, address: RecognizerAddress, clock: Clock, again: boolean) {
    this.#clock = clock;
    this.#again = again;
    this.#child = fork(entry, [String(process.pid)], {
      serialization: 'advanced',
      // An engine may print what it likes: nothing of it reaches the terminal or the protocol.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: process.execArgv.filter((argument) => !argument.startsWith('--test')),
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-keptStderr);
    });
    this.#opened = new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromHost) => {
        if (message.say === 'opened') {
          this.#wasOpened = true;
          resolve();
        } else if (message.say === 'not-opened') reject(openError(message.code, message.message));
        else if (message.say === 'already-paid') void this.#note(message.id);
        else this.#settle(message.id, message.outcome);
      });
      this.#child.once('exit', (code, signal) => {
        const how = this.#died(code, signal);
        if (again) this.#crashedOpening = `the engine could not be opened again: ${how}`;
        reject(missingProgram(`the engine could not be opened: ${how}`));
        this.#bury(how);
      });
      this.#child.once('error', (error) => {
        reject(error);
        this.#bury(error.message);
      });
    });
    this.#opened.catch(() => {});
    this.#tell({ say: 'open', address });
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Whether the engine has been opened. */
  get wasOpened(): boolean {
    return this.#wasOpened;
  }

  /** Calls in hand, those that wait for the engine to open included. */
  get busy(): number {
    return this.#busy;
  }

  async recognize(job: Job, clip: Clip | null, signal: AbortSignal, alreadyPaid = async () => {}): Promise<Outcome> {
    this.#busy++;
    const startedMs = this.#clock.monotonicMs();
    try {
      await this.#untilOpened(job, signal);
      signal.throwIfAborted();
      return await this.#ask(job, clip, signal, alreadyPaid);
    } catch (error) {
      signal.throwIfAborted();
      if (this.#crashedOpening === null) throw error;
      const seconds = (this.#clock.monotonicMs() - startedMs) / 1000;
      return failed('crash', this.#crashedOpening, seconds, { retryable: true });
    } finally {
      this.#busy--;
    }
  }

  /** An engine can hang while it opens, too: then nothing but its end helps. */
  async #untilOpened(job: Job, signal: AbortSignal): Promise<void> {
    try {
      await untilOpened(job, this.#opened, signal);
    } catch (error) {
      this.kill();
      if (this.#again) this.#crashedOpening ??= `the engine could not be opened again: ${messageOf(error)}`;
      throw error;
    }
  }

  async #ask(job: Job, clip: Clip | null, signal: AbortSignal, alreadyPaid: () => Promise<void>): Promise<Outcome> {
    const id = ++this.#lastId;
    const startedMs = this.#clock.monotonicMs();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#waiting.set(id, { settle: resolve, startedMs, alreadyPaid });
    if (this.#dead) this.#settle(id, failed('crash', 'the engine is gone', 0, { retryable: true }));

    let timedOut = false;
    let killTimer: NodeJS.Timeout | undefined;
    const stop = () => {
      this.#tell({ say: 'abort', id });
      killTimer ??= setTimeout(() => this.kill(), graceMs);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, job.timeLimitSeconds * 1000);
    signal.addEventListener('abort', stop, { once: true });
    // Without what it was made of, which would be copied too.
    const heard = clip && { samples: clip.samples, sampleRate: clip.sampleRate };
    this.#tell({ say: 'recognize', id, request: job.request, clip: heard });
    try {
      const outcome = await promise;
      signal.throwIfAborted();
      if (!timedOut) return outcome;
      return failed('timeout', `no answer within ${job.timeLimitSeconds} s`, outcome.seconds, { retryable: true });
    } finally {
      clearTimeout(timer);
      clearTimeout(killTimer);
      signal.removeEventListener('abort', stop);
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Asks it to close, and kills it if it has not done so in time. */
  async close(): Promise<void> {
    if (this.#dead) return;
    const gone = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    const timer = setTimeout(() => this.kill(), graceMs);
    this.#tell({ say: 'close' });
    await gone;
    clearTimeout(timer);
  }

  #tell(message: ToHost): void {
    // A process that has just died cannot be told anything; its exit settles what was waiting.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  async #note(id: number): Promise<void> {
    // Whoever cannot note it knows, and the call need not wait for it.
    await this.#waiting
      .get(id)
      ?.alreadyPaid()
      .catch(() => {});
    this.#tell({ say: 'noted', id });
  }

  #settle(id: number, outcome: Outcome): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    waiting.settle(outcome);
  }

  #died(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const said = lastWords(this.#stderr);
    return `the engine's process ${how}${said ? `; its last words: ${said}` : ''}`;
  }

  #bury(how: string): void {
    this.#dead = true;
    for (const [id, { startedMs }] of [...this.#waiting]) {
      const seconds = (this.#clock.monotonicMs() - startedMs) / 1000;
      this.#settle(id, failed('crash', how, seconds, { retryable: true }));
    }
  }
}

function openError(code: string | null, message: string): Error {
  return code === null ? new Error(message) : new EarwitnessError(code as ErrorCode, message);
}

/** What the engine tells a host process. */
export type ToHost =
  | { readonly say: 'open'; readonly address: RecognizerAddress }
  | { readonly say: 'recognize'; readonly id: number; readonly request: Job['request']; readonly clip: Clip | null }
  | { readonly say: 'abort'; readonly id: number }
  | { readonly say: 'noted'; readonly id: number }
  | { readonly say: 'close' };

/** What a host process tells the engine. */
export type FromHost =
  | { readonly say: 'opened' }
  | { readonly say: 'not-opened'; readonly code: string | null; readonly message: string }
  | { readonly say: 'already-paid'; readonly id: number }
  | { readonly say: 'outcome'; readonly id: number; readonly outcome: Outcome };

/**
 * Waits for an engine to open: no longer than its time limit, and no longer than the run goes on.
 *
 * @throws the signal's reason; what opening threw, with the name of the recognizer; EarwitnessError `nothing-answered` when
 * its time is up
 */
export async function untilOpened<Opened>(
  { recognizer, openTimeLimitSeconds }: Pick<Job, 'recognizer' | 'openTimeLimitSeconds'>,
  opening: Promise<Opened>,
  signal: AbortSignal,
): Promise<Opened> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => {
    const late = `its engine was not open after ${openTimeLimitSeconds} s; see whether it works by itself, or give it more time with limits.openTimeLimitSeconds`;
    reject(new EarwitnessError('nothing-answered', late));
  }, openTimeLimitSeconds * 1000);
  try {
    return await Promise.race([opening, givenUp]);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EarwitnessError)) throw error;
    throw new EarwitnessError(error.code, `${recognizer}: ${error.message}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/**
 * What a dead process said last, on one line fit for a sentence: without the frames and ornaments of a stack trace.
 *
 * @param error the end of its standard error
 */
export function lastWords(error: string): string {
  const lines = error
    .split('\n')
    .map((line) => line.replace(/^#+/, '').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^(\d+: 0x|at |-{3,}|<---)/.test(line));
  return printable(lines.slice(-3).join(' / '), 300);
}
