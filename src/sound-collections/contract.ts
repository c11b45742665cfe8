import type { JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';

/** A sound file of a collection. */
export interface ListedSound {
  /** Absolute. */
  readonly file: string;
  /** Path inside of the collection's folder, with `/`: for people. */
  readonly name: string;
  /** What is known of it: licence, category, `rt60Seconds`, `srmr`, speaker, … */
  readonly facts: JsonObject;
}

/** One row of a table of facts. */
export interface FactRow {
  /** Names of its columns, in their order. */
  readonly names: readonly string[];
  /** The text of a column; undefined where the row has none. */
  text(name: string): string | undefined;
  /** `file:line:column`, for errors. */
  place(name?: string): string;
}

export interface SoundCollectionServices {
  /** Relative paths in options are meant from here. */
  readonly baseFolder: string;
  /** The rows of a TSV, CSV or JSONL file. */
  rows(file: string, shownName: string): AsyncIterable<FactRow>;
}

/** One way in which collections of sounds are laid out: what a member's folder exports. */
export interface SoundCollectionKind<Options = unknown> {
  readonly name: string;
  readonly about: string;
  /** A strict zod object without `type`; every option described. */
  readonly options: Schema<Options>;
  /**
   * The files in a fixed order, which does not depend on where the folder lies. Nothing is decoded.
   *
   * @throws EarwitnessError `bad-input` where there is no such folder, or no sound in it
   */
  list(options: Options, services: SoundCollectionServices): Promise<readonly ListedSound[]>;
}
