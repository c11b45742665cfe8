import type { Json } from '../../base/json.ts';

/** Something wrong at a place of a config. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  /** Which side of `key: value` is meant. */
  readonly at: 'key' | 'value';
  readonly text: string;
}

/**
 * A copy of what a config module exports, as plain JSON data: it must reach other processes and be hashed. Members that
 * are `undefined` are left out. Everything that is not data is reported with its place and left out.
 */
export function plainData(value: unknown): { readonly data: Json; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const above = new Set<object>();

  const copy = (value: unknown, path: readonly PropertyKey[]): Json | undefined => {
    const refuse = (came: string): undefined => {
      problems.push({
        path,
        at: 'value',
        text: `expected plain data (text, numbers, lists, objects), but got ${came}`,
      });
      return undefined;
    };
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : refuse(`the number ${value}`);
    if (typeof value !== 'object') return value === undefined ? undefined : refuse(`a ${typeof value}`);
    if (above.has(value)) return refuse('an object that contains itself');
    above.add(value);
    try {
      if (Array.isArray(value)) return value.map((item, index) => copy(item, [...path, index]) ?? null);
      const prototype = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null) {
        return refuse(`an instance of ${prototype.constructor?.name || 'a class'}`);
      }
      const object: Record<string, Json> = {};
      for (const [key, member] of Object.entries(value)) {
        if (key === '__proto__') {
          // Assigned, it would vanish without a word.
          problems.push({ path: [...path, key], at: 'key', text: 'expected another name than "__proto__"; rename it' });
          continue;
        }
        const copied = copy(member, [...path, key]);
        if (copied !== undefined) object[key] = copied;
      }
      return object;
    } finally {
      above.delete(value);
    }
  };

  return { data: copy(value, []) ?? null, problems };
}
