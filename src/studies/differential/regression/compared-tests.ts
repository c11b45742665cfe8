import type { CaseStatus } from '../case.ts';

/** What one recognizer once made of one sound. */
export interface StoredTest {
  /** Of the sound: the same in both that are compared. */
  readonly sound: string;
  /** Normalized. */
  readonly text: string;
  readonly recognizer: string;
  readonly transcript: string;
  readonly status: CaseStatus;
}

/** A test before and after. What was failed before says as well what is to be heard again. */
export interface ComparedTest {
  readonly before: StoredTest;
  readonly after: StoredTest;
}

/** What became of tests. */
export interface Changes {
  /** Tests that both have an answer to. */
  readonly tests: number;
  readonly texts: number;
  /** Failed before: right now, or wrong still. */
  readonly fixed: readonly ComparedTest[];
  readonly stillFailing: readonly ComparedTest[];
  /** Right before and wrong now. */
  readonly newFailures: readonly ComparedTest[];
  readonly stillRight: number;
  /** Nobody had it right before: right now, or wrong still. */
  readonly nowRight: number;
  readonly stillWrong: number;
  /** Tests without a counterpart. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly compared: readonly ComparedTest[];
}

/**
 * Sets the tests of one recognizer before and after against each other, sound by sound. Afterwards a test is right or wrong by its
 * transcript alone: a run with a single recognizer knows no failed tests. What was right before by a tolerant rule is right still where
 * the transcript is the same.
 *
 * @example compareTests(before, after).fixed.length
 */
export function compareTests(before: readonly StoredTest[], after: readonly StoredTest[]): Changes {
  const later = new Map(after.map((test) => [test.sound, test]));
  const compared = before.flatMap((test): ComparedTest[] => {
    const match = later.get(test.sound);
    return match === undefined ? [] : [{ before: test, after: match }];
  });
  const of = (status: CaseStatus, right: boolean) =>
    compared.filter((test) => test.before.status === status && isRightNow(test) === right);
  return {
    tests: compared.length,
    texts: new Set(compared.map((test) => test.before.text)).size,
    fixed: of('failed', true),
    stillFailing: of('failed', false),
    newFailures: of('success', false),
    stillRight: of('success', true).length,
    nowRight: of('indeterminable', true).length,
    stillWrong: of('indeterminable', false).length,
    onlyBefore: before.length - compared.length,
    onlyAfter: after.length - compared.length,
    compared,
  };
}

/** Whether the recognizer gets a compared sound right now. */
export function isRightNow({ before, after }: ComparedTest): boolean {
  return after.status === 'success' || (before.status === 'success' && after.transcript === before.transcript);
}
