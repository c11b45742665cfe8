import { align } from '../scoring/alignment/align.ts';
import type { CaseStatus } from '../studies/differential/case.ts';

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

/** Tests of two versions compared: fixed, still failing, new. */
export interface TestChanges {
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
export function compareTests(before: readonly StoredTest[], after: readonly StoredTest[]): TestChanges {
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

/** What became of one entry of a list. */
export interface ListedWord {
  readonly words: string;
  /** How often texts have it. */
  readonly said: number;
  /** How often it was heard where the text has it. */
  readonly before: number;
  readonly after: number;
  /** How often it was written where the text has it not. */
  readonly addedBefore: number;
  readonly addedAfter: number;
}

/** What became of all entries in the tests of one text. */
export interface ListedText {
  readonly tests: number;
  readonly before: number;
  readonly after: number;
}

/**
 * How often the words of a list, of hints say, were heard before and are heard now, and written where nobody said them.
 *
 * @param list normalized words; several with blanks between them are one entry
 * @returns those that any text has or any transcript, in their order; and the sums of each text that has any
 * @example countListed(compared, ['rapporteur']).words // [{ words: 'rapporteur', said: 18, before: 0, after: 12, … }]
 */
export function countListed(
  compared: readonly ComparedTest[],
  list: readonly string[],
): { readonly words: readonly ListedWord[]; readonly texts: readonly ListedText[] } {
  const entries = [...new Set(list)].map((words) => ({
    parts: words.split(' '),
    counts: { words, said: 0, before: 0, after: 0, addedBefore: 0, addedAfter: 0 },
  }));
  const texts = new Map<string, { tests: number; before: number; after: number }>();
  for (const { before, after } of compared) {
    const [reference, once, now] = [wordsOf(before.text), heardIn(before), heardIn(after)];
    const sums = texts.get(before.text) ?? { tests: 0, before: 0, after: 0 };
    for (const { parts, counts } of entries) {
      const [said, rightOnce, rightNow] = [count(reference, parts), count(once.right, parts), count(now.right, parts)];
      counts.said += said;
      counts.before += rightOnce;
      counts.after += rightNow;
      counts.addedBefore += count(once.written, parts) - rightOnce;
      counts.addedAfter += count(now.written, parts) - rightNow;
      sums.tests += said;
      sums.before += rightOnce;
      sums.after += rightNow;
    }
    if (sums.tests > 0) texts.set(before.text, sums);
  }
  return {
    words: entries
      .map(({ counts }) => counts)
      .filter(({ said, addedBefore, addedAfter }) => said + addedBefore + addedAfter > 0),
    texts: [...texts.values()],
  };
}

/** The words that were written, and those of the text in its order with null for each that was not heard. */
function heardIn({ text, transcript }: ComparedTest['before']) {
  const written = wordsOf(transcript);
  const right: (string | null)[] = [];
  for (const pair of align(wordsOf(text), written)) {
    if (pair.reference === null) right.push(null);
    else right.push(pair.reference === pair.hypothesis ? pair.reference : null);
  }
  return { written, right };
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

function count(words: readonly (string | null)[], parts: readonly string[]): number {
  return words.filter((_, start) => parts.every((part, place) => words[start + place] === part)).length;
}
