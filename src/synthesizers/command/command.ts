import { constants } from 'node:fs';
import { access, readFile, rm, stat } from 'node:fs/promises';
import { basename, delimiter, join, resolve } from 'node:path';
import { z } from 'zod';
import { badInput, missingProgram } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { temporaryFolder } from '../../base/on-disk.ts';
import { list, nonEmpty } from '../../base/option-kinds.ts';
import { isFile } from '../../packages/model-files.ts';
import { seenVariables } from '../../system/named-program.ts';
import { programEnvironment } from '../../system/run-program.ts';
import type { Synthesizer, SynthesizerKind, SynthesizerServices } from '../contract.ts';
import { readWav, runProgram } from '../shared/run-program.ts';
import { findVoice, quoted, speakableText } from '../shared/speakable-text.ts';

const options = z.strictObject({
  command: list(nonEmpty(), 1).describe(
    'Program and arguments. {text}, {voice} and {output} in arguments are filled in; without {text} it reads the text (UTF-8), without {output} it writes the WAV file to its output',
  ),
  voices: list(
    z.strictObject({
      name: nonEmpty(100).describe('What {voice} becomes'),
      language: z.string().min(2).max(40).describe('BCP 47 tag: en, en-GB'),
      attributes: z.record(z.string(), z.string()).default({}).describe('sex, accent and the like'),
    }),
    1,
  )
    .default([{ name: 'default', language: 'en', attributes: {} }])
    .describe('The voices it has'),
  version: z.string().default('').describe('Change it when the program speaks otherwise than before'),
  timeoutSeconds: z.number().gt(0).max(3600).default(60).describe('How long one text may take, in seconds'),
  environment: seenVariables,
});

/** Any program that speaks. It is started for every text, never through a shell. */
export const command: SynthesizerKind<z.output<typeof options>> = {
  name: 'command',
  about: 'Any program: takes a text, gives a WAV file',
  options,

  async open(
    { command: [program, ...parameters], voices, version, timeoutSeconds, environment },
    services,
  ): Promise<Synthesizer> {
    const { baseFolder } = services;
    const path = await findProgram(program!, baseFolder);
    const identity = await commandIdentity({ path, parameters, version }, services);
    const readsText = !parameters.some((parameter) => parameter.includes('{text}'));
    const writesFile = parameters.some((parameter) => parameter.includes('{output}'));
    return {
      identity,
      voices: async () => voices,
      async speak(text, voice, signal) {
        const { name } = findVoice(program!, voices, voice);
        const line = speakableText(text, { engine: program!, maxCharacters: 10_000, characters: 'any' });
        const folder = writesFile ? temporaryFolder('speech') : null;
        const output = folder === null ? '' : join(folder, 'speech.wav');
        try {
          const call = {
            program: path,
            arguments: fillArguments(parameters, { text: line, voice: name, output }),
            timeoutSeconds,
            install: `the path of a program in the option command`,
            folder: baseFolder,
            environment: programEnvironment(environment),
            signal,
          };
          const input = new TextEncoder().encode(`${line}\n`);
          const outcome = await runProgram(readsText ? { ...call, input } : call);
          return readWav(folder === null ? outcome.output : await writtenFile(output, program!), program!);
        } finally {
          if (folder !== null) await rm(folder, { recursive: true, force: true });
        }
      },
      async close() {},
    };
  },

  async readiness() {
    return { ready: true, found: 'whatever program its option command names' };
  },
};

async function writtenFile(path: string, program: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const message = `${program}: expected a WAV file at {output}, but it wrote none; try the text with the program itself`;
    throw badInput(message, { cause });
  }
}

/** What placeholders in arguments become. */
interface Filling {
  readonly text: string;
  readonly voice: string;
  readonly output: string;
}

/**
 * Fills in `{text}`, `{voice}` and `{output}`. What is filled in is not searched again, and a text that would make an
 * argument begin with a hyphen, and so look like an option, gets a blank before it.
 *
 * @example fillArguments(['-v', '{voice}', '{text}'], { text: '-o', voice: 'a', output: '' }) // ['-v', 'a', ' -o']
 */
function fillArguments(parameters: readonly string[], filling: Filling): string[] {
  return parameters.map((parameter) => {
    const filled = parameter.replace(/\{(text|voice|output)\}/g, (_, key: keyof Filling) => filling[key]);
    return parameter.startsWith('{text}') && filled.startsWith('-') ? ` ${filled}` : filled;
  });
}

/**
 * The file that a program's name stands for: a name with a slash is meant from the base folder, any other is looked for
 * on PATH.
 *
 * @throws EarwitnessError `missing-program` where there is none that can be run
 */
async function findProgram(program: string, baseFolder: string): Promise<string> {
  const hasFolder = /[/\\]/.test(program);
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = hasFolder ? [resolve(baseFolder, program)] : folders.map((folder) => join(folder, program));
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate;
  const place = hasFolder ? 'there is no such file that can be run' : 'it is not on PATH';
  throw missingProgram(
    `expected the program ${quoted(program)} of the synthesizer, but ${place}; install it, or correct the option command`,
  );
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** A program as it stands in the options, found. */
interface FoundCommand {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly version: string;
}

/**
 * What can change the sound: the program's content, its arguments, and the content of files that these name (scripts,
 * models). Paths do not belong to it, so that another folder changes nothing.
 */
async function commandIdentity(
  { path, parameters, version }: FoundCommand,
  { baseFolder, fileHash }: SynthesizerServices,
): Promise<JsonObject> {
  const known: Json[] = [];
  for (const parameter of parameters) {
    const file = resolve(baseFolder, parameter);
    known.push((await isFile(file)) ? { file: await fileHash(file) } : parameter);
  }
  return { engine: 'command', program: basename(path), content: await fileHash(path), arguments: known, version };
}
