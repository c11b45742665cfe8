import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';

/** Names under which a config is found without being named, in the order in which they are listed. */
export const configNames = ['ts', 'mts', 'mjs', 'js', 'yaml', 'yml', 'json'].map((end) => `earwitness.config.${end}`);

/**
 * The one config of a folder.
 *
 * @throws EarwitnessError `bad-config`: there is none, or there are several
 */
export function findConfig(folder: string): string {
  const found = configNames.filter((name) => existsSync(join(folder, name)));
  if (found.length === 1) return join(folder, found[0]!);
  throw new EarwitnessError(
    'bad-config',
    found.length === 0
      ? `expected one of ${configNames.join(', ')} in ${folder}, but there is none; write one with \`earwitness init\` or name it with --config`
      : `expected one config in ${folder}, but found ${found.join(' and ')}; name the one you mean with --config`,
  );
}
