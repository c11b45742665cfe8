import { EarwitnessError } from '../../base/errors.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import type { Batch, Question, StudyContext } from '../contract.ts';
import { chosenConditions, listedConditions } from '../shared/options.ts';
import { counted } from '../shared/wording.ts';
import type { FaultWordsOptions } from './options.ts';

/** A transformation with its parameters: the rungs of a family, or one condition by itself. */
export interface Transformation {
  readonly name: string;
  /** Numbers of its conditions. */
  readonly conditions: readonly number[];
}

export interface Design {
  readonly recognizers: readonly string[];
  /** The baseline first. */
  readonly conditions: readonly Condition[];
  readonly transformations: readonly Transformation[];
}

/** @throws EarwitnessError `bad-config` for a condition that does not exist, or nothing left to ask about */
export function makeDesign(options: FaultWordsOptions, context: StudyContext): Design {
  const { ladders: known } = context;
  const ladders: readonly Ladder[] = known.some(({ name }) => name === aequevox.name) ? known : [...known, aequevox];
  const own = options.conditions.filter((one) => typeof one !== 'string' && one.name === options.baseline);
  const [baseline, ...more] = listedConditions(own.length > 0 ? own : [options.baseline], ladders);
  if (baseline === undefined || more.length > 0) {
    throw new EarwitnessError(
      'bad-config',
      `baseline: expected one condition, but ${JSON.stringify(options.baseline)} matches ${more.length + 1}; name one of them`,
    );
  }
  const except = new Set([...options.except, baseline.name, clean.name]);
  const changed = chosenConditions(options.conditions, ladders).filter(({ name }) => !except.has(name));
  if (changed.length === 0) {
    throw new EarwitnessError('bad-config', 'conditions: expected at least one besides the baseline; name some');
  }
  const conditions = [baseline, ...changed];
  const families = Map.groupBy(changed.keys(), (place) => changed[place]!.rung?.family ?? changed[place]!.name);
  return {
    recognizers: context.recognizers.map(({ name }) => name),
    conditions,
    transformations: [...families].map(([name, places]) => ({ name, conditions: places.map((place) => place + 1) })),
  };
}

/** Utterance by utterance, so that its transcripts can be counted and forgotten. */
export function designedBatch({ recognizers, conditions }: Design, context: StudyContext): Batch {
  return {
    about: `baseline and ${counted(conditions.length - 1, 'condition')}`,
    size: context.utteranceCount * conditions.length * recognizers.length,
    async *questions(): AsyncGenerator<Question> {
      for await (const utterance of context.utterances()) {
        for (const condition of conditions) {
          for (const recognizer of recognizers) {
            yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer, repeat: 0 } };
          }
        }
      }
    },
  };
}
