import { visibleText } from '../../base/visible-text.ts';
import type { ColumnKind, Statement } from '../../model/finding.ts';
import { formatComparison, formatEstimate, type ShownCell } from '../format/cell.ts';
import { verdictWording } from '../format/verdict.ts';
import { displayWidth, wrapToWidth } from './display-width.ts';
import type { Ink, Paint } from './paint.ts';
import { cellText } from './text-table.ts';

const inks: Readonly<Record<string, Ink>> = { better: 'good', worse: 'bad', 'cannot tell': 'caution' };
const markWidth = 15;

/** A statement of the answer: its verdict in the margin, its sentence, and the number where the sentence lacks it. */
export function textStatement(
  statement: Statement,
  usual: ColumnKind,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const { kind = usual, verdict = statement.comparison?.verdict } = statement;
  const sentence = visibleText(statement.text);
  const numbers = [
    statement.estimate && formatEstimate(statement.estimate, kind),
    statement.comparison && formatComparison(statement.comparison, kind === 'rate' ? 'difference' : kind),
  ].filter((number) => number !== undefined);
  const notes = numbers.flatMap((number) => numberNotes(number, sentence));
  const text = notes.length > 0 ? `${sentence.replace(/\.$/, '')} (${notes.join('; ')}).` : sentence;
  const wording = verdict && verdictWording[verdict];
  const mark = wording ? `${wording.mark} ${wording.word}` : '•';
  const blanks = ' '.repeat(Math.max(1, markWidth - displayWidth(mark)));
  const margin = wording ? paint(inks[wording.word] ?? 'strong', mark) : mark;
  return wrapToWidth(text, Math.max(10, width - markWidth - 2)).map((line, index) =>
    index === 0 ? `  ${margin}${blanks}${line}` : `  ${' '.repeat(markWidth)}${line}`,
  );
}

function numberNotes(number: ShownCell, sentence: string): readonly string[] {
  const notes: string[] = [];
  if (!sentence.includes(number.main) || (number.interval && !sentence.includes(number.interval))) {
    notes.push(cellText({ ...number, verdict: null }));
  }
  if (number.pValue && !sentence.includes(number.pValue)) notes.push(number.pValue);
  if (number.reason && !sentence.includes(number.reason)) notes.push(visibleText(number.reason));
  return notes;
}
