import { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import { EarwitnessError, type ErrorCode } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { hearLines, type ProgramStart, type StartedProgram, startProgram } from '../../system/run-program.ts';
import type { Voice } from '../contract.ts';

/** A text that a process is to speak. */
export interface AskedSpeech {
  readonly text: string;
  readonly voice: string;
  readonly language: string;
  /** Path of a clip whose voice it is to be. */
  readonly reference?: string;
}

/** How a process introduces itself (docs/protocol.md). */
export interface SpeakerHello {
  readonly name: string;
  readonly version: string;
  /** Hz. */
  readonly sampleRate: number;
  readonly voices: readonly Voice[];
  /** Whether it speaks in the voice of a clip that it is given. */
  readonly clones: boolean;
  readonly facts: JsonObject;
}

/** Processes that stay and speak, one text each at a time. */
export interface SpeakingProcesses {
  readonly hello: SpeakerHello;
  /** @throws EarwitnessError `bad-input`: the text is not spoken; `missing-program`, `nothing-answered`: the process cannot go on */
  speak(asked: AskedSpeech, signal?: AbortSignal): Promise<Clip>;
  close(): Promise<void>;
}

interface SpeakingOptions {
  readonly workers: number;
  readonly devices: readonly string[];
  readonly startLimitSeconds: number;
  readonly timeoutSeconds: number;
  start(worker: number, device: string | undefined): ProgramStart;
}

const protocolVersion = 1;
/** 130 s of 24 kHz in 32-bit floats, in base64. */
const maxLineCharacters = 16 * 2 ** 20;
const graceMs = 1000;
const shownErrorCharacters = 500;

const shortText = z.string().min(1).max(500);
const lines = z.discriminatedUnion('say', [
  z.object({
    say: z.literal('hello'),
    protocol: z.int().min(1),
    name: shortText,
    version: shortText,
    sampleRate: z.int().min(1000).max(384_000).default(24_000),
    voices: z
      .array(
        z.object({
          name: z.string().min(1).max(100),
          language: z.string().min(2).max(40),
          attributes: z.record(z.string(), z.string()).default({}),
        }),
      )
      .max(10_000)
      .default([]),
    clones: z.boolean().default(false),
    facts: z.record(z.string(), z.json()).default({}),
  }),
  z.object({ say: z.literal('opened') }),
  z.object({
    say: z.literal('speech'),
    id: z.int(),
    audio: z.base64(),
    sampleRate: z.int().min(1000).max(384_000).optional(),
  }),
  z.object({ say: z.literal('failure'), id: z.int().optional(), message: z.string() }),
  z.object({ say: z.literal('pong') }),
]);
type Said = z.output<typeof lines>;

/** It broke, and can be started anew: its text may be asked once more. */
class Broken extends EarwitnessError {}

/** One process, asked one thing at a time. Whatever breaks it (its end, another line, no answer in time) breaks it for good. */
class SpeakingProcess {
  readonly #program: StartedProgram;
  readonly #shown: string;
  #waiting: { hear(said: Said): void; fail(error: EarwitnessError): void } | null = null;
  #lastId = 0;
  #broken: EarwitnessError | null = null;

  constructor(start: ProgramStart, shown: string) {
    this.#shown = shown;
    this.#program = startProgram(start);
    hearLines(
      this.#program.output,
      maxLineCharacters,
      (line) => this.#hear(line),
      () => this.#break('bad-input', `printed a line of more than ${maxLineCharacters} characters`),
    );
    void this.#program.ended.then((end) => {
      if (end.how === 'not started')
        return this.#break('missing-program', `could not be started (${end.error.code ?? end.error.message})`);
      return this.#break(
        'missing-program',
        end.how === 'signal' ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`,
      );
    });
  }

  get broken(): boolean {
    return this.#broken !== null;
  }

  async hello(maxSeconds: number): Promise<SpeakerHello> {
    const said = await this.#ask({ say: 'hello', protocol: protocolVersion }, maxSeconds);
    if (said.say !== 'hello') throw this.#break('missing-program', `answered "hello" with "${said.say}"`);
    if (said.protocol === protocolVersion) return said;
    const versions = `version ${said.protocol} of the protocol, and earwitness version ${protocolVersion}`;
    throw this.#break('missing-program', `speaks ${versions}; update the older of the two`);
  }

  async open(worker: number, device: string | undefined, maxSeconds: number): Promise<void> {
    await this.#ask({ say: 'open', worker, ...(device !== undefined && { device }) }, maxSeconds);
  }

  async speak(asked: AskedSpeech, sampleRate: number, maxSeconds: number, signal?: AbortSignal): Promise<Clip> {
    const id = ++this.#lastId;
    const said = await this.#ask({ say: 'speak', id, ...asked }, maxSeconds, signal);
    if (said.say === 'failure') throw this.#error('bad-input', `cannot speak this: ${printable(said.message, 300)}`);
    if (said.say !== 'speech' || said.id !== id)
      throw this.#break('bad-input', 'answered something else than it was asked');
    const bytes = Buffer.from(said.audio, 'base64');
    const samples = new Float32Array(Math.floor(bytes.length / 4));
    for (let index = 0; index < samples.length; index++) samples[index] = bytes.readFloatLE(4 * index);
    if (samples.length === 0 || bytes.length % 4 !== 0)
      throw this.#error(
        'bad-input',
        `expected samples of 32 bits, but it gave ${bytes.length} bytes; try the text with it alone`,
      );
    if (!samples.every(Number.isFinite)) throw this.#error('bad-input', 'gave samples that are not numbers');
    return { samples, sampleRate: said.sampleRate ?? sampleRate };
  }

  async close(): Promise<void> {
    if (this.#broken === null) this.#send({ say: 'close' });
    this.#broken ??= this.#error('missing-program', 'was closed');
    this.#program.input.end();
    const timer = setTimeout(() => this.#program.kill(), graceMs);
    await this.#program.ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.#broken ??= this.#error('missing-program', 'was ended');
    this.#program.kill();
  }

  async #ask(line: JsonObject, maxSeconds: number, signal?: AbortSignal): Promise<Said> {
    if (this.#broken !== null) throw this.#broken;
    const { promise, resolve, reject } = Promise.withResolvers<Said>();
    this.#waiting = { hear: resolve, fail: reject };
    const timer = setTimeout(
      () => this.#break('nothing-answered', `did not answer "${line.say}" within ${maxSeconds} s`),
      Math.min(maxSeconds * 1000, 2 ** 31 - 1),
    );
    const stop = () => {
      // It computes on, and nobody would know when it is free again.
      this.kill();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    this.#send(line);
    try {
      const said = await promise;
      if (said.say === 'failure' && said.id === undefined)
        throw this.#break('missing-program', `cannot go on: ${printable(said.message, shownErrorCharacters)}`);
      return said;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      this.#waiting = null;
    }
  }

  #send(line: JsonObject): void {
    if (this.#program.input.writable) this.#program.input.write(`${JSON.stringify(line)}\n`);
  }

  #hear(line: string): void {
    if (this.#broken !== null) return;
    const shown = JSON.stringify(printable(line.trim(), 120));
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#break(
        'bad-input',
        `printed ${shown} where only lines of the protocol may stand; what is for people belongs on standard error`,
      );
      return;
    }
    const read = lines.safeParse(value);
    if (!read.success) this.#break('bad-input', `said ${shown}, which is no line of the protocol`);
    else if (this.#waiting === null) this.#break('bad-input', `said ${shown} without being asked`);
    else this.#waiting.hear(read.data);
  }

  #break(code: ErrorCode, what: string): EarwitnessError {
    if (this.#broken !== null) return this.#broken;
    const words = printable(this.#program.errors().trim(), shownErrorCharacters, 'end');
    this.#broken = new Broken(code, `${this.#shown} ${what}${words === '' ? '' : `; its last words: ${words}`}`);
    this.#waiting?.fail(this.#broken);
    this.#program.kill();
    return this.#broken;
  }

  #error(code: ErrorCode, what: string): EarwitnessError {
    return new EarwitnessError(code, `${this.#shown} ${what}`);
  }
}

/**
 * Starts one process, which introduces itself; it and its like load their models when they are first asked, and are started again
 * when they have broken. A text at which one breaks is asked once more.
 *
 * @param shown how sentences name it
 * @throws EarwitnessError `missing-program`: it cannot be started, with its last words; `nothing-answered`: not in time
 */
export async function openSpeakingProcesses(shown: string, options: SpeakingOptions): Promise<SpeakingProcesses> {
  const { workers: count, devices, startLimitSeconds, timeoutSeconds, start } = options;
  const deviceOf = (worker: number) => devices[worker % Math.max(1, devices.length)];
  const launch = (worker: number) => new SpeakingProcess(start(worker, deviceOf(worker)), shown);
  const first = launch(0);
  let hello: SpeakerHello;
  try {
    hello = await first.hello(startLimitSeconds);
  } catch (error) {
    first.kill();
    throw error;
  }
  const processes: (SpeakingProcess | null)[] = [first, ...Array.from({ length: count - 1 }, () => null)];
  const opened = new WeakSet<SpeakingProcess>();
  const free = processes.map((_, worker) => worker);
  const queue: ((worker: number) => void)[] = [];
  let closed = false;

  const ready = async (worker: number): Promise<SpeakingProcess> => {
    let process = processes[worker] ?? null;
    if (process === null || process.broken) {
      process = launch(worker);
      processes[worker] = process;
      const again = await process.hello(startLimitSeconds);
      if (again.name !== hello.name || again.version !== hello.version || again.sampleRate !== hello.sampleRate)
        throw new EarwitnessError(
          'missing-program',
          `${shown} introduced itself otherwise after a restart; sounds of two versions are not mixed`,
        );
    }
    if (!opened.has(process)) {
      await process.open(worker, deviceOf(worker), startLimitSeconds);
      opened.add(process);
    }
    return process;
  };

  return {
    hello,
    async speak(asked, signal) {
      const worker = free.pop() ?? (await new Promise<number>((resolve) => queue.push(resolve)));
      try {
        for (let attempt = 1; ; attempt++) {
          signal?.throwIfAborted();
          if (closed) throw new EarwitnessError('missing-program', `${shown} was closed`);
          const process = await ready(worker);
          try {
            return await process.speak(asked, hello.sampleRate, timeoutSeconds, signal);
          } catch (error) {
            if (!(error instanceof Broken)) throw error;
            // Twice at the same text: the text is to blame.
            if (attempt === 2) throw new EarwitnessError('bad-input', error.message, { cause: error });
          }
        }
      } finally {
        const next = queue.shift();
        if (next === undefined) free.push(worker);
        else next(worker);
      }
    },
    async close() {
      closed = true;
      await Promise.all(processes.map((process) => process?.close()));
    },
  };
}
