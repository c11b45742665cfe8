import { isUtf8 } from 'node:buffer';
import type { Transcript } from '../../model/observation.ts';
import { RecognitionError } from '../contract.ts';
import { printable } from '../shared/printable.ts';
import { recordedWords } from '../shared/recorded-words.ts';
import type { CommandOptions } from './options.ts';

/**
 * What a program printed, as a transcript. Blanks and line ends at the end are taken away.
 *
 * @throws RecognitionError `garbage`: not UTF-8, no JSON, nothing at the path, no list of words
 */
export function readOutput(
  output: Buffer,
  options: Pick<CommandOptions, 'output' | 'textPath' | 'wordsPath'>,
): Transcript {
  if (!isUtf8(output)) throw new RecognitionError('garbage', 'the program printed bytes that are no UTF-8 text');
  const printed = output.toString('utf8');
  if (options.output === 'text') return { text: printed.trimEnd() };
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    throw new RecognitionError('garbage', `the program printed no JSON: ${printable(printed.trim(), 100)}`);
  }
  const text = at(value, options.textPath);
  if (typeof text !== 'string') {
    throw new RecognitionError('garbage', `the program's JSON has no text at ${printable(options.textPath, 100)}`);
  }
  if (options.wordsPath === undefined) return { text };
  const words = recordedWords(at(value, options.wordsPath));
  if (!words) {
    throw new RecognitionError(
      'garbage',
      `the program's JSON has no list of words at ${printable(options.wordsPath, 100)}`,
    );
  }
  return { text, words };
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
