import type { Table } from '../../model/finding.ts';
import type { ShownCell } from '../format/cell.ts';
import { verdictWording } from '../format/verdict.ts';
import { shownRows } from '../prepare/shown-rows.ts';
import { escapeMarkdown } from './escape-markdown.ts';

/** A table in GitHub's Markdown, with the reasons for its dashes beneath it. */
export function markdownTable(table: Table, mostRows: number): readonly string[] {
  const rows = shownRows(table, mostRows);
  const reasons: string[] = [];
  const lines = [
    rowLine(table.columns.map(({ label }) => escapeMarkdown(label))),
    rowLine(table.columns.map((_, index) => (rows.some((row) => row[index]?.numeric) ? '---:' : '---'))),
    ...rows.map((row) => rowLine(row.map((cell) => markdownCell(cell, reasons)))),
  ];
  if (table.rows.length > rows.length) lines.push('', `… ${table.rows.length - rows.length} more rows`);
  if (table.note) lines.push('', escapeMarkdown(table.note));
  if (reasons.length > 0) {
    lines.push('', ...reasons.map((reason, index) => `- (${index + 1}) ${escapeMarkdown(reason)}`));
  }
  return lines;
}

/** A cell in Markdown. A reason is put on the list (once) and referred to by its number. */
function markdownCell(cell: ShownCell, reasons: string[]): string {
  const parts = [escapeMarkdown(cell.main)];
  if (cell.interval) parts.push(`\\${cell.interval.slice(0, -1)}\\]`);
  if (cell.verdict && verdictWording[cell.verdict].word !== cell.main) parts.push(verdictWording[cell.verdict].word);
  if (cell.pValue) parts.push(escapeMarkdown(`(${cell.pValue})`));
  if (cell.reason) {
    if (!reasons.includes(cell.reason)) reasons.push(cell.reason);
    parts.push(`(${reasons.indexOf(cell.reason) + 1})`);
  }
  return parts.join(' ');
}

function rowLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
