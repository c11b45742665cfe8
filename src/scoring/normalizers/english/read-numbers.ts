import { RunningNumber } from './running-number.ts';

const numeral = /^\p{Nd}+(?:\.\p{Nd}+)?$/u;
const signs = '-+£€$¢';

/**
 * Words with what is a number written in digits, as Whisper's English normalizer does it: one pass from left to right that
 * adds to the number it is reading for as long as the next word can belong to it.
 *
 * - `twenty one` 21, `two hundred and five` 205, `three million` 3000000, `1.5 million` 1500000
 * - single digits and years run on: `one oh one` 101, `nineteen eighty four` 1984, `double o seven` 007
 * - `minus five` -5, `twenty dollars` $20, `fifty percent` 50%, `three point one four` 3.14, `twenty first` 21st
 *
 * Known traps: numbers that follow each other become one (`one two three` 123, `twenty one twenty two` 2122); `o` of a name is
 * zero (`o neil` 0 neil); `second` is always 2nd; `a` is no number (`a hundred` a 100); `and` between numbers goes only after
 * a spelled hundred, thousand, …, and numerals never add (`1 hundred and 5` gives 100 5); leading zeros of numerals go (`007`
 * gives 7); `point` before a number word that is no digit goes; a
 * currency takes the place of a sign (`minus five dollars` gives $5).
 *
 * @param words in lower case, none empty
 */
export function readNumbers(words: readonly string[]): string[] {
  const written: string[] = [];
  let number: RunningNumber | null = null;
  let prefix = '';

  const write = (text: string) => {
    written.push(prefix + text);
    number = null;
    prefix = '';
  };
  /** Writes the number that was being read, if there is one. */
  const finish = () => {
    if (number !== null) write(number.toString());
  };
  const writeAlone = (word: string) => {
    finish();
    write(word);
  };
  const begun = (): RunningNumber => {
    number ??= new RunningNumber('', false);
    return number;
  };
  const multiply = (zeros: number): RunningNumber => {
    if (number?.multiply(zeros)) return number;
    finish();
    return new RunningNumber(`1${'0'.repeat(zeros)}`, true);
  };

  for (let index = 0; index < words.length; index++) {
    const current = words[index]!;
    const next = words[index + 1] ?? '';
    const sign = signs.includes(current[0]!) ? current[0]! : '';
    const plain = current.slice(sign.length);
    if (numeral.test(plain)) {
      if (continues(number)) begun().append(plain);
      else {
        finish();
        if (sign !== '') prefix = sign;
        number = RunningNumber.written(plain);
      }
      continue;
    }
    const word = numberWords.get(current);
    const before = numberWords.get(words[index - 1] ?? '')?.kind;
    const after = numberWords.get(next);
    const beforeNumber = after !== undefined || numeral.test(next);
    switch (word?.kind) {
      case undefined:
        writeAlone(current);
        break;
      case 'zero':
        begun().append('0');
        break;
      case 'ones':
        number = withOnes(number, word.digits, before);
        break;
      case 'ones-suffixed':
        write(`${withOnes(number, word.digits, before)}${word.suffix}`);
        break;
      case 'tens':
        number = withTens(number, word.digits);
        break;
      case 'tens-suffixed':
        write(`${withTens(number, word.digits)}${word.suffix}`);
        break;
      case 'multiplier':
        number = multiply(word.zeros);
        break;
      case 'multiplier-suffixed':
        write(`${multiply(word.zeros)}${word.suffix}`);
        break;
      case 'sign':
        finish();
        if (beforeNumber) prefix = word.sign;
        else write(current);
        break;
      case 'currency':
        if (number !== null) prefix = word.sign;
        write(number === null ? current : `${number}`);
        break;
      case 'percent':
        write(number === null ? current : `${number}%`);
        break;
      case 'per':
        if (number === null || next !== 'cent') writeAlone(current);
        else {
          write(`${number}%`);
          index++;
        }
        break;
      case 'and':
        if (!beforeNumber || before !== 'multiplier') writeAlone(current);
        break;
      case 'repeat':
        if (after?.kind === 'ones' || after?.kind === 'zero') {
          begun().append((after.kind === 'ones' ? after.digits : '0').repeat(word.times));
          index++;
        } else writeAlone(current);
        break;
      case 'point':
        if (!beforeNumber) writeAlone(current);
        else if (after === undefined || isDecimal(after)) begun().append('.');
    }
  }
  finish();
  return written;
}

/** Whether a numeral belongs to the number before it: decimals, parts of an address. */
function continues(number: RunningNumber | null): boolean {
  return number?.endsWithPoint === true;
}

function isDecimal({ kind }: NumberWord): boolean {
  return kind === 'zero' || kind === 'ones' || kind === 'tens';
}

/** `ones` added to what ends with zeros, else put behind it. */
function withOnes(number: RunningNumber | null, ones: string, previous: string | undefined): RunningNumber {
  if (number === null) return new RunningNumber(ones, true);
  const adds =
    number.isWhole && previous !== 'ones'
      ? number.endsWithZeros(ones.length === 1 ? 1 : 2)
      : previous === 'tens' && ones.length === 1;
  if (adds) number.fillZeros(ones);
  else number.append(ones);
  return number;
}

function withTens(number: RunningNumber | null, tens: string): RunningNumber {
  if (number === null) return new RunningNumber(tens, true);
  if (number.isWhole && number.endsWithZeros(2)) number.fillZeros(tens);
  else number.append(tens);
  return number;
}

/** What a word can do to the number that is being read. */
type NumberWord =
  | { readonly kind: 'zero' }
  /** One to nineteen. */
  | { readonly kind: 'ones'; readonly digits: string }
  /** `third`, `sixes`. */
  | { readonly kind: 'ones-suffixed'; readonly digits: string; readonly suffix: string }
  | { readonly kind: 'tens'; readonly digits: string }
  /** `thirtieth`, `thirties`. */
  | { readonly kind: 'tens-suffixed'; readonly digits: string; readonly suffix: string }
  /** A power of ten. */
  | { readonly kind: 'multiplier'; readonly zeros: number }
  | { readonly kind: 'multiplier-suffixed'; readonly zeros: number; readonly suffix: string }
  /** `minus`: stands before a number. */
  | { readonly kind: 'sign'; readonly sign: string }
  /** `dollars`: stands after a number, and is written before it. */
  | { readonly kind: 'currency'; readonly sign: string }
  | { readonly kind: 'percent' }
  | { readonly kind: 'per' }
  | { readonly kind: 'and' }
  | { readonly kind: 'repeat'; readonly times: number }
  | { readonly kind: 'point' };

const ones = [
  'one two three four five six seven eight nine ten',
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
]
  .join(' ')
  .split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const multipliers: readonly (readonly [name: string, zeros: number])[] = [
  ['hundred', 2],
  ...'thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion'
    .split(' ')
    .map((name, index): [string, number] => [name, 3 * (index + 1)]),
];

const irregularOrdinals: Readonly<Record<string, readonly [ordinal: string, suffix: string]>> = {
  one: ['first', 'st'],
  two: ['second', 'nd'],
  three: ['third', 'rd'],
  five: ['fifth', 'th'],
  twelve: ['twelfth', 'th'],
};

function ordinal(name: string): readonly [ordinal: string, suffix: string] {
  return irregularOrdinals[name] ?? [name.endsWith('t') ? `${name}h` : `${name}th`, 'th'];
}

/**
 * The English words that numbers are made of, in lower case. `o` and `oh` are zero. (`hundreth` and other slips of spelling
 * are not among them, and neither are `dozen`, `half` and `quarter`.)
 */
export const numberWords: ReadonlyMap<string, NumberWord> = new Map<string, NumberWord>([
  ...['o', 'oh', 'zero'].map((name): [string, NumberWord] => [name, { kind: 'zero' }]),
  ['zeroth', { kind: 'ones-suffixed', digits: '0', suffix: 'th' }],
  ...ones.flatMap((name, index): [string, NumberWord][] => {
    const digits = String(index + 1);
    const [ordinalName, suffix] = ordinal(name);
    return [
      [name, { kind: 'ones', digits }],
      [name === 'six' ? 'sixes' : `${name}s`, { kind: 'ones-suffixed', digits, suffix: 's' }],
      [ordinalName, { kind: 'ones-suffixed', digits, suffix }],
    ];
  }),
  ...tens.flatMap((name, index): [string, NumberWord][] => {
    const digits = String(10 * (index + 2));
    return [
      [name, { kind: 'tens', digits }],
      [name.replace('y', 'ies'), { kind: 'tens-suffixed', digits, suffix: 's' }],
      [name.replace('y', 'ieth'), { kind: 'tens-suffixed', digits, suffix: 'th' }],
    ];
  }),
  ...multipliers.flatMap(([name, zeros]): [string, NumberWord][] => [
    [name, { kind: 'multiplier', zeros }],
    [`${name}s`, { kind: 'multiplier-suffixed', zeros, suffix: 's' }],
    [`${name}th`, { kind: 'multiplier-suffixed', zeros, suffix: 'th' }],
  ]),
  ['minus', { kind: 'sign', sign: '-' }],
  ['negative', { kind: 'sign', sign: '-' }],
  ['plus', { kind: 'sign', sign: '+' }],
  ['positive', { kind: 'sign', sign: '+' }],
  ['pound', { kind: 'currency', sign: '£' }],
  ['pounds', { kind: 'currency', sign: '£' }],
  ['euro', { kind: 'currency', sign: '€' }],
  ['euros', { kind: 'currency', sign: '€' }],
  ['dollar', { kind: 'currency', sign: '$' }],
  ['dollars', { kind: 'currency', sign: '$' }],
  ['cent', { kind: 'currency', sign: '¢' }],
  ['cents', { kind: 'currency', sign: '¢' }],
  ['percent', { kind: 'percent' }],
  ['per', { kind: 'per' }],
  ['and', { kind: 'and' }],
  ['double', { kind: 'repeat', times: 2 }],
  ['triple', { kind: 'repeat', times: 3 }],
  ['point', { kind: 'point' }],
]);
