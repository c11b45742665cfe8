import { Undecided } from '../errors.ts';
import { limitText, printable } from '../printable.ts';
import { unspaced } from '../scripts.ts';
import { isCalled, isForm, isFormOf, markOf, referencesAmong } from './roles.ts';

/** A column of a table with its value in each row. */
export interface Column {
  readonly name: string;
  readonly values: readonly string[];
}

/** Which columns hold the words, and what is not known of it. */
export interface TextColumns {
  /** Columns of which one is the reference: one where it is known, none where nothing says. */
  readonly references: readonly string[];
  /** What recognizers made of the same words. */
  readonly outputs: readonly string[];
  /** Columns that have the words of the reference and are called neither reference nor output: the one or the other. */
  readonly unclear: readonly string[];
  /** Columns of sentences that share too few words with the reference to be about the same speech. */
  readonly others: readonly string[];
  /** By what the reference is known. */
  readonly by: 'name' | 'content';
}

/**
 * How much more two texts of one row have in common than texts of different rows, of what is possible, for one to be a transcript of the
 * other. Translations and texts on the same topic have next to nothing; a recognizer that gets three words of four wrong has this.
 */
const minAgreement = 0.25;
/** Two columns with nearly all words in common are one text in two spellings, where their names say no other. */
const sameText = 0.97;
/** Columns of longer tables are compared in so many rows. */
const maxCompared = 300;

/**
 * Which columns of a table hold references and what was recognized: by their names, and where these leave it open by the words that they share row by row.
 * A column with the mark of a recognizer is never a reference; of columns that agree with each other the only one without such a mark is.
 *
 * @example textColumns([{ name: 'gold', values: ['a b'] }, { name: 'hyp', values: ['a c'] }]).references // ['gold']
 */
export function textColumns(columns: readonly Column[]): TextColumns {
  const texts = columnsOfWords(columns);
  const bags = new Map(texts.map(({ name, values }) => [name, values.slice(0, maxCompared).map(wordsOf)]));
  const shared = (one: string, other: string) => agreement(bags.get(one)!, bags.get(other)!);
  const agree = (one: string, other: string) => shared(one, other) >= minAgreement;
  const names = texts.map(({ name }) => name);
  const outputs = names.filter((name) => markOf(name) === 'output' && !isFormAmong(name, names));
  const rest = names.filter((name) => markOf(name) !== 'output');

  const unmarked = rest.filter((name) => markOf(name) === 'unknown');
  const alike = unmarked.filter((name) => names.some((other) => other !== name && agree(name, other)));
  const called = referencesAmong(rest);
  const heard = called.filter((name) => outputs.some((output) => agree(name, output)));
  // A class that is called label is no reference of what was recognized, where something else may be.
  const isSure = called.length === 1 && (markOf(called[0]!) !== 'vague' || alike.length === 0);
  const named = isSure || outputs.length === 0 || (heard.length === 0 && alike.length === 0) ? called : heard;
  // What is called text may be what a recognizer wrote, and label what a person did; beside a prompt, what was said may stand.
  const vague = rest.filter((name) => markOf(name) === 'vague');
  const marks = new Set(named.map(markOf));
  const rivals = marks.has('vague') ? alike : outputs.length === 0 && marks.has('words') ? vague : [];
  const all = [
    ...named,
    ...rivals.filter(
      (name) => !named.includes(name) && named.some((one) => agree(one, name) && shared(one, name) < sameText),
    ),
  ];
  const candidates = named.length === 0 ? alike : outputs.length === 0 ? all : oneOfEach(all, shared);
  const by = named.length > 0 ? 'name' : 'content';
  const [reference] = candidates;
  if (reference === undefined || candidates.length > 1)
    return { references: candidates, outputs, unclear: [], others: [], by };

  const beside = rest.filter((name) => name !== reference && !isFormOf(name, reference));
  const agreeing = beside.filter((name) => agree(name, reference));
  // Beside what a recognizer is known to have written, the very words of the reference, or of that, are the same again.
  const isOutput = (name: string) =>
    outputs.length === 0 || [reference, ...outputs].every((one) => shared(name, one) < sameText);
  const unnamed = agreeing.filter((name) => markOf(name) === 'unknown' && isOutput(name));
  const found = names.filter((name) => outputs.includes(name) || unnamed.includes(name));
  const others = beside.filter((name) => !agreeing.includes(name) && areSentences(bags.get(name)!));
  // What is called after words alone is the transcript where there is no other, and else this or another reference.
  const worded = agreeing.filter((name) => markOf(name) !== 'unknown');
  if (found.length === 0 && worded.length === 1 && markOf(reference) === 'reference')
    return { references: [reference], outputs: worded, unclear: [], others, by };
  const unclear = worded.filter((name) => shared(name, reference) < sameText);
  return { references: [reference], outputs: found, unclear, others, by };
}

/** Of columns with the same words the first that is no other spelling. */
function oneOfEach(names: readonly string[], shared: (one: string, other: string) => number): readonly string[] {
  const first = names.toSorted((a, b) => Number(isForm(a)) - Number(isForm(b)));
  return first.filter((name, place) => !first.slice(0, place).some((other) => shared(name, other) >= sameText));
}

function isFormAmong(name: string, names: readonly string[]): boolean {
  return names.some((other) => markOf(other) === 'output' && isFormOf(name, other));
}

/**
 * Columns that may hold the texts of a table of one side.
 *
 * @param side what the texts are
 */
export function textsOfSide(columns: readonly Column[], side: 'reference' | 'hypothesis'): readonly string[] {
  const texts = columnsOfWords(columns).map(({ name }) => name);
  const marked = texts.filter((name) => markOf(name) === 'output');
  if (side === 'hypothesis' && marked.length > 0) return marked.filter((name) => !isFormAmong(name, marked));
  const rest = texts.filter((name) => !marked.includes(name));
  const named = referencesAmong(side === 'reference' ? rest : rest.filter((name) => markOf(name) !== 'reference'));
  return named.length > 0 || rest.length === 0 ? named : rest.filter((name) => areSentences(bagsOf(columns, name)));
}

function bagsOf(columns: readonly Column[], name: string): readonly (readonly string[])[] {
  return columns.find((column) => column.name === name)!.values.map(wordsOf);
}

const soundPath = /\.(?:wav|flac|mp3|ogg|oga|opus|sph|aiff?|au|m4a|webm|mp4|aac|wma|amr)$/i;
const neverWords = ['path', 'speaker', 'language', 'start', 'end', 'duration', 'channel', 'system'] as const;

/** Those that may hold what was said; and of one side that has none, what is called so and has numbers alone: spoken digits. */
function columnsOfWords(columns: readonly Column[]): readonly Column[] {
  const marks = columns.filter(holdsWords).map(({ name }) => markOf(name));
  const isSide = (name: string) =>
    isCalled(name, 'hypothesis')
      ? !marks.includes('output')
      : ['reference', 'words'].includes(markOf(name)) && !marks.includes('reference') && !marks.includes('words');
  const hasNumbers = ({ values }: Column) => values.some((value) => /\p{N}/u.test(value));
  return columns.filter((column) => holdsWords(column) || (isSide(column.name) && hasNumbers(column)));
}

/**
 * Whether a column may hold what was said: by its letters, or by its name where nothing stands in it. Numbers count only as several words
 * ("4 3 9"), paths and names of utterances never.
 */
function holdsWords({ name, values }: Column): boolean {
  if (neverWords.some((role) => isCalled(name, role))) return false;
  const said = values.filter((value) => value.trim() !== '');
  const mark = markOf(name);
  if (said.length === 0) return isCalled(name, 'hypothesis') && values.length > 0;
  if (said.some((value) => soundPath.test(value.trim()))) return false;
  const several = said.filter((value) => /\S\s+\S/.test(value.trim())).length;
  if (isCalled(name, 'id') && (several * 2 <= said.length || mark === 'unknown')) return false;
  // Of a reference in digits a recognizer may have heard one.
  if (several > 0 && isCalled(name, 'hypothesis')) return true;
  const withLetters = said.filter((value) => /\p{L}/u.test(value)).length;
  return withLetters * 2 > said.length || several * 2 > said.length;
}

/** Texts that may be transcripts, and no names or classes: of three words and more. */
function areSentences(bags: readonly (readonly string[])[]): boolean {
  return bags.reduce((sum, words) => sum + words.length, 0) >= 3 * bags.length;
}

const unspacedOne = new RegExp(`[${unspaced}]`, 'gu');

/** Words in any letter case, without punctuation; where no blanks part them, characters. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(unspacedOne, ' $& ')
      .match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []
  );
}

/**
 * The share of words in common of texts in the same rows beyond that of different rows: 1 for the same texts, 0 for texts that have no
 * more to do with one another than any two of the table.
 */
function agreement(one: readonly (readonly string[])[], other: readonly (readonly string[])[]): number {
  const same = shareInCommon(one, other);
  const chance = one.length < 2 ? 0 : shareInCommon(one, [...other.slice(1), other[0]!]);
  return chance === 1 ? 0 : (same - chance) / (1 - chance);
}

/** The words of a text in any letter case, without punctuation: texts that have these in common say the same. */
export function plainWords(text: string): string {
  return wordsOf(text).join(' ');
}

/** Twice the words in common over all words of both. */
function shareInCommon(one: readonly (readonly string[])[], other: readonly (readonly string[])[]): number {
  let common = 0;
  let all = 0;
  for (const [row, words] of one.entries()) {
    const left = [...other[row]!];
    all += words.length + left.length;
    for (const said of words) {
      const place = left.indexOf(said);
      if (place === -1) continue;
      left.splice(place, 1);
      common += 2;
    }
  }
  return all === 0 ? 0 : common / all;
}

/**
 * What to say where several columns may hold the texts of one side.
 *
 * @param place of the table, as errors call it
 * @param more what else can be done, after a comma
 */
export function severalColumns(
  place: string,
  side: 'reference' | 'hypothesis',
  names: readonly string[],
  columns: readonly Column[],
  more = '',
): Undecided {
  const valuesOf = (name: string) => columns.find((column) => column.name === name)?.values ?? [];
  const [first = []] = names.map(valuesOf);
  // By words that are the same in all of them nobody can choose.
  const telling = first.findIndex((value, row) => names.some((name) => valuesOf(name)[row] !== value));
  const shown = (name: string) =>
    `${JSON.stringify(limitText(name, 40))}: ${printable(valuesOf(name)[Math.max(0, telling)] ?? '', 60)}`;
  return new Undecided(
    `${place}: expected one column that may hold the ${side}, but there are ${quotedNames(names)}; name the right one with --${side}-column${more}`,
    {
      option: `${side}Column`,
      asks: `${place}: which column holds the ${side}?`,
      choices: names.map((name) => ({ value: name, about: shown(name) })),
    },
  );
}

/** @example quotedNames(['a', 'b']) // '"a", "b"' */
export function quotedNames(names: readonly string[]): string {
  if (names.length === 0) return 'no other';
  const shown = names.slice(0, 8).map((name) => JSON.stringify(limitText(name, 40)));
  return `${shown.join(', ')}${names.length > 8 ? ', …' : ''}`;
}
