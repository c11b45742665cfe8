import { type Command, InvalidArgumentError } from 'commander';
import { findingOfDistances } from '../../studies/degradation/finding-of-distances.ts';
import type { CliCommand } from '../command.ts';
import type { ReportFlags } from '../print-report.ts';
import { reportFinding } from '../report-finding.ts';
import { readDistances } from '../violations/read-distances.ts';

interface Options extends Omit<ReportFlags, 'transcripts'> {
  readonly tolerances: readonly number[];
  readonly ceiling: number;
  readonly reference?: string;
}

/** `violations TABLE` */
export const violations: CliCommand = {
  examples: ['violations distances.csv', 'violations distances.csv --reference English --out report'],
  notes:
    'The table has the columns pair, transformation, parameter, group and distance; rows with the parameter "original" say what was measured before the transformation (without a transformation: before all of them). From recordings the study degradation measures the distances itself, with intervals and tests.',
  configure(command: Command) {
    command
      .argument('<table>', 'a TSV, CSV or JSONL file')
      .option(
        '--tolerances <list>',
        'a group violates where it loses more than another by more than this',
        tolerances,
        [0.01, 0.05, 0.1, 0.15],
      )
      .option('--ceiling <distance>', 'parameters of a greater mean distance are left out', ceiling, 0.85)
      .option('--reference <group>', 'the group that the others are set against')
      .option('--out <folder>', 'also write it there as HTML, JSON, Markdown and CSV')
      .action(run);
  },
};

async function run(file: string, { tolerances, ceiling, reference, ...flags }: Options): Promise<void> {
  const rows = await readDistances(file);
  const finding = findingOfDistances(rows, { tolerances, ceiling, reference: reference ?? null });
  await reportFinding(finding, file, { ...flags, transcripts: true });
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
function ceiling(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number > 0 && Number.isFinite(number)))
    throw new InvalidArgumentError('expected a number above 0');
  return number;
}
