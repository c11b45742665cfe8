import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { badConfig, badInput, EarwitnessError, type ErrorCode, missingProgram } from '../base/errors.ts';
import { tooLongToWait } from '../base/foreign-data.ts';
import { canonicalJson } from '../base/hash.ts';
import { asJson, type JsonObject } from '../base/json.ts';
import { nonEmpty, positive, whole } from '../base/option-kinds.ts';
import { printable } from '../base/printable.ts';
import type { ModelFileServices } from '../packages/model-files.ts';
import { LineProcess, type Lines, type ProcessTask } from './line-process.ts';
import { programIdentity, programStart, seenVariables, stayingProgram } from './named-program.ts';
import { neededPackages, pythonIdentity, pythonOptions, pythonScript } from './python.ts';
import type { ProgramStart } from './run-program.ts';
import { programEnvironment } from './run-program.ts';

// Processes that stay and are asked one thing after another: they speak, embed or predict. Recognizers, which hear several clips at
// once and while somebody speaks, have a pool of their own.

/** Options of members whose process stays. */
const processOptions = {
  workers: whole(1, 256).default(1).describe('Processes that work side by side. Each loads the model for itself.'),
  devices: z
    .array(nonEmpty(100))
    .default([])
    .describe('Given to the workers in turn, in EARWITNESS_DEVICE and when they are opened: [cuda:0, cuda:1]'),
  startLimitSeconds: positive(86_400)
    .default(300)
    .describe('Max wait until it introduces itself, and again until its model is loaded, in seconds'),
  environment: seenVariables,
};

/** Options of a member that is a program. */
export const askedProgramOptions = {
  program: stayingProgram,
  version: z.string().max(200).default('').describe('Change it when the program answers otherwise than before'),
  ...processOptions,
};

/** Options of a member that is a Python script, in the words of what it does. */
export function askedPythonOptions(words: Parameters<typeof pythonOptions>[0]) {
  return { ...pythonOptions(words), ...processOptions };
}

/** Max wait for one answer. */
export function answerLimit(what: string, usualSeconds: number) {
  return z.number().gt(0).max(86_400).default(usualSeconds).describe(`How long ${what} may take, in seconds`);
}

const programSchema = z.strictObject(askedProgramOptions);
const pythonSchema = z.strictObject(askedPythonOptions({ calls: '', changes: '', example: '', again: '' }));
type Timed<Options> = Options & { readonly timeoutSeconds: number };

interface ProcessServices extends ModelFileServices {
  environment(name: string): string | undefined;
}

/** What a process is there for, and what it may say. */
export interface AskedTask<Said> {
  readonly does: ProcessTask;
  readonly lines: Lines<Said>;
}

type Say<Said, Name> = Extract<Said, { readonly say: Name }>;

/** What every introduction has. */
export interface Introduction {
  readonly name: string;
  readonly version: string;
  readonly facts: JsonObject;
}

/** Processes that have introduced themselves. */
export interface AskedProcesses<Said extends { readonly say: string }> {
  readonly hello: Say<Said, 'hello'> & Introduction;
  /** Of what the config names, and of name, version and facts of the introduction. */
  readonly identity: JsonObject;
  /**
   * Has one of them load its model, before it is asked.
   *
   * @throws EarwitnessError `missing-program`, `nothing-answered`: it does not
   */
  ready(): Promise<void>;
  /**
   * Sends a line, to which an id is put, and gives the line that answers it. One that breaks the process is sent once more, and one of
   * which it says that asking again helps up to three times more, after as long as it says.
   *
   * @throws EarwitnessError `bad-input`: this cannot be answered; `missing-program`, `nothing-answered`: the process cannot go on;
   * what the signal was aborted with
   */
  ask<Name extends Said['say']>(line: JsonObject, says: Name, signal?: AbortSignal): Promise<Say<Said, Name>>;
  /** Ends the processes, with nothing in hand, until something is asked again: what they have loaded is given back. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

interface FailureSaid {
  readonly id?: number;
  readonly message?: string;
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

/** It says that it has no answer to this. */
class Unanswered extends EarwitnessError {
  /** Whether to ask again, after how long where it says so. */
  readonly again: { readonly afterSeconds: number | null } | null;

  constructor(message: string, again: Unanswered['again']) {
    super('bad-input', message);
    this.again = again;
  }
}

/** How often a thing is asked, where a process says that asking again helps: as often as recognizers are by default. */
const maxAsked = 4;
const firstPauseSeconds = 1;

/** It broke, and can be started anew. */
class Broken extends EarwitnessError {}

/** One process that is asked one thing at a time. */
export class AskedProcess<Said extends { readonly say: string }> extends LineProcess<Said, EarwitnessError> {
  readonly #does: ProcessTask;
  readonly #shown: string;

  constructor(start: ProgramStart, { does, lines }: AskedTask<Said>, shown: string) {
    super(start, lines, shown);
    this.#does = does;
    this.#shown = shown;
  }

  override hello(maxSeconds: number): Promise<Say<Said, 'hello'>> {
    return super.hello(maxSeconds, this.#does);
  }

  /** @throws EarwitnessError `bad-input` where it says that it cannot */
  async answer<Name extends Said['say']>(line: JsonObject, says: Name, maxSeconds: number): Promise<Say<Said, Name>> {
    const id = ++this.lastId;
    const said: Said & FailureSaid = await this.ask({ ...line, id }, [says, 'failure' as Said['say']], maxSeconds);
    if (said.id !== id)
      throw this.break('garbage', `answered ${said.id}, which it was not asked or has answered before`);
    if (said.say !== 'failure') return said as Say<Said, Name>;
    const { retryable = false, retryAfterSeconds } = said;
    const tooLong = retryable ? tooLongToWait(retryAfterSeconds) : null;
    const why = `${printable(said.message ?? '', 1000)}${tooLong ?? ''}`;
    const again = retryable && tooLong === null ? { afterSeconds: retryAfterSeconds ?? null } : null;
    throw new Unanswered(`${this.#shown} cannot ${this.#does} this: ${why}`, again);
  }

  protected override heard(said: Said & FailureSaid): string | null {
    return said.id === undefined || said.say === 'pong'
      ? super.heard(said)
      : `answered ${said.id}, which it was not asked or has answered before`;
  }

  protected override failure(kind: string, sentence: string): EarwitnessError {
    const codes: Readonly<Record<string, ErrorCode>> = { timeout: 'nothing-answered', garbage: 'bad-input' };
    return new Broken(codes[kind] ?? 'missing-program', sentence);
  }
}

/**
 * Starts a program that the config names, which introduces itself.
 *
 * @throws EarwitnessError `missing-program`: it cannot be started, with its last words; `nothing-answered`: not in time
 */
export async function openAskedProgram<Said extends { readonly say: string }>(
  task: AskedTask<Said>,
  given: Timed<z.output<typeof programSchema>>,
  services: ProcessServices,
): Promise<AskedProcesses<Said>> {
  const program = await programIdentity(given.program, services);
  const identity = { engine: 'program', method: 1, program, ...(given.version !== '' && { stated: given.version }) };
  const shown = printable(basename(given.program[0]!), 100);
  return openAskedProcess(task, shown, given, identity, (worker, device) =>
    programStart(given, services, worker, device),
  );
}

/**
 * Starts a Python script that the config names, which introduces itself.
 *
 * @throws EarwitnessError as `openAskedProgram`; `bad-config`: there is no such script
 */
export async function openAskedPython<Said extends { readonly say: string }>(
  task: AskedTask<Said>,
  given: Timed<z.output<typeof pythonSchema>>,
  services: ProcessServices,
): Promise<AskedProcesses<Said>> {
  const script = resolve(services.baseFolder, given.script);
  if (!(await stat(script).catch(() => null))?.isFile())
    throw badConfig(
      `script: expected a Python file at ${printable(given.script, 200)}, but there is none; correct the path`,
    );
  const environment = programEnvironment(given.environment, services.environment);
  const named = { python: given.python, folder: services.baseFolder, environment };
  const identity = await pythonIdentity(script, given, await neededPackages(named, script, given.packages), services);
  return openAskedProcess(task, printable(basename(script), 100), given, identity, (worker, device) =>
    pythonScript(named, script, given.arguments, worker, device),
  );
}

/**
 * Starts a process of one of our own members, which introduces itself.
 *
 * @param shown how sentences name it
 * @param identity what it does, without its introduction
 * @throws EarwitnessError as `openAskedProgram`
 */
export async function openAskedProcess<Said extends { readonly say: string }>(
  task: AskedTask<Said>,
  shown: string,
  options: Timed<Pick<z.output<typeof programSchema>, 'workers' | 'devices' | 'startLimitSeconds'>>,
  identity: JsonObject,
  start: (worker: number, device: string | undefined) => ProgramStart,
): Promise<AskedProcesses<Said>> {
  const { workers: count, devices, startLimitSeconds, timeoutSeconds } = options;
  const deviceOf = (worker: number) => devices[worker % Math.max(1, devices.length)];
  const launch = (worker: number) => new AskedProcess(start(worker, deviceOf(worker)), task, shown);
  const first = launch(0);
  const hello = (await first.hello(startLimitSeconds).catch(async (error: unknown) => {
    await first.kill();
    throw error;
  })) as Say<Said, 'hello'> & Introduction;
  const processes: (AskedProcess<Said> | null)[] = [first, ...Array.from({ length: count - 1 }, () => null)];
  const opened = new WeakSet<AskedProcess<Said>>();
  const free = processes.map((_, worker) => worker);
  const queue: ((worker: number) => void)[] = [];
  let closed = false;
  const closing = new AbortController();

  const ready = async (worker: number): Promise<AskedProcess<Said>> => {
    let process = processes[worker] ?? null;
    if (process === null || process.broken !== null) {
      process = launch(worker);
      processes[worker] = process;
      const again = await process.hello(startLimitSeconds);
      if (canonicalJson(asJson(again)) !== canonicalJson(asJson(hello)))
        throw missingProgram(
          `${shown} introduced itself otherwise after a restart; answers of two versions are not mixed`,
        );
    }
    if (!opened.has(process)) {
      await process.open(worker, deviceOf(worker), startLimitSeconds);
      opened.add(process);
    }
    return process;
  };

  const { name, version, facts } = hello;
  return {
    hello,
    identity: { ...identity, introduced: { name, version, ...(Object.keys(facts).length > 0 && { facts }) } },
    async ready() {
      await ready(0);
    },
    async ask(line, says, signal) {
      const worker = free.pop() ?? (await new Promise<number>((resolve) => queue.push(resolve)));
      try {
        let [broken, refused] = [0, 0];
        for (;;) {
          signal?.throwIfAborted();
          if (closed) throw missingProgram(`${shown} was closed`);
          const process = await ready(worker);
          // It computes on, and nobody would know when it is free again.
          const stop = () => void process.kill();
          signal?.addEventListener('abort', stop, { once: true });
          try {
            return await process.answer(line, says, timeoutSeconds);
          } catch (error) {
            signal?.throwIfAborted();
            if (error instanceof Unanswered && error.again !== null && ++refused < maxAsked) {
              const seconds = error.again.afterSeconds ?? firstPauseSeconds * 2 ** (refused - 1);
              const either = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
              await pause(seconds * 1000, undefined, { signal: either }).catch(() => {});
              continue;
            }
            if (!(error instanceof Broken)) throw error;
            // Twice at the same: it is to blame.
            if (++broken === 2) throw badInput(error.message, { cause: error });
          } finally {
            signal?.removeEventListener('abort', stop);
          }
        }
      } finally {
        const next = queue.shift();
        if (next === undefined) free.push(worker);
        else next(worker);
      }
    },
    async rest() {
      await Promise.all(processes.splice(0).map((process) => process?.close()));
    },
    async close() {
      closed = true;
      closing.abort();
      await Promise.all(processes.map((process) => process?.close()));
    },
  };
}
