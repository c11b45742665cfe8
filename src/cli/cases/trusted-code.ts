import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { TrustedCode } from '../../session/cases/run-sounds.ts';

export interface TrustFlags {
  readonly modules?: string;
  readonly programs?: true;
}

/** What a command may run of a config that stands in a store, and so may be somebody else's. */
export function addTrustOptions(command: Command): Command {
  return command
    .option('--modules <folder>', "load the run's own modules from there, where they are as they were")
    .option('--programs', "start the programs that the run's config names");
}

export function trustedCode({ modules, programs }: TrustFlags): TrustedCode {
  return { modules: modules === undefined ? null : resolve(modules), programs: programs === true };
}
