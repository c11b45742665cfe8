import { readTextLines, type TextLine } from '../../system/text-lines.ts';

/** How texts stand in a file: NIST's formats, a table, a text on each line, or an id and a text on each line. */
export type TextFormat = 'trn' | 'stm' | 'ctm' | 'table' | 'lines' | 'ids';

/** A file of texts, or what comes in on stdin. */
export interface TextFile {
  /** As errors call it. */
  readonly name: string;
  /** Null for stdin. */
  readonly path: string | null;
  readonly format: TextFormat;
}

/** Its lines, in memory that does not grow with it. */
export function linesOf({ name, path }: TextFile): AsyncGenerator<TextLine> {
  return readTextLines(path ?? process.stdin, name);
}
