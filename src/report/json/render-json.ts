import type { RunReport } from '../../model/run.ts';
import { withoutTranscripts } from '../prepare/without-transcripts.ts';
import { reportFormat } from './report-schema.ts';

export interface JsonOptions {
  /** Whether words that were said may be in it; true if absent. Without them `data` of every finding is null. */
  readonly transcripts?: boolean;
}

/**
 * The report for programs: keys in the order of their code units, `timing` last, two blanks of indent, a line feed at
 * the end. Leave out every member named `timing` and two runs over the same answers give the same bytes. Its members are those of
 * `reportSchema`; `format` is its number.
 *
 * @throws TypeError on what JSON has no text for (NaN, infinities, functions, …), with the way to it
 * @example JSON.parse(renderJson(report)).findings[0].answer
 */
export function renderJson(report: RunReport, { transcripts = true }: JsonOptions = {}): string {
  const shown = transcripts ? report : withoutTranscripts(report);
  return `${JSON.stringify(ordered({ format: reportFormat, ...shown }, '$'), null, 2)}\n`;
}

function ordered(value: unknown, path: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${path}: expected a number that JSON can carry, got ${value}`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item, index) => ordered(item, `${path}[${index}]`));
  if (typeof value !== 'object' || !isPlain(value)) {
    throw new TypeError(`${path}: expected plain data, got ${Object.prototype.toString.call(value).slice(8, -1)}`);
  }
  const members = value as Readonly<Record<string, unknown>>;
  // Keys that look like whole numbers come first in every JavaScript object; a null prototype keeps `__proto__` a key.
  const result: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(members).sort(timingLast)) {
    if (members[key] !== undefined) result[key] = ordered(members[key], `${path}.${key}`);
  }
  return result;
}

function timingLast(a: string, b: string): number {
  if (a === 'timing' || b === 'timing') return Number(a === 'timing') - Number(b === 'timing');
  return a < b ? -1 : 1;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
