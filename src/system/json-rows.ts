import { markOf, type Role, usualNames, usualRole } from '../base/columns/roles.ts';
import { badInput, messageOf } from '../base/errors.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import type { Row } from './delimited-rows.ts';
import type { TextLine } from './text-lines.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The rows of a file with one JSON object on each line. Numbers and booleans are read as their text, null as absent;
 * members that are objects have no text of their own: what in them is called as words, a name or a speaker is a column where no member beside them is.
 * Blank lines are passed over.
 *
 * @throws EarwitnessError `bad-input` with file, line and column: a line that is no JSON, or no object
 */
export async function* readJsonRows(lines: AsyncIterable<TextLine>, shownName: string): AsyncGenerator<Row> {
  for await (const line of lines) {
    if (line.text.trim() === '') continue;
    yield jsonRow(parseObject(line, shownName), line, shownName);
  }
}

function parseObject(line: TextLine, shownName: string): JsonObject {
  let value: unknown;
  try {
    value = parseJson(line.text);
  } catch (error) {
    const column = Number(/position (\d+)/.exec(messageOf(error))?.[1] ?? line.text.length) + 1;
    throw badInput(
      `${shownName}:${line.number}:${column}: expected one JSON object on the line, but it is not JSON from here on; correct it`,
      { cause: error },
    );
  }
  if (!isJsonObject(value)) {
    const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
    throw badInput(
      `${shownName}:${line.number}:1: expected one JSON object on the line, but found ${found}; write the fields of each line in braces with their names`,
    );
  }
  if (Object.hasOwn(value, '__proto__')) {
    throw badInput(`${shownName}:${line.number}:1: the member name "__proto__" cannot be used; rename it`);
  }
  return value;
}

/** A row of what an object holds, wherever it came from. */
export function jsonRow(object: JsonObject, line: TextLine, shownName: string): Row {
  const within = membersWithin(object);
  const memberOf = (name: string) => (Object.hasOwn(object, name) ? object[name] : within.get(name));
  const names = within.size === 0 ? Object.keys(object) : [...new Set([...Object.keys(object), ...within.keys()])];
  return {
    namesPlace: () => `${shownName}:${line.number}:1`,
    line: line.number,
    names,
    nameAt: (place) => names[place - 1],
    text: (name) => scalarText(memberOf(name)) ?? scalarText(within.get(name)),
    list(name) {
      const value = memberOf(name);
      return Array.isArray(value) ? value.map(scalarText).filter((text) => text !== undefined) : undefined;
    },
    value: memberOf,
    place(name) {
      const at = name === undefined ? -1 : line.text.indexOf(JSON.stringify(name));
      const before = line.text.slice(0, Math.max(at, 0)).split('\n');
      return `${shownName}:${line.number + before.length - 1}:${before.at(-1)!.length + 1}`;
    },
  };
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

const noMembers: ReadonlyMap<string, string> = new Map();
const maxDepth = 10;
/** Longer lists are samples of sound, and no parts of what was said. */
const maxParts = 2000;
const rolesWithin: readonly Role[] = ['id', 'path', 'speaker', 'language', 'reference', 'hypothesis'];

/** What a member of a member says by its name: a label may be a class, and a name that of anything. */
function roleWithin(name: string): Role | undefined {
  const role = usualRole(name);
  if (role === undefined || !rolesWithin.includes(role) || markOf(name) === 'vague') return undefined;
  return role === 'speaker' && !/sp(?:ea)?k|client/i.test(name) ? undefined : role;
}

/**
 * What stands in members of members (`{ data: { audio }, annotations: [{ result: [{ value: { text } }] }] }`) and is called as a name, a speaker or words,
 * where no member itself is: by its own name, or where several are called alike by what else is in their paths. Texts of parts that follow each other in
 * time are one.
 */
function membersWithin(object: JsonObject): ReadonlyMap<string, string> {
  const members = Object.entries(object).filter(([, value]) => typeof value === 'object' && value !== null);
  if (members.length === 0) return noMembers;
  const own = Object.keys(object).filter((name) => scalarText(object[name]) !== undefined);
  const hasRole = new Set(own.map(usualRole));
  const hasWords = own.some((name) => markOf(name) !== 'unknown');
  const leaves = members.flatMap(([name, value]) => [...leavesOf(value, [name], 1)]);
  const found = new Map<string, string>();
  for (const { path, text } of leaves) {
    const leaf = path.at(-1)!;
    const alike = leaves.filter((other) => other.path.at(-1) === leaf);
    const telling = path.filter((key) => alike.length === 1 || !alike.every((other) => other.path.includes(key)));
    const name = alike.length === 1 ? leaf : telling.join('.') || path.join('.');
    const role = usualRole(leaf);
    const isWords = role === 'reference' || role === 'hypothesis';
    const isTaken = isWords ? hasWords && !['output', 'reference'].includes(markOf(path.join('.'))) : hasRole.has(role);
    if (!isTaken && !(name in object && scalarText(object[name]) !== undefined) && !found.has(name))
      found.set(name, text);
  }
  return found;
}

interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

function* leavesOf(value: unknown, path: readonly string[], depth: number): Generator<Leaf> {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) {
    yield* leavesOfList(value, path, depth);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, [...path, name], depth + 1);
  } else {
    const text = scalarText(value);
    const role = roleWithin(path.at(-1)!);
    const isWords = role === 'reference' || role === 'hypothesis';
    if (text !== undefined && role !== undefined && (!isWords || typeof value === 'string')) yield { path, text };
  }
}

/** Of several ways to say it the first; of parts of a recording, which have times, the words of all. */
function* leavesOfList(list: readonly unknown[], path: readonly string[], depth: number): Generator<Leaf> {
  if (list.length === 0 || list.length > maxParts) return;
  if (list.length === 1 || /^(?:alternatives|n_?best|hypotheses)$/i.test(path.at(-1)!)) {
    yield* leavesOf(list[0], path, depth + 1);
    return;
  }
  if (!list.every(isPart)) return;
  const joined = new Map<string, { readonly path: readonly string[]; texts: string[] }>();
  for (const part of list) {
    for (const leaf of leavesOf(part, path, depth + 1)) {
      const key = leaf.path.join('.');
      const before = joined.get(key) ?? { path: leaf.path, texts: [] };
      joined.set(key, { ...before, texts: [...before.texts, leaf.text.trim()] });
    }
  }
  for (const { path: of, texts } of joined.values()) {
    const isWords = ['reference', 'hypothesis'].includes(usualRole(of.at(-1)!)!);
    if (isWords || new Set(texts).size === 1) yield { path: of, text: isWords ? texts.join(' ') : texts[0]! };
  }
}

/** Whether something is a part of a recording: it says when it begins. */
export function isPart(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => /start|begin|offset|onset|^from$|timestamp/i.test(name) || (name === 'value' && isPart(member)),
  );
}

/**
 * The rows that a whole JSON file holds: a list of objects, or of texts; objects by the names of their utterances; columns as pandas writes them (lists, or
 * members by row; `columns` and `data`); or one of these somewhere in an object (`results`). Null where it is none of them, or several.
 */
export function rowsOfJson(value: unknown, depth = 0): readonly JsonObject[] | null {
  if (Array.isArray(value)) return rowsOfList(value);
  if (!isJsonObject(value) || depth > maxDepth) return null;
  const { columns, data } = value;
  if (Array.isArray(columns) && Array.isArray(data) && data.every(Array.isArray))
    return data.map((row) => Object.fromEntries(columns.map((name, at) => [String(name), row[at]])));
  return (
    rowsOfColumns(value) ??
    rowsByName(value) ??
    only(Object.values(value).map((member) => rowsOfJson(member, depth + 1)))
  );
}

function rowsOfList(list: readonly unknown[]): readonly JsonObject[] | null {
  if (list.length === 0) return null;
  if (list.every(isJsonObject)) return list;
  return list.every((one) => typeof one === 'string') ? list.map((text) => ({ text })) : null;
}

/** Members that are lists of as many texts each; what is no list (a rate, a name) is about all of them. */
function rowsOfColumns(value: JsonObject): readonly JsonObject[] | null {
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const scalar = lists.filter(
    ([, list]) => list.length > 0 && list.every((one) => !isJsonObject(one) && !Array.isArray(one)),
  );
  const [first] = scalar;
  if (first === undefined || scalar.length < 2 || !scalar.some(([name]) => markOf(name) !== 'unknown')) return null;
  if (scalar.some(([, list]) => list.length !== first[1].length)) return null;
  return first[1].map((_, row) => Object.fromEntries(scalar.map(([name, list]) => [name, list[row]])));
}

/** Objects by name, whose members are alike: of utterances, or of columns. */
function rowsByName(value: JsonObject): readonly JsonObject[] | null {
  const entries = Object.entries(value).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  const [first] = entries;
  if (first === undefined || entries.length < 2) return null;
  const keys = Object.keys(first[1]);
  const isText = (name: string) => markOf(name) !== 'unknown' || usualNames.reference.includes(name);
  const areColumns = entries.length === Object.keys(value).length && entries.some(([name]) => isText(name));
  if (areColumns && entries.every(([, cells]) => Object.keys(cells).join() === keys.join()))
    return keys.map((key) => Object.fromEntries(entries.map(([name, cells]) => [name, cells[key]])));
  const named = entries.map(([name, cells]) => {
    const { names } = jsonRow(cells, { number: 1, text: '' }, '');
    return {
      row: usualNames.id.some((id) => names.includes(id)) ? cells : { id: name, ...cells },
      isRow: names.some(isText),
    };
  });
  return named.every(({ isRow }) => isRow) ? named.map(({ row }) => row) : null;
}

function only<T>(found: readonly (T | null)[]): T | null {
  const there = found.filter((one) => one !== null);
  return there.length === 1 ? there[0]! : null;
}

/** Whether an object says itself what was said, so that lists in it are parts of that. */
export function isOneRow(value: object): boolean {
  return Object.entries(value).some(
    ([name, member]) =>
      typeof member === 'string' && !['unknown', 'vague'].includes(markOf(name)) && usualRole(name) !== 'system',
  );
}
