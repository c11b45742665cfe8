import type { NormalizerStep } from '../normalizer.ts';

/** Lower case; apostrophes leave nothing behind ("europes"), every other sign a blank. */
export const lettersOnly: NormalizerStep = {
  step: 'lower case, punctuation out',
  apply: (text) =>
    text
      .toLowerCase()
      .normalize('NFC')
      .replaceAll(/(?<=\p{L})'(?=\p{L})/gu, '')
      .replaceAll(/[^\p{L}\p{M}\p{Nd}]+/gu, ' ')
      .trim(),
};

const small =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|(?:twen|thir|for|fif|six|seven|eigh|nine)tieth';
const numberWord = `(?:${small}|a|hundred|thousand|million|billion|trillion)`;
const upToNinetyNine = `(?:${small})(?: (?:${small}))?(?: |$)`;
const afterHundred = new RegExp(
  `(?<=(?:^| )${numberWord} hundred) and (?=${upToNinetyNine}(?!hundred|half |quarters? |and ))`,
  'g',
);
const afterThousand = new RegExp(
  `(?<=(?:^| )${numberWord} (?:thousand|million|billion|trillion)) and (?=${upToNinetyNine}(?!hundred|thousand|million|billion|trillion|half |quarters? |and ))`,
  'g',
);

/** "One hundred and five" and 105 come out the same; "two thousand and three thousand" stay two numbers. */
export const americanNumbers: NormalizerStep = {
  step: 'no "and" within a number',
  apply: (text) => text.replace(afterHundred, ' ').replace(afterThousand, ' '),
};
