import { visibleText } from '../../base/printable.ts';
import type { GateCheck, GateResult, GateVerdict } from '../../model/gate.ts';
import { columnGap, drawnColumn, linesOf, notedCells, widthOf } from '../text/columns.ts';
import { createPaint, cutMiddle, type Ink, type Paint, wrapToWidth } from '../text/display-width.ts';
import {
  beside,
  type CheckedAt,
  cellsOf,
  confidence,
  gateInWords,
  gateMarks,
  isPooled,
  isSame,
  judgedInWords,
  measureNames,
  openInWords,
  placesOf,
} from './render-gate.ts';

const inks: Readonly<Record<GateVerdict, Ink>> = { pass: 'good', fail: 'bad', inconclusive: 'caution' };

/** What is limited as a row has it, beneath the recognizer where there is one alone: `WER, clean, sex female`. */
export function limitedIn(check: Omit<CheckedAt, 'limit'>, several: boolean): string {
  const { measure, recognizer, condition } = check;
  const short = {
    ...measureNames,
    worseBy: 'WER',
    thresholdDb: 'reception threshold, dB',
    collapsed: 'empty or looping',
  };
  // What is counted is counted everywhere where nothing else is said.
  const places = condition === null && !isPooled(measure) ? [] : placesOf(check);
  return [...(several ? [recognizer] : []), short[measure], ...places].join(', ');
}

const [narrowestName, widestName] = [16, 40];
const maxWorse = 5;

/** For the terminal: the answer first, then a line for each check, the worst first, then what must be known besides. */
export function renderGateText(
  result: GateResult,
  { width, color }: { readonly width: number; readonly color: boolean },
): string {
  const paint = createPaint(color);
  const lines = (text: string) => wrapToWidth(visibleText(text), width - 1);
  const quiet = (text: string) => lines(text).map((line) => paint('quiet', line));
  return [
    ...[gateInWords(result), openInWords(result)]
      .filter((text) => text !== null)
      .flatMap((text, at) => lines(text).map((line) => (at === 0 ? paint(inks[result.verdict], line) : line))),
    '',
    ...checkLines(result, width - 1, paint),
    '',
    ...result.notes.flatMap((note) => lines(`! ${note}`)),
    ...[judgedInWords(result), beside(result), result.asking].flatMap((text) => (text == null ? [] : quiet(text))),
    ...worseLines(result, width - 1, paint),
    '',
  ].join('\n');
}

/** Which of the two a real-time factor is of: a limit on elapsed time is one on the machine too. */
const timeOf = ({ measure, value }: GateCheck) => (measure === 'realTimeFactor' ? `, ${value.method}` : '');

function checkLines({ checks: all, level }: GateResult, width: number, paint: Paint): string[] {
  const verdicts = (['fail', 'inconclusive', 'pass'] as const).filter((verdict) =>
    all.some((check) => check.verdict === verdict),
  );
  const checks = verdicts.flatMap((verdict) => all.filter((check) => check.verdict === verdict));
  const cells = checks.map(cellsOf);
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
  const noted = notes.length === 0 ? [] : [column('', marks, false)];
  const behind = [...numbers, ...noted];
  const room = Math.max(narrowestName, Math.min(widestName, width - 2 * columnGap - widthOf(behind)));
  const name = (text: string) => `  ${cutMiddle(visibleText(text), room)}`;
  const first = column(
    recognizers.length === 1 ? cutMiddle(visibleText(recognizers[0]!), room) : '',
    checks.map((check) => name(limitedIn(check, recognizers.length > 1) + timeOf(check))),
    false,
  );
  const drawn = drawnColumn(
    checks.map((check) => (check.measure === 'worseBy' && !isSame(check) ? check.value : null)),
    width - widthOf([first, ...behind]) - columnGap,
  );
  const strip = drawn === null ? [] : [{ ...drawn, heads: [drawn.heads[1]!] }];
  const [heads, ...rows] = linesOf([first, ...numbers, ...strip, ...noted]);
  return [
    paint('quiet', heads!),
    ...rows.flatMap((row, at) => {
      const { verdict } = checks[at]!;
      const begins = at === 0 || checks[at - 1]!.verdict !== verdict;
      return [...(begins ? [paint(inks[verdict], `${gateMarks[verdict]} ${verdict}`)] : []), row];
    }),
    ...notes.flatMap((note) => wrapToWidth(visibleText(note), width)).map((line) => paint('quiet', line)),
  ];
}

function worseLines({ worseUtterances }: GateResult, width: number, paint: Paint): string[] {
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
  const names = shown.map(({ recognizer, utterance, condition }) =>
    cutMiddle(visibleText(`${utterance}, ${recognizer}, ${condition}`), room),
  );
  const [heads, ...rows] = linesOf([column('Most errors more than in the baseline', names, false), ...numbers]);
  return ['', paint('quiet', heads!), ...rows];
}
