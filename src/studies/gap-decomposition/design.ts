import { EarwitnessError } from '../../base/errors.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { mostCauses } from '../../statistics/gap-decomposition/fitted-gap.ts';
import type { Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { type GroupPair, groupPairs } from '../shared/group-pairs.ts';
import { chosenConditions } from '../shared/options.ts';
import { type CauseName, type ClipFacts, causeFacts, causeNames, measuresOf } from './causes.ts';
import { type Equalization, type Equalized, equalizedClip, type Targets } from './equalize.ts';
import type { GapDecompositionOptions } from './options.ts';
import { type Survey, surveyUtterances } from './survey.ts';

/** Whom and what is asked, and what is compared. */
export interface Design {
  readonly recognizers: readonly StudyRecognizer[];
  readonly survey: Survey;
  readonly pairs: readonly GroupPair[];
  /** Measures of quality that are asked for. */
  readonly measures: readonly string[];
  /** Worlds in which gaps are counted, the first as things are. */
  readonly worlds: readonly World[];
}

/** The sounds as they are, or made alike in something. */
export interface World {
  readonly name: string;
  /** In what clips are made alike each in its own way; null: one condition for all. */
  readonly equalization: Equalization | null;
  readonly condition: Condition;
}

/** @throws EarwitnessError `bad-config` for attributes, references or conditions that do not exist */
export async function makeDesign(
  options: GapDecompositionOptions,
  normalizer: Normalizer,
  context: StudyContext,
): Promise<Design> {
  requireMeasures(options, context);
  limitCauses(options, context);
  const conditions = chosenConditions(options.conditions, context.ladders);
  const survey = await surveyUtterances(options, normalizer, context);
  const hear = context.recognizers.some(({ input }) => input === 'sound');
  const measures = measuresOf(context);
  const possible = hear ? options.equalize.filter((name) => name !== 'noise' || measures.includes('noise-level')) : [];
  return {
    recognizers: context.recognizers,
    survey,
    pairs: groupPairs(speakersOf(survey), options.reference),
    measures,
    worlds: [
      { name: clean.name, equalization: null, condition: clean },
      ...[...new Set(possible)].map((name) => ({ name: `one ${name}`, equalization: name, condition: clean })),
      ...conditions.slice(1).map((condition) => ({ name: condition.name, equalization: null, condition })),
    ],
  };
}

/** For each attribute that makes groups how many speakers have each of its values. */
function speakersOf({ groupBy, attributes, utterances }: Survey): Map<string, Map<string, number>> {
  return new Map(
    groupBy.map((name) => {
      const place = attributes.indexOf(name);
      const people = new Map<string, Set<number>>();
      for (const { values, cluster } of utterances) {
        const value = values[place]!;
        if (value !== null) people.set(value, (people.get(value) ?? new Set()).add(cluster));
      }
      return [name, new Map([...people].map(([value, own]) => [value, own.size]))];
    }),
  );
}

/** What measures a cause, where that is something the config names. */
const measureFor: Partial<Record<CauseName, string>> = { noise: 'noise-level', bandwidth: 'bandwidth', pitch: 'pitch' };

/** A cause that was asked for by name must be measured. */
function requireMeasures({ causes }: GapDecompositionOptions, { quality = [] }: StudyContext): void {
  for (const cause of causes ?? []) {
    const measure = measureFor[cause];
    if (measure === undefined || quality.some(({ name }) => name === measure)) continue;
    throw new EarwitnessError(
      'bad-config',
      `causes: expected ${causeFacts[cause].needs} for ${cause}, but the config does not name it; add quality: [${measure}], or leave the cause out`,
    );
  }
}

/** What a gap can be split among is counted before anything is asked: it takes too long in the end. */
function limitCauses(
  { causes, attributes }: GapDecompositionOptions,
  { quality = [], recognizers }: StudyContext,
): void {
  const possible = causeNames.filter((name) => {
    const measure = measureFor[name];
    if (measure !== undefined) return quality.some((one) => one.name === measure);
    return name !== 'unknown-words' || recognizers.some(({ vocabulary }) => vocabulary !== null);
  });
  const measured = causes === null ? possible : [...new Set(causes)];
  const named = Object.keys(attributes).length;
  if (measured.length + named <= mostCauses) return;
  throw new EarwitnessError(
    'bad-config',
    `gap-decomposition: expected at most ${mostCauses} causes, but there are ${measured.length} (${measured.join(', ')}) and ${named} attributes; name fewer under causes or attributes`,
  );
}

/** Every clip with a reference, as it is. */
export async function* clipQuestions({ measures }: Design, context: StudyContext): AsyncGenerator<Question> {
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined || utterance.sound === undefined) continue;
    yield { ask: 'measurement', utterance, condition: clean, draw: 0, quality: measures };
  }
}

/** What is asked of a clip in a world. */
export function inWorld(world: World, clip: ClipFacts, targets: Targets): Equalized {
  if (world.equalization !== null) return equalizedClip(world.equalization, clip, targets);
  return world.condition.steps.length === 0 ? 'as it is' : world.condition;
}

/** Every trial: utterance by utterance, conditions next, recognizers innermost, so that a clip is made once. */
export async function* recognitionQuestions(
  { recognizers, worlds }: Design,
  clips: readonly ClipFacts[],
  targets: Targets,
  context: StudyContext,
): AsyncGenerator<Question> {
  let place = 0;
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    const clip = clips[place++]!;
    const conditions = worlds.slice(1).flatMap((world) => {
      const asked = inWorld(world, clip, targets);
      return asked === null || asked === 'as it is' ? [] : asked;
    });
    for (const condition of [clean, ...conditions]) {
      for (const { name: recognizer, input } of recognizers) {
        if (condition !== clean && input !== 'sound') continue;
        yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer, repeat: 0 } };
      }
    }
  }
}
