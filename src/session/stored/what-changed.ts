import { canonicalJson } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import type { SideDifference } from '../../compare/comparison-sections.ts';
import type { RunReader, RunRecord } from '../../store/contract.ts';
import { listed, named } from '../../studies/shared/wording.ts';
import type { Config } from '../config/config.ts';

/** What is read of a store to say what else than answers differs between two of its runs. */
type RunsStore = Pick<RunReader, 'conditions' | 'utterances' | 'sounds' | 'frozenPlan'>;

/**
 * Values that are not the same in two JSON objects, by their paths.
 *
 * @param files names of files by the paths of the hashes of what is in them, where they are known
 * @example changedValues({ file: 'a', beam: 1 }, { file: 'b', beam: 1 }) // [{ what: 'file', before: 'a', after: 'b' }]
 */
export function changedValues(before: JsonObject, after: JsonObject, files: JsonObject = {}): SideDifference[] {
  const [old, now] = [new Map(flat(before, '')), new Map(flat(after, ''))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((what) => old.get(what) !== now.get(what))
    .map((what) => {
      const values = [old.get(what), now.get(what)] as const;
      const file = files[what];
      const name = values.every(isHash) ? `contents of ${typeof file === 'string' ? named(file) : what}` : what;
      return { what: name, before: shortened(values[0]), after: shortened(values[1]) };
    });
}

const isHash = (text: string | undefined) => /^[0-9a-f]{64}$/.test(text ?? '');

/** The options of a recognizer in a config, which name its files. */
export function optionsOf({ config }: Pick<RunRecord, 'config'>, recognizer: string): JsonObject {
  const { config: written } = config as { readonly config?: Pick<Config, 'recognizers'> };
  return (written?.recognizers[recognizer]?.options ?? {}) as JsonObject;
}

function flat(value: Json, path: string): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((own, place) => flat(own, `${path}[${place}]`));
  return value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, own]) => flat(own, path === '' ? key : `${path}.${key}`))
    : [[path, String(value)]];
}

function shortened(text: string | undefined): string {
  return named((text ?? 'none').slice(0, isHash(text) ? 12 : 40));
}

/** Parts of a config that decide no answer: `recognizers` are told by their identities, which hold what their files are. */
const besides = new Set(['name', 'recognizers', 'report', 'gate', 'store', 'limits']);

/**
 * What else than answers differs between two runs, most telling first: the program, the recognizer, the corpus, conditions, settings. Reads both
 * corpora once.
 *
 * @returns tells it of a recognizer that is on both sides; of null where two different ones are compared
 */
export function runDifferences(
  store: RunsStore,
  before: RunRecord,
  after: RunRecord,
): (recognizer: string | null) => SideDifference[] {
  if (before.id === after.id) return () => [];
  const [old, now] = [before, after].map(({ id }) => store.frozenPlan(id)?.plan.program as JsonObject | undefined);
  const program = old === undefined || now === undefined ? [] : changedValues(old, now);
  const settings = (run: RunRecord) =>
    Object.fromEntries(Object.entries((run.config.config ?? {}) as JsonObject).filter(([part]) => !besides.has(part)));
  const others = [
    ...corpusDifferences(store, before, after),
    ...[...differingConditions(store, before, after)].map(([name, steps]) => ({
      ...{ what: `condition ${name} (not compared)`, before: shortened(steps[0]), after: shortened(steps[1]) },
    })),
    ...changedValues(settings(before), settings(after)),
  ];
  return (recognizer) => {
    const identityOf = (run: RunRecord) => run.recognizers.find(({ name }) => name === recognizer)?.identity ?? {};
    const files = recognizer === null ? {} : optionsOf(after, recognizer);
    const own = changedValues(identityOf(before), identityOf(after), files).map(({ what, ...values }) => ({
      // A file has a name of its own.
      ...{ what: what.startsWith('contents of ') ? what : `${what} of ${recognizer}`, ...values },
    }));
    return [...program, ...own, ...others];
  };
}

/** Names that stand for other steps in one run than in the other, with both: their sounds cannot be compared. */
export function differingConditions(
  store: RunsStore,
  first: RunRecord,
  second: RunRecord,
): ReadonlyMap<string, readonly [string, string]> {
  const stepsOf = (run: RunRecord) =>
    new Map(store.conditions(run.id).map(({ name, steps }) => [name, canonicalJson(steps as unknown as Json)]));
  const [one, other] = [stepsOf(first), stepsOf(second)];
  const differing = [...one].flatMap(([name, steps]): [string, [string, string]][] => {
    const others = other.get(name);
    return others === undefined || others === steps ? [] : [[name, [steps, others]]];
  });
  return new Map(differing);
}

const pageSize = 500;

/** What of an utterance can change beneath its id. */
interface Spoken {
  readonly reference: string;
  readonly language: string;
  readonly sound: string;
}

function corpusDifferences(store: RunsStore, before: RunRecord, after: RunRecord): SideDifference[] {
  const known = new Map([...spokenIn(store, before.id)]);
  const changed = {
    reference: [] as SideDifference[],
    language: [] as SideDifference[],
    sound: [] as SideDifference[],
  };
  for (const [id, now] of spokenIn(store, after.id)) {
    const old = known.get(id);
    if (old === undefined) continue;
    for (const part of ['reference', 'language', 'sound'] as const) {
      if (old[part] !== now[part] && old[part] !== '' && now[part] !== '')
        changed[part].push({ what: id, before: shortened(old[part]), after: shortened(now[part]) });
    }
  }
  return Object.entries(changed).flatMap(([part, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const of = `${counted(all.length, 'utterance')} (${listed(
      all.map(({ what }) => what),
      3,
    )})`;
    return [{ ...first, what: `${part} of ${of}` }];
  });
}

function* spokenIn(store: RunsStore, run: string): Generator<readonly [string, Spoken]> {
  for (let from = 0; ; from += pageSize) {
    const page = store.utterances(run, { from, limit: pageSize });
    const sounds = store.sounds(run, { from, limit: pageSize });
    for (const [place, { id, reference = '', language, made }] of page.entries()) {
      if (made !== undefined) return;
      const sound = sounds.get(from + place);
      yield [id, { reference, language, sound: sound === undefined ? '' : canonicalJson(sound) }];
    }
    if (page.length < pageSize) return;
  }
}
