import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { maxTimerMs } from '../base/clock.ts';
import { foreignLimits, utf8Text } from '../base/foreign-data.ts';
import { printable } from '../base/printable.ts';
import { noTelemetry } from '../base/telemetry.ts';
import { processTime } from './processor-time.ts';
import { guardedCall } from './program-guard.ts';

/** What programs may see: keys that stand in the environment are for whom they were put there. */
const alwaysSeen: readonly string[] = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR'];

/**
 * The environment variables that a program is started with; those that refuse telemetry are among them.
 *
 * @param named further ones that it may see, by name
 * @param read gives the value of a variable, as far as it may be read
 * @example programEnvironment(['SPEECH_KEY']) // { …, PATH: '/usr/bin', HOME: '/home/me', SPEECH_KEY: '…' }
 */
export function programEnvironment(
  named: readonly string[] = [],
  read: (name: string) => string | undefined = (name) => process.env[name],
): Record<string, string> {
  const found = [...alwaysSeen, ...named].map((name) => [name, read(name)] as const);
  const values = found.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  return { ...noTelemetry, ...Object.fromEntries(values) };
}

/**
 * Hears what a program prints line by line, empty lines left out. What has no end of line yet waits for it.
 *
 * @param refuse is told of a line that is too long or no UTF-8, as the end of a sentence; nothing is heard after it
 */
export function hearLines(output: Readable, hear: (line: string) => void, refuse: (problem: string) => void): void {
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  let over = false;
  const end = (problem: string) => {
    over = true;
    carried = [];
    refuse(problem);
  };
  const carry = (part: Buffer) => {
    carried.push(part);
    carriedBytes += part.length;
    if (carriedBytes > foreignLimits.answerBytes) end(`printed a line of more than ${foreignLimits.answerBytes} bytes`);
  };
  output.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let feed = chunk.indexOf(10); feed !== -1 && !over; feed = chunk.indexOf(10, from)) {
      carry(chunk.subarray(from, feed));
      from = feed + 1;
      if (over) return;
      const read = utf8Text(carried.length === 1 ? carried[0]! : Buffer.concat(carried));
      carried = [];
      carriedBytes = 0;
      if ('problem' in read) end(`printed a line that is no UTF-8 text: ${read.problem}`);
      else if (read.text.trim() !== '') hear(read.text);
    }
    if (!over && from < chunk.length) carry(chunk.subarray(from));
  });
}

/** What a program is started with. Never through a shell: arguments arrive as they are. */
export interface ProgramStart {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Where it runs; absent: where this process does. */
  readonly folder?: string;
  /** All its environment variables; absent: those that every program sees (`programEnvironment`). */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** How a program ended when nobody ended it: by itself, by a signal, or it could not be started. */
export type NaturalEnd =
  | { readonly how: 'exit'; readonly code: number }
  | { readonly how: 'signal'; readonly signal: string }
  | { readonly how: 'not started'; readonly error: NodeJS.ErrnoException };

/** A program that runs, until it ends or is killed, or this process ends. */
export interface StartedProgram {
  /** Absent where it could not be started. */
  readonly pid: number | undefined;
  readonly input: Writable;
  readonly output: Readable;
  /** What it wrote to its error stream so far: of more than 8 kilobytes the first four and the last four. */
  errors(): string;
  /** Kills its whole group, and what has left that. */
  kill(): void;
  /** Resolves when it has ended and its output has been read. Never rejects. */
  readonly ended: Promise<NaturalEnd>;
  /** Once it has ended: processor time in seconds, its children's with it; null where that is not known. */
  processorSeconds(): number | null;
}

const keptErrorBytes = 4096;
/** What a program's children may still print once it has ended. */
const afterEndMs = 500;

/** Groups of processes that run; killed when this process ends, since they would not hear of it. */
const running = new Set<number>();
let watching = false;

/**
 * Starts a program in a process group of its own, which ends with this process (`guardedCall`).
 *
 * @example
 * const cat = startProgram({ program: 'cat', arguments: [] });
 * cat.input.end('words');
 */
export function startProgram(start: ProgramStart): StartedProgram {
  watchExit();
  const guarded = guardedCall();
  const grouped = process.platform !== 'win32';
  const child = spawn(start.program, start.arguments, {
    cwd: start.folder,
    env: { ...(start.environment ?? programEnvironment()), ...guarded.environment },
    detached: grouped,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const { pid } = child;
  if (pid !== undefined && grouped) {
    running.add(pid);
    guarded.started(pid);
  }
  const errors = { first: Buffer.alloc(0), last: Buffer.alloc(0), bytes: 0 };
  let over = false;
  let late: NodeJS.Timeout | undefined;
  const killAll = () => {
    if (pid !== undefined && grouped) killGroup(pid);
    else child.kill('SIGKILL');
  };
  child.stderr.on('data', (chunk: Buffer) => {
    const room = keptErrorBytes - errors.first.length;
    errors.first = Buffer.concat([errors.first, chunk.subarray(0, room)]);
    errors.last = Buffer.concat([errors.last, chunk.subarray(room)]).subarray(-keptErrorBytes);
    errors.bytes += chunk.length;
  });
  // Its pipes are closed by its end, before the system lets go of it: then alone can be read what it took.
  let processorSeconds: number | null = null;
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.once('end', () => {
      const time = pid === undefined ? null : processTime(pid);
      if (time?.ending) processorSeconds = time.seconds;
    });
  }
  // A program that does not read its input to the end closes the pipe; what it answers counts all the same.
  child.stdin.on('error', () => {});
  const ended = new Promise<NaturalEnd>((resolve) => {
    const settle = (end: NaturalEnd) => {
      over = true;
      clearTimeout(late);
      if (pid !== undefined && grouped) {
        running.delete(pid);
        guarded.ended(pid);
      }
      resolve(end);
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      // A failed kill is told here as well; such a program still runs.
      if (pid === undefined) settle({ how: 'not started', error });
    });
    child.once('exit', () => {
      late = setTimeout(() => {
        killAll();
        // A grandchild that has left the group may hold the pipes open.
        child.stdout.destroy();
        child.stderr.destroy();
      }, afterEndMs);
    });
    child.once('close', (code, killedBy) => {
      killAll();
      settle(killedBy === null ? { how: 'exit', code: code ?? 0 } : { how: 'signal', signal: killedBy });
    });
  });
  return {
    pid,
    input: child.stdin,
    output: child.stdout,
    errors() {
      const between = errors.bytes > 2 * keptErrorBytes ? '\n…\n' : '';
      return `${errors.first.toString('utf8')}${between}${errors.last.toString('utf8')}`;
    },
    kill() {
      if (over) return;
      killAll();
      guarded.killStrays();
    },
    ended,
    processorSeconds: () => processorSeconds,
  };
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nobody is left in the group.
  }
}

function watchExit(): void {
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const group of running) killGroup(group);
  });
}

/** A program that is run once. */
export interface ProgramCall extends ProgramStart {
  /** What it reads; absent or null: nothing. */
  readonly input?: Uint8Array | null;
  readonly maxSeconds: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended: by itself, by what it was not allowed, or given up. */
type ProgramEnd =
  | NaturalEnd
  | { readonly how: 'too long' }
  | { readonly how: 'too much' }
  | { readonly how: 'given up' };

export interface ProgramOutcome {
  readonly end: ProgramEnd;
  readonly output: Buffer;
  /** What it wrote to its error stream: of more than 8 kilobytes the first four and the last four. */
  readonly errors: string;
  /** Processor time that it took, its children's with it; null where that is not known. */
  readonly processorSeconds: number | null;
}

/**
 * Runs a program in a process group of its own, gives it bytes to read and takes what it prints. The whole group, and what has left it,
 * is killed when it takes too long, prints too much or is given up, and with this process. Never rejects.
 *
 * @example (await runProgram({ program: 'true', arguments: [], maxSeconds: 1, maxOutputBytes: 0 })).end // { how: 'exit', code: 0 }
 */
export async function runProgram(call: ProgramCall): Promise<ProgramOutcome> {
  const { signal } = call;
  if (signal?.aborted) return { end: { how: 'given up' }, output: Buffer.alloc(0), errors: '', processorSeconds: null };
  const program = startProgram(call);
  const output: Buffer[] = [];
  let outputBytes = 0;
  let stopped: ProgramEnd | null = null;
  const stop = (end: ProgramEnd) => {
    stopped ??= end;
    program.kill();
  };
  const onAbort = () => stop({ how: 'given up' });
  const limit = setTimeout(() => stop({ how: 'too long' }), Math.min(call.maxSeconds * 1000, maxTimerMs));
  signal?.addEventListener('abort', onAbort, { once: true });
  program.output.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes <= call.maxOutputBytes) output.push(chunk);
    else stop({ how: 'too much' });
  });
  program.input.end(call.input ?? undefined);
  const end = await program.ended;
  clearTimeout(limit);
  signal?.removeEventListener('abort', onAbort);
  return {
    end: stopped ?? end,
    output: Buffer.concat(output),
    errors: program.errors(),
    processorSeconds: program.processorSeconds(),
  };
}

/**
 * The end of what a program wrote on standard error, in one line. Places of a stack are left out, as JavaScript and Java list them: what
 * went wrong stands before those.
 */
export function lastWords(errors: string, maxCharacters: number): string {
  const lines = errors.split('\n').filter((line) => !/^\s+at \S/.test(line) && !/^Node\.js v\d/.test(line));
  return printable(lines.join('\n').trim(), maxCharacters, 'end');
}
