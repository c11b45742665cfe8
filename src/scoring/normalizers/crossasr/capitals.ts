import type { NormalizerStep } from '../normalizer.ts';
import { saidAsWord, stressedWords } from './initialism-table.ts';
import { isSpelled } from './initialisms.ts';
import { romanValue } from './roman.ts';

const word = /\p{Lu}{2,}(?:'\p{Lu}+)?/gu;
const lowerCase = /\p{Ll}/u;

const meansNothing = (written: string) =>
  !isSpelled(written, true) &&
  !saidAsWord.has(written) &&
  (romanValue(written) === undefined || /[LCDM]/.test(written));

/** In a text of capitals alone these say nothing: words come back with a first capital, initialisms and Roman numerals stay. */
export const capitalsAlone: NormalizerStep = {
  step: 'capitals alone',
  apply(text) {
    if (lowerCase.test(text)) return text;
    const words = text.match(word) ?? [];
    if (
      words.length < 2 ||
      !words.some((written) => (written.length > 3 || stressedWords.has(written)) && meansNothing(written))
    ) {
      return text;
    }
    return text.replace(word, (written) =>
      meansNothing(written) ? written.charAt(0) + written.slice(1).toLowerCase() : written,
    );
  },
};
