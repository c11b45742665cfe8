import { spawn } from 'node:child_process';
import { programEnvironment } from './program-environment.ts';
import { guardedCall } from './program-guard.ts';

/** A program that is run once. Never through a shell: arguments arrive as they are. */
export interface ProgramCall {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Where it runs; absent: where this process does. */
  readonly folder?: string;
  /** All its environment variables; absent: those that every program sees (`programEnvironment`). */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What it reads; absent or null: nothing. */
  readonly input?: Uint8Array | null;
  readonly maxSeconds: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended: by itself, by a signal, by what it was not allowed, given up, or it could not be started. */
export type ProgramEnd =
  | { readonly how: 'exit'; readonly code: number }
  | { readonly how: 'signal'; readonly signal: string }
  | { readonly how: 'too long' }
  | { readonly how: 'too much' }
  | { readonly how: 'given up' }
  | { readonly how: 'not started'; readonly error: NodeJS.ErrnoException };

export interface ProgramOutcome {
  readonly end: ProgramEnd;
  readonly output: Buffer;
  /** What it wrote to its error stream: of more than 8 kilobytes the first four and the last four. */
  readonly errors: string;
}

const keptErrorBytes = 4096;
/** What a program's children may still print once it has ended. */
const afterEndMs = 500;
/** What a timer can wait. */
const maxTimerMs = 2 ** 31 - 1;

/** Groups of processes that run; killed when this process ends, since they would not hear of it. */
const running = new Set<number>();
let watching = false;

/**
 * Runs a program in a process group of its own, gives it bytes to read and takes what it prints. The whole group, and what has left it
 * (`guardedCall`), is killed when it takes too long, prints too much or is given up, and with this process. Never rejects.
 *
 * @example (await runProgram({ program: 'true', arguments: [], maxSeconds: 1, maxOutputBytes: 0 })).end // { how: 'exit', code: 0 }
 */
export function runProgram(call: ProgramCall): Promise<ProgramOutcome> {
  const { signal } = call;
  if (signal?.aborted) return Promise.resolve({ end: { how: 'given up' }, output: Buffer.alloc(0), errors: '' });
  watchExit();
  const guarded = guardedCall();
  const grouped = process.platform !== 'win32';
  return new Promise((resolve) => {
    const child = spawn(call.program, call.arguments, {
      cwd: call.folder,
      env: { ...(call.environment ?? programEnvironment()), ...guarded.environment },
      detached: grouped,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const { pid } = child;
    if (pid !== undefined && grouped) {
      running.add(pid);
      guarded.started(pid);
    }
    const output: Buffer[] = [];
    let outputBytes = 0;
    const errors = { first: Buffer.alloc(0), last: Buffer.alloc(0), bytes: 0 };
    let stopped: ProgramEnd | null = null;
    let late: NodeJS.Timeout | undefined;

    const killAll = () => {
      if (pid !== undefined && grouped) killGroup(pid);
      else child.kill('SIGKILL');
    };
    const letGo = () => {
      killAll();
      // A grandchild that has left the group may hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const stop = (end: ProgramEnd) => {
      stopped ??= end;
      killAll();
      guarded.killStrays();
    };
    const onAbort = () => stop({ how: 'given up' });
    const limit = setTimeout(() => stop({ how: 'too long' }), Math.min(call.maxSeconds * 1000, maxTimerMs));
    const settle = (end: ProgramEnd) => {
      clearTimeout(limit);
      clearTimeout(late);
      signal?.removeEventListener('abort', onAbort);
      if (pid !== undefined && grouped) {
        running.delete(pid);
        guarded.ended(pid);
      }
      const between = errors.bytes > 2 * keptErrorBytes ? '\n…\n' : '';
      const printed = `${errors.first.toString('utf8')}${between}${errors.last.toString('utf8')}`;
      resolve({ end: stopped ?? end, output: Buffer.concat(output), errors: printed });
    };
    signal?.addEventListener('abort', onAbort, { once: true });

    child.stdout.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes <= call.maxOutputBytes) output.push(chunk);
      else stop({ how: 'too much' });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      const room = keptErrorBytes - errors.first.length;
      errors.first = Buffer.concat([errors.first, chunk.subarray(0, room)]);
      errors.last = Buffer.concat([errors.last, chunk.subarray(room)]).subarray(-keptErrorBytes);
      errors.bytes += chunk.length;
    });
    // A program that does not read its input to the end closes the pipe; what it answers counts all the same.
    child.stdin.on('error', () => {});
    child.stdin.end(call.input ?? undefined);

    child.once('error', (error: NodeJS.ErrnoException) => {
      // A failed kill is told here as well; such a program still runs.
      if (pid === undefined) settle({ how: 'not started', error });
    });
    child.once('exit', () => {
      late = setTimeout(letGo, afterEndMs);
    });
    child.once('close', (code, killedBy) => {
      killAll();
      settle(killedBy === null ? { how: 'exit', code: code ?? 0 } : { how: 'signal', signal: killedBy });
    });
  });
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
