import type { Json } from '../../base/json.ts';
import type { Problem } from './plain-data.ts';

/** A place in a text, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A config as it was found: data, what is wrong with it so far, and where its parts stand. */
export interface ConfigSource {
  readonly data: Json;
  readonly problems: readonly Problem[];
  /** Where a part stands in the file; null in a module, whose parts are named by their property path. */
  position(path: readonly PropertyKey[], at: Problem['at']): Position | null;
}

/** Refuses a file that cannot be read as a config at all. */
export type Refuse = (problem: string, position?: Position | null, cause?: unknown) => never;
