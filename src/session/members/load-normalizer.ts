import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import { isModulePath, loadOwnModule } from './own-module.ts';

/**
 * A normalizer by its name, or a user's own by the path of its module, meant from `baseFolder`: what `makeNormalizer` gives, or
 * any object with `name`, `version`, `about` and `words`. Its file's hash is part of its identity.
 *
 * @throws EarwitnessError `bad-config`: no normalizer has this name (the nearest one is suggested), or the module is missing,
 * fails, or exports no normalizer. One of the user's own that fails on a text throws it then.
 * @example const { words } = await loadNormalizer('./mine.ts', process.cwd())
 */
export async function loadNormalizer(name: string, baseFolder: string): Promise<Normalizer> {
  if (!isModulePath(name)) {
    if (/\.[cm]?[jt]s$/.test(name)) {
      const shown = printable(name, 100);
      throw new EarwitnessError(
        'bad-config',
        `expected the name of a normalizer or the path of a module, but got "${shown}"; did you mean "./${shown}"?`,
      );
    }
    return normalizerNamed(name);
  }
  const { exported, hash } = await loadOwnModule(name, baseFolder, 'normalizer', ['name', 'version', 'about', 'words']);
  return checkedNormalizer(exported as Normalizer, name, hash);
}

function checkedNormalizer(own: Normalizer, path: string, module: string): Normalizer {
  const fail = (problem: string, cause?: unknown) =>
    new EarwitnessError('bad-config', `${path}: expected a normalizer, but ${problem}`, { cause });
  if (typeof own.name !== 'string' || own.name === '') throw fail('its "name" is no text');
  if (typeof own.version !== 'number') throw fail('its "version" is no number');
  if (typeof own.about !== 'string') throw fail('its "about" is no text');
  if (typeof own.words !== 'function') throw fail('its "words" is no function');
  const attempt = <Result>(make: () => Result): Result => {
    try {
      return make();
    } catch (error) {
      throw fail(`it fails on a text: ${messageOf(error)}`, error);
    }
  };
  const words = (text: string, language?: string): string[] => {
    const found: unknown = attempt(() => own.words(text, language));
    if (!Array.isArray(found) || !found.every((word) => typeof word === 'string' && word !== '')) {
      throw fail('its "words" gave something else than a list of texts that are not empty');
    }
    return found;
  };
  return {
    name: own.name,
    version: own.version,
    about: own.about,
    module,
    ...(typeof own.hasCharacterWords === 'function' && {
      hasCharacterWords: (language) => attempt(() => own.hasCharacterWords!(language)) === true,
    }),
    words,
    explain: (text, language) =>
      typeof own.explain === 'function'
        ? attempt(() => own.explain(text, language))
        : [{ step: own.name, text: words(text, language).join(' ') }],
  };
}
