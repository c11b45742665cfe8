import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));

/** What a command that ran to its end left. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface HereOptions extends CommandOptions {
  /** What is printed goes to a terminal. */
  readonly terminal?: true;
}

/** The real command in a process of its own, as a user's shell would run it, 80 columns wide. */
export async function runProcess(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * The same command in this process, one after another: a start and the loading of a run's thread cost more than most tests' work.
 * `main.test.ts` shows that both leave the same. Modules that a config names are loaded once in this process, whatever they become.
 */
export function runCommand(args: readonly string[], options: HereOptions = {}): Promise<CommandResult> {
  const result = last.then(() => runHere(args, options));
  last = result.catch(() => {});
  return result;
}

async function runHere(args: readonly string[], options: HereOptions): Promise<CommandResult> {
  const { main } = await import('../main.ts');
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const keeping = (name: keyof typeof printed) => {
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        printed[name].push(chunk);
        done();
      },
    });
    return Object.assign(stream, { isTTY: options.terminal === true });
  };
  const before = {
    folder: process.cwd(),
    environment: { ...process.env },
    exitCode: process.exitCode,
    hangups: process.listeners('SIGHUP'),
    streams: Object.getOwnPropertyDescriptors(process),
  };
  const streams = {
    stdin: Readable.from(options.input ? [Buffer.from(options.input)] : []),
    stdout: keeping('stdout'),
    stderr: keeping('stderr'),
  };
  process.chdir(options.cwd ?? before.folder);
  Object.assign(process.env, { NO_COLOR: '1', EARWITNESS_ONE_THREAD: '1', ...options.env });
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  process.exitCode = undefined;
  try {
    await main(args);
    const textOf = (name: keyof typeof printed) => Buffer.concat(printed[name]).toString();
    return { code: Number(process.exitCode ?? 0), stdout: textOf('stdout'), stderr: textOf('stderr') };
  } finally {
    process.exitCode = before.exitCode;
    for (const name of Object.keys(streams)) Object.defineProperty(process, name, before.streams[name]!);
    for (const name of Object.keys(process.env)) if (!(name in before.environment)) delete process.env[name];
    Object.assign(process.env, before.environment);
    for (const listener of process.listeners('SIGHUP'))
      if (!before.hangups.includes(listener)) process.off('SIGHUP', listener);
    process.chdir(before.folder);
  }
}

/** A folder that is gone at the end of the test. */
export async function temporaryFolder(): Promise<
  AsyncDisposable & { readonly path: string; file(name: string): string }
> {
  const path = await mkdtemp(join(tmpdir(), 'earwitness-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** A second of a sine as a mono WAV file with 16 bits, made without the code under test. */
export function sineWav(frequencyHz = 440, sampleRate = 8000, seconds = 1): Buffer {
  const count = Math.round(sampleRate * seconds);
  const wav = Buffer.alloc(44 + 2 * count);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + 2 * count, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(2 * sampleRate, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(2 * count, 40);
  for (let n = 0; n < count; n++) {
    wav.writeInt16LE(Math.round(12000 * Math.sin((2 * Math.PI * frequencyHz * n) / sampleRate)), 44 + 2 * n);
  }
  return wav;
}
