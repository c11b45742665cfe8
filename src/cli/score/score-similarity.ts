import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { limitText } from '../../base/limit-text.ts';
import { type Similarity, semanticSimilarity } from '../../scoring/similarity/semantic-similarity.ts';
import { openEmbedder } from '../../session/members/open-embedder.ts';
import type { ScoringPair } from './scoring-pair.ts';

/** How near the meanings of pairs are, one after the other. */
export interface PairSimilarity {
  /** Whatever decides the vectors. */
  readonly model: JsonObject & { readonly name: string };
  /** Which language the texts are taken to be in. */
  readonly language: string;
  of(pair: ScoringPair): Promise<Similarity>;
}

const defaultLanguage = 'en';

/**
 * Opens a model of sentences. Texts go to it as they are, not normalized: it was trained with capitals and punctuation.
 *
 * @param spec an embedder with its options, as in a config
 * @param language of all texts; null for the column `language` of each pair, `en` where it has none
 * @throws EarwitnessError as `openEmbedder`
 */
export async function openPairSimilarity(
  spec: string,
  language: string | null,
): Promise<PairSimilarity & { close(): Promise<void> }> {
  if (language !== null && !/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(language)) {
    throw new EarwitnessError(
      'bad-usage',
      `expected --language to be a tag like en or pt-BR, but got ${JSON.stringify(limitText(language, 40))}`,
    );
  }
  const embedder = await openEmbedder(spec);
  return {
    model: embedder.model,
    language: language ?? `of each pair, else ${defaultLanguage}`,
    async of(pair) {
      if (pair.reference.alternatives && /[{}]/.test(pair.reference.text)) {
        return { value: null, reason: 'the reference has several wordings' };
      }
      const texts = { reference: pair.reference.text, hypothesis: pair.hypothesis.text };
      const tag = language ?? pair.values('language')[0] ?? defaultLanguage;
      return (await semanticSimilarity([texts], embedder, { language: tag })).pairs[0]!;
    },
    close: () => embedder.close(),
  };
}
