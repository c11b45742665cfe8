import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { keyInWords } from '../../base/number-format.ts';
import type { Chart, Estimate, Section, Statement, Table } from '../../model/finding.ts';
import type { Condition } from '../../model/trial.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import type { Answer, Question, Study, StudyContext, StudyQuality } from '../contract.ts';
import { chosenConditions, conditionsOption, drawsOf, drawsOption, intervalOptions } from '../shared/options.ts';
import { type ClusterMeans, createClusterMeans } from '../shared/speaker-clusters.ts';
import { fewUnits } from '../shared/speaker-warnings.ts';
import { conditionColumn, speakersColumn } from '../shared/tables.ts';
import { createValidityGate } from '../shared/validity/gate.ts';
import { validityOption, validitySection } from '../shared/validity/validity.ts';
import { counted, numberInWords } from '../shared/wording.ts';

/** Options of the study `sound-quality`. */
export const soundQualityOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe('Scenarios (ladder/family:rank), families, ladders, or conditions of your own; clean is always included'),
  measures: z
    .array(z.string().min(1).max(100))
    .max(32)
    .nullable()
    .default(null)
    .describe('Names of measures that the config has under `quality`; null: all of them'),
  draws: drawsOption,
  validity: validityOption
    .nullable()
    .default(null)
    .describe('Which clips are good enough to count; those that would be left out are listed'),
  ...intervalOptions,
});

export type SoundQualityOptions = z.output<typeof soundQualityOptions>;

const study = { name: 'sound-quality', version: 9 };

/** A value of a measure in a condition, with its interval. */
interface QualityResult extends QualityCell {
  readonly mean: Estimate;
}

/**
 * How good the sounds are that recognizers hear: the mean of every value of every measure in each condition. Asks for
 * measurements alone; no recognizer hears anything for it.
 *
 * @example
 * const asking = soundQuality.run(soundQuality.options.parse({ conditions: ['aequevox/noise'] }), context);
 * const { value: batch } = await asking.next();
 */
export const soundQuality: Study<SoundQualityOptions> = {
  ...study,
  about: 'Quality of clean and perturbed clips, by the measures under `quality` in the config',
  options: soundQualityOptions,
  async *run(options, context) {
    const design = await makeDesign(options, context);
    const gate = options.validity === null ? null : createValidityGate(options.validity, design.conditions, context);
    const answers: AsyncIterable<Answer> = yield {
      about: `the quality of ${counted(design.conditions.length, 'condition')}`,
      size: null,
      questions: () => measurements(design, context),
    };
    const tally = await tallyQuality(answers, design, (answer) => gate?.see(answer));
    const results = concluded(tally, options, context);
    const validity = gate?.judge(options) ?? null;
    return {
      study,
      title: 'Audio quality',
      settings: {
        conditions: design.conditions.map(({ name }) => name),
        measures: design.measures.map(({ name }) => name),
        draws: options.draws,
        validity: asJson(options.validity),
        level: options.level,
        resamples: options.resamples,
        minimumSpeakers: options.minimumSpeakers,
      },
      answer: answerOf(results, design),
      sections: [
        ...design.measures.map(({ name }) => sectionOf(name, results, design, tally)),
        ...(validity === null ? [] : [validitySection(study.name, validity)]),
      ],
      warnings: warningsOf(tally, options),
      data: asJson({
        utterances: tally.utterances,
        quality: results.map(({ condition, measure, value, mean, undefinedClips, reason }) => ({
          condition: design.conditions[condition]!.name,
          measure,
          value,
          mean,
          clips: tally.clips[condition]!,
          failedClips: tally.failed[condition]!,
          undefinedClips,
          reason,
        })),
        validity: validity === null ? null : { rule: validity.rule, conditions: validity.conditions },
      }),
    };
  },
};

function concluded(
  { cells, means }: Tally,
  { level, resamples, minimumSpeakers }: SoundQualityOptions,
  { seed }: StudyContext,
): QualityResult[] {
  return cells.map((cell) => {
    const mean = means.mean(cell.series, { level, resamples, minimumSpeakers, random: randomOfData(seed) });
    return { ...cell, mean: mean.value === null && cell.reason !== null ? { ...mean, reason: cell.reason } : mean };
  });
}

function sectionOf(measure: string, results: readonly QualityResult[], design: Design, tally: Tally): Section {
  const { values } = design.measures.find(({ name }) => name === measure)!;
  const rows = design.conditions.map(({ name }, condition): Table['rows'][number] => {
    const own = results.filter((result) => result.measure === measure && result.condition === condition);
    return {
      condition: name,
      ...Object.fromEntries(own.map(({ value, mean }) => [value, mean])),
      clips: tally.clips[condition]!,
      speakers: own[0]?.mean.n.speakers ?? 0,
      withoutValue: tally.failed[condition]! + Math.max(0, ...own.map(({ undefinedClips }) => undefinedClips)),
      why: own.find(({ reason }) => reason !== null)?.reason ?? null,
    };
  });
  // The first claim is of the first value of the first measure.
  const leads = measure === design.measures[0]!.name;
  const id = `${study.name}-${measure.replace(/[^A-Za-z0-9-]+/g, '-')}`;
  return {
    id,
    title: measure,
    charts: chartsOf(measure, results, design),
    tables: [
      {
        id,
        title: `Means of ${measure} by condition`,
        columns: [
          conditionColumn,
          ...Object.entries(values).map(([key, help], place) => ({
            ...{ key, label: keyInWords(key), kind: 'number' as const, help },
            ...(leads && place === 0 && { ranks: true as const }),
          })),
          { key: 'clips', label: 'Clips', kind: 'count' },
          speakersColumn,
          { key: 'withoutValue', label: 'Without a value', kind: 'count' },
          { key: 'why', label: 'Why', kind: 'text', help: 'The first reason that a clip without a value had.' },
        ],
        rows,
        note: 'Means over clips. Speakers are resampled whole, because the clips of one speaker are not independent.',
      },
    ],
  };
}

/** The means of the first value of a measure, condition by condition, with their intervals. */
function chartsOf(measure: string, results: readonly QualityResult[], { conditions, measures }: Design): Chart[] {
  const [value, about] = Object.entries(measures.find(({ name }) => name === measure)!.values)[0]!;
  const points = results
    .filter((one) => one.measure === measure && one.value === value && one.mean.value !== null)
    .map(({ condition, mean }) => ({ x: condition, estimate: mean }));
  if (points.length < 2) return [];
  return [
    {
      title: `${keyInWords(value)} by condition`,
      ...{ xLabel: 'condition', xTicks: conditions.map(({ name }) => name), unordered: true },
      ...{ yLabel: about, yKind: 'number', series: [{ name: measure, points }] },
    },
  ];
}

/** Where each measure is lowest, by the first of its values, and what it is of clean clips; which way is worse, its table tells. */
function answerOf(results: readonly QualityResult[], { conditions, measures }: Design): Statement[] {
  return measures.map(({ name, values }): Statement => {
    const value = Object.keys(values)[0]!;
    const measured = value === name ? value : `${keyInWords(value)} by ${name}`;
    const own = results.filter((result) => result.measure === name && result.value === value);
    const heard = own.filter(({ mean }) => mean.value !== null).sort((a, b) => a.mean.value! - b.mean.value!);
    const [lowest] = heard;
    if (lowest === undefined) return { text: `${measured}: no value.` };
    const number = ({ mean }: QualityResult) =>
      `${numberInWords(mean, 2)}, over ${counted(mean.n.utterances, 'utterance')}`;
    const clean = heard.find(({ condition }) => condition === 0);
    const beside = clean === undefined || clean === lowest ? '' : ` Of clean clips it is ${number(clean)}.`;
    const alike = heard.length > 1 && heard.every(({ mean }) => mean.value === lowest.mean.value);
    const text =
      heard.length === 1 || alike
        ? `${measured}: mean ${number(lowest)}${alike ? ' in every condition' : ''}.`
        : `${measured}: lowest in ${conditions[lowest.condition]!.name}, mean ${number(lowest)}.${beside}`;
    return { text, estimate: lowest.mean, kind: 'number' };
  });
}

function warningsOf(tally: Tally, { minimumSpeakers }: SoundQualityOptions): string[] {
  const warnings: string[] = [];
  const failed = tally.failed.reduce((sum, count) => sum + count, 0);
  if (failed > 0) warnings.push(`${counted(failed, 'clip')} could not be made or read and are in no mean.`);
  if (tally.withoutSpeaker > 0) {
    warnings.push(
      `The speakers of ${counted(tally.withoutSpeaker, 'utterance')} are unknown: such utterances are taken to be independent of each other.`,
    );
  }
  return [...warnings, ...fewUnits(tally.means.clusters, minimumSpeakers)];
}

/** One value of one measure, in one condition. */
interface QualityCell {
  readonly condition: number;
  readonly measure: string;
  readonly value: string;
  /** In `means`. */
  readonly series: number;
  /** Clips for which the measure has no value, and why: the first reason that came. */
  undefinedClips: number;
  reason: string | null;
}

/** What was measured, summed up. */
interface Tally {
  readonly cells: readonly QualityCell[];
  readonly means: ClusterMeans;
  /** By condition: clips that could not be made. */
  readonly failed: Uint32Array;
  readonly clips: Uint32Array;
  readonly utterances: number;
  readonly withoutSpeaker: number;
}

/** Adds up the answers as they come. */
async function tallyQuality(
  answers: AsyncIterable<Answer>,
  { conditions, measures }: Design,
  see: (answer: Answer) => void,
): Promise<Tally> {
  let series = 0;
  const byCondition = conditions.map((_, condition) =>
    measures.map(({ name: measure, values }) =>
      Object.keys(values).map(
        (value): QualityCell => ({ condition, measure, value, series: series++, undefinedClips: 0, reason: null }),
      ),
    ),
  );
  const means = createClusterMeans(series);
  const places = new Map(conditions.map(({ name }, index) => [name, index]));
  const counts = { failed: new Uint32Array(conditions.length), clips: new Uint32Array(conditions.length) };
  const seen = { utterances: 0, withoutSpeaker: 0 };
  let last = '';
  for await (const answer of answers) {
    if (answer.ask !== 'measurement') continue;
    see(answer);
    const { utterance, condition, measurement } = answer;
    if (utterance.id !== last) {
      last = utterance.id;
      seen.utterances++;
      if (utterance.speaker === undefined) seen.withoutSpeaker++;
    }
    const place = places.get(condition.name)!;
    counts.clips[place]!++;
    if (measurement === null) {
      counts.failed[place]!++;
      continue;
    }
    for (const cells of byCondition[place]!) {
      const found = measurement.quality?.[cells[0]!.measure];
      for (const cell of cells) {
        const value = found?.values[cell.value] ?? null;
        if (value !== null) means.add(cell.series, utterance, value);
        else {
          cell.undefinedClips++;
          cell.reason ??= found?.reason ?? 'it was not measured';
        }
      }
    }
  }
  return { cells: byCondition.flat(2), means, ...counts, ...seen };
}

/** What is measured, of what. */
interface Design {
  /** Clean first. */
  readonly conditions: readonly Condition[];
  readonly measures: readonly StudyQuality[];
  draws(condition: number): number;
}

/**
 * @throws EarwitnessError `bad-config`: the config names no measures, or not these; no such scenario
 */
async function makeDesign(options: SoundQualityOptions, context: StudyContext): Promise<Design> {
  const conditions = chosenConditions(options.conditions, context.ladders);
  const draws = await drawsOf(conditions, options.draws, context);
  return { conditions, measures: measuresOf(options, context), draws: (condition) => draws[condition]! };
}

function measuresOf({ measures }: SoundQualityOptions, { quality = [] }: StudyContext): readonly StudyQuality[] {
  const there = quality.map(({ name }) => name).join(', ');
  const wanted = measures ?? quality.map(({ name }) => name);
  if (wanted.length === 0) {
    throw new EarwitnessError(
      'bad-config',
      'sound-quality: expected measures, but the config names none; name some, as in quality: [stoi, snr] (earwitness list quality)',
    );
  }
  return [...new Set(wanted)].map((name) => {
    const found = quality.find((measure) => measure.name === name);
    if (found !== undefined) return found;
    throw new EarwitnessError(
      'bad-config',
      `sound-quality: expected measures that the config names under \`quality\` (${there || 'it names none'}), but got ${JSON.stringify(name)}`,
    );
  });
}

/** Every clip once: utterance by utterance, so that the clean clip is read once. */
async function* measurements({ conditions, measures, draws }: Design, context: StudyContext): AsyncGenerator<Question> {
  const quality = measures.map(({ name }) => name);
  for await (const utterance of context.utterances()) {
    if (utterance.sound === undefined) continue;
    for (const [index, condition] of conditions.entries()) {
      for (let draw = 0; draw < draws(index); draw++) {
        yield { ask: 'measurement', utterance, condition, draw, quality };
      }
    }
  }
}
