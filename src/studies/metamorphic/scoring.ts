import { alignOperations } from '../../scoring/alignment/align.ts';
import { operation } from '../../scoring/alignment/trace-back.ts';
import { bleuOf } from '../../scoring/bleu/bleu.ts';
import { type BleuOptions, bleuWeights } from '../../scoring/bleu/bleu-options.ts';
import { countBleuNgrams } from '../../scoring/bleu/ngram-counts.ts';
import type { IdentityControl } from './first-answers.ts';
import type { Field } from './relation-cube.ts';

/** How BLEU-1 to BLEU-4 of a pair are made. */
export interface BleuVariant {
  readonly orders: readonly BleuOptions[];
  /** Of a pair whose expected transcript is empty: 0 as NLTK has it, or null, which leaves it out. */
  readonly ofNothing: 0 | null;
  readonly about: string;
}

const weights = [bleuWeights['bleu-1'], bleuWeights['bleu-2'], bleuWeights['bleu-3'], bleuWeights['bleu-4']];

/** As SR-MT's program: NLTK without smoothing, thirds written as .33. A pair without a common 4-gram has BLEU-4 of 0. */
export const publishedBleu: BleuVariant = {
  orders: weights.with(2, bleuWeights['sr-mt/bleu-3']).map((own) => ({ weights: own })),
  ofNothing: 0,
  about: 'mean of sentence BLEU without smoothing, weights of BLEU-3 .33 each; an empty source counts 0',
};

/** sacreBLEU's for single sentences: short identical pairs have 1, and one missing order does not make a pair worthless. */
export const soundBleu: BleuVariant = {
  orders: weights.map((own) => ({ weights: own, smoothing: 'exp', effectiveOrder: true })),
  ofNothing: null,
  about: 'mean of sentence BLEU, exponential smoothing, effective order (sacreBLEU)',
};

/** Sentence BLEU-1 to BLEU-4; null where the expected transcript is empty and the variant leaves that out. */
function pairBleu(
  expected: readonly string[],
  followUp: readonly string[],
  { orders, ofNothing }: BleuVariant,
): readonly number[] | null {
  if (expected.length === 0) return ofNothing === null ? null : [0, 0, 0, 0];
  const counts = countBleuNgrams([expected], followUp, 4);
  return orders.map((options) => bleuOf(counts, options).value ?? 0);
}

/**
 * A pair aligned by least edits: these, and where words were added; `extraAlone` are those that came although nothing was expected.
 *
 * @param critical tokens that must not be lost
 * @example editCounts(['stop'], ['please', 'stop', 'it'], new Set(['stop'])) // extraBefore 1, extraInside 0, extraAfter 1
 */
function editCounts(expected: readonly string[], followUp: readonly string[], critical: ReadonlySet<string>) {
  let edits = 0;
  let seen = 0;
  /** Words added since the last expected one. */
  let pending = 0;
  let [extraBefore, extraInside, criticalWords, criticalLost] = [0, 0, 0, 0];
  for (const step of alignOperations(expected, followUp)) {
    if (step !== operation.correct) edits++;
    if (step === operation.insertion) {
      pending++;
      continue;
    }
    if (seen === 0) extraBefore = pending;
    else extraInside += pending;
    pending = 0;
    if (critical.has(expected[seen]!)) {
      criticalWords++;
      if (step !== operation.correct) criticalLost++;
    }
    seen++;
  }
  const tokens = expected.length;
  const rate = tokens > 0 ? { rates: edits / tokens, ratePairs: 1 } : {};
  const added = { extraBefore, extraInside, ...(tokens > 0 ? { extraAfter: pending } : { extraAlone: pending }) };
  return { edits, tokens, ...rate, ...added, criticalWords, criticalLost };
}

/** Who was wrong where a relation is violated. */
export type Wrong = 'source' | 'follow-up' | 'both' | 'neither';

/** A clip, changed, heard by one recognizer before and after. */
export interface Case {
  readonly expected: readonly string[];
  readonly followUp: readonly string[];
  readonly isViolated: boolean;
  /** Null: the clean clip was recognized once. */
  readonly control: IdentityControl | null;
  /** Null: there is no reference. */
  readonly wrong: Wrong | null;
}

/** What a case adds to the sums. */
export function countsOfCase(
  { expected, followUp, isViolated, control, wrong }: Case,
  variant: BleuVariant,
  critical: ReadonlySet<string>,
): Readonly<Partial<Record<Field, number>>> & { readonly edits: number } {
  const bleu = pairBleu(expected, followUp, variant);
  const violations = Number(isViolated);
  const wrongly = (who: Wrong) => Number(isViolated && wrong === who);
  return {
    pairs: 1,
    violations,
    ...(bleu !== null && { bleuPairs: 1 }),
    ...(bleu !== null && Object.fromEntries(bleu.map((value, order) => [`bleuLoss${order + 1}`, 1 - value]))),
    ...editCounts(expected, followUp, critical),
    ...(control !== null && {
      controlPairs: 1,
      controlViolations: violations,
      controlDiffering: control.differing,
      steadyPairs: Number(control.steady),
      steadyViolations: control.steady ? violations : 0,
    }),
    ...(wrong !== null && {
      referencePairs: 1,
      referenceViolations: violations,
      sourceWrong: wrongly('source'),
      followUpWrong: wrongly('follow-up'),
      bothWrong: wrongly('both'),
      sameError: Number(!isViolated && wrong !== 'neither'),
    }),
  };
}
