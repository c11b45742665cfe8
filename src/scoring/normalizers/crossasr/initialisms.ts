import type { NormalizerStep } from '../normalizer.ts';
import {
  saidAsWord,
  spelledAfterThe,
  spelledInCapitals,
  spelledInSmallLetters,
  stressedWords,
} from './initialism-table.ts';
import { anyOf, rewrite } from './rewrite.ts';

const vowel = /[AEIOUY]/;
// Three consonants in a row, or two that begin or end no English word, cannot be said.
const unsayable =
  /[BCDFGHJKLMNPQRSTVWXZ]{4}|^(?:[BCDFGHJKLMNPQRSTVWXZ]{3}(?<!SCH|SCR|SHR|SPL|SPR|STR|THR|CHR))|^(?:[BDFGHJKLMNPQRTVXZ])(?=[BCDFGKMNPQSTVXZ])|[AEIOUY]{3}|^(?:IE|UU|AA|EE.$)|[HJQVW]$|[BCDFGHJKLMNPQRSTVWXZ]{3}$(?<!GHT|TCH|RST|RLD|RTH|LTH|NCH|RCH|RDS|NTS|NDS|CKS|RKS|RTS|NGS|LLS|STS|RNS|RMS|LTS|MPS|NKS)/;

/**
 * Whether a word in capitals is said letter by letter: without a vowel, short, or not to be pronounced.
 *
 * @param shouted whether the text around has capitals alone, which say nothing then
 */
export function isSpelled(word: string, shouted = false): boolean {
  if (saidAsWord.has(word) || stressedWords.has(word)) return false;
  if (spelledInCapitals.has(word) || spelledInSmallLetters.has(word.toLowerCase())) return true;
  if (!/^[A-Z]+$/.test(word)) return false;
  if (!vowel.test(word.replace(/^Y/, ''))) return true;
  if (shouted) return false;
  return word.length <= 3 || (word.length <= 5 && unsayable.test(word));
}

/** Letters one by one. */
export const spelled = (word: string) => Array.from(word.toLowerCase()).join(' ');

const dotted = /(?<![\p{L}\d])(?<letters>(?:\p{L}\.){2,30}(?:\p{L}(?![\p{L}\d]))?)(?:'(?<own>s)(?!\p{L}))?/gu;
const capitals = /(?<![\p{L}\d'])(?<word>\p{Lu}{2,})(?:(?<own>'?s)(?!\p{L}))?(?!\p{L}|\d|'\p{L})/gu;
const small = new RegExp(
  `\\b(?<![\\p{L}\\d'.])(?<word>${anyOf(spelledInSmallLetters)})(?:(?<many>(?<=eu|mep|mp|ngo|cd|dvd|tv|pc|ceo|ufo|vip)s)|(?<own>'s))?(?![\\p{L}\\d']|\\.\\p{L})`,
  'gu',
);
const academic =
  /(?<![\p{L}\d])(?:(?<doctor>Ph\.? ?D)|(?<bachelor>B\.? ?Sc)|(?<master>M\.? ?Sc))\.?(?:'?(?<many>s))?(?![\p{L}\d])\.?/gu;
const glued = /(?<![\p{L}\d])(?<left>\p{Lu}{1,3}) ?& ?(?<right>\p{Lu}{1,3})(?!\p{L})/gu;
const trade =
  /^ (?:department|support|staff|services?|security|sector|industry|compan(?:y|ies)|systems?|infrastructure|team|manager|professionals?|consultant|director|skills|projects?|specialists?|equipment)(?!\p{L})/u;
const okay = /(?<![\p{L}\d])(?:O\.K\.?|OK|ok|Ok|o\.k\.)(?![\p{L}\d])/gu;

function spellCapitals(text: string): string {
  let said = rewrite(
    text,
    academic,
    ({ doctor, bachelor, many }) => `${doctor ? 'p h d' : bachelor ? 'b s c' : 'm s c'}${many ? ' s' : ''}`,
  );
  said = rewrite(said, glued, ({ left, right }) => `${spelled(left!)} and ${spelled(right!)}`);
  said = rewrite(said, dotted, ({ letters, own }) => `${spelled(letters!.replaceAll('.', ''))}${own ? ' s' : ''}`);
  return rewrite(said, capitals, ({ word, own }, { before, after }) => {
    const office =
      spelledAfterThe.has(word!) && (/\b(?:the|an?|our|their|your|his|her|in|of) $/i.test(before) || trade.test(after));
    if (!office && !isSpelled(word!)) return undefined;
    return `${spelled(word!)}${own ? ' s' : ''}`;
  });
}

/** U.S.A., BBC, EU letter by letter ("u s a"), NATO as a word; the s of a plural or genitive is a word of its own. */
export const initialisms: NormalizerStep = {
  step: 'initialisms letter by letter',
  apply(text) {
    let said = /ok|o\.k/i.test(text) ? text.replace(okay, 'okay') : text;
    if (/[A-Z.]/.test(said)) said = spellCapitals(said);
    return rewrite(said, small, ({ word, many, own }) => `${spelled(word!)}${many || own ? ' s' : ''}`);
  },
};
