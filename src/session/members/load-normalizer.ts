import { basename, resolve } from 'node:path';
import { badConfig, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';
import { basic, none, plain } from '../../scoring/normalizers/basic.ts';
import { byLanguage } from '../../scoring/normalizers/by-language.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { plainEnglish } from '../../scoring/normalizers/plain-english/plain-english.ts';
import { parseSpellings, withSpellings } from '../../scoring/spellings/spellings.ts';
import { readTextLines } from '../../system/text-lines.ts';
import { isModulePath, loadOwnModule } from './own-module.ts';

/** Name or module, and behind a + each what is equal: a matter of taste by its name, or a list by its path. */
const named = /^(?<own>[\s\S]*?\.[cm]?[jt]s(?=\+|$)|[^+]*)(?:\+(?<equal>[\s\S]*))?$/;

/** What a name asks for: the normalizer, matters of taste, and lists of the user's own. */
function partsOf(name: string): { readonly own: string; readonly tastes: string[]; readonly lists: string[] } {
  const { own = name, equal } = named.exec(name)?.groups ?? {};
  const parts = equal === undefined ? [] : equal.split('+');
  const isList = (part: string) => /[./\\]/.test(part);
  return { own, tastes: parts.filter((part) => !isList(part)), lists: parts.filter(isList) };
}

/** Whether a normalizer is read from files of the user's own: a module, or lists of equal spellings. */
export function isOwnNormalizer(name: string): boolean {
  const { own, lists } = partsOf(name);
  return isModulePath(own) || lists.length > 0;
}

/**
 * A normalizer by its name, or a user's own by the path of its module, meant from `baseFolder`: what `makeNormalizer` gives, or
 * any object with `name`, `version`, `about` and `words`. Behind a + follow equal spellings (`by-language+sharp-s+./names.csv`): matters of
 * taste, and lists as `parseSpellings` reads them. The hash of files is part of its identity.
 *
 * @throws EarwitnessError `bad-config`: no normalizer has this name (the nearest one is suggested), or the module is missing,
 * fails, or exports no normalizer. One of the user's own that fails on a text throws it then.
 * @example const { words } = await loadNormalizer('./mine.ts', process.cwd())
 */
export async function loadNormalizer(name: string, baseFolder: string): Promise<Normalizer> {
  const { own, tastes, lists: files } = partsOf(name);
  const found = await loadOne(own, baseFolder);
  if (tastes.length === 0 && files.length === 0) return found;
  const texts = await Promise.all(files.map((file) => readText(file, baseFolder)));
  const lists = texts.map((text, index) => ({
    name: basename(files[index]!),
    spellings: parseSpellings(text, files[index]!),
  }));
  const module = files.length === 0 ? found.module : sha256([found.module ?? '', ...texts].join('\0'));
  return withSpellings(found, { tastes, lists, ...(module !== undefined && { module }) });
}

async function readText(file: string, baseFolder: string): Promise<string> {
  const lines: string[] = [];
  for await (const { text } of readTextLines(resolve(baseFolder, file), file)) lines.push(text);
  return lines.join('\n');
}

/** What the words of most texts are made by; the others, with their lists, are loaded where one of them is asked for. */
const atHand: readonly Normalizer[] = [byLanguage, plain, basic, none, plainEnglish];

async function loadOne(name: string, baseFolder: string): Promise<Normalizer> {
  if (!isModulePath(name)) {
    if (/\.[cm]?[jt]s$/.test(name)) {
      const shown = printable(name, 100);
      throw badConfig(
        `expected the name of a normalizer or the path of a module, but got "${shown}"; did you mean "./${shown}"?`,
      );
    }
    const found = atHand.find((one) => one.name === name);
    if (found !== undefined) return found;
    const { normalizerNamed } = await import('../../scoring/normalizers/normalizers.ts');
    return normalizerNamed(name);
  }
  const { exported, hash } = await loadOwnModule(name, baseFolder, 'normalizer', ['name', 'version', 'about', 'words']);
  return checkedNormalizer(exported as Normalizer, name, hash);
}

function checkedNormalizer(own: Normalizer, path: string, module: string): Normalizer {
  const fail = (problem: string, cause?: unknown) =>
    badConfig(`${path}: expected a normalizer, but ${problem}`, { cause });
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
