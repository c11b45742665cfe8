import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { temporaryFolder } from '../../base/abandoned.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { Synthesizer, SynthesizerKind } from '../contract.ts';
import { chooseVoice } from '../shared/choose-voice.ts';
import { readWav } from '../shared/read-wav.ts';
import { runProgram } from '../shared/run-program.ts';
import { speakableText } from '../shared/speakable-text.ts';
import { commandIdentity } from './command-identity.ts';
import { fillArguments } from './fill-arguments.ts';
import { findProgram } from './find-program.ts';

export interface CommandOptions {
  readonly command: readonly string[];
  readonly voices: readonly {
    readonly name: string;
    readonly language: string;
    readonly attributes: Readonly<Record<string, string>>;
  }[];
  readonly version: string;
  readonly timeoutSeconds: number;
}

/** Any program that speaks. It is started for every text, never through a shell. */
export const command: SynthesizerKind<CommandOptions> = {
  name: 'command',
  about: 'Any program: takes a text, gives a WAV file',
  options: z.strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .describe(
        'Program and arguments. {text}, {voice} and {output} in arguments are filled in; without {text} it reads the text (UTF-8), without {output} it writes the WAV file to its output',
      ),
    voices: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(100).describe('What {voice} becomes'),
          language: z.string().min(2).max(40).describe('BCP 47 tag: en, en-GB'),
          attributes: z.record(z.string(), z.string()).default({}).describe('sex, accent and the like'),
        }),
      )
      .min(1)
      .default([{ name: 'default', language: 'en', attributes: {} }])
      .describe('The voices it has'),
    version: z.string().default('').describe('Change it when the program speaks otherwise than before'),
    timeoutSeconds: z.number().gt(0).max(3600).default(60).describe('How long one text may take, in seconds'),
  }),

  async open({ command: [program, ...parameters], voices, version, timeoutSeconds }, services): Promise<Synthesizer> {
    const { baseFolder } = services;
    const path = await findProgram(program!, baseFolder);
    const identity = await commandIdentity({ path, parameters, version }, services);
    const readsText = !parameters.some((parameter) => parameter.includes('{text}'));
    const writesFile = parameters.some((parameter) => parameter.includes('{output}'));
    return {
      identity,
      voices: async () => voices,
      async speak(text, voice, signal) {
        const { name } = chooseVoice(program!, voices, voice);
        const line = speakableText(text, { engine: program!, mostCharacters: 10_000, characters: 'any' });
        const folder = writesFile ? temporaryFolder('speech') : null;
        const output = folder === null ? '' : join(folder, 'speech.wav');
        try {
          const call = {
            program: path,
            arguments: fillArguments(parameters, { text: line, voice: name, output }),
            timeoutSeconds,
            install: `the path of a program in the option command`,
            folder: baseFolder,
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
    throw new EarwitnessError('bad-input', message, { cause });
  }
}
