import type { Json } from '../../base/json.ts';
import { keyInWords } from '../../base/number-format.ts';

/** A value somewhere in a JSON tree, with the way to it: `decoder.beams[0]`. */
export interface JsonLine {
  readonly path: string;
  readonly value: string;
}

const maxLines = 200;

/** A JSON value as lines of path and value, keys in order, for people. Short arrays of plain values stay on one line. */
export function jsonLines(value: Json): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  walk(value, '', lines);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), { path: '…', value: `${lines.length - maxLines} more in the JSON` }];
}

function walk(value: Json, path: string, lines: JsonLine[]): void {
  if (value === null || typeof value !== 'object') {
    lines.push({ path, value: plainValue(value) });
    return;
  }
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (items.every((item) => item === null || typeof item !== 'object')) {
      lines.push({ path, value: items.length === 0 ? 'none' : items.map(plainValue).join(', ') });
      return;
    }
    for (const [index, item] of items.entries()) walk(item, `${path}[${index}]`, lines);
    return;
  }
  const object = value as { readonly [key: string]: Json };
  const keys = Object.keys(object).sort();
  if (keys.length === 0 && path !== '') lines.push({ path, value: 'none' });
  for (const key of keys) {
    const member = object[key];
    if (member !== undefined) walk(member, path === '' ? key : `${path}.${key}`, lines);
  }
}

function plainValue(value: Json): string {
  if (value === null) return 'none';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return typeof value === 'number' ? String(Object.is(value, -0) ? 0 : value) : String(value);
}

/**
 * Where a value stands, for people: keys as words, units behind them.
 *
 * @example pathInWords('parameters.snrDb') // 'SNR, dB'
 * @example pathInWords('steps[0].cutoffHz') // 'steps 1, cutoff, Hz'
 */
export function pathInWords(path: string): string {
  const parts = path.split('.').filter((part) => part !== 'parameters');
  return parts.map(keyInWords).join(', ');
}
