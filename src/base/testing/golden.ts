import { existsSync } from 'node:fs';

/** What other programs gave for the same input: goldens/README.md says which programs, and what may live here. */
const here = new URL('../../../goldens/', import.meta.url);
const shared = new URL('../../../../shared/golden/', import.meta.url);

/**
 * A file or folder of numbers that other programs made: all of it where it stands beside the repository, else what of it may live here.
 * Where nothing of it may, `otherwise` is a file of the same form with what such programs made of signals by formula.
 *
 * @example JSON.parse(readFileSync(golden('statistics/python.json'), 'utf8'))
 */
export function golden(path: string, otherwise = path): URL {
  const whole = new URL(path, shared);
  return existsSync(whole) ? whole : new URL(otherwise, here);
}
