import type { NormalizerStep } from '../normalizer.ts';
import { amount, cardinal, numberStart, sayAmount, twoDigits, year } from './numbers.ts';
import { rewrite } from './rewrite.ts';

const yearRange = new RegExp(
  `${numberStart}(?<from>1\\d{3}|20\\d{2}) ?[-–] ?(?<to>1\\d{3}|20\\d{2}|'?\\d{2}|present)(?![\\d\\p{L}%]|[.,:]\\d)`,
  'gu',
);
const emergency = /(?<![\p{L}\d])9-1-1(?![\p{L}\d])/gu;
const evenSplit = /(?<![\p{L}\d])(?<share>50|60|70|80|90|24)-(?<rest>50|40|30|20|10|7)(?![\p{L}\d])/gu;
const ratio =
  /(?<![\p{L}\d]|\d[.,:])(?<first>\d{1,9}(?:\.\d{1,9})?)(?<colons>(?: ?: ?\d{1,9}(?:\.\d{1,9})?){1,4})(?![\d\p{L}])/gu;
const duration =
  /(?<=\b(?:in|time of|after|lasted|lasting|took) )(?<minutes>\d{1,3}):(?<seconds>[0-5]\d)(?![\d\p{L}]|[.,:]\d| ?(?:split|ratio))/giu;
const range = new RegExp(
  `${numberStart}(?<!\\d ?[-–] ?)(?<minus>-)?(?<from>${amount}) ?(?:-|–|\\.\\.\\.?) ?(?<to>${amount})(?![\\d\\p{L}]| ?[-–] ?\\d)`,
  'gu',
);

/** Two numbers with a dash or a colon between: years, scores, ratios, from and to. All are "to", except shares of a hundred. */
export const ranges: NormalizerStep = {
  step: 'ranges, scores, ratios',
  apply(text) {
    let said = rewrite(text, emergency, () => 'nine one one');
    said = rewrite(said, evenSplit, ({ share, rest }) =>
      Number(share) + Number(rest) === 100 || rest === '7' ? `${cardinal(share!)} ${cardinal(rest!)}` : undefined,
    );
    said = rewrite(said, yearRange, ({ from, to }) => {
      if (to === 'present') return `${year(from!)} to present`;
      if (to!.length === 4)
        return Number(from) < Number(to) && Number(from) > 1000 ? `${year(from!)} to ${year(to!)}` : undefined;
      const short = to!.replace("'", '');
      return Number(short) > Number(from!.slice(2)) || to!.startsWith("'")
        ? `${year(from!)} to ${twoDigits(short)}`
        : undefined;
    });
    said = rewrite(said, duration, ({ minutes, seconds }) => `${cardinal(minutes!)} ${twoDigits(seconds!)}`);
    said = rewrite(said, ratio, ({ first, colons }) =>
      [first!, ...colons!.split(':').slice(1)].map((part) => sayAmount(part.trim())).join(' to '),
    );
    return rewrite(
      said,
      range,
      ({ minus, from, to }) => `${minus ? 'minus ' : ''}${sayAmount(from!)} to ${sayAmount(to!)}`,
    );
  },
};
