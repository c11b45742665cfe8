import type { TrialCounts } from './failures.ts';

/** What became of the trials of one recognizer in one condition, by name. */
export interface TrialRow extends TrialCounts {
  readonly condition: string;
  readonly recognizer: string;
}

/** Trials by condition, recognizers innermost, as sections and warnings about failures want them. */
export function trialRows(
  conditions: readonly { readonly name: string }[],
  recognizers: readonly { readonly name: string }[],
  at: (recognizer: number, condition: number) => TrialCounts,
): TrialRow[] {
  return conditions.flatMap((condition, place) =>
    recognizers.map((recognizer, number) => ({
      condition: condition.name,
      recognizer: recognizer.name,
      ...at(number, place),
    })),
  );
}
