import { type Command, InvalidArgumentError, Option } from 'commander';
import { findConfig } from '../../session/config/find-config.ts';
import { loadConfig } from '../../session/config/load-config.ts';
import type { CliCommand } from '../command.ts';
import { executeRun, type RunFlags } from '../execute-run.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

interface Options extends RunFlags {
  readonly config?: string;
  readonly new?: true;
  readonly fresh?: true;
  readonly retryFailed?: true;
}

/** `run [--config FILE]` */
export const run: CliCommand = {
  examples: ['run', 'run --config study.yaml --limit 20', 'run --fresh --no-sound --json > report.json'],
  notes:
    'Goes on with an unfinished run of the same config. Ctrl-C stops it: what is in flight is waited for; a second Ctrl-C ends that too.',
  configure(command: Command) {
    command
      .option('-c, --config <file>', 'the config; else earwitness.config.* of this folder')
      .addOption(
        new Option('--new', 'begin a new run; answers stored before are used again').conflicts([
          'fresh',
          'retryFailed',
        ]),
      )
      .addOption(new Option('--fresh', 'begin a new run that ignores stored answers').conflicts('retryFailed'))
      .option('--retry-failed', 'begin a run that asks again what failed in the last finished one');
    addRunOptions(command).option('--limit <n>', 'only the first so many utterances', wholeNumber).action(start);
  },
};

/** What `run` and `resume` have in common. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--workers <n>', 'recognitions on this machine at once', wholeNumber)
    .option(
      '--max-failed <share>',
      "in what share of its trials a recognizer may fail, from 0 to 1 (default: the config's failures.maxShare, else 0.2)",
      share,
    )
    .addOption(
      new Option('--executor <where>', 'where recognizers run').choices(['auto', 'here', 'processes']).default('auto'),
    )
    .option('--out <folder>', "where the report's folder is made")
    .option('--no-sound', 'a report without sound')
    .option('--no-transcripts', 'a report without transcripts');
}

async function start(options: Options): Promise<void> {
  const loaded = await loadConfig(options.config ?? findConfig(process.cwd()));
  const mode = options.new ? 'new' : options.fresh ? 'fresh' : options.retryFailed ? 'retry-failed' : 'continue';
  await executeRun(loaded, { mode, resume: null }, options);
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('expected a share from 0 to 1, such as 0.5.');
  return value;
}
