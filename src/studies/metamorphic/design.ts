import { createRandom } from '../../base/random.ts';
import { clean } from '../../model/condition.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { drawsOf } from '../shared/chosen-conditions.ts';
import { counted } from '../shared/wording.ts';
import type { MetamorphicOptions } from './options.ts';
import { chosenRelations, type Relations } from './relations.ts';
import { sampledIndexes } from './sampled-indexes.ts';

/** Whom and what a study asks. Recognizers, conditions and relations have numbers from here on. */
export interface Design extends Relations {
  readonly recognizers: readonly StudyRecognizer[];
  readonly utteranceCount: number;
  /** Utterances whose sound is appended in some relation, by id. */
  readonly appended: readonly string[];
  readonly mostDraws: number;
  draws(condition: number, recognizer: number): number;
  /** How often a clean clip is recognized, the first time included, and where not every clip is, for which. */
  readonly recognitions: number;
  /** By recognizer: numbers of the utterances that are checked; null: all of them. */
  readonly checked: readonly (ReadonlySet<number> | null)[];
  /**
   * Which recognition of the clean clip a condition is compared with. One after another in the profile sr-mt, whose program
   * recognized every clip anew for each condition; else the first.
   */
  source(condition: number): number;
}

/**
 * @throws EarwitnessError `bad-config` for scenarios that do not exist and names that stand twice
 */
export async function makeDesign(
  options: MetamorphicOptions,
  context: StudyContext,
  utteranceCount: number,
): Promise<Design> {
  const { recognizers } = context;
  const relations = await chosenRelations(options, context);
  const drawn = await drawsOf(relations.conditions, options.draws, context);
  const anew = options.profile === 'sr-mt';
  const sample = () =>
    sampledIndexes(
      utteranceCount,
      options.identity.sample,
      createRandom({ seed: context.seed, study: 'metamorphic', what: 'identity sample' }),
    );
  return {
    ...relations,
    recognizers,
    utteranceCount,
    appended: [
      ...new Set(
        relations.relations.flatMap(({ output }) =>
          typeof output === 'object' && 'followedBy' in output ? [output.followedBy] : [],
        ),
      ),
    ],
    mostDraws: Math.max(1, ...drawn),
    draws: (condition, recognizer) => (recognizers[recognizer]!.input === 'names' ? 1 : drawn[condition]!),
    recognitions: anew ? relations.conditions.length : 1 + options.identity.repeats,
    checked: recognizers.map(({ facts }) => (!anew && facts.deterministic === true ? sample() : null)),
    source: (condition) => (anew ? condition : 0),
  };
}

/** How often the clean clip of an utterance is recognized. */
export function recognitionsOf(design: Design, recognizer: number, utteranceNumber: number): number {
  return design.checked[recognizer]?.has(utteranceNumber) === false ? 1 : design.recognitions;
}

/**
 * What must be known before anything else: whether recognizers that declare themselves deterministic are, and what is heard
 * in the utterances that are appended to others. Null where there is nothing to ask.
 */
export function firstBatch(design: Design, context: StudyContext): Batch | null {
  const declared = design.checked.some((checked) => checked !== null) && design.recognitions > 1;
  if (!declared && design.appended.length === 0) return null;
  return { about: 'identity control on a sample', size: null, questions: () => firstQuestions(design, context) };
}

async function* firstQuestions(design: Design, context: StudyContext): AsyncGenerator<Question> {
  let number = 0;
  for await (const utterance of context.utterances()) {
    const isAppended = design.appended.includes(utterance.id);
    for (const [recognizer, { name }] of design.recognizers.entries()) {
      const checked = design.checked[recognizer]?.has(number) ? design.recognitions : 0;
      for (let repeat = 0; repeat < Math.max(checked, isAppended ? 1 : 0); repeat++) {
        yield { ask: 'recognition', trial: { utterance, condition: clean, draw: 0, recognizer: name, repeat } };
      }
    }
    number++;
  }
}

/** Everything else, utterance by utterance, clean first; recognizers innermost, so that a clip is made once. */
export function mainBatch(design: Design, context: StudyContext): Batch {
  const { recognizers, conditions, utteranceCount, checked, recognitions } = design;
  let size = 0;
  let each = 0;
  for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
    const some = checked[recognizer];
    size += some ? utteranceCount + some.size * (recognitions - 1) : utteranceCount * recognitions;
    for (let condition = 0; condition < conditions.length; condition++) each += design.draws(condition, recognizer);
  }
  return {
    about: `clean clips and ${counted(conditions.length, 'condition')}`,
    size: size + each * utteranceCount,
    questions: () => questions(design, context),
  };
}

async function* questions(design: Design, context: StudyContext): AsyncGenerator<Question> {
  let number = 0;
  for await (const utterance of context.utterances()) {
    yield* questionsOf(design, utterance, number++);
  }
}

function* questionsOf(design: Design, utterance: Utterance, number: number): Generator<Question> {
  const { recognizers, conditions, mostDraws, recognitions } = design;
  for (let repeat = 0; repeat < recognitions; repeat++) {
    for (const [index, { name: recognizer }] of recognizers.entries()) {
      if (repeat >= recognitionsOf(design, index, number)) continue;
      yield { ask: 'recognition', trial: { utterance, condition: clean, draw: 0, recognizer, repeat } };
    }
  }
  for (const [place, condition] of conditions.entries()) {
    for (let draw = 0; draw < mostDraws; draw++) {
      for (const [index, { name: recognizer }] of recognizers.entries()) {
        if (draw >= design.draws(place, index)) continue;
        yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer, repeat: 0 } };
      }
    }
  }
}
