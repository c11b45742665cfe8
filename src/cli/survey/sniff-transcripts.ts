import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { unspaced } from '../../base/scripts.ts';
import { nameOfSystem } from '../../recognizers/recorded/systems.ts';
import { listed } from '../../studies/shared/wording.ts';
import { columnNames } from '../score/table.ts';
import {
  formatOptions,
  isAttribute,
  languageColumn,
  languageNotes,
  noLanguage,
  speakerColumn,
  speakerName,
  textName,
} from './sniff-list.ts';
import { endingOf } from './sound-tree.ts';
import { type Column, parseTable } from './survey-table.ts';

/** A table of references and of what recognizers made of them, and how a config reads it. */
export interface SniffedTranscripts {
  /** Options of `manifest`, but for `file` and `language`. */
  readonly manifest: JsonObject;
  /** Options of `recorded`, but for `file`, by the name of the column. */
  readonly recorded: Readonly<Record<string, JsonObject>>;
  readonly reference: string;
  readonly speaker: string | null;
  /** What was not understood, one sentence each. */
  readonly notes: readonly string[];
  /** Columns of sentences that share too few words with the references to be transcripts of the same speech. */
  readonly passedOver: readonly string[];
  /** The command that compares one of them without a config. */
  readonly quickWay: string;
}

/** Such a table that no config can be made of: why, and what to do, in sentences for people. */
interface RefusedTranscripts {
  readonly refused: string;
}

/**
 * How much more two texts of one row have in common than texts of different rows, of what is possible, for one to be a transcript of the
 * other. Translations and texts on the same topic have next to nothing; a recognizer that gets three words of four wrong has this.
 */
const minAgreement = 0.25;
/** Columns of longer tables are compared in so many rows. */
const maxCompared = 500;

/** Columns by which `recorded` would read rows otherwise: of several conditions, or as failures. */
const otherRows = ['condition', 'repeat', 'error', 'unintelligible'];

/**
 * Looks whether a table holds references and transcripts of them. These are told by the words that they share with the reference of
 * their row, more than with that of another.
 *
 * @param text its beginning
 * @param path as commands are given it
 * @returns null where it is no such table
 */
export function sniffTranscripts(text: string, path: string): SniffedTranscripts | RefusedTranscripts | null {
  const table = parseTable(text);
  const names = table?.names ?? table?.rows[0]?.map((name) => name.trim()) ?? [];
  if (table === null || new Set(names).size !== names.length || names.includes('') || names.length < 2) return null;
  const rows = table.names === null ? table.rows.slice(1) : table.rows;
  const columns = names.map((name, index) => ({ name, values: rows.map((row) => row[index] ?? '') }));
  const ids = idColumns(columns);
  const texts = columns.filter((column) => !ids.includes(column) && !speakerName.test(column.name) && hasWords(column));
  const bags = new Map(texts.map(({ name, values }) => [name, values.slice(0, maxCompared).map(wordsOf)]));
  const agree = (one: Column, other: Column) => agreement(bags.get(one.name)!, bags.get(other.name)!) >= minAgreement;

  const file = printable(path, 80);
  const score = `earwitness score ${word(path)}`;
  const reference = referenceOf(texts);
  if (reference === null) {
    const alike = texts.filter((one) => texts.some((other) => one !== other && agree(one, other)));
    if (alike.length < 2) return null;
    const [said, heard] = alike.map(({ name }) => word(name));
    return {
      refused: `${file} holds texts that have most words in common, ${quoted(alike)}, but none is called reference: rename the column of the references, or compare two without a config: ${score} --reference-column ${said} --hypothesis-column ${heard}.`,
    };
  }
  const others = texts.filter((one) => one !== reference && !isFormOfReference(one, reference));
  const hypotheses = others.filter((one) => isCalledHypothesis(one) || agree(reference, one));
  if (hypotheses.length === 0) return null;
  const knownReference = names.filter((name) =>
    (columnNames.reference as readonly string[]).includes(name.toLowerCase()),
  );
  const asReference =
    reference.name === 'reference' || (knownReference.length === 1 && knownReference[0] === reference.name)
      ? ''
      : ` --reference-column ${word(reference.name)}`;
  const quickWay = `${score}${asReference} --hypothesis-column ${word(hypotheses[0]!.name)}`;
  const refused = (why: string) => ({
    refused: `${file} holds references in ${quoted([reference])} and transcripts in ${quoted(hypotheses)}, but ${why}. Without a config: ${quickWay}.`,
  });
  const [id] = ids;
  const systems = id === undefined ? systemColumn(columns) : null;
  const inTheWay = columns.filter(
    ({ name, values }) => otherRows.includes(name) && values.some((value) => value.trim() !== ''),
  );
  if (systems !== null) {
    return {
      refused: `${file} holds references in ${quoted([reference])} and transcripts in ${quoted(hypotheses)} of several systems, which ${quoted([systems])} names: docs/recorded.md has the config of such a table. Without a config: ${quickWay} --by ${word(systems.name)}.`,
    };
  }
  if (id === undefined) {
    return refused(
      'no column has a name of its own for each row: add a column id; of several systems in rows of their own, see docs/recorded.md',
    );
  }
  if (inTheWay.length > 0)
    return refused(`${quoted(inTheWay)} may say that a row is no plain transcript: docs/recorded.md has such tables`);
  const format = formatOptions(table, path);
  if (format.quotes !== undefined) return refused('its quotes are unusual: save it as CSV');

  const rest = columns.filter((column) => column !== id && column !== reference && !hypotheses.includes(column));
  const speaker = speakerColumn(rest, null, null);
  const language = languageColumn(columns);
  const attributes = rest
    .filter(({ name }) => name !== speaker)
    .filter(isAttribute)
    .map(({ name }) => name);
  const json = endingOf(path) === 'json' ? { format: 'jsonl' } : {};
  const recorded: Record<string, JsonObject> = {};
  for (const { name } of hypotheses) {
    const wanted = nameOfSystem(name) || 'recognizer';
    let free = wanted;
    for (let number = 2; Object.hasOwn(recorded, free); number++) free = `${wanted.slice(0, 60)}-${number}`;
    recorded[free] = { ...format, ...json, columns: { utterance: id.name, text: name } };
  }
  return {
    manifest: {
      ...format,
      columns: { id: id.name, path: null, reference: reference.name, speaker, ...noLanguage(language) },
      attributes,
    },
    recorded,
    reference: reference.name,
    speaker,
    notes: languageNotes(language),
    passedOver: others
      .filter(
        (one) =>
          !hypotheses.includes(one) && one.name !== speaker && !attributes.includes(one.name) && areSentences(one),
      )
      .map(({ name }) => name),
    quickWay,
  };
}

const systemName = /^(system|recogni[sz]er|engine|model)$/i;

/** The column of systems in a table that has a row for each utterance and system; null where it is none. */
function systemColumn(columns: readonly Column[]): Column | null {
  const found = columns.find(({ name }) => systemName.test(name));
  if (found === undefined || new Set(found.values).size < 2) return null;
  const isOfUtterances = columnNames.id.some((name) => {
    const utterances = columns.find((column) => column.name.toLowerCase() === name)?.values;
    const rows = utterances?.map((value, index) => JSON.stringify([value, found.values[index]]));
    return rows !== undefined && new Set(rows).size === rows.length;
  });
  return isOfUtterances ? found : null;
}

/** Columns whose values name each row, those first that are called so. */
function idColumns(columns: readonly Column[]): Column[] {
  return columnNames.id.flatMap((name) => {
    const found = columns.find((column) => column.name.toLowerCase() === name);
    if (found === undefined || found.values.some((value) => value.trim() === '')) return [];
    return new Set(found.values).size === found.values.length ? [found] : [];
  });
}

function hasWords({ values }: Column): boolean {
  const said = values.filter((value) => value.trim() !== '');
  const withLetters = said.filter((value) => /\p{L}/u.test(value));
  return said.length > 0 && withLetters.length > said.length / 2;
}

/** Texts that may be transcripts, and no names or classes: of three words and more. */
function areSentences({ values }: Column): boolean {
  return values.reduce((sum, value) => sum + wordsOf(value).length, 0) >= 3 * values.length;
}

function isCalledHypothesis({ name }: Column): boolean {
  return (columnNames.hypothesis as readonly string[]).includes(name.toLowerCase());
}

/** By its name: one of references first, else one of words. */
function referenceOf(texts: readonly Column[]): Column | null {
  const known = columnNames.reference.map((name) => texts.find((column) => column.name.toLowerCase() === name));
  return known.find((column) => column !== undefined) ?? texts.find(({ name }) => textName.test(name)) ?? null;
}

/** Whether a column holds the reference in other spelling: it is called so, or after the column of the references. */
function isFormOfReference({ name }: Column, reference: Column): boolean {
  const own = name.toLowerCase();
  const isHypothesis = columnNames.hypothesis.some((known) => own.includes(known));
  return (
    !isHypothesis &&
    (own.startsWith(reference.name.toLowerCase()) || /^(?:ref|reference|normali[sz]ed)(?:[_ -]|$)/.test(own))
  );
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

function quoted(columns: readonly Column[]): string {
  return listed(columns.map(({ name }) => JSON.stringify(printable(name, 60))));
}

/** A name as a command line takes it. */
function word(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${printable(name, 200).replaceAll("'", "'\\''")}'`;
}
