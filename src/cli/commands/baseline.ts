import { existsSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import type { Command } from 'commander';
import { badInput, EarwitnessError } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { formatFixed } from '../../base/number-format.ts';
import { printable } from '../../base/printable.ts';
import { type Baseline, questionOf, readBaseline, writeBaseline } from '../../compare/gate/baseline.ts';
import { writeWhole } from '../../session/export/write-whole.ts';
import { readText } from '../../session/open/read-text.ts';
import { baselineOf, countTrials, maxShareOf } from '../../session/stored/gate-run.ts';
import { requireWhole } from '../../session/stored/sequential-asking.ts';
import { countedAgain } from '../../session/stored/study-counting.ts';
import { findJudged, lastInWords, runInWords } from '../../session/stored/which-run.ts';
import type { RunReader, RunRecord } from '../../store/contract.ts';
import { openStore } from '../../store/open-store.ts';
import { percent } from '../../studies/shared/wording.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { namedStore, normalizerFlag, ownNormalizerFolder, runStoreFlags, runsToJudge } from '../options.ts';
import { printJson, printLine, say } from '../output.ts';

const flags = [
  ...runStoreFlags,
  ['--name <name>', 'what it is called; by default as before, or as the file'],
  normalizerFlag,
  ['--dry-run', 'only print what would change'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `baseline FILE [RUN]` */
export const baseline: CliCommand = {
  examples: ['baseline baselines/main.tsv', 'baseline baselines/main.tsv last --dry-run'],
  notes:
    'Writes what later runs are held against: counts of words and errors for each trial, hashes of what was asked, identities of the recognizers. No transcripts, references or speakers are in it. Where the file is there already, it prints what changes; --dry-run writes nothing.',
  flags,
  configure(command: Command) {
    command
      .argument('<file>', 'the baseline, a text file for your repository')
      .argument('[run]', 'run id, its beginning, or "last"', 'last')
      .action(run);
  },
};

async function run(file: string, wanted: string, options: Options): Promise<void> {
  const { file: storeFile, configFile } = await namedStore(options);
  using store = openStore(storeFile, { readonly: true });
  const of = await runsToJudge(configFile, storeFile, wanted, store);
  const { run: record, notes } = findJudged(store, wanted, of);
  requireWhole(store.findings(record.id) ?? [], 'a baseline needs all trials');
  requireAnswered(store, record);
  const { words: normalizer, told } = await countedAgain(
    record,
    store.findings(record.id),
    options,
    process.cwd(),
    await ownNormalizerFolder(record, configFile, options.normalizer),
  );
  const path = resolve(file);
  const old = existsSync(path) ? readOld(await readText(file, process.cwd()), file) : null;
  const tally = await countTrials(store, record, normalizer, [], null);
  if (tally.trials.length === 0) {
    throw badInput(
      `expected answered trials with references in run ${record.id}, but it has none; a baseline needs them`,
    );
  }
  const made = baselineOf(options.name ?? old?.name ?? parse(file).name, record, normalizer, tally);
  const changes = changesOf(old, made);
  if (wanted === 'last') say(lastInWords(record, of));
  for (const note of notes) say(note);
  if (options.dryRun !== true) await writeWhole(path, writeBaseline(made));
  if (options.json)
    return printJson(
      asJson({
        file,
        written: options.dryRun !== true,
        normalizer: made.normalizer,
        trials: made.trials.length,
        changes,
      }),
    );
  const verb = options.dryRun ? 'Would write' : 'Wrote';
  for (const { recognizer, before, after, otherTrials } of changes) {
    const was = before === null ? 'not there before' : `${rate(before)} before`;
    const changed = before === null ? '' : `; ${otherTrials} trials with another count of errors`;
    await printLine(`${printable(recognizer)}: ${rate(after)} WER over all words now, ${was}${changed}`);
  }
  await printLine(`${verb} ${printable(file)}: ${made.trials.length} trials of run ${runInWords(record)}. ${told}`);
}

/**
 * Sees to it that a run is not one that ended because too much failed: what it did not answer would be compared with nothing ever after.
 *
 * @throws EarwitnessError `too-much-failed`
 */
function requireAnswered(store: Pick<RunReader, 'failures'>, run: RunRecord): void {
  const maxShare = maxShareOf(run);
  const worst = store.failures(run.id).toSorted((a, b) => b.failed / b.trials - a.failed / a.trials)[0];
  if (worst === undefined || worst.failed <= maxShare * worst.trials) return;
  const { recognizer, failed, trials } = worst;
  throw new EarwitnessError(
    'too-much-failed',
    `expected a run that was answered, but in run ${run.id} ${printable(recognizer)} failed in ${failed} of ${trials} trials, ${percent(failed, trials)} (allowed: ${percent(maxShare, 1)}); make the baseline of a run that is good (earwitness run --retry-failed asks again what failed)`,
  );
}

/** What is damaged is written over only by whoever removes it. */
function readOld(text: string, file: string): Baseline {
  try {
    return readBaseline(text, printable(file));
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    throw new EarwitnessError(error.code, `${error.message}; to do that, remove the file first`, { cause: error });
  }
}

const rate = (value: number) => `${formatFixed(100 * value, 2)} %`;

interface BaselineChange {
  readonly recognizer: string;
  readonly before: number | null;
  readonly after: number;
  /** Trials of both whose counts of errors differ. */
  readonly otherTrials: number;
}

function changesOf(old: Baseline | null, made: Baseline): BaselineChange[] {
  const werOf = (one: Baseline, recognizer: string) => {
    const own = one.trials.filter((trial) => trial.recognizer === recognizer);
    const words = own.reduce((sum, trial) => sum + trial.words, 0);
    return words === 0 ? null : own.reduce((sum, trial) => sum + trial.errors, 0) / words;
  };
  const before = new Map((old?.trials ?? []).map((trial) => [questionOf(trial), trial.errors]));
  return [...new Set(made.trials.map(({ recognizer }) => recognizer))].map((recognizer) => {
    const own = made.trials.filter((trial) => trial.recognizer === recognizer);
    return {
      recognizer,
      before: old === null ? null : werOf(old, recognizer),
      after: werOf(made, recognizer) ?? 0,
      otherTrials: own.filter((trial) => (before.get(questionOf(trial)) ?? trial.errors) !== trial.errors).length,
    };
  });
}
