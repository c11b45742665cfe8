import { isCalled, usualNames } from '../../base/columns/roles.ts';
import { type Column, outputsAlone, severalColumns, textColumns } from '../../base/columns/texts.ts';
import { badInput } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { commandLine, printable } from '../../base/printable.ts';
import { nameOfSystem } from '../../recognizers/recorded/systems.ts';
import { listed } from '../../studies/shared/wording.ts';
import { endingOf } from '../../system/read-rows.ts';
import type { TableHead } from '../score/open-table.ts';
import { columnMeant } from '../score/table.ts';
import { tableEndings } from '../score/text-file.ts';
import { isAttribute, languageColumn, languageNotes, noLanguage, speakerColumn } from './sniff-list.ts';

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

/** Endings that tell how a table of transcripts is written. */
export const transcriptEndings = new Set([...tableEndings, 'json']);

/** Columns by which `recorded` would read rows otherwise: of several conditions, or as failures. */
const otherRows = ['condition', 'repeat', 'error', 'unintelligible'];

/**
 * Looks whether a table holds references and transcripts of them. These are told by the words that they share with the reference of
 * their row, more than with that of another.
 *
 * @param table its beginning
 * @param path as commands are given it
 * @param named the column of the references, where somebody named it
 * @returns null where it is no such table
 * @throws EarwitnessError `bad-input`: no config can be made of it, with the reason and what to do
 */
export function sniffTranscripts(table: TableHead, path: string, named?: string): SniffedTranscripts | null {
  const { first, columns, namesMade } = table;
  const wanted = named === undefined ? undefined : (columnMeant(table, named) ?? named);
  if (first === null || columns.length < 2) return null;
  const known = wantedColumns(columns, wanted);

  const shown = printable(path, 80);
  if (known.references.length !== 1) {
    if (known.references.length + known.outputs.length < 2) return null;
    if (known.references.length > 0) throw severalColumns(shown, 'reference', known.references, columns);
    throw outputsAlone(shown, known.outputs, columns);
  }
  const reference = columns.find(({ name }) => name === known.references[0])!;
  const heard = known.outputs.length === 0 ? known.unclear : known.outputs;
  const hypotheses = columns.filter(({ name }) => heard.includes(name));
  if (hypotheses.length === 0) return null;
  const ids = idColumns(columns);
  const asReference = wanted === undefined ? [] : ['--reference-column', wanted];
  const asHypothesis = hypotheses.length === 1 ? [] : ['--hypothesis-column', hypotheses[0]!.name];
  const way = (command: string, ...options: readonly string[]) =>
    printable(commandLine(['earwitness', command, path, ...asReference, ...options]));
  const quickWay = way(hypotheses.length === 1 ? 'score' : 'compare');
  const refused = (why: string, command = quickWay) =>
    badInput(
      `${shown} holds references in ${quoted([reference])} and transcripts in ${quoted(hypotheses)}${why}. Without a config: ${command}`,
    );
  const [id] = ids;
  const systems = id === undefined ? systemColumn(columns) : null;
  const inTheWay = columns.filter(
    ({ name, values }) => otherRows.includes(name) && values.some((value) => value.trim() !== ''),
  );
  if (systems !== null) {
    throw refused(
      ` of several systems, which ${quoted([systems])} names: docs/recorded.md has the config of such a table`,
      way('score', ...asHypothesis, '--by', systems.name),
    );
  }
  if (id === undefined) {
    throw refused(
      ', but no column has a name of its own for each row: add a column id; of several systems in rows of their own, see docs/recorded.md',
    );
  }
  if (inTheWay.length > 0)
    throw refused(
      `, but ${quoted(inTheWay)} may say that a row is no plain transcript: docs/recorded.md has such tables`,
    );
  if (!transcriptEndings.has(endingOf(path))) throw refused(', but its name is none of a table: call it .csv or .tsv');
  if (namesMade !== null) throw refused(', but its first line is a row: write the names of its columns above it');

  const rest = columns.filter((column) => column !== id && column !== reference && !hypotheses.includes(column));
  const speaker = speakerColumn(rest, null, null);
  const language = languageColumn(columns);
  const attributes = rest
    .filter(({ name }) => name !== speaker)
    .filter(isAttribute)
    .map(({ name }) => name);
  const recorded: Record<string, JsonObject> = {};
  for (const { name } of hypotheses) {
    const wanted = nameOfSystem(name) || 'recognizer';
    let free = wanted;
    for (let number = 2; Object.hasOwn(recorded, free); number++) free = `${wanted.slice(0, 60)}-${number}`;
    recorded[free] = { columns: { utterance: id.name, text: name } };
  }
  return {
    manifest: {
      columns: { id: id.name, path: null, reference: reference.name, speaker, ...noLanguage(language) },
      attributes,
    },
    recorded,
    reference: reference.name,
    speaker,
    notes: languageNotes(language),
    passedOver: known.others.filter((name) => name !== speaker && !attributes.includes(name)),
    quickWay,
  };
}

/** What the columns hold, with the reference that somebody named. */
function wantedColumns(columns: readonly Column[], wanted: string | undefined): ReturnType<typeof textColumns> {
  const found = columns.find(({ name }) => name === wanted);
  if (found === undefined) return textColumns(columns);
  const others = columns.filter((column) => column !== found && column.name !== 'reference');
  return { ...textColumns([{ ...found, name: 'reference' }, ...others]), references: [found.name] };
}

/** The column of systems in a table that has a row for each utterance and system; null where it is none. */
function systemColumn(columns: readonly Column[]): Column | null {
  const found = columns.find(({ name }) => isCalled(name, 'system'));
  if (found === undefined || new Set(found.values).size < 2) return null;
  const isOfUtterances = idNames.some((name) => {
    const utterances = columns.find((column) => column.name.toLowerCase() === name)?.values;
    const rows = utterances?.map((value, index) => JSON.stringify([value, found.values[index]]));
    return rows !== undefined && new Set(rows).size === rows.length;
  });
  return isOfUtterances ? found : null;
}

const idNames = [...usualNames.id, ...usualNames.path];

/** Columns whose values name each row, those first that are called so. */
function idColumns(columns: readonly Column[]): Column[] {
  return idNames.flatMap((name) => {
    const found = columns.find((column) => column.name.toLowerCase() === name);
    if (found === undefined || found.values.some((value) => value.trim() === '')) return [];
    return new Set(found.values).size === found.values.length ? [found] : [];
  });
}

function quoted(columns: readonly Column[]): string {
  return listed(columns.map(({ name }) => JSON.stringify(printable(name, 60))));
}
