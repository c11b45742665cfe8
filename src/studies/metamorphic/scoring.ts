import type { Utterance } from '../../model/utterance.ts';
import { alignOperations } from '../../scoring/alignment/align.ts';
import { operation } from '../../scoring/alignment/trace-back.ts';
import { bleuOf } from '../../scoring/bleu/bleu.ts';
import { type BleuOptions, bleuWeights } from '../../scoring/bleu/bleu-options.ts';
import { countBleuNgrams } from '../../scoring/bleu/ngram-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import type { ClusterSums, Field } from './cluster-sums.ts';
import type { Design } from './design.ts';
import type { FirstAnswers, IdentityControl } from './first-answers.ts';
import { type MetamorphicOptions, tokensOf, type Unit, unitOf } from './options.ts';

/** Everything that scoring needs besides the answers. */
export interface Scoring {
  readonly design: Design;
  readonly options: MetamorphicOptions;
  readonly bleu: BleuVariant;
  readonly first: FirstAnswers;
  readonly validity: CaseValidity | null;
  readonly critical: (unit: Unit) => ReadonlySet<string>;
  readonly unit: (utterance: Utterance) => Unit;
  readonly tokens: (text: string, unit: Unit, language?: string) => readonly string[];
  /** Numbers of the utterances whose similarity of meaning is asked for. */
  readonly similaritySample: ReadonlySet<number>;
}

/** Puts together what scoring needs. */
export function prepareScoring(known: {
  readonly design: Design;
  readonly options: MetamorphicOptions;
  readonly first: FirstAnswers;
  readonly validity: CaseValidity | null;
  readonly normalizer: Normalizer;
  readonly similaritySample: ReadonlySet<number>;
}): Scoring {
  const { options, normalizer } = known;
  const tokens = (text: string, unit: Unit, language?: string) => tokensOf(text, unit, normalizer, language);
  const critical = {
    words: new Set(options.robustness.criticalWords.flatMap((word) => tokens(word, 'words'))),
    characters: new Set(options.robustness.criticalWords.flatMap((word) => tokens(word, 'characters'))),
  };
  return {
    ...known,
    bleu: options.profile === 'sr-mt' ? publishedBleu : soundBleu,
    critical: (unit) => critical[unit],
    unit: ({ language }) => unitOf(language, options.unit),
    tokens,
  };
}

/** How BLEU-1 to BLEU-4 of a pair are made. */
interface BleuVariant {
  readonly orders: readonly [BleuOptions, BleuOptions, BleuOptions, BleuOptions];
  /** Of a pair whose expected transcript is empty: 0 as NLTK has it, or null, which leaves it out. */
  readonly ofNothing: 0 | null;
  readonly about: string;
}

const weightsOf = [bleuWeights['bleu-1'], bleuWeights['bleu-2'], bleuWeights['bleu-3'], bleuWeights['bleu-4']] as const;

/** As SR-MT's program: NLTK without smoothing, thirds written as .33. A pair without a common 4-gram has BLEU-4 of 0. */
const publishedBleu: BleuVariant = {
  orders: [
    { weights: weightsOf[0] },
    { weights: weightsOf[1] },
    { weights: bleuWeights['sr-mt/bleu-3'] },
    { weights: weightsOf[3] },
  ],
  ofNothing: 0,
  about: 'mean of sentence BLEU without smoothing, weights of BLEU-3 .33 each; an empty source counts 0',
};

/** sacreBLEU's for single sentences: short identical pairs have 1, and one missing order does not make a pair worthless. */
const soundBleu: BleuVariant = {
  orders: [1, 2, 3, 4].map((order) => ({
    weights: weightsOf[order - 1]!,
    smoothing: 'exp' as const,
    effectiveOrder: true,
  })) as unknown as BleuVariant['orders'],
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

/** Edits between what was expected and what came, and where words were added. */
interface PairEdits {
  readonly edits: number;
  readonly length: number;
  /** Words before the first, among, and after the last of the expected ones; all 0 where nothing was expected. */
  readonly extra: { readonly before: number; readonly inside: number; readonly after: number };
  /** Words that came although nothing was expected. */
  readonly extraAlone: number;
  readonly criticalWords: number;
  readonly criticalKept: number;
}

/**
 * Aligns a pair by least edits.
 *
 * @param critical tokens that must not be lost
 * @example pairEdits(['stop'], ['please', 'stop', 'it'], new Set(['stop'])).extra // { before: 1, inside: 0, after: 1 }
 */
function pairEdits(expected: readonly string[], followUp: readonly string[], critical: ReadonlySet<string>): PairEdits {
  const operations = alignOperations(expected, followUp);
  let edits = 0;
  let seen = 0;
  /** Words added since the last expected one. */
  let pending = 0;
  const extra = { before: 0, inside: 0, after: 0 };
  let criticalWords = 0;
  let criticalKept = 0;
  for (const step of operations) {
    if (step !== operation.correct) edits++;
    if (step === operation.insertion) {
      pending++;
      continue;
    }
    if (seen === 0) extra.before = pending;
    else extra.inside += pending;
    pending = 0;
    if (critical.has(expected[seen]!)) {
      criticalWords++;
      if (step === operation.correct) criticalKept++;
    }
    seen++;
  }
  if (expected.length > 0) extra.after = pending;
  const extraAlone = expected.length > 0 ? 0 : pending;
  return { edits, length: expected.length, extra, extraAlone, criticalWords, criticalKept };
}

/** Who was wrong where a relation is violated. */
export type Wrong = 'source' | 'follow-up' | 'both' | 'neither';

/** Adds a case to the sums; gives its edits. */
export function addCase(
  all: readonly ClusterSums<Field>[],
  known: {
    readonly cluster: number;
    readonly expected: readonly string[];
    readonly followUp: readonly string[];
    readonly control: IdentityControl | null;
    readonly wrong: Wrong | null;
    readonly isViolated: boolean;
    readonly first: boolean;
  },
  scoring: Pick<Scoring, 'bleu'> & { readonly critical: ReadonlySet<string> },
): number {
  const { cluster, expected, followUp, control, wrong, isViolated, first } = known;
  const bleu = pairBleu(expected, followUp, scoring.bleu);
  const { edits, length, extra, extraAlone, criticalWords, criticalKept } = pairEdits(
    expected,
    followUp,
    scoring.critical,
  );
  const violation = Number(isViolated);
  for (const sums of all) {
    const add = (field: Field, value: number) => sums.add(cluster, field, value);
    add('pairs', 1);
    add('utterances', Number(first));
    add('violations', violation);
    if (bleu !== null) {
      add('bleuPairs', 1);
      add('bleuLoss1', 1 - bleu[0]!);
      add('bleuLoss2', 1 - bleu[1]!);
      add('bleuLoss3', 1 - bleu[2]!);
      add('bleuLoss4', 1 - bleu[3]!);
    }
    if (length > 0) {
      add('rates', edits / length);
      add('ratePairs', 1);
    }
    add('edits', edits);
    add('tokens', length);
    add('extraBefore', extra.before);
    add('extraInside', extra.inside);
    add('extraAfter', extra.after);
    add('extraAlone', extraAlone);
    add('criticalWords', criticalWords);
    add('criticalLost', criticalWords - criticalKept);
    if (control !== null) {
      add('controlPairs', 1);
      add('controlViolations', violation);
      add('controlDiffering', control.differing);
      add('steadyPairs', Number(control.steady));
      add('steadyViolations', control.steady ? violation : 0);
    }
    if (wrong !== null) {
      add('referencePairs', 1);
      add('referenceViolations', violation);
      if (isViolated && wrong === 'source') add('sourceWrong', 1);
      if (isViolated && wrong === 'follow-up') add('followUpWrong', 1);
      if (isViolated && wrong === 'both') add('bothWrong', 1);
      if (!isViolated && wrong !== 'neither') add('sameError', 1);
    }
  }
  return edits;
}
