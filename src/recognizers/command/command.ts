import { rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { temporaryFolder } from '../../base/abandoned.ts';
import { hashJson } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import type { RecognitionRequest, RecognizerKind, RecognizerServices } from '../contract.ts';
import { clipOf } from '../shared/request-clip.ts';
import { type CommandOptions, commandOptions } from './options.ts';
import { readOutput } from './read-output.ts';
import { runProgram } from './run-program.ts';

const alwaysSeen = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR'];

/** Any program that reads a WAV file and prints what it heard. */
export const command: RecognizerKind<CommandOptions> = {
  name: 'command',
  about: 'Any program: a WAV file by path or on standard input, text or JSON on standard output',
  options: commandOptions,
  // The program is a process of its own already.
  isolation: 'none',

  async describe(options, services) {
    const { sampleRate, output, textPath, wordsPath, version } = options;
    const reading: Json = output === 'text' ? { output } : { output, textPath, wordsPath: wordsPath ?? null };
    return {
      identity: {
        engine: 'command',
        method: 1,
        // Hashed, because arguments hold paths and sometimes what they should not.
        program: hashJson(await Promise.all(options.program.map((part, index) => partIdentity(part, index, services)))),
        sampleRate,
        reading,
        ...(version === undefined ? {} : { version }),
      },
      input: 'sound',
      pinned: version !== undefined,
      concurrency: options.concurrency,
      usesProcessor: options.usesProcessor,
      hosted: !options.usesProcessor,
      facts: {},
    };
  },

  async open(options, services) {
    const environment: Record<string, string> = {};
    for (const name of [...alwaysSeen, ...options.environment]) {
      const value = services.environment(name);
      if (value !== undefined) environment[name] = value;
    }
    const closing = new AbortController();
    return {
      async recognize(request, signal) {
        const clip = resample(clipOf(request), options.sampleRate);
        const wav = encodeWav(clip, { format: 's16' });
        const stopped = AbortSignal.any([signal, closing.signal]);
        const run = (programArguments: readonly string[], input: Uint8Array | null) =>
          runProgram(
            {
              program: programPath(options.program[0]!, services),
              programArguments,
              folder: services.baseFolder,
              environment,
              input,
              timeLimitSeconds: options.timeLimitSeconds,
              maxOutputBytes: options.maxOutputBytes,
            },
            stopped,
          );
        const byPath = options.program.slice(1).some((part) => part.includes('{wav}'));
        const printed = byPath
          ? await withWavFile(wav, (path) => run(filled(options, request, path), null))
          : await run(filled(options, request, ''), wav);
        return readOutput(printed, options);
      },
      async close() {
        closing.abort(new Error('the recognizer was closed'));
      },
    };
  },

  async readiness() {
    return { ready: true, found: 'built in; the program is looked for when it is used' };
  },
};

/** A file counts by its content, anything else as it stands; a folder by its name alone. */
async function partIdentity(part: string, index: number, services: RecognizerServices): Promise<Json> {
  if (index === 0 && !part.includes('/')) return { name: part };
  const path = resolve(services.baseFolder, part);
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return { file: await services.fileHash(path) };
  return found?.isDirectory() ? { folder: basename(path) } : { text: part };
}

/** A name without a slash is looked for in PATH; a path is meant from the config. */
function programPath(program: string, services: RecognizerServices): string {
  return program.includes('/') ? resolve(services.baseFolder, program) : program;
}

function filled({ program, sampleRate }: CommandOptions, { language }: RecognitionRequest, wavPath: string): string[] {
  const values: Readonly<Record<string, string>> = { wav: wavPath, sampleRate: String(sampleRate), language };
  return program
    .slice(1)
    .map((part) => part.replace(/\{(wav|sampleRate|language)\}/g, (_, name: string) => values[name]!));
}

async function withWavFile<T>(wav: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder('command');
  try {
    const path = join(folder, 'clip.wav');
    await writeFile(path, wav);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
