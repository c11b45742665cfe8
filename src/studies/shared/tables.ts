import { estimateOf } from '../../model/comparison.ts';
import type { Cell, Column, ColumnKind, Comparison, OpenVerdict, Section, Table } from '../../model/finding.ts';
import { openInWords } from '../../model/reason.ts';

// Tables of findings, and columns that several studies have.

/** Last parts of the ids of tables in which no words are counted. */
const withoutWords = /-(failures|failures-by-group|excluded|ratings|validity|similarity)$/;

/**
 * Sections whose tables say what made the words that they rest on, though they are no rates over words (cases, failed tests, words by
 * name): in a note, and in each row for files. Tables of rates over words have it by their sizes.
 *
 * @param normalizer its name
 * @example ofWords(sections, 'english')[0].tables[0].rows[0].normalizer // 'english'
 */
export function ofWords(sections: readonly Section[], normalizer: string): Section[] {
  const said = ({ rows }: Table) =>
    rows.some((row) => Object.values(row).some((cell) => estimateOf(cell)?.n.words !== undefined));
  const labelled = (table: Table): Table => {
    if (withoutWords.test(table.id) || said(table)) return table;
    const note = wordsNote(normalizer);
    return {
      ...table,
      rows: table.rows.map((row) => ({ ...row, normalizer })),
      note: table.note === undefined ? note : `${table.note} ${note}`,
    };
  };
  return sections.map((section) =>
    section.tables === undefined ? section : { ...section, tables: section.tables.map(labelled) },
  );
}

/** What made the words of a table. */
export function wordsNote(normalizer: string): string {
  return `Words: normalizer ${normalizer}.`;
}

/** A column and how a row gives its cell. */
export type Given<Row> = Column & { readonly of: (row: Row) => Cell };

/** A column whose cell a row has under the column's key, or gives by `of`. */
export type ColumnOf<Row> = Given<Row> | (Column & { readonly of?: undefined; readonly key: CellKey<Row> });

/** What a row has that can stand in a cell as it is. */
type CellKey<Row> = { [Key in keyof Row]: Row[Key] extends Cell ? Key : never }[keyof Row] & string;

/**
 * A table whose columns say what stands in them. What a row has beside is left out; so are columns that are `false`.
 *
 * @example
 * tableOf('rates', 'Word error rates', [{ name: 'one', errors: 1, words: 8 }], [
 *   { ...recognizerColumn, of: ({ name }) => name },
 *   wordsSaidColumn,
 *   several && column('rate', 'Rate', 'rate', ({ errors, words }) => errors / words),
 * ])
 */
export function tableOf<Row>(
  id: string,
  title: string,
  rows: readonly Row[],
  columns: readonly (ColumnOf<NoInfer<Row>> | false)[],
): Table {
  const shown = columns.filter((column) => column !== false);
  return {
    id,
    title,
    columns: shown.map(({ of: _, ...column }): Column => column),
    rows: rows.map((row) =>
      Object.fromEntries(
        shown.map(({ key, of }) => [key, of === undefined ? (row as Record<string, Cell>)[key]! : of(row)]),
      ),
    ),
  };
}

/** A column that works its cell out of the row. */
export function column<Row>(key: string, label: string, kind: ColumnKind, of: (row: Row) => Cell): Given<Row> {
  return { key, label, kind, of };
}

/** The name of the recognizer whose place a row has. */
export function recognizerIn(
  recognizers: readonly { readonly name: string }[],
): Given<{ readonly recognizer: number }> {
  return { ...recognizerColumn, of: ({ recognizer }) => recognizers[recognizer]!.name };
}

/** The name of the condition whose place a row has. */
export function conditionIn(conditions: readonly { readonly name: string }[]): Given<{ readonly condition: number }> {
  return { ...conditionColumn, of: ({ condition }) => conditions[condition]!.name };
}

export const recognizerColumn = { key: 'recognizer', label: 'Recognizer', kind: 'text' } as const;
export const conditionColumn = { key: 'condition', label: 'Condition', kind: 'text' } as const;
export const comparedWithColumn = { key: 'comparedWith', label: 'Compared with', kind: 'text' } as const;
export const attributeColumn = { key: 'attribute', label: 'Attribute', kind: 'text' } as const;
export const groupColumn = { key: 'group', label: 'Group', kind: 'text' } as const;
export const wordsSaidColumn = { key: 'words', label: 'Words said', kind: 'count' } as const;
export const utterancesColumn = { key: 'utterances', label: 'Utterances', kind: 'count' } as const;
export const speakersColumn = { key: 'speakers', label: 'Speakers', kind: 'count' } as const;
const verdictColumn = { key: 'verdict', label: 'Verdict', kind: 'verdict' } as const;

/** Why a comparison tells nothing, and what would settle it. */
const whyColumn: Column = { key: 'why', label: 'Why not', kind: 'text' };

/** By itself, before any correction. */
export const rawColumn: Column = {
  key: 'pValue',
  label: 'p alone',
  kind: 'pvalue',
  help: 'How often chance alone would cause such a difference, for this comparison alone.',
};

/**
 * Both p values of a comparison, its verdict and, where that is open, why.
 *
 * @param test where the p values come from: `From swapping the two recognizers speaker by speaker`
 */
export function comparisonColumns<Row>(test: string, of: (row: Row) => Comparison): readonly Given<Row>[] {
  return verdictColumns(test).map((column) => ({ ...column, of: (row: Row) => verdictCells(of(row))[column.key]! }));
}

/**
 * The columns of `comparisonColumns`, for rows that have their cells already.
 *
 * @example [recognizerColumn, ...verdictColumns('Permutation test: the two recognizers are swapped speaker by speaker')]
 */
export function verdictColumns(test: string): readonly Column[] {
  const help = `${test}; corrected for all comparisons that were tested together.`;
  return [rawColumn, adjustedColumn(help), verdictColumn, whyColumn];
}

/**
 * The cells of `verdictColumns`.
 *
 * @example { recognizer: 'narrow', difference: comparison.difference, ...verdictCells(comparison) }
 */
export function verdictCells({ pValue, adjustedPValue, verdict, open }: Comparison): Readonly<Record<string, Cell>> {
  return { pValue, adjustedPValue, verdict, why: open === undefined ? '' : openInWords(open) };
}

/** @param help what chance would do, and what the value is corrected for */
export function adjustedColumn(help: string) {
  return { key: 'adjustedPValue', label: 'Adjusted p', kind: 'pvalue', help } as const;
}

/** Why a comparison tells nothing; for tables that have its verdict. */
export function whyNot<Row>(of: (row: Row) => Comparison | null): Given<Row> {
  return whyOf((row) => of(row)?.open);
}

/** Why something tells nothing. */
export function whyOf<Row>(of: (row: Row) => OpenVerdict | undefined): Given<Row> {
  return {
    ...whyColumn,
    of: (row) => {
      const open = of(row);
      return open === undefined ? '' : openInWords(open);
    },
  };
}

/** Both p values of a comparison, its verdict and, where that is open, why; empty where there is none. */
export function judgedColumns<Row>(help: string, of: (row: Row) => Comparison | null): readonly Given<Row>[] {
  return [
    { ...rawColumn, of: (row) => of(row)?.pValue ?? null },
    { ...adjustedColumn(help), of: (row) => of(row)?.adjustedPValue ?? null },
    { ...verdictColumn, of: (row) => of(row)?.verdict ?? null },
    whyNot(of),
  ];
}

/**
 * Columns that data name (groups, recognizers), each with its name as its key, so that files have it too. A name that another column has
 * already gets a number.
 *
 * @example namedColumns(['women', 'row'], 'count', ['row']).map(({ key }) => key) // ['women', 'row 2']
 */
export function namedColumns(names: readonly string[], kind: ColumnKind, others: readonly string[]): Column[] {
  const taken = new Set(others);
  return names.map((name) => {
    let key = name;
    for (let number = 2; taken.has(key); number++) key = `${name} ${number}`;
    taken.add(key);
    return { key, label: name, kind };
  });
}
