/** One entry of a list of utterances or speakers, whatever the file's format. */
export interface Row {
  /** Line in the file on which it begins, from 1. */
  readonly line: number;
  /** Names of its fields, in the file's order. */
  readonly names: readonly string[];
  /** The text of a field; undefined where the row has none (no such field, or JSON null). */
  text(name: string): string | undefined;
  /** The texts of a field that is a list; undefined where it is not. */
  list(name: string): readonly string[] | undefined;
  /** `file:line:column` of a field, or of the row, for errors. */
  place(name?: string): string;
  /** `file:line:column` where the names of its fields stand: of a table its first line, of JSON the row. */
  namesPlace(): string;
}
