import { z } from 'zod';
import { maxTimerMs } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { detailsProblem, jsonProblem } from '../base/foreign-data.ts';
import type { JsonObject } from '../base/json.ts';
import { flag, list, nonEmpty, whole } from '../base/option-kinds.ts';
import { printable } from '../base/printable.ts';
import { createProcessorMeter, processTime } from './processor-time.ts';
import {
  hearLines,
  lastWords,
  type NaturalEnd,
  type ProgramStart,
  type StartedProgram,
  startProgram,
} from './run-program.ts';

/** The version of the protocol of docs/protocol.md that is spoken here. */
const protocolVersion = 1;

/** What a process does for whoever asks it. */
export const processTasks = ['recognize', 'speak', 'embed', 'predict'] as const;
export type ProcessTask = (typeof processTasks)[number];

const shortText = nonEmpty(500);

/** What every process says of itself. */
export const helloMembers = {
  say: z.literal('hello'),
  protocol: whole(1),
  /** Absent: whatever it is asked to. */
  does: z.enum(processTasks).optional(),
  /** What it is: part of its identity. */
  name: shortText,
  /** Of program and model together: part of its identity. */
  version: shortText,
  /** About the model: part of its identity. */
  facts: z.record(z.string(), z.json()).default({}),
};
export const languageTags = list(shortText, 0, 1000);

export const openedLine = z.object({ say: z.literal('opened') });
export const pongLine = z.object({ say: z.literal('pong'), id: whole(0) });
/** `id` absent: it cannot go on at all. */
export const failureLine = z.object({
  say: z.literal('failure'),
  id: whole(0).optional(),
  kind: z.string().max(100).default('error'),
  message: z.string(),
  retryable: flag(false),
  retryAfterSeconds: z.number().min(0).optional(),
});

/** A line that a process may say, by `say`. */
type Line = z.ZodObject<{ say: z.ZodLiteral<string> }>;
/** All that a process may say: `hello`, `opened`, `pong` and `failure` are among them. */
export type Lines<Said> = z.ZodType<Said> & { readonly options: readonly Line[] };

/** How a process became useless: it was refused or refused itself, was too late, ended, or spoke out of turn. */
export type ProcessFault = 'refused' | 'timeout' | 'crash' | 'garbage';

const shownErrorCharacters = 500;
/** How long a process may take to end when asked. */
export const graceMs = 1000;

/**
 * A process that speaks the protocol of docs/protocol.md. Whatever breaks it (its end, a line that is none of the protocol's or that
 * nobody asked for, no answer in time) breaks it for good, with one sentence; what it answered before stands.
 */
export abstract class LineProcess<Said extends { readonly say: string }, Failure extends Error> {
  /** What each of its answers took of the processor. */
  protected readonly processor = createProcessorMeter(() => {
    const { pid } = this.#program;
    return pid === undefined ? null : (processTime(pid)?.seconds ?? null);
  });
  readonly #program: StartedProgram;
  readonly #ending: Promise<NaturalEnd>;
  readonly #lines: Lines<Said>;
  readonly #shown: string;
  #asked: { readonly says: readonly string[]; resolve(said: Said): void; reject(error: Failure): void } | null = null;
  #broken: Failure | null = null;
  protected lastId = 0;

  /** @param shown how sentences name it */
  constructor(start: ProgramStart, lines: Lines<Said>, shown: string) {
    this.#lines = lines;
    this.#shown = shown;
    this.#program = startProgram(start);
    hearLines(
      this.#program.output,
      (line) => this.#hear(line),
      (problem) => this.break('garbage', problem),
    );
    this.#ending = this.#program.ended.then((end) => {
      if (end.how === 'not started') {
        const name = printable(start.program.slice(start.program.lastIndexOf('/') + 1), 100);
        const reason = end.error.code === 'ENOENT' ? 'there is none of that name' : (end.error.code ?? 'no reason');
        this.#fail(this.failure('refused', `the program ${name} could not be started: ${reason}`));
      } else if (end.how === 'signal') this.break('crash', `was ended by ${end.signal}`);
      else this.break('crash', `ended with exit status ${end.code}${this.inHand()}`);
      return end;
    });
  }

  /** Why it is of no use any more; null while it is. */
  get broken(): Failure | null {
    return this.#broken;
  }

  /** @throws Failure where it cannot be started, does not answer in time, speaks another version or does something else */
  async hello(maxSeconds: number, task?: ProcessTask): Promise<Extract<Said, { readonly say: 'hello' }>> {
    const line = { say: 'hello', protocol: protocolVersion };
    const said = (await this.ask(line, ['hello'], maxSeconds)) as Extract<Said, { readonly say: 'hello' }>;
    const { protocol, does = task } = said as { readonly protocol?: number; readonly does?: ProcessTask };
    if (protocol !== protocolVersion)
      throw this.break(
        'refused',
        `speaks version ${protocol} of the protocol, and earwitness version ${protocolVersion}; update the older of the two`,
      );
    if (task !== undefined && does !== task)
      throw this.break('refused', `says that it is there to ${does}, but is asked to ${task}`);
    return said;
  }

  /** Has it load what it needs. */
  async open(worker: number, device: string | undefined, maxSeconds: number): Promise<void> {
    await this.ask({ say: 'open', worker, ...(device !== undefined && { device }) }, ['opened'], maxSeconds);
  }

  /** Whether it is there and hears. A process that does not answer is broken. */
  async ping(maxSeconds: number): Promise<boolean> {
    const answer = this.ask({ say: 'ping', id: ++this.lastId }, ['pong'], maxSeconds);
    return answer.then(
      () => true,
      () => false,
    );
  }

  /** Sends a line, one at a time, and waits for one of those that answer it. */
  async ask<Say extends Said['say']>(
    line: JsonObject,
    says: readonly Say[],
    maxSeconds: number,
  ): Promise<Extract<Said, { readonly say: Say }>> {
    if (this.#broken !== null) throw this.#broken;
    const { promise, resolve, reject } = Promise.withResolvers<Said>();
    this.#asked = { says, resolve, reject };
    const timer = setTimeout(
      () => this.break('timeout', `did not answer "${line.say}" within ${maxSeconds} s`),
      Math.min(maxSeconds * 1000, maxTimerMs),
    );
    void this.tell(line);
    try {
      return (await promise) as Extract<Said, { readonly say: Say }>;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends a line, with bytes behind it.
   *
   * @returns what resolves when the process has taken it, or will take nothing any more
   */
  tell(line: JsonObject, frames: readonly Float32Array[] = []): Promise<void> {
    const { input } = this.#program;
    if (this.#broken !== null || !input.writable) return Promise.resolve();
    input.cork();
    let taken = input.write(`${JSON.stringify(line)}\n`);
    for (const { buffer, byteOffset, byteLength } of frames)
      taken = input.write(Buffer.from(buffer, byteOffset, byteLength));
    input.uncork();
    if (taken) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        input.off('drain', done).off('close', done);
        resolve();
      };
      input.on('drain', done).on('close', done);
    });
  }

  /** Ends it because of what it did; gives the sentence, the first one where there are several. */
  break(fault: ProcessFault, what: string): Failure {
    const words = lastWords(this.#program.errors(), shownErrorCharacters);
    return this.#fail(this.failure(fault, `${this.#shown} ${what}${words === '' ? '' : `; its last words: ${words}`}`));
  }

  /**
   * Asks it to end and ends its input (or only one of the two), and kills it where it has not ended in time.
   *
   * @returns how it ended
   */
  async close(how: 'both' | 'asked' | 'silently' = 'both'): Promise<NaturalEnd> {
    if (how !== 'silently') void this.tell({ say: 'close' });
    this.#giveUp();
    if (how !== 'asked') this.#program.input.end();
    const timer = setTimeout(() => this.#program.kill(), graceMs);
    const end = await this.#ending;
    clearTimeout(timer);
    return end;
  }

  /** Ends it at once, and waits until it has. */
  async kill(): Promise<void> {
    this.#fail(this.failure('error', `${this.#shown} was closed`));
    await this.#ending;
  }

  /** @param fault or the kind that it names itself */
  protected abstract failure(fault: ProcessFault | (string & {}), sentence: string): Failure;

  /** Hears what is no answer to `ask`; gives what is wrong with it, as the end of a sentence. */
  protected heard(said: Said): string | null {
    return `said "${said.say}" without being asked`;
  }

  /** What it was at, as the end of a sentence. */
  protected inHand(): string {
    return '';
  }

  /** Is told once that nothing is answered any more. */
  protected lost(_why: Failure): void {}

  #hear(line: string): void {
    if (this.#broken !== null) return;
    const read = readLine(this.#lines, line);
    if ('problem' in read) {
      this.break('garbage', read.problem);
      return;
    }
    const said: Said & { readonly id?: number; readonly kind?: string; readonly message?: string } = read.message;
    if (said.say === 'failure' && said.id === undefined)
      this.#fail(this.failure(said.kind ?? 'error', printable(said.message ?? '', 1000)));
    else if (this.#asked?.says.includes(said.say)) {
      // At once, since the next line can stand in the same chunk.
      const { resolve } = this.#asked;
      this.#asked = null;
      resolve(said);
    } else {
      const problem = this.heard(said);
      if (problem !== null) this.break('garbage', problem);
    }
  }

  #fail(error: Failure): Failure {
    this.#giveUp(error);
    this.#program.kill();
    return this.#broken!;
  }

  #giveUp(error = this.failure('error', `${this.#shown} was closed`)): void {
    if (this.#broken !== null) return;
    this.#broken = error;
    this.#asked?.reject(error);
    this.lost(error);
  }
}

/**
 * Reads one line of a process.
 *
 * @returns the message, or what is wrong with the line, as the end of a sentence
 */
export function readLine<Said>(
  lines: Lines<Said>,
  line: string,
): { readonly message: Said } | { readonly problem: string } {
  const quoted = JSON.stringify(printable(line.trim(), 120));
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const broken = brokenJson(line, error);
    if (broken !== null) return { problem: `printed ${quoted}, ${broken}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {
      problem: `printed ${quoted} where only lines of the protocol may stand; what is for people belongs on standard error`,
    };
  // Before anything that walks it by calls in each other.
  const { facts } = value as { readonly facts?: unknown };
  const unfit = jsonProblem(value) ?? (facts === undefined ? null : detailsProblem('facts', facts));
  if (unfit !== null) return { problem: `said ${quoted}, but ${unfit}` };
  const read = lines.safeParse(value);
  if (read.success) return { message: read.data };
  const says = lines.options.map(({ shape }) => shape.say.value);
  if (!says.includes(String((value as JsonObject).say)))
    return { problem: `said ${quoted}, but \`say\` is none of ${says.join(', ')}` };
  const [issue] = read.error.issues;
  return {
    problem: `said ${quoted}, but ${issue === undefined ? 'it is not of that form' : `${issue.path.join('.')}: ${issue.message}`}`,
  };
}

/** What is wrong with a line that was meant as one of the protocol and is no JSON; null where it is something else. */
function brokenJson(line: string, error: unknown): string | null {
  if (line.startsWith('\uFEFF'))
    return 'a line that begins with a byte order mark (U+FEFF), which JSON has none of: write without it';
  if (!/^\s*\{\s*"/.test(line)) return null;
  const begins = 'a line that begins like the protocol but is no JSON';
  // What stands in a text is none of it: texts are blanked in their own length.
  const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, (text) => ' '.repeat(text.length));
  const number = /-?\b(?:NaN|Infinity)\b/.exec(bare);
  if (number !== null)
    return `${begins}: \`${number[0]}\` at character ${number.index + 1} (JSON has none: say null, or leave it out)`;
  return `${begins}: ${printable(messageOf(error).replace(/, ?(?:\.\.\.)?".*$/s, ''), 150)}`;
}
