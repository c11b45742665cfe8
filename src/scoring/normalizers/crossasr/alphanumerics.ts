import type { NormalizerStep } from '../normalizer.ts';
import { digitByDigit, namingNumber } from './cardinals.ts';
import { isSpelled, spelled } from './initialisms.ts';
import { rewrite } from './rewrite.ts';

const vowelless = /^[bcdfghjklmnpqrstvwxz]{2,}$/i;

// Beside figures short capitals are letters, unless they are a word ("COVID").
function sayLetters(letters: string): string {
  const spell =
    letters.length === 1 ||
    vowelless.test(letters) ||
    (/^\p{Lu}+$/u.test(letters) && (letters.length === 2 || isSpelled(letters)));
  return spell ? spelled(letters) : letters.toLowerCase();
}

/**
 * Letters and figures written together: letters by name where they are no word, figures as a number that names.
 *
 * @example sayAlphanumeric('MP3') // 'm p three'
 */
export function sayAlphanumeric(written: string): string {
  return (written.match(/\p{L}\p{M}*(?:[\p{L}\p{M}])*|\d+/gu) ?? [])
    .map((part) => {
      if (!/^\d/.test(part)) return sayLetters(part);
      return part.length > 4 ? digitByDigit(part) : namingNumber(part);
    })
    .join(' ');
}

const joined =
  /(?<![\p{L}\p{M}\d])(?:(?:\p{L}\p{M}*){1,12}-?\d{1,20}|\d{1,20}(?:\p{L}\p{M}*){1,12})(?:-?(?:\d{1,20}|(?<=\d-?)\p{L}{1,12}|(?<=\d)\p{L}{1,12})){0,6}(?![\p{L}\p{M}\d])/gu;
const manyTimes = /(?<![\p{L}\d]|\d[.,])(?<number>\d+(?:\.\d+)?)[x×](?![\p{L}\d])/giu;

/** B2B, MP3, COVID-19, F-16, A4, 4G: "b two b", "m p three", "covid nineteen", "f sixteen", "a four", "four g". 2x is "two times". */
export const alphanumerics: NormalizerStep = {
  step: 'letters and figures together',
  apply: (text) =>
    rewrite(text.replace(manyTimes, '$<number> times'), joined, (_, __, written) =>
      /\d/.test(written) ? sayAlphanumeric(written) : undefined,
    ),
};
