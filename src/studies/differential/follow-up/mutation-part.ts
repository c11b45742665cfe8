import { asJson } from '../../../base/json.ts';
import { grouped } from '../../../base/number-format.ts';
import { limitText } from '../../../base/printable.ts';
import type { Cell, Column, Comparison, Estimate, Table } from '../../../model/finding.ts';
import type { ClusteredCounts } from '../../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../../statistics/interval.ts';
import { toEstimate } from '../../shared/estimates.ts';
import { counted } from '../../shared/wording.ts';
import { type FollowUp, type FollowUpInput, hearing } from './contract.ts';
import { type Arm, arms, type MadeText, type MutatedPool } from './mutate-text.ts';

/** Failed tests of new texts that the finding's data hold, and those of its table. */
const maxKept = 1000;
const maxShown = 20;

const armNames: Readonly<Record<Arm, string>> = { predicted: 'predicted to fail', random: 'at random' };

const columns: readonly Column[] = [
  { key: 'voice', label: 'Voice', kind: 'text' },
  { key: 'condition', label: 'Condition', kind: 'text' },
  { key: 'chosen', label: 'Chosen', kind: 'text' },
  { key: 'candidates', label: 'Made', kind: 'count', help: 'New texts of which these were chosen.' },
  { key: 'tried', label: 'Tried', kind: 'count', help: 'New texts that were spoken.' },
  { key: 'failing', label: 'That fail', kind: 'count', help: 'Of these, those that any recognizer failed.' },
  { key: 'failed', label: 'Failed tests', kind: 'count' },
  { key: 'success', label: 'Successes', kind: 'count' },
  { key: 'indeterminable', label: 'Indeterminable', kind: 'count' },
  { key: 'unanswered', label: 'No transcript', kind: 'count' },
  { key: 'rate', label: 'Failed of all', kind: 'rate', help: 'Failed tests among those with a transcript.' },
];

/** The new texts as a section, apart from those of the corpus, and as data. */
export function mutationPart(pools: readonly MutatedPool[], input: FollowUpInput): FollowUp {
  const { context, predictor, level, resamples } = input;
  const recognizers = hearing(context).length;
  const settings = { seed: context.seed, level, resamples };
  const shown = predictor === null ? (['random'] as const) : arms;
  const rows = pools.flatMap(({ voice, conditionName, candidates, chosen }) =>
    shown.map((arm): Record<string, Cell> => {
      const rate = rateOfMade(chosen[arm], settings);
      const counts = countMade(chosen[arm], recognizers);
      return { voice, condition: conditionName, chosen: armNames[arm], candidates, ...counts, rate };
    }),
  );
  const [predicted, random] = arms.map((arm) => pools.flatMap(({ chosen }) => chosen[arm]));
  const difference = predictor === null ? null : compareMade(predicted!, random!, settings);
  const [likely, drawn] = [countMade(predicted!, recognizers), countMade(random!, recognizers)];
  const text = `New texts that are predicted to fail: ${counted(likely.failed, 'failed test')} with ${counted(likely.tried, 'text')}; drawn at random: ${grouped(drawn.failed)} with ${grouped(drawn.tried)}`;
  const failures = failuresOf(pools);
  const few = pools.filter(({ candidates }) => candidates < input.options.mutation.texts);
  return {
    answer: difference === null ? [] : [{ text, comparison: difference, kind: 'rate' }],
    sections: [
      {
        id: 'new-texts',
        title: 'New texts made of failed ones',
        text: [
          'Words of failed texts were replaced by words of the collection that are as frequent and as long, or by the alternatives in the options. These texts are in no other table, because they were made from failures and not collected.',
          ...(predictor === null ? ['Without a predictor new texts are only drawn at random.'] : []),
          ...few.map(
            ({ voice, candidates }) =>
              `${voice}: only ${counted(candidates, 'new text')}; the words have too few others.`,
          ),
        ],
        tables: [
          {
            ...{ id: 'new-texts', title: 'New texts', columns, rows },
            note: 'Intervals resample the failed texts that the new ones were made of.',
          },
          failuresTable(failures),
        ],
      },
    ],
    warnings: [],
    data: {
      newTexts: asJson({
        ...{ rows, difference },
        failed: failures.slice(0, maxKept),
        failedLeftOut: Math.max(0, failures.length - maxKept),
      }),
    },
  };
}

interface NewFailure {
  readonly text: string;
  readonly transcript: string;
  readonly recognizer: string;
  readonly voice: string;
  readonly conditionName: string;
  readonly utteranceId: string;
  /** `textId` of the collected text that it was made of. */
  readonly from: string;
}

function failuresOf(pools: readonly MutatedPool[]): NewFailure[] {
  return pools.flatMap(({ voice, conditionName, chosen }) => {
    const texts = [...new Set([...chosen.predicted, ...chosen.random])];
    return texts.flatMap(({ text, source, utteranceId, verdicts }) =>
      [...verdicts]
        .filter(([, { status }]) => status === 'failed')
        .map(
          ([recognizer, { transcript }]): NewFailure => ({
            ...{ text, transcript, recognizer, voice, conditionName, utteranceId },
            from: source.row.textId,
          }),
        ),
    );
  });
}

function failuresTable(failures: readonly NewFailure[]): Table {
  return {
    id: 'new-failures',
    title: 'New texts that fail',
    columns: [
      { key: 'text', label: 'Text', kind: 'text', transcript: true },
      { key: 'transcript', label: 'Transcript', kind: 'text', transcript: true },
      { key: 'recognizer', label: 'Recognizer', kind: 'text' },
      { key: 'voice', label: 'Voice', kind: 'text' },
    ],
    rows: failures.slice(0, maxShown).map(({ text, transcript, recognizer, voice }) => ({
      ...{ text: limitText(text, 200), transcript: limitText(transcript, 200), recognizer, voice },
    })),
    note: `${counted(failures.length, 'failed test')} in all; the finding's data have the first ${maxKept.toLocaleString('en-US')}.`,
  };
}

/** How intervals are made. */
interface MadeRateSettings {
  readonly seed: number;
  readonly level: number;
  readonly resamples: number;
}

/** What became of made texts. A test is one recognizer's answer to one text. */
interface MadeCounts {
  readonly tried: number;
  /** Texts that any recognizer failed. */
  readonly failing: number;
  readonly failed: number;
  readonly success: number;
  readonly indeterminable: number;
  /** Asked, and no transcript came. */
  readonly unanswered: number;
}

/** @param recognizers how many were asked about each */
function countMade(texts: readonly MadeText[], recognizers: number): MadeCounts {
  const counts = { failed: 0, success: 0, indeterminable: 0 };
  let failing = 0;
  let answered = 0;
  for (const { verdicts } of texts) {
    answered += verdicts.size;
    const statuses = [...verdicts.values()].map(({ status }) => status);
    for (const status of statuses) counts[status]++;
    if (statuses.includes('failed')) failing++;
  }
  return { tried: texts.length, failing, ...counts, unanswered: texts.length * recognizers - answered };
}

/**
 * The share of failed tests among the answered ones. Whole failed texts are resampled with all that was made of them: new texts
 * of one source share most of its words.
 */
function rateOfMade(texts: readonly MadeText[], settings: MadeRateSettings): Estimate {
  const interval = rateInterval(clustered(texts, sourcesOf(texts)), bootstrap(settings));
  return worded(interval, texts);
}

/** The rate of `predicted` minus that of `random`, both resampled by their sources together. */
function compareMade(
  predicted: readonly MadeText[],
  random: readonly MadeText[],
  settings: MadeRateSettings,
): Comparison {
  const sources = sourcesOf([...predicted, ...random]);
  const interval = differenceInterval(clustered(random, sources), clustered(predicted, sources), bootstrap(settings));
  const difference = worded(interval, [...predicted, ...random]);
  const { low, high } = difference;
  const verdict =
    low === null || high === null || (low <= 0 && high >= 0) ? 'cannot tell' : low > 0 ? 'better' : 'worse';
  return {
    ...{ difference, verdict, pValue: null, adjustedPValue: null, test: 'none' },
    reason: 'the interval of the difference is given instead of a test',
  };
}

function sourcesOf(texts: readonly MadeText[]): readonly string[] {
  return [...new Set(texts.map(({ source }) => source.row.textId))];
}

function clustered(texts: readonly MadeText[], sources: readonly string[]): ClusteredCounts {
  const places = new Map(sources.map((source, place) => [source, place]));
  const numerators = new Float64Array(sources.length);
  const denominators = new Float64Array(sources.length);
  for (const { source, verdicts } of texts) {
    const place = places.get(source.row.textId)!;
    denominators[place]! += verdicts.size;
    for (const { status } of verdicts.values()) if (status === 'failed') numerators[place]!++;
  }
  return { numerators, denominators, proportion: true };
}

function bootstrap({ seed, level, resamples }: MadeRateSettings) {
  return { level, resamples, random: randomOfData(seed) };
}

/** What is resampled here are failed texts. */
function worded(interval: Interval, texts: readonly MadeText[]): Estimate {
  const words = (text: string) =>
    text.replace('clusters (speakers)', 'failed texts').replaceAll('over clusters', 'over failed texts');
  const voices = new Set(texts.map(({ source }) => source.row.voice));
  const { reason, method, ...rest } = toEstimate(interval, { utterances: texts.length, speakers: voices.size });
  return { ...rest, ...(reason === undefined ? {} : { reason: words(reason) }), method: words(method) };
}
