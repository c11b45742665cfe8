import { countEdits } from '../../scoring/alignment/count-edits.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts } from '../shared/failures.ts';
import { RowCounts } from '../shared/row-counts.ts';
import type { Design } from './design.ts';

/** What was counted in one pass over the answers, by the survey's rows; its size follows speakers, profiles and recognizers. */
export interface Tally {
  /** Words and errors of a recognizer: in clean sound, of all recordings. */
  main(recognizer: number): RowCounts;
  /** The same in one domain. */
  domain(recognizer: number, domain: number): RowCounts;
  /** Those of `recognizer`'s answers to which `other` failed: to be taken out of a comparison. */
  without(recognizer: number, other: number): RowCounts;
  /** Failed trials of `main` as errors, all that were asked as words. */
  failures(recognizer: number): RowCounts;
  /** By recognizer, then condition: `recognizer * conditions + condition`. */
  readonly trials: FailureCounts;
  /** Utterances without a word in the reference after normalization. */
  readonly withoutWords: number;
}

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  design: Design,
  normalizer: Normalizer,
): Promise<Tally> {
  const { recognizers, conditions, domains, survey } = design;
  const count = recognizers.length;
  const rowsOf = (places: number) => Array.from({ length: places }, () => new RowCounts());
  const main = rowsOf(count);
  const inDomain = rowsOf(count * domains.length);
  const without = rowsOf(count * count);
  const failures = rowsOf(count);
  const trials = new FailureCounts(count * conditions.length);
  const recognizerNumbers = new Map(recognizers.map(({ name }, index) => [name, index]));
  const conditionNumbers = new Map(conditions.map(({ name }, index) => [name, index]));
  const { words } = normalizer;
  let withoutWords = 0;
  /** The utterance in hand: errors of each recognizer in clean sound, -1 where it failed, -2 where it was not asked. */
  let sheet: {
    readonly id: string;
    readonly row: number;
    readonly reference: string[];
    readonly found: Int32Array;
  } | null = null;

  const leave = ({ row, reference, found }: NonNullable<typeof sheet>) => {
    for (let failed = 0; failed < count; failed++) {
      if (found[failed] !== -1) continue;
      for (let other = 0; other < count; other++) {
        if (found[other]! >= 0) without[other * count + failed]!.add(row, found[other]!, reference.length, 1, 1);
      }
    }
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, condition, recognizer } = answer.trial;
    if (sheet === null || sheet.id !== utterance.id) {
      if (sheet !== null) leave(sheet);
      const reference = words(utterance.reference ?? '', utterance.language);
      if (reference.length === 0) withoutWords++;
      sheet = { id: utterance.id, row: survey.rowOf(utterance), reference, found: new Int32Array(count).fill(-2) };
    }
    const number = recognizerNumbers.get(recognizer)!;
    const conditionNumber = conditionNumbers.get(condition.name)!;
    const place = number * conditions.length + conditionNumber;
    const { observation } = answer;
    const failed = observation.failure !== undefined;
    if (conditionNumber === 0) failures[number]!.add(sheet.row, failed ? 1 : 0, 1, 1, 1);
    if (observation.failure) {
      trials.addFailure(place, observation.failure.kind);
      if (conditionNumber === 0) sheet.found[number] = -1;
      continue;
    }
    trials.addAnswer(place);
    const wrong = errors(countEdits(sheet.reference, words(observation.transcript.text, utterance.language)));
    if (conditionNumber === 0) {
      sheet.found[number] = wrong;
      main[number]!.add(sheet.row, wrong, sheet.reference.length, 1, 1);
    }
    const domain = design.domainOf(utterance, conditionNumber);
    if (domain !== null && domains.length > 0) {
      inDomain[number * domains.length + domain]!.add(sheet.row, wrong, sheet.reference.length, 1, 1);
    }
  }
  if (sheet !== null) leave(sheet);
  return {
    main: (recognizer) => main[recognizer]!,
    domain: (recognizer, domain) => inDomain[recognizer * domains.length + domain]!,
    without: (recognizer, other) => without[recognizer * count + other]!,
    failures: (recognizer) => failures[recognizer]!,
    trials,
    withoutWords,
  };
}
