import { isoTime, minuteInUtc } from '../base/clock.ts';
import { formatFixed, grouped, percentDecimals } from '../base/number-format.ts';
import { counted } from '../base/wording.ts';
import type { Comparison, Finding, Section, Statement } from '../model/finding.ts';
import { openAgainst } from '../model/reason.ts';
import { clean } from '../model/trial.ts';
import { type Normalizer, normalizerIdentity } from '../scoring/normalizers/normalizer.ts';
import { defaultMinimumClusters } from '../statistics/bootstrap/cluster-spread.ts';
import { familiesInWords } from '../studies/shared/comparisons.ts';
import { type Decisive, decisiveSentences, whoDecides } from '../studies/shared/decisive.ts';
import { attributeColumn, groupColumn, verdictCells, verdictColumns } from '../studies/shared/tables.ts';
import { named } from '../studies/shared/wording.ts';
import { bendOf, concludeHistory, type HistoryResults, historyFamilies } from './conclude-history.ts';
import { type Counted, countRuns, type HistoryRun, type HistoryTrial } from './count-runs.ts';

export interface HistoryOptions {
  readonly recognizer: string;
  /** Null: all conditions together. */
  readonly condition: string | null;
  /** What people call it, where that is another name. */
  readonly called?: string | undefined;
  /** Asked once all words were made: which was used shows on the way. */
  readonly normalizer: () => Normalizer;
  /** .95 by default. */
  readonly level?: number;
  /** 2000 by default. */
  readonly resamples?: number;
  /** As `rateInterval` by default. */
  readonly minimumSpeakers?: number;
  readonly seed: number;
  /** By what words and intervals are made, in a sentence. */
  readonly counted?: string;
}

type Settled = HistoryOptions & Required<Pick<HistoryOptions, 'level' | 'resamples' | 'minimumSpeakers'>>;

/**
 * The word error rates of one recognizer over runs, each on those of the newest run's questions that it answered, and whether they drift: a slow change
 * passes every comparison of two runs that follow each other.
 *
 * The trend is the slope of a straight line: later runs less earlier ones, each weighted by its distance from the middle, over how many runs these
 * are apart. A difference between two runs is over the questions that both answered, whatever the others did. Where a change begins is told by comparing the runs since with those before, for every place. All are tested jointly, with
 * the signs of speakers flipped alike (`compareAll`): without any change the answers of a speaker in two runs could be exchanged.
 *
 * @param runs oldest first
 * @param trialsOf those of one run, those of an utterance one after another
 * @example historyFinding(runs, (run) => trials.get(run.id), { recognizer: 'asr', condition: 'clean', normalizer, seed: 1 })
 */
export function historyFinding(
  runs: readonly HistoryRun[],
  trialsOf: (run: HistoryRun) => Iterable<HistoryTrial>,
  options: HistoryOptions,
): Finding {
  const settled: Settled = { level: 0.95, resamples: 2000, minimumSpeakers: defaultMinimumClusters, ...options };
  const { slices, compared, seriesOf, isWhole, questions } = countRuns(runs, trialsOf);
  const results = concludeHistory(slices, compared.length, seriesOf, settled);
  const { level, resamples, minimumSpeakers, recognizer, condition } = settled;
  const others = runs.length - compared.length;
  const decided = results.decided.flatMap((decisive, run) =>
    decisive === null ? [] : [{ where: `run of ${dateOf(compared[run]!)}`, decisive }],
  );
  return {
    study: { name: 'history', version: 12 },
    title: `${named(recognizer)} over ${others > 0 ? `${compared.length} of ` : ''}${counted(runs.length, 'run')}`,
    settings: {
      ...{ recognizer, condition, normalizer: normalizerIdentity(settled.normalizer()) },
      ...{ level, resamples, minimumSpeakers, runs: compared.map(({ id }) => id) },
    },
    answer: answerOf(results, compared, settled),
    sections: sectionsOf(results, runs, { compared, isWhole, questions }, settled),
    warnings: [
      ...decisiveSentences(decided.toReversed(), { measure: 'WER' }),
      ...(others === 0
        ? []
        : [
            `${counted(others, 'run')} ${others === 1 ? 'has' : 'have'} less than half of the newest run's questions in common, and ${others === 1 ? 'is' : 'are'} not compared.`,
          ]),
    ],
  };
}

const dateOf = ({ begunAtMs }: HistoryRun) => minuteInUtc(begunAtMs);

function answerOf(
  results: HistoryResults,
  compared: readonly HistoryRun[],
  { recognizer, condition, called = condition ?? '' }: Settled,
): Statement[] {
  const who = named(recognizer);
  const own = condition === clean.name ? 'on clean audio' : `in ${named(called)}`;
  const where = condition === null ? 'over all conditions' : own;
  const last = results.rates.at(-1);
  if (last === undefined) return [{ text: `${who}: no run has answers to compare.`, headline: true }];
  const { trend } = results.tested;
  if (trend === null) {
    // The same of every recognizer, whose name its table has.
    const text = `No history yet: one run has answers ${where}. Run the same corpus again for the second.`;
    return [{ text, headline: true, estimate: last }];
  }
  const points = ({ difference: { value } }: Comparison) =>
    `${formatFixed(100 * value!, percentDecimals(value!), true)} points of WER`;
  const { comparison } = trend;
  const [each, others] =
    compared.length > 2 ? ['from run to run', 'the runs before'] : ['than in the earlier run', 'the earlier run'];
  const claim = { headline: true, verdict: comparison.verdict, estimate: last, comparison } as const;
  if (comparison.verdict === 'cannot tell' || comparison.difference.value === null) {
    const text = `${who}: ${openAgainst(comparison.open, others)} ${where}.`;
    return [{ ...claim, text }, ...beginsWith(results, compared, points)];
  }
  const errors = comparison.verdict === 'better' ? 'fewer' : 'more';
  const text = `${who} makes ${errors} errors ${each}: ${points(comparison)} ${where}.`;
  return [{ ...claim, text }, ...beginsWith(results, compared, points)];
}

/** With which run a change begins, where that is told, and what else is known to have changed there. */
function beginsWith(
  results: HistoryResults,
  compared: readonly HistoryRun[],
  points: (comparison: Comparison) => string,
): Statement[] {
  const found = bendOf(results);
  if (found === null || found.comparison.verdict === 'cannot tell') return [];
  const { grows, since, comparison } = found;
  const { id, begunAtMs, changed } = compared[since]!;
  const run = isoTime(begunAtMs) === null ? `run ${id}` : `the run of ${minuteInUtc(begunAtMs)}`;
  const also = changed
    .slice(0, 3)
    .map(({ what, before, after }) => `${named(what)} (${named(before)} → ${named(after)})`);
  return [
    {
      text: `${grows ? `It grows from ${run} on` : `The change came with ${run}`}: ${points(comparison)} since.`,
      ...{ headline: true, verdict: comparison.verdict, comparison },
    },
    {
      text:
        also.length > 0
          ? `Also changed then: ${also.join(', ')}.`
          : 'Nothing that is known of the recognizer changed then.',
    },
  ];
}

/** `e2_1: 9.0`, `3 of 60: 9.3` */
function withoutWhom(decisive: Decisive | null): string {
  if (decisive === null) return '';
  const { utterances, without, all } = decisive;
  const who = utterances.length > 1 ? `${utterances.length} of ${grouped(all.utterances)}` : whoDecides(decisive);
  return `${named(who)}: ${formatFixed(100 * without.value!, percentDecimals(without.value!))}`;
}

function sectionsOf(
  results: HistoryResults,
  runs: readonly HistoryRun[],
  { compared, isWhole, questions }: Pick<Counted, 'compared' | 'isWhole' | 'questions'>,
  { recognizer, level, counted }: Settled,
): Section[] {
  const { rates, decided } = results;
  const { trend, groups, beginnings } = results.tested;
  const decisiveOf = new Map(compared.map(({ id }, place) => [id, decided[place] ?? null]));
  const rateOf = new Map(compared.map(({ id }, place) => [id, rates[place]!]));
  const beginningOf = new Map(beginnings.map(({ since, comparison }) => [compared[since]!.id, comparison]));
  const bend = bendOf(results);
  const testHelp = 'From exchanging the runs since with those before, speaker by speaker';
  const answeredIn = ({ id }: HistoryRun) => (isWhole ? {} : { answered: rateOf.get(id)?.n.pairs ?? null });
  const changesOf = ({ changed }: HistoryRun) => {
    const told = changed.map(({ what, before, after }) => `${what}: ${before} → ${after}`);
    return told.length > 3 ? `${told.slice(0, 3).join('; ')}; …` : told.join('; ');
  };
  const sections: Section[] = [
    {
      id: 'history-runs',
      title: 'Run by run',
      text: [
        isWhole
          ? 'Rates are of the questions that all compared runs answered.'
          : `Rates are of those of the ${grouped(questions)} questions of the newest run that a run answered; what differs between two runs is over the questions that both answered.`,
        ...(counted === undefined ? [] : [counted]),
        ...(bend === null
          ? []
          : [
              'The verdict stands where a change fits the rates best. Before and behind that place runs differ from those before them too, because of the same change.',
            ]),
      ],
      charts: [
        {
          title: 'Word error rate by run',
          xLabel: 'Run',
          xTicks: compared.map(dateOf),
          yLabel: 'WER',
          yKind: 'rate',
          series: [{ name: recognizer, points: rates.map((estimate, x) => ({ x, estimate })) }],
        },
      ],
      tables: [
        {
          id: 'history-runs',
          title: 'Word error rates by run',
          columns: [
            { key: 'begun', label: 'Begun (UTC)', kind: 'text' },
            { key: 'rate', label: 'WER', kind: 'rate' },
            ...(decided.some((one) => one !== null)
              ? [
                  {
                    key: 'without',
                    label: 'Without',
                    kind: 'text' as const,
                    help: 'Utterances or a speaker that decide the rate, and the WER without them in %.',
                  },
                ]
              : []),
            ...(isWhole ? [] : [{ key: 'answered', label: 'Questions answered', kind: 'count' as const }]),
            {
              key: 'changed',
              label: 'Changed',
              kind: 'text',
              help: 'Besides answers, what is another than in the run before.',
            },
            {
              key: 'since',
              label: 'This and later runs less those before',
              kind: 'difference',
            },
            ...verdictColumns(testHelp),
            { key: 'run', label: 'Run', kind: 'text' },
          ],
          leads: 'Begun (UTC)',
          rows: runs.map((run) => {
            const comparison = beginningOf.get(run.id);
            return {
              ...{
                run: run.id,
                begun: dateOf(run),
                rate: rateOf.get(run.id) ?? null,
                without: withoutWhom(decisiveOf.get(run.id) ?? null),
                ...answeredIn(run),
                changed: changesOf(run),
              },
              since: comparison?.difference ?? null,
              ...(bend !== null && comparison === bend.comparison && verdictCells(comparison)),
            };
          }),
        },
      ],
    },
  ];
  if (trend === null) return sections;
  sections.push({
    id: 'history-trends',
    title: 'Trends',
    text: [
      familiesInWords(historyFamilies, level),
      'Whoever looks after every run tests each time: over many looks a false verdict is likelier than in one.',
    ],
    tables: [
      {
        id: 'history-trends',
        title: 'From run to run',
        columns: [
          attributeColumn,
          groupColumn,
          {
            key: 'difference',
            label: 'From run to run',
            kind: 'difference',
            help: 'The slope of a straight line through the rates of the runs.',
          },
          ...verdictColumns('From exchanging earlier and later runs, speaker by speaker'),
        ],
        leads: compared.length > 2 ? 'From run to run' : 'Since the earlier run',
        rows: [trend, ...groups].map(({ group, comparison }) => ({
          ...{ attribute: group?.attribute ?? 'all', group: group?.value ?? 'everybody' },
          ...{ difference: comparison, ...verdictCells(comparison) },
        })),
      },
    ],
  });
  return sections;
}
