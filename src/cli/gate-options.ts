import { resolve } from 'node:path';
import { EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { findRun } from '../engine/open-run.ts';
import type { GateOptions } from '../model/gate.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { Config } from '../session/config/config.ts';
import { findConfig } from '../session/config/find-config.ts';
import { loadConfig } from '../session/config/load-config.ts';
import { loadNormalizer } from '../session/members/load-normalizer.ts';
import type { RunRecord, Store } from '../store/contract.ts';
import { openStore } from '../store/sqlite/sqlite-store.ts';
import { besideStore, storeFile } from './store-option.ts';

/** What names a gate and a run on the command line. */
export interface GateFlags {
  readonly config?: string;
  readonly store?: string;
  readonly normalizer: string;
  readonly json?: true;
}

/** A gate with the run that it looks at. Whoever opens it disposes of the store. */
export interface OpenGate {
  readonly gate: GateOptions;
  readonly baseFolder: string;
  readonly store: Store & Disposable;
  readonly record: RunRecord;
  readonly normalizer: Normalizer;
}

/**
 * Reads the limits of a config, and finds the run that they are for.
 *
 * @throws EarwitnessError `bad-config` where the config has no gate; `bad-usage` for a run that is not there or not finished
 */
export async function openGate(wanted: string, flags: GateFlags): Promise<OpenGate> {
  const file = flags.config ?? findConfig(process.cwd());
  const { config, baseFolder } = await loadConfig(file, undefined, besideStore);
  const gate = gateOf(config, file);
  const given = flags.store ?? (flags.config === undefined ? undefined : resolve(baseFolder, config.store));
  const normalizer = await loadNormalizer(flags.normalizer, process.cwd());
  const store = openStore(await storeFile(given), { readonly: true });
  const record = finished(store, wanted);
  return { gate, baseFolder, store, record, normalizer };
}

/** @throws EarwitnessError `bad-config` where the config of this file has no limits */
export function gateOf({ gate }: Pick<Config, 'gate'>, file: string): GateOptions {
  if (gate !== undefined) return gate;
  throw new EarwitnessError(
    'bad-config',
    `${printable(file)}: expected limits under \`gate\`, but there are none; add for example gate: { limits: [{ wer: 0.15 }] }`,
  );
}

/** @throws EarwitnessError `bad-usage` where there is no such run, or it has not come to its end */
export function finished(store: Store, wanted: string): RunRecord {
  const record = findRun(store, wanted);
  if (record.finishedAtMs !== null) return record;
  throw new EarwitnessError(
    'bad-usage',
    `expected a finished run, but ${record.id} is not; continue it: earwitness resume ${record.id}`,
  );
}
