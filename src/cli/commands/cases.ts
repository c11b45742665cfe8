import type { Command } from 'commander';
import { badInput } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { sampleCases } from '../../cases/sample-cases.ts';
import { summarizeVerdicts } from '../../cases/summarize-verdicts.ts';
import { falsePositivesFinding } from '../../cases/verdicts-finding.ts';
import { exportCases, readRunCases } from '../../session/cases/export-cases.ts';
import { readCheckFiles } from '../../session/cases/read-check-file.ts';
import { openRunSounds } from '../../session/cases/run-sounds.ts';
import { checkFiles, writeCheckFile } from '../../session/cases/write-check-file.ts';
import { openStore } from '../../store/open-store.ts';
import { rowFormatOf } from '../../system/read-rows.ts';
import { addJudge } from '../cases/judge.ts';
import { nothingFailed, sameSpelling, tell, trustedCode, trustedFlags } from '../cases/tell.ts';
import type { CliCommand } from '../command.ts';
import { addFlags, type Flag, type FlagsOf } from '../flags.ts';
import { namedStore, naturalNumber, numberThat, outFlag, runStoreFlags, wholeNumber } from '../options.ts';
import { say } from '../output.ts';
import { reportFinding } from '../print-report.ts';
import { createCountingLine } from '../progress/lines.ts';
import { refuseExisting } from '../sound-files.ts';

const between = numberThat('a share between 0 and 1', (value) => value > 0 && value < 1);

const sampleFlags = [
  ...runStoreFlags,
  ...trustedFlags,
  [
    '-o, --output <file>',
    'the table: .csv, .tsv or .jsonl; audio and a README are written beside it',
    { required: true },
  ],
  ['--half-width <share>', 'wanted half-width of the confidence interval', { read: between, default: 0.05 }],
  ['--level <share>', 'its confidence level', { read: between, default: 0.95 }],
  ['--count <n>', 'number of cases instead, before each cell is rounded up', wholeNumber],
  ['--seed <n>', "seed of the random sample (default: the run's)", naturalNumber],
  ['--no-sound', 'write no audio'],
  ['--force', 'overwrite an existing table'],
] as const satisfies readonly Flag[];

const verdictFlags = [
  ['--level <share>', 'confidence level of intervals', { read: between, default: 0.95 }],
  outFlag,
] as const satisfies readonly Flag[];

const exportFlags = [
  ...runStoreFlags,
  ...trustedFlags,
  ['-o, --output <folder>', 'where to', { required: true }],
  ['--force', 'overwrite an existing export'],
] as const satisfies readonly Flag[];

/** `cases sample | judge | verdicts | export` */
export const cases: CliCommand = {
  examples: [
    'cases sample -o check.csv',
    'cases judge check.csv --person anna --person ben',
    'cases verdicts check-anna.csv check-ben.csv',
    'cases export last -o failed-cases',
  ],
  notes:
    'Failed cases come from the study differential: clips that one recognizer got wrong and another right. sample writes some of them for people to listen to, judge shows these in a browser, verdicts reads what they filled in. export writes all of them as a corpus, which a new version of a recognizer is run on.',
  configure(command: Command) {
    addFlags(command.command('sample'), sampleFlags)
      .description('write failed cases with their audio for people to verify')
      .argument('[run]', 'run id, its beginning, or "last"', 'last')
      .action(sample);
    addJudge(command);
    addFlags(command.command('verdicts'), verdictFlags)
      .description('read what people filled in: false positives, their kinds, agreement of raters')
      .argument('<files...>', 'check files, of one person or several')
      .action(verdicts);
    addFlags(command.command('export'), exportFlags)
      .description('write failed cases as a corpus: audio, texts, manifest')
      .argument('[run]', 'run id, its beginning, or "last"', 'last')
      .action(exportAll);
  },
};

async function verdicts(files: readonly string[], { level, json, out }: FlagsOf<typeof verdictFlags>): Promise<void> {
  const rows = await readCheckFiles(files);
  const finding = falsePositivesFinding(summarizeVerdicts(rows, { level, same: sameSpelling }), level);
  await reportFinding(finding, files.join(', '), { transcripts: true, ...(json && { json }), ...(out && { out }) });
}

async function exportAll(wanted: string, options: FlagsOf<typeof exportFlags>): Promise<void> {
  const { file, find } = await namedStore(options);
  using store = openStore(file, { readonly: true });
  const known = readRunCases(store, await find(store, wanted));
  if (known.failed.length === 0) {
    return tell(options.json, { run: known.run.id, sounds: 0, failed: 0 }, nothingFailed(known.run.id));
  }
  await using sounds = await openRunSounds(store, known.run, file, trustedCode(options));
  const line = createCountingLine(process.stderr, 'sounds');
  const {
    folder,
    sounds: count,
    failed,
    failures,
  } = await exportCases(known, sounds, options.output, options.force === true, line.done).finally(line.clear);
  for (const failure of failures.slice(0, 3)) say(printable(failure, 500));
  await tell(
    options.json,
    { run: known.run.id, folder, sounds: count, failed, soundsMissing: failures.length },
    `${folder}: ${count} clips of ${failed} failed cases`,
  );
  if (failures.length > 0) throw badInput(`${failures.length} of ${count + failures.length} clips were not written`);
}

async function sample(wanted: string, options: FlagsOf<typeof sampleFlags>): Promise<void> {
  const { output, halfWidth, level, count, sound, force, json } = options;
  rowFormatOf(output);
  await refuseExisting(output, force === true);
  const { file, find } = await namedStore(options);
  using store = openStore(file, { readonly: true });
  const known = readRunCases(store, await find(store, wanted));
  const { run, failed } = known;
  if (failed.length === 0) return tell(json, { run: run.id, population: 0, cases: 0 }, nothingFailed(run.id));
  const seed = options.seed ?? run.seed;
  const drawn = sampleCases(failed, { halfWidth, level, seed, ...(count === undefined ? {} : { count }) });
  await using sounds = sound ? await openRunSounds(store, run, file, trustedCode(options)) : null;
  const line = createCountingLine(process.stderr, 'sounds');
  const written = await writeCheckFile(output, drawn, sounds, line.done).finally(line.clear);
  for (const failure of written.failures.slice(0, 3)) say(printable(failure, 500));
  const beside = sound ? `, ${written.sounds} clips in ${checkFiles(output).soundFolder}` : '';
  await tell(
    json,
    {
      ...{ run: run.id, population: drawn.population, wanted: drawn.wanted, cases: drawn.cases.length, seed },
      ...{ file: output, readme: written.readme, soundFolder: written.soundFolder, sounds: written.sounds },
      soundsMissing: written.failures.length,
    },
    `${output}: ${drawn.cases.length} of ${drawn.population} failed cases${beside}; how to fill it in: ${written.readme}`,
  );
  if (written.failures.length > 0) {
    throw badInput(`${written.failures.length} of ${drawn.cases.length} clips were not written`);
  }
}
