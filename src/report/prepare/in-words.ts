import type { Example, ExampleRow, Finding, Table } from '../../model/finding.ts';
import { failuresInWords, isFailureKind } from '../../model/observation.ts';
import type { RunReport } from '../../model/run.ts';

/** Names of conditions and of their families, with what people call them. */
export type Called = Readonly<Record<string, string>>;

/**
 * A report whose tables, charts, sentences and warnings call conditions what people call them (`Finding.conditionNames`), and failures too. Trials are found by names:
 * `about` and examples keep them. Words that were said stay as they are, and so do files that programs read.
 *
 * @example reportInWords(report).findings[0]?.warnings[0] // 'In noise 10 dB 3 trials failed.'
 */
export function reportInWords(report: RunReport): RunReport {
  const called: Called = Object.assign({}, ...report.findings.map(({ conditionNames }) => conditionNames));
  const write = sentencesInWords(called);
  return { ...report, findings: report.findings.map(findingInWords), warnings: report.warnings.map(write) };
}

/** What the condition of an example is called. */
export function conditionOf({
  conditionCalled,
  conditionName,
}: Pick<Example, 'conditionCalled' | 'conditionName'>): string {
  return conditionCalled ?? conditionName;
}

/** The same of one finding. */
export function findingInWords(finding: Finding): Finding {
  const called = finding.conditionNames ?? {};
  return inWords(finding, { called, write: sentencesInWords(called) }) as Finding;
}

/** Puts what conditions are called into a sentence. */
export function sentencesInWords(called: Called): (sentence: string) => string {
  // A name without a ladder before it may be any word.
  const names = Object.keys(called).filter((name) => name.includes('/') && called[name] !== name);
  if (names.length === 0) return (sentence) => sentence;
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map((one) => one.replace(/[^\w\s]/g, '\\$&'));
  const name = new RegExp(`(?<![\\w/.-])(?:${longestFirst.join('|')})(?![\\w/-]|:\\d)`, 'g');
  return (sentence) => (sentence.includes('/') ? sentence.replace(name, (found) => called[found]!) : sentence);
}

interface Writing {
  readonly called: Called;
  write(sentence: string): string;
}

/** Members that are no text to read. */
const unread = new Set(
  'id key table column settings about aligned utteranceId conditionName conditionNames'.split(' '),
);

function inWords(value: unknown, writing: Writing, left: ReadonlySet<string> = unread): unknown {
  if (typeof value === 'string') return writing.write(value);
  if (Array.isArray(value)) return value.map((member) => inWords(member, writing, left));
  if (typeof value !== 'object' || value === null) return value;
  const { columns = [], id = '' } = value as Partial<Table>;
  const isOfFailures = id.endsWith('-failures') && columns.some(({ key }) => key === 'kind');
  const said = columns.flatMap(({ key, transcript }) => (transcript ? [key] : []));
  const leftInside = said.length === 0 ? left : new Set([...left, ...said]);
  const members = Object.entries(value).map(([key, member]) => [
    key,
    left.has(key)
      ? member
      : inWords(isOfFailures && key === 'rows' ? member.map(failureRow) : member, writing, leftInside),
  ]);
  const { conditionName } = value as Partial<Example>;
  const called = conditionName === undefined ? undefined : writing.called[conditionName];
  return Object.fromEntries(called === undefined ? members : [...members, ['conditionCalled', called]]);
}

/** A row of a table of failures: the code of each is for programs. */
function failureRow(row: Table['rows'][number]): Table['rows'][number] {
  const { kind } = row;
  return typeof kind === 'string' && isFailureKind(kind) ? { ...row, kind: failuresInWords[kind] } : row;
}

/** What stands beside a row of an example, or in its place: `failed (timed out): no answer within 5 s`. */
export function noteOf({ aligned, failure, note }: ExampleRow): string | undefined {
  if (failure === undefined) return note ?? (aligned === null ? 'failed' : undefined);
  const { kind, message } = failure;
  return `failed (${failuresInWords[kind]})${message === undefined ? '' : `: ${message}`}`;
}
