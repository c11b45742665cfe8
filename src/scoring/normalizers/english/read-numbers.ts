import { type NumberWord, numberWords } from './number-words.ts';
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
