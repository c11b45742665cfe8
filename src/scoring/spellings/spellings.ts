import { badConfig, badInput } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import { type Glm, parseGlm } from '../glm.ts';
import type { Normalizer } from '../normalizers/normalizer.ts';
import { type Taste, tastes } from '../normalizers/written/tables.ts';
import { type Rewrite, rewriter } from '../normalizers/written/written.ts';

/** Writings that are one word (or several) to the user; the first is the one that is counted. */
export type Spellings = readonly (readonly string[])[];

/** What is put on a normalizer. */
export interface Equals {
  /** Names of matters of taste. */
  readonly tastes: readonly string[];
  readonly lists: readonly { readonly name: string; readonly spellings: Spellings }[];
  /** SHA-256 of the lists, and of a module under them. */
  readonly module?: string;
}

/**
 * A normalizer for which more writings are equal: matters of taste by their name (`sharp-s`), and lists of the user's own. Matters of taste
 * change the text before it, lists the words that it makes: both sides of a pair alike.
 *
 * @throws EarwitnessError `bad-config` for a matter of taste that there is not
 * @example withSpellings(plain, { tastes: ['sharp-s'], lists: [] }).words('Straße') // ['strasse']
 */
export function withSpellings(base: Normalizer, equals: Equals): Normalizer {
  const { module = base.module } = equals;
  const changes = equals.tastes.map((name) => ({ name, ...tasteNamed(name) }));
  const before = (text: string, language: string | undefined) =>
    changes.reduce(
      (changed, { languages, change }) => (appliesIn(languages, language) ? change(changed) : changed),
      text,
    );
  const groups = equals.lists.flatMap(({ spellings }) => spellings);
  const rewriters = new Map<string, (words: string[]) => string[]>();
  const after = (words: string[], language: string | undefined) => {
    if (groups.length === 0) return words;
    const tag = language ?? '';
    let rewrite = rewriters.get(tag);
    if (rewrite === undefined) {
      rewrite = variantRewriter(groups.map((group) => group.map((one) => base.words(before(one, language), language))));
      // Tags come from lists of others' making.
      if (rewriters.size >= maxKept) rewriters.clear();
      rewriters.set(tag, rewrite);
    }
    return rewrite(words);
  };
  const words = (text: string, language?: string) => after(base.words(before(text, language), language), language);
  return {
    ...base,
    name: [base.name, ...equals.tastes, ...equals.lists.map(({ name }) => name)].join('+'),
    ...(module !== undefined && { module }),
    spelled: { base, on: (other) => withSpellings(other, equals) },
    words,
    explain: (text, language) => [
      ...changes.map(({ name }) => ({ step: `equal spellings: ${name}`, text: before(text, language) })),
      ...base.explain(before(text, language), language),
      ...(groups.length === 0 ? [] : [{ step: 'equal spellings of the list', text: words(text, language).join(' ') }]),
    ],
  };
}

const maxKept = 100;

function tasteNamed(name: string): { readonly languages: Taste['languages']; readonly change: Rewrite } {
  const taste = Object.hasOwn(tastes, name) ? tastes[name] : undefined;
  if (taste === undefined) {
    const nearest = nearestName(name, Object.keys(tastes));
    throw badConfig(
      `expected equal spellings by name (${Object.keys(tastes).join(', ')}) or a list (./mine.csv, ./mine.glm), but got ${JSON.stringify(printable(name, 40))}${nearest === null ? '' : `; did you mean "${nearest}"?`}`,
    );
  }
  return { languages: taste.languages, change: changeOf(name, taste) };
}

const made = new Map<string, Rewrite>();

function changeOf(name: string, { alike }: Taste): Rewrite {
  const known = made.get(name);
  if (known !== undefined) return known;
  const capitals = alike
    .split('|')
    .filter((pair) => pair.toUpperCase().indexOf(' ') === pair.indexOf(' '))
    .map((pair) => pair.toUpperCase());
  const rewrite = rewriter([alike, ...capitals].join('|'));
  const change: Rewrite = name === 'han-numbers' ? hanNumbers : (text) => rewrite(text.normalize('NFC'));
  made.set(name, change);
  return change;
}

function appliesIn(languages: readonly string[] | undefined, language: string | undefined): boolean {
  if (languages === undefined || language === undefined || language === 'und') return true;
  return languages.includes(language.split(/[-_]/, 1)[0]!.toLowerCase());
}

/** Writes every spelling of a variant as its first; where several begin at a word, the longest is taken. */
export function variantRewriter(variants: readonly (readonly (readonly string[])[])[]): (words: string[]) => string[] {
  const byFirstWord = new Map<string, { readonly words: readonly string[]; as: readonly string[] }[]>();
  const firsts = new Map<string, readonly string[]>();
  for (const spellings of variants) {
    // A writing that an earlier line has stands for what it stood for there.
    const as = spellings.map((one) => firsts.get(one.join(' '))).find((one) => one !== undefined) ?? spellings[0]!;
    for (const words of spellings) {
      if (words.length === 0) continue;
      firsts.set(words.join(' '), as);
      const entry = { words, as };
      const known = byFirstWord.get(words[0]!);
      if (known === undefined) byFirstWord.set(words[0]!, [entry]);
      else known.push(entry);
    }
  }
  for (const entries of byFirstWord.values()) entries.sort((a, b) => b.words.length - a.words.length);
  return (words) => {
    const rewritten: string[] = [];
    for (let place = 0; place < words.length; ) {
      const found = byFirstWord
        .get(words[place]!)
        ?.find((entry) => entry.words.every((word, offset) => words[place + offset] === word));
      if (found === undefined) rewritten.push(words[place++]!);
      else {
        rewritten.push(...found.as);
        place += found.words.length;
      }
    }
    return rewritten;
  };
}

/** First cells of lists that name their columns. */
const heads = new Set('from,variant,variants,spelling,spellings,written,word,wrong,source,old,british,a'.split(','));

/**
 * Equal spellings of a file: a GLM of NIST (`.glm`), or a list with a line for each word and its spellings in two or more columns, parted by
 * tabs or commas, where the last column is the one that is counted. Lines that are empty or begin with # say nothing.
 *
 * Of a GLM each rule makes its two sides equal, as whole words; of alternatives the first is taken, and a side that a rule is for is not
 * asked. `score --glm` applies such a file as NIST does, with all alternatives.
 *
 * @throws EarwitnessError `bad-input` with file and line for one that has a single column, or is no rule
 * @example parseSpellings('colour,color\nO K,ok', 'mine.csv') // [['color', 'colour'], ['ok', 'O K']]
 */
export function parseSpellings(text: string, file: string): Spellings {
  if (/\.glm$/i.test(file)) return ofGlm(parseGlm(text, file));
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const delimiter = lines.some((line) => line.includes('\t')) ? '\t' : ',';
  const found: (readonly string[])[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const cells = cellsOf(line, delimiter);
    const isHead = heads.has(cells[0]!.toLowerCase()) && !cells.includes('');
    if (found.length === 0 && index === 0 && isHead) continue;
    if (cells.length < 2 || cells.includes('')) {
      throw badInput(
        `${file}:${index + 1}: expected two spellings of a word, parted by a ${delimiter === ',' ? 'comma' : 'tab'} (colour${delimiter === ',' ? ',' : '⇥'}color), but here is “${printable(line, 80)}”`,
      );
    }
    found.push(cells.reverse());
  }
  return found;
}

function cellsOf(line: string, delimiter: string): string[] {
  const cells = delimiter === '\t' ? line.split('\t') : (line.match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,]*)/g) ?? []);
  return cells.map((cell) =>
    cell
      .trim()
      .replace(/^"([\s\S]*)"$/, '$1')
      .replaceAll('""', '"')
      .trim(),
  );
}

function ofGlm({ rules }: Glm): Spellings {
  return rules.map(({ input, output, leftContext, rightContext }) => {
    const first = output.replace(/\{([^}]*)\}/g, (_, some: string) => some.split('/')[0]!).replaceAll(/[()@]/g, ' ');
    return [`${leftContext} ${first} ${rightContext}`, `${leftContext} ${input} ${rightContext}`];
  });
}

const hanDigits = '〇一二三四五六七八九';
const hanPlaces: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
const hanGroups: Readonly<Record<string, number>> = { 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8, 兆: 1e12 };
const hanNumber = /[〇零一二三四五六七八九十百千万萬億亿兆]+/g;

/**
 * Numbers in Han characters as figures: 二十五 is 25, 二〇二四 2024, 三千二百万 32000000. Also where they are part of a word (一緒 is 1緒), in
 * both texts alike.
 */
function hanNumbers(text: string): string {
  return text.replace(hanNumber, (found) => {
    const value = figuresOf(found.replaceAll('零', '〇'));
    return value === null ? found : value;
  });
}

/** Null where it is no number: 千 and 万 alone are parts of names. */
function figuresOf(number: string): string | null {
  if (/^[〇一二三四五六七八九]+$/.test(number)) return Array.from(number, (one) => hanDigits.indexOf(one)).join('');
  let [whole, group, digit] = [0, 0, 0];
  for (const one of number) {
    const place = hanPlaces[one];
    const size = hanGroups[one];
    if (place !== undefined) {
      group += (digit || 1) * place;
      digit = 0;
    } else if (size !== undefined) {
      if (group + digit === 0) return null;
      whole += (group + digit) * size;
      [group, digit] = [0, 0];
    } else digit = hanDigits.indexOf(one);
  }
  const value = whole + group + digit;
  return Number.isSafeInteger(value) ? String(value) : null;
}
