import { readFile } from 'node:fs/promises';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../shared/printable.ts';
import type { Functions, Pointer } from './binding.ts';
import { withoutVariant } from './segments.ts';

/** How a word is said. */
export interface Pronunciation {
  readonly word: string;
  /** Phones of the acoustic model, with blanks between them. */
  readonly phones: string;
}

/** Pronunciations of one word at most. */
const mostVariants = 100;

/**
 * Reads lines in the format of a pronouncing dictionary: `word` or `word(2)`, and its phones.
 *
 * @param named how errors name the file
 * @throws EarwitnessError `bad-config` with the line for one that is none, or where there is no line
 */
export async function readPronunciations(path: string, named: string): Promise<readonly Pronunciation[]> {
  const pronunciations: Pronunciation[] = [];
  for (const [index, line] of (await readFile(path, 'utf8'))
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const [written, ...phones] = line.split(/\s+/).filter((part) => part !== '');
    if (written === undefined || /^(;;|##)/.test(line)) continue;
    if (phones.length === 0) {
      throw new EarwitnessError(
        'bad-config',
        `pronunciations: expected a word and its phones, as in "vote V OW T", but line ${index + 1} of ${named} is ${JSON.stringify(printable(written, 60))}; correct it`,
      );
    }
    pronunciations.push({ word: withoutVariant(written), phones: phones.join(' ') });
  }
  if (pronunciations.length > 0) return pronunciations;
  throw new EarwitnessError(
    'bad-config',
    `pronunciations: expected lines with a word and its phones in ${named}, but there are none; leave the option out`,
  );
}

/**
 * Adds pronunciations to a decoder. A word that its dictionary does not have becomes one of the language model too, as likely as
 * one drawn from all words of that at random, whatever stands before it.
 *
 * @returns the first that the library refuses, as it does phones that the acoustic model does not have; null where it took all
 */
export function addPronunciations(
  functions: Functions,
  decoder: Pointer,
  pronunciations: readonly Pronunciation[],
): Pronunciation | null {
  for (const [place, { word, phones }] of pronunciations.entries()) {
    // The search is built anew with the last one.
    const build = place === pronunciations.length - 1 ? 1 : 0;
    let added = false;
    for (let variant = 1; variant <= mostVariants && !added; variant++) {
      const name = variant === 1 ? word : `${word}(${variant})`;
      added = functions.ps_add_word(decoder, name, phones, build) >= 0;
    }
    if (!added) return { word, phones };
  }
  return null;
}
