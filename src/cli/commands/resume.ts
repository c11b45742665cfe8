import type { Command } from 'commander';
import { findRun } from '../../engine/open-run.ts';
import type { LoadedConfig } from '../../session/config/config.ts';
import type { CorpusPart } from '../../session/open-corpus.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import type { CliCommand } from '../command.ts';
import { executeRun, type RunFlags } from '../execute-run.ts';
import { addStoreOption, storeFile } from '../store-option.ts';
import { addRunOptions } from './run.ts';

interface Options extends RunFlags {
  readonly store?: string;
}

/** `resume [RUN]` */
export const resume: CliCommand = {
  examples: ['resume', 'resume 20261121T1406'],
  notes: 'Needs no config: the run has kept its own.',
  configure(command: Command) {
    addRunOptions(addStoreOption(command))
      .argument('[run]', 'its id, the beginning of it, or "last"', 'last')
      .action(start);
  },
};

async function start(wanted: string, options: Options): Promise<void> {
  const file = await storeFile(options.store);
  let id: string;
  let kept: LoadedConfig & { readonly limit: CorpusPart };
  {
    using store = openStore(file, { readonly: true });
    const run = findRun(store, wanted);
    id = run.id;
    kept = run.config as unknown as typeof kept;
  }
  const { limit, ...loaded } = kept;
  const config = { ...loaded.config, store: file };
  await executeRun(
    { ...loaded, config },
    { mode: 'continue', resume: id },
    { ...options, ...(typeof limit === 'number' ? { limit } : (limit ?? {})) },
  );
}
