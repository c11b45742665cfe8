import { spawn } from 'node:child_process';
import { EarwitnessError } from '../../base/errors.ts';
import { guardedCall } from '../../base/program-guard.ts';
import { quoted } from './speakable-text.ts';

/** A program that is run once. Never through a shell: arguments arrive as they are. */
export interface ProgramCall {
  readonly program: string;
  readonly arguments: readonly string[];
  /** What it reads; nothing if absent. */
  readonly input?: Uint8Array;
  readonly timeoutSeconds: number;
  /** What to type where the program is missing. */
  readonly install: string;
  /** Where it runs, this program's folder if absent. */
  readonly folder?: string;
  /** All its environment variables; those of this program if absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

export interface ProgramOutcome {
  readonly output: Uint8Array;
  /** The first kilobytes of what it printed to its error stream. */
  readonly errors: string;
}

/** A gigabyte of WAV would be 9 hours of 16 kHz: who writes this much has gone mad. */
const mostOutputBytes = 256 * 2 ** 20;
const mostErrorBytes = 8192;

/**
 * Runs a program to its end, gives it bytes to read and takes what it writes.
 *
 * @throws EarwitnessError `missing-program` where it is not installed; `bad-input` where it fails, takes too long or
 * writes without end
 * @throws the signal's reason where it is aborted
 */
export function runProgram(call: ProgramCall): Promise<ProgramOutcome> {
  const { program, timeoutSeconds, signal } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    // A process group of its own, so that a script's children end with it.
    const grouped = process.platform !== 'win32';
    const guarded = guardedCall();
    const child = spawn(program, call.arguments, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: grouped,
      cwd: call.folder,
      env: { ...(call.environment ?? process.env), ...guarded.environment },
      windowsHide: true,
    });
    if (child.pid !== undefined) guarded.started(child.pid);
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let outputBytes = 0;
    let errorBytes = 0;
    let stopped: unknown = null;

    const kill = () => {
      try {
        if (grouped && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const stop = (reason: unknown) => {
      stopped ??= reason;
      kill();
      guarded.killStrays();
      // A grandchild that has left the group may hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const onAbort = () => stop(signal?.reason);
    const timer = setTimeout(
      () => stop(failed(call, `took longer than ${timeoutSeconds} s`, '')),
      Math.min(timeoutSeconds * 1000, 2 ** 31 - 1),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (child.pid !== undefined) guarded.ended(child.pid);
    };

    child.stdout.on('data', (bytes: Buffer) => {
      outputBytes += bytes.length;
      if (outputBytes > mostOutputBytes) stop(failed(call, `wrote more than ${mostOutputBytes} bytes`, ''));
      else output.push(bytes);
    });
    child.stderr.on('data', (bytes: Buffer) => {
      if (errorBytes < mostErrorBytes) errors.push(bytes.subarray(0, mostErrorBytes - errorBytes));
      errorBytes += bytes.length;
    });
    // A program may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(call.input ?? new Uint8Array(0));

    child.on('error', (error: NodeJS.ErrnoException) => {
      settle();
      reject(
        error.code === 'ENOENT' ? missingProgram(call, error) : failed(call, `could not be started`, error.message),
      );
    });
    child.on('close', (code, endSignal) => {
      settle();
      const printed = Buffer.concat(errors).toString('utf8');
      if (stopped !== null) reject(stopped);
      else if (code === 0) resolve({ output: Buffer.concat(output), errors: printed });
      else reject(failed(call, endSignal ? `was ended by ${endSignal}` : `ended with exit code ${code}`, printed));
    });
  });
}

function missingProgram({ program, install }: ProgramCall, cause: Error): EarwitnessError {
  return new EarwitnessError(
    'missing-program',
    `expected the program ${program}, but it is not installed or not on PATH; get it with: ${install}`,
    { cause },
  );
}

function failed({ program }: ProgramCall, what: string, printed: string): EarwitnessError {
  const lastLine = printed.trim().split('\n').at(-1) ?? '';
  const said = lastLine === '' ? '' : ` and said ${quoted(lastLine)}`;
  return new EarwitnessError('bad-input', `expected speech from ${program}, but it ${what}${said}; try it by itself`);
}
