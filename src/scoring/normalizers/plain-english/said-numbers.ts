import { openWord } from '../../alignment/open-words.ts';
import { months as shortMonths } from './sums-and-measures.ts';

interface Unit {
  readonly value: number;
  readonly kind: 'ones' | 'teens' | 'tens';
  /** It ends a number: `first`, `twentieth`, `eighties`. */
  readonly end: 'ordinal' | 'plural' | null;
}

const cardinals =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
/** From twenty to ninety. */
export const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const kindOfUnit = (value: number) => (value < 10 ? 'ones' : 'teens');

const units: ReadonlyMap<string, Unit> = new Map([
  ...cardinals
    .slice(1)
    .map((word, at): [string, Unit] => [word, { value: at + 1, kind: kindOfUnit(at + 1), end: null }]),
  ...ordinals
    .slice(1)
    .map((word, at): [string, Unit] => [word, { value: at + 1, kind: kindOfUnit(at + 1), end: 'ordinal' }]),
  ...tens.flatMap((word, at): [string, Unit][] => {
    const ten = { value: 10 * (at + 2), kind: 'tens' } as const;
    return [
      [word, { ...ten, end: null }],
      [word.replace('y', 'ieth'), { ...ten, end: 'ordinal' }],
      [word.replace('y', 'ies'), { ...ten, end: 'plural' }],
    ];
  }),
]);

/** Powers of ten, in zeros. */
const multipliers: ReadonlyMap<string, number> = new Map([
  ['hundred', 2],
  ['thousand', 3],
  ['million', 6],
  ['billion', 9],
  ['trillion', 12],
]);
const multiplierEnds = /^(hundred|thousand|million|billion|trillion)(th|s)$/;
const repeats: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
]);

const isFigure = (word: string) => {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
};
const numeral = /^\d+(?:\.\d+)?$/;
const isNumeral = (word: string | undefined): word is string =>
  word !== undefined && isFigure(word) && numeral.test(word);
/** Where no number went before, one begins with a figure or with one of these. */
const beginnings = new Set([...units.keys(), ...repeats.keys(), 'zero', 'a', 'oh', 'o']);
const isOh = (word: string | undefined) => word === 'oh' || word === 'o';
/** One digit, said or written. */
function digitOf(word: string | undefined): string | null {
  if (word === undefined) return null;
  if (word === 'zero') return '0';
  if (word.length === 1) return isFigure(word) ? word : null;
  const unit = units.get(word);
  return unit?.kind === 'ones' && unit.end === null ? String(unit.value) : null;
}

/** A number of a row: its figures, with what an ordinal or a decade has behind them. */
interface Said {
  readonly figures: string;
  /** The place behind it. */
  readonly end: number;
}

/**
 * Words with their numbers in figures. What is said in a row and may be written as one number comes out alike: single digits stay apart
 * (`five six` is no `fifty six`), and so do the digits of two numbers that stand together (`ten oh five`, `10 05`; `nineteen eighty four`).
 * `digitsApart` does the same with what is written as one number (`1005`, `1984`). Ordinals up to the twelfth stay words (`wait a second`);
 * what is no part of a number stays as it is (`oh no`, `at this point`).
 *
 * @example numbersInFigures(['two', 'hundred', 'and', 'five', 'of', 'a', 'million']) // ['205', 'of', '1000000']
 */
export function numbersInFigures(words: readonly string[]): string[] {
  const written: string[] = [];
  for (let place = 0; place < words.length; ) {
    const word = words[place]!;
    if (!isFigure(word) && !beginnings.has(word)) {
      written.push(word);
      place++;
      continue;
    }
    const day = isFigure(word) ? dayAt(words, place) : null;
    if (day !== null) {
      const [before, behind] = [words[place - 1], words[place + 1]].map((word) => shortMonths.get(word ?? ''));
      if (before !== undefined) written[written.length - 1] = before;
      written.push(day);
      if (behind !== undefined) written.push(behind);
      place += behind === undefined ? 1 : 2;
      continue;
    }
    const row: string[] = [];
    for (;;) {
      const said = readSaid(words, place, row);
      if (said === null) break;
      place = said.end;
    }
    // `june twenty one twenty nineteen` is written with the day by itself.
    if (row.length > 1 && isMonth(written.at(-1)) && startsWithDay(row)) written.push(row.shift()!);
    if (row.length === 0) {
      written.push(mayBeZero(words, place) ? openWord(word, 'zero') : word);
      place++;
    } else if (row.length === 1) written.push(row[0]!);
    else writeRow(row, written);
  }
  return written;
}

/** Puts what is said at a place into the row; null where it is no number. */
function readSaid(words: readonly string[], place: number, row: string[]): Said | null {
  const word = words[place];
  if (word === undefined) return null;
  const times = repeats.get(word);
  if (times !== undefined) {
    const digit = isOh(words[place + 1]) ? '0' : digitOf(words[place + 1]);
    if (digit === null) return null;
    for (let one = 0; one < times; one++) row.push(digit);
    return { figures: digit, end: place + 2 };
  }
  const said =
    word === 'zero' || (isOh(word) && isZero(words, place, row))
      ? { figures: '0', end: place + 1 }
      : isNumeral(word)
        ? { figures: word, end: place + 1 }
        : cardinalAt(words, place, row.length > 0);
  if (said === null) return null;
  const decimal = withDecimals(words, said);
  const whole = isNumeral(word) || decimal !== said ? withMultipliers(words, decimal) : said;
  row.push(whole.figures);
  return whole;
}

const months = new Set(shortMonths.values()).add('may');
const isMonth = (word: string | undefined) => word !== undefined && (months.has(word) || shortMonths.has(word));

/**
 * A day in figures beside its month, said as an ordinal or not: `june 5` and `june 5th` are `june five` and `june fifth`, which are two. The
 * other text decides.
 */
function dayAt(words: readonly string[], place: number): string | null {
  const day = /^([1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/.exec(words[place]!)?.[1];
  if (day === undefined) return null;
  const isBefore = isMonth(words[place + 1]) && !isNumeral(words[place - 1]);
  if (!isBefore && !isMonth(words[place - 1])) return null;
  return openWord(digitsApart(day), smallOrdinal(`${day}${ordinalEnd(Number(day))}`));
}

/** Whether a row of numbers behind a month begins with a day: `june twenty twenty nineteen`, no `june nineteen ninety`. */
function startsWithDay(row: readonly string[]): boolean {
  const isYear = (...figures: readonly string[]) => /^(?:1\d|20)\d\d$/.test(figures.join(''));
  if (!/^(?:[1-9]|[12]\d|3[01])$/.test(row[0]!)) return false;
  return isYear(...row.slice(1)) || !(isYear(...row.slice(0, 2)) || isYear(...row.slice(0, 3)));
}

/** Behind a row of digits that `oh` ends, none of these goes on: `one two, oh no`. */
const exclaimed = new Set(
  'no my god yes yeah wait well boy man dear okay ok i it that thats this sorry come look lord right so and but really sure hey he she we they you what there how come'.split(
    ' ',
  ),
);

/** Whether an `oh` is a zero: within a number, behind two digits where nothing is exclaimed, or before two. */
function isZero(words: readonly string[], place: number, row: readonly string[]): boolean {
  let end = place + 1;
  while (isOh(words[end])) end++;
  const next = words[end];
  if (row.length > 0 && (isNumeral(next) || startsNumber(next))) return true;
  if (row.length === 0)
    return digitOf(next) !== null && (end > place + 1 || isOh(words[end + 1]) || digitOf(words[end + 1]) !== null);
  return row.length > 1 && row.slice(-2).every((one) => one.length === 1) && !exclaimed.has(next ?? '');
}

/** Whether an `oh` before one digit that counts nothing may be a zero, if the other text has it: `oh six`, `oh six hundred`, `point oh five`. */
function mayBeZero(words: readonly string[], place: number): boolean {
  if (!isOh(words[place]) || digitOf(words[place + 1]) === null) return false;
  return words[place - 1] === 'point' || /^(?:hundred|[ap]m)?$/.test(words[place + 2] ?? '');
}

function startsNumber(word: string | undefined): boolean {
  return word === 'zero' || (word !== undefined && units.get(word)?.end === null);
}

/** A number in words from its first to its last: `two thousand and five`, `nineteen hundred`, `thirty third`. */
function cardinalAt(words: readonly string[], from: number, inside: boolean): Said | null {
  let [total, current, place] = [0, -1, from];
  /** Zeros of the multiplier before; of tens and ones none may follow but what they lack. */
  let [lastPower, last, behind] = [Number.POSITIVE_INFINITY, '', from];
  let suffix = '';
  if (words[from] === 'a') {
    if (inside || !multipliers.has(words[from + 1] ?? '')) return null;
    current = 1;
    place++;
  }
  for (; place < words.length && suffix === ''; place++) {
    const word = words[place]!;
    const unit = units.get(word);
    if (unit !== undefined) {
      // `one hundred two hundred` are two numbers.
      if (current >= 100 && words[place + 1] === 'hundred') break;
      // `one eight hundred five five five` is a telephone number.
      if (inside && last === 'hundred' && unit.kind === 'ones' && digitOf(words[place + 1]) !== null) break;
      if (current < 0) current = unit.value;
      else if (last === 'hundred' || (last === 'tens' && unit.kind === 'ones')) current += unit.value;
      else break;
      last = unit.kind;
      suffix = unit.end ?? '';
      continue;
    }
    const ending = multiplierEnds.exec(word);
    const power = multipliers.get(ending?.[1] ?? word);
    if (power === undefined) {
      if (
        word !== 'and' ||
        !(last === 'hundred' || last === 'multiplier') ||
        !mayFollowAnd(words, place, lastPower, last)
      )
        break;
      continue;
    }
    if (current <= 0 || power >= lastPower) {
      // `six thousand nineteen million` is six thousand, and nineteen million.
      if (total > 0) [current, place] = [-1, behind];
      break;
    }
    if (power === 2) {
      if (current > 99) break;
      current *= 100;
      last = 'hundred';
    } else {
      total += current * 10 ** power;
      [current, lastPower, last, behind] = [-1, power, 'multiplier', place + 1];
    }
    suffix = ending === null ? '' : ending[2] === 'th' ? 'ordinal' : 'plural';
  }
  const value = total + Math.max(current, 0);
  // `first` to `twelfth` are words, and so is a hundred of which nobody says how many.
  if (value === 0 || (suffix === 'ordinal' && place === from + 1 && value <= 12)) return null;
  return {
    figures: `${value}${suffix === 'ordinal' ? ordinalEnd(value) : suffix === 'plural' ? 's' : ''}`,
    end: place,
  };
}

/** Whether an `and` behind a multiplier goes on with the number: what follows is less than it. */
function mayFollowAnd(words: readonly string[], place: number, lastPower: number, last: string): boolean {
  if (!units.has(words[place + 1] ?? '')) return false;
  const next = multipliers.get(words[place + 2] ?? '');
  return next === undefined || (next < lastPower && !(last === 'hundred' && next === 2));
}

/** `st` of `1st`. */
export function ordinalEnd(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
}

/** `3` and `three` with a `point` and digits behind it. */
function withDecimals(words: readonly string[], said: Said): Said {
  if (words[said.end] !== 'point' || !/^\d+$/.test(said.figures)) return said;
  let decimals = '';
  let place = said.end + 1;
  for (; place < words.length; place++) {
    const word = words[place]!;
    const digit = isOh(word) ? '0' : digitOf(word);
    if (digit === null && !/^\d+$/.test(word)) break;
    decimals += digit ?? word;
  }
  if (decimals === '') {
    const more = cardinalAt(words, place, true);
    if (more === null || !/^\d\d$/.test(more.figures)) return said;
    return { figures: `${said.figures}.${more.figures}`, end: more.end };
  }
  return { figures: `${said.figures}.${decimals}`, end: place };
}

/** `3.5` and a `million` behind it. */
function withMultipliers(words: readonly string[], { figures, end }: Said): Said {
  let [shifted, place] = [figures, end];
  for (; place < words.length; place++) {
    const zeros = multipliers.get(words[place]!);
    if (zeros === undefined || !/^\d+(?:\.\d+)?$/.test(shifted) || /^[0.]*$/.test(shifted)) break;
    const [whole = '', decimals = ''] = shifted.split('.');
    const digits = (whole + decimals.padEnd(zeros, '0')).replace(/^0+(?=\d)/, '');
    const behind = Math.max(0, decimals.length - zeros);
    shifted = behind === 0 ? digits : `${digits.slice(0, -behind)}.${digits.slice(-behind)}`;
  }
  return { figures: shifted, end: place };
}

/** Numbers that stand together: the digits of those with two apart, but of one with a single digit behind it (`24 7`). */
function writeRow(row: string[], written: string[]): void {
  const last = row.at(-1)!;
  const decade = /^\d\d(?:s|st|nd|rd|th)$/.test(last) && /^\d\d?$/.test(row.at(-2)!);
  if (decade) row.splice(-2, 2, row.at(-2)! + last);
  const isPair = row.length === 2 && row[1]!.length === 1;
  // Of digits said one by one what ends with zeros is the number that is written so (`four five oh oh`), alone; beside others it is in digits.
  if (
    row.length > 2 &&
    row.length < 5 &&
    row[0] !== '0' &&
    /^\d+00$/.test(row.join('')) &&
    row.every((one) => one.length === 1)
  ) {
    written.push(row.join(''));
    return;
  }
  // Behind digits hundreds are said in digits too: telephone numbers.
  const isLong = row.join('').length > 4;
  let inDigits = false;
  for (const figures of row) {
    const apart = !isPair && (/^\d\d$/.test(figures) || (isLong && inDigits && /^\d{1,2}00$/.test(figures)));
    if (apart && row.length > 1) written.push(...figures);
    else written.push(figures);
    inDigits ||= digitsApart(figures) !== figures;
  }
}

/**
 * Single digits as words, and of a number of three digits or more each, as they may have been said: not of hundreds (`1900`).
 *
 * @example digitsApart('205') // 'two zero five'
 */
export function digitsApart(word: string): string {
  if (!isFigure(word)) return word;
  if (/^0\.\d+$/.test(word))
    return `point ${Array.from(word.slice(2), (digit) => cardinals[Number(digit)]!).join(' ')}`;
  if (!/^\d+$/.test(word)) return word;
  const isWhole = word[0] !== '0' && (word.length === 2 || (word.length > 2 && word.endsWith('00')));
  return isWhole ? word : Array.from(word, (digit) => cardinals[Number(digit)]!).join(' ');
}

/** `4th` as `fourth`, `21st` as it is. */
export function smallOrdinal(word: string): string {
  const value = isFigure(word) ? /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)?.[1] : undefined;
  return value === undefined || Number(value) > 12 ? word : (ordinals[Number(value)] ?? word);
}
