import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { messageOf } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { type Problem, plainData } from '../members/explain-issue.ts';

/**
 * Reads a config from JSON, or from YAML 1.2, of which that is a part, with YAML 1.1's merge keys (`<<: *anchor`). `${NAME:-default}` is filled in
 * where a value is a text; a value without quotes that is nothing but one reference is then read again as YAML, so that it may
 * become a number.
 */
export function yamlSource(
  text: string,
  form: 'YAML' | 'JSON',
  environment: (name: string) => string | undefined,
  refuse: Refuse,
): ConfigSource {
  const lines = new LineCounter();
  // What it would warn of on its own, such as a mapping as a key, is refused as what it becomes.
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false, merge: true, logLevel: 'error' },
    // It would compare each key with all before it.
    uniqueKeys: false,
  });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const fault = form === 'JSON' ? jsonFault(text) : null;
  if (fault !== null) refuse(`this is not JSON: ${fault.problem}`, positionAt(fault.at));
  const [broken] = document.errors;
  if (broken) {
    const problem = /call stack/.test(broken.message)
      ? 'it is nested deeper than can be read; take out levels'
      : `this is not ${form}: ${firstLine(broken.message)}`;
    refuse(problem, positionAt(broken.pos[0]), broken);
  }
  const twice = repeatedKey(document);
  if (twice !== null) {
    const { line, column } = positionAt(twice.first);
    refuse(
      `expected each key once, but ${JSON.stringify(printable(twice.key, 80))} stands at ${line}:${column} already; take one of the two out`,
      positionAt(twice.again),
    );
  }

  const merge = wrongMerge(document);
  if (merge !== null) {
    const offset = (merge.key as Node).range?.[0];
    refuse(
      'expected << to take over an anchored mapping or a list of such, as in <<: *anchor, but it names none; anchor one with &anchor',
      offset === undefined ? null : positionAt(offset),
    );
  }

  const found: { node: Node; text: string }[] = [];
  fillIn(document, environment, (node, problem) => found.push({ node, text: problem }));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    refuse(`this is not ${form}: ${firstLine(String(error))}`, null, error);
  }
  const { data, problems } = plainData(value);
  const pathsOf = pathsOfNodes(document);
  const pairIn = pairFinder(document);
  const interpolation = found.map(({ node, text }): Problem => ({ path: pathsOf.get(node) ?? [], at: 'value', text }));
  return {
    data: data as Json,
    problems: [...interpolation, ...problems],
    position(path, at) {
      const offset = offsetOf(document, pairIn, path, at);
      return offset === null ? null : positionAt(offset);
    },
  };
}

/**
 * What JavaScript's own reader says of a text that is no JSON, and where, in UTF-16 units; null where it is JSON. Of a word that is none of
 * JSON's it says no place: there a reader of YAML that knows those of JSON alone stops too.
 */
function jsonFault(text: string): { readonly problem: string; readonly at: number } | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const [, problem, at] =
      /^(.*?)(?: in JSON at position (\d+).*|, (?:\.{3})?".*"(?:\.{3})? is not valid JSON)?$/s.exec(messageOf(error))!;
    const [stop] = at === undefined ? parseDocument(text, { schema: 'json', prettyErrors: false }).errors : [];
    return { problem: printable(problem!, 200), at: Number(at ?? stop?.pos[0] ?? text.length) };
  }
}

function firstLine(message: string): string {
  return message.split('\n')[0]!.replace(/:$/, '');
}

function fillIn(
  document: Document,
  environment: (name: string) => string | undefined,
  report: (node: Node, problem: string) => void,
): void {
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return;
      const filled = interpolate(node.value, environment);
      if (filled.problem !== undefined) {
        report(node, filled.problem);
      } else {
        const whole = node.type === 'PLAIN' && /^\$\{[^}]*\}$/.test(node.value);
        const read = whole ? parseDocument(filled.text).contents : null;
        node.value = isScalar(read) ? read.value : filled.text;
      }
    },
  });
}

function pathsOfNodes(document: Document): Map<Node, PropertyKey[]> {
  const paths = new Map<Node, PropertyKey[]>();
  const walk = (node: unknown, path: PropertyKey[]) => {
    if (!isNode(node)) return;
    paths.set(node, path);
    if (isMap(node)) {
      for (const { key, value } of node.items) walk(value, [...path, String(isScalar(key) ? key.value : key)]);
    } else if ('items' in node) {
      for (const [index, item] of (node.items as unknown[]).entries()) walk(item, [...path, index]);
    }
  };
  walk(document.contents, []);
  return paths;
}

/** Where the part at a path begins, or the deepest part above it that exists. */
function offsetOf(
  document: Document,
  pairIn: (map: YAMLMap, key: string) => Pair | null,
  path: readonly PropertyKey[],
  at: Problem['at'],
): number | null {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? null) : null;
  for (const [depth, part] of path.entries()) {
    if (isMap(node)) {
      const pair = pairIn(node, String(part));
      if (pair === null) return offset;
      const side = at === 'key' && depth === path.length - 1 ? pair.key : (pair.value ?? pair.key);
      node = pair.value;
      offset = (isNode(side) ? side.range?.[0] : null) ?? offset;
    } else if (isNode(node) && 'items' in node) {
      node = (node.items as unknown[])[Number(part)];
      if (!isNode(node)) return offset;
      offset = node.range?.[0] ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

const reference = /\$(\$\{|\{([^}]*)\})/g;
const form = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** Names that sound like keys: their values must not be written into a config, which is stored with every run. */
const secretName = /(^|_)(KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i;

/** A text with its references filled in, or why it cannot be. */
type Interpolated = { readonly text: string; readonly problem?: undefined } | { readonly problem: string };

/**
 * Fills in `${NAME}` and `${NAME:-default}` from the environment; `$${` stands for a plain `${`. The default is taken
 * where the variable is unset or empty, as in a shell.
 *
 * @example interpolate('${HOME}/clips', (name) => process.env[name])
 */
function interpolate(text: string, environment: (name: string) => string | undefined): Interpolated {
  let problem: string | undefined;
  const filled = text.replace(reference, (whole, inner: string, body?: string) => {
    if (inner === '${') return '${';
    const [, name, fallback] = form.exec(body ?? '') ?? [];
    if (name === undefined) {
      problem ??= `expected \${NAME} or \${NAME:-default}, but got ${whole.slice(0, 60)}; write $\${ for a plain \${`;
      return '';
    }
    if (secretName.test(name)) {
      problem ??= `${name} looks like a secret, and a config is stored with every run; recognizers read keys from the environment themselves, by the variable's name`;
      return '';
    }
    const value = environment(name);
    if (value === undefined || (value === '' && fallback !== undefined)) {
      if (fallback === undefined)
        problem ??= `the environment variable ${name} is not set; set it or write \${${name}:-default}`;
      return fallback ?? '';
    }
    return value;
  });
  return problem === undefined ? { text: filled } : { problem };
}

/**
 * The value of the first merge key (`<<`) that names no mapping, nor a list of mappings; null where all do.
 *
 * @param document read with `merge: true`
 */
function wrongMerge(document: Document): Pair | null {
  let wrong: Pair | null = null;
  visit(document, {
    Pair(_, pair) {
      if (!isMerge(pair) || sourcesOf(document, pair).every(isMap)) return undefined;
      wrong = pair;
      return visit.BREAK;
    },
  });
  return wrong;
}

/** The first key that stands in one mapping twice, and where; null where there is none. */
function repeatedKey(document: Document): { key: string; first: number; again: number } | null {
  let found: { key: string; first: number; again: number } | null = null;
  visit(document, {
    Map(_, map) {
      const before = new Map<unknown, number>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const offset = key.range?.[0] ?? 0;
        const first = before.get(key.value);
        if (first !== undefined) {
          found = { key: typeof key.value === 'symbol' ? '<<' : String(key.value), first, again: offset };
          return visit.BREAK;
        }
        before.set(key.value, offset);
      }
      return undefined;
    },
  });
  return found;
}

/**
 * Finds the pair of a key in a mapping, or in what is merged into it: its own keys go first, then earlier sources (YAML's merge key,
 * https://yaml.org/type/merge.html). Remembers where the keys of a mapping stand: there may be as many mistakes as keys.
 */
function pairFinder(document: Document): (map: YAMLMap, key: string) => Pair | null {
  const known = new Map<YAMLMap, { readonly own: ReadonlyMap<string, Pair>; readonly merged: readonly YAMLMap[] }>();
  const partsOf = (map: YAMLMap) => {
    const own = new Map<string, Pair>();
    for (const pair of map.items) if (isScalar(pair.key)) own.set(String(pair.key.value), pair);
    const parts = {
      own,
      merged: map.items
        .filter(isMerge)
        .flatMap((pair) => sourcesOf(document, pair))
        .filter(isMap),
    };
    known.set(map, parts);
    return parts;
  };
  const pairIn = (map: YAMLMap, key: string): Pair | null => {
    const { own, merged } = known.get(map) ?? partsOf(map);
    const found = own.get(key);
    if (found !== undefined) return found;
    for (const source of merged) {
      const pair = pairIn(source, key);
      if (pair !== null) return pair;
    }
    return null;
  };
  return pairIn;
}

/** The library gives a merge key a symbol for its value. */
function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

function sourcesOf(document: Document, { value }: Pair): readonly unknown[] {
  const meant = (node: unknown) => (isAlias(node) ? node.resolve(document) : node);
  const source = meant(value);
  return isSeq(source) ? source.items.map(meant) : [source];
}

/** A place in a text, counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A config as it was found: data, what is wrong with it so far, and where its parts stand. */
export interface ConfigSource {
  readonly data: Json;
  readonly problems: readonly Problem[];
  /** Where a part stands in the file; null in a module, whose parts are named by their property path. */
  position(path: readonly PropertyKey[], at: Problem['at']): Position | null;
}

/** Refuses a file that cannot be read as a config at all. */
export type Refuse = (problem: string, position?: Position | null, cause?: unknown) => never;
