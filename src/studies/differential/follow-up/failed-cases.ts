import type { Condition } from '../../../model/condition.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { DifferentialCase } from '../case.ts';
import type { FailedWords } from '../shrinking/cluster-failures.ts';
import type { FollowUpInput } from './contract.ts';
import { isSpoken } from './made-utterance.ts';

/** A failed case with what is needed to ask about other texts in its place. */
export interface FailedCase extends FailedWords {
  readonly row: DifferentialCase;
  /** Null where nobody synthesized the sound, so that nothing else can be said in its place. */
  readonly spoken: { readonly utterance: Utterance; readonly condition: Condition } | null;
}

/** The failed cases, in the order in which they were tried. */
export function failedCases({
  cases,
  collected,
  conditions,
}: Pick<FollowUpInput, 'cases' | 'collected' | 'conditions'>): FailedCase[] {
  const failed = cases.filter(({ status }) => status === 'failed');
  const wanted = new Set(failed.map(({ sound }) => sound.utteranceId));
  const utterances = new Map<string, Utterance>();
  for (const { utterance } of collected) {
    if (wanted.has(utterance.id) && isSpoken(utterance)) utterances.set(utterance.id, utterance);
  }
  const named = new Map(conditions.map((condition) => [condition.name, condition]));
  return failed.map((row) => {
    const utterance = utterances.get(row.sound.utteranceId);
    const condition = named.get(row.sound.conditionName);
    return {
      row,
      reference: wordsOf(row.text),
      hypothesis: wordsOf(row.transcript),
      spoken: utterance === undefined || condition === undefined ? null : { utterance, condition },
    };
  });
}

/** Words of a text that is normalized already. */
export function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}
