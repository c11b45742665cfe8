import { type NaturalEnd, type ProgramStart, startProgram } from './start-program.ts';

/** A program that is run once. */
export interface ProgramCall extends ProgramStart {
  /** What it reads; absent or null: nothing. */
  readonly input?: Uint8Array | null;
  readonly maxSeconds: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended: by itself, by what it was not allowed, or given up. */
export type ProgramEnd =
  | NaturalEnd
  | { readonly how: 'too long' }
  | { readonly how: 'too much' }
  | { readonly how: 'given up' };

export interface ProgramOutcome {
  readonly end: ProgramEnd;
  readonly output: Buffer;
  /** What it wrote to its error stream: of more than 8 kilobytes the first four and the last four. */
  readonly errors: string;
}

/** What a timer can wait. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs a program in a process group of its own, gives it bytes to read and takes what it prints. The whole group, and what has left it,
 * is killed when it takes too long, prints too much or is given up, and with this process. Never rejects.
 *
 * @example (await runProgram({ program: 'true', arguments: [], maxSeconds: 1, maxOutputBytes: 0 })).end // { how: 'exit', code: 0 }
 */
export async function runProgram(call: ProgramCall): Promise<ProgramOutcome> {
  const { signal } = call;
  if (signal?.aborted) return { end: { how: 'given up' }, output: Buffer.alloc(0), errors: '' };
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
  return { end: stopped ?? end, output: Buffer.concat(output), errors: program.errors() };
}
