import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type Clip, durationSeconds } from '../../audio/clip.ts';
import { badConfig, badInput, EarwitnessError } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import { isInLanguage } from '../../base/language-tag.ts';
import { flag, list, nonEmpty, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { AskedProcess, type AskedProcesses, type AskedTask, answerLimit } from '../../system/asked-processes.ts';
import { type CheckBench, type ProcessChecks, shownText } from '../../system/check-process.ts';
import { failureLine, helloMembers, openedLine, pongLine } from '../../system/line-process.ts';
import { readRows } from '../../system/read-rows.ts';
import type { ProgramStart } from '../../system/run-program.ts';
import type { Synthesizer, SynthesizerServices, Voice } from '../contract.ts';
import { findVoice, speakableText } from './speakable-text.ts';

/** Options that synthesizers in processes that stay have alike. */
export const speakerOptions = {
  voices: list(
    z.strictObject({
      name: nonEmpty(100).describe('What the process is told'),
      language: z.string().min(2).max(40).describe('BCP 47 tag: en, en-GB'),
      attributes: z.record(z.string(), z.string()).default({}).describe('sex, accent and the like'),
      reference: nonEmpty(4000).optional().describe('A clip whose voice it is to be'),
    }),
    1,
  )
    .optional()
    .describe('The voices that speak. Default: those that the process names.'),
  voiceTable: nonEmpty(4000)
    .optional()
    .describe(
      'In place of voices: a TSV file with the columns name, language and reference (a clip, meant from the table), and any others as attributes',
    ),
  timeoutSeconds: answerLimit('one text', 300),
};

const schema = z.strictObject(speakerOptions);
type SpeakerOptions = z.output<typeof schema>;

const rate = whole(1000, 384_000);
const voice = z.object({
  name: nonEmpty(100),
  language: z.string().min(2).max(40),
  attributes: z.record(z.string(), z.string()).default({}),
});
const speechLines = z.discriminatedUnion('say', [
  z.object({
    ...helloMembers,
    sampleRate: rate.default(24_000),
    voices: list(voice, 0, 10_000).default([]),
    clones: flag(false),
  }),
  openedLine,
  z.object({ say: z.literal('speech'), id: z.int(), audio: z.base64(), sampleRate: rate.optional() }),
  failureLine,
  pongLine,
]);
type SpeechSaid = z.output<typeof speechLines>;

/** A process that is asked to speak texts (docs/protocol.md). */
export const speech: AskedTask<SpeechSaid> = { does: 'speak', lines: speechLines };

/**
 * The sound that a process said.
 *
 * @param sampleRate of its introduction
 * @throws EarwitnessError `bad-input` where it is none
 */
export function spokenClip(
  { audio, sampleRate: own }: Extract<SpeechSaid, { say: 'speech' }>,
  name: string,
  sampleRate: number,
): Clip {
  const bytes = Buffer.from(audio, 'base64');
  const samples = new Float32Array(Math.floor(bytes.length / 4));
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readFloatLE(4 * index);
  const wrong = (what: string) => badInput(`${printable(name, 100)} ${what}`);
  if (samples.length === 0 || bytes.length % 4 !== 0)
    throw wrong(`gave ${bytes.length} bytes, where samples of 32 bits are expected; try the text with it alone`);
  if (!samples.every(Number.isFinite)) throw wrong('gave samples that are not numbers');
  return { samples, sampleRate: own ?? sampleRate };
}

interface ClonedVoice extends Voice {
  readonly reference?: string | undefined;
}

/** 10,000 characters are ten minutes of speech. */
const maxCharacters = 10_000;

/**
 * A synthesizer of processes that stay.
 *
 * @throws EarwitnessError `bad-config`: no voices, or references for a process that does not clone
 */
export async function speakingSynthesizer(
  processes: AskedProcesses<SpeechSaid>,
  options: SpeakerOptions,
  services: SynthesizerServices,
): Promise<Synthesizer> {
  const { hello } = processes;
  try {
    const voices = await voicesOf(hello.voices, hello.name, options, services.baseFolder);
    const references = voices.flatMap(({ name, reference }) => (reference === undefined ? [] : [{ name, reference }]));
    if (references.length > 0 && !hello.clones)
      throw badConfig(
        `voices: expected none with a reference, because ${printable(hello.name, 100)} does not say that it clones; leave reference out`,
      );
    const heard = await Promise.all(
      references.map(async ({ name, reference }) => [name, await services.fileHash(reference)] as const),
    );
    return {
      identity: {
        ...processes.identity,
        sampleRate: hello.sampleRate,
        ...(heard.length > 0 && { references: hashJson(Object.fromEntries(heard)) }),
      },
      voices: async () => voices.map(({ name: own, language, attributes }) => ({ name: own, language, attributes })),
      async speak(text, wanted, signal) {
        signal?.throwIfAborted();
        const { name: voice, language, reference } = findVoice(hello.name, voices, wanted);
        const line = speakableText(text, { engine: hello.name, maxCharacters, characters: 'any' });
        const asked = { say: 'speak', text: line, voice, language, ...(reference !== undefined && { reference }) };
        return spokenClip(await processes.ask(asked, 'speech', signal), hello.name, hello.sampleRate);
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
    throw badConfig('expected either voices or voiceTable, but got both; leave one out');
  const found =
    voiceTable === undefined
      ? (voices ?? named).map((voice) => ({ ...voice, ...referenceOf(voice, baseFolder) }))
      : await readTable(resolve(baseFolder, voiceTable));
  if (found.length === 0)
    throw badConfig(`expected voices, but ${printable(engine, 100)} names none; name them in voices`);
  const doubled = found.find(({ name }, index) => found.findIndex((voice) => voice.name === name) !== index);
  if (doubled !== undefined)
    throw badConfig(`voices: expected different names, but ${JSON.stringify(doubled.name)} stands twice`);
  for (const { name, reference } of found) {
    if (reference === undefined || (await stat(reference).catch(() => null))?.isFile()) continue;
    throw badConfig(
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
    badConfig(`voiceTable: expected columns name, language and reference in ${shown}, but ${came}`);
  if (!(await stat(path).catch(() => null))?.isFile()) throw wrong('there is no such file');
  const voices: ClonedVoice[] = [];
  for await (const row of readRows(path, shown, { format: 'tsv' })) {
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

type Process = AskedProcess<SpeechSaid>;
type Hello = Extract<SpeechSaid, { say: 'hello' }>;

const texts = ['the quick brown fox', 'one two three'] as const;
const oddTexts = ['a', '42', 'word '.repeat(200).trim(), 'naïve café 你好 🏽', '<b>not a tag</b> & more'];

/** What is proved of a process that speaks, besides what all do. */
export function speakerChecks(trial: {
  readonly start: ProgramStart;
  readonly language: string;
  readonly answerLimitSeconds: number;
  /** Path of a clip, for a process that clones. */
  reference(): Promise<string>;
}): ProcessChecks<Process, Hello> {
  const say = async (
    process: Process,
    hello: Hello,
    text: string,
    more: { voice?: string; reference?: string } = {},
  ) => {
    const voice = hello.voices.find((other) => isInLanguage(other.language, trial.language)) ?? hello.voices[0];
    const usual = { voice: voice?.name ?? 'any', language: voice?.language ?? trial.language };
    // Whoever has no voices of its own needs the clip of one.
    const cloned = hello.clones && voice === undefined && { reference: await trial.reference() };
    const line = { say: 'speak', text, ...usual, ...cloned, ...more };
    const said = await process.answer(line, 'speech', trial.answerLimitSeconds);
    return spokenClip(said, hello.name, hello.sampleRate);
  };
  const spoken = async ({ process, hello }: CheckBench<Process, Hello>, text: string, more = {}) =>
    say(await process(), hello, text, more);
  return {
    launch: () => new AskedProcess(trial.start, speech, 'the program'),
    introduced({ name, version, sampleRate, voices, clones }) {
      return `${name} ${version}, ${sampleRate} Hz, ${voices.length} voices${clones ? ', clones' : ''}`;
    },
    ordinary: (process, hello) => say(process, hello, texts[0]),
    steps: [
      [
        'speaks a text',
        async (bench) => {
          const clip = await spoken(bench, texts[0]);
          return `${durationSeconds(clip).toFixed(2)} s for ${shownText(texts[0])}`;
        },
      ],
      [
        'speaks the same text in the same way',
        async (bench) => {
          const first = await spoken(bench, texts[0]);
          await spoken(bench, texts[1]);
          const again = await spoken(bench, texts[0]);
          const alike =
            first.samples.length === again.samples.length &&
            first.samples.every((sample, at) => sample === again.samples[at]);
          return alike ? '' : { noted: 'with other samples: what was spoken once is kept, and used again' };
        },
      ],
      [
        'speaks another text otherwise, and stays within full scale',
        async (bench) => {
          const [one, two] = [await spoken(bench, texts[0]), await spoken(bench, texts[1])];
          if (
            one.samples.length === two.samples.length &&
            one.samples.every((sample, at) => sample === two.samples[at])
          )
            throw new Error(`${shownText(texts[0])} and ${shownText(texts[1])} have the same samples`);
          const peak = one.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
          if (peak === 0) throw new Error('all samples are 0');
          return peak > 1 ? { noted: `a peak of ${peak.toFixed(2)}` } : '';
        },
      ],
      [
        'speaks by each of its voices',
        async (bench) => {
          for (const { name, language } of bench.hello.voices)
            await spoken(bench, texts[1], { voice: name, language }).catch((error: unknown) => {
              throw new Error(`${shownText(name)}: ${error instanceof Error ? error.message : error}`);
            });
          return `${bench.hello.voices.length} voices`;
        },
        ({ voices }) => (voices.length === 0 ? 'it names none' : null),
      ],
      [
        'answers texts of one letter, of digits, very long ones and ones in other scripts',
        async (bench) => {
          const asked = await bench.process();
          const refused: string[] = [];
          for (const text of oddTexts) {
            try {
              await spoken(bench, text);
            } catch (error) {
              // A failure of its own is an answer too; what broke it is none.
              if (!(error instanceof EarwitnessError) || error === asked.broken) throw error;
              refused.push(`${shownText(text)}: ${error.message}`);
            }
          }
          return refused.length === 0 ? '' : { noted: `failures of their own: ${refused.join('; ')}` };
        },
      ],
      [
        'speaks in the voice of a clip',
        async (bench) => {
          await spoken(bench, texts[0], { reference: await trial.reference() });
          return '';
        },
        ({ clones }) => (clones ? null : 'it does not say that it clones'),
      ],
    ],
  };
}
