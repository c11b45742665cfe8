import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { csvLine } from '../../report/csv/render-csv.ts';
import { listScenarios } from '../../session/members/listings.ts';
import { readText } from '../../session/read-text.ts';
import type { RatingSpreads } from '../../statistics/planning/rating-precision.ts';
import { findingOfRatings } from '../../studies/shared/validity/finding-of-ratings.ts';
import { readAllRatings } from '../../studies/shared/validity/ratings.ts';
import { takeSeats } from '../../web/people/people-seats.ts';
import { openPeopleStore } from '../../web/people/people-store.ts';
import { peopleTable } from '../../web/people/people-table.ts';
import { type GivenRow, openRating } from '../../web/people/rate.ts';
import { parseRatingPlan, type RatingPlan } from '../../web/people/rating-plan.ts';
import { servePeople } from '../../web/people/serve-people.ts';
import { aboutMinutes } from '../../web/people/transcribe-pages.ts';
import { addTrustOptions, type TrustFlags } from '../cases/tell.ts';
import type { CliCommand } from '../command.ts';
import { keepToPlan } from '../kept-plan.ts';
import { printJson, printLine, say } from '../output.ts';
import {
  addAddressOptions,
  addPersonOptions,
  addressOf,
  inviteAndRevoke,
  type PeopleFlags,
  sayRestored,
} from '../people-options.ts';
import {
  makeRatingPlan,
  type RatingFlags,
  ratingPlanLines,
  ratingSeats,
  refuseOtherRatingPlan,
} from '../rating-plan.ts';
import { reportFinding } from '../report-finding.ts';
import { addStoreOption } from '../store-option.ts';
import { collected, naturalNumber, wholeNumber } from '../terminal/option-values.ts';

interface Options extends RatingFlags, PeopleFlags, TrustFlags {
  readonly store?: string;
  readonly planOnly?: true;
  readonly report?: true;
  readonly atLeast?: number;
  readonly out?: string;
  readonly json?: true;
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
    const planned = addTrustOptions(addStoreOption(command))
      .argument('<table>', 'the table that is written, .csv; plan, clips and answers lie beside it')
      .option('--run <run>', 'whose clips are rated: a run, its beginning, or "last" (default: last)')
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
      .option('--condition <name>', 'a condition of the run, or a family; may be repeated (default: all)', collected)
      .option('--listeners <n>', 'seats to plan (default: so that every clip is rated alike often)', wholeNumber)
      .option('--half-width <rating>', 'as many listeners as means need to be known to so much', positive)
      .option('--spreads <l,c,r>', 'what --half-width reckons with, as --report printed it of a pilot', spreads)
      .option('--utterances <n>', 'how many utterances, drawn over groups and speakers (default: all)', wholeNumber)
      .option('--group-by <attribute>', 'attribute whose values share the conditions alike; may be repeated', collected)
      .option('--repeats <n>', 'clips that each person rates again at the end (default: 2)', upToHundred)
      .option('--no-anchor', 'without clips that are bad beyond doubt')
      .addOption(
        new Option('--headphones <how>', 'headphone check (default: required)').choices(['required', 'asked', 'off']),
      )
      .option(
        '--anchor-margin <rating>',
        'count only who rates hidden originals so far above anchors; 0: all (default: 1, aequevox 2)',
        upToNine,
      )
      .option(
        '--repeat-difference <rating>',
        'count only whose repeats differ by at most this; 0: all (default: 1.5, aequevox 3)',
        upToNine,
      )
      .option('--level <dBFS>', 'level of every original (default: -26)', belowZero)
      .option('--no-level', 'clips as loud as they are')
      .option('--seed <n>', "seed of the plan (default: the run's)", naturalNumber)
      .option('--plan-only', 'make the plan and its clips, and stop')
      .option('--report', 'print what the table says: means, what passes, agreement; nothing is shown to people')
      .option('--at-least <rating>', 'with --report: a mean of this passes (default: 4, aequevox 7.2)', positive)
      .option('--out <folder>', 'with --report: also write it to this folder, as HTML, JSON, Markdown and CSV');
    addAddressOptions(addPersonOptions(planned)).action(run);
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

function upToHundred(text: string): number {
  const number = naturalNumber(text);
  if (number > 100) throw new InvalidArgumentError('expected at most 100');
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
  const stem = join(dirname(table), basename(table, extname(table)));
  const files = { plan: `${stem}-plan.json`, clips: `${stem}-clips`, people: `${stem}-people.sqlite` };
  const before = await readFile(files.plan, 'utf8').catch(() => null);
  if (options.report) {
    await report(table, before === null ? null : parseRatingPlan(before, files.plan), options);
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
  const address = await addressOf(options);
  const plan = before === null ? await makeRatingPlan(table, files, options) : parseRatingPlan(before, files.plan);
  if (before !== null) refuseOtherRatingPlan(plan, options, files.plan);
  if (options.planOnly) {
    if (options.json) await printJson(asJson({ plan: files.plan, clips: files.clips, seats: ratingSeats(plan) }));
    else for (const line of ratingPlanLines(plan, options.spreads)) await printLine(line);
    return;
  }
  using people = openPeopleStore(files.people, 'rating', systemClock);
  await keepToPlan(people, plan, files);
  inviteAndRevoke(people, options);
  const without = takeSeats(people, plan);
  if (without.length > 0) {
    throw new EarwitnessError(
      'bad-usage',
      `expected no more people than the ${plan.seats} seats of the plan, but there is none for ${without.join(', ')}; --revoke somebody whose seat they take, or plan another table with more --listeners`,
    );
  }
  if (people.people().length === 0) {
    throw new EarwitnessError('bad-usage', 'expected somebody to listen; name them: --person anna --person ben');
  }
  const given = peopleTable(people, table, rowsIn);
  await given.check();
  const rating = openRating({
    ...{ plan, clips: files.clips, people },
    write: (rows) => given.write(tableText(rows)),
    problem: (sentence) => say(printable(sentence, 500)),
  });
  sayRestored(people);
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await using serving = await servePeople(people, rating, address);
  const links = serving.links.map((one) => ({ ...one, ...rating.share(one.name) }));
  if (options.json) await printJson(asJson({ links, overview: serving.overview, plan: files.plan }));
  else {
    for (const { name, link, clips, minutes } of links)
      await printLine(`${name}: ${link} (${clips} clips, ${aboutMinutes(minutes)})`);
    await printLine(`For you alone: who has rated how much (the link opens once per start): ${serving.overview}`);
    if (serving.fingerprint !== null) await printLine(`Certificate, as browsers show it: ${serving.fingerprint}`);
    say('Each link is one person’s own. Ctrl-C ends it; the same command goes on.');
  }
  await ended;
  await rating.writeTable();
  // What could not be written was told; at the end it is an error.
  await given.write(tableText(rating.rows()));
  say(`${table}: ${rating.rows().length} ratings; earwitness rate ${basename(table)} --report says what they show`);
}

async function report(table: string, plan: RatingPlan | null, options: Options): Promise<void> {
  const rows = readAllRatings(table, await readText(table, process.cwd()));
  const labels = new Map(
    (await listScenarios()).flatMap(({ scenarios }) => scenarios.map(({ name, label }) => [name, label] as const)),
  );
  const finding = findingOfRatings(rows, {
    atLeast: options.atLeast ?? (plan === null ? null : usualThreshold[plan.profile]),
    per: plan?.profile === 'aequevox' || !rows.some(({ relation }) => relation !== null) ? 'condition' : 'relation',
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
