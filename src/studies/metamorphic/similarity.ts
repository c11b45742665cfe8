import { createRandom } from '../../base/random.ts';
import type { Answer, Batch, StudyContext } from '../contract.ts';
import type { SimilarityCase } from './cases.ts';
import { sampledIndexes } from './design.ts';
import type { MetamorphicOptions } from './options.ts';
import type { RelationCube } from './relation-cube.ts';

type SimilarityOption = NonNullable<MetamorphicOptions['similarity']>;

/** Numbers of the utterances whose meaning is compared; none without the option. */
export function similaritySample(
  option: SimilarityOption | null,
  utteranceCount: number,
  { seed }: Pick<StudyContext, 'seed'>,
): ReadonlySet<number> {
  if (option === null) return new Set();
  return sampledIndexes(
    utteranceCount,
    option.utterances,
    createRandom({ seed, study: 'metamorphic', what: 'similarity sample' }),
  );
}

/** How near in meaning what was expected and what came are, case by case. */
export function similarityBatch(cases: readonly SimilarityCase[], { embedder, anyLanguage }: SimilarityOption): Batch {
  return {
    about: 'similarity of meaning',
    size: cases.length,
    async *questions() {
      for (const { utterance, reference, hypothesis } of cases) {
        yield { ask: 'similarity', embedder, utterance, reference, hypothesis, anyLanguage };
      }
    },
  };
}

/** What became of the questions about meaning. */
export interface SimilarityCounts {
  /** By reason, most frequent first: pairs that have no similarity. */
  readonly missing: readonly { readonly reason: string; readonly count: number }[];
  /** The model as the embedder describes it; null where nothing was asked. */
  readonly model: Extract<Answer, { readonly ask: 'similarity' }>['model'] | null;
}

/** Reasons that are told apart; texts in them could make as many as there are pairs. */
const maxReasons = 20;

/** Adds the answers to what is known of their cases. They come in the order in which the cases stand. */
export async function addSimilarities(
  answers: AsyncIterable<Answer>,
  cases: readonly SimilarityCase[],
  cube: RelationCube,
  { recognizers }: Pick<StudyContext, 'recognizers'>,
): Promise<SimilarityCounts> {
  const reasons = new Map<string, number>();
  let model: SimilarityCounts['model'] = null;
  let place = 0;
  for await (const answer of answers) {
    if (answer.ask !== 'similarity') continue;
    const { recognizer, utterance, scored } = cases[place++]!;
    model ??= answer.model;
    const { value, reason = 'no reason given' } = answer.similarity;
    if (value === null) {
      const known = reasons.has(reason) || reasons.size < maxReasons ? reason : 'other reasons';
      reasons.set(known, (reasons.get(known) ?? 0) + 1);
    } else {
      const fact = { ...scored, similarityPairs: 1, similarityLoss: 1 - value };
      cube.add(
        utterance,
        recognizers.map((_, number) => (number === recognizer ? fact : null)),
        'beside',
      );
    }
  }
  const missing = [...reasons].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
  return { missing, model };
}
