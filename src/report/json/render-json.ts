import type { RunReport } from '../../model/run.ts';
import { withoutTranscripts } from '../prepare/without-transcripts.ts';
import { eachNumberOnce } from './each-number-once.ts';
import { reportFormat } from './report-schema.ts';

export interface JsonOptions {
  /** Whether words that were said may be in it; true if absent. */
  readonly transcripts?: boolean;
}

/** What is no longer than this stands on one line: an estimate, mostly. */
const longestLine = 300;

/** Of longer lists each item stands on one line: with a line for each number, large reports would be twice as long. */
const shortList = 100;

/**
 * The report for programs: keys in the order of their code units, `timing` last, two blanks of indent, what is
 * short and items of long lists on one line, a line feed at the end. Leave out every member named `timing` and two runs over the same answers give the same bytes. Its members are those of
 * `reportSchema`; `format` is its number. Each number stands once, in its table.
 *
 * @throws TypeError on what JSON has no text for (NaN, infinities, functions, …), with the way to it
 * @example JSON.parse(renderJson(report)).findings[0].answer
 */
export function renderJson(report: RunReport, { transcripts = true }: JsonOptions = {}): string {
  const shown = transcripts ? report : withoutTranscripts(report);
  const findings = shown.findings.map(eachNumberOnce);
  return `${textOf({ format: reportFormat, ...shown, findings }, '', [])}\n`;
}

/**
 * @param indent of the line on which it begins; null: all of it stands on one line
 * @param way keys and places that lead to it
 */
function textOf(value: unknown, indent: string | null, way: (string | number)[]): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new TypeError(`${pathOf(way)}: expected a number that JSON can carry, got ${value}`);
    return JSON.stringify(value);
  }
  const inner = indent === null ? null : `${indent}  `;
  const step = (key: string | number, member: unknown, inner: string | null): string => {
    way.push(key);
    const text = textOf(member, inner, way);
    way.pop();
    return text;
  };
  if (Array.isArray(value)) {
    const own = value.length > shortList ? null : inner;
    return together(
      '[',
      value.map((item, index) => step(index, item, own)),
      ']',
      indent,
    );
  }
  if (typeof value !== 'object' || !isPlain(value)) {
    throw new TypeError(
      `${pathOf(way)}: expected plain data, got ${Object.prototype.toString.call(value).slice(8, -1)}`,
    );
  }
  const members = value as Readonly<Record<string, unknown>>;
  const items = Object.keys(members)
    .sort(timingLast)
    .filter((key) => members[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}: ${step(key, members[key], inner)}`);
  return together('{', items, '}', indent);
}

function together(open: string, items: readonly string[], close: string, indent: string | null): string {
  const isShort = () =>
    items.reduce((sum, item) => sum + item.length + 2, 0) <= longestLine && !items.some((item) => item.includes('\n'));
  if (indent === null || isShort()) return `${open}${items.join(', ')}${close}`;
  return `${open}\n${indent}  ${items.join(`,\n${indent}  `)}\n${indent}${close}`;
}

function pathOf(way: readonly (string | number)[]): string {
  return `$${way.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;
}

function timingLast(a: string, b: string): number {
  if (a === 'timing' || b === 'timing') return Number(a === 'timing') - Number(b === 'timing');
  return a < b ? -1 : 1;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
