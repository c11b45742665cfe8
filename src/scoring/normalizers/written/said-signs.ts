import { namesOf } from './said-names.ts';

/** Minus where a number begins, and the sign of mathematics before any: no hyphen, no range, with or without blanks. */
const minus = /(?<![\p{L}\p{N}\p{M}\p{P}\p{S}])[-–−](?=\p{N})|−(?= ?\p{N})/gu;
const currency = '[\\p{Sc}]';
/** A sign of money before its sum is said behind it. */
const sum = new RegExp(`(${currency}) ?(\\d+(?:[.,]\\d+)*)(?![\\d])`, 'gu');
/** % on either side of its figure. */
const ofFigure = /% ?(\d+(?:[.,]\d+)*)|(\d+(?:[.,]\d+)*) ?%/g;
const besides = '(?<=[\\p{L}\\p{N}\\p{M}] ?)';
const said = new RegExp(
  [
    `${currency}|[%‰°−]`,
    `(?<=[\\p{L}\\p{N}\\p{M}+] ?)\\+|\\+(?=[+ ]*\\p{N})`,
    `${besides}[&=](?= ?[\\p{L}\\p{N}])`,
    '(?<=[\\p{L}\\p{N}])@(?=[\\p{L}\\p{N}])|#(?=\\p{N})',
    '(?<=\\p{N} ?)[×÷<>≤≥^](?= ?\\p{N})',
  ].join('|'),
  'gu',
);
const mayBeSaid = /[\p{Sc}%‰°٪؉–−+&=@#×÷<>≤≥^\ue000]|-\p{N}/u;
const percent = /[٪؉]/g;
/** A mark without a letter before it is none of a word: an emoji's. Joiners stand between letter and mark in Bengali. */
const signsAndTheirMarks = /[\p{S}\p{P}]\p{M}*|\p{M}(?<![\p{L}\p{M}\u200c\u200d]\p{M})\p{M}*/gu;

// Most texts in Latin, Greek and Cyrillic have no other signs than these few, which are found in a fraction of the time.
const isCommon = /^[\0-\x7f«»À-ÖØ-öø-ɏˀΆΈ-ϵϷ-ҁҊ-ԯ‐-‧]*$/;
const common = /[!-/:-@[-`{-~«»‐-‧]/;
const commonSigns = new RegExp(`${common.source}+`, 'g');
const commonlySaid = /[#-&+<=>@^]|[-–]\d/;
const figure = /\d/;
const noNames = {};

/**
 * Signs that are said as words by themselves: money, %, ‰, °, plus and minus of numbers, &, =, @, #, ×, ÷ and ^ between numbers; % and € in
 * a text with figures as the language says them (`namesOf`).
 * Each stands alone, with blanks about it; of the other signs each run is a blank.
 *
 * @example replaceSigns('€5, 50%!') // '5 €   50 %  '
 */
export function replaceSigns(written: string, language?: string): string {
  const names: ReturnType<typeof namesOf> = figure.test(written) ? namesOf(language) : noNames;
  let text = written;
  if (names !== noNames) for (const sign in names) text = names[sign]!.alike(text);
  const few = isCommon.test(text);
  if (few && !common.test(text)) return text;
  const others = few ? commonSigns : signsAndTheirMarks;
  if (!(few ? commonlySaid : mayBeSaid).test(text)) return text.replace(others, ' ');
  const kept: string[] = [];
  const marked = text
    .replaceAll('\ue000', ' ')
    .replace(percent, (sign) => (sign === '٪' ? '%' : '‰'))
    .replace(minus, '−')
    .replace(sum, '$2$1')
    .replace(ofFigure, names['%']?.isBefore ? '%$1$2' : '$&')
    .replace(said, (sign) => {
      kept.push(sign);
      return '\ue000';
    });
  let next = 0;
  return marked.replace(others, ' ').replaceAll('\ue000', () => {
    const sign = kept[next++] ?? '';
    return ` ${names[sign]?.name ?? sign} `;
  });
}
