import type { JsonObject } from '../../base/json.ts';
import { visibleText } from '../../base/printable.ts';
import {
  coversLanguage,
  type SentenceEmbedder,
  type SentenceVector,
  type TextSimilarity,
} from '../../model/text-services.ts';

/** Two texts whose meanings are compared: a reference, or the transcript of the clean sound, and a hypothesis. */
export interface TextPair {
  readonly reference: string;
  readonly hypothesis: string;
}

/** A number that may not exist: null always comes with a reason. */
export type Similarity = TextSimilarity;

export interface SemanticSimilarity {
  /** One for each pair, in their order. */
  readonly pairs: readonly Similarity[];
  /** The model that measured, as the embedder names it. */
  readonly model: JsonObject & { readonly name: string };
  readonly language: string;
  /** What a reader must know: the model was used beyond the languages it declares. */
  readonly note?: string;
}

export interface SemanticSimilarityOptions {
  /** Language of the texts, a BCP 47 tag. */
  readonly language: string;
  /**
   * Computes also in a language that the embedder does not declare, and says so in `note`. As published for SR-MT, where
   * an English model judged Chinese.
   */
  readonly anyLanguage?: boolean;
}

/**
 * How near the meanings of two texts are, by the cosine of their sentence vectors (N. Reimers and I. Gurevych,
 * "Sentence-BERT", EMNLP 2019). Each different text is embedded once. Where a text is empty, where the embedder does not
 * declare the language, or where a vector is zero or not finite, the value is null with the reason: no other measure takes
 * its place. Where a text was longer than the model reads, `note` of its pair says so.
 *
 * @throws RangeError where the embedder gives another number of vectors than texts, or vectors of different lengths
 * @example
 * const result = await semanticSimilarity([{ reference: 'turn it up', hypothesis: 'make it louder' }], embedder, { language: 'en' });
 * result.pairs[0].value // .8, say; result.model.name says by whom
 */
export async function semanticSimilarity(
  pairs: readonly TextPair[],
  embedder: SentenceEmbedder,
  { language, anyLanguage = false }: SemanticSimilarityOptions,
): Promise<SemanticSimilarity> {
  const result = { model: embedder.model, language };
  const covered = coversLanguage(embedder.languages, language);
  const facts = covered ? '' : undeclared(embedder, language);
  if (!covered && !anyLanguage) return { ...result, pairs: pairs.map(() => ({ value: null, reason: facts })) };

  const texts = new Set<string>();
  for (const { reference, hypothesis } of pairs) {
    if (isEmpty(reference) || isEmpty(hypothesis)) continue;
    texts.add(reference).add(hypothesis);
  }
  const asked = [...texts];
  const vectors = asked.length === 0 ? [] : await vectorsOf(asked, embedder);
  if (vectors.length !== asked.length) {
    throw new RangeError(
      `expected ${asked.length} vectors, one for each text, but the embedder gave ${vectors.length}`,
    );
  }
  const vectorOf = new Map(asked.map((text, index) => [text, vectors[index]!]));
  return {
    ...result,
    pairs: pairs.map((pair) => compare(pair, vectorOf)),
    ...(covered ? {} : { note: `${facts}; computed all the same, as the profile asks` }),
  };
}

function undeclared(embedder: SentenceEmbedder, language: string): string {
  const declared = embedder.languages.length === 0 ? 'no language' : embedder.languages.join(', ');
  return `the model ${visibleText(embedder.model.name)} declares ${visibleText(declared)}, not ${visibleText(language)}`;
}

function isEmpty(text: string): boolean {
  return text.trim() === '';
}

async function vectorsOf(texts: readonly string[], embedder: SentenceEmbedder): Promise<readonly SentenceVector[]> {
  if (embedder.embedTexts) return embedder.embedTexts(texts);
  return (await embedder.embed(texts)).map((vector) => ({ vector }));
}

function compare({ reference, hypothesis }: TextPair, vectorOf: ReadonlyMap<string, SentenceVector>): Similarity {
  if (isEmpty(reference)) {
    return { value: null, reason: isEmpty(hypothesis) ? 'both texts are empty' : 'the reference is empty' };
  }
  if (isEmpty(hypothesis)) return { value: null, reason: 'the hypothesis is empty' };
  const sides = { reference: vectorOf.get(reference)!, hypothesis: vectorOf.get(hypothesis)! };
  const told = (what: 'reason' | 'note') =>
    Object.entries(sides).flatMap(([side, given]) => (given[what] === undefined ? [] : `the ${side}: ${given[what]}`));
  const notes = told('note');
  const note = notes.length === 0 ? {} : { note: notes.join('; ') };
  const a = sides.reference.vector;
  const b = sides.hypothesis.vector;
  if (a === null || b === null)
    return { value: null, reason: told('reason').join('; ') || 'there is no vector', ...note };
  return { ...cosine(a, b), ...note };
}

function cosine(a: Float32Array, b: Float32Array): Similarity {
  if (a.length !== b.length) {
    throw new RangeError(`expected vectors of one length, but the embedder gave ${a.length} and ${b.length} numbers`);
  }
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let index = 0; index < a.length; index++) {
    product += a[index]! * b[index]!;
    squareA += a[index]! * a[index]!;
    squareB += b[index]! * b[index]!;
  }
  const scale = Math.sqrt(squareA) * Math.sqrt(squareB);
  if (!Number.isFinite(scale)) return { value: null, reason: 'the model gave a vector that is not finite' };
  if (scale === 0) return { value: null, reason: 'the model gave a vector of zeros' };
  // Rounding can lead a hair beyond 1 where both vectors are the same.
  return { value: Math.max(-1, Math.min(1, product / scale)) };
}
