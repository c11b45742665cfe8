import type { Command } from 'commander';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { findConfig, loadConfig } from '../../session/config/load-config.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { namedStore } from '../options.ts';
import { printJson, say } from '../output.ts';

const flags = [
  ['--store <address>', "postgres://user@host/database; else the config's"],
  ['-c, --config <file>', 'the config with the recognizers; by default the one in this folder'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `worker` */
export const worker: CliCommand = {
  examples: ['worker --store postgres://me@database.example/recognition'],
  notes:
    'Takes the recognizers of the config as they are on this machine, and makes the calls of runs with `executor: queue` that ask for just these: the same engine, version, model and options. SIGTERM or Ctrl-C: nothing new is taken, what is in hand is ended; a second one gives it back. Passwords: PGPASSWORD or ~/.pgpass.',
  flags,
  configure(command: Command) {
    command.action(run);
  },
};

async function run(options: Options): Promise<void> {
  const config = options.config ?? findConfig(process.cwd());
  const loaded = await loadConfig(config, undefined, [
    'corpus',
    'studies',
    'ladders',
    'embedders',
    'predictors',
    'quality',
  ]);
  const { file } = await namedStore({ ...options, config });
  const [drain, abort] = [new AbortController(), new AbortController()];
  const stop = () => {
    say(drain.signal.aborted ? 'giving back what is in hand' : 'taking no more; ending what is in hand');
    if (drain.signal.aborted) abort.abort(new Error('the worker was stopped'));
    drain.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const names = Object.keys(loaded.config.recognizers);
  const { workFor } = await import('../../session/run/run-worker.ts');
  try {
    const counts = await workFor(file, loaded, {
      warn: (message) => say(printable(message, 1000)),
      ready: () => say(`ready for calls of ${names.map((name) => printable(name, 60)).join(', ')}`),
      drain: drain.signal,
      abort: abort.signal,
    });
    if (options.json) await printJson({ ...counts });
    else say(`${counted(counts.answered, 'call')} answered, ${counts.failed} failed`);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}
