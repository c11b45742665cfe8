import { z } from 'zod';
import { between, flag, list, nonEmpty, oneOf, orNull, positive, whole } from '../../base/option-kinds.ts';
import { counted } from '../../base/wording.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Batch, StudyContext, StudyRecognizer } from '../contract.ts';
import { allTrials } from '../shared/all-trials.ts';
import { binning, groupBinsOption } from '../shared/attributes.ts';
import { whereOption } from '../shared/check-utterances.ts';
import { Groups } from '../shared/cube/groups.ts';
import { peopleOption } from '../shared/listeners.ts';
import {
  baselineNamed,
  chosenConditions,
  conditionsOption,
  drawsOf,
  drawsOption,
  intervalOptions,
  normalizerOption,
  withAequevox,
} from '../shared/options.ts';
import { groupShortages, groupSizes } from '../shared/shortages.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { ratingsOption } from '../shared/validity/ratings.ts';
import { type CaseValidity, validityOption } from '../shared/validity/validity.ts';

/** As findings name it, those of tables that somebody already has too. A change of a finding raises the version. */
export const study = { name: 'degradation', version: 31 };

const byRatings = ratingsOption.extend({
  per: oneOf(['case', 'condition'])
    .default('condition')
    .describe('Whether each perturbed clip passes by itself, or a condition as a whole'),
});

/** Options of the study `degradation`. */
export const degradationOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe(
      'Scenarios (ladder/family:rank), families, ladders, or your own conditions; the baseline is always included',
    ),
  baseline: orNull(nonEmpty(200)).describe(
    'The condition against which degradation is measured; null: clean (profile aequevox: aequevox/original:1)',
  ),
  profile: oneOf(['sound', 'aequevox'])
    .default('sound')
    .describe('aequevox: its baseline, without the two scenarios that it excluded by name, and with its counts first'),
  wordErrors: flag(true).describe('Whether word error rates are compared too, on utterances with a reference'),
  tolerances: list(between(0, 10), 1, 20)
    .default([0.01, 0.05, 0.1, 0.15])
    .describe('A group whose degradation exceeds another’s by more counts as a violation (tau)'),
  ceiling: positive(10)
    .default(0.85)
    .describe(
      'Two groups are not compared in a condition in which their distance (or word error rate) is greater: neither can degrade further there',
    ),
  validity: orNull(z.union([byRatings, validityOption])).describe(
    'Which clips count: scenarios that people understood (or your own listeners, by a table of ratings), or clips that a quality measure rates high enough',
  ),
  where: whereOption,
  groupBy: orNull(list(nonEmpty(), 0, 32)).describe(
    'Attributes whose values are compared; null: every attribute with 2 to 8 values',
  ),
  bins: groupBinsOption,
  reference: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'The reference group of an attribute, with which the violations of the others are compared: { native: English }',
    ),
  people: peopleOption,
  normalizer: orNull(normalizerOption.unwrap()).describe(
    'Text normalizer: a name, or a module of your own (./mine.ts); null: by-language, or aequevox in the profile aequevox',
  ),
  draws: drawsOption,
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  permutations: whole(100, 1_000_000).default(10_000).describe('Permutations of a test'),
  minimumSpeakers: intervalOptions.minimumSpeakers.describe(
    'A group with fewer speakers has no interval and no verdict',
  ),
});

export type DegradationOptions = z.infer<typeof degradationOptions>;

/** `distance` needs two recognizers and no reference; `word error rate` a reference. */
export type MeasureKind = 'distance' | 'word error rate';

/** What a kind of measure counts, in a sentence. */
export function kindInWords(kind: MeasureKind): string {
  return kind === 'distance' ? 'distance between recognizers' : 'word error rate';
}

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

/** Whom and what is asked. */
export interface Plan {
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
export async function makePlan(options: DegradationOptions, context: StudyContext): Promise<Plan> {
  const { recognizers } = context;
  const ladders = withAequevox(context);
  const wanted = options.baseline ?? (options.profile === 'aequevox' ? originalOfAequevox : clean.name);
  const baseline = baselineNamed(wanted, options.conditions, ladders);
  const chosen = chosenConditions(options.conditions, ladders).filter(
    ({ name }) => name !== baseline.name && (name !== clean.name || options.conditions.includes(clean.name)),
  );
  const conditions = [baseline, ...chosen];
  const drawn = await drawsOf(conditions, options.draws, context);
  const groups = new Groups(options.groupBy);
  const speakers = createSpeakerClusters();
  const binned = binning(options.bins);
  for await (const utterance of context.utterances()) groups.enter(binned(utterance), speakers.clusterOf(utterance));
  return {
    recognizers,
    conditions,
    families: familiesOf(conditions),
    measures: measuresOf(recognizers, options),
    drawn: drawn.map((draws, condition) => (condition === 0 ? 1 : draws)),
    shortages: groupShortages(groupSizes(groups), options.minimumSpeakers, speakers),
  };
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

/** Everything in one batch, but for perturbed clips that do not count. */
export function plannedBatch(
  { conditions, drawn, shortages }: Plan,
  context: StudyContext,
  validity: CaseValidity | null,
): Promise<Batch> {
  const about = [`baseline and ${counted(conditions.length - 1, 'condition')}`, ...shortages].join('. ');
  if (validity === null) return allTrials(context, conditions, about, drawn);
  return allTrials(context, conditions, about, drawn, (utterance, condition, draw) => {
    return condition === conditions[0] || validity.judge(utterance, condition, draw) === 'kept';
  });
}
