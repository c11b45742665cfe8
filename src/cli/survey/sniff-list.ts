import { join } from 'node:path';
import { isCalled, markOf, sideOfPath, usualColumn } from '../../base/columns/roles.ts';
import { type Column, plainWords, type TextColumns, textColumns } from '../../base/columns/texts.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { knownLanguageTag } from '../../base/language-tag.ts';
import { printable } from '../../base/printable.ts';
import { soundOfRow } from '../../corpora/folder/told.ts';
import { usuallyMissing } from '../../corpora/shared/attributes.ts';
import { lookAt, type TableHead } from '../score/open-table.ts';
import { columnMeant } from '../score/table.ts';
import type { TextFile } from '../score/text-file.ts';
import { type SoundColumn, type SoundNames, soundColumn } from './sound-column.ts';
import { type ReadTimes, timesOfList } from './times-of-list.ts';

/** A list of recordings as it was found, and how `manifest` reads it. */
export interface SniffedList {
  /** Relative to the root of the tree. */
  readonly path: string;
  /** Options of `manifest`, but for `file` and `language`; `soundFolder` relative to the root. */
  readonly options: JsonObject;
  /** Which column is what, for people. */
  readonly columns: {
    readonly sound: string;
    readonly text: string | null;
    readonly speaker: string | null;
    readonly language: string | null;
  };
  /** Columns of which each may be the reference, where `text` is not known; else that one. With what stands in the first rows. */
  readonly references: readonly Column[];
  /** Columns of what recognizers made of it. */
  readonly outputs: readonly string[];
  /** What its texts are, by the name of their column, what stands beside it, or the name of the file; null: nothing says. */
  readonly side: 'reference' | 'output' | null;
  /** Whether it has one row for each sound, which the usual column names. */
  readonly isOfSounds: boolean;
  /** Of each sound the words that it is given. */
  readonly said: ReadonlyMap<string, string>;
  /** What was not understood, one sentence each. */
  readonly notes: readonly string[];
  /** Ways to read its times, the likeliest first; to be checked by the lengths of the files. */
  readonly times: readonly ReadTimes[];
  /** What the paths begin with that is not here; null: nothing. */
  readonly prefix: string | null;
  /** Rows looked at, and of those the ones whose sound is there. */
  readonly rows: number;
  readonly matched: number;
}

/**
 * Looks whether a file is a list of the sounds beside it, by what stands in it: a column whose values name files that are there is
 * the sound, one that reads like language is the text, whatever they are called.
 *
 * @param path relative to the root
 * @param named the column of the references, where somebody named it
 * @returns null where it is none
 */
export async function sniffList(path: string, names: SoundNames, named?: string): Promise<SniffedList | null> {
  const table = await openedOrNull({ name: path, path: join(names.tree.root, path), format: 'table' });
  if (table === null) return null;
  const { columns, namesMade } = table;
  const wanted = named === undefined ? undefined : (columnMeant(table, named) ?? named);
  const rows = columns[0]?.values.length ?? 0;
  const found = columns.reduce<(SoundColumn & { readonly sound: string }) | null>((best, { name, values }) => {
    // An age of 3 is not the sound 3.wav, nor is the third row of pandas' index.
    const sounds = isPersonal(name) ? null : soundColumn(values, path, names);
    return sounds !== null && sounds.matched > (best?.matched ?? 0) ? { ...sounds, sound: name } : best;
  }, null);
  if (found === null) return null;
  const { sound } = found;
  const words = wordsOfList(columns, sound, wanted, namesMade !== null);
  const reference = words.references.length === 1 ? words.references[0]! : null;
  const valuesOf = (wanted: string) => columns.find(({ name }) => name === wanted)!.values;
  const speaker = speakerColumn(columns, sound, reference);
  const language = languageColumn(columns);
  const times = timesOfList(columns, sound);
  const ofTime = new Set(times.flatMap((way) => Object.values(way.columns)));
  const attributes = columns
    .filter(({ name }) => name !== sound && name !== speaker && !ofTime.has(name))
    .filter(({ name }) => !words.references.includes(name) && !words.outputs.includes(name))
    .filter(isAttribute)
    .map(({ name }) => name);
  return {
    path,
    options: {
      ...(namesMade === null ? {} : { header: [...namesMade] }),
      columns: { ...idColumn(columns, sound, reference), ...noLanguage(language), path: sound, reference, speaker },
      attributes,
      ...(found.folder === null ? {} : { soundFolder: found.folder }),
      ...(found.prefix === '' ? {} : { soundPrefix: found.prefix }),
      ...(found.ending === '' ? {} : { soundEnding: found.ending }),
      ...(found.outside ? { allowOutside: true } : {}),
      ...(found.matched < rows ? { absentSounds: 'left out' } : {}),
    },
    columns: { sound, text: reference, speaker, language: language?.other === null ? language.name : null },
    references: columns.filter(({ name }) => words.references.includes(name)),
    outputs: words.outputs,
    side: sideOf(path, reference, words.outputs),
    isOfSounds: soundOfRow(columns.map(({ name }) => name)) === sound && new Set(valuesOf(sound)).size === rows,
    said: new Map(reference === null ? [] : valuesOf(sound).map((name, row) => [name, valuesOf(reference)[row]!])),
    times,
    notes: languageNotes(language),
    prefix: found.prefix || null,
    rows,
    matched: found.matched,
  };
}

function sideOf(path: string, reference: string | null, outputs: readonly string[]): SniffedList['side'] {
  if (reference === null) return null;
  return markOf(reference) === 'reference' || outputs.length > 0 ? 'reference' : sideOfPath(path);
}

/** The beginning of a table; null where it is none, which is said where it is read. */
export async function openedOrNull(file: TextFile): Promise<TableHead | null> {
  try {
    const table = await lookAt(file);
    return table.first === null ? null : table;
  } catch (error) {
    if (error instanceof EarwitnessError) return null;
    throw error;
  }
}

/** So much of a text is letters, blanks and points. */
const mostlyLetters = 0.85;

/** Which columns hold the words: none, one, or several of which each may be the reference; and what recognizers made of them. */
function wordsOfList(
  columns: readonly Column[],
  sound: string,
  wanted: string | undefined,
  isNameless: boolean,
): Pick<TextColumns, 'references' | 'outputs'> {
  const others = columns.filter(({ name }) => name !== sound);
  const known = textColumns(others);
  if (wanted !== undefined && others.some(({ name }) => name === wanted))
    return { references: [wanted], outputs: known.outputs.filter((name) => name !== wanted) };
  // LJ Speech has each text twice without names of columns, once with figures and abbreviations and once with these in words.
  const twice = others.filter(({ name }) => known.references.includes(name));
  if (known.references.length > 0 && !(isNameless && areSpellings(twice))) return known;
  const reading = likeLanguage(others.filter(({ name }) => markOf(name) !== 'output'));
  return { references: reading === null ? [] : [reading], outputs: known.outputs.filter((name) => name !== reading) };
}

/** Whether columns differ in no row in which none has a figure or an abbreviation. */
function areSpellings([one, ...others]: readonly Column[]): boolean {
  return others.every(({ values }) =>
    values.every((text, row) => {
      const other = one!.values[row]!;
      return plainWords(text) === plainWords(other) || /\p{N}|\p{L}\.\s|&/u.test(`${text} ${other} `);
    }),
  );
}

/** The column that reads like language, with most words. */
function likeLanguage(columns: readonly Column[]): string | null {
  const [best] = columns
    .map(({ name, values }) => {
      const said = values.filter((value) => value.trim() !== '');
      const all = said.join('');
      const letters = all.replace(/[^\p{L}\p{M}\s'’.,!?-]/gu, '').length / Math.max(1, all.length);
      const wordCount =
        said.reduce((sum, value) => sum + value.trim().split(/\s+/).length, 0) / Math.max(1, said.length);
      return { name, letters, wordCount, different: new Set(said).size / Math.max(1, said.length) };
    })
    // Without blanks there are languages, but also names of places: those need a name that says so.
    .filter(({ name, letters }) => letters > mostlyLetters && !otherText.test(name))
    .filter(({ wordCount, different }) => wordCount >= 2 && different > 0.2)
    .sort((a, b) => b.wordCount * b.letters - a.wordCount * a.letters);
  return best?.name ?? null;
}

/** Words that nobody said. */
const otherText =
  /^(source|author|artist|title|url|licen[cs]e|description|comments?|notes?|remarks?|bemerkung(en)?|kommentar|category|kind|type|topic|location|city|address)$/i;

/**
 * By its name; or because its values come again and are parts of the paths of their sounds, or have each one sex, age or accent.
 */
export function speakerColumn(columns: readonly Column[], sound: string | null, text: string | null): string | null {
  const others = columns.filter(({ name }) => name !== sound && name !== text);
  const named = others.find(
    ({ name, values }) => isCalled(name, 'speaker') && values.some((value) => value.trim() !== ''),
  );
  if (named !== undefined) return named.name;
  const paths = columns.find(({ name }) => name === sound)?.values;
  const people = others.filter(({ name }) => isPersonal(name));
  const found = others.find((column) => {
    const { values } = column;
    const distinct = new Set(values).size;
    if (people.includes(column) || distinct < 2 || distinct > values.length / 2) return false;
    if (partName.test(column.name)) return false;
    if (values.some((value) => value.length < 2 || value.length > 40)) return false;
    const inPaths = values.every((value, index) => paths?.[index]?.split(/[/_.\s-]/).includes(value));
    return inPaths || people.some((of) => decides(column, of) && new Set(of.values).size < distinct);
  });
  return found?.name ?? null;
}

/** What folders are named after where it is not people. */
const partName =
  /^(kind|type|category|class|label|split|part|subset|set|corpus|data ?set|folder|source|group|emotion|language|lang|locale)$/i;

/** Whether each value of a column stands beside one value of another alone. */
function decides(column: Column, other: Column): boolean {
  const beside = new Map<string, string>();
  for (const [index, value] of column.values.entries()) {
    const of = other.values[index]!;
    if ((beside.get(value) ?? of) !== of) return false;
    beside.set(value, of);
  }
  return true;
}

const isPersonal = (name: string) => isCalled(name, 'group') || isCalled(name, 'channel');
const technicalName =
  /(^|_)(votes?|duration|dauer|length|seconds|size|bytes|rate|channels|hash|md5|sha|split|segment|confidence|score|start|end|offset|date|time|locale|lang(uage)?|tags?|id|index|path|file|url|source|version|licen[cs]e)(_|$)/i;

/** What tells groups of speakers or recordings apart: known by its name, or few values that come again. */
export function isAttribute({ name, values }: Column): boolean {
  const said = values.filter((value) => value.trim() !== '');
  const distinct = new Set(said).size;
  if (distinct === 0) return false;
  if (isPersonal(name)) return true;
  return !technicalName.test(name) && distinct >= 2 && distinct <= 8 && distinct <= said.length / 2;
}

/**
 * The column that is called as one of languages is, and the first of its values that is none: such a column is none to `manifest`. Null
 * where no column is called so.
 */
export function languageColumn(
  columns: readonly Column[],
): { readonly name: string; readonly other: string | null } | null {
  const name = usualColumn(
    columns.map((column) => column.name),
    'language',
  );
  const found = columns.find((column) => column.name === name);
  if (found === undefined) return null;
  const values = new Set(found.values.map((value) => value.trim()));
  const other = values.values().find((value) => !usuallyMissing.includes(value) && knownLanguageTag(value) === null);
  return { name: found.name, other: other ?? null };
}

/** What `manifest` is told of a column of languages that it would misread. */
export function noLanguage(column: ReturnType<typeof languageColumn>): { language?: null } {
  return column === null || column.other === null ? {} : { language: null };
}

/** One sentence for people where a column is called as one of languages is and holds something else; none where it does not. */
export function languageNotes(column: ReturnType<typeof languageColumn>): string[] {
  if (column === null || column.other === null) return [];
  const [name, other] = [column.name, column.other].map((text) => JSON.stringify(printable(text, 60)));
  return [
    `The column ${name} is not read as the language: ${other} is neither a tag like en-GB nor the English name of a language.`,
  ];
}

/** A column called `id` or `utterance` names utterances unless it repeats itself or holds the words. */
function idColumn(columns: readonly Column[], sound: string, text: string | null): { id?: null } {
  const name = usualColumn(
    columns.map((column) => column.name),
    'id',
  );
  const found = columns.find((column) => column.name === name);
  if (found === undefined || found.name === sound) return {};
  const unique =
    new Set(found.values).size === found.values.length && found.values.every((value) => value.trim() !== '');
  return found.name === text || !unique ? { id: null } : {};
}
