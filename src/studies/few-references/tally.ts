import type { Word } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { rover } from '../../scoring/agreement/rover.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { attributeReader } from '../shared/attributes.ts';
import { createGroupTrials, FailureCounts, type GroupTrials } from '../shared/failures.ts';
import type { Design } from './design.ts';
import type { FewReferencesOptions } from './options.ts';
import { Moments, RowSums } from './sums.ts';

/** What was counted in one pass; its size follows speakers, profiles and recognizers. */
export interface Tally {
  readonly sums: readonly RowSums[];
  /** By recognizer, then profile. */
  readonly moments: readonly (readonly Moments[])[];
  readonly trials: FailureCounts;
  readonly groupTrials: GroupTrials;
  /** Of each recognizer recordings with a transcript and no verdict: no judge answered, or no confidences. */
  readonly withoutVerdict: readonly number[];
}

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  { recognizers, judges, survey }: Design,
  { verdict, bins }: FewReferencesOptions,
  normalizer: Normalizer,
): Promise<Tally> {
  const sums = recognizers.map(() => new RowSums());
  const moments = recognizers.map(() => survey.profiles.map(() => new Moments()));
  const trials = new FailureCounts(recognizers.length);
  const groupTrials = createGroupTrials(survey.groupBy, attributeReader(bins));
  const withoutVerdict = recognizers.map(() => 0);
  const numbers = new Map(recognizers.map(({ name }, number) => [name, number]));
  const { words } = normalizer;
  let sheet: { readonly utterance: Utterance; readonly heard: (Heard | undefined)[] } | null = null;

  const leave = ({ utterance, heard }: NonNullable<typeof sheet>) => {
    const row = survey.rowOf(utterance);
    const said = utterance.reference === undefined ? null : words(utterance.reference, utterance.language);
    for (const [number, own] of heard.entries()) {
      if (own === undefined) continue;
      const pseudo = pseudoVerdict(
        verdict,
        own,
        judges[number]!.flatMap((judge) => heard[judge] ?? []),
      );
      if (pseudo === null) {
        withoutVerdict[number]!++;
        continue;
      }
      sums[number]!.add(row, { allPseudoErrors: pseudo.errors, allPseudoWords: pseudo.words, all: 1 });
      if (said === null) continue;
      const wrong = errors(countEdits(said, own.words));
      sums[number]!.add(row, { everyError: wrong, everyWord: said.length, everyReference: 1 });
      if (!survey.isTranscribed(utterance)) continue;
      const { errors: pseudoErrors, words: pseudoWords } = pseudo;
      sums[number]!.add(row, { errors: wrong, words: said.length, pseudoErrors, pseudoWords, transcribed: 1 });
      const profile = survey.rows.profiles[row]!;
      moments[number]![profile]!.add([wrong, said.length, pseudoErrors, pseudoWords]);
    }
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, recognizer } = answer.trial;
    if (sheet === null || sheet.utterance.id !== utterance.id) {
      if (sheet !== null) leave(sheet);
      sheet = { utterance, heard: recognizers.map(() => undefined) };
      groupTrials.enter(utterance);
    }
    const number = numbers.get(recognizer)!;
    const { observation } = answer;
    groupTrials.add(number, observation.failure !== undefined);
    if (observation.failure) {
      trials.addFailure(number, observation.failure.kind);
      continue;
    }
    trials.addAnswer(number);
    const { text, words: timed } = observation.transcript;
    sheet.heard[number] = { words: words(text, utterance.language), timed };
  }
  if (sheet !== null) leave(sheet);
  return { sums, moments, trials, groupTrials, withoutVerdict };
}

/** What a recognizer wrote of one recording. */
interface Heard {
  readonly words: readonly string[];
  /** As it gave them, where it gave them. */
  readonly timed: readonly Word[] | undefined;
}

/** What stands for errors and words where there is no reference. */
interface PseudoVerdict {
  readonly errors: number;
  readonly words: number;
}

/**
 * A verdict without a reference, by the transcripts of others or by what the recognizer says of itself.
 *
 * - distance: edits against each of the others and their words, both as means
 * - majority: edits against the words that most of the others have (`rover`)
 * - confidence: 1 less the confidence of each word, over the words; what was left out it cannot tell
 *
 * @param others what the judges wrote, without those that failed
 * @returns null where there is none: no judge answered, or no confidences were given
 */
function pseudoVerdict(
  verdict: FewReferencesOptions['verdict'],
  own: Heard,
  others: readonly Heard[],
): PseudoVerdict | null {
  if (verdict === 'confidence') {
    const { timed } = own;
    if (timed === undefined || timed.some(({ confidence }) => confidence === undefined)) return null;
    return { errors: timed.reduce((sum, { confidence }) => sum + 1 - confidence!, 0), words: timed.length };
  }
  if (others.length === 0) return null;
  if (verdict === 'majority' && others.length > 1) {
    const { words } = rover(others);
    return { errors: errors(countEdits(words, own.words)), words: words.length };
  }
  const total = { errors: 0, words: 0 };
  for (const { words } of others) {
    total.errors += errors(countEdits(words, own.words)) / others.length;
    total.words += words.length / others.length;
  }
  return total;
}
