import type { DataSetFolder } from './data-set-folder.ts';

/** One line of a table without column names. */
export interface TableLine {
  /** Trimmed. */
  readonly fields: readonly string[];
  /** `file:line:1`, for errors. */
  place(): string;
}

/**
 * The lines of a table as data sets put beside their sounds: fields by a delimiter or blanks, comments passed over.
 * Nothing where the file is not there: what such tables say of speakers is welcome, not needed.
 *
 * @param format `delimiter` absent: fields are separated by blanks; `comment`: what a line begins with that is none
 * @param most fields to divide into: what follows belongs to the last
 */
export async function* tableLines(
  folder: DataSetFolder,
  path: string,
  { delimiter, comment }: { readonly delimiter?: string; readonly comment?: string } = {},
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<TableLine> {
  if (!(await folder.has(path))) return;
  for await (const { text, number } of folder.lines(path)) {
    const line = text.trim();
    if (line === '' || (comment !== undefined && line.startsWith(comment))) continue;
    const all = delimiter === undefined ? line.split(/\s+/) : line.split(delimiter);
    const fields = all.length <= most ? all : [...all.slice(0, most - 1), all.slice(most - 1).join(delimiter ?? ' ')];
    yield { fields: fields.map((field) => field.trim()), place: () => `${folder.shown(path)}:${number}:1` };
  }
}
