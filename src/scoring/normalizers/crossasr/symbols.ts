import type { NormalizerStep } from '../normalizer.ts';
import { rewrite } from './rewrite.ts';

const written = /[&+=@%‰°±§№∞¢£€¥₹©]|~(?= ?[\p{L}\d])/gu;
const names: Readonly<Record<string, string>> = {
  '&': 'and',
  '+': 'plus',
  '=': 'equals',
  '@': 'at',
  '%': 'percent',
  '‰': 'per mille',
  '°': 'degrees',
  '±': 'plus or minus',
  '§': 'section',
  '№': 'number',
  '~': 'approximately',
  '∞': 'infinity',
  '©': 'copyright',
  '¢': 'cents',
  '£': 'pounds',
  '€': 'euros',
  '¥': 'yen',
  '₹': 'rupees',
};
const per =
  /(?<=(?:^|[^\p{L}])(?:meters?|kilometers?|miles?|liters?|grams?|kilograms?|dollars?|euros?|pounds?|percent|times|seconds?|minutes?|hours?|days?|nights?|weeks?|months?)) ?\/ ?(?=\p{L})/gu;
const repeated = /(?<!(?<!\p{L})[A-Z])([&+=@~])\1+/gu;
const sharp = /(?<=(?<!\p{L})[ACDFGJ])#(?!\p{L})/gu;
const grade = /(?<=(?<![\p{L}\d])[A-F])-(?=$|[ .,;!?)])/gu;

/** Signs that are said: & "and", + "plus", = "equals", @ "at", % "percent". Others are punctuation. */
export const symbols: NormalizerStep = {
  step: 'signs',
  apply: (text) =>
    rewrite(
      text.replace(per, ' per ').replace(repeated, ' ').replace(sharp, ' sharp').replace(grade, ' minus'),
      written,
      (_, __, sign) => ` ${names[sign]} `,
    ).replaceAll(/ {2,}/g, ' '),
};
