import type { Cell, Column, ColumnKind, Comparison } from '../../model/finding.ts';
import { openInWords } from './open-verdict.ts';

// Columns that tables of several studies have.

export const recognizerColumn: Column = { key: 'recognizer', label: 'Recognizer', kind: 'text' };
export const conditionColumn: Column = { key: 'condition', label: 'Condition', kind: 'text' };
export const comparedWithColumn: Column = { key: 'comparedWith', label: 'Compared with', kind: 'text' };
export const attributeColumn: Column = { key: 'attribute', label: 'Attribute', kind: 'text' };
export const groupColumn: Column = { key: 'group', label: 'Group', kind: 'text' };
export const wordsSaidColumn: Column = { key: 'words', label: 'Words said', kind: 'count' };
export const utterancesColumn: Column = { key: 'utterances', label: 'Utterances', kind: 'count' };
export const speakersColumn: Column = { key: 'speakers', label: 'Speakers', kind: 'count' };
export const verdictColumn: Column = { key: 'verdict', label: 'Verdict', kind: 'verdict' };

/** Why a comparison tells nothing, and what would settle it. */
const whyColumn: Column = { key: 'why', label: 'Why not', kind: 'text' };

/** By itself, before any correction. */
export const rawColumn: Column = {
  key: 'pValue',
  label: 'p alone',
  kind: 'pvalue',
  help: 'How often chance alone would make such a difference, this comparison taken by itself.',
};

/**
 * Both p values of a comparison, its verdict and, where that is open, why.
 *
 * @param test where the p values come from: `From swapping the two recognizers speaker by speaker`
 * @example [recognizerColumn, ...verdictColumns('From swapping the two recognizers speaker by speaker')]
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
export function adjustedColumn(help: string): Column {
  return { key: 'adjustedPValue', label: 'Adjusted p', kind: 'pvalue', help };
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
