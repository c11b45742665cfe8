import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { loadNormalizer } from '../../session/members/load-normalizer.ts';

/**
 * The normalizer that `--normalizer` names, or one of the user's own by the path of its module, meant from the current
 * folder.
 *
 * @throws EarwitnessError `bad-config` where there is none
 */
export function resolveNormalizer(name: string): Promise<Normalizer> {
  return loadNormalizer(name, process.cwd());
}
