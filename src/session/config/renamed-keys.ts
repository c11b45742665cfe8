import type { Json, JsonObject } from '../../base/json.ts';
import type { Config } from './config.ts';

/** The parts of a config whose members have renamed options, by the key under which they stand. */
type RenamedPart = 'corpus' | 'recognizers' | 'studies';

interface RenamedKey {
  readonly part: RenamedPart;
  readonly type: string;
  /** Where the key stands within the member's options, the key itself last. */
  readonly old: readonly string[];
  /** The name that it has now, in the same place. */
  readonly now: string;
}

/**
 * Option keys that were renamed, old to new. The old ones are accepted, with a warning, until the next minor version: then their
 * lines are deleted here.
 */
export const renamedKeys: readonly RenamedKey[] = [
  { part: 'corpus', type: 'sentences', old: ['mostCharacters'], now: 'maxCharacters' },
  { part: 'corpus', type: 'silence', old: ['shortest'], now: 'minSeconds' },
  { part: 'corpus', type: 'silence', old: ['longest'], now: 'maxSeconds' },
  { part: 'recognizers', type: 'scripted', old: ['hearsSound'], now: 'needsAudio' },
  { part: 'studies', type: 'differential', old: ['mostCases'], now: 'maxCases' },
  { part: 'studies', type: 'fault-words', old: ['most'], now: 'maxWords' },
  { part: 'studies', type: 'threshold', old: ['leastQuestions'], now: 'minTrials' },
  { part: 'studies', type: 'threshold', old: ['mostQuestions'], now: 'maxTrials' },
];

/** A place of a config that has an old name, and the name that it has now. */
export interface OldName {
  readonly path: readonly PropertyKey[];
  readonly now: string;
}

/**
 * A config as it is written, with the names that keys have now.
 *
 * @returns the data, and every old name that was taken for its new one; a key that stands there under both names is left as it is,
 * for the member's schema to refuse
 * @example withPresentNames({ studies: [{ type: 'threshold', mostQuestions: 48 }] }).oldNames[0].now // 'maxTrials'
 */
export function withPresentNames(data: Json): { readonly data: Json; readonly oldNames: readonly OldName[] } {
  const oldNames: OldName[] = [];
  if (!isObject(data)) return { data, oldNames };
  const present = { ...data };
  for (const part of ['corpus', 'recognizers', 'studies'] as const) {
    const value = data[part];
    if (value === undefined) continue;
    const member = (one: Json, path: readonly PropertyKey[]): Json =>
      isObject(one) ? renamed(part, one, (old, now) => oldNames.push({ path: [...path, ...old], now })) : one;
    present[part] = Array.isArray(value)
      ? value.map((one, index) => member(one, [part, index]))
      : part === 'recognizers' && isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, member(one, [part, name])]))
        : member(value, [part]);
  }
  return { data: present, oldNames };
}

/** A checked config that an earlier version kept in its store, with the names that keys have now. */
export function keptWithPresentNames(config: Config): Config {
  return mapOptions(config, (part, type, options) => {
    const { type: _, ...present } = renamed(part, { ...options, type }, () => {});
    return present;
  });
}

/** A checked config under the names that its keys had first: what is hashed of a config stays the same when a key is renamed. */
export function withFirstNames<Part extends Pick<Config, 'corpora' | 'recognizers' | 'studies'>>(config: Part): Part {
  return mapOptions(config, (part, type, options) => {
    let first = options;
    for (const { old, now } of keysOf(part, type)) first = moved(first, [...old.slice(0, -1), now], old.at(-1)!);
    return first;
  });
}

function mapOptions<Part extends Pick<Config, 'corpora' | 'recognizers' | 'studies'>>(
  config: Part,
  change: (part: RenamedPart, type: string, options: JsonObject) => JsonObject,
): Part {
  const changed =
    (part: RenamedPart) =>
    <Member extends { readonly type: string; readonly options: JsonObject }>(member: Member): Member => ({
      ...member,
      options: change(part, member.type, member.options),
    });
  const recognizer = changed('recognizers');
  return {
    ...config,
    corpora: config.corpora.map(changed('corpus')),
    recognizers: Object.fromEntries(Object.entries(config.recognizers).map(([name, one]) => [name, recognizer(one)])),
    studies: config.studies.map(changed('studies')),
  };
}

function renamed(
  part: RenamedPart,
  member: JsonObject,
  tell: (old: readonly string[], now: string) => void,
): JsonObject {
  let present = member;
  for (const { old, now } of keysOf(part, member.type)) {
    const next = moved(present, old, now);
    if (next !== present) tell(old, now);
    present = next;
  }
  return present;
}

function keysOf(part: RenamedPart, type: Json | undefined): readonly RenamedKey[] {
  return renamedKeys.filter((key) => key.part === part && key.type === type);
}

/** The object with the key at a path called otherwise, in its place; the object itself where the key is absent, or the new one is there. */
function moved(object: JsonObject, [key, ...rest]: readonly string[], now: string): JsonObject {
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  if (rest.length === 0) {
    if (Object.hasOwn(object, now)) return object;
    return Object.fromEntries(Object.entries(object).map(([name, value]) => [name === key ? now : name, value]));
  }
  const inner = object[key];
  if (!isObject(inner)) return object;
  const next = moved(inner, rest, now);
  return next === inner ? object : { ...object, [key]: next };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
