import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { keyInWords } from '../../base/number-format.ts';
import { list, nonEmpty, orNull } from '../../base/option-kinds.ts';
import { counted } from '../../base/wording.ts';
import type { Chart, Estimate, Section, Statement, Table } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import type { Condition } from '../../model/trial.ts';
import type { Answer, Question, Study, StudyContext, StudyQuality } from '../contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { chosenConditions, conditionsOption, drawsOf, drawsOption, intervalOptions } from '../shared/options.ts';
import { speakerWarnings } from '../shared/speaker-warnings.ts';
import { conditionColumn, speakersColumn } from '../shared/tables.ts';
import { createValidityGate } from '../shared/validity/gate.ts';
import { validityOption, validitySection } from '../shared/validity/validity.ts';
import { numberInWords } from '../shared/wording.ts';

/** Options of the study `sound-quality`. */
export const soundQualityOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe('Scenarios (ladder/family:rank), families, ladders, or conditions of your own; clean is always included'),
  measures: orNull(list(nonEmpty(100), 0, 32)).describe(
    'Names of measures that the config has under `quality`; null: all of them',
  ),
  draws: drawsOption,
  validity: orNull(validityOption).describe(
    'Which clips are good enough to count; those that would be left out are listed',
  ),
  ...intervalOptions,
});

export type SoundQualityOptions = z.output<typeof soundQualityOptions>;

const study = { name: 'sound-quality', version: 12 };

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
    const tally = await tallyQuality(answers, design, options, context.seed, (answer) => gate?.see(answer));
    const results = resultsOf(tally, design);
    const validity = gate?.judge(options) ?? null;
    const answer = answerOf(results, design);
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
      scores: scoresOf(answer, design),
      answer,
      sections: [
        ...design.measures.map(({ name }) => sectionOf(name, results, design)),
        ...(validity === null ? [] : [validitySection(study.name, validity)]),
      ],
      warnings: warningsOf(tally, options),
    };
  },
};

function sectionOf(measure: string, results: readonly QualityResult[], design: Design): Section {
  const { values } = design.measures.find(({ name }) => name === measure)!;
  const rows = design.conditions.map(({ name }, condition): Table['rows'][number] => {
    const own = results.filter((result) => result.measure === measure && result.condition === condition);
    return {
      condition: name,
      ...Object.fromEntries(own.map(({ value, mean }) => [value, mean])),
      clips: own[0]?.clips ?? 0,
      speakers: own[0]?.mean.n.speakers ?? 0,
      withoutValue: Math.max(0, ...own.map(({ without }) => without)),
      why: own.find(({ reason }) => reason !== null)?.reason ?? null,
    };
  });
  // The first claim is of the first value of the first measure.
  const leads = measure === design.measures[0]!.name;
  const id = idOf(measure);
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

const idOf = (measure: string) => `${study.name}-${measure.replace(/[^A-Za-z0-9-]+/g, '-')}`;

/** Conditions by measures, by the first value of each; which way is worse, their tables tell. */
function scoresOf(answer: readonly Statement[], { measures }: Design): Scores {
  return {
    ...{ measure: 'Mean', of: 'condition', ranks: 0 },
    found: answer.slice(0, 2).map(({ text }) => text),
    columns: measures.map(({ name, values }) => {
      const [value] = Object.keys(values);
      return {
        ...{ words: `by ${name}`, kind: 'number', best: null },
        head: value === name ? [name] : [name, keyInWords(value!)],
        rates: { table: idOf(name), column: value! },
      };
    }),
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

function warningsOf({ cube, failed, ...seen }: Tally, { minimumSpeakers }: SoundQualityOptions): string[] {
  const unmade = failed > 0 ? [`${counted(failed, 'clip')} could not be made or read and are in no mean.`] : [];
  return [...unmade, ...speakerWarnings(cube.groupsIn('condition'), { ...seen, minimumSpeakers })];
}

/** One value of one measure, in one condition. */
interface QualityResult {
  readonly condition: number;
  readonly measure: string;
  readonly value: string;
  readonly mean: Estimate;
  /** Clips, and those of them that have no value; why: the first reason that came. */
  readonly clips: number;
  readonly without: number;
  readonly reason: string | null;
}

/** What one clip is given by one value of a measure. */
interface Given {
  readonly condition: string;
  readonly value: number | null;
}

/** Every value of every measure is a series: it has clips of its own. */
function qualityCube({ measures, conditions }: Design, options: SoundQualityOptions, seed: number) {
  const { level, resamples, minimumSpeakers } = options;
  return openCube<Given>()({
    series: valuesOf(measures).map(({ series }) => series),
    conditions: [],
    counts: {
      sum: { label: 'Sum', of: ({ value }) => value ?? 0 },
      valued: { label: 'With a value', of: ({ value }) => Number(value !== null) },
      clips: { label: 'Clips', of: () => 1 },
    },
    ratios: { mean: { label: 'Mean', kind: 'number', over: ['sum', 'valued'], counted: 'utterances' } },
    slices: {
      condition: {
        columns: [conditionColumn],
        order: conditions.map(({ name }) => name),
        of: ({ condition }) => [[condition]],
      },
    },
    unit: 'speaker',
    paired: false,
    settings: { level, resamples, minimumSpeakers, seed },
  });
}

/** Adds up the answers as they come; why a series has no value for a condition: the first reason. */
async function tallyQuality(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: SoundQualityOptions,
  seed: number,
  see: (answer: Answer) => void,
) {
  const cube = qualityCube(design, options, seed);
  const reasons = new Map<string, string>();
  const seen = { failed: 0, utterances: 0, withoutSpeaker: 0 };
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
    if (measurement === null) seen.failed++;
    const given = valuesOf(design.measures).map(({ measure, value: key, series }): Given => {
      const found = measurement?.quality?.[measure];
      const [value, place] = [found?.values[key] ?? null, series + condition.name];
      if (value === null && measurement !== null && !reasons.has(place))
        reasons.set(place, found?.reason ?? 'it was not measured');
      return { condition: condition.name, value };
    });
    cube.add(utterance, given);
  }
  return { cube, reasons, ...seen };
}

type Tally = Awaited<ReturnType<typeof tallyQuality>>;

function resultsOf({ cube, reasons }: Tally, { conditions, measures }: Design): QualityResult[] {
  const rows = new Map(cube.rows('condition').map((row) => [row.series + row.path[0]!, row]));
  return conditions.flatMap(({ name }, condition) =>
    valuesOf(measures).flatMap(({ measure, value, series }): QualityResult[] => {
      const row = rows.get(series + name);
      if (row === undefined) return [];
      const { clips, valued } = row.counts;
      const reason = reasons.get(series + name) ?? null;
      const mean =
        valued === 0 && reason !== null
          ? { ...row.ratios.mean, reason: { code: 'text' as const, text: reason } }
          : row.ratios.mean;
      return [{ condition, measure, value, mean, clips, without: clips - valued, reason }];
    }),
  );
}

/** Every value of every measure, with its series in the cube. */
function valuesOf(measures: readonly StudyQuality[]) {
  return measures.flatMap(({ name: measure, values }) =>
    Object.keys(values).map((value) => ({ measure, value, series: JSON.stringify([measure, value]) })),
  );
}

/** What is measured, of what. */
interface Design {
  /** Clean first. */
  readonly conditions: readonly Condition[];
  readonly measures: readonly StudyQuality[];
  /** Of each condition. */
  readonly draws: readonly number[];
}

/**
 * @throws EarwitnessError `bad-config`: the config names no measures, or not these; no such scenario
 */
async function makeDesign(options: SoundQualityOptions, context: StudyContext): Promise<Design> {
  const conditions = chosenConditions(options.conditions, context.ladders);
  const draws = await drawsOf(conditions, options.draws, context);
  return { conditions, measures: measuresOf(options, context), draws };
}

function measuresOf({ measures }: SoundQualityOptions, { quality = [] }: StudyContext): readonly StudyQuality[] {
  const there = quality.map(({ name }) => name).join(', ');
  const wanted = measures ?? quality.map(({ name }) => name);
  if (wanted.length === 0) {
    throw badConfig(
      'sound-quality: expected measures, but the config names none; name some, as in quality: [stoi, snr] (earwitness list quality)',
    );
  }
  return [...new Set(wanted)].map((name) => {
    const found = quality.find((measure) => measure.name === name);
    if (found !== undefined) return found;
    throw badConfig(
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
      for (let draw = 0; draw < draws[index]!; draw++) {
        yield { ask: 'measurement', utterance, condition, draw, quality };
      }
    }
  }
}
