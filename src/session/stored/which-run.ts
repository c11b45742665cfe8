import { basename, isAbsolute, normalize, resolve, sep } from 'node:path';
import { minuteText } from '../../base/clock.ts';
import { badUsage, EarwitnessError } from '../../base/errors.ts';
import { asJson, canonicalJson } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import type { RunReader, RunRecord } from '../../store/contract.ts';
import { storeAt } from '../../store/store-place.ts';
import { listed } from '../../studies/shared/wording.ts';
import type { Config, LoadedConfig } from '../config/config.ts';
import { decidingParts } from './purpose.ts';
import { changedRecognizers, type RecognizerNow } from './recognizers-now.ts';

/** A config by which the runs of all its versions are meant. */
export interface NamedConfig {
  /** As it is shown; null: it was given as data. */
  readonly file: string | null;
  readonly baseFolder: string;
  readonly name: string;
  /** Whether it says its name: all others have the same. */
  readonly saysName: boolean;
  /** Whether its runs are looked for in another store than the one that it names. */
  readonly isElsewhere: boolean;
}

/** A config by which runs are meant: those of its name that were made with all in it that decides answers and counts. */
export interface RunsOf extends NamedConfig {
  /** Canonical JSON of each part. */
  readonly parts: ReadonlyMap<string, string>;
  /** For a verdict: what its recognizers are now. */
  readonly recognizers?: readonly RecognizerNow[];
}

/**
 * A config as its runs know it.
 *
 * @param store file in which they are looked for; that of the config if absent
 */
export function namedConfig({ config, baseFolder, file }: LoadedConfig, store?: string): NamedConfig {
  const isElsewhere = store !== undefined && storeAt('', store) !== storeAt(baseFolder, config.store);
  return { file, name: nameOf(config), saysName: config.name !== null, baseFolder: resolve(baseFolder), isElsewhere };
}

/**
 * Runs as a config means them.
 *
 * @param store as in `namedConfig`
 */
export function runsOf(loaded: LoadedConfig, store?: string): RunsOf {
  return { ...namedConfig(loaded, store), parts: partsOf(loaded.config) };
}

/** What a run is called. */
export const nameOf = ({ name }: Pick<Config, 'name'>): string => name ?? 'earwitness';

/** In the words of a config, whose parts stand in any order where that decides nothing. */
function partsOf(config: Config): ReadonlyMap<string, string> {
  // Of several studies of words the first decides how they are counted again, so that their order is theirs.
  const { corpora, recognizers, ...others } = decidingParts(config);
  const sorted = (all: readonly unknown[]) => all.map((one) => canonicalJson(asJson(one))).sort();
  const parts = { corpus: corpora, recognizers: sorted(recognizers), ...others };
  const { sounds } = config;
  return new Map(
    Object.entries({ ...parts, sounds }).flatMap(([part, value]) =>
      value === undefined ? [] : [[part, canonicalJson(asJson(value))]],
    ),
  );
}

/** What is kept of how a run was begun; a store may come from anybody, so that it may be anything. */
interface Kept {
  readonly config: Config;
  readonly baseFolder: string;
  readonly file: string | null;
  readonly limit: unknown;
}

/** In what a run is another one than those that a config means; null: it is one of them. */
function differing(run: RunRecord, of: RunsOf): readonly string[] | null {
  const { config } = run.config as unknown as Kept;
  let parts: ReadonlyMap<string, string>;
  try {
    parts = partsOf(config);
  } catch {
    return ['everything'];
  }
  const others = [...new Set([...parts.keys(), ...of.parts.keys()])].filter(
    (part) => parts.get(part) !== of.parts.get(part),
  );
  const all = [
    ...(run.name === of.name ? [] : ['name']),
    ...others,
    ...(isOfFolder(run, of) ? [] : ['folder']),
    // Whether the entries of other recognizers have other files says nothing more.
    ...(others.includes('recognizers') ? [] : changedRecognizers(run, of.recognizers ?? [])),
  ];
  return all.length === 0 ? null : all;
}

/** A run says what a release to come may be like, also one of other models. */
const ofAnyRelease = ({ recognizers: _, ...of }: RunsOf): RunsOf => of;

/** Whether any run of a config is there, whatever its recognizers are now. */
export function hasRunOf(store: Pick<RunReader, 'runs'>, of: RunsOf): boolean {
  return ofConfig(store.runs(), ofAnyRelease(of)).length > 0;
}

/** Whether all of the corpus was to be asked: no preview, and not the first few utterances. */
const isWhole = ({ config }: RunRecord) => ((config as unknown as Kept).limit ?? null) === null;

/**
 * The run that somebody names. `last` is that which was added to the store last, by a run or a merge: no clock decides.
 *
 * @param wanted an id, the beginning of one, or `last`
 * @param of whose last run is meant; null: the store's
 * @throws EarwitnessError `bad-usage` where there is none of this id, or more than one; `no-run` where the config has none
 */
export function findRun(store: Pick<RunReader, 'run' | 'runs'>, wanted: string, of: RunsOf | null = null): RunRecord {
  if (wanted === 'last' && of !== null) {
    const runs = store.runs();
    return lastOf(runs, ofConfig(runs, of), of, false);
  }
  const run = store.run(wanted);
  if (run) return run;
  const ids = store.runs().map(({ id }) => id);
  const begun = ids.filter((id) => id.startsWith(wanted));
  if (begun.length > 1) {
    throw badUsage(`${begun.length} runs have ids that begin with ${JSON.stringify(wanted)}; give more of the id`);
  }
  const near = nearestName(wanted, ids);
  const hint = near
    ? `; did you mean ${near}?`
    : ids.length > 0
      ? '; see `earwitness store list`'
      : '; there is none yet';
  throw badUsage(`expected a run, but no run is called ${JSON.stringify(wanted)}${hint}`);
}

/** A run to be judged, and what must be known of it before the verdict is believed. */
export interface JudgedRun {
  readonly run: RunRecord;
  readonly notes: readonly string[];
}

/**
 * The finished run that a verdict is about. `last` is the newest that asked the whole corpus: a part of it says nothing of the rest.
 *
 * @param part whether one that asked a part of the corpus, or asked what the recognizers were before, will do
 * @throws EarwitnessError `no-run` where there is none, or it is not finished; else as `findRun`
 */
export function findJudged(store: RunReader, wanted: string, of: RunsOf | null, part = false): JudgedRun {
  const runs = store.runs();
  const meant = of !== null && part ? ofAnyRelease(of) : of;
  const own = meant === null ? runs : ofConfig(runs, meant);
  const run = wanted !== 'last' ? findRun(store, wanted) : lastOf(runs, own, meant, !part);
  if (run.finishedAtMs === null) {
    const before = own.find((one) => one.finishedAtMs !== null && (part || isWhole(one)));
    const other = before === undefined ? '' : `, or name the finished one before it: ${runInWords(before)}`;
    throw new EarwitnessError(
      'no-run',
      `expected a finished run, but ${runInWords(run)} is not; continue it: earwitness resume ${run.id}${other}`,
    );
  }
  const others = of === null ? null : differing(run, of);
  const newest = own[0];
  return {
    run,
    notes: [
      ...(others === null ? [] : [`The run is not of ${shown(of!)} as it is now: it ${differs(others)}.`]),
      ...(isWhole(run) ? [] : ['The run asked a part of the corpus only.']),
      ...(run.merged ? ['The run was merged in from another store.'] : []),
      ...(wanted === 'last' && newest !== undefined && newest.id !== run.id
        ? [`A newer run, ${runInWords(newest)}, asked a part of the corpus only, and is not looked at.`]
        : []),
    ],
  };
}

const ofConfig = (runs: readonly RunRecord[], of: RunsOf) => runs.filter((run) => differing(run, of) === null);

/**
 * @param own those of `runs` that `of` means
 * @throws EarwitnessError `no-run`
 */
function lastOf(runs: readonly RunRecord[], own: readonly RunRecord[], of: RunsOf | null, whole: boolean): RunRecord {
  const fits = (run: RunRecord) => !whole || isWhole(run);
  const found = own.find(fits);
  if (found !== undefined) return found;
  const what = `expected a ${whole ? 'run of the whole corpus' : 'run'} of ${of === null ? 'this store' : shown(of)}`;
  const [part] = own;
  if (part !== undefined) {
    throw new EarwitnessError(
      'no-run',
      `${what}, but ${runInWords(part)} asked a part of it; run all of it, or name that run by its id`,
    );
  }
  const earlier =
    of === null
      ? undefined
      : runs.find((run) => (isVersionOf(run, of) || isOfFile(run, of)) && run.finishedAtMs !== null && fits(run));
  const hint =
    earlier === undefined || of === null
      ? runs.length === 0
        ? `; there is none yet: ${of === null ? 'earwitness run' : goOn(of)}`
        : `; begin one with ${of === null ? 'earwitness run' : goOn(of)}, or name one of another config by its id (earwitness store list)`
      : `; the newest of an earlier version is ${runInWords(earlier)}, which ${differs(differing(earlier, of) ?? [])}: run again, or name that one by its id`;
  throw new EarwitnessError('no-run', `${what} as it is now, but there is none${hint}`);
}

/**
 * Whether the paths of a run were meant from the folder of a config. The folders of another machine say nothing here, and a store that lay
 * in the config's folder was moved or copied with it.
 */
function isOfFolder(run: RunRecord, of: NamedConfig): boolean {
  const { config, baseFolder } = run.config as unknown as Partial<Kept>;
  const store = String(config?.store);
  const isInside = !isAbsolute(store) && normalize(store).split(sep, 1)[0] !== '..';
  return run.merged || (isInside && !of.isElsewhere) || resolve(String(baseFolder)) === of.baseFolder;
}

/** Whether a run was made with the file of a config. */
function isOfFile(run: RunRecord, of: NamedConfig): boolean {
  const { file } = run.config as unknown as Kept;
  if (typeof file !== 'string' || of.file === null) return false;
  return isOfFolder(run, of) && basename(file) === basename(of.file);
}

/** Whether a run was made with a config of this name; where that says none, with the same file, if both are of this machine. */
function isVersionOf(run: RunRecord, of: NamedConfig): boolean {
  const { file } = run.config as unknown as Kept;
  const isAnywhere = of.saysName || run.merged || typeof file !== 'string' || of.file === null;
  return run.name === of.name && (isAnywhere || isOfFile(run, of));
}

/**
 * The newest finished run that was made with any version of a config.
 *
 * @throws EarwitnessError `no-run` where there is none
 */
export function findVersion(store: Pick<RunReader, 'runs'>, of: NamedConfig): RunRecord {
  const found = store.runs().find((run) => run.finishedAtMs !== null && isVersionOf(run, of));
  if (found !== undefined) return found;
  throw new EarwitnessError(
    'no-run',
    `expected a finished run of ${shown(of)}, but there is none; begin one with ${goOn(of)}`,
  );
}

/**
 * What two sides are compared where nobody names them: the two newest finished runs of a config, or else two recognizers of its newest.
 *
 * @param of null: of the series of the newest run that is finished
 * @returns the sides, `RUN` or `RUN:RECOGNIZER` each, and what they are, in words
 * @throws EarwitnessError `no-run` where there are no two
 */
export function newestPair(
  store: Pick<RunReader, 'runs'>,
  of: NamedConfig | null,
): { readonly sides: readonly [string, string]; readonly words: string } {
  const finished = store.runs().filter(({ finishedAtMs }) => finishedAtMs !== null);
  const newest = of === null ? finished[0] : finished.find((run) => isVersionOf(run, of));
  const whose = of === null ? 'this store' : shown(of);
  if (newest !== undefined) {
    const names = newest.recognizers.map(({ name }) => name);
    const before = finished
      .slice(finished.indexOf(newest) + 1)
      .find((run) => isSameSeries(run, newest) && isWhole(run) === isWhole(newest));
    if (before?.recognizers.some(({ name }) => names.includes(name)))
      return { sides: [before.id, newest.id], words: `the two newest finished runs of ${whose}` };
    const [one, other] = names;
    if (other !== undefined)
      return {
        sides: [`${newest.id}:${one}`, `${newest.id}:${other}`],
        words: `${names.length === 2 ? 'the' : 'the first'} two recognizers of the newest run of ${whose}`,
      };
  }
  throw new EarwitnessError(
    'no-run',
    `expected two finished runs of ${whose}, or one of two recognizers, but there is ${newest === undefined ? 'no finished run' : `only ${runInWords(newest)}, of one recognizer`}; run again once something has changed, or name two sides (earwitness store list)`,
  );
}

/** Whether two runs are of one series: of one name, and where none was given of one config. */
export function isSameSeries(run: RunRecord, newest: RunRecord): boolean {
  const { config, file, baseFolder } = newest.config as unknown as Partial<Kept>;
  const saysName = newest.merged || (config?.name ?? null) !== null;
  const of = { name: newest.name, saysName, file: file ?? null, baseFolder: resolve(String(baseFolder)) };
  return isVersionOf(run, { ...of, isElsewhere: false });
}

const goOn = ({ file }: NamedConfig) => (file === null ? 'earwitness run' : `earwitness run -c ${printable(file)}`);

const shown = ({ file, name }: NamedConfig) =>
  file === null ? `the config ${printable(name, 60)}` : printable(basename(file));
const differs = (parts: readonly string[]) => `differs in ${listed(parts, 6)}`;

/** `20261128T090512-5f2c8a11 (nightly, begun 2026-11-28 09:05 UTC)` */
export function runInWords({ id, name, startedAtMs }: Pick<RunRecord, 'id' | 'name' | 'startedAtMs'>): string {
  return `${id} (${printable(name, 60)}, begun ${minuteText(startedAtMs)})`;
}

/** What `last` came to. */
export function lastInWords(run: RunRecord, of: NamedConfig | null): string {
  const whose = of === null ? 'the newest of this store, whichever its config' : `the newest of ${shown(of)}`;
  const merged = run.merged ? '; it was merged in from another store' : '';
  return `Run ${runInWords(run)}: ${whose}${isWhole(run) ? '' : '; it asked a part of the corpus'}${merged}`;
}
