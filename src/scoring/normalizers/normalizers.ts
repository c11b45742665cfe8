import { EarwitnessError } from '../../base/errors.ts';
import { characters, countCharacterEdits } from '../alignment/characters.ts';
import { errors } from '../edit-counts.ts';
import { basic } from './basic.ts';
import { none } from './none.ts';
import type { Normalizer } from './normalizer.ts';

export type { Normalizer } from './normalizer.ts';

/** Every normalizer by its name. A new one is a file beside this one and a line here. */
export const normalizers: Readonly<Record<string, Normalizer>> = Object.freeze({ none, basic });

/**
 * The normalizer of this name.
 *
 * @throws EarwitnessError `bad-config` for a name that none has, with the nearest that one has
 * @example normalizerNamed('basic').words('Hello, World!') // ['hello', 'world']
 */
export function normalizerNamed(name: string): Normalizer {
  const found = Object.hasOwn(normalizers, name) ? normalizers[name] : undefined;
  if (found) return found;
  const names = Object.keys(normalizers);
  const shown = JSON.stringify(name.length > 40 ? `${characters([name]).slice(0, 40).join('')}…` : name);
  const distance = (candidate: string) => errors(countCharacterEdits([candidate], [name.slice(0, 200).toLowerCase()]));
  const nearest = names.reduce((best, candidate) => (distance(candidate) < distance(best) ? candidate : best));
  throw new EarwitnessError(
    'bad-config',
    `expected the name of a normalizer (${names.join(', ')}), but got ${shown}; did you mean "${nearest}"?`,
  );
}
