import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { loadNormalizer } from '../members/load-normalizer.ts';
import type { Problem } from './plain-data.ts';

/**
 * Checks what studies agree upon calling `normalizer` (a name, or the path of a module of the user's own), which a study's
 * schema cannot: it loads no modules.
 *
 * @returns path and SHA-256 of the user's own, or null
 */
export async function checkNormalizer(
  { normalizer }: JsonObject,
  path: readonly PropertyKey[],
  baseFolder: string,
  problems: Problem[],
): Promise<{ readonly path: string; readonly hash: string } | null> {
  if (typeof normalizer !== 'string') return null;
  try {
    const { module } = await loadNormalizer(normalizer, baseFolder);
    return module === undefined ? null : { path: normalizer, hash: module };
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    problems.push({ path: [...path, 'normalizer'], at: 'value', text: error.message });
    return null;
  }
}
