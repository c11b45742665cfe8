import { badInput } from '../../base/errors.ts';
import { splitWords } from '../normalizers/normalizer.ts';

/** One word of a reference, and between which places it stands. */
export interface NetworkArc {
  readonly from: number;
  readonly to: number;
  /** Null where an alternative says nothing (`@`). */
  readonly word: string | null;
  /** Whether it may be left out without an error. */
  readonly optional: boolean;
}

/**
 * A reference of which more than one wording is accepted: a graph of words without cycles, in which every way from place 0
 * to place 1 is a wording. Arcs stand in the order of the text, so that an arc comes after all that lead to it.
 */
export interface ReferenceNetwork {
  readonly places: number;
  readonly arcs: readonly NetworkArc[];
}

/**
 * The network of one wording.
 *
 * @example linearNetwork(['good', 'day']).arcs
 * // [{ from: 0, to: 2, word: 'good', optional: false }, { from: 2, to: 1, word: 'day', optional: false }]
 */
export function linearNetwork(words: readonly string[]): ReferenceNetwork {
  if (words.length === 0) return { places: 2, arcs: [{ from: 0, to: 1, word: null, optional: false }] };
  const last = words.length - 1;
  const arcs = words.map((word, index) => ({
    from: index === 0 ? 0 : index + 1,
    to: index === last ? 1 : index + 2,
    word,
    optional: false,
  }));
  return { places: words.length + 1, arcs };
}

/** Nobody writes alternatives within alternatives so deep; what does is not meant as a reference. */
const deepest = 32;

type Wording = Item[];
type Item = { readonly word: string | null; readonly optional: boolean } | readonly Wording[];

interface OpenBrace {
  readonly opened: number;
  readonly wordings: Wording[];
  readonly before: Wording;
}

/**
 * Reads a reference with accepted alternatives, as NIST's trn and stm files write them: `{ a / b c / @ }` is any one of
 * these (`@` nothing; alternatives within alternatives may go on), `(uh)` is a word that may be left out. Braces count
 * wherever they stand, a slash only within braces; parentheses around several words are words like others, as in sclite
 * (`{ you know / @ }` is the way to write that).
 *
 * @param words finds the words in each stretch of plain text: a normalizer's `words`; white space by default. An
 *   alternative in which it finds none says nothing
 * @param where what an error names before the column, a file and line for example
 * @throws EarwitnessError where braces have no partner, where an alternative is empty, and where they are nested more
 *   than 32 deep; the column counts characters from 1
 * @example parseReference('{ cannot / can not } stop (uh) now')
 */
export function parseReference(
  text: string,
  words: (text: string) => string[] = splitWords,
  where = 'reference',
): ReferenceNetwork {
  const open: OpenBrace[] = [];
  let current: Wording = [];
  let begun = 0;
  let spoken = false;

  const fail = (offset: number, problem: string) =>
    badInput(`${where}:${[...text.slice(0, offset)].length + 1}: ${problem}`);
  const takeText = (end: number) => {
    if (addStretch(current, text.slice(begun, end), words)) spoken = true;
  };
  const closeWording = (offset: number, brace: OpenBrace) => {
    if (!spoken)
      throw fail(offset, 'expected a word or @ (for nothing) in this alternative, but it is empty; write one');
    brace.wordings.push(current);
  };

  for (const match of text.matchAll(/[{}/]/g)) {
    const brace = open.at(-1);
    if (match[0] === '{') {
      takeText(match.index);
      if (open.length === deepest) {
        throw fail(match.index, `expected at most ${deepest} braces within each other, but here is one more; simplify`);
      }
      open.push({ opened: match.index, wordings: [], before: current });
    } else if (match[0] === '}') {
      if (!brace)
        throw fail(match.index, 'expected a "{" before this "}", but there is none; write it or take this out');
      takeText(match.index);
      closeWording(match.index, brace);
      open.pop();
      brace.before.push(brace.wordings);
      current = brace.before;
      begun = match.index + 1;
      spoken = true;
      continue;
    } else if (brace) {
      takeText(match.index);
      closeWording(match.index, brace);
    } else {
      continue;
    }
    current = [];
    begun = match.index + 1;
    spoken = false;
  }
  const unclosed = open.at(-1);
  if (unclosed) {
    throw fail(unclosed.opened, 'expected a "}" for this "{", but the text ends without it; write it or take this out');
  }
  takeText(text.length);
  return networkOf(current);
}

/** Adds the words of a stretch without braces; tells whether anything was written there. */
function addStretch(wording: Wording, text: string, words: (text: string) => string[]): boolean {
  const tokens = splitWords(text);
  let plain: string[] = [];
  const add = (stretch: string, optional: boolean) => {
    if (stretch !== '') for (const word of words(stretch)) wording.push({ word, optional });
  };
  for (const token of tokens) {
    const optional = token.length > 2 && token.startsWith('(') && token.endsWith(')');
    if (!optional && token !== '@') {
      plain.push(token);
      continue;
    }
    add(plain.join(' '), false);
    plain = [];
    if (optional) add(token.slice(1, -1), true);
    else wording.push({ word: null, optional: false });
  }
  add(plain.join(' '), false);
  return tokens.length > 0;
}

function networkOf(wording: Wording): ReferenceNetwork {
  const arcs: NetworkArc[] = [];
  let places = 2;
  const write = (items: Wording, from: number, to: number) => {
    if (items.length === 0) arcs.push({ from, to, word: null, optional: false });
    let place = from;
    for (const [index, item] of items.entries()) {
      const next = index === items.length - 1 ? to : places++;
      if ('word' in item) arcs.push({ from: place, to: next, ...item });
      else for (const alternative of item) write(alternative, place, next);
      place = next;
    }
  };
  write(wording, 0, 1);
  return { places, arcs };
}
