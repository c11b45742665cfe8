import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import { aequevox } from './aequevox.ts';
import { basic } from './basic.ts';
import { byLanguage } from './by-language.ts';
import { chinese } from './chinese/chinese.ts';
import { crossasr } from './crossasr/crossasr.ts';
import { dictation } from './dictation/dictation.ts';
import { english } from './english/english.ts';
import { none } from './none.ts';
import type { Normalizer } from './normalizer.ts';
import { srb } from './srb.ts';

export type { Normalizer } from './normalizer.ts';

/** Every normalizer by its name. A new one is a file beside this one and a line here. */
export const normalizers: Readonly<Record<string, Normalizer>> = Object.freeze({
  'by-language': byLanguage,
  none,
  basic,
  english,
  srb,
  crossasr,
  aequevox,
  chinese,
  dictation,
});

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
  const nearest = nearestName(name, names);
  throw new EarwitnessError(
    'bad-config',
    `expected the name of a normalizer (${names.join(', ')}), but got ${JSON.stringify(printable(name, 40))}${nearest === null ? '' : `; did you mean "${nearest}"?`}`,
  );
}
