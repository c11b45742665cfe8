import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { list, nonEmpty, oneOf, orNull } from '../../base/option-kinds.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { StudyContext } from '../contract.ts';
import { groupsOf, whole } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import {
  chosenConditions,
  conditionsOption,
  drawsOption,
  intervalOptions,
  listedConditions,
  normalizerOption,
} from '../shared/options.ts';
import { conditionColumn } from '../shared/tables.ts';

/** Options of the study `hallucination`. */
export const hallucinationOptions = z.strictObject({
  corpus: oneOf(['speech', 'sounds'])
    .default('speech')
    .describe(
      'speech: only the lengths of the recordings are used, and every condition must remove the speech; sounds: nobody speaks in the recordings (noise, music), so they are recognized as they are',
    ),
  conditions: orNull(conditionsOption).describe(
    'Scenarios, families, ladders or conditions of your own, without speech; null: earwitness/silence, or clean for sounds',
  ),
  draws: drawsOption,
  groupBy: list(nonEmpty(), 0, 8)
    .default([])
    .describe('Attributes of the recordings whose values are reported separately: kind'),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
});

export type HallucinationOptions = z.infer<typeof hallucinationOptions>;

/** Upper ends in seconds of the classes of duration; the last has none. */
const durationEnds = [2, 5, 10, 30] as const;

/** The classes of duration, shortest first. */
const durationClasses: readonly string[] = [
  `under ${durationEnds[0]} s`,
  ...durationEnds.slice(1).map((end, place) => `${durationEnds[place]} to ${end} s`),
  `${durationEnds.at(-1)} s and longer`,
];

/** What counts of one answer. */
interface Written {
  readonly condition: string;
  readonly heard: readonly string[];
  /** Null where the recognizer heard no sound. */
  readonly seconds: number | null;
  readonly loops: number;
}

/** How a condition is called in tables and charts: by its severity, where no other has the same. */
export function shownNames(conditions: readonly Condition[]): ReadonlyMap<string, string> {
  const labels = conditions.map(({ name, rung }) => rung?.label ?? name);
  const distinct = new Set(labels).size === conditions.length;
  return new Map(conditions.map(({ name }, place) => [name, distinct ? labels[place]! : name]));
}

/** The recording is the unit, whoever speaks in it: the speech is gone. */
export function soundCube(context: StudyContext, conditions: readonly Condition[], options: HallucinationOptions) {
  const { groupBy, level, resamples } = options;
  const names = shownNames(conditions);
  return openCube<Written>()({
    series: context.recognizers.map(({ name }) => name),
    conditions: conditions.map(({ name }) => name),
    counts: {
      sounds: { label: 'Sounds', of: () => 1 },
      withWords: { label: 'With words', of: ({ heard }) => Number(heard.length > 0) },
      words: { label: 'Words', of: ({ heard }) => heard.length },
      withLoops: {
        label: 'With loops',
        help: 'Clips for which the same 1 to 20 words are recognized at least three times in a row.',
        of: ({ loops }) => Number(loops > 0),
      },
      minutes: { label: 'Minutes', hidden: true, of: ({ seconds }) => (seconds ?? 0) / 60 },
      timedWords: {
        label: 'Timed words',
        hidden: true,
        of: ({ seconds, heard }) => (seconds === null ? 0 : heard.length),
      },
    },
    ratios: {
      share: { label: 'Clips with words', kind: 'rate', over: ['withWords', 'sounds'], proportion: true },
      pace: {
        label: 'Words per minute',
        kind: 'number',
        help: 'Words recognized per minute of audio without speech.',
        over: ['timedWords', 'minutes'],
        empty: { code: 'no-duration' },
        watched: true,
      },
    },
    slices: {
      all: whole,
      condition: {
        columns: [{ key: 'sound', label: 'Sound', kind: 'text' }, conditionColumn],
        order: [...names.values()],
        of: ({ condition }) => [[names.get(condition)!, condition]],
      },
      duration: {
        columns: [{ key: 'duration', label: 'Duration', kind: 'text' }],
        order: durationClasses,
        of: ({ seconds }) => (seconds === null ? [] : [[durationClass(seconds)]]),
      },
      group: groupsOf(groupBy),
    },
    unit: 'recording',
    heard: ({ heard }) => heard,
    settings: { level, resamples, minimumSpeakers: defaultMinimumClusters, seed: context.seed },
  });
}

export type SoundCube = ReturnType<typeof soundCube>;

/**
 * What is to be heard in which nobody speaks.
 *
 * @throws EarwitnessError `bad-config` for clean recordings of speech, names that stand for nothing or for two conditions
 */
export function soundConditions(options: HallucinationOptions, fromConfig: readonly Ladder[]): Condition[] {
  const ladders = fromConfig.some(({ name }) => name === earwitness.name) ? fromConfig : [...fromConfig, earwitness];
  const wanted = options.conditions ?? (options.corpus === 'speech' ? ['earwitness/silence'] : [clean.name]);
  const listed = listedConditions(wanted, ladders);
  if (options.corpus === 'speech' && listed.some(({ steps }) => steps.length === 0)) {
    throw badConfig(
      'expected conditions that remove the speech, but clean keeps it; remove clean, or set corpus: sounds if nobody speaks in the recordings',
    );
  }
  const names = new Set(listed.map(({ name }) => name));
  return chosenConditions(wanted, ladders).filter(({ name }) => names.has(name));
}

function durationClass(seconds: number): string {
  const place = durationEnds.findIndex((end) => seconds < end);
  return durationClasses[place === -1 ? durationEnds.length : place]!;
}
