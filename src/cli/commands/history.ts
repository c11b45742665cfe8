import type { Command } from 'commander';
import type { RunReport } from '../../model/run.ts';
import { namedFindings } from '../../report/prepare/named-findings.ts';
import { type HistoryChoice, historyOf } from '../../session/stored/history-of.ts';
import { findRun, findVersion, lastInWords } from '../../session/stored/which-run.ts';
import { packageVersion } from '../../session/version.ts';
import { openStore } from '../../store/open-store.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import {
  configNamed,
  namedStore,
  normalizerFlag,
  outFlag,
  ownNormalizerFolder,
  resamplesFlag,
  runStoreFlags,
} from '../options.ts';
import { sameCommand, say } from '../output.ts';
import { printReport, type Step } from '../print-report.ts';

const flags = [
  ...runStoreFlags,
  ['--name <run>', "runs of this name; by default the config's, or the newest run's"],
  ['--condition <name>', 'the condition to look at, or "all"', { default: 'clean' }],
  normalizerFlag,
  resamplesFlag,
  outFlag,
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `history [RECOGNIZER]` */
export const history: CliCommand = {
  examples: ['history', 'history asr --condition all --out drift', 'history asr --name nightly'],
  notes:
    'A slow drift passes every comparison of two runs that follow each other. Shows the word error rate of each run of a name on those questions of the newest run that it answered, what changed from run to run, a test for trend (over everybody and by group), and with which run a change begins. Runs of other machines are added with `store merge`.',
  flags,
  configure(command: Command) {
    command.argument('[recognizer]', "by default all of the newest run's").action(run);
  },
};

async function run(recognizer: string | undefined, options: Options, command: Command): Promise<void> {
  const { name, condition, normalizer, resamples } = options;
  const { file, configFile } = await namedStore(options);
  const of = name !== undefined || configFile === null ? null : await configNamed(configFile);
  using store = openStore(file, { readonly: true });
  const meant = of === null ? null : findVersion(store, of);
  const own = meant === null ? null : await ownNormalizerFolder(meant, configFile, normalizer);
  const choice: HistoryChoice = {
    recognizer: recognizer ?? null,
    name: name ?? null,
    ...(meant !== null && { until: meant.id }),
    condition,
    ...(normalizer !== undefined && { normalizer }),
    ...(resamples !== undefined && { resamples }),
  };
  const findings = await historyOf(store, choice, own);
  // Of a recognizer that the newest run has.
  const newest = findRun(store, (findings[0]?.settings.runs as string[] | undefined)?.at(-1) ?? 'last');
  say(lastInWords(newest, of));
  for (const { id, name: own, finishedAtMs } of store.runs()) {
    if (id === newest.id) break;
    if (own === newest.name && finishedAtMs === null)
      say(`Run ${id} was begun after it and is not finished: it is left out.`);
  }
  const made: RunReport = {
    earwitness: packageVersion(),
    run: { name: `history of ${newest.name}`, seed: newest.seed },
    recognizers: newest.recognizers.map(({ name: own, identity }) => ({ name: own, identity })),
    tally: store.tally(newest.id),
    failures: store.failures(newest.id),
    findings: namedFindings(findings, []),
    warnings: [],
    timing: {},
  };
  const brief: readonly Step[] =
    options.out === undefined ? [['All tables', sameCommand(command, ['--out', 'FOLDER'])]] : [];
  await printReport(made, { ...options, transcripts: true, brief });
}
