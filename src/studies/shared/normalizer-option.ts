import { z } from 'zod';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { normalizerNamed, normalizers } from '../../scoring/normalizers/normalizers.ts';
import type { StudyContext } from '../contract.ts';

/**
 * The option `normalizer` of a study: a name, or the path of a module of the user's own. Whether there is such a one is
 * checked with the config, which can load modules; here the names are for editors.
 */
export const normalizerOption = z
  .union([z.enum(Object.keys(normalizers) as [string, ...string[]]), z.string().min(1).max(4096)])
  .default('basic');

/** The normalizer that a study's options name. */
export async function chosenNormalizer(context: StudyContext, name: string): Promise<Normalizer> {
  return (await context.normalizer?.(name)) ?? normalizerNamed(name);
}
