import { visibleText } from '../../base/printable.ts';
import type { GateCheck, GateResult, GateVerdict } from '../../model/gate.ts';
import { columnGap, drawnColumn, linesOfRows, notedCells, widthOf } from '../text/columns.ts';
import { createPaint, cutMiddle, displayWidth, type Ink, type Paint, wrapToWidth } from '../text/display-width.ts';
import { cellsOfLine, foldChecks, nameOfLine } from './folded-checks.ts';
import {
  beside,
  confidence,
  countedInWords,
  gateInWords,
  groupsInWords,
  isSame,
  judgedInWords,
  openInWords,
  outcomeInWords,
  placeAt,
  verdictAt,
  worseAt,
} from './render-gate.ts';

const inks: Readonly<Record<GateVerdict, Ink>> = { pass: 'good', fail: 'bad', inconclusive: 'caution' };

const [narrowestName, widestName] = [16, 40];
const maxWorse = 5;

/** For the terminal: the answer first, then a line for each check, the worst first, then what must be known besides. */
export function renderGateText(
  result: GateResult,
  {
    width,
    color,
    next,
    full,
  }: {
    readonly width: number;
    readonly color: boolean;
    readonly next: string | null;
    /** The command that lists every check; null where this does. */
    readonly full: string | null;
  },
): string {
  const paint = createPaint(color);
  const lines = (text: string) => wrapToWidth(visibleText(text), width - 1);
  const quiet = (text: string) => lines(text).map((line) => paint('quiet', line));
  return [
    ...[gateInWords(result), openInWords(result)]
      .filter((text) => text !== null)
      .flatMap((text, at) => lines(text).map((line) => (at === 0 ? paint(inks[result.verdict], line) : line))),
    ...outcomeLines(outcomeInWords(result), next, width - 1),
    '',
    ...checkLines(result, width - 1, paint, full),
    ...[groupsInWords(result)].flatMap((text) => (text === null ? [] : quiet(text))),
    '',
    ...result.notes.flatMap((note) => lines(`! ${note}`)),
    ...[judgedInWords(result), beside(result), countedInWords(result), result.asking].flatMap((text) =>
      text == null ? [] : quiet(text),
    ),
    ...worseLines(result, width - 1, paint),
    '',
  ].join('\n');
}

/** In one line where there is room; a command that is to be typed is never broken. */
function outcomeLines(outcome: string | null, next: string | null, width: number): readonly string[] {
  const parts = [outcome, next && `Next: ${next}`].filter((text) => text !== null);
  const line = visibleText(parts.join(' '));
  return parts.length === 0 || displayWidth(line) <= width
    ? [line].filter(Boolean)
    : parts.map((part) => visibleText(part));
}

/** Which of the two a real-time factor is of: a limit on elapsed time is one on the machine too. */
const timeOf = ({ measure, value }: GateCheck) => (measure === 'realTimeFactor' ? `, ${value.method}` : '');

function checkLines(
  { checks, level, conditionNames }: GateResult,
  width: number,
  paint: Paint,
  full: string | null,
): string[] {
  const { lines, folded } = foldChecks(checks, full === null);
  const cells = lines.map((line) => cellsOfLine(line, conditionNames));
  const { marks, notes } = notedCells(cells.map(({ note }) => note));
  const recognizers = [...new Set(checks.map(({ recognizer }) => recognizer))];
  const column = (head: string, of: readonly string[], right = true) => ({ heads: [head], cells: of, right });
  const numbers = (['before', 'now', 'change', 'interval', 'limit'] as const)
    .map((key) =>
      column(
        key === 'interval' ? `${confidence(level)} interval` : key,
        cells.map((one) => one[key]),
      ),
    )
    .filter(({ cells: of }) => of.some((cell) => cell !== ''));
  const verdict = column(
    '',
    lines.map(([check], at) => `${verdictAt(check!)}${marks[at]}`),
    false,
  );
  const behind = [...numbers, verdict];
  const room = Math.max(narrowestName, Math.min(widestName, width - columnGap - widthOf(behind)));
  // What is everywhere the same condition says nothing of a group.
  const conditions = new Set(checks.flatMap(({ group, condition }) => (group === null ? [] : [condition])));
  const placed = (check: GateCheck) =>
    conditions.size === 1 && check.group ? { ...check, condition: undefined } : check;
  const nameOf = (check: GateCheck) =>
    `${recognizers.length > 1 ? `${check.recognizer}, ` : ''}${placeAt(placed(check), conditionNames)}${timeOf(check)}`;
  const names = lines.map((line) => wrapped(nameOf(nameOfLine(line)), room));
  const corner = recognizers.length === 1 ? cutMiddle(`checks of ${visibleText(recognizers[0]!)}`, room) : '';
  const drawn = drawnColumn(
    lines.map(([check, other]) =>
      other === undefined && check!.measure === 'worseBy' && !isSame(check!) ? check!.value : null,
    ),
    width - widthOf([column(corner, names.flat(), false), ...behind]) - columnGap,
  );
  const strip = drawn === null ? [] : [{ ...drawn, heads: [drawn.heads[1]!] }];
  const { heads, rows } = linesOfRows(
    corner,
    names,
    [...numbers, ...strip, { ...verdict, inks: lines.map(([check]) => inks[check!.verdict]) }],
    paint,
  );
  return [
    ...heads.map((line) => paint('quiet', line)),
    ...rows.flat(),
    ...notes.flatMap((note) => wrapToWidth(visibleText(note), width)).map((line) => paint('quiet', line)),
    ...(folded === 0 ? [] : [paint('quiet', `Each of the ${folded} checks that share a line:`), `  ${full}`]),
  ];
}

/** What is too long for a line goes on in the next, a little further in: a rule behind its place. */
export function wrapped(name: string, room: number): readonly string[] {
  const shown = visibleText(name);
  if (displayWidth(shown) <= room) return [shown];
  const place = shown.lastIndexOf(': ') + 1;
  return [shown.slice(0, place), shown.slice(place).trimStart()]
    .filter((part) => part !== '')
    .flatMap((part) => wrapToWidth(part, room - 2))
    .map((line, at) => (at === 0 ? line : `  ${line}`));
}

function worseLines(result: GateResult, width: number, paint: Paint): string[] {
  const { worseUtterances } = result;
  if (worseUtterances.length === 0) return [];
  const shown = worseUtterances.slice(0, maxWorse);
  const column = (head: string, cells: readonly (string | number)[], right = true) => ({
    ...{ heads: [head], cells: cells.map(String), right },
  });
  const numbers = [
    column(
      'before',
      shown.map(({ errorsBefore }) => errorsBefore),
    ),
    column(
      'now',
      shown.map(({ errorsAfter }) => errorsAfter),
    ),
    column(
      'words',
      shown.map(({ words }) => words),
    ),
  ];
  const room = width - widthOf(numbers) - columnGap;
  const names = shown.map((one) => wrapped(worseAt(one, result), room));
  const { heads, rows } = linesOfRows('Largest increases in errors', names, numbers);
  return ['', ...heads.map((line) => paint('quiet', line)), ...rows.flat()];
}
