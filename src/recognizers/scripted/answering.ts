import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { createRandom } from '../../base/random.ts';
import { RecognitionError, type RecognitionRequest } from '../contract.ts';
import { printable } from '../shared/printable.ts';
import type { ScriptedOptions } from './options.ts';

const answersFile = z.record(z.string(), z.string());

/**
 * Reads a file of answers.
 *
 * @throws EarwitnessError `bad-input` where it is not a JSON object of texts
 */
export async function readAnswers(path: string, shownName: string): Promise<Readonly<Record<string, string>>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new EarwitnessError('bad-input', `${shownName}: expected a JSON file: ${printable(messageOf(error), 200)}`);
  }
  const parsed = answersFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new EarwitnessError(
    'bad-input',
    `${shownName}: expected an object with a text for every utterance, but ${place === '' ? 'it is none' : `"${printable(place, 100)}" has none`}; correct it`,
  );
}

/** What the script answers to a call that does not fail. */
export function createAnswering(
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
