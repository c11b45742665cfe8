import { sha256 } from '../../../base/hash.ts';
import type { JsonObject } from '../../../base/json.ts';
import { limitText } from '../../../base/printable.ts';
import type { Section, Statement } from '../../../model/finding.ts';
import type { Condition } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { FailedWords, FailureCause } from '../../../scoring/analysis/cluster-failures.ts';
import type { Normalizer } from '../../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Question, StudyContext } from '../../contract.ts';
import { type CaseRule, type CaseStatus, type DifferentialCase, judgeText, type SaysText } from '../case.ts';
import type { FollowUpOptions } from '../options.ts';

/** A text of the corpus as one voice says it. */
export interface CollectedText {
  /** Normalized words with single blanks between them. */
  readonly text: string;
  readonly utterance: Utterance;
}

/** What the search hands over. */
export interface FollowUpInput {
  readonly context: StudyContext;
  readonly options: FollowUpOptions;
  /** Every row, in the order in which it was tried. */
  readonly cases: readonly DifferentialCase[];
  /** Every text that may be spoken, tried or not. */
  readonly collected: readonly CollectedText[];
  readonly conditions: readonly Condition[];
  /** How transcripts are compared with texts: as in the search. */
  readonly rule: CaseRule;
  readonly normalizer: Normalizer;
  readonly tolerant: SaysText;
  /** Name of the predictor of the search; null where it had none. */
  readonly predictor: string | null;
  /** Confidence level of intervals, .95 for 95 %. */
  readonly level: number;
  readonly resamples: number;
}

/** What the finding of the study gains. */
export interface FollowUp {
  readonly answer: readonly Statement[];
  readonly sections: readonly Section[];
  readonly warnings: readonly string[];
  /** Goes into the finding's `data` as it is. */
  readonly data: JsonObject;
}

/** Nothing asked and nothing to say. */
export const noFollowUp: FollowUp = { answer: [], sections: [], warnings: [], data: {} };

const idDigits = 16;

/** Whether a voice speaks this utterance, so that the same voice can say something else. */
function isSpoken({ sound }: Utterance): boolean {
  return sound !== undefined && 'text' in sound;
}

/**
 * Another text for the voice of a collected utterance. The same text by the same voice has the same id, which begins with `made-` and
 * is no collected one's.
 *
 * @param source one that a voice speaks
 * @throws TypeError for one that nobody synthesized: a fault of the caller
 * @example madeUtterance(utterance, 'tax payers', 'shortened').sound // { text: 'tax payers', synthesizer: 'flite', voice: 'slt' }
 */
export function madeUtterance(source: Utterance, text: string, how: NonNullable<Utterance['made']>['how']): Utterance {
  const { sound } = source;
  if (sound === undefined || !('text' in sound))
    throw new TypeError(`expected a spoken text, but ${source.id} is none`);
  const { synthesizer, voice } = sound;
  return {
    id: `made-${sha256(JSON.stringify([text, synthesizer, voice])).slice(0, idDigits)}`,
    sound: { text, synthesizer, voice },
    reference: text,
    language: source.language,
    ...(source.speaker === undefined ? {} : { speaker: source.speaker }),
    attributes: {},
    tags: [],
    made: { from: source.id, how },
  };
}

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

/** The shortest text found in which the cause still breaks for a recognizer where another gets the text right. */
export interface ShortestFailure {
  readonly text: string;
  /** As the recognizer wrote it then, normalized. */
  readonly transcript: string;
  readonly recognizer: string;
  readonly voice: string;
  readonly conditionName: string;
  readonly draw: number;
  /** Of the text as it was spoken; the collected one's where nothing could be left out. */
  readonly utteranceId: string;
  readonly words: number;
  /** Words and id of the collected text that it was cut from. */
  readonly wordsBefore: number;
  readonly textId: string;
  /** Whether no single word more can be left out; false where the budget ended the search. */
  readonly minimal: boolean;
  /** Texts that were spoken for it. */
  readonly texts: number;
}

/** One cause of failures, with a text in which little else is left. */
export interface ShrunkCause {
  readonly cause: FailureCause<FailedCase>;
  /** Null where none of its examples is spoken by a synthesizer and heard by its recognizer. */
  readonly shortest: ShortestFailure | null;
}
