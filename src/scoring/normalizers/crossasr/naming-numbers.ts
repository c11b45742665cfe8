import type { NormalizerStep } from '../normalizer.ts';
import { namingNumber } from './cardinals.ts';
import { rewrite } from './rewrite.ts';

const named =
  /(?<=(?<!\p{L})(?:flight|room|suite|apartment|apt\.?|highway|interstate|route|boeing|airbus|bus|train|area|building|fahrenheit|gate|exit|locker|studio|model|form|box|us|u s) )(?<number>\d{3,4})(?<letter>[A-Z])?(?![\p{L}\d%°]|[.,:/-]\d| (?:people|\p{Ll}+s)(?!\p{L}))/giu;

/** Numbers that name what stands before them, in pairs: Boeing 747 "seven forty seven", Room 101 "room one oh one". */
export const namingNumbers: NormalizerStep = {
  step: 'numbers that name',
  apply: (text) =>
    rewrite(text, named, ({ number, letter }) => `${namingNumber(number!)}${letter ? ` ${letter.toLowerCase()}` : ''}`),
};
