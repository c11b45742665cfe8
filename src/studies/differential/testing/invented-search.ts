import type { Finding } from '../../../model/finding.ts';
import { rowsOf, textAt } from '../../../model/finding-rows.ts';
import type { Trial } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { TriedText } from '../../../predictors/contract.ts';
import type { Answer, Batch, Question, StudyContext } from '../../contract.ts';
import { inventedContext, inventedRun, recognizerNamed, spoken } from '../../shared/testing/testing.ts';
import type { DifferentialCase } from '../case.ts';
import { casesIn } from '../cases-section.ts';
import { differential } from '../differential.ts';

// For tests: searches among invented texts, with a keen recognizer and one that is hard of hearing.

export interface Counts {
  readonly texts: number;
  readonly failed: number;
  readonly success: number;
  readonly indeterminable: number;
  readonly unanswered: number;
  /** Not told where everybody is asked. */
  readonly notAsked?: number;
}

/** What tests count, of the tables of a finding; `recognizer` null: of all. Who gave no answer, or was not asked, is known of all alone. */
export function dataOf(finding: Finding) {
  const { cases, counts } = casesIn(finding);
  const recognizers = rowsOf(finding, 'differential-result').map((row) => textAt(row, 'recognizer'));
  const iterations = rowsOf(finding, 'differential-iterations');
  const nameOf = ({ voice, sound: { conditionName } }: DifferentialCase) =>
    conditionName === 'clean' ? voice : `${voice} in ${conditionName}`;
  const searches = rowsOf(finding, 'differential-searches')
    .filter((row) => row.iterations !== null)
    .map((row) => ({
      voice: textAt(row, 'voice'),
      ending: textAt(row, 'ended'),
      askedFirst: row.askedFirst ?? null,
      iterations: iterations
        .filter(({ voice }) => voice === row.voice)
        .map((all) => {
          const own = cases.filter((one) => nameOf(one) === all.voice && one.iteration === all.iteration);
          return {
            texts: [...new Set(own.map(({ text }) => text))],
            counts: [
              ...recognizers.map((recognizer) => {
                const of = own.filter((one) => one.recognizer === recognizer);
                const count = (wanted: string) => of.filter(({ status }) => status === wanted).length;
                return { recognizer, failed: count('failed'), success: count('success') };
              }),
              { ...(all as unknown as Counts), recognizer: null },
            ],
          };
        }),
    }));
  const wholePools = rowsOf(finding, 'differential-whole').map((row) => ({
    recognizer: row.recognizer === 'all recognizers' ? null : row.recognizer,
    counts: row as unknown as Counts,
  }));
  return { searches, wholePools, worth: rowsOf(finding, 'differential-worth'), cases, counts };
}

const letters = 'abcdefghijklmnopqrst';
const word = (number: number) => `${letters[number % 20]}${letters[Math.floor(number / 20) % 20]}a`;

/** 200 texts: one in five is determinable, and of these every second fails for the recognizer that is hard of hearing. */
export const texts = Array.from({ length: 200 }, (_, number) => {
  const kind = number % 5 === 0 ? (number % 10 === 0 ? 'hard' : 'clear') : 'blurred';
  return `${kind} ${word(number)}`;
});

export const speak = (all: readonly string[], voice = 'tin', synthesizer = 'robot'): Utterance[] =>
  all.map((text, number) =>
    spoken(`${synthesizer}-${voice}-${number}`, text, {
      sound: { text, synthesizer, voice },
      speaker: `${synthesizer}:${voice}`,
    }),
  );

export const textOf = ({ utterance }: Trial) => utterance.reference!;

export const hears = (trial: Trial): string => {
  const text = textOf(trial);
  if (text.startsWith('blurred')) return 'what';
  return text.startsWith('hard') && trial.recognizer === 'deaf' ? 'pardon' : text;
};

/** Knows by the first word, once it has seen some of each. */
const learns = (tried: readonly TriedText[], text: string) => {
  const alike = tried.filter((one) => one.text.split(' ')[0] === text.split(' ')[0]);
  return {
    determinable: alike.some(({ determinable }) => determinable) ? 0.9 : 0.1,
    failing: alike.some(({ failed }) => failed === true) ? 0.9 : 0.1,
  };
};

export const pair = [recognizerNamed('keen'), recognizerNamed('deaf')];

export function find(
  options: object,
  utterances: readonly Utterance[],
  says: Parameters<typeof inventedRun>[3],
  {
    recognizers = pair,
    batches = [],
    seconds = 0,
  }: { recognizers?: StudyContext['recognizers']; batches?: Batch[]; seconds?: number } = {},
): Promise<Finding> {
  const context = inventedContext(utterances, recognizers, { predictors: ['text-features'] });
  return inventedRun(differential, options, context, says, batches, othersAnswer(learns, seconds));
}

// For tests: what a run answers beside recognitions.

/** Predicts from texts alone; the clock stands still unless it is told to go on. */
export function othersAnswer(
  predict: (tried: readonly TriedText[], text: string) => { readonly determinable: number; readonly failing: number },
  secondsAtEachLook = 0,
): (question: Exclude<Question, { readonly ask: 'recognition' }>) => Answer {
  let looks = 0;
  return (question) => {
    if (question.ask === 'elapsed') return { ask: 'elapsed', seconds: secondsAtEachLook * looks++ };
    if (question.ask !== 'prediction') throw new Error('only predictions and the time are invented');
    const chances = question.pool.map((text) => predict(question.tried, text));
    return {
      ...question,
      determinable: Float64Array.from(chances, ({ determinable }) => determinable),
      failing: Float64Array.from(chances, ({ failing }) => failing),
      seconds: 0.5,
      model: { method: 'invented' },
    };
  };
}
