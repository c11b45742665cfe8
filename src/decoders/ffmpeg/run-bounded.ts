import { spawn } from 'node:child_process';

export interface BoundedAnswer {
  /** Why there is no answer: the program is not there, or a limit was passed. */
  readonly problem: 'missing' | 'too long' | null;
  readonly code: number | null;
  readonly output: Uint8Array;
  /** What it wrote to its error output, the beginning of it. */
  readonly said: string;
}

/** Runs a program without a shell, gives it bytes, and ends it when it takes too long or says too much. */
export function runBounded(
  program: string,
  options: readonly string[],
  input: Uint8Array | null,
  limits: { readonly longestSeconds: number; readonly mostOutputBytes: number },
): Promise<BoundedAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options, { stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'], shell: false });
    const output: Buffer[] = [];
    let outputBytes = 0;
    let said = '';
    let tooLong = false;
    const stop = () => {
      tooLong = true;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(stop, limits.longestSeconds * 1000);
    child.stdout?.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > limits.mostOutputBytes) stop();
      else output.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < 2000) said += chunk.toString('utf8').slice(0, 2000);
    });
    // A program that has heard enough closes its input: that is no error.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code !== 'ENOENT') return reject(error);
      resolve({ problem: 'missing', code: null, output: new Uint8Array(), said });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const problem = tooLong ? 'too long' : null;
      resolve({ problem, code, output: tooLong ? new Uint8Array() : Buffer.concat(output), said });
    });
  });
}
