import { rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { durationSeconds } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { jsonProblem, transcriptProblem, utf8Text } from '../../base/foreign-data.ts';
import { hashJson } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { temporaryFolder } from '../../base/on-disk.ts';
import { flag, list, nonEmpty, oneOf, positive, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import type { Transcript } from '../../model/observation.ts';
import { programReadiness, seenVariables } from '../../system/named-program.ts';
import {
  lastWords,
  type ProgramCall,
  type ProgramOutcome,
  type ProgramStart,
  programEnvironment,
  runProgram,
} from '../../system/run-program.ts';
import {
  RecognitionError,
  type RecognitionRequest,
  type RecognizerKind,
  type RecognizerServices,
} from '../contract.ts';
import { recordedWords } from '../shared/recorded-words.ts';
import { clipOf, givenUp } from '../shared/requests.ts';

const commandOptions = z.strictObject({
  program: list(z.string(), 1)
    .refine(([program]) => program?.trim() !== '', { error: 'expected a program, but its name is empty', path: [0] })
    .describe(
      'Program and arguments, no shell. {wav} stands for the path of a 16-bit WAV file, {sampleRate} and {language} for those; without {wav} the file comes on standard input.',
    ),
  version: nonEmpty()
    .optional()
    .describe('Version of program and model. Given, answers are kept from run to run; else each run asks anew.'),
  sampleRate: whole(1000, 384_000).default(16_000).describe('Rate of the WAV file in Hz; clips are resampled.'),
  output: oneOf(['text', 'json'])
    .default('text')
    .describe(
      'What it prints to standard output. A JSON object where text is expected is a failure, and no transcript.',
    ),
  textPath: nonEmpty()
    .default('text')
    .describe('With output json: where the transcript stands, members and positions with dots: results.0.transcript.'),
  wordsPath: nonEmpty()
    .optional()
    .describe('With output json: where the words stand, a list of {text, start, end, confidence}, in seconds.'),
  timeLimitSeconds: positive(86_400)
    .optional()
    .describe('Killed when it takes longer; by default 60, or ten times as long as the audio.'),
  concurrency: whole(1, 256).default(1).describe('How many run at once.'),
  usesProcessor: flag(true).describe("Whether it works on this machine's processor, not elsewhere."),
  environment: seenVariables,
  maxOutputBytes: whole(1, 100_000_000).default(1_000_000).describe('Killed when it prints more.'),
});

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
    const environment = programEnvironment(options.environment, services.environment);
    const closing = new AbortController();
    let stays: Promise<boolean> | undefined;
    return {
      async recognize(request, signal) {
        const clip = resample(clipOf(request), options.sampleRate);
        const wav = encodeWav(clip, { format: 's16' });
        const stopped = AbortSignal.any([signal, closing.signal]);
        const run = (programArguments: readonly string[], input: Uint8Array | null) =>
          printedBy({
            program: programPath(options.program[0]!, services),
            arguments: programArguments,
            folder: services.baseFolder,
            environment,
            input,
            maxSeconds: options.timeLimitSeconds ?? Math.max(60, Math.ceil(10 * durationSeconds(clip))),
            maxOutputBytes: options.maxOutputBytes,
            signal: stopped,
          });
        const staying = () => {
          stays ??= speaksProtocol({
            program: programPath(options.program[0]!, services),
            arguments: filled(
              { ...options, program: options.program.filter((part) => !part.includes('{wav}')) },
              request,
              '',
            ),
            folder: services.baseFolder,
            environment,
            signal: closing.signal,
          });
          return stays;
        };
        const byPath = options.program.slice(1).some((part) => part.includes('{wav}'));
        const printed = byPath
          ? await withWavFile(wav, (path) => run(filled(options, request, path), null))
          : await run(filled(options, request, ''), wav);
        if (printed.output.length === 0 && (await staying())) throw stayingAsCommand(options.program);
        return { ...readOutput(printed.output, options), timing: { processorSeconds: printed.processorSeconds } };
      },
      async close() {
        closing.abort(new Error('the recognizer was closed'));
      },
    };
  },

  readiness: programReadiness,
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

/**
 * What a program printed, as a transcript. Blanks and line ends at the end are taken away.
 *
 * @throws RecognitionError `garbage`: not UTF-8, beyond the limits of `foreign-data`, no JSON or JSON in place of text, nothing at the path, no list of words
 */
function readOutput(output: Buffer, options: Pick<CommandOptions, 'output' | 'textPath' | 'wordsPath'>): Transcript {
  const read = utf8Text(output);
  if ('problem' in read) throw garbage(`the program printed bytes that are no UTF-8 text: ${read.problem}`);
  const printed = read.text;
  if (options.output === 'text') {
    const text = printed.trimEnd();
    const json = jsonAtEnd(text);
    if (json === null) return kept({ text });
    const path = transcriptPath(json.value) ?? 'WHERE.THE.TEXT.STANDS';
    const before = json.alone ? '' : '; what it prints before that belongs on standard error';
    throw new RecognitionError(
      'garbage',
      `expected the words alone, but the program printed JSON; have it read: \`output: json\` and \`textPath: ${path}\` in the config, or -r "./PROGRAM:output=json,textPath=${path}" on the command line${before}`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    throw garbage(`the program printed no JSON: ${printable(printed.trim(), 100)}`);
  }
  const unfit = jsonProblem(value);
  if (unfit !== null) throw garbage(`the program printed JSON that cannot be kept: ${unfit}`);
  const text = at(value, options.textPath);
  if (typeof text !== 'string') throw garbage(`the program's JSON has no text at ${printable(options.textPath, 100)}`);
  if (options.wordsPath === undefined) return kept({ text });
  const words = recordedWords(at(value, options.wordsPath));
  if (!words) throw garbage(`the program's JSON has no list of words at ${printable(options.wordsPath, 100)}`);
  return kept({ text, words });
}

const garbage = (what: string) => new RecognitionError('garbage', what);

function kept(heard: Transcript): Transcript {
  const unfit = transcriptProblem(heard);
  if (unfit === null) return heard;
  throw garbage(`the program printed what cannot be kept: ${unfit}`);
}

/** The JSON that a text is, or ends with from the beginning of a line on: an object, or a list of objects. */
function jsonAtEnd(text: string): { readonly value: object; readonly alone: boolean } | null {
  if (!/[}\]]$/.test(text)) return null;
  const beginnings = [...text.matchAll(/^(?:\{|\[\s*\{)/gm)].map(({ index }) => index);
  // Of pretty-printed JSON the first, of a line for each piece of speech the last; more are no log.
  for (const from of [...beginnings.slice(0, 9), ...beginnings.slice(-1)]) {
    try {
      return { value: JSON.parse(text.slice(from)) as object, alone: /^(?:[[{]|$)/.test(text.slice(0, from).trim()) };
    } catch {
      // Another line may begin it.
    }
  }
  return null;
}

const maxDepth = 4;

/** Where in a JSON value a transcript seems to stand: the member that is called like one and lies least deep. */
function transcriptPath(value: object): string | null {
  let level: [path: string, value: unknown][] = [['', value]];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const members = level.flatMap(([path, parent]) =>
      typeof parent === 'object' && parent !== null
        ? Object.entries(parent)
            .filter(([name]) => /^[\w-]{1,40}$/.test(name))
            .slice(0, 100)
            .map(([name, member]): [string, unknown] => [path === '' ? name : `${path}.${name}`, member])
        : [],
    );
    const found = members.find(
      ([path, member]) => typeof member === 'string' && /(?:^|\.)(?:text|transcript|transcription)$/i.test(path),
    );
    if (found) return found[0];
    level = members;
  }
  return null;
}

/** What stands at a path of members and positions; undefined where there is nothing. */
function at(value: unknown, path: string): unknown {
  let here = value;
  for (const part of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, part)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[part];
  }
  return here;
}

type CommandOptions = z.infer<typeof commandOptions>;

const secondsToIntroduceItself = 5;

/** Whether a program without a clip introduces itself as one that stays (docs/protocol.md): started for each clip it would say nothing. */
async function speaksProtocol(start: ProgramStart & { readonly signal: AbortSignal }): Promise<boolean> {
  const { output } = await runProgram({
    ...start,
    input: Buffer.from('{"say":"hello","protocol":1}\n'),
    maxSeconds: secondsToIntroduceItself,
    maxOutputBytes: 10_000,
  });
  try {
    return at(JSON.parse(output.toString('utf8').split('\n', 1)[0]!), 'say') === 'hello';
  } catch {
    return false;
  }
}

function stayingAsCommand(program: readonly string[]): RecognitionError {
  const named = printable(program.filter((part) => !part.includes('{wav}')).join(' '), 100);
  return new RecognitionError(
    'refused',
    `expected a program that recognizes one clip and prints its words, but this one speaks the protocol of programs that stay; write \`type: program\` in the config, or -r "program:${named}" on the command line`,
  );
}

const shownErrorCharacters = 500;

/**
 * What a program printed.
 *
 * @throws RecognitionError `refused` where it cannot be started, `timeout`, `garbage` where it prints too much, `crash`
 * where a signal ended it, `error` for an exit status other than 0 (with the end of its standard error) or when given up
 */
async function printedBy(
  call: ProgramCall & { readonly signal: AbortSignal },
): Promise<Pick<ProgramOutcome, 'output' | 'processorSeconds'>> {
  const { end, output, errors, processorSeconds } = await runProgram(call);
  if (end.how === 'exit' && end.code === 0) return { output, processorSeconds };
  if (end.how === 'given up') throw givenUp(call.signal);
  if (end.how === 'not started') throw cannotStart(end.error, call.program);
  if (end.how === 'too long') {
    throw new RecognitionError('timeout', `the program gave no answer in ${call.maxSeconds} s`);
  }
  if (end.how === 'too much') {
    throw new RecognitionError('garbage', `the program printed more than ${call.maxOutputBytes} bytes`);
  }
  const words = lastWords(errors, shownErrorCharacters);
  const said = words === '' ? '' : `: ${words}`;
  if (end.how === 'signal') throw new RecognitionError('crash', `the program was ended by ${end.signal}${said}`);
  throw new RecognitionError('error', `the program ended with exit status ${end.code}${said}`);
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
