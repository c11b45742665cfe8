import type { ClusterSums, Field } from './cluster-sums.ts';
import type { IdentityControl } from './first-answers.ts';
import { pairBleu, pairEdits } from './pair-scores.ts';
import type { Scoring } from './scoring.ts';

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
