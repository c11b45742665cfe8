import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { LossGradient } from '../../model/loss-gradient.ts';
import type { AssetServices, AttackedRecognizer, SaidText } from '../contract.ts';

/** Parameters of what is made against one recognizer. */
export const madeAgainst = {
  source: z.string().min(1).max(200).describe('Name of the recognizer of the config that it is made against'),
};

/** Parameters of what searches for the worst that may be added to a clip. */
export function searchParameters(usualStep: number) {
  return {
    ...madeAgainst,
    snrDb: z
      .number()
      .min(-20)
      .max(120)
      .describe('Signal-to-noise ratio over the whole clip in decibels, at least: lower allows more'),
    relativeStep: z
      .number()
      .positive()
      .max(10)
      .default(usualStep)
      .describe('Length of a step, as a fraction of the radius, the greatest norm that may be added'),
    target: z
      .string()
      .max(1000)
      .nullable()
      .default(null)
      .describe('A text that is to be written instead; null: anything but what was said'),
  };
}

export type SearchParameters = {
  readonly source: string;
  readonly snrDb: number;
  readonly relativeStep: number;
  readonly target: string | null;
};

/** @throws EarwitnessError `bad-config` without a config, or without such a recognizer in it */
export function openAttacked(
  perturbation: string,
  source: string,
  { attacked }: Pick<AssetServices, 'attacked'>,
  by: 'gradient' | 'transcripts',
): Promise<AttackedRecognizer> {
  if (attacked !== undefined) return attacked(source, by);
  throw new EarwitnessError(
    'bad-config',
    `${perturbation}: expected a config that names the recognizer ${JSON.stringify(source)}, but there is none; give one with --config`,
  );
}

/** What a search is after, and what is told of it with every sound. */
export interface SearchTask {
  readonly text: string;
  readonly language: string;
  readonly facts: JsonObject;
}

/** @throws EarwitnessError `bad-input` where nobody wrote down what was said and no target is named */
export function searchTask(
  perturbation: string,
  { snrDb, target }: Pick<SearchParameters, 'snrDb' | 'target'>,
  said: SaidText | undefined,
): SearchTask {
  const text = target ?? said?.reference;
  if (text !== undefined) {
    const facts = { askedSnrDb: snrDb, target: target === null ? 'what was said' : 'another text' };
    return { text, language: said?.language ?? 'en', facts };
  }
  throw new EarwitnessError(
    'bad-input',
    `${perturbation}: expected an utterance whose reference is known, but nobody wrote it down; add a reference, or name a target`,
  );
}

/** @throws EarwitnessError `bad-input` for a loss or a gradient that is no number */
export async function finiteLoss(
  perturbation: string,
  gradient: LossGradient,
  ...asked: Parameters<LossGradient['loss']>
): ReturnType<LossGradient['loss']> {
  const found = await gradient.loss(...asked);
  if (Number.isFinite(found.loss) && found.gradient.every(Number.isFinite)) return found;
  throw new EarwitnessError(
    'bad-input',
    `${perturbation}: expected a loss and a gradient that are numbers, but on this clip they are not; leave it out, or take fewer steps`,
  );
}
