import { usualColumn, usualRole } from '../../base/columns/roles.ts';
import {
  isOpen,
  orNone,
  outputsAlone,
  quotedNames,
  severalColumns,
  type TextColumns,
  textColumns,
  textsOfSide,
  whichColumn,
} from '../../base/columns/texts.ts';
import { badInput, badUsage, type EarwitnessError, Undecided } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { limitText, printable } from '../../base/printable.ts';
import type { TableHead } from './open-table.ts';

export type TextColumn = 'reference' | 'hypothesis';

/** Columns that the options name. */
export type WantedColumns = Readonly<Partial<Record<TextColumn | 'speaker' | 'id' | 'by', string | undefined>>>;

/** Which columns of a table hold what. */
export interface Columns {
  /** Null where none is known to name utterances. */
  readonly id: string | null;
  /** Beside the id the path of a sound, which another file may name utterances by; null where there is none. */
  readonly path: string | null;
  /** Which channel of a recording the id means; null where none says. */
  readonly channel: string | null;
  readonly text: string;
  /** Beside an output the column of references, where there is one; null: none is, or the texts are references. */
  readonly ownReference: string | null;
}

/**
 * The columns of both sides of a table: as the options name them, else by what the columns are called and what stands in them.
 *
 * @throws EarwitnessError `bad-input` where no column, or more than one, may be meant
 */
export function bothColumns(table: TableHead, named: WantedColumns) {
  const wanted = meantColumns(table, named);
  const known = textColumns(table.columns);
  const reference = wanted.reference ?? oneReference(table, without(known, wanted.hypothesis));
  const { outputs, unclear } = outputsBeside(table, reference, known);
  const hypothesis = wanted.hypothesis ?? one(table, 'hypothesis', outputs.length === 0 ? unclear : outputs);
  if (reference === hypothesis) {
    const other = wanted.hypothesis === undefined ? 'hypothesis' : 'reference';
    throw badInput(
      `${placeOf(table)}: expected the reference and the hypothesis in a column each, but both are ${JSON.stringify(limitText(reference, 100))}; name the ${other} with --${other}-column`,
    );
  }
  return { reference: columnsBeside(table, reference), hypothesis: columnsBeside(table, hypothesis) };
}

/**
 * The columns of a table that hold outputs of several recognizers, and the reference.
 *
 * @throws EarwitnessError `bad-input` where none or several may be the reference, or one may be this or an output
 */
export function referenceAndOutputs(table: TableHead, named: WantedColumns) {
  const wanted = meantColumns(table, named);
  const known = textColumns(table.columns);
  const reference = wanted.reference ?? oneReference(table, without(known, wanted.hypothesis));
  const { outputs, unclear } = outputsBeside(table, reference, known);
  if (unclear.length > 0 && wanted.reference === undefined) {
    const place = placeOf(table);
    throw new Undecided(
      `${place}: expected to know what ${quotedNames(unclear)} ${unclear.length === 1 ? 'is' : 'are'}, since beside ${quotedNames([reference])} that may be a reference or an output; say which is the reference with --reference-column`,
      whichColumn(place, 'reference', [reference, ...unclear], table.columns),
    );
  }
  return { reference, outputs: [...outputs, ...unclear], others: known.others };
}

/**
 * Whether a table has references and outputs.
 *
 * @param isOneOfMany whether another file may hold the references, so that names that nobody knows need not be told apart here
 * @throws EarwitnessError `bad-input` where several columns may be the reference
 */
export function hasBothSides(table: TableHead, { reference, hypothesis }: WantedColumns, isOneOfMany = false): boolean {
  const named = reference === undefined ? null : columnMeant(table, reference);
  // Of several files another may have it.
  if (reference !== undefined && named === null) return false;
  const known = textColumns(table.columns);
  const output = hypothesis === undefined ? null : columnMeant(table, hypothesis);
  if (named !== null) {
    const { outputs, unclear } = outputsBeside(table, named, known);
    return output !== null || outputs.length + unclear.length > 0;
  }
  if (output !== null) return known.references.some((name) => name !== output);
  if (isOneOfMany && isOpen(known)) return false;
  if (known.references.length > 1) throw noColumn(table, 'reference', known.references, true);
  return known.references.length === 1 && known.outputs.length > 0;
}

/** What may be the reference where somebody named the output. */
function without(known: TextColumns, output: string | undefined): TextColumns {
  const others = known.references.filter((name) => name !== output);
  return others.length === 0 ? known : { ...known, references: others };
}

/** What the reference that somebody named is compared with, where it is not the one that would be taken. */
function outputsBeside(
  table: TableHead,
  reference: string,
  known: TextColumns,
): Pick<TextColumns, 'outputs' | 'unclear'> {
  if (known.references.length === 1 && known.references[0] === reference) return known;
  const called = { name: 'reference', values: table.columns.find(({ name }) => name === reference)!.values };
  const others = table.columns.filter(({ name }) => name !== reference && name !== 'reference');
  return textColumns([called, ...others]);
}

/**
 * The columns that options mean, each by its name or its number.
 *
 * @throws EarwitnessError `bad-input` where a column is not there that they name
 */
export function meantColumns(table: TableHead, wanted: WantedColumns): WantedColumns {
  const sides = (['reference', 'hypothesis', 'id'] as const).map((side) => {
    const name = wanted[side];
    return [side, name === undefined ? undefined : meantColumn(table, side, name)];
  });
  const { speaker } = wanted;
  // Where there is none, the first row that is asked says so.
  const own = speaker === undefined ? undefined : (columnMeant(table, speaker) ?? speaker);
  return { ...wanted, ...Object.fromEntries(sides), speaker: own };
}

/** The column called so, else the one with this number, from 1; null where there is none. */
export function columnMeant({ columns, first }: Pick<TableHead, 'columns' | 'first'>, wanted: string): string | null {
  const number = /^(?:column )?(\d{1,4})$/.exec(wanted)?.[1];
  const names = [wanted, number === undefined ? undefined : first?.nameAt(Number(number))];
  return names.find((name) => columns.some((column) => column.name === name)) ?? null;
}

function meantColumn(table: TableHead, side: keyof WantedColumns, wanted: string): string {
  const name = columnMeant(table, wanted);
  if (name !== null) return name;
  const names = table.columns.map((column) => column.name);
  throw missingColumn(placeOf(table), names, side, wanted);
}

function oneReference(table: TableHead, { references, outputs }: TextColumns): string {
  const isNear =
    nearestName(
      'reference',
      table.columns.map(({ name }) => name),
    ) !== null;
  if (references.length > 0 || outputs.length === 0 || isNear || table.nested.length > 0)
    return one(table, 'reference', references);
  throw otherForm(table) ?? outputsAlone(placeOf(table), outputs, table.columns);
}

/** The only one that may be meant. */
function one(table: TableHead, side: TextColumn, found: readonly string[]): string {
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw noColumn(table, side, found, false);
}

/**
 * The column that holds the texts of a table of one side, and the one that names utterances.
 *
 * @param wanted what the options call the column of the texts; undefined: it is known by its name, or by being the only one of texts
 * @param id what the options call the column of ids; where another file alone has it, this one's is known by its name
 * @param other what they call the column of the other side, which is none of this where there is more
 * @throws EarwitnessError `bad-input` where no column, or more than one, may be meant
 */
export function columnsOfSide(
  table: TableHead,
  side: TextColumn,
  wanted: string | undefined,
  { id, other }: { readonly id?: string | undefined; readonly other?: string | undefined } = {},
): Columns {
  const all = wanted === undefined ? textsOfSide(table.columns, side) : [meantColumn(table, side, wanted)];
  const others = other === undefined ? null : columnMeant(table, other);
  const found = all.length > 1 ? all.filter((name) => name !== others) : all;
  const [only] = found;
  if (only === undefined || found.length > 1) throw noColumn(table, side, found, true);
  const columns = columnsBeside(table, only, (id === undefined ? null : columnMeant(table, id)) ?? undefined);
  if (side === 'reference') return columns;
  const { references } = textColumns(table.columns);
  return { ...columns, ownReference: references.length === 1 && references[0] !== only ? references[0]! : null };
}

function columnsBeside({ columns }: TableHead, text: string, named?: string): Columns {
  const names = columns.map(({ name }) => name).filter((name) => name !== text);
  const [id, path] = [named ?? usualColumn(names, 'id'), named === undefined ? usualColumn(names, 'path') : undefined];
  return {
    id: id ?? path ?? null,
    path: (id === undefined ? undefined : path) ?? null,
    channel: usualColumn(names, 'channel') ?? null,
    text,
    ownReference: null,
  };
}

/** The column that says whose a row is, in a table with a row for each utterance and system, and the one that names the utterances. */
export function systemColumn(table: TableHead): { readonly name: string; readonly id: string } | null {
  const names = table.columns.map(({ name }) => name);
  const name = usualColumn(names, 'system');
  const ids = usualColumn(names, 'id') ?? usualColumn(names, 'path');
  const valuesOf = (wanted: string | undefined) => table.columns.find((column) => column.name === wanted)?.values;
  const [systems, of] = [valuesOf(name), valuesOf(ids)];
  if (systems === undefined || of === undefined || new Set(systems).size < 2) return null;
  const pairs = new Set(systems.map((system, row) => JSON.stringify([system, of[row]])));
  return pairs.size === systems.length && new Set(of).size < of.length ? { name: name!, id: ids! } : null;
}

/**
 * One rate over what several recognizers wrote is nobody's.
 *
 * @param by the column by which rates are asked for
 */
export function refuseSeveralSystems(table: TableHead, by: string | undefined): void {
  const system = systemColumn(table);
  if (system === null || by === system.name) return;
  const file = printable(table.file.name);
  throw badUsage(
    `${file}: expected the output of one recognizer, but ${quotedNames([system.name])} names several, each with the same utterances; compare them: earwitness compare ${file}, or count each: --by ${printable(system.name)}`,
  );
}

const placeOf = ({ first, file }: TableHead) => first?.namesPlace() ?? file.name;

/** What to say where a column is not there that the options name. */
export function missingColumn(
  place: string,
  names: readonly string[],
  side: keyof WantedColumns,
  wanted: string,
): EarwitnessError {
  const nearest = nearestName(wanted, names);
  const hint = nearest === null ? `there is ${quotedNames(names)}` : `did you mean ${quotedNames([nearest])}?`;
  return badInput(
    `${place}: expected a column ${quotedNames([wanted])} (from --${side}-column), but there is none; ${hint}`,
  );
}

/** Why a table has no such columns, where its form tells it: names further down, other separators; null where it does not. */
function otherForm(table: TableHead): EarwitnessError | null {
  const place = placeOf(table);
  const [only, ...others] = table.columns;
  if (table.headLine !== null)
    return badInput(
      `${place}: expected names of columns in the first line, but they stand in line ${table.headLine}; take out the lines above`,
    );
  const separator = only === undefined || others.length > 0 ? undefined : /[;,|]/.exec(only.name)?.[0];
  if (separator === undefined) return null;
  return badInput(
    `${place}: expected columns with tabs between them, as its name says, but found ${quotedNames([only!.name])} with ${JSON.stringify(separator)}; give it a name that ends in .csv`,
  );
}

function noColumn(table: TableHead, side: TextColumn, found: readonly string[], alone: boolean): EarwitnessError {
  const other = otherForm(table);
  if (other !== null) return other;
  const place = placeOf(table);
  const names = table.columns.map(({ name }) => name);
  if (found.length > 1) {
    const all =
      side === 'hypothesis' && !alone ? `, or compare them: earwitness compare ${printable(table.file.name)}` : '';
    return severalColumns(place, side, found, table.columns, all);
  }
  const nearest = nearestName(side, names);
  const hint =
    nearest === null
      ? `there is ${quotedNames(names)}${table.nested.length === 0 ? '' : ` (and ${quotedNames(table.nested)}, which ${table.nested.length === 1 ? 'holds' : 'hold'} no text but a list or an object)`}; name the right one with --${side}-column, or add it${alone && names.every((name) => usualRole(name) === undefined) ? ' (without names of columns, and an id and a text on each line: --ids)' : ''}`
      : `is it ${quotedNames([nearest])}? --${side}-column names it`;
  return new Undecided(
    `${place}: expected a column "${side}", but there is none; ${hint}`,
    orNone(whichColumn(place, side, [...new Set([nearest ?? [], names].flat())], table.columns)),
  );
}
