import { splitWords } from '../split-words.ts';
import { numberWords } from './number-words.ts';
import { blank, wordEnd, wordStart } from './word-edges.ts';

const andAHalf = new RegExp(`${wordStart}and${blank}+a${blank}+half${wordEnd}`, 'gu');
const detachedSuffix = new RegExp(`([0-9])${blank}+(st|nd|rd|th|s)${wordEnd}`, 'gu');
const dollarsAndCents = new RegExp(`([€£$][0-9]+) (?:and )?¢([0-9]{1,2})${wordEnd}`, 'gu');
const centsOnly = new RegExp(`[€£$]0.([0-9]{1,2})${wordEnd}`, 'gu');
const loneOne = new RegExp(`${wordStart}1(s?)${wordEnd}`, 'gu');

/**
 * `two and a half` as `two point five`, after a number word that it can follow; elsewhere it stays.
 *
 * Known trap: at the very beginning of a text it goes.
 */
export function halvesAsDecimals(text: string): string {
  const segments = text.split(andAHalf);
  if (segments.length === 1) return text;
  const kept: string[] = [];
  segments.forEach((segment, index) => {
    const last = splitWords(segment).at(-1);
    if (last === undefined) return;
    kept.push(segment);
    if (index === segments.length - 1) return;
    const kind = numberWords.get(last)?.kind;
    const takesHalf = kind === 'zero' || kind === 'ones' || kind === 'tens' || kind === 'multiplier';
    kept.push(takesHalf ? 'point five' : 'and a half');
  });
  return kept.join(' ');
}

/**
 * A blank between letters and digits, but none before an ordinal's ending: `5km` gives `5 km`, `3 rd` gives `3rd`.
 *
 * Known trap: `6 s` (seconds) gives `6s`.
 */
export function blanksAroundDigits(text: string): string {
  return text
    .replace(/([a-z])([0-9])/g, '$1 $2')
    .replace(/([0-9])([a-z])/g, '$1 $2')
    .replace(detachedSuffix, '$1$2');
}

/**
 * `$2 and ¢7` as `$2.07`, `$0.07` as `¢7`, and a lone `1` as `one`.
 *
 * Known traps: `1.5` gives `one.5`, `1:30` gives `one 30`, and fifty cents written `$0.5` come out as `¢5`.
 */
export function centsAndOnes(text: string): string {
  return text
    .replace(dollarsAndCents, (_, amount: string, cents: string) => `${amount}.${cents.padStart(2, '0')}`)
    .replace(centsOnly, (_, cents: string) => `¢${Number(cents)}`)
    .replace(loneOne, 'one$1');
}
