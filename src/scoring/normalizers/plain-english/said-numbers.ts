import { numberWords, readNumbers } from '../english/read-numbers.ts';

const numeral = /^\d+(?:\.\d+)?$/;
const digitWords = 'zero one two three four five six seven eight nine'.split(' ');
const ordinals = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const multipliers = new Set(['hundred', 'thousand', 'million', 'billion', 'trillion']);
const repeats: Readonly<Record<string, number>> = { double: 2, triple: 3 };

const isFigure = (code: number) => code >= 48 && code <= 57;
/** Most words begin no number, and are passed over. */
const mayBegin = (word: string) =>
  word === 'a' || isFigure(word.charCodeAt(0)) || numberWords.has(word) || Object.hasOwn(repeats, word);

type Kind = 'number' | 'end' | null;

/** `end`: an ordinal or a plural, which only ends a number. `o` and `oh` are letters and words unless digits stand on both sides. */
function kindOf(word: string | undefined): Kind {
  if (word === undefined) return null;
  if (isFigure(word.charCodeAt(0)) && numeral.test(word)) return 'number';
  if (word === 'o' || word === 'oh') return null;
  switch (numberWords.get(word)?.kind) {
    case 'zero':
    case 'ones':
    case 'tens':
    case 'multiplier':
      return 'number';
    case 'ones-suffixed':
    case 'tens-suffixed':
    case 'multiplier-suffixed':
      return 'end';
    default:
      return null;
  }
}

/**
 * Words with their numbers in figures. Numbers that follow each other are one word, since they are written so and otherwise: `ten oh five`,
 * `10 05` and `1005`; `one two three`, `1 2 3` and `123`. A lone one, and ordinals up to the twelfth, stay words (`another one`, `wait a
 * second`, `the 4th` as `the fourth`); what is no part of a number stays as it is (`oh no`, `at this point`, `minus` signs apart).
 *
 * @example numbersInFigures(['two', 'hundred', 'and', 'five', 'of', 'a', 'million']) // ['205', 'of', '1000000']
 */
export function numbersInFigures(words: readonly string[]): string[] {
  const written: string[] = [];
  for (let place = 0; place < words.length; ) {
    if (!mayBegin(words[place]!)) {
      written.push(words[place++]!);
      continue;
    }
    const run: string[] = [];
    const end = readRun(words, place, run);
    if (run.length === 0) written.push(words[place++]!);
    else {
      written.push(figuresOf(run));
      place = end;
    }
  }
  return written;
}

/** Takes the number that begins at a place; where it ends. */
function readRun(words: readonly string[], from: number, run: string[]): number {
  let place = from;
  for (;;) {
    const word = words[place]!;
    const next = words[place + 1];
    const inside = run.length > 0;
    const times = repeats[word];
    const kind = kindOf(word);
    if (times !== undefined && (digitWords.includes(next ?? '') || next === 'o' || next === 'oh')) {
      for (let one = 0; one < times; one++) run.push(next!.startsWith('o') && next !== 'one' ? 'zero' : next!);
      place += 2;
    } else if (word === 'a' && next !== undefined && multipliers.has(next) && !inside) {
      run.push('one');
      place++;
    } else if (kind === 'number') {
      // As digits, each of them: a number that begins with a zero is a code, a time or a place of one.
      if (/^0\d/.test(word)) run.push(...Array.from(word, (digit) => digitWords[Number(digit)] ?? digit));
      else run.push(word);
      place++;
    } else if (inside && kind === 'end') {
      run.push(word);
      return place + 1;
    } else if (inside && (word === 'o' || word === 'oh') && kindOf(next) === 'number') {
      run.push('zero');
      place++;
    } else if (inside && word === 'and' && multipliers.has(words[place - 1]!) && kindOf(next) !== null) {
      run.push(word);
      place++;
    } else if (inside && word === 'point' && kindOf(next) === 'number') {
      run.push(word);
      place++;
    } else return place;
    if (place >= words.length) return place;
  }
}

function figuresOf(run: readonly string[]): string {
  const figures = readNumbers(run).join('');
  return figures === '1' ? 'one' : figures;
}

/** `4th` as `fourth`, `21st` as it is. */
export function smallOrdinal(word: string): string {
  const value = isFigure(word.charCodeAt(0)) ? /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)?.[1] : undefined;
  return value === undefined ? word : (ordinals[Number(value)] ?? word);
}
