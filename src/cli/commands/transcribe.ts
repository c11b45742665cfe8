import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { csvLine } from '../../report/csv/render-csv.ts';
import { rowFormatOf } from '../../system/read-rows.ts';
import { parsePlan } from '../../web/people/listening-plan.ts';
import { takeSeats } from '../../web/people/people-seats.ts';
import { openPeopleStore } from '../../web/people/people-store.ts';
import { peopleTable } from '../../web/people/people-table.ts';
import { servePeople } from '../../web/people/serve-people.ts';
import { type HeardRow, openTranscribing } from '../../web/people/transcribe.ts';
import { aboutMinutes } from '../../web/people/transcribe-pages.ts';
import { addTrustOptions, type TrustFlags } from '../cases/tell.ts';
import type { CliCommand } from '../command.ts';
import { keepToPlan } from '../kept-plan.ts';
import { makePlan, type PlanFlags, planLines, refuseOtherPlan, seatsOf } from '../listening-plan.ts';
import { printJson, printLine, say } from '../output.ts';
import {
  addAddressOptions,
  addPersonOptions,
  addressOf,
  inviteAndRevoke,
  type PeopleFlags,
  sayRestored,
} from '../people-options.ts';
import { addStoreOption } from '../store-option.ts';
import { collected, naturalNumber, wholeNumber } from '../terminal/option-values.ts';

interface Options extends PlanFlags, PeopleFlags, TrustFlags {
  readonly store?: string;
  readonly planOnly?: true;
  readonly json?: true;
}

/** `transcribe TABLE --run RUN --person NAME` */
export const transcribe: CliCommand = {
  examples: [
    'transcribe people.csv --run last --listeners 8 --plan-only',
    'transcribe people.csv --person anna --person ben',
    'transcribe pairs.csv --profile sr-mt --person anna',
  ],
  notes:
    'People as recognizers: they hear clips of a run, as its recognizers got them, and write down the words; the table is read by the recognizer `recorded`, so that every study runs on people. The plan (people-plan.json) is made once, before anybody listens: each person hears an utterance in one condition, balanced over conditions, groups and speakers.',
  configure(command: Command) {
    const planned = addTrustOptions(addStoreOption(command))
      .argument('<table>', 'the table that is written: .csv or .jsonl; plan, clips and answers lie beside it')
      .option('--run <run>', 'whose clips are heard: a run, its beginning, or "last" (default: last)')
      .option(
        '--condition <name>',
        'a condition of the run, a family of them, or clean; may be repeated (default: clean and all others)',
        collected,
      )
      .option('--listeners <n>', 'seats to plan: a multiple of the conditions (default: as many)', wholeNumber)
      .option('--utterances <n>', 'how many utterances, drawn over groups and speakers (default: all)', wholeNumber)
      .option('--group-by <attribute>', 'attribute whose values share the conditions alike; may be repeated', collected)
      .addOption(
        new Option('--profile <name>', 'sr-mt: everybody hears an utterance with noise, and clean at the end').choices([
          'one-condition',
          'sr-mt',
        ]),
      )
      .option('--plays <n>', 'how often a clip may be played; 0: as often as wanted (default: 3)', upToHundred)
      .option('--loop', 'clips can be played over and over')
      .option('--slow', 'clips can be played at three quarters of their speed')
      .option('--seed <n>', "seed of the plan (default: the run's)", naturalNumber)
      .option('--plan-only', 'make the plan and its clips, and stop');
    addAddressOptions(addPersonOptions(planned)).action(run);
  },
};

function upToHundred(text: string): number {
  const number = naturalNumber(text);
  if (number > 100) throw new InvalidArgumentError('expected at most 100 plays, or 0');
  return number;
}

async function run(table: string, options: Options): Promise<void> {
  const format = rowFormatOf(table);
  if (format === 'tsv') {
    throw new EarwitnessError('bad-usage', `expected a table that ends in .csv or .jsonl, but got ${table}; rename it`);
  }
  const address = await addressOf(options);
  const stem = join(dirname(table), basename(table, extname(table)));
  const files = { plan: `${stem}-plan.json`, clips: `${stem}-clips`, people: `${stem}-people.sqlite` };
  const before = await readFile(files.plan, 'utf8').catch(() => null);
  const plan = before === null ? await makePlan(table, files, options) : parsePlan(before, files.plan);
  if (before !== null) refuseOtherPlan(plan, options, files.plan);
  if (options.planOnly) {
    if (options.json) await printJson(asJson({ plan: files.plan, clips: files.clips, seats: seatsOf(plan) }));
    else for (const line of planLines(plan)) await printLine(line);
    return;
  }
  using people = openPeopleStore(files.people, 'transcribing', systemClock);
  await keepToPlan(people, plan, files);
  inviteAndRevoke(people, options);
  const without = takeSeats(people, plan);
  if (without.length > 0) {
    throw new EarwitnessError(
      'bad-usage',
      `expected no more people than the ${plan.seats} seats of the plan, but there is none for ${without.join(', ')}; --revoke somebody whose open clips they take over, or plan another table with more --listeners`,
    );
  }
  if (people.people().length === 0) {
    throw new EarwitnessError('bad-usage', 'expected somebody to listen; name them: --person anna --person ben');
  }
  const heard = peopleTable(people, table, rowsIn);
  await heard.check();
  const transcribing = openTranscribing({
    ...{ plan, clips: files.clips, people },
    write: (rows) => heard.write(tableText(rows, format)),
    problem: (sentence) => say(printable(sentence, 500)),
  });
  sayRestored(people);
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await using serving = await servePeople(people, transcribing, address);
  const links = serving.links.map((one) => ({ ...one, ...transcribing.share(one.name) }));
  if (options.json) await printJson(asJson({ links, overview: serving.overview, plan: files.plan }));
  else {
    for (const { name, link, clips, minutes } of links)
      await printLine(`${name}: ${link} (${clips} clips, ${aboutMinutes(minutes)})`);
    await printLine(`For you alone: who has heard how much (the link opens once per start): ${serving.overview}`);
    say('Each link is one person’s own. Ctrl-C ends it; the same command goes on.');
  }
  await ended;
  await transcribing.writeTable();
  // What could not be written was told; at the end it is an error.
  await heard.write(tableText(transcribing.rows(), format));
  const all = plan.utterances.length * plan.seats * (plan.profile === 'sr-mt' ? 2 : 1);
  say(`${table}: ${transcribing.rows().length} of ${all} clips heard`);
  say(`In a config: people: { type: recorded, file: ${basename(table)}, systems: all }`);
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
