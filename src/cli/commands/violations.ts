import { type Command, InvalidArgumentError } from 'commander';
import { badInput } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { limitText } from '../../base/printable.ts';
import { readText } from '../../session/open/read-text.ts';
import { type DistanceRow, findingOfDistances } from '../../studies/degradation/finding-of-distances.ts';
import { readRatings } from '../../studies/shared/validity/ratings.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { readRows } from '../../system/read-rows.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { outFlag, positive } from '../options.ts';
import { reportFinding } from '../print-report.ts';

const flags = [
  [
    '--tolerances <list>',
    'threshold: a group violates fairness where it loses more than another by more than this',
    { read: tolerances, default: [0.01, 0.05, 0.1, 0.15] },
  ],
  ['--ceiling <distance>', 'leave out parameters with a greater mean distance', { read: positive, default: 0.85 }],
  [
    '--except <list>',
    'leave out by name: transformations, some with a parameter ("Scale 0.6"), or scenarios',
    { read: names, default: [] },
  ],
  [
    '--profile <paper>',
    'aequevox: leaves out what the paper left out by name, Scale 0.6 and 0.5, in place of a ceiling',
    { choices: ['aequevox'] },
  ],
  ['--comprehensibility <rating>', 'count only scenarios that listeners rated above this (the paper: 7.2)', positive],
  [
    '--ratings <file>',
    'ratings by your own listeners, in place of those of AequeVox: condition, rating, and listener where known',
  ],
  ['--reference <group>', 'the reference group'],
  outFlag,
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `violations TABLE` */
export const violations: CliCommand = {
  examples: [
    'violations distances.csv',
    'violations distances.csv --reference English --out report',
    'violations distances.csv --comprehensibility 7.2',
    'violations distances.csv --except "Scale 0.6,Scale 0.5"',
    'violations distances.csv --ratings listeners.csv',
  ],
  notes:
    'The table has the columns pair, transformation, parameter, group and distance; rows with the parameter "original" are the values before the transformation (without a transformation: before all of them). From recordings, the study degradation measures the distances itself, with intervals and tests.',
  flags,
  configure(command: Command) {
    command.argument('<table>', 'a TSV, CSV or JSONL file').action(run);
  },
};

async function run(file: string, options: Options): Promise<void> {
  const { tolerances, ceiling, reference, except, profile, comprehensibility, ratings, ...flags } = options;
  const rows = await readDistances(file);
  checkBefore(rows, file);
  const finding = findingOfDistances(rows, {
    tolerances,
    ceiling,
    reference: reference ?? null,
    except,
    asPublished: profile === 'aequevox',
    comprehensibility: comprehensibility ?? null,
    ratings: ratings === undefined ? null : readRatings(ratings, await readText(ratings, process.cwd())),
  });
  await reportFinding(finding, file, { ...flags, transcripts: true });
}

/**
 * A degradation is a distance less the one before: without these every count would be 0, and look fair.
 *
 * @throws EarwitnessError `bad-input` where no two groups of a pair have one
 */
function checkBefore(rows: readonly DistanceRow[], file: string): void {
  const found = rows.filter(({ parameter }) => parameter === null);
  const byPair = Map.groupBy(found, ({ pair }) => pair);
  if ([...byPair.values()].some((own) => new Set(own.map(({ group }) => group)).size > 1)) return;
  const there =
    found.length === 0
      ? `none of the ${rows.length} rows has it`
      : `of each pair of recognizers one group alone has it (${found.length} of ${rows.length} rows)`;
  throw badInput(
    `${file}: expected distances before any transformation, in rows with the parameter "${before}", of at least two groups, but ${there}; add them, because a degradation is a distance less the one before`,
  );
}

/** For commander. */
function tolerances(text: string): number[] {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length > 20 || parts.some((part) => !(part >= 0 && Number.isFinite(part)))) {
    throw new InvalidArgumentError('expected up to 20 numbers of 0 or more, parted by commas');
  }
  return parts;
}

/** For commander. */
function names(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.includes('')) throw new InvalidArgumentError('expected names, parted by commas');
  return parts;
}

const columns = ['pair', 'transformation', 'parameter', 'group', 'distance'] as const;

/** What stands for the parameter in rows before the transformation. */
const before = 'original';

/**
 * Reads a TSV, CSV or JSONL file of distances: pair, transformation, parameter, group, distance. The parameter `original`
 * marks what was measured before the transformation; without a transformation it counts for all of the pair's.
 *
 * @throws EarwitnessError `bad-input` with file, line and column
 */
async function readDistances(file: string): Promise<DistanceRow[]> {
  if (!/\.(tsv|tab|csv|jsonl|ndjson|json)$/i.test(file)) {
    throw badInput(`${file}: expected a name that ends in .tsv, .csv or .jsonl; rename the file`);
  }
  const rows: DistanceRow[] = [];
  const lines = new Map<string, number>();
  for await (const row of readRows(file, file)) {
    const read = distanceRow(row);
    const key = JSON.stringify([read.pair, read.transformation, read.parameter, read.group]);
    const earlier = lines.get(key);
    if (earlier !== undefined) {
      throw badInput(
        `${row.place()}: expected one distance for each pair, transformation, parameter and group, but line ${earlier} has it too; take one out`,
      );
    }
    lines.set(key, row.line);
    rows.push(read);
  }
  if (rows.length === 0) throw badInput(`${file}: expected at least one distance, but the file has none`);
  return rows;
}

function distanceRow(row: Row): DistanceRow {
  for (const name of columns) {
    if (row.names.includes(name)) continue;
    const near = nearestName(name, row.names);
    throw badInput(
      `${row.place()}: expected the columns ${columns.join(', ')}, but there is no ${JSON.stringify(name)}; ${near === null ? 'add it' : `rename ${JSON.stringify(limitText(near, 100))}`}`,
    );
  }
  const [pair, parameter, group] = (['pair', 'parameter', 'group'] as const).map((name) => need(row, name));
  const transformation = row.text('transformation')?.trim() ?? '';
  const isBefore = parameter!.toLowerCase() === before;
  if (transformation === '' && !isBefore) {
    throw badInput(
      `${row.place('transformation')}: expected a transformation, but it is empty; only rows with the parameter ${before} may lack it`,
    );
  }
  const written = need(row, 'distance');
  const distance = Number(written);
  if (!(Number.isFinite(distance) && distance >= 0)) {
    throw badInput(
      `${row.place('distance')}: expected a distance of 0 or more, but got ${JSON.stringify(limitText(written, 40))}; correct it or take the row out`,
    );
  }
  return {
    pair: pair!,
    transformation: transformation === '' ? null : transformation,
    parameter: isBefore ? null : parameter!,
    group: group!,
    distance,
  };
}

function need(row: Row, name: (typeof columns)[number]): string {
  const text = row.text(name)?.trim() ?? '';
  if (text !== '') return text;
  throw badInput(`${row.place(name)}: expected a ${name}, but it is empty; fill it in`);
}
