import assert from 'node:assert/strict';
import { createRandom } from '../../../base/random.ts';
import type { Cell, Finding } from '../../../model/finding.ts';
import { rowsOf } from '../../../model/finding-rows.ts';
import type { Failure, FailureKind, Observation } from '../../../model/observation.ts';
import type { ClipMeasurement, Trial } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Answer, Batch, Question, Study, StudyContext, StudyRecognizer } from '../../contract.ts';

export { rowsOf };

// For tests: what stands where in a finding.

/** The first row of a table that has these cells. */
export function rowOf(
  finding: Pick<Finding, 'sections'>,
  table: string,
  known: Readonly<Record<string, Cell>>,
): Readonly<Record<string, Cell>> {
  const found = rowsOf(finding, table).find((row) => Object.entries(known).every(([key, value]) => row[key] === value));
  assert.ok(found, `${table} has no row with ${JSON.stringify(known)}`);
  return found;
}

/** Whether a number (or an estimate's value) is what was worked out, but for rounding. */
export function near(
  actual: number | { readonly value: number | null } | Cell | undefined,
  expected: number,
  tolerance = 1e-12,
): void {
  const value = typeof actual === 'object' && actual !== null && 'value' in actual ? actual.value : actual;
  assert.ok(
    typeof value === 'number' && Math.abs(value - expected) < tolerance,
    `${JSON.stringify(value)}, expected ${expected}`,
  );
}

/**
 * For tests: a text whose first words are replaced, so that the number of word errors is known.
 *
 * @example withErrors('one two three', 2) // 'x x three'
 */
export function withErrors(text: string, errors: number): string {
  return text
    .split(' ')
    .map((word, place) => (place < errors ? 'x' : word))
    .join(' ');
}

/** For tests: a second of sound whose quality was measured. */
export function measuredClip(quality: NonNullable<ClipMeasurement['quality']>): ClipMeasurement {
  return {
    durationSeconds: 1,
    sampleRate: 16_000,
    levelDbfs: -20,
    clippedShare: 0,
    facts: [],
    sampleHash: '',
    quality,
  };
}

// For tests: a run without an engine, whose answers come from a function.

/** What an invented recognizer says of a trial: a transcript, or a whole observation. */
export type Invention = (trial: Trial) => string | Observation;

/** What is measured of sounds and texts. */
export type OtherInvention = (question: Exclude<Question, { readonly ask: 'recognition' }>) => Answer;

/** A transcript as an observation: one second of sound, a tenth of a second to recognize it. */
export function said(text: string, more: Partial<Pick<Observation, 'soundSeconds' | 'timing'>> = {}): Observation {
  return { transcript: { text }, soundSeconds: 1, timing: { seconds: 0.1, calls: 1 }, ...more };
}

/** A recognition that failed. */
export function failedWith(kind: FailureKind, message = 'no answer'): Observation {
  const failure: Failure = { kind, message };
  return { failure, soundSeconds: 1, timing: { seconds: 0.1, calls: 1 } };
}

/** An utterance in a language that nobody knows, so that number words stay words; without a reference where that is null. */
export function spoken(id: string, reference: string | null, more: Partial<Utterance> = {}): Utterance {
  return { id, language: 'und', attributes: {}, tags: [], ...(reference === null ? {} : { reference }), ...more };
}

/** A recognizer that hears sound, as studies see it. */
export function recognizerNamed(name: string, more: Partial<StudyRecognizer> = {}): StudyRecognizer {
  return { name, input: 'sound', facts: {}, pricePerMinute: null, vocabulary: null, ...more };
}

/** What a study is given, without an engine. */
export function inventedContext(
  utterances: readonly Utterance[] | (() => Iterable<Utterance>),
  recognizers: readonly StudyRecognizer[],
  more: Partial<StudyContext> = {},
): StudyContext {
  const list = typeof utterances === 'function' ? utterances : () => utterances;
  return {
    async *utterances() {
      yield* list();
    },
    utteranceCount: typeof utterances === 'function' ? 0 : utterances.length,
    recognizers,
    ladders: [],
    seed: 1,
    ...more,
  };
}

/** Runs a study to its end; `batches` receives what it asked for. */
export async function inventedRun<Options>(
  study: Study<Options>,
  options: unknown,
  context: StudyContext,
  invent: Invention,
  batches: Batch[] = [],
  others: OtherInvention = () => {
    throw new Error('only recognitions are invented');
  },
): Promise<Finding> {
  const asking = study.run(study.options.parse(options), context);
  let step = await asking.next();
  while (!step.done) {
    batches.push(step.value);
    step = await asking.next(answers(step.value, invent, others));
  }
  return step.value;
}

async function* answers(batch: Batch, invent: Invention, others: OtherInvention): AsyncGenerator<Answer> {
  for await (const question of batch.questions()) {
    if (question.ask !== 'recognition') {
      yield others(question);
      continue;
    }
    const answer = invent(question.trial);
    yield { ...question, observation: typeof answer === 'string' ? said(answer) : answer };
  }
}

/** How hard something of a name is, from 0 to 1. */
export const harder = (text: string): number => createRandom(['harder', text]).next();

/** What is measured of a clip: five seconds whose quality follows from its names, and an attack at the ratio that its condition is named after. */
export const inventedMeasurement: OtherInvention = (question) => {
  assert.ok(question.ask === 'measurement');
  const { name } = question.condition;
  const measurement = { durationSeconds: 5, sampleRate: 16_000, levelDbfs: -28, clippedShare: 0, sampleHash: '' };
  const snrDb = 5 + 30 * harder(`${question.utterance.speaker} ${question.utterance.id}`);
  const quality = {
    invented: { values: { mos: 1 + 4 * harder(`${question.utterance.id} ${name}`) } },
    'noise-level': { values: { snrDb, noiseDbfs: -26 - snrDb, speechDbfs: -26 } },
  };
  const facts = [{ perturbation: 'pgd', achievedSnrDb: Number(/(-?\d+) dB$/.exec(name)?.[1] ?? 0) }];
  return { ...question, measurement: { ...measurement, facts, quality } };
};
