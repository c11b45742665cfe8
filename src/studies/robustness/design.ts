import type { Condition } from '../../model/condition.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { chosenConditions, knownLadders } from './conditions.ts';
import type { RobustnessOptions } from './options.ts';

/** Whom and what a study asks. Trials, recognizers and conditions have numbers from here on. */
export interface Design {
  readonly recognizers: readonly StudyRecognizer[];
  /** Clean first. */
  readonly conditions: readonly Condition[];
  readonly repeats: number;
  /** The most draws of any condition. */
  readonly mostDraws: number;
  /** How often the sound of a condition is made for a recognizer. */
  draws(condition: number, recognizer: number): number;
  /** Whether recognizers are not all asked about the same draws. */
  readonly uneven: boolean;
}

/**
 * Sounds are drawn again only where chance is in them, and only for recognizers that hear them: to one that knows only
 * names every draw is the same question.
 *
 * @throws EarwitnessError `bad-config` for a condition that does not exist
 */
export async function makeDesign(options: RobustnessOptions, context: StudyContext): Promise<Design> {
  const { recognizers } = context;
  const conditions = chosenConditions(options, knownLadders(options, context.ladders));
  const drawsOf = await Promise.all(
    conditions.map(async ({ steps }) => {
      if (steps.length === 0 || options.draws === 1) return 1;
      const random = await Promise.all(
        steps.map(({ perturbation }) => context.isRandom?.(perturbation) ?? Promise.resolve(true)),
      );
      return random.includes(true) ? options.draws : 1;
    }),
  );
  const mostDraws = Math.max(...drawsOf);
  return {
    recognizers,
    conditions,
    repeats: options.repeats,
    mostDraws,
    uneven: mostDraws > 1 && new Set(recognizers.map(({ input }) => input)).size > 1,
    draws: (condition, recognizer) => (recognizers[recognizer]!.input === 'names' ? 1 : drawsOf[condition]!),
  };
}

/** Trials of one utterance. */
function trialsEach({ recognizers, conditions, repeats, draws }: Design): number {
  let trials = 0;
  for (let condition = 0; condition < conditions.length; condition++) {
    for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
      trials += repeats * draws(condition, recognizer);
    }
  }
  return trials;
}

/**
 * One batch for everything: utterance by utterance, so that answers about one utterance can be scored and forgotten
 * together; recognizers innermost, so that a clip is made once.
 *
 * @param scored how many utterances have a reference
 */
export function designedBatch(design: Design, context: StudyContext, scored: number): Batch {
  const others = design.conditions.length - 1;
  return {
    about: others === 0 ? 'clean' : `clean and ${others} ${others === 1 ? 'condition' : 'conditions'}`,
    size: scored * trialsEach(design),
    questions: () => questions(design, context),
  };
}

async function* questions(design: Design, context: StudyContext): AsyncGenerator<Question> {
  const { recognizers, conditions, repeats, mostDraws } = design;
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    for (const [conditionIndex, condition] of conditions.entries()) {
      for (let draw = 0; draw < mostDraws; draw++) {
        for (let repeat = 0; repeat < repeats; repeat++) {
          for (const [index, { name: recognizer }] of recognizers.entries()) {
            if (draw >= design.draws(conditionIndex, index)) continue;
            yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer, repeat } };
          }
        }
      }
    }
  }
}
