import type { NormalizerStep } from '../normalizer.ts';
import { cardinal, namingNumber } from './cardinals.ts';
import { rewrite } from './rewrite.ts';

const named =
  /(?<=(?<!\p{L})(?:flight|room|suite|apartment|apt\.?|highway|interstate|route|boeing|airbus|bus|train|area|building|fahrenheit|gate|exit|locker|studio|model|form|box|us|u s) )(?<number>\d{3,4})(?<letter>[A-Z])?(?![\p{L}\d%°]|[.,:/-]\d| (?:people|\p{Ll}+s)(?!\p{L}))/giu;

const paragraphs = /(?<![\p{L}\d$€£]|\d[.,])(?<number>\d{3})(?<parts>(?:\((?:[a-zA-Z]|\d{1,2})\)){1,3})/gu;

const sayPart = (part: string) => (/\d/.test(part) ? cardinal(part) : part.toLowerCase());

/** Numbers that name what stands before them, in pairs: Boeing 747 "seven forty seven", Room 101 "room one oh one", 401(k) "four oh one k". */
export const namingNumbers: NormalizerStep = {
  step: 'numbers that name',
  apply: (text) =>
    rewrite(
      rewrite(
        text,
        named,
        ({ number, letter }) => `${namingNumber(number!)}${letter ? ` ${letter.toLowerCase()}` : ''}`,
      ),
      paragraphs,
      ({ number, parts }) => [namingNumber(number!), ...parts!.slice(1, -1).split(')(').map(sayPart)].join(' '),
    ),
};
