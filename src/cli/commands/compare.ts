import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { badUsage, EarwitnessError } from '../../base/errors.ts';
import { isSqlite } from '../../base/first-bytes.ts';
import { statedLanguage, unknownLanguageNotes } from '../../base/language-tag.ts';
import { printable, printableLines } from '../../base/printable.ts';
import type { RunReport } from '../../model/run.ts';
import { namedFindings } from '../../report/prepare/named-findings.ts';
import { wrapToWidth } from '../../report/text/display-width.ts';
import { openSides } from '../../session/evidence/open-sides.ts';
import { compareOutputs } from '../../session/run/compare-outputs.ts';
import { excerptsOfTwoRuns } from '../../session/run/excerpts.ts';
import { compareRuns, groupsBeside } from '../../session/stored/compare-runs.ts';
import { runWarnings } from '../../session/stored/report-of.ts';
import { findRun, newestPair, runInWords } from '../../session/stored/which-run.ts';
import { packageVersion } from '../../session/version.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import { openStore } from '../../store/open-store.ts';
import type { CliCommand } from '../command.ts';
import { readOutputs } from '../compare/outputs-of-files.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import {
  configNamed,
  namedStore,
  normalizerFlag,
  outFlag,
  ownNormalizerFolder,
  resamplesFlag,
  runStoreFlags,
  share,
} from '../options.ts';
import { namedCommand, printLine, sameCommand, say, terminalWidth } from '../output.ts';
import { printReport, type Step } from '../print-report.ts';

const flags = [
  outFlag,
  ['--margin <share>', 'say whether rates are the same within this: 0.01 is one point of WER', share],
  ['--reference <file>', 'of files: the references, where they are not the first'],
  ['--reference-column <name>', 'of files: table column of the references'],
  ['--hypothesis-column <name>', 'of files: table column of the outputs, in each of several files'],
  ['-l, --language <tag>', 'of files: language of the texts; default: the column language, else guessed'],
  normalizerFlag,
  ['--id-column <name>', 'of files: table column of the ids, by which rows are matched'],
  ['--speaker-column <name>', 'of files: table column that says who spoke'],
  ['--tier <name>', 'of files: tier of the words, of a TextGrid or an ELAN file with several'],
  ['--ids', 'of files: lines begin with an id, by which they are matched'],
  resamplesFlag,
  ['--no-sound', 'with --out: write it without audio'],
  ['--no-transcripts', 'leave out transcripts and references'],
  ...runStoreFlags,
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `compare [BEFORE] [AFTER]`, `compare FILES` */
export const compare: CliCommand = {
  examples: [
    'compare a.jsonl b.jsonl',
    'compare ref.txt a.txt b.txt',
    'compare table-of-outputs.csv',
    'compare',
    'compare 20261120T0300 last',
    'compare last:default last:narrow --out difference',
    'compare from-the-other-machine.jsonl.gz last --margin 0.01',
  ],
  notes:
    'Without arguments: the two newest finished runs of the config, or else two recognizers of its newest. BEFORE and AFTER are runs (an id, its beginning, or "last"), a bundle, or another store (its last run, or FILE#RUN); RUN:NAME is one recognizer. Answers are paired by utterance, condition, draw and repeat. Files of outputs need no run: a table with references and a column for each recognizer, files with references of their own, or the references and then a file or folder for each.',
  flags,
  configure(command: Command) {
    command
      .argument('[before]', 'a run, or one recognizer of it; or a file or folder of references or outputs')
      .argument('[after]', 'the run or recognizer to compare with it; or a file or folder of outputs', 'last')
      .argument('[more...]', 'more files or folders of outputs')
      .action(run);
  },
};

async function run(
  named: string | undefined,
  other: string,
  more: readonly string[],
  options: Options,
  command: Command,
): Promise<void> {
  const places = filesOfOutputs(command.args);
  // With the report written, all is there.
  const tables: readonly Step[] =
    options.out === undefined ? [['Utterances and tables', sameCommand(command, ['--out', 'FOLDER'])]] : [];
  if (places !== null) return compareFiles(places, options, tables);
  refuseOfFiles(more, options);
  const { normalizer, resamples, margin } = options;
  const { file, configFile, find } = await namedStore(options);
  const told = new Set<string>();
  const pair = named === undefined ? await pairOf(file, configFile) : null;
  const [before, after] = pair?.sides ?? [named!, other];
  using opened = await openSides([before, after], file, (from, wanted) => find(from, wanted, (line) => told.add(line)));
  const { store, sides } = opened;
  const [one, another] = sides as [string, string];
  const [first, second] = sides.map((side) => findRun(store, side.replace(/:.*$/s, ''))) as [RunRecord, RunRecord];
  const findings = await compareRuns(store, one, another, {
    own: await ownNormalizerFolder(second, configFile, normalizer),
    ...(normalizer !== undefined && { normalizer }),
    ...(resamples !== undefined && { resamples }),
    ...(margin !== undefined && { margin }),
  });
  const groups = groupsBeside(store, one, another);
  for (const line of told) say(line);
  if (pair !== null) say(`Compared are ${pair.words}.`);
  if (first.id === second.id) {
    if (told.size === 0) say(`Run ${runInWords(first)}`);
  } else say(`Before: ${runInWords(first)}\nAfter:  ${runInWords(second)}`);
  const made: RunReport = {
    earwitness: packageVersion(),
    run: {
      name: first.id === second.id ? `${one} and ${another}` : `${first.id} and ${second.id}`,
      seed: second.seed,
    },
    recognizers: second.recognizers.map(({ name, identity }) => ({ name, identity })),
    tally: store.tally(second.id),
    failures: store.failures(second.id),
    findings: namedFindings(groups === null ? findings : [...findings, groups], []),
    warnings: [...unfinished([first, second]), ...warningsOf(store, first.id, second.id)],
    timing: { before, after },
  };
  const { config } = second.config as { readonly config?: { readonly report?: { readonly sound?: boolean } } };
  const excerpts =
    options.sound && config?.report?.sound !== false
      ? () => excerptsOfTwoRuns(store, [first, second], file, findings)
      : null;
  // What lies in other stores is copied, and gone by then.
  const isHere = [first, second].every(({ merged }) => !merged);
  const look: readonly Step[] = isHere
    ? [['Look', namedCommand('view', { config: options.config, store: options.store })]]
    : [];
  await printReport(made, { ...options, brief: [...look, ...tables] }, undefined, null, excerpts);
}

/** Files and folders that hold outputs of recognizers; null where runs, stores and bundles are named. */
function filesOfOutputs(named: readonly string[]): readonly string[] | null {
  const isRun = (place: string) => !existsSync(place) && /^last\b/.test(place);
  return named.some((place) => place === '-' || (existsSync(place) && !isOfRuns(place))) && !named.some(isRun)
    ? named
    : null;
}

/** Whether a file is a store or a bundle. */
function isOfRuns(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  const bytes = Buffer.alloc(256);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(file);
  }
  const head = bytes.toString('latin1');
  return isSqlite(bytes) || head.startsWith('\u001f\u008b') || head.includes('"evidence":"earwitness"');
}

const ofFiles = [
  'reference',
  'referenceColumn',
  'hypothesisColumn',
  'idColumn',
  'speakerColumn',
  'tier',
  'ids',
  'language',
] as const;

function refuseOfFiles(more: readonly string[], options: Options): void {
  const option = ofFiles.find((name) => options[name] !== undefined);
  if (more.length === 0 && option === undefined) return;
  const got = option === undefined ? `${more.length + 2} of them` : `--${option.replace('C', '-c')}`;
  throw badUsage(
    `expected two runs, but got ${got}, which is for files of outputs, and none of these is one; check the paths`,
  );
}

/** Outputs that lie in files, with the words that differ and the worst utterances. */
async function compareFiles(places: readonly string[], options: Options, brief: readonly Step[]): Promise<void> {
  const { normalizer, resamples, margin } = options;
  const language = statedLanguage(options.language, () => '--language');
  const { outputs, compared, taken, notes } = await readOutputs(places, { ...options, language });
  const report = await compareOutputs(outputs, {
    baseFolder: process.cwd(),
    ...(normalizer !== undefined && { normalizer }),
    ...(resamples !== undefined && { resamples }),
    ...(margin !== undefined && { margin }),
  });
  const lines = [
    `Compared: ${compared}.`,
    ...[...notes, ...unknownLanguageNotes(language)].map((note) => `${note[0]!.toUpperCase()}${note.slice(1)}.`),
  ];
  const shown = lines.flatMap((line) => wrapToWidth(printableLines(line, 500), terminalWidth() - 1)).join('\n');
  // With data on stdout, people read of it on stderr.
  await (options.json
    ? say(shown)
    : printLine(`${shown}
`));
  const recognizers = report.recognizers.map(({ name, identity }) => ({
    name,
    identity: { ...identity, ...taken[outputs.names.indexOf(name)] },
  }));
  const told = { ...report, recognizers, warnings: options.json || options.out !== undefined ? lines.slice(1) : [] };
  // Of two the change shows words and an utterance.
  const sections = outputs.names.length === 2 ? [] : ['robustness-misheard', 'robustness-most-errors'];
  await printReport(told, { ...options, brief, sections });
}

async function pairOf(file: string, configFile: string | null) {
  if (!existsSync(file))
    throw new EarwitnessError(
      'store',
      `${printable(file)}: expected a store with finished runs, but there is none; \`earwitness run\` makes one, and files of outputs need none: earwitness compare a.jsonl b.jsonl`,
    );
  const of = configFile === null ? null : await configNamed(configFile);
  using store = openStore(file, { readonly: true });
  return newestPair(store, of);
}

/** What has been answered so far may be the easier part. */
function unfinished(sides: readonly RunRecord[]): string[] {
  const ids = new Set(sides.filter(({ finishedAtMs }) => finishedAtMs === null).map(({ id }) => id));
  return [...ids].map(
    (id) => `Run ${id} is not finished: only what it has answered so far is compared (earwitness resume ${id}).`,
  );
}

/** What both runs warned of once, and what one of them did with its id. */
function warningsOf(
  store: Pick<Store, 'oddAnswers' | 'warnings' | 'leftOut'>,
  first: string,
  second: string,
): string[] {
  const [before, after] = [new Set(runWarnings(store, first)), new Set(runWarnings(store, second))];
  const ofOne = (id: string, warning: string) => `In ${id}: ${warning}`;
  return [
    ...[...before].map((warning) => (after.has(warning) ? warning : ofOne(first, warning))),
    ...[...after].filter((warning) => !before.has(warning)).map((warning) => ofOne(second, warning)),
  ];
}
