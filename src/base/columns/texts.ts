import { type Question, Undecided } from '../errors.ts';
import { limitText, printable } from '../printable.ts';
import { unspaced } from '../scripts.ts';
import { soundEnding } from '../sound-endings.ts';
import { isCalled, isCalledHeard, isForm, isFormOf, markOf, type TextMark } from './roles.ts';

/** A column of a table with its value in each row. */
export interface Column {
  readonly name: string;
  readonly values: readonly string[];
}

/** Which columns hold the words, and what is not known of it. */
export interface TextColumns {
  /**
   * Columns of which one is the reference: one where it is known, none where nothing says. Beside outputs, where the only one has a name that nobody
   * knows, the outputs are among them: it may be one too.
   */
  readonly references: readonly string[];
  /** What recognizers made of the same words. */
  readonly outputs: readonly string[];
  /** Columns that have the words of the reference and are called neither reference nor output: the one or the other. */
  readonly unclear: readonly string[];
  /** Columns of sentences that share too few words with the reference to be about the same speech. */
  readonly others: readonly string[];
}

/**
 * How much more two texts of one row have in common than texts of different rows, of what is possible, for one to be a transcript of the
 * other. Translations and texts on the same topic have next to nothing; a recognizer that gets three words of four wrong has this.
 */
const minAgreement = 0.25;
/** Two columns with all words in common are one text in two spellings: a recognizer may get all but a few right. */
const sameText = 1;
/** Columns of longer tables are compared in so many rows. */
const maxCompared = 300;

/**
 * Which columns of a table hold references and what was recognized. A name that says so decides: of references (gold, Vorlage), of outputs (hyp, whisper).
 * Of columns whose names leave it open (text, transcript) the only one that shares its words with an output is the
 * reference; of several, of several without an output, and of names that nobody knows none is: somebody has to say.
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
  const candidates = candidatesAmong(rest, outputs, { agree, isSentences: (name) => areSentences(bags.get(name)!) });
  const references = oneOfEach(candidates, shared);
  const [reference] = references;
  const open = { outputs, unclear: [], others: [] };
  if (reference === undefined || references.length > 1) return { references, ...open };
  const isBesideHeard = names.length === 2 && outputs.length === 1 && isCalledHeard(outputs[0]!);
  if (markOf(reference) === 'unknown' && !isBesideHeard)
    return { references: names.filter((name) => candidates.includes(name) || outputs.includes(name)), ...open };

  const beside = rest.filter((name) => name !== reference && !isFormOf(name, reference));
  const agreeing = beside.filter((name) => agree(name, reference));
  const others = beside.filter((name) => !agreeing.includes(name) && areSentences(bags.get(name)!));
  // Beside what a recognizer is known to have written, the very words of the reference, or of that, are the same again.
  const isOther = (name: string) =>
    outputs.length === 0 || [reference, ...outputs].every((one) => shared(name, one) < sameText);
  const heard = agreeing.filter((name) => markOf(name) !== 'reference' && isOther(name));
  if (outputs.length === 0 && markOf(reference) === 'reference')
    return { references, outputs: heard, unclear: [], others };
  const unnamed = heard.filter((name) => markOf(name) === 'unknown');
  const found = names.filter((name) => outputs.includes(name) || unnamed.includes(name));
  const unclear = agreeing.filter((name) => markOf(name) !== 'unknown' && shared(name, reference) < sameText);
  return { references, outputs: found, unclear, others };
}

/** Whether what stands in two columns may be the same words, of which one was recognized or read again. */
export function areAlike(one: Column, other: Column): boolean {
  const wordsIn = ({ values }: Column) => values.slice(0, maxCompared).map(wordsOf);
  return agreement(wordsIn(one), wordsIn(other)) >= minAgreement;
}

/** Of columns without the mark of a recognizer those of which each may be the reference, those first whose names say most. */
function candidatesAmong(
  names: readonly string[],
  outputs: readonly string[],
  { agree, isSentences }: { agree(one: string, other: string): boolean; isSentences(name: string): boolean },
): readonly string[] {
  const isHeard = (name: string) => outputs.some((output) => agree(name, output));
  const hasPartner = (name: string) => names.some((other) => other !== name && agree(name, other));
  // A class that is called label is none where something else holds sentences.
  const texts = names.filter((name) => isHeard(name) || hasPartner(name) || isSentences(name));
  const own = (texts.length > 0 ? texts : names).filter((name) => !names.some((other) => isFormOf(name, other)));
  const marked = (...marks: readonly TextMark[]) =>
    marks.flatMap((mark) => own.filter((name) => markOf(name) === mark));
  const [strong, open] = [marked('reference'), marked('words', 'vague', 'unknown')];
  const [sure, heard] = [strong.filter(isHeard), open.filter(isHeard)];
  if (sure.length > 0 || (strong.length > 0 && heard.length === 0)) return sure.length > 0 ? sure : strong;
  if (heard.length > 0) return heard;
  const named = [marked('words'), marked('vague')].find((some) => some.length > 0);
  if (named !== undefined && outputs.length > 0) return named;
  return named === undefined
    ? open.filter((name) => outputs.length === 0 && hasPartner(name) && isSentences(name))
    : [...named, ...open.filter((name) => !named.includes(name) && named.some((one) => agree(one, name)))];
}

/** Of columns with the same words the first that is no other spelling. */
function oneOfEach(names: readonly string[], shared: (one: string, other: string) => number): readonly string[] {
  const first = names.toSorted((a, b) => Number(isForm(a)) - Number(isForm(b)));
  const kept = first.filter((name, place) => !first.slice(0, place).some((other) => shared(name, other) >= sameText));
  return names.filter((name) => kept.includes(name));
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
  const { references, outputs } = textColumns(columns);
  if (side === 'hypothesis' && marked.length > 0) return isOpen({ references, outputs }) ? references : outputs;
  const found = side === 'hypothesis' && outputs.length > 0 ? outputs : references;
  const named = side === 'reference' ? found : found.filter((name) => markOf(name) !== 'reference');
  const rest = texts.filter((name) => !marked.includes(name));
  return named.length > 0 ? named : rest.filter((name) => areSentences(bagsOf(columns, name)));
}

/** Whether nothing but names of outputs and names that nobody knows are there: each may be the one or the other. */
export function isOpen({ references, outputs }: Pick<TextColumns, 'references' | 'outputs'>): boolean {
  return references.some((name) => outputs.includes(name));
}

function bagsOf(columns: readonly Column[], name: string): readonly (readonly string[])[] {
  return columns.find((column) => column.name === name)!.values.map(wordsOf);
}

const neverWords = ['path', 'speaker', 'language', 'start', 'end', 'duration', 'channel', 'system'] as const;

/** Those that may hold what was said; and of one side that has none, what is called so and has numbers alone: spoken digits. */
function columnsOfWords(columns: readonly Column[]): readonly Column[] {
  const marks = columns.filter(holdsWords).map(({ name }) => markOf(name));
  const isSide = (name: string) =>
    isCalled(name, 'hypothesis')
      ? !marks.includes('output')
      : ['reference', 'words'].includes(markOf(name)) && !marks.includes('reference') && !marks.includes('words');
  const hasNumbers = ({ values }: Column) =>
    values.some((value) => /\p{N}/u.test(value)) && !values.some((value) => soundEnding.test(value.trim()));
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
  if (said.some((value) => soundEnding.test(value.trim()))) return false;
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
  // Where people say the same few sentences again, any two rows have them in common.
  return chance > minAgreement * 2 ? same : (same - chance) / (1 - chance);
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

/** So many columns are shown with what stands in them. */
const maxTold = 4;

/** What stands in columns, by which people tell them apart: in the first row in which they differ. */
function exampleOf(names: readonly string[], columns: readonly Column[]): (name: string) => string {
  const valuesOf = (name: string) => columns.find((column) => column.name === name)?.values ?? [];
  const [first = []] = names.map(valuesOf);
  // By words that are the same in all of them nobody can choose.
  const telling = first.findIndex((value, row) => names.some((name) => valuesOf(name)[row] !== value));
  return (name) => printable((valuesOf(name)[Math.max(0, telling)] ?? '').replace(/(?<=^.{40}).{2,}$/su, '…'));
}

/**
 * Asks which of some columns holds the texts of one side.
 *
 * @param place of the table, as errors call it
 * @param what they are, where they are no columns
 */
export function whichColumn(
  place: string,
  side: 'reference' | 'hypothesis',
  names: readonly string[],
  columns: readonly Column[],
  what = 'column',
): Question {
  const text = exampleOf(names, columns);
  return {
    option: `${side}Column`,
    asks: `${place}: which ${what} holds the ${side}?`,
    choices: names.map((name) => ({ value: name, about: `${JSON.stringify(limitText(name, 40))}: ${text(name)}` })),
  };
}

/**
 * What to say where several columns may hold the texts of one side.
 *
 * @param place of the table, as errors call it
 * @param more what else can be done, after a comma
 * @param what they are, where they are no columns
 */
export function severalColumns(
  place: string,
  side: 'reference' | 'hypothesis',
  names: readonly string[],
  columns: readonly Column[],
  more = '',
  what = 'column',
): Undecided {
  const text = exampleOf(names, columns);
  const told = names.slice(0, maxTold).map((name) => `${quotedNames([name])} (${JSON.stringify(text(name))})`);
  return new Undecided(
    `${place}: expected one ${what} that may hold the ${side}, but there are ${told.join(', ')}${names.length > maxTold ? ', …' : ''}; name the right one with --${side}-column${more}`,
    whichColumn(place, side, names, columns, what),
  );
}

/** What to say where all columns of words are called after what recognizers wrote: one of these may hold the references, or another. */
export function outputsAlone(place: string, outputs: readonly string[], columns: readonly Column[]): Undecided {
  const others = columns.map(({ name }) => name).filter((name) => !outputs.includes(name));
  return new Undecided(
    `${place}: expected a column of references, but ${quotedNames(outputs)} ${outputs.length === 1 ? 'is called' : 'are called'} after what recognizers wrote; name the reference with --reference-column`,
    orNone(whichColumn(place, 'reference', [...outputs, ...others], columns)),
  );
}

/** A question to which nothing may be the answer. */
export function orNone(question: Question): Question {
  return { ...question, choices: [...question.choices, { value: null, about: 'none of them: stop here' }] };
}

/** @example quotedNames(['a', 'b']) // '"a", "b"' */
export function quotedNames(names: readonly string[]): string {
  if (names.length === 0) return 'no other';
  const shown = names.slice(0, 8).map((name) => JSON.stringify(limitText(name, 40)));
  return `${shown.join(', ')}${names.length > 8 ? ', …' : ''}`;
}
