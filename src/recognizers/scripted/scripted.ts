import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import { systemClock } from '../../base/clock.ts';
import { badInput, messageOf } from '../../base/errors.ts';
import { hashJson, sha256 } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { between, flag, oneOf, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { createRandom } from '../../base/random.ts';
import { recognizerFailureKinds, type Transcript } from '../../model/observation.ts';
import { existingFile } from '../../packages/model-files.ts';
import { RecognitionError, type RecognitionRequest, type RecognizerKind } from '../contract.ts';
import { clipOf, givenUp } from '../shared/requests.ts';

const failure = z.strictObject({
  match: z
    .strictObject({
      utterance: z.string().optional().describe('Only this utterance.'),
      condition: z.string().optional().describe('Only this condition.'),
      repeat: whole(0).optional().describe('Only this repeat.'),
    })
    .default({})
    .describe('Which calls fail; all of them where nothing is said.'),
  how: oneOf(['error', 'throw', 'exit', 'abort', 'hang', 'spin', 'garbage', 'huge'])
    .default('error')
    .describe(
      'error: fails with kind; throw: throws something else; exit: ends the process; abort: crashes it; hang: never answers, even when given up; spin: keeps the processor and answers nothing; garbage: answers with no transcript; huge: answers with megabytes.',
    ),
  kind: z.enum(recognizerFailureKinds).default('error').describe('Kind of failure, for how: error.'),
  times: whole(1).optional().describe('Fails the first so many calls of each trial, then answers. Default: always.'),
  retryable: z
    .boolean()
    .optional()
    .describe('Whether asking again can help. Default: yes with times or "unavailable".'),
  retryAfterSeconds: z.number().min(0).optional().describe('What it asks for, as a service does with Retry-After.'),
});

const answers = z.record(z.string(), z.string());

const scriptedOptions = z.strictObject({
  answers: answers
    .default({})
    .describe(
      'What it answers, by "utterance", "utterance|condition" or "utterance|condition|repeat"; the most exact one counts. With needsAudio, {samples} {rate} {hash} in an answer stand for facts of the audio.',
    ),
  file: z.string().optional().describe('JSON file with further answers; those in answers go before it.'),
  rule: oneOf(['echo-id', 'drop-words'])
    .optional()
    .describe('echo-id: answers with the id. drop-words: the answer without a random share of its words.'),
  dropShares: z
    .record(z.string(), between(0, 1))
    .default({})
    .describe('For drop-words: share of words lost by condition, and "*" for all others. Default: none.'),
  seed: z.int().default(1).describe('For drop-words.'),
  default: z.string().optional().describe('Answer where there is no other. Default: the failure unknown-utterance.'),
  delaySeconds: between(0, 3600).default(0).describe('How long every answer takes.'),
  failures: z.array(failure).default([]).describe('Calls that fail; the first that matches counts.'),
  countsFolder: z
    .string()
    .optional()
    .describe('Folder in which calls that failed are counted, so that "times" outlives a process that dies.'),
  hugeCharacters: whole(1, 500_000_000).default(20_000_000).describe('Length of an answer with how: huge.'),
  concurrency: whole(1, 10_000).default(1).describe('Calls taken at once.'),
  pinned: flag(true).describe('false: every run asks anew, as for a hosted service.'),
  needsAudio: flag(false).describe('true: it is given audio, as a real engine is.'),
});

/**
 * A recognizer that does what it is told: declared answers, delays and failures, for trying out a study and for proving
 * that the program survives any recognizer.
 */
export const scripted: RecognizerKind<ScriptedOptions> = {
  name: 'scripted',
  about: 'Answers, delays and failures as declared: for trials of a study without any engine',
  options: scriptedOptions,
  isolation: 'none',

  async describe(options, services) {
    const file =
      options.file === undefined ? null : await services.fileHash(await existingFile(services, 'file', options.file));
    const { answers, rule, dropShares, seed, failures, needsAudio, hugeCharacters } = options;
    const declared = {
      answers: hashJson(answers),
      rule,
      dropShares,
      seed,
      default: options.default,
      failures,
      // Its first name: the identity of what it answered stays the same.
      hearsSound: needsAudio,
      hugeCharacters,
    };
    return {
      // Delays and the counting of failures change no answer.
      identity: { engine: 'scripted', method: 1, ...(JSON.parse(JSON.stringify(declared)) as JsonObject), file },
      input: options.needsAudio ? 'sound' : 'names',
      pinned: options.pinned,
      concurrency: options.concurrency,
      usesProcessor: false,
      facts: {},
    };
  },

  async open(options, services) {
    const fromFile =
      options.file === undefined
        ? {}
        : await readAnswers(await existingFile(services, 'file', options.file), options.file);
    const answer = createAnswering(options, fromFile);
    const failing = options.failures.length === 0 ? null : createFailing(options, services.baseFolder);
    return {
      async recognize(request, signal) {
        if (signal.aborted) throw givenUp(signal);
        if (options.needsAudio) clipOf(request);
        if (options.delaySeconds > 0) {
          await systemClock.sleep(options.delaySeconds * 1000, signal).catch(() => Promise.reject(givenUp(signal)));
        }
        const rubbish = failing === null ? null : await failing(request);
        return rubbish ?? { text: answer(request) };
      },
      async close() {},
    };
  },

  async readiness() {
    return { ready: true, found: 'built in' };
  },
};

const answersFile = z.record(z.string(), z.string());

/**
 * Reads a file of answers.
 *
 * @throws EarwitnessError `bad-input` where it is not a JSON object of texts
 */
async function readAnswers(path: string, shownName: string): Promise<Readonly<Record<string, string>>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw badInput(`${shownName}: expected a JSON file: ${printable(messageOf(error), 200)}`);
  }
  const parsed = answersFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join('.') ?? '';
  throw badInput(
    `${shownName}: expected an object with a text for every utterance, but ${place === '' ? 'it is none' : `"${printable(place, 100)}" has none`}; correct it`,
  );
}

/** What the script answers to a call that does not fail. */
function createAnswering(
  options: ScriptedOptions,
  fromFile: Readonly<Record<string, string>>,
): (request: RecognitionRequest) => string {
  const answers = new Map([...Object.entries(fromFile), ...Object.entries(options.answers)]);
  const declared = ({ utteranceId, conditionName, repeat }: RecognitionRequest): string | undefined =>
    answers.get(`${utteranceId}|${conditionName}|${repeat}`) ??
    answers.get(`${utteranceId}|${conditionName}`) ??
    answers.get(utteranceId);

  return (request) => {
    const answer = declared(request) ?? (options.rule === 'echo-id' ? request.utteranceId : options.default);
    if (answer === undefined) {
      throw new RecognitionError(
        'unknown-utterance',
        `the script has no answer for utterance "${printable(request.utteranceId, 100)}"`,
      );
    }
    const text = options.rule === 'drop-words' ? withWordsLost(answer, options, request) : answer;
    return request.clip && text.includes('{') ? withFacts(text, request.clip) : text;
  };
}

/** Which words are lost depends on utterance, condition and repeat, not on the order of calls. */
function withWordsLost(text: string, options: ScriptedOptions, request: RecognitionRequest): string {
  const share = options.dropShares[request.conditionName] ?? options.dropShares['*'] ?? 0;
  if (share === 0) return text;
  const { utteranceId, conditionName, repeat } = request;
  const random = createRandom({ scripted: options.seed, utteranceId, conditionName, repeat });
  const words = text.split(/\s+/).filter(Boolean);
  return words.filter(() => random.next() >= share).join(' ');
}

function withFacts(text: string, { samples, sampleRate }: Clip): string {
  return text.replace(/\{(samples|rate|hash)\}/g, (_, fact: string) => {
    if (fact === 'samples') return String(samples.length);
    if (fact === 'rate') return String(sampleRate);
    return sha256(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  });
}

/** How many calls of a trial have failed. */
interface Counts {
  /** Counts one more, before it fails: it may end the process. */
  next(key: string): Promise<number>;
}

/**
 * The failures of a script.
 *
 * @returns a function that does what the script says of a call: fails, answers with rubbish, never settles, ends the
 * process; or gives null, and the call is to be answered
 */
function createFailing(
  options: ScriptedOptions,
  baseFolder: string,
): (request: RecognitionRequest) => Promise<Transcript | null> {
  const counts = options.countsFolder === undefined ? inMemory() : inFolder(resolve(baseFolder, options.countsFolder));
  return async (request) => {
    for (const [position, failure] of options.failures.entries()) {
      if (!matches(failure, request)) continue;
      if (failure.times === undefined) return fail(failure, options.hugeCharacters);
      const key = JSON.stringify([position, request.utteranceId, request.conditionName, request.repeat]);
      if ((await counts.next(key)) <= failure.times) return fail(failure, options.hugeCharacters);
      return null;
    }
    return null;
  };
}

function matches({ match }: ScriptedFailure, request: RecognitionRequest): boolean {
  return (
    (match.utterance === undefined || match.utterance === request.utteranceId) &&
    (match.condition === undefined || match.condition === request.conditionName) &&
    (match.repeat === undefined || match.repeat === request.repeat)
  );
}

async function fail(failure: ScriptedFailure, hugeCharacters: number): Promise<Transcript> {
  switch (failure.how) {
    case 'error':
      throw new RecognitionError(failure.kind, `the script says: ${failure.kind}`, {
        retryable: failure.retryable ?? (failure.times !== undefined || failure.kind === 'unavailable'),
        ...(failure.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
      });
    case 'throw':
      throw new TypeError('the script says: something went wrong');
    case 'exit':
      return process.exit(3);
    case 'abort':
      return process.abort();
    case 'hang':
      return new Promise(() => {});
    case 'spin':
      for (;;);
    case 'garbage':
      return { text: 42 } as unknown as Transcript;
    case 'huge':
      return { text: 'x'.repeat(hugeCharacters) };
  }
}

function inMemory(): Counts {
  const counts = new Map<string, number>();
  return {
    async next(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
  };
}

/** One file for each key, a byte for each call: appending is safe whatever happens next. */
function inFolder(folder: string): Counts {
  return {
    async next(key) {
      await mkdir(folder, { recursive: true });
      const file = join(folder, sha256(key));
      await appendFile(file, '.');
      return (await stat(file)).size;
    },
  };
}

type ScriptedOptions = z.infer<typeof scriptedOptions>;
type ScriptedFailure = ScriptedOptions['failures'][number];
