import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { csvLine } from '../../report/csv/render-csv.ts';
import { listScenarios } from '../../session/members/listings.ts';
import { readText } from '../../session/open/read-text.ts';
import type { RatingSpreads } from '../../statistics/planning/rating-precision.ts';
import { findingOfRatings } from '../../studies/shared/validity/finding-of-ratings.ts';
import { readAllRatings } from '../../studies/shared/validity/ratings.ts';
import { type GivenRow, openRating } from '../../web/people/rate.ts';
import { parseRatingPlan, type RatingPlan } from '../../web/people/rating-plan.ts';
import type { CliCommand } from '../command.ts';
import { addSessionOptions, holdSession, planBeside, type SessionFlags, upToHundred } from '../listening-session.ts';
import { reportFinding } from '../print-report.ts';
import {
  judgedPer,
  makeRatingPlan,
  type RatingFlags,
  ratingPlanLines,
  ratingSeats,
  refuseOtherRatingPlan,
} from '../rating-plan.ts';

interface Options extends RatingFlags, SessionFlags {
  readonly report?: true;
  readonly atLeast?: number;
  readonly out?: string;
}

/** What the papers let pass. */
const usualThreshold = { 'sr-mt': 4, aequevox: 7.2 };

/** `rate TABLE --run RUN --person NAME` */
export const rate: CliCommand = {
  examples: [
    'rate ratings.csv --utterances 24 --half-width 0.3 --plan-only',
    'rate ratings.csv --profile aequevox --utterances 1 --plan-only',
    'rate ratings.csv --person anna --person ben',
    'rate ratings.csv --report --out report',
  ],
  notes:
    'People rate clips of a run; the table gates the studies robustness, metamorphic and degradation (validity: { ratings: ratings.csv, atLeast: 4 }). The plan (ratings-plan.json) is made once, before anybody listens: who rates what, hidden originals, anchors and repeats, and whose ratings do not count.',
  configure(command: Command) {
    addSessionOptions(command, {
      ...{ done: 'rated', table: '.csv' },
      condition: 'a condition of the run, or a family; may be repeated (default: all)',
      listeners: 'number of listeners (default: as many as give every clip the same number of ratings)',
      own: (planned) =>
        planned
          .addOption(
            new Option(
              '--profile <paper>',
              'sr-mt: sharpness and naturalness, 1 to 5; aequevox: comprehensibility beside the original, 1 to 10 (default: sr-mt)',
            ).choices(['sr-mt', 'aequevox']),
          )
          .addOption(
            new Option(
              '--order <order>',
              'increasing: each family from the mildest on (default of aequevox); random (default of sr-mt)',
            ).choices(['increasing', 'random']),
          )
          .addOption(
            new Option(
              '--half-width <rating>',
              'plan as many listeners as give means a confidence interval of this half-width',
            )
              .argParser(positive)
              .conflicts('listeners'),
          )
          .option(
            '--spreads <l,c,r>',
            'standard deviations of listeners, clips and the rest for --half-width, as --report printed them for a pilot',
            spreads,
          )
          .option('--repeats <n>', 'clips that each person rates again at the end (default: 2)', upToHundred)
          .option('--no-anchor', 'without clips that are bad beyond doubt')
          .addOption(
            new Option('--headphones <how>', 'headphone check (default: required)').choices([
              'required',
              'asked',
              'off',
            ]),
          )
          .option(
            '--anchor-margin <rating>',
            'leave out who rates the hidden reference less than this above the anchors; 0: nobody (default: 1, aequevox 2)',
            upToNine,
          )
          .option(
            '--repeat-difference <rating>',
            'leave out whose repeated ratings differ by more than this; 0: nobody (default: 1.5, aequevox 3)',
            upToNine,
          )
          .option('--level <dBFS>', 'level of every original (default: -26)', belowZero)
          .option('--no-level', 'clips as loud as they are')
          .option('--report', 'print what the table says: means, what passes, agreement; nothing is shown to people')
          .option('--at-least <rating>', 'with --report: a mean of this passes (default: 4, aequevox 7.2)', positive)
          .option('--out <folder>', 'with --report: also write it to this folder, as HTML, JSON, Markdown and CSV'),
    }).action(run);
  },
};

function positive(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number > 0 && number <= 1000))
    throw new InvalidArgumentError('expected a number above 0');
  return number;
}

function upToNine(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 9))
    throw new InvalidArgumentError('expected a number from 0 to 9');
  return number;
}

function belowZero(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= -60 && number <= 0))
    throw new InvalidArgumentError('expected a level from -60 to 0');
  return number;
}

function spreads(text: string): RatingSpreads {
  const [listeners, clips, rest, ...more] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const all = [listeners, clips, rest];
  if (more.length > 0 || !all.every((one) => one !== undefined && one >= 0 && one <= 100) || !(rest! > 0))
    throw new InvalidArgumentError('expected three numbers: listeners,clips,rest');
  return { listeners: listeners!, clips: clips!, rest: rest! };
}

async function run(table: string, options: Options): Promise<void> {
  if (options.report) {
    await report(table, await planBeside(table, parseRatingPlan), options);
    return;
  }
  for (const [name, given] of [
    ['--at-least', options.atLeast],
    ['--out', options.out],
  ] as const) {
    if (given !== undefined)
      throw new EarwitnessError('bad-usage', `expected --report beside ${name}; add it, or leave ${name} away`);
  }
  if (extname(table) !== '.csv') {
    throw new EarwitnessError('bad-usage', `expected a table that ends in .csv, but got ${table}; rename it`);
  }
  await holdSession(table, options, {
    ...{ kind: 'rating', parse: parseRatingPlan, seats: ratingSeats, open: openRating, text: tableText, rowsIn },
    make: (files) => makeRatingPlan(table, files, options),
    refuseOther: (plan, file) => refuseOtherRatingPlan(plan, options, file),
    lines: (plan, available) => ratingPlanLines(plan, available, options.spreads),
    ...{ takesOver: 'seat they take', overview: 'who has rated how much' },
    ended: (_, rows) => [
      `${table}: ${rows.length} ratings; earwitness rate ${basename(table)} --report says what they show`,
    ],
  });
}

async function report(table: string, plan: RatingPlan | null, options: Options): Promise<void> {
  const rows = readAllRatings(table, await readText(table, process.cwd()));
  const labels = new Map(
    (await listScenarios()).flatMap(({ scenarios }) => scenarios.map(({ name, label }) => [name, label] as const)),
  );
  const finding = findingOfRatings(rows, {
    atLeast: options.atLeast ?? (plan === null ? null : usualThreshold[plan.profile]),
    per: judgedPer(plan?.profile, rows),
    labelOf: (condition) => labels.get(condition) ?? null,
  });
  await reportFinding(finding, table, { ...options, transcripts: true });
}

async function rowsIn(table: string): Promise<number> {
  return (await readFile(table, 'utf8')).split('\n').filter((line) => line.trim() !== '').length - 1;
}

const columns = [
  'listener',
  'utterance',
  'condition',
  'relation',
  'corpus',
  'scale',
  'rating',
  'kind',
  'plays',
  'excluded',
] as const;

function tableText(rows: readonly GivenRow[]): string {
  return csvLine(columns) + rows.map((row) => csvLine(columns.map((name) => row[name] ?? ''))).join('');
}
