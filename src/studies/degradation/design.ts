import { EarwitnessError } from '../../base/errors.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { createBinning } from '../shared/attributes.ts';
import { chosenConditions, drawsOf, listedConditions } from '../shared/options.ts';
import { SlicedCounts } from '../shared/sliced-counts.ts';
import { groupShortages, groupSizes } from '../shared/speaker-warnings.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { counted } from '../shared/wording.ts';
import type { DegradationOptions } from './options.ts';

/** `distance` needs two recognizers and no reference; `word error rate` a reference. */
export type MeasureKind = 'distance' | 'word error rate';

/** What is counted: how far two recognizers are apart, or how many words one gets wrong. */
export interface Measure {
  readonly kind: MeasureKind;
  /** `one and other`, or the recognizer's name. */
  readonly name: string;
  /** Numbers of its recognizers: two for a distance, one for word errors. */
  readonly recognizers: readonly number[];
}

/** Conditions that belong together: the rungs of a ladder's family, or one by itself. */
export interface Family {
  readonly name: string;
  /** Numbers of its conditions, mildest first. */
  readonly conditions: readonly number[];
}

export interface Design {
  readonly recognizers: readonly StudyRecognizer[];
  /** The baseline first. */
  readonly conditions: readonly Condition[];
  readonly families: readonly Family[];
  readonly measures: readonly Measure[];
  /** How often the sound of each condition is made; the baseline's once. */
  readonly drawn: readonly number[];
  /** What so few speakers of a group cannot show, whatever they are answered. */
  readonly shortages: readonly string[];
}

const originalOfAequevox = 'aequevox/original:1';

/**
 * Whom and what the study asks.
 *
 * @throws EarwitnessError `bad-config` for a condition that does not exist, or a baseline that stands for several
 */
export async function makeDesign(options: DegradationOptions, context: StudyContext): Promise<Design> {
  const { recognizers } = context;
  const ladders = knownLadders(context);
  const wanted = options.baseline ?? (options.profile === 'aequevox' ? originalOfAequevox : clean.name);
  const baseline = baselineNamed(wanted, options, ladders);
  const chosen = chosenConditions(options.conditions, ladders).filter(
    ({ name }) => name !== baseline.name && (name !== clean.name || options.conditions.includes(clean.name)),
  );
  const conditions = [baseline, ...chosen];
  const drawn = await drawsOf(conditions, options.draws, context);
  const speakers = new SlicedCounts(options.groupBy);
  const binned = binning(options);
  for await (const utterance of context.utterances()) speakers.enter(binned(utterance));
  return {
    recognizers,
    conditions,
    families: familiesOf(conditions),
    measures: measuresOf(recognizers, options),
    drawn: drawn.map((draws, condition) => (condition === 0 ? 1 : draws)),
    shortages: groupShortages(groupSizes(speakers), options.minimumSpeakers),
  };
}

/** The program's own ladder is always known. */
function knownLadders({ ladders }: StudyContext): readonly Ladder[] {
  return ladders.some(({ name }) => name === aequevox.name) ? ladders : [...ladders, aequevox];
}

function baselineNamed(name: string, { conditions }: DegradationOptions, ladders: readonly Ladder[]): Condition {
  const own = conditions.filter((one) => typeof one !== 'string' && one.name === name);
  const found = listedConditions(own.length > 0 ? own : [name], ladders);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new EarwitnessError(
    'bad-config',
    `baseline: expected one condition, but ${JSON.stringify(name)} matches ${found.length}; name one of them, such as ${JSON.stringify(first?.name ?? 'clean')}`,
  );
}

function familiesOf(conditions: readonly Condition[]): Family[] {
  const members = new Map<string, number[]>();
  conditions.forEach(({ name, rung }, number) => {
    if (number === 0) return;
    const family = rung?.family ?? name;
    members.set(family, [...(members.get(family) ?? []), number]);
  });
  const rank = (number: number) => conditions[number]!.rung?.rank ?? 0;
  return [...members].map(([name, numbers]) => ({ name, conditions: numbers.toSorted((a, b) => rank(a) - rank(b)) }));
}

function measuresOf(recognizers: readonly StudyRecognizer[], { wordErrors }: DegradationOptions): Measure[] {
  const pairs = recognizers.flatMap(({ name }, first) =>
    recognizers.slice(first + 1).map(
      (other, offset): Measure => ({
        kind: 'distance',
        name: `${name} and ${other.name}`,
        recognizers: [first, first + 1 + offset],
      }),
    ),
  );
  if (!wordErrors) return pairs;
  const own = recognizers.map(
    ({ name }, number): Measure => ({ kind: 'word error rate', name, recognizers: [number] }),
  );
  return [...pairs, ...own];
}

/**
 * One batch for everything, utterance by utterance, the baseline first, recognizers innermost: so that two transcripts of a
 * sound come one after another and can be forgotten.
 */
export function designedBatch(design: Design, context: StudyContext, validity: CaseValidity | null): Batch {
  const { conditions, recognizers, drawn } = design;
  const each = drawn.reduce(
    (sum, draws) => sum + recognizers.reduce((all, { input }) => all + (input === 'names' ? 1 : draws), 0),
    0,
  );
  return {
    about: [`baseline and ${counted(conditions.length - 1, 'condition')}`, ...design.shortages].join('. '),
    size: validity === null ? context.utteranceCount * each : null,
    async *questions(): AsyncGenerator<Question> {
      for await (const utterance of context.utterances()) {
        for (const [number, condition] of conditions.entries()) {
          for (let draw = 0; draw < drawn[number]!; draw++) {
            if (number > 0 && validity !== null && validity.judge(utterance, condition, draw) !== 'kept') continue;
            for (const { name: recognizer, input } of recognizers) {
              if (draw > 0 && input === 'names') continue;
              yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer, repeat: 0 } };
            }
          }
        }
      }
    },
  };
}

/** Utterances with the ranges of numeric attributes in place of the numbers. */
export function binning({ bins }: DegradationOptions): (utterance: Utterance) => Utterance {
  const makers = Object.entries(bins).map(([attribute, chosen]) => [attribute, createBinning(chosen)] as const);
  if (makers.length === 0) return (utterance) => utterance;
  return (utterance) => {
    const attributes = { ...utterance.attributes };
    for (const [attribute, bin] of makers) {
      if (Object.hasOwn(attributes, attribute)) attributes[attribute] = bin(attributes[attribute]!);
    }
    return { ...utterance, attributes };
  };
}
