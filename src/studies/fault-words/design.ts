import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { list, nonEmpty, orNull, whole } from '../../base/option-kinds.ts';
import { type Condition, clean } from '../../model/trial.ts';
import { leftOutByAequevox } from '../../perturbations/ladders/aequevox.ts';
import type { StudyContext } from '../contract.ts';
import { groupBinsOption } from '../shared/attributes.ts';
import { whereOption } from '../shared/check-utterances.ts';
import {
  baselineNamed,
  chosenConditions,
  conditionsOption,
  normalizerOption,
  withAequevox,
} from '../shared/options.ts';

/** Options of the study `fault-words`. */
export const faultWordsOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe('Scenarios (ladder/family:rank), families, ladders, or conditions of your own'),
  baseline: nonEmpty(200).default('clean').describe('The baseline condition (aequevox/original:1, as AequeVox has it)'),
  except: list(nonEmpty(200), 0, 1000)
    .default([...leftOutByAequevox])
    .describe('Conditions that are left out, because nothing is recognized in them'),
  where: whereOption,
  omega: z
    .union([whole(1, 1_000_000), z.record(z.string(), whole(1, 1_000_000))])
    .default(3)
    .describe('A word recognized at least this many times fewer is not robust; optionally by recognizer: { en-us: 2 }'),
  groupBy: orNull(list(nonEmpty(), 0, 32)).describe(
    'Attributes whose values are compared; null: every attribute with 2 to 8 values',
  ),
  bins: groupBinsOption,
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  maxWords: whole(0, 1000).default(20).describe('Most words shown for each group and recognizer'),
});

export type FaultWordsOptions = z.infer<typeof faultWordsOptions>;

/** A transformation with its parameters: the rungs of a family, or one condition by itself. */
interface Transformation {
  readonly name: string;
  /** Numbers of its conditions. */
  readonly conditions: readonly number[];
}

/** Whom and what is asked. */
export interface AskedWords {
  readonly recognizers: readonly string[];
  /** The baseline first. */
  readonly conditions: readonly Condition[];
  readonly transformations: readonly Transformation[];
}

/** @throws EarwitnessError `bad-config` for a condition that does not exist, or nothing left to ask about */
export function makeDesign(options: FaultWordsOptions, context: StudyContext): AskedWords {
  const ladders = withAequevox(context);
  const baseline = baselineNamed(options.baseline, options.conditions, ladders);
  const except = new Set([...options.except, baseline.name, clean.name]);
  const changed = chosenConditions(options.conditions, ladders).filter(({ name }) => !except.has(name));
  if (changed.length === 0) throw badConfig('conditions: expected at least one besides the baseline; name some');
  const conditions = [baseline, ...changed];
  const families = Map.groupBy(changed.keys(), (place) => changed[place]!.rung?.family ?? changed[place]!.name);
  return {
    recognizers: context.recognizers.map(({ name }) => name),
    conditions,
    transformations: [...families].map(([name, places]) => ({ name, conditions: places.map((place) => place + 1) })),
  };
}
