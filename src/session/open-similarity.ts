import type { SimilarityMeter, SimilarityMeters } from '../engine/text-models.ts';
import type { SentenceEmbedder } from '../model/text-services.ts';
import { semanticSimilarity } from '../scoring/similarity/semantic-similarity.ts';
import type { ConfiguredMember } from './config/config.ts';
import type { EmbedderConfig } from './config/written-config.ts';
import { openEmbedder } from './members/open-embedder.ts';

/** Vectors that are remembered: a clip's transcript is compared with those of all its changed clips, one after another. */
const rememberedVectors = 1000;

/**
 * The embedders of a config, each opened when it is first asked.
 *
 * @param embedders by the names that the config gives them
 */
export function openSimilarity(
  embedders: Readonly<Record<string, ConfiguredMember>>,
  baseFolder: string,
): SimilarityMeters & { close(): Promise<void> } {
  const opened = new Map<string, ReturnType<typeof open>>();
  const open = async (name: string): Promise<{ meter: SimilarityMeter; close: () => Promise<void> }> => {
    const { type, options } = embedders[name]!;
    const embedder = await openEmbedder({ type, ...options } as EmbedderConfig, baseFolder);
    const vectors = new Map<string, Float32Array>();
    const remembering: SentenceEmbedder = {
      model: embedder.model,
      languages: embedder.languages,
      async embed(texts: readonly string[]) {
        const found: Float32Array[] = [];
        for (const text of texts) {
          const known = vectors.get(text) ?? (await embedder.embed([text]))[0]!;
          if (vectors.size >= rememberedVectors) vectors.clear();
          vectors.set(text, known);
          found.push(known);
        }
        return found;
      },
    };
    return {
      meter: {
        identity: embedder.identity,
        model: embedder.model,
        async compare({ reference, hypothesis, utterance: { language }, anyLanguage }) {
          const { pairs } = await semanticSimilarity([{ reference, hypothesis }], remembering, {
            language,
            anyLanguage,
          });
          return pairs[0]!;
        },
      },
      close: () => embedder.close(),
    };
  };
  return {
    names: Object.keys(embedders),
    async meter(name) {
      const known = opened.get(name) ?? open(name);
      opened.set(name, known);
      return (await known).meter;
    },
    async close() {
      for (const found of await Promise.allSettled(opened.values())) {
        if (found.status === 'fulfilled') await found.value.close();
      }
    },
  };
}
