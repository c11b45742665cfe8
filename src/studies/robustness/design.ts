import { EarwitnessError } from '../../base/errors.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Estimate } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Ladder, LoadedSounds } from '../../perturbations/contract.ts';
import type { RobustnessValue } from '../../scoring/srb/quality-difficulty.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { chosenConditions, drawsOf } from '../shared/options.ts';
import { counted, listed } from '../shared/wording.ts';
import { knownLadders } from './conditions.ts';
import type { RobustnessOptions } from './options.ts';
import type { Survey } from './survey.ts';

/** Whom and what a study asks. Trials, recognizers and conditions have numbers from here on. */
export interface Design {
  readonly recognizers: readonly StudyRecognizer[];
  /** Clean first, then what is done to clean sound, then the recorded scenarios, to whose sound nothing is done. */
  readonly conditions: readonly Condition[];
  /** How many of the conditions come before the recorded scenarios. */
  readonly disturbed: number;
  readonly survey: Survey;
  /** The numbers of the conditions that an utterance is heard in. */
  conditionsOf(utterance: Utterance): readonly number[];
  /** What is asked of the engine for a condition: recorded scenarios are clean sound to it. */
  asked(condition: number): Condition;
  readonly repeats: number;
  /** The most draws of any condition. */
  readonly mostDraws: number;
  /** How often the sound of a condition is made for a recognizer. */
  draws(condition: number, recognizer: number): number;
  /** How often the sound of a condition is made at all. */
  soundDraws(condition: number): number;
  /** How hard the scenarios are by what was measured of their sounds; null where that was not asked for. */
  readonly measured: MeasuredDifficulties | null;
  /** By condition: the sounds that its steps take from outside, as they were loaded; empty where nobody knows. */
  readonly sounds: readonly (readonly LoadedSounds[])[];
  /** Whether recognizers are not all asked about the same draws. */
  readonly uneven: boolean;
}

/**
 * Sounds are drawn again only where chance is in them, and only for recognizers that hear them: to one that knows only
 * names every draw is the same question.
 *
 * @throws EarwitnessError `bad-config` for a condition that does not exist
 */
export async function makeDesign(options: RobustnessOptions, context: StudyContext, survey: Survey): Promise<Design> {
  const { recognizers } = context;
  const ladders = knownLadders(options, context.ladders);
  const heard = chosenConditions(options.conditions, ladders);
  const conditions = [...heard, ...recordedConditions(options, heard)];
  const drawn = await drawsOf(conditions, options.draws, context);
  const draws = (condition: number, recognizer: number) =>
    recognizers[recognizer]!.input === 'names' ? 1 : drawn[condition]!;
  const mostDraws = Math.max(...drawn);
  const ofClean = heard.map((_, index) => index);
  const ofRecorded = options.recorded.map((_, index) => [heard.length + index]);
  return {
    recognizers,
    conditions,
    disturbed: heard.length,
    survey,
    conditionsOf(utterance) {
      const { recorded } = survey.datasets[survey.datasetOf(utterance)]!;
      return recorded === null ? ofClean : ofRecorded[recorded]!;
    },
    asked: (condition) => (condition < heard.length ? heard[condition]! : clean),
    repeats: options.repeats,
    mostDraws,
    uneven: mostDraws > 1 && new Set(recognizers.map(({ input }) => input)).size > 1,
    draws,
    soundDraws: (condition) => Math.max(1, ...recognizers.map((_, recognizer) => draws(condition, recognizer))),
    measured: null,
    sounds: conditions.map(({ rung }) => loadedFor(rung, ladders)),
  };
}

function loadedFor(rung: Condition['rung'], ladders: readonly Ladder[]): readonly LoadedSounds[] {
  const [ladder, family] = rung?.family.split('/') ?? [];
  const found = ladders.find(({ name }) => name === ladder)?.families.find(({ name }) => name === family);
  return found?.rungs[(rung?.rank ?? 0) - 1]?.sounds ?? [];
}

/** Recorded scenarios as conditions in which nothing is done. */
function recordedConditions({ recorded }: RobustnessOptions, heard: readonly Condition[]): Condition[] {
  const names = new Set(heard.map(({ name }) => name));
  return recorded.map(({ name }) => {
    if (names.has(name)) {
      throw new EarwitnessError(
        'bad-config',
        `recorded: expected a name that no other condition has, but ${JSON.stringify(name)} stands for two; give one of them another name`,
      );
    }
    names.add(name);
    return { name, steps: [] };
  });
}

/** Trials of one utterance that is heard in some conditions. */
function trialsEach({ recognizers, repeats, draws }: Design, conditions: readonly number[]): number {
  let trials = 0;
  for (const condition of conditions) {
    for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
      trials += repeats * draws(condition, recognizer);
    }
  }
  return trials;
}

/**
 * One batch for everything: utterance by utterance, so that answers about one utterance can be scored and forgotten
 * together; recognizers innermost, so that a clip is made once.
 */
export function designedBatch(design: Design, context: StudyContext): Batch {
  const { scored, scoredRecorded } = design.survey;
  const others = design.disturbed - 1;
  const recorded = design.conditions.length - design.disturbed;
  const parts = [
    'clean',
    ...(others > 0 ? [counted(others, 'condition')] : []),
    ...(recorded > 0 ? [counted(recorded, 'recorded scenario')] : []),
  ];
  const ofClean = design.conditions.map((_, index) => index).slice(0, design.disturbed);
  const once = design.recognizers.length * design.repeats;
  return {
    about: [listed(parts), ...design.survey.shortages].join('. '),
    size: (scored - scoredRecorded) * trialsEach(design, ofClean) + scoredRecorded * once,
    questions: () => questions(design, context),
  };
}

async function* questions(design: Design, context: StudyContext): AsyncGenerator<Question> {
  const { recognizers, repeats, mostDraws } = design;
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    for (const conditionIndex of design.conditionsOf(utterance)) {
      const condition = design.asked(conditionIndex);
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

/** How hard a scenario is in a data set by what was measured of its sounds. */
export interface MeasuredDifficulty {
  readonly condition: number;
  readonly dataset: number;
  /** Means over clips; null where the measure is not in the config, or says nothing about recordings as they are. */
  readonly dnsmos: Estimate | null;
  readonly pesq: Estimate | null;
  readonly points: Estimate;
}

/** Difficulties of a run's own sounds. */
export interface MeasuredDifficulties {
  readonly rows: readonly MeasuredDifficulty[];
  /** Measures and scale, for people. */
  readonly about: string;
  of(condition: number, dataset: number): RobustnessValue;
}
