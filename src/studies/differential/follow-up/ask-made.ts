import { limitText } from '../../../base/limit-text.ts';
import type { Condition } from '../../../model/condition.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Answer, Batch, Question } from '../../contract.ts';
import { type CaseStatus, judgeText } from '../case.ts';
import type { FollowUpInput } from './contract.ts';

/** A made text to be spoken and recognized. */
export interface WantedText {
  readonly utterance: Utterance;
  readonly text: string;
  readonly condition: Condition;
  readonly draw: number;
}

/** What a recognizer made of it. */
export interface MadeVerdict {
  /** Normalized, and cut where it is garbage. */
  readonly transcript: string;
  readonly status: CaseStatus;
}

/** A transcript that is kept; a recognizer can write megabytes. */
const keptCharacters = 2000;

/**
 * Lets every recognizer that hears sound hear some made texts, and judges them as the search judges.
 *
 * @returns for each text, in their order, the verdicts by recognizer; without those that gave no transcript
 */
export async function* askMade(
  about: string,
  wanted: readonly WantedText[],
  { context, rule, normalizer, tolerant }: Pick<FollowUpInput, 'context' | 'rule' | 'normalizer' | 'tolerant'>,
): AsyncGenerator<Batch, readonly ReadonlyMap<string, MadeVerdict>[], AsyncIterable<Answer>> {
  if (wanted.length === 0) return [];
  const names = hearing(context).map(({ name }) => name);
  const answers = yield {
    about,
    size: wanted.length * names.length,
    async *questions(): AsyncGenerator<Question> {
      for (const { utterance, condition, draw } of wanted) {
        for (const recognizer of names) {
          yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer, repeat: 0 } };
        }
      }
    },
  };
  const verdicts: ReadonlyMap<string, MadeVerdict>[] = [];
  let transcripts: (string | null)[] = [];
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { transcript } = answer.observation;
    const { language } = answer.trial.utterance;
    transcripts.push(transcript === undefined ? null : normalizer.words(transcript.text, language).join(' '));
    if (transcripts.length < names.length) continue;
    const statuses = judgeText(wanted[verdicts.length]!.text, transcripts, tolerant)[rule];
    const known = new Map<string, MadeVerdict>();
    for (const [place, name] of names.entries()) {
      const [status, written] = [statuses[place]!, transcripts[place]!];
      if (status !== null) known.set(name, { transcript: limitText(written!, keptCharacters), status });
    }
    verdicts.push(known);
    transcripts = [];
  }
  return verdicts;
}

/** Recognizers that know only names know nothing of a text that no corpus has. */
export function hearing({ recognizers }: FollowUpInput['context']): FollowUpInput['context']['recognizers'] {
  return recognizers.filter(({ input }) => input === 'sound');
}
