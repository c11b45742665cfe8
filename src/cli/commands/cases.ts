import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { sampleCases } from '../../cases/sample-cases.ts';
import { summarizeVerdicts } from '../../cases/summarize-verdicts.ts';
import { falsePositivesFinding } from '../../cases/verdicts-finding.ts';
import { exportCases, readRunCases } from '../../session/cases/export-cases.ts';
import { readCheckFiles } from '../../session/cases/read-check-file.ts';
import { openRunSounds } from '../../session/cases/run-sounds.ts';
import { compareCases } from '../../session/cases/stored-tests.ts';
import { checkFiles, writeCheckFile } from '../../session/cases/write-check-file.ts';
import { type WordsRequest, writeWords } from '../../session/cases/write-words.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import { rowFormatOf } from '../../system/read-rows.ts';
import { addJudge } from '../cases/judge.ts';
import {
  addTrustOptions,
  type CaseFlags,
  nothingFailed,
  sameSpelling,
  type TrustFlags,
  tell,
  trustedCode,
} from '../cases/tell.ts';
import type { CliCommand } from '../command.ts';
import { addRunStoreOptions, namedStore, naturalNumber, wholeNumber } from '../options.ts';
import { say } from '../output.ts';
import { type ReportFlags, reportFinding } from '../print-report.ts';
import { createCountingLine } from '../progress/lines.ts';
import { refuseExisting } from '../sound-files.ts';

/** `cases sample | judge | verdicts | export | compare | words` */
export const cases: CliCommand = {
  examples: [
    'cases sample -o check.csv',
    'cases judge check.csv --person anna --person ben',
    'cases verdicts check-anna.csv check-ben.csv',
    'cases export last -o failed-cases',
    'cases compare failed-cases last',
    'cases words -o words.txt --held-out held-out.txt',
  ],
  notes:
    'Failed cases come from the study differential: clips that one recognizer got wrong and another right. sample writes some of them for people to listen to, judge shows these in a browser, verdicts reads what they filled in. export writes all of them as a corpus, and compare says which of them a new version of a recognizer gets right. words lists the words most often misrecognized, for recognizers that take hints.',
  configure(command: Command) {
    addSample(command);
    addJudge(command);
    addVerdicts(command);
    addExport(command);
    addCompare(command);
    addWords(command);
  },
};

/** `cases verdicts`: false positives, their kinds and agreement, from the tables that people filled in. */
function addVerdicts(command: Command): void {
  command
    .command('verdicts')
    .description('read what people filled in: false positives, their kinds, agreement of raters')
    .argument('<files...>', 'check files, of one person or several')
    .option('--level <share>', 'confidence level of intervals', share, 0.95)
    .option('--out <folder>', 'also write the report to this folder, as HTML, JSON, Markdown and CSV')
    .option('--json', 'print JSON to stdout')
    .action(verdicts);
}

async function verdicts(
  files: readonly string[],
  { level, json, out }: { readonly level: number; readonly json?: true; readonly out?: string },
): Promise<void> {
  const rows = await readCheckFiles(files);
  const finding = falsePositivesFinding(summarizeVerdicts(rows, { level, same: sameSpelling }), level);
  await reportFinding(finding, files.join(', '), { transcripts: true, ...(json && { json }), ...(out && { out }) });
}

/** `cases compare`: which cases a later run gets right, still gets wrong, or newly fails. */
function addCompare(command: Command): void {
  addRunStoreOptions(command.command('compare').description('list cases that are fixed, still failing, and new'))
    .argument('<before>', 'a run, RUN:RECOGNIZER, or a folder of exported cases')
    .argument('<after>', 'a run, or RUN:RECOGNIZER')
    .option('-n, --normalizer <name>', 'text normalizer: a name, or a module (./mine.ts)', 'crossasr')
    .option('--words <file>', 'words that the later recognizer was given as hints: how often it recognizes them')
    .option('--level <share>', 'confidence level of intervals and tests', share, 0.95)
    .option('--resamples <n>', 'bootstrap resamples', wholeNumber, 2000)
    .option('--out <folder>', 'also write the report to this folder, as HTML, JSON, Markdown and CSV')
    .option('--no-transcripts', 'leave out transcripts and references')
    .option('--json', 'print JSON to stdout')
    .action(compare);
}

interface CompareFlags extends ReportFlags, CaseFlags {
  readonly normalizer: string;
  readonly level: number;
  readonly resamples: number;
  readonly words?: string;
  readonly json?: true;
}

async function compare(before: string, after: string, options: CompareFlags): Promise<void> {
  const { normalizer, level, resamples, words } = options;
  const { file, find } = await namedStore(options);
  using store = openStore(file, { readonly: true });
  // A folder of exported cases may have any name.
  const runOf = async (side: string) =>
    /^last(:|$)/.test(side) && !existsSync(side) ? side.replace('last', (await find(store, 'last')).id) : side;
  const sides = [await runOf(before), await runOf(after)] as const;
  const choice = { normalizer, level, resamples, baseFolder: process.cwd(), ...(words !== undefined && { words }) };
  await reportFinding(await compareCases(store, ...sides, choice), `${sides[0]} and ${sides[1]}`, options);
}

/** `cases export`: all failed cases as a corpus with sounds, texts and a manifest. */
function addExport(command: Command): void {
  addTrustOptions(
    addRunStoreOptions(command.command('export').description('write failed cases as a corpus: audio, texts, manifest')),
  )
    .argument('[run]', 'run id, its beginning, or "last"', 'last')
    .requiredOption('-o, --output <folder>', 'where to')
    .option('--force', 'overwrite an existing export')
    .option('--json', 'print JSON to stdout')
    .action(exportAll);
}

async function exportAll(
  wanted: string,
  options: CaseFlags & TrustFlags & { readonly output: string; readonly force?: true },
): Promise<void> {
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
  if (failures.length > 0) {
    throw new EarwitnessError('bad-input', `${failures.length} of ${count + failures.length} clips were not written`);
  }
}

/** `cases sample`: draws failed cases and writes their sounds beside a table for people to fill in. */
function addSample(command: Command): void {
  addTrustOptions(
    addRunStoreOptions(
      command.command('sample').description('write failed cases with their audio for people to verify'),
    ),
  )
    .argument('[run]', 'run id, its beginning, or "last"', 'last')
    .requiredOption('-o, --output <file>', 'the table: .csv, .tsv or .jsonl; audio and a README are written beside it')
    .option('--half-width <share>', 'wanted half-width of the confidence interval', share, 0.05)
    .option('--level <share>', 'its confidence level', share, 0.95)
    .option('--count <n>', 'number of cases instead, before each cell is rounded up', wholeNumber)
    .option('--seed <n>', "seed of the random sample (default: the run's)", naturalNumber)
    .option('--no-sound', 'write no audio')
    .option('--force', 'overwrite an existing table')
    .option('--json', 'print JSON to stdout')
    .action(sample);
}

interface SampleFlags extends CaseFlags, TrustFlags {
  readonly output: string;
  readonly halfWidth: number;
  readonly level: number;
  readonly count?: number;
  readonly seed?: number;
  readonly sound: boolean;
  readonly force?: true;
}

async function sample(wanted: string, options: SampleFlags): Promise<void> {
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
    throw new EarwitnessError(
      'bad-input',
      `${written.failures.length} of ${drawn.cases.length} clips were not written`,
    );
  }
}

/** `cases words`: the words that broke most, for recognizers that take hints or pronunciations. */
function addWords(command: Command): void {
  addRunStoreOptions(
    command.command('words').description('list the words most often misrecognized, for hints and pronunciations'),
  )
    .argument('[run]', 'run id, its beginning, or "last"', 'last')
    .requiredOption('-o, --output <file>', 'the list, most important word first')
    .option('--recognizer <name>', 'only cases that this recognizer failed')
    .option('--most <n>', 'max number of words', wholeNumber, 100)
    .addOption(
      new Option('--form <form>', 'one word per line, or a prompt').choices(['lines', 'prompt']).default('lines'),
    )
    .option('--held-out <file>', 'hold some texts out of the list and write them there, as a test set')
    .option('--share <share>', 'share of the texts that are held out', share, 0.5)
    .option(
      '--dictionary <file>',
      'a pronouncing dictionary (a word and its phonemes on each line) in which words are looked up',
    )
    .option('--pronunciations <file>', 'write the pronunciations found for words that the recognizer does not know')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print JSON to stdout')
    .action(words);
}

interface WordFlags extends CaseFlags, WordsRequest {
  readonly force?: true;
}

async function words(wanted: string, { json, force, ...options }: WordFlags): Promise<void> {
  const { output, heldOut, dictionary, pronunciations } = options;
  if ((dictionary === undefined) !== (pronunciations === undefined)) {
    throw new EarwitnessError('bad-usage', 'expected --dictionary and --pronunciations together; add the other one');
  }
  const files = [output, heldOut, pronunciations].filter((file) => file !== undefined);
  refuseSame([...files, ...(dictionary === undefined ? [] : [dictionary])]);
  for (const file of files) await refuseExisting(file, force === true);
  const { file, find } = await namedStore(options);
  using store = openStore(file, { readonly: true });
  const known = readRunCases(store, await find(store, wanted));
  const written = await writeWords(store, known, options);
  const { run, words: list, failed, texts, held, looked } = written;
  if (failed === 0) return tell(json, { run, words: 0, failed: 0 }, nothingFailed(run));
  if (heldOut !== undefined && known.leftOut > 0) {
    say(
      `the run did not keep ${known.leftOut} rows, so that most held-out texts are failing ones; set maxCases of its study higher and run again: all answers are reused`,
    );
  }
  const more = [
    ...(held === null ? [] : [`; ${held} texts held out in ${heldOut}`]),
    ...(looked === null
      ? []
      : [`; ${looked.found} pronunciations in ${pronunciations}, ${looked.missing.length} not found`]),
  ];
  await tell(
    json,
    {
      run,
      file: resolve(output),
      words: list as unknown as Json,
      failed,
      texts,
      heldOut: held,
      pronunciations: looked as unknown as Json,
    },
    `${output}: ${list.length} words from ${failed} failed cases of ${texts} texts${more.join('')}`,
  );
}

/** One would overwrite the other, or what it is made from. */
function refuseSame(files: readonly string[]): void {
  const paths = files.map((file) => resolve(file));
  const twice = files.find((_, place) => paths.indexOf(paths[place]!) !== place);
  if (twice !== undefined)
    throw new EarwitnessError('bad-usage', `expected different files, but ${twice} is given twice; rename one`);
}

/** For commander. */
function share(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number > 0 && number < 1))
    throw new InvalidArgumentError('expected a share between 0 and 1');
  return number;
}
