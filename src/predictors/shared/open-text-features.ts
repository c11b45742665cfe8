import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import type { PredictorServices } from '../contract.ts';
import { readFurtherTexts } from './read-further-texts.ts';
import { readPronunciations } from './read-pronunciations.ts';
import { createTextFeatures, type TextFeatures, textFeaturesVersion } from './text-features.ts';

/** Files that say more of words than the texts of a search do. */
export const textFeatureOptions = {
  dictionary: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Pronouncing dictionary in the format of PocketSphinx, such as its cmudict-en-us.dict: adds phonemes and words it does not have to the features',
    ),
  texts: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file of further texts, one on each line, that are counted and never spoken: a few hundred texts do not tell which words are rare',
    ),
};

type Files = { readonly [Name in keyof typeof textFeatureOptions]?: string | undefined };

/** Features of texts by themselves, with what identifies them. */
export interface OpenedTextFeatures {
  readonly featuresOf: TextFeatures;
  readonly identity: JsonObject;
}

/** @throws EarwitnessError `bad-config` for files that cannot be used */
export async function openTextFeatures(
  { dictionary, texts }: Files,
  services: PredictorServices,
): Promise<OpenedTextFeatures> {
  const pronunciations = dictionary === undefined ? null : await readPronunciations(dictionary, services);
  const further = texts === undefined ? null : await readFurtherTexts(texts, services);
  return {
    featuresOf: createTextFeatures(pronunciations?.phonemes ?? null, further?.texts ?? []),
    identity: {
      features: textFeaturesVersion,
      dictionary: pronunciations?.hash ?? null,
      texts: further?.hash ?? null,
    },
  };
}
