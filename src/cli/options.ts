import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { findRun } from '../engine/open-run.ts';
import type { GateOptions } from '../model/gate.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { Config } from '../session/config/config.ts';
import { configNames, findConfig, loadConfig } from '../session/config/load-config.ts';
import { loadNormalizer } from '../session/members/load-normalizer.ts';
import type { RunRecord, Store } from '../store/contract.ts';
import { openStore } from '../store/sqlite/sqlite-store.ts';

/** For commander: a whole number of at least 1. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('expected a whole number of at least 1');
  return number;
}

/** For commander: a whole number of at least 0. */
export function naturalNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('expected a whole number of at least 0');
  return number;
}

/** @throws EarwitnessError `bad-usage` for a number that is no port */
export function requirePort(port: number): void {
  if (port <= 65_535) return;
  throw new EarwitnessError('bad-usage', `expected a port from 0 to 65535, but got ${port}; 0 takes any that is free`);
}

/** What may be named as a recognizer, for `init` and `run`. */
export const recognizerHelp =
  'whisper:openai/whisper-base, pocketsphinx:beams=narrow, ./program, ./program:output=json, python:my_model.py, program:./my-recognizer, http://localhost:8000/v1, …; may be repeated';

/** Puts the values of an option that may be repeated together. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Where the store is when nobody says otherwise. */
const usualStore = '.earwitness/store.sqlite';

/** What a command that reads the store has no use for: a key that is not set now is no reason to show nothing. */
export const besideStore = [
  ...(['corpus', 'synthesizers', 'sounds', 'recognizers', 'studies', 'embedders', 'predictors', 'quality'] as const),
  'ladders',
] as const;

/** Lets a command name the store that it reads. */
export function addStoreOption(command: Command): Command {
  return command.option('--store <file>', `the store; else the config's, else ${usualStore}`);
}

/**
 * The store that a command means: the one given, or the one in the folder given; the config's where there is one in this folder, or the usual one.
 *
 * @throws EarwitnessError `bad-usage` for a folder without a store
 */
export async function storeFile(given: string | undefined): Promise<string> {
  if (given !== undefined) return storeAt(given);
  if (!configNames.some((name) => existsSync(name))) return resolve(usualStore);
  const { config, baseFolder } = await loadConfig(findConfig(process.cwd()), undefined, besideStore);
  return resolve(baseFolder, config.store);
}

function storeAt(given: string): string {
  const path = resolve(given);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const inside = [join(path, 'store.sqlite'), join(path, usualStore)].find((file) => existsSync(file));
  if (inside !== undefined) return inside;
  throw new EarwitnessError(
    'bad-usage',
    `${printable(given)}: expected a store or a folder that has one, but there is no store.sqlite in it; name the file: --store ${printable(join(given, 'store.sqlite'))}`,
  );
}

/** What names a gate and a run on the command line. */
export interface GateFlags {
  readonly config?: string;
  readonly store?: string;
  readonly normalizer: string;
  readonly json?: true;
}

/** A gate with the run that it looks at. Whoever opens it disposes of the store. */
interface OpenGate {
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
