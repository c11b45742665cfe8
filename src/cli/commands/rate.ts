import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import { badUsage } from '../../base/errors.ts';
import { csvLine } from '../../report/csv/render-csv.ts';
import { listScenarios } from '../../session/members/listings.ts';
import { readText } from '../../session/open/read-text.ts';
import { findingOfRatings } from '../../studies/shared/validity/finding-of-ratings.ts';
import { readAllRatings } from '../../studies/shared/validity/ratings.ts';
import { type GivenRow, openRating } from '../../web/people/rate.ts';
import { parseRatingPlan, type RatingPlan } from '../../web/people/rating-plan.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { holdSession, planBeside, sessionFlags } from '../listening-session.ts';
import { positive } from '../options.ts';
import { reportFinding } from '../print-report.ts';
import { ratingFlags } from '../rating-flags.ts';
import { judgedPer, makeRatingPlan, ratingPlanLines, ratingSeats, refuseOtherRatingPlan } from '../rating-plan.ts';

const flags = [
  ...ratingFlags,
  ['--report', 'print what the table says: means, what passes, agreement; nothing is shown to people'],
  ['--at-least <rating>', 'with --report: a mean of this passes (default: 4, aequevox 7.2)', positive],
  ['--out <folder>', 'with --report: also write it to this folder, as HTML, JSON, Markdown and CSV'],
  ...sessionFlags,
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

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
  flags,
  configure(command: Command) {
    command.argument('<table>', 'the table that is written, .csv; plan, clips and answers lie beside it').action(run);
  },
};

async function run(table: string, options: Options): Promise<void> {
  if (options.report) {
    await report(table, await planBeside(table, parseRatingPlan), options);
    return;
  }
  for (const [name, given] of [
    ['--at-least', options.atLeast],
    ['--out', options.out],
  ] as const) {
    if (given !== undefined) throw badUsage(`expected --report beside ${name}; add it, or leave ${name} away`);
  }
  if (extname(table) !== '.csv') throw badUsage(`expected a table that ends in .csv, but got ${table}; rename it`);
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
