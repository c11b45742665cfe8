import { visibleText } from '../../base/printable.ts';
import type { ColumnKind, Statement, Verdict } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import { formatComparison, formatEstimate, type ShownCell } from '../format/cell.ts';
import { verdictOf } from '../format/wording.ts';
import { displayWidth, type Ink, type Paint, wrapToWidth } from './display-width.ts';
import { cellText } from './text-table.ts';

/** How verdicts are set off. */
export const verdictInks: Readonly<Record<Verdict, Ink>> = { better: 'good', worse: 'bad', 'cannot tell': 'caution' };
const markWidth = 20;

/** A statement of the answer: its verdict in the margin, its sentence, and the numbers that the sentence lacks with what they rest on. */
export function textStatement(
  statement: Statement,
  usual: ColumnKind,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const { kind = usual } = statement;
  const sentence = visibleText(statement.text);
  const numbers = [
    statement.estimate && formatEstimate(statement.estimate, kind),
    statement.comparison && formatComparison(statement.comparison, kind === 'rate' ? 'difference' : kind),
  ].filter((number) => number !== undefined);
  const { open } = statement.comparison ?? {};
  const saysWhy = open !== undefined && sentence.includes(visibleText(reasonText(open.reason)));
  const notes = new Set(
    numbers.flatMap((number) => numberNotes(saysWhy ? { ...number, reason: null } : number, sentence)),
  );
  for (const size of sizeNotes(numbers)) notes.add(size);
  const text = notes.size > 0 ? `${sentence.replace(/\.$/, '')} (${[...notes].join('; ')}).` : sentence;
  const wording = verdictOf(statement);
  const mark = wording ? `${wording.mark} ${wording.word}` : '•';
  const blanks = ' '.repeat(Math.max(1, markWidth - displayWidth(mark)));
  const margin = wording ? paint(verdictInks[wording.verdict], mark) : mark;
  return wrapToWidth(text, Math.max(10, width - markWidth - 2)).map((line, index) =>
    index === 0 ? `  ${margin}${blanks}${line}` : `  ${' '.repeat(markWidth)}${line}`,
  );
}

/** What the numbers rest on: once where they rest on the same speakers and utterances. */
function sizeNotes(numbers: readonly ShownCell[]): readonly string[] {
  const sizes = [...new Set(numbers.flatMap(({ n }) => n ?? []))].map((size) => size.split(', '));
  const alike = sizes.every(([utterances, speakers]) => utterances === sizes[0]![0] && speakers === sizes[0]![1]);
  return alike && sizes.length > 0 ? [[...new Set(sizes.flat())].join(', ')] : sizes.map((size) => size.join(', '));
}

function numberNotes(number: ShownCell, sentence: string): readonly string[] {
  const notes: string[] = [];
  if (!says(sentence, number)) notes.push(cellText({ ...number, verdict: null }));
  if (number.pValue && !sentence.includes(number.pValue)) notes.push(number.pValue);
  if (number.reason && !sentence.includes(number.reason)) notes.push(visibleText(number.reason));
  return notes;
}

/** Whether a sentence has a number with its interval, in whichever form: `[11.8, 12.9]`, `11.8-12.9`, `12.9 less to 0.1 more`. */
function says(sentence: string, { main, interval }: ShownCell): boolean {
  const digits = (text: string) => text.match(/[\d.,]*\d/g) ?? [];
  const said = new Set(digits(sentence));
  return [main, interval ?? '']
    .flatMap((text) => digits(text.replaceAll(', ', ' ')))
    .every((number) => said.has(number));
}
