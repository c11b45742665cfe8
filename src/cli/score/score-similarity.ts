import type { JsonObject } from '../../base/json.ts';
import { type Similarity, semanticSimilarity } from '../../scoring/similarity/semantic-similarity.ts';
import { openEmbedder } from '../../session/open/parse-spec.ts';
import { type ClusterInterval, createClusterCounts } from './cluster-counts.ts';
import { languageOf, type ScoringPair } from './scoring-pair.ts';

/** The mean similarity of a set of pairs. */
export interface SimilarityScore {
  /** Null where no pair has a similarity. */
  readonly mean: number | null;
  readonly utterances: number;
  /** Pairs without a similarity, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Pairs of which the model did not read all. */
  readonly cut: number;
  readonly interval: ClusterInterval;
}

/** So many different reasons are told; they hold no text of a pair. */
const maxReasons = 20;

export interface SimilarityTally {
  add(similarity: Similarity, speaker: string | null): void;
  score(): SimilarityScore;
}

/** Adds up how near meanings are, with an interval over speakers. */
export function createSimilarityTally(): SimilarityTally {
  const clusters = createClusterCounts();
  const leftOut = new Map<string, number>();
  let sum = 0;
  let utterances = 0;
  let cut = 0;
  return {
    add({ value, reason, note }, speaker) {
      if (note !== undefined) cut++;
      if (value === null) {
        const told = leftOut.size < maxReasons || leftOut.has(reason!) ? reason! : 'other reasons';
        leftOut.set(told, (leftOut.get(told) ?? 0) + 1);
        return;
      }
      sum += value;
      utterances++;
      // Distances are 0 or more, as the interval of a rate asks.
      clusters.add(speaker, { id: null, errors: 1 - value, words: 1 });
    },
    score() {
      const { value, low, high, ...rest } = clusters.interval();
      const mirrored = (limit: number | null) => (limit === null ? null : Math.max(-1, 1 - limit));
      return {
        mean: utterances === 0 ? null : sum / utterances,
        utterances,
        leftOut: Object.fromEntries(leftOut),
        cut,
        interval: { value: mirrored(value), low: mirrored(high), high: mirrored(low), ...rest },
      };
    },
  };
}

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
  const embedder = await openEmbedder(spec);
  return {
    model: embedder.model,
    language: language ?? `of each pair, else ${defaultLanguage}`,
    async of(pair) {
      if (pair.reference.alternatives && /[{}]/.test(pair.reference.text)) {
        return { value: null, reason: 'the reference has several wordings' };
      }
      const texts = { reference: pair.reference.text, hypothesis: pair.hypothesis.text };
      const tag = languageOf(pair, { language }) ?? defaultLanguage;
      return (await semanticSimilarity([texts], embedder, { language: tag })).pairs[0]!;
    },
    close: () => embedder.close(),
  };
}
