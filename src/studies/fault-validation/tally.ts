import { align } from '../../scoring/alignment/align.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts } from '../shared/failures.ts';
import type { Design, Side } from './design.ts';

/** One sentence heard by one recognizer in one condition. */
export interface Tried {
  readonly recognizer: number;
  readonly condition: number;
  /** The utterance. */
  readonly id: string;
  readonly side: Side;
  readonly word: string;
  /** Whose voice; undefined where nobody knows. */
  readonly speaker: string | undefined;
  /** Whether the target word is not in the transcript where it was said. */
  readonly missed: boolean;
  /** The sentence as it is compared, and what was heard. */
  readonly said: readonly string[];
  readonly heard: readonly string[];
  /** Errors on all words of the sentence. */
  readonly errors: number;
  readonly words: number;
}

/** A sentence that a recognizer gave no answer to. */
export type Unanswered = Pick<Tried, 'recognizer' | 'condition' | 'side'>;

export interface Tally {
  readonly tried: readonly Tried[];
  readonly unanswered: readonly Unanswered[];
  /** By recognizer, then condition. */
  readonly trials: FailureCounts;
}

/** Looks for the targets in the answers. There are as many as sentences were drawn, so that all are kept. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  { recognizers, conditions, drawn }: Design,
  normalizer: Normalizer,
): Promise<Tally> {
  const tried: Tried[] = [];
  const unanswered: Unanswered[] = [];
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const numbers = new Map(recognizers.map((name, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, place) => [name, place]));
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { observation, trial } = answer;
    const recognizer = numbers.get(trial.recognizer)!;
    const condition = places.get(trial.condition.name)!;
    const place = recognizer * conditions.length + condition;
    const { word, side } = drawn[recognizer]!.get(trial.utterance.id)!;
    if (observation.failure) {
      trials.addFailure(place, observation.failure.kind);
      unanswered.push({ recognizer, condition, side });
      continue;
    }
    trials.addAnswer(place);
    const { language } = trial.utterance;
    const said = normalizer.words(trial.utterance.reference ?? '', language);
    const heard = normalizer.words(observation.transcript.text, language);
    const aligned = align(said, heard);
    const target = aligned.find(({ reference }) => reference === word);
    tried.push({
      recognizer,
      condition,
      id: trial.utterance.id,
      side,
      word,
      speaker: trial.utterance.speaker,
      missed: target?.hypothesis !== word,
      said,
      heard,
      errors: aligned.filter(({ reference, hypothesis }) => reference !== hypothesis).length,
      words: said.length,
    });
  }
  return { tried, unanswered, trials };
}
