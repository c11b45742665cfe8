import { z } from 'zod';
import { byLanguage, normalizerOf } from '../../scoring/normalizers/by-language.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { normalizerNamed, normalizers } from '../../scoring/normalizers/normalizers.ts';
import type { StudyContext } from '../contract.ts';

/** What makes words where nobody says what does. */
export const defaultNormalizer = byLanguage.name;

/**
 * The option `normalizer` of a study: a name, or the path of a module of the user's own. Whether there is such a one is
 * checked with the config, which can load modules; here the names are for editors.
 */
export const normalizerOption = z
  .union([z.enum(Object.keys(normalizers) as [string, ...string[]]), z.string().min(1).max(4096)])
  .default(defaultNormalizer);

/**
 * The normalizer that a study's options name. By language, where all utterances are of languages that have one, it is that itself
 * (`english`, `basic`, …), so that findings name what was done to the words.
 *
 * @param name what `normalizerOption` gave
 * @throws EarwitnessError `bad-config` where there is none
 * @example const { words } = await chosenNormalizer(context, 'by-language'); words('Mr. Smith') // ['mister', 'smith']
 */
export async function chosenNormalizer(context: StudyContext, name: string): Promise<Normalizer> {
  if (name !== byLanguage.name) return (await context.normalizer?.(name)) ?? normalizerNamed(name);
  const seen = new Set<Normalizer>();
  for await (const { language } of context.utterances()) {
    seen.add(normalizerOf(language));
    if (seen.size > 1) return byLanguage;
  }
  return [...seen][0] ?? normalizerOf(undefined);
}
