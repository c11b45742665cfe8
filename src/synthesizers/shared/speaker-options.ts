import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { seenVariables } from '../../system/named-program.ts';
import { readRows } from '../../system/read-rows.ts';
import type { Synthesizer, SynthesizerServices, Voice } from '../contract.ts';
import { findVoice } from './choose-voice.ts';
import { speakableText } from './speakable-text.ts';
import type { SpeakingProcesses } from './speaking-process.ts';

/** Options that synthesizers in processes that stay have alike. */
export const speakerOptions = {
  voices: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(100).describe('What the process is told'),
        language: z.string().min(2).max(40).describe('BCP 47 tag: en, en-GB'),
        attributes: z.record(z.string(), z.string()).default({}).describe('sex, accent and the like'),
        reference: z.string().min(1).max(4000).optional().describe('A clip whose voice it is to be'),
      }),
    )
    .min(1)
    .optional()
    .describe('The voices that speak. Default: those that the process names.'),
  voiceTable: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe(
      'In place of voices: a TSV file with the columns name, language and reference (a clip, meant from the table), and any others as attributes',
    ),
  workers: z
    .int()
    .min(1)
    .max(256)
    .default(1)
    .describe('Processes that speak side by side. Each loads the model for itself.'),
  devices: z
    .array(z.string().min(1).max(100))
    .default([])
    .describe('Given to the workers in turn, in EARWITNESS_DEVICE and when they are opened: [cuda:0, cuda:1]'),
  startLimitSeconds: z
    .number()
    .positive()
    .max(86_400)
    .default(300)
    .describe('Max wait until it introduces itself, and again until its model is loaded, in seconds'),
  timeoutSeconds: z.number().gt(0).max(3600).default(300).describe('How long one text may take, in seconds'),
  environment: seenVariables,
};

const schema = z.strictObject(speakerOptions);
type SpeakerOptions = z.output<typeof schema>;

interface ClonedVoice extends Voice {
  readonly reference?: string | undefined;
}

/** 10,000 characters are ten minutes of speech. */
const maxCharacters = 10_000;

/**
 * A synthesizer of processes that stay.
 *
 * @param identity of what the config names: program, script, packages
 * @throws EarwitnessError `bad-config`: no voices, or references for a process that does not clone
 */
export async function speakingSynthesizer(
  processes: SpeakingProcesses,
  options: SpeakerOptions,
  identity: JsonObject,
  services: SynthesizerServices,
): Promise<Synthesizer> {
  const { hello } = processes;
  try {
    const voices = await voicesOf(hello.voices, hello.name, options, services.baseFolder);
    const references = voices.flatMap(({ name, reference }) => (reference === undefined ? [] : [{ name, reference }]));
    if (references.length > 0 && !hello.clones)
      throw new EarwitnessError(
        'bad-config',
        `voices: expected none with a reference, because ${printable(hello.name, 100)} does not say that it clones; leave reference out`,
      );
    const heard = await Promise.all(
      references.map(async ({ name, reference }) => [name, await services.fileHash(reference)] as const),
    );
    const { name, version, sampleRate, facts } = hello;
    return {
      identity: {
        ...identity,
        ...{ name, version, sampleRate },
        ...(Object.keys(facts).length > 0 && { facts }),
        ...(heard.length > 0 && { references: hashJson(Object.fromEntries(heard)) }),
      },
      voices: async () => voices.map(({ name: own, language, attributes }) => ({ name: own, language, attributes })),
      async speak(text, wanted, signal) {
        signal?.throwIfAborted();
        const { name: voice, language, reference } = findVoice(hello.name, voices, wanted);
        const line = speakableText(text, { engine: hello.name, maxCharacters, characters: 'any' });
        return processes.speak({ text: line, voice, language, ...(reference !== undefined && { reference }) }, signal);
      },
      close: processes.close,
    };
  } catch (error) {
    await processes.close();
    throw error;
  }
}

async function voicesOf(
  named: readonly Voice[],
  engine: string,
  { voices, voiceTable }: SpeakerOptions,
  baseFolder: string,
): Promise<readonly ClonedVoice[]> {
  if (voices !== undefined && voiceTable !== undefined)
    throw new EarwitnessError('bad-config', 'expected either voices or voiceTable, but got both; leave one out');
  const found =
    voiceTable === undefined
      ? (voices ?? named).map((voice) => ({ ...voice, ...referenceOf(voice, baseFolder) }))
      : await readTable(resolve(baseFolder, voiceTable));
  if (found.length === 0)
    throw new EarwitnessError(
      'bad-config',
      `expected voices, but ${printable(engine, 100)} names none; name them in voices`,
    );
  const doubled = found.find(({ name }, index) => found.findIndex((voice) => voice.name === name) !== index);
  if (doubled !== undefined)
    throw new EarwitnessError(
      'bad-config',
      `voices: expected different names, but ${JSON.stringify(doubled.name)} stands twice`,
    );
  for (const { name, reference } of found) {
    if (reference === undefined || (await stat(reference).catch(() => null))?.isFile()) continue;
    throw new EarwitnessError(
      'bad-config',
      `voices: expected a clip as the reference of ${JSON.stringify(name)}, but there is no file ${printable(basename(reference), 200)}; correct the path`,
    );
  }
  return found;
}

function referenceOf({ reference }: ClonedVoice, folder: string): { readonly reference?: string } {
  return reference === undefined ? {} : { reference: resolve(folder, reference) };
}

async function readTable(path: string): Promise<readonly ClonedVoice[]> {
  const shown = printable(basename(path), 200);
  const wrong = (came: string) =>
    new EarwitnessError(
      'bad-config',
      `voiceTable: expected columns name, language and reference in ${shown}, but ${came}`,
    );
  if (!(await stat(path).catch(() => null))?.isFile()) throw wrong('there is no such file');
  const voices: ClonedVoice[] = [];
  for await (const row of readRows(path, shown, 'tsv')) {
    const cell = (column: string) => row.text(column)?.trim() ?? '';
    const [name, language, reference] = ['name', 'language', 'reference'].map(cell) as [string, string, string];
    if (name === '' || language === '') throw wrong(`${row.place()} has others`);
    const others = row.names.filter(
      (column) => !['name', 'language', 'reference'].includes(column) && cell(column) !== '',
    );
    const attributes = Object.fromEntries(others.map((column) => [column, cell(column)]));
    voices.push({
      name,
      language,
      attributes,
      ...(reference !== '' && { reference: resolve(dirname(path), reference) }),
    });
  }
  return voices;
}
