import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { badConfig } from '../../base/errors.ts';
import type { LoadedConfig } from '../../session/config/config.ts';
import { untrustedHosts } from '../../session/members/own-module.ts';
import type { CorpusPart } from '../../session/open/open-corpus.ts';
import { openStore } from '../../store/open-store.ts';
import type { CliCommand } from '../command.ts';
import { applyTrust, executeRun, startFlags } from '../execute-run.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { namedStore, runStoreFlags } from '../options.ts';

const flags = [...runStoreFlags, ...startFlags] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `resume [RUN]` */
export const resume: CliCommand = {
  examples: ['resume', 'resume 20261121T1406'],
  notes: 'Needs no config: the store has the one of the run.',
  flags,
  configure(command: Command) {
    command.argument('[run]', 'run id, its beginning, or "last"', 'last').action(start);
  },
};

async function start(wanted: string, options: Options): Promise<void> {
  // The config of this folder may be read, too.
  if (options.trust !== undefined) applyTrust(options);
  const { file, find } = await namedStore(options);
  // Only a run that came with another store, where there is one, is distrusted without being told.
  if (!existsSync(file)) applyTrust(options);
  let id: string;
  let merged: boolean;
  let kept: LoadedConfig & { readonly limit: CorpusPart };
  {
    using store = openStore(file, { readonly: true });
    const run = await find(store, wanted);
    ({ id, merged } = run);
    kept = run.config as unknown as typeof kept;
  }
  const { limit, ...loaded } = kept;
  // The config of a run that came with another store is somebody else's.
  applyTrust({ ...options, trust: options.trust ?? (merged ? 'none' : 'all') });
  refuseUntrustedHosts(loaded);
  const config = { ...loaded.config, store: file };
  await executeRun(
    { ...loaded, config },
    { mode: 'continue', resume: id },
    { ...options, ...(typeof limit === 'number' ? { limit } : (limit ?? {})) },
  );
}

/** As when a config is checked: one that is kept was checked before. */
function refuseUntrustedHosts({ config: { recognizers }, baseFolder }: LoadedConfig): void {
  for (const { type, options } of Object.values(recognizers)) {
    const [host] = untrustedHosts(type, options, baseFolder);
    if (host === undefined) continue;
    throw badConfig(
      `expected hosts that the command line allows (--trust none), but the run asks ${host}; allow it with --allow-host ${host}`,
    );
  }
}
