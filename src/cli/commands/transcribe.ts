import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { badUsage } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { csvLine } from '../../report/csv/render-csv.ts';

import { rowFormatOf } from '../../system/read-rows.ts';
import { aboutMinutes } from '../../web/people/clip-session.ts';
import { type ListeningPlan, minutesOf, panelSize, parsePlan, tasksOfSeat } from '../../web/people/listening-plan.ts';
import { type HeardRow, openTranscribing } from '../../web/people/transcribe.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { holdSession, sessionFlags } from '../listening-session.ts';
import {
  chosenConditions,
  type PlanFiles,
  planOverRun,
  refuseOther,
  refuseUneven,
  upToHundred,
} from '../plan-over-run.ts';

const flags = [
  [
    '--profile <name>',
    'sr-mt: everybody hears an utterance with noise, and clean at the end',
    { choices: ['one-condition', 'sr-mt'] },
  ],
  ['--plays <n>', 'how often a clip may be played; 0: as often as wanted (default: 3)', upToHundred],
  ['--loop', 'clips can be played over and over'],
  ['--slow', 'clips can be played at three quarters of their speed'],
  ...sessionFlags,
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `transcribe TABLE --run RUN --person NAME` */
export const transcribe: CliCommand = {
  examples: [
    'transcribe people.csv --run last --listeners 8 --plan-only',
    'transcribe people.csv --person anna --person ben',
    'transcribe pairs.csv --profile sr-mt --person anna',
  ],
  notes:
    'People as recognizers: they hear clips of a run, as its recognizers got them, and write down the words; the table is read by the recognizer `recorded`, so that every study runs on people. The plan (people-plan.json) is made once, before anybody listens: each person hears an utterance in one condition, balanced over conditions, groups and speakers.',
  flags,
  configure(command: Command) {
    command
      .argument('<table>', 'the table that is written, .csv or .jsonl; plan, clips and answers lie beside it')
      .action(run);
  },
};

async function run(table: string, options: Options): Promise<void> {
  const format = rowFormatOf(table);
  if (format === 'tsv') throw badUsage(`expected a table that ends in .csv or .jsonl, but got ${table}; rename it`);
  await holdSession(table, options, {
    ...{ kind: 'transcribing', parse: parsePlan, lines: planLines, seats: seatsOf, open: openTranscribing, rowsIn },
    make: (files) => makePlan(table, files, options),
    refuseOther: (plan, file) => refuseOtherPlan(plan, options, file),
    text: (rows) => tableText(rows, format),
    ...{ takesOver: 'open clips they take over', overview: 'who has heard how much' },
    ended({ utterances, seats, profile }, rows) {
      const all = utterances.length * seats * (profile === 'sr-mt' ? 2 : 1);
      return [
        `${table}: ${rows.length} of ${all} clips heard`,
        `In a config: people: { type: recorded, file: ${basename(table)}, systems: all }`,
      ];
    },
  });
}

async function rowsIn(table: string): Promise<number> {
  const lines = (await readFile(table, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.length - (rowFormatOf(table) === 'jsonl' ? 0 : 1);
}

const columns = [
  'utterance',
  'system',
  'condition',
  'repeat',
  'listener',
  'text',
  'unintelligible',
  'plays',
  'slowed',
] as const;

function tableText(rows: readonly HeardRow[], format: 'csv' | 'jsonl'): string {
  const cell = (value: string | number | boolean) => (typeof value === 'boolean' ? (value ? 'yes' : '') : value);
  if (format === 'jsonl')
    return rows
      .map((row) => `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))}\n`)
      .join('');
  return csvLine(columns) + rows.map((row) => csvLine(columns.map((name) => cell(row[name])))).join('');
}

/** Makes the plan of `transcribe` and its clips: `planOverRun`. */
function makePlan(table: string, files: PlanFiles, options: Options) {
  const { profile = 'one-condition', groupBy = [], plays = 3 } = options;
  return planOverRun<ListeningPlan>(table, files, options, 'who hears what', ({ run, seed, conditions: known }) => {
    const conditions = chosenConditions(known, options.condition, profile);
    const size = panelSize({ profile, conditions });
    const seats = options.listeners ?? size;
    refuseUneven(seats, size, `${profile === 'sr-mt' ? 'changed ' : ''}condition`, 'heard');
    return {
      conditions,
      plan: (utterances) => ({
        ...{ plan: 'earwitness transcribe, version 1', run: run.id, seed, profile, groupBy: [...groupBy], seats },
        ...{
          plays: plays === 0 ? null : plays,
          loop: options.loop === true,
          slow: options.slow === true,
          conditions,
        },
        utterances: utterances.map(({ id, group, clips }) => ({ id, group, clips: [...clips] })),
      }),
    };
  });
}

/** @throws EarwitnessError `bad-usage` where flags want another plan than there is */
function refuseOtherPlan(plan: ListeningPlan, options: Options, file: string): void {
  const { plays, loop, slow } = options;
  refuseOther(
    plan,
    options,
    file,
    { conditions: plan.conditions, utterances: plan.utterances.length },
    {
      '--plays': plays !== undefined && (plays === 0 ? null : plays) !== plan.plays,
      '--loop': loop === true && !plan.loop,
      '--slow': slow === true && !plan.slow,
    },
  );
}

/** What each seat hears, and about how long that takes. */
function seatsOf(plan: ListeningPlan) {
  return Array.from({ length: plan.seats }, (_, seat) => {
    const tasks = tasksOfSeat(plan, seat);
    return { clips: tasks.length, minutes: minutesOf(plan, tasks) };
  });
}

/** What a plan costs, for people. */
function planLines(plan: ListeningPlan): string[] {
  const seats = seatsOf(plan);
  const minutes = seats.map((seat) => seat.minutes);
  const panels = plan.seats / panelSize(plan);
  return [
    `${counted(plan.utterances.length, 'utterance')}, ${counted(plan.conditions.length, 'condition')}: ${plan.conditions.map((name) => printable(name, 60)).join(', ')}`,
    `${counted(plan.seats, 'listener')}: ${seats[0]!.clips} clips each, ${aboutMinutes(Math.max(...minutes))}`,
    plan.profile === 'sr-mt'
      ? `Every changed clip is heard by ${people(panels)}, every clean one by ${people(plan.seats)}.`
      : `Every clip is heard by ${people(panels)}.`,
  ];
}

function people(count: number): string {
  return count === 1 ? 'one person' : `${count} people`;
}
