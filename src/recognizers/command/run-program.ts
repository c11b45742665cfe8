import { spawn } from 'node:child_process';
import { guardedCall } from '../../base/program-guard.ts';
import { RecognitionError } from '../contract.ts';
import { givenUp } from '../shared/abortable.ts';
import { printable } from '../shared/printable.ts';

export interface ProgramRun {
  readonly program: string;
  readonly programArguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** For standard input; null for none. */
  readonly input: Uint8Array | null;
  readonly timeLimitSeconds: number;
  readonly maxOutputBytes: number;
}

const keptStderrBytes = 4096;
const shownStderr = 500;
/** What a program's children may still print once it has ended. */
const afterEndMs = 500;

/** Groups of processes that run; killed when this process ends, since they would not hear of it. */
const running = new Set<number>();
let watching = false;

/**
 * Runs a program in a process group of its own and gives what it prints. The whole group, and what has left it, is killed when it
 * takes too long, prints too much or is given up, and with this process.
 *
 * @throws RecognitionError `refused` where it cannot be started, `timeout`, `garbage` where it prints too much, `crash`
 * where a signal ended it, `error` for an exit status other than 0 (with the end of its standard error) or when given up
 */
export function runProgram(run: ProgramRun, signal: AbortSignal): Promise<Buffer> {
  if (signal.aborted) return Promise.reject(givenUp(signal));
  watchExit();
  const guarded = guardedCall();
  return new Promise((resolve, reject) => {
    const child = spawn(run.program, run.programArguments, {
      cwd: run.folder,
      env: { ...run.environment, ...guarded.environment },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { pid } = child;
    if (pid !== undefined) {
      running.add(pid);
      guarded.started(pid);
    }
    const output: Buffer[] = [];
    let outputBytes = 0;
    let stderr = Buffer.alloc(0);
    let failure: RecognitionError | null = null;
    let late: NodeJS.Timeout | undefined;

    const stop = (error: RecognitionError) => {
      failure ??= error;
      kill(pid);
      guarded.killStrays();
    };
    const onAbort = () => stop(givenUp(signal));
    const limit = setTimeout(
      () => stop(new RecognitionError('timeout', `the program gave no answer in ${run.timeLimitSeconds} s`)),
      run.timeLimitSeconds * 1000,
    );
    const done = () => {
      clearTimeout(limit);
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      if (pid !== undefined) {
        running.delete(pid);
        guarded.ended(pid);
      }
    };
    signal.addEventListener('abort', onAbort, { once: true });

    child.stdout.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes <= run.maxOutputBytes) output.push(chunk);
      else stop(new RecognitionError('garbage', `the program printed more than ${run.maxOutputBytes} bytes`));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-keptStderrBytes);
    });
    // A program that does not read its input to the end closes the pipe; what it answers counts all the same.
    child.stdin.on('error', () => {});
    child.stdin.end(run.input ?? undefined);

    child.once('error', (error: NodeJS.ErrnoException) => {
      done();
      reject(failure ?? cannotStart(error, run.program));
    });
    child.once('exit', () => {
      late = setTimeout(() => {
        kill(pid);
        child.stdout.destroy();
        child.stderr.destroy();
      }, afterEndMs);
    });
    child.once('close', (code, killedBy) => {
      kill(pid);
      done();
      if (failure) reject(failure);
      else if (killedBy) reject(ended('crash', `the program was ended by ${killedBy}`, stderr));
      else if (code !== 0) reject(ended('error', `the program ended with exit status ${code}`, stderr));
      else resolve(Buffer.concat(output));
    });
  });
}

function ended(kind: 'crash' | 'error', what: string, stderr: Buffer): RecognitionError {
  const words = printable(stderr.toString('utf8').trim(), shownStderr, 'end');
  return new RecognitionError(kind, words === '' ? what : `${what}: ${words}`);
}

function cannotStart(error: NodeJS.ErrnoException, program: string): RecognitionError {
  const passing = error.code === 'EAGAIN' || error.code === 'EMFILE' || error.code === 'ENOMEM';
  const name = printable(program.slice(program.lastIndexOf('/') + 1), 100);
  const reason = error.code === 'ENOENT' ? 'there is none of that name' : (error.code ?? 'it cannot be started');
  return new RecognitionError(
    passing ? 'unavailable' : 'refused',
    `the program ${name} could not be started: ${reason}`,
    {
      retryable: passing,
    },
  );
}

function kill(group: number | undefined): void {
  if (group === undefined) return;
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
    for (const group of running) kill(group);
  });
}
