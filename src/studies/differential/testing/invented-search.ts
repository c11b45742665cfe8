import type { Finding } from '../../../model/finding.ts';
import type { Trial } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { TriedText } from '../../../predictors/contract.ts';
import type { Answer, Batch, Question, StudyContext } from '../../contract.ts';
import { inventedContext, inventedRun, recognizerNamed, spoken } from '../../shared/testing/testing.ts';
import type { DifferentialCase } from '../case.ts';
import { differential } from '../differential.ts';

// For tests: searches among invented texts, with a keen recognizer and one that is hard of hearing.

export interface Counts {
  readonly texts: number;
  readonly failed: number;
  readonly success: number;
  readonly indeterminable: number;
  readonly unanswered: number;
  readonly notAsked: number;
}

export interface Data {
  readonly dropped: Readonly<Record<string, number>>;
  readonly searches: readonly {
    readonly voice: string;
    readonly ending: string;
    readonly askedFirst: string | null;
    readonly iterations: readonly {
      readonly texts: readonly string[];
      readonly counts: readonly (Counts & { readonly recognizer: string | null })[];
    }[];
  }[];
  readonly wholePools: readonly { readonly recognizer: string | null; readonly counts: Counts }[];
  readonly comparison: {
    readonly curves: readonly {
      readonly way: string;
      readonly recognizer: string | null;
      readonly failedByReplicate: readonly (readonly number[])[];
    }[];
    readonly worth: readonly {
      readonly name: string;
      readonly recognitions: Readonly<Record<'predictor' | 'random', { readonly value: number }>>;
      readonly speedUp: { readonly value: number };
      readonly shareOfOracle: { readonly value: number };
    }[];
  } | null;
  readonly cases: readonly DifferentialCase[];
  readonly casesLeftOut: number;
}

export const dataOf = (finding: Finding) => finding.data as unknown as Data;

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
  return inventedRun(
    differential,
    { shrinking: { causes: 0 }, ...options },
    context,
    says,
    batches,
    othersAnswer(learns, seconds),
  );
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
