import type { JsonObject } from '../../base/json.ts';

/** A path inside of a folder that tells a data set, and options that read it beside `folder`. */
export interface Sign {
  readonly path: string;
  readonly options: JsonObject;
}

/**
 * The signs of a data set that may be a folder itself or lie in it under its usual names.
 *
 * @param roots '' for the folder itself, `LibriSpeech/` for one inside
 * @example dataSetSigns(['', 'TIMIT/'], [{ path: 'TEST/DR1', options: {} }])
 */
export function dataSetSigns(roots: readonly string[], signs: readonly Sign[]): readonly Sign[] {
  return roots.flatMap((root) => signs.map(({ path, options }) => ({ path: `${root}${path}`, options })));
}
