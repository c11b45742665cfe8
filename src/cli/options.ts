import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { badConfig, badUsage, EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import type { CorpusChannels } from '../corpora/shared/with-channels.ts';
import type { GateOptions } from '../model/gate.ts';
import type { Config } from '../session/config/config.ts';
import { channelsExpected, channelsMeant, channelsOption } from '../session/config/frame.ts';
import { configNames, findConfig, loadConfig } from '../session/config/load-config.ts';
import { isOwnNormalizer } from '../session/members/load-normalizer.ts';
import { storedFileHash } from '../session/open/stored-file-hash.ts';
import { recognizersNow } from '../session/stored/recognizers-now.ts';
import { type CountedAgain, countedAgain, countingOf, studyCounting } from '../session/stored/study-counting.ts';
import {
  findJudged,
  findRun,
  type JudgedRun,
  lastInWords,
  type NamedConfig,
  namedConfig,
  type RunsOf,
  runsOf,
} from '../session/stored/which-run.ts';
import type { RunReader, RunRecord, Store } from '../store/contract.ts';
import { openStore } from '../store/open-store.ts';
import { isServer, storeAt } from '../store/store-place.ts';
import type { Flag, FlagsOf } from './flags.ts';
import { say } from './output.ts';

/**
 * For commander: reads numbers of which something holds.
 *
 * @param expected what it says of others
 */
export function numberThat(expected: string, holds: (value: number) => boolean): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && holds(value)) return value;
    throw new InvalidArgumentError(`expected ${expected}`);
  };
}

export const wholeNumber = numberThat(
  'a whole number of at least 1',
  (value) => Number.isSafeInteger(value) && value >= 1,
);
export const naturalNumber = numberThat(
  'a whole number of at least 0',
  (value) => Number.isSafeInteger(value) && value >= 0,
);
/** For commander: a whole number between two, which may be either. */
export const wholeFrom = (from: number, to: number) =>
  numberThat(
    `a whole number from ${from} to ${to}`,
    (value) => Number.isInteger(value) && value >= from && value <= to,
  );
export const positive = numberThat('a number above 0', (value) => value > 0 && Number.isFinite(value));
export const share = numberThat('a share from 0 to 1, such as 0.5', (value) => value >= 0 && value <= 1);
/** A day at most. */
export const seconds = numberThat(
  'a number of seconds above 0, at most 86400',
  (value) => value > 0 && value <= 86_400,
);

/** What `--channels` takes. */
export const channelsHelp = 'of files with several channels: 1 (left), 2 (right), …, each, or mean (mixed)';

/** For commander: which channels of a file are heard; as configs have it. */
export function channelsArgument(text: string): CorpusChannels {
  const { data } = channelsOption.safeParse(/^\d+$/.test(text) ? Number(text) : text);
  if (data !== undefined) return channelsMeant(data);
  throw new InvalidArgumentError(channelsExpected);
}

/** @throws EarwitnessError `bad-usage` for a number that is no port */
export function requirePort(port: number): void {
  if (port <= 65_535) return;
  throw badUsage(`expected a port from 0 to 65535, but got ${port}; 0 takes any that is free`);
}

/** What may be named as a recognizer, for `init` and `run`. */
export const recognizerHelp =
  'whisper:openai/whisper-base, pocketsphinx:beams=narrow, ./program, ./program:output=json, python:my_model.py, program:./my-recognizer, http://localhost:8000/v1, …; may be repeated';

/** Where the store is when nobody says otherwise. */
const usualStore = '.earwitness/store.sqlite';

/** What a command that reads the store has no use for: a key that is not set now is no reason to show nothing. */
const besideStore = [
  ...(['corpus', 'synthesizers', 'sounds', 'recognizers', 'studies', 'embedders', 'predictors', 'quality'] as const),
  'ladders',
] as const;

/** Names the store that a command reads. */
export const storeFlag = ['--store <file>', `the store; else the config's, else ${usualStore}`] as const satisfies Flag;

/** Name the store that a command reads, and the config whose runs it means. */
export const runStoreFlags = [
  storeFlag,
  ['-c, --config <file>', 'the config whose last run is meant; by default the one in this folder, with --store none'],
] as const satisfies readonly Flag[];

/** Where a report is written that is printed too. */
export const outFlag = [
  '--out <folder>',
  'also write the report to this folder, as HTML, JSON, Markdown and CSV',
] as const satisfies Flag;

/** Usual in official statistics: a group of fewer can be told from outside knowledge. */
export const usualMinSpeakers = 5;

/** What pages for others do with groups. */
export const minSpeakersHelp = `withhold groups of fewer speakers; 1: withhold none, and name speakers and utterances (default: ${usualMinSpeakers})`;

/** What counts the words of a run again. */
export const normalizerFlag = [
  '-n, --normalizer <name>',
  'text normalizer: a name, or a module (./mine.ts); default: as the study of the run counted',
] as const satisfies Flag;

/** How often what is counted again after a run is resampled. */
export const resamplesFlag = [
  '--resamples <n>',
  'bootstrap resamples; default: as the study of the run counted',
  wholeNumber,
] as const satisfies Flag;

/** What names a store and a config on the command line. */
export type StoreFlags = Pick<FlagsOf<typeof runStoreFlags>, 'store' | 'config'>;

/** The store that a command reads, and which of its runs is meant. */
interface NamedStore {
  readonly file: string;
  /** The config whose runs are meant; null: there is none, and those of the store are meant. */
  readonly configFile: string | null;
  /** The run that somebody names; says what `last` came to, at once or later. */
  find(store: RunReader, wanted: string, tell?: (line: string) => void): Promise<RunRecord>;
}

/**
 * The store that a command means: the one given, or the one in the folder given; that of the config given, or of the one in this folder; or the usual one.
 *
 * @throws EarwitnessError `bad-usage` for a folder without a store
 */
export async function namedStore({ store: given, config }: StoreFlags): Promise<NamedStore> {
  const isHere = given === undefined && configNames.some((name) => existsSync(name));
  const configFile = config ?? (isHere ? findConfig(process.cwd()) : null);
  const file =
    given !== undefined ? storeGiven(given) : configFile === null ? resolve(usualStore) : await storeOf(configFile);
  return {
    file,
    configFile,
    async find(store, wanted, tell = say) {
      if (wanted !== 'last') return findRun(store, wanted);
      const of = configFile === null ? null : await runsOfReadable(configFile, file, tell);
      const run = findRun(store, wanted, of);
      tell(lastInWords(run, of));
      return run;
    },
  };
}

/** Who shows what is kept needs no config that can be run: then it is said that it could not be read. */
async function runsOfReadable(configFile: string, store: string, tell: (line: string) => void): Promise<RunsOf | null> {
  try {
    return runsOf(await loadConfig(configFile), store);
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    tell(`${error.message}\nSo nobody knows which runs are of this config`);
    return null;
  }
}

async function storeOf(configFile: string): Promise<string> {
  const { config, baseFolder } = await loadConfig(configFile, undefined, besideStore);
  return storeAt(baseFolder, config.store);
}

/** A config whose runs of all versions are meant. */
export async function configNamed(configFile: string): Promise<NamedConfig> {
  return namedConfig(await loadConfig(configFile, undefined, besideStore));
}

/** The store alone, for commands that mean no run. */
export async function storeFile(given: string | undefined): Promise<string> {
  return (await namedStore(given === undefined ? {} : { store: given })).file;
}

function storeGiven(given: string): string {
  const path = storeAt('', given);
  if (isServer(path)) return path;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const inside = [join(path, 'store.sqlite'), join(path, usualStore)].find((file) => existsSync(file));
  if (inside !== undefined) return inside;
  throw badUsage(
    `${printable(given)}: expected a store or a folder that has one, but there is no store.sqlite in it; name the file: --store ${printable(join(given, 'store.sqlite'))}`,
  );
}

/** What names a gate and a run on the command line. */
export type GateFlags = StoreFlags & { readonly normalizer?: string };

/** A gate with the run that it looks at. Whoever opens it disposes of the store. */
interface OpenGate extends JudgedRun {
  readonly gate: GateOptions;
  readonly baseFolder: string;
  readonly store: Store & Disposable;
  readonly counted: CountedAgain;
}

/**
 * Reads the limits of a config, and finds the run that they are for.
 *
 * @param part whether a run of a part of the corpus will do
 * @throws EarwitnessError `bad-config` where the config has no gate; `no-run` where it has no run, or its last is not finished
 */
export async function openGate(wanted: string, flags: GateFlags, part = false): Promise<OpenGate> {
  const file = flags.config ?? findConfig(process.cwd());
  const { config, baseFolder } = await loadConfig(file, undefined, besideStore);
  const gate = gateOf(config, file);
  const named = await namedStore({ ...flags, config: file });
  const store = openStore(named.file, { readonly: true });
  try {
    const judged = findJudged(store, wanted, await runsToJudge(file, named.file, wanted, store), part);
    const own = await ownNormalizerFolder(judged.run, file, flags.normalizer);
    const counted = await countedAgain(judged.run, store.findings(judged.run.id), flags, process.cwd(), own);
    return { ...judged, gate, baseFolder, store, counted };
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/**
 * From where a module of the user's own that counts the words of a run may be loaded: the folder of a config whose studies count with the same.
 *
 * @param configFile null: there is none
 * @param given a normalizer that was named otherwise
 * @returns null where none may be, or none is needed
 */
export async function ownNormalizerFolder(
  record: RunRecord,
  configFile: string | null,
  given: string | undefined,
): Promise<string | null> {
  const { normalizer } = countingOf(record) ?? {};
  if (configFile === null || given !== undefined || normalizer === undefined || !isOwnNormalizer(normalizer))
    return null;
  const { config, baseFolder } = await loadConfig(
    configFile,
    undefined,
    // Conditions of studies are looked up in the config's own ladders.
    besideStore.filter((part) => part !== 'studies' && part !== 'ladders'),
  );
  const { config: then } = record.config as { readonly config?: Pick<Config, 'normalizers'> };
  const isSame = config.normalizers?.[normalizer] === then?.normalizers?.[normalizer];
  return isSame && studyCounting(config.studies)?.normalizer === normalizer ? baseFolder : null;
}

/**
 * The runs that a config means, for a verdict: those of what its recognizers are now.
 *
 * @param opened the store, whose hashes of files are known
 * @returns null where a run is named by its id and the config cannot be read
 * @throws EarwitnessError `bad-config` where the last is meant and the config cannot be read
 */
export async function runsToJudge(
  configFile: string | null,
  store: string,
  wanted: string,
  opened: Pick<Store, 'fileHash'>,
): Promise<RunsOf | null> {
  if (configFile === null) return null;
  try {
    const loaded = await loadConfig(configFile);
    const recognizers = await recognizersNow(loaded.config, loaded.baseFolder, storedFileHash(opened));
    return { ...runsOf(loaded, store), recognizers };
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    if (wanted !== 'last') return null;
    throw new EarwitnessError(
      error.code,
      `${error.message}; or name a run by its id, since nobody knows which are of this config`,
      { cause: error },
    );
  }
}

/** @throws EarwitnessError `bad-config` where the config of this file has no limits */
export function gateOf({ gate }: Pick<Config, 'gate'>, file: string): GateOptions {
  if (gate !== undefined) return gate;
  throw badConfig(
    `${printable(file)}: expected limits under \`gate\`, but there are none; add for example gate: { limits: [{ wer: 0.15 }] }`,
  );
}
