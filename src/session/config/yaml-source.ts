import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { Json } from '../../base/json.ts';
import type { ConfigSource, Position, Refuse } from './config-source.ts';
import { interpolate } from './interpolate.ts';
import { type Problem, plainData } from './plain-data.ts';
import { pairIn, wrongMerge } from './yaml-merges.ts';

/**
 * Reads a config from YAML 1.2, of which JSON is a part, with YAML 1.1's merge keys (`<<: *anchor`). `${NAME:-default}` is filled in
 * where a value is a text; a value without quotes that is nothing but one reference is then read again as YAML, so that it may
 * become a number.
 */
export function yamlSource(
  text: string,
  environment: (name: string) => string | undefined,
  refuse: Refuse,
): ConfigSource {
  const lines = new LineCounter();
  // What it would warn of on its own, such as a mapping as a key, is refused as what it becomes.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: 'error' });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const [broken] = document.errors;
  if (broken) refuse(`this is not YAML: ${firstLine(broken.message)}`, positionAt(broken.pos[0]), broken);

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
    refuse(`this is not YAML: ${firstLine(String(error))}`, null, error);
  }
  const { data, problems } = plainData(value);
  const pathsOf = pathsOfNodes(document);
  const interpolation = found.map(({ node, text }): Problem => ({ path: pathsOf.get(node) ?? [], at: 'value', text }));
  return {
    data: data as Json,
    problems: [...interpolation, ...problems],
    position(path, at) {
      const offset = offsetOf(document, path, at);
      return offset === null ? null : positionAt(offset);
    },
  };
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
function offsetOf(document: Document, path: readonly PropertyKey[], at: Problem['at']): number | null {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? null) : null;
  for (const [depth, part] of path.entries()) {
    if (isMap(node)) {
      const pair = pairIn(document, node, String(part));
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
