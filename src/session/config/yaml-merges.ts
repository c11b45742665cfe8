import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, visit, type YAMLMap } from 'yaml';

/**
 * The value of the first merge key (`<<`) that names no mapping, nor a list of mappings; null where all do.
 *
 * @param document read with `merge: true`
 */
export function wrongMerge(document: Document): Pair | null {
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

/**
 * The pair of a key in a mapping, or in what is merged into it: its own keys go first, then earlier sources (YAML's merge key,
 * https://yaml.org/type/merge.html).
 */
export function pairIn(document: Document, map: YAMLMap, key: string): Pair | null {
  const own = map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
  if (own) return own;
  for (const source of map.items.filter(isMerge).flatMap((pair) => sourcesOf(document, pair))) {
    const merged = isMap(source) ? pairIn(document, source, key) : null;
    if (merged !== null) return merged;
  }
  return null;
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
