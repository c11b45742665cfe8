import { capitalized } from '../../base/wording.ts';
import { estimateOf, isComparison, shownDifference, turned } from '../../model/comparison.ts';
import type { ColumnKind, Comparison, Estimate, Finding, Table } from '../../model/finding.ts';
import { chosenRowsOf, comparisonAt, estimateAt, textAt } from '../../model/finding-rows.ts';
import { openInWords } from '../../model/reason.ts';
import type { ChosenRows, ScoreColumn } from '../../model/scores.ts';
import { bareNumber, formatEstimate, formatLevel } from '../format/cell.ts';
import { firstThatFits } from '../text/display-width.ts';
import { furthestOf, type GapTable, gapsOf, higherFirst, type WorstGroup, worstOf } from './gap-table.ts';

/** How a cell stands beside the lowest of its column, and beside the first of its row. */
export interface ScoreCell {
  readonly estimate: Estimate;
  /** Without its unit. */
  readonly number: string;
  /** `alike`: a comparison was made, and cannot tell it from the best. Null: told apart, or not compared. `told`: to be other than 0, where nothing is best. */
  readonly beside: 'lowest' | 'highest' | 'alike' | 'told' | null;
  /** More than twice the first of its row. */
  readonly isDoubled: boolean;
}

/** A recognizer, as the first table of a finding shows it. */
export interface ScoreRow {
  readonly name: string;
  /** Null where nothing was answered. */
  readonly cells: readonly (ScoreCell | null)[];
  /** How far it is from the lowest of the column that ranks; null of the lowest itself, and where they were not compared. */
  readonly behind: Comparison | null;
  /** Told to be above everybody or not; null where groups were not compared with everybody. */
  readonly worst: WorstGroup | null;
}

/** Who makes how many errors, where and for whom: the first table of every screen. */
export interface ResultTable {
  readonly measure: string;
  /** It with its unit: `WER %`. */
  readonly caption: string;
  /** What the rows are: `Recognizer`. */
  readonly of: string;
  /** Of the column that ranks. */
  readonly kind: ColumnKind;
  readonly columns: readonly ScoreColumn[];
  readonly ranks: number;
  readonly left: string | null;
  /** Lowest first. */
  readonly rows: readonly ScoreRow[];
  readonly gaps: readonly GapTable[];
  /** Of each recognizer its worst group beside everybody; null where groups were not compared so. */
  readonly furthest: GapTable | null;
  /** What was found, in at most two sentences. */
  readonly found: readonly string[];
  /** What is open, and what would settle it. */
  readonly open: readonly string[];
}

/**
 * The first table of a finding, of the rows that it names; null where it names none, or nobody answered.
 *
 * @example resultTableOf(finding)?.rows[0]?.name // 'whisper-base'
 */
export function resultTableOf(finding: Finding): ResultTable | null {
  const { scores } = finding;
  if (scores === undefined) return null;
  const cells = scores.columns.map(({ rates }) => byRecognizer(finding, rates));
  const names = [...new Set(cells.flatMap((column) => [...column.keys()]))];
  const estimateIn = (name: string, column: number) => estimateOf(cells[column]!.get(name));
  const inOrder = (some: readonly string[], column: number) => {
    const { best } = scores.columns[column]!;
    if (best === null) return some;
    const sign = best === 'highest' ? -1 : 1;
    const order = (name: string) => sign * (estimateIn(name, column)?.value ?? sign * Number.POSITIVE_INFINITY);
    return some.toSorted((a, b) => order(a) - order(b));
  };
  const { measure, columns, ranks, left = null } = scores;
  const ranked = inOrder(
    names.filter((name) => columns.some((_, column) => estimateIn(name, column)?.value != null)),
    ranks,
  );
  if (ranked.length === 0) return null;
  const compared = columns.map((column) => comparisonsOf(finding, column.comparisons));
  const bestOf = columns.map(({ best }, column) => (best === null ? null : inOrder(ranked, column)[0]!));
  const cell = (name: string, column: number): ScoreCell | null => {
    const estimate = estimateIn(name, column);
    if (estimate?.value == null) return null;
    const { kind } = columns[column]!;
    const best = bestOf[column]!;
    const first = estimateIn(name, 0)?.value ?? null;
    const own = cells[column]!.get(name)!;
    const isTold = best === null && isComparison(own) && own.verdict !== 'cannot tell';
    const comparison = best === null ? null : compared[column]!(name, best);
    const beside =
      name === best ? (columns[column]!.best ?? 'lowest') : comparison?.verdict === 'cannot tell' ? 'alike' : null;
    const isDoubled =
      kind === undefined && column !== ranks && first !== null && first > 0 && estimate.value > 2 * first;
    const number = bareNumber(estimate.value, kind);
    return { estimate, number, beside: isTold ? 'told' : ranked.length === 1 ? null : beside, isDoubled };
  };
  const best = bestOf[ranks]!;
  const kind: ColumnKind = columns[ranks]!.kind ?? 'rate';
  const rows = ranked.map((name) => ({
    name,
    cells: columns.map((_, column) => cell(name, column)),
    // Differences along a scale of ratios have another unit.
    behind:
      best === null || name === best || kind === 'number' || scores.apartElsewhere
        ? null
        : compared[ranks]!(name, best),
    worst: scores.worst === undefined ? null : worstOf(finding, scores.worst, name),
  }));
  const caption = `${measure}${kind === 'rate' ? ' %' : kind === 'difference' ? ', points' : ''}`;
  const of = capitalized(scores.of ?? 'recognizer');
  const gaps = gapsOf(finding, ranked, { measure, kind });
  const beside = rows.map(({ name, worst }) => ({ name, worst, everybody: estimateIn(name, 0) }));
  const furthest = furthestOf(beside, { measure, kind, of: columns[0]!.words.replace(/^on /, '') });
  const table = { measure, caption, of, kind, columns, ranks, left, rows, gaps, furthest };
  const found = scores.found?.flatMap(asOneLine) ?? foundIn(table, finding);
  return { ...table, found, open: openIn(table) };
}

/**
 * Over the intervals of a table: of several columns it says whose they are.
 *
 * @param inBrief by the first line of that column's head alone, where no other begins so
 */
export function intervalHead({ columns, ranks, rows }: ResultTable, inBrief = false): string {
  const level = rows.map(({ cells }) => cells[ranks]?.estimate.level).find((one) => one !== undefined);
  const own = columns[ranks]!.head;
  const isAlone = columns.every(({ head }, at) => at === ranks || head[0] !== own[0]);
  const of = columns.length > 1 ? ` of ${inBrief && isAlone ? own[0] : own.join(' ')}` : '';
  return `${formatLevel(level ?? 0.95)} interval${of}`;
}

function byRecognizer(finding: Finding, rows: ChosenRows): ReadonlyMap<string, Estimate | Comparison> {
  return new Map(
    chosenRowsOf(finding, rows).flatMap((row) => {
      const cell = row[rows.column];
      if (cell === null || cell === undefined) return [];
      const name = textAt(row, finding.scores?.of ?? 'recognizer');
      if (typeof cell === 'number') return [[name, countOf(cell, row)]];
      return [[name, isComparison(cell) ? cell : estimateAt(row, rows.column)]];
    }),
  );
}

/** A count, with what its row says of how many people stand behind it. */
function countOf(value: number, { utterances, speakers }: Table['rows'][number]): Estimate {
  const n = { utterances: Number(utterances ?? 0), speakers: Number(speakers ?? 0) };
  // Of nobody nothing was counted.
  return {
    value: n.utterances === 0 ? null : value,
    low: null,
    high: null,
    level: 0.95,
    n,
    reason: { code: 'not-sampled' },
    method: 'count',
  };
}

/** The comparison of two recognizers, whichever stands first in its row; what is below zero speaks for the first that is asked for. */
function comparisonsOf(finding: Finding, rows: ChosenRows | undefined) {
  const known = new Map<string, Comparison>();
  const keyOf = (first: string, second: string) => JSON.stringify([first, second]);
  for (const row of rows === undefined ? [] : chosenRowsOf(finding, rows))
    known.set(
      keyOf(textAt(row, finding.scores?.of ?? 'recognizer'), textAt(row, 'comparedWith')),
      comparisonAt(row, rows!.column),
    );
  return (first: string, second: string): Comparison | null => {
    const found = known.get(keyOf(first, second));
    if (found !== undefined) return found;
    const other = known.get(keyOf(second, first));
    return other === undefined ? null : turned(other);
  };
}

/** The table without its sentences. */
type Known = Omit<ResultTable, 'found' | 'open'>;

/** Why the nearest cannot be told from the lowest, and why no group is shown to have more errors: with what would settle it. */
function openIn({ rows }: Known): readonly string[] {
  const [leader] = rows;
  const nearest = rows.find(({ behind }) => behind?.verdict === 'cannot tell');
  const pair = nearest?.behind && whyOpen(`${leader!.name} and ${nearest.name}`, nearest.behind);
  return [pair, openGroup(rows)].filter((sentence) => sentence != null);
}

/** Of groups beside everybody, where none is shown to have more errors: why not the one that is furthest above. */
function openGroup(rows: readonly ScoreRow[]): string | null {
  if (rows.some(isWorse)) return null;
  const known = rows.flatMap(({ name, worst }) => (worst?.comparison.open === undefined ? [] : [{ name, ...worst }]));
  const size = ({ comparison }: WorstGroup) => comparison.difference.value ?? 0;
  const [furthest] = known.toSorted((a, b) => size(b) - size(a));
  return furthest === undefined ? null : whyOpen(`${furthest.name}, ${furthest.group}`, furthest.comparison);
}

/** Whether some group of a recognizer is told to have more errors than everybody. */
export const isWorse = ({ worst }: Pick<ScoreRow, 'worst'>): boolean => worst?.comparison.verdict === 'worse';

/** `amazon-gb and amazon-us: the interval holds 0; about 660 more speakers would settle it.` */
function whyOpen(about: string, { open }: Comparison): string | null {
  return open === undefined ? null : `${about}: ${openInWords(open)}.`;
}

/** Names of more recognizers than this stand in the table alone. */
const maxNamed = 3;
/** A sentence is one line of a terminal. */
const longestLine = 79;
const inOneLine = (...ways: readonly string[]) => firstThatFits(ways, longestLine);

/** A sentence of the study without what stands in brackets; none where it is longer than a line, since what is cut off may be what limits it. */
function asOneLine(sentence: string): string[] {
  const plain = sentence.replace(/ ?\([^()]*\)/g, '');
  return plain.length > longestLine ? [] : [plain];
}

/** Who makes the fewest errors; for whom more are made, or else where errors more than double or most are made. At most two. */
function foundIn(table: Known, finding: Finding): readonly string[] {
  const who = finding.scores?.apartElsewhere ? null : whoLeads(table);
  const [where, whom] = [whereItBreaks(table, finding), forWhom(table, finding)];
  return [who, whom ?? where].filter((sentence) => sentence !== null);
}

function whoLeads({ measure, columns, ranks, rows }: Known): string | null {
  const { words, briefly, kind } = columns[ranks]!;
  const [leader, ...others] = rows;
  const own = leader!.cells[ranks];
  if (own == null) return null;
  const { name } = leader!;
  const rate = `${percent(own.estimate)} ${measure}`;
  if (others.length === 0) return inOneLine(`${name}: ${rate} ${words}.`, `${rate} ${words}.`, `${rate}.`);
  const alike = others.filter(({ cells }) => cells[ranks]?.beside === 'alike');
  if (alike.length === 0) {
    if (others.some(({ behind }) => behind === null)) return null;
    const fewest = `${name} makes the fewest errors`;
    const lead = leadOver(others[0]!, kind);
    const second = others[0]!.name;
    const [ofSeveral, ahead] = others.length === 1 ? ['', second] : [', the next', `${second}, the next,`];
    return inOneLine(
      ...(lead === null
        ? []
        : [
            `${fewest} ${words}: ${lead} below ${second}${ofSeveral}.`,
            `${name} leads ${ahead} by ${lead} of ${measure} ${words}.`,
            ...(briefly === undefined ? [] : [`${name} leads ${ahead} by ${lead} of ${measure} ${briefly}.`]),
          ]),
      `${fewest} ${words}.`,
      `${fewest}.`,
      `${name} leads.`,
    );
  }
  const names = [leader!, ...alike].map((row) => row.name);
  const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const together = names.length > maxNamed ? [] : [listed];
  if (alike.length === others.length) {
    const fewest = names.length === 2 ? 'fewer' : 'the fewest';
    const which = names.length === 2 ? 'the two' : `these ${names.length}`;
    return inOneLine(
      ...together.map((some) => `These data cannot tell which of ${some} makes ${fewest} errors.`),
      `These data cannot tell which of ${which} makes ${fewest} errors.`,
    );
  }
  return inOneLine(
    ...together.map((some) => `${some} lead; these data cannot order them.`),
    `The first ${names.length} lead; these data cannot order them.`,
  );
}

/** `33.0 points`; null where the column is of no rates, or the distance is not known. */
function leadOver({ behind }: ScoreRow, kind: ScoreColumn['kind']): string | null {
  if (kind !== undefined || behind?.difference.value == null) return null;
  return formatEstimate({ ...behind.difference, value: Math.abs(behind.difference.value) }, 'points').main;
}

/** The greatest rate that is more than double and told to be above that of the first column; of the leader before all others. */
function whereItBreaks({ measure, columns, ranks, rows }: Known, finding: Finding): string | null {
  const known = rows.flatMap(({ name, cells }, place) =>
    cells.flatMap((cell, column) => {
      const { changes } = columns[column]!;
      if (cell === null || column === ranks || changes === undefined) return [];
      const change = estimateOf(byRecognizer(finding, changes).get(name));
      if (change?.low == null || change.low <= 0) return [];
      return [{ name, place, cell, words: columns[column]!.words, change }];
    }),
  );
  const size = ({ change }: (typeof known)[number]) => change.value ?? 0;
  const [worst] = known.toSorted(
    (a, b) => Number(b.cell.isDoubled) - Number(a.cell.isDoubled) || a.place - b.place || size(b) - size(a),
  );
  if (worst === undefined) return null;
  const { name, cell, words } = worst;
  const more = formatEstimate(worst.change, 'points').main;
  const rate = `${percent(cell.estimate)} ${measure}`;
  return cell.isDoubled
    ? inOneLine(
        `${name} breaks ${words}: ${rate}, more than twice as much.`,
        `${name} breaks ${words}.`,
        `${name} breaks.`,
      )
    : inOneLine(
        `${name} is at its worst ${words}: ${rate}, ${more} above ${columns[0]!.head.join(' ')}.`,
        `${name} is at its worst ${words}: ${more} above ${columns[0]!.head.join(' ')}.`,
        `${name} is at its worst ${words}: ${rate}.`,
        `${name} is at its worst ${words}.`,
        `${rate} ${words}.`,
      );
}

/** The widest gap that is told, of the leader before all others. */
function forWhom({ gaps, rows }: Known, { scores }: Finding): string | null {
  const told = [
    ...gaps.flatMap(({ attribute, rows: own }) =>
      own.flatMap((row, place) => {
        const { name, groups, comparison } = higherFirst(row);
        const higher = `${attribute} ${groups[0]}`;
        return comparison.verdict === 'cannot tell' ? [] : [{ name, place, higher, lower: groups[1], comparison }];
      }),
    ),
    ...rows.flatMap(({ name, worst }, place) =>
      worst?.comparison.verdict === 'worse'
        ? [{ name, place, higher: worst.group, lower: 'everybody', comparison: worst.comparison }]
        : [],
    ),
  ];
  const size = ({ comparison }: (typeof told)[number]) => comparison.difference.value ?? 0;
  const [widest] = told.toSorted((a, b) => a.place - b.place || size(b) - size(a));
  if (widest === undefined)
    return scores?.worst === undefined ? null : 'No group is shown to have more errors than everybody.';
  const served = rows.filter(isWorse).length;
  if (served > 1) return `${served} of ${rows.length} recognizers make more errors for some group than for everybody.`;
  const { name, higher, lower, comparison } = widest;
  const apart = formatEstimate(comparison.difference, 'points').main;
  return inOneLine(
    `${name} makes more errors for ${higher} than for ${lower}: ${apart} more.`,
    `${name} makes more errors for ${higher}: ${apart} more.`,
    `${name} makes more errors for some group than for others.`,
    'One recognizer makes more errors for some group than for others.',
  );
}

const percent = (estimate: Estimate) => formatEstimate(estimate, 'rate').main;

/** How far a recognizer is behind the first and how sure that is, the same on every screen: `+33.0`, `[+25.2, +40.8]`, and `≈` where they cannot be told apart. */
export function behindOf(behind: Comparison, kind: ColumnKind) {
  const { value, low, high } = shownDifference(behind);
  const points = (one: number) => bareNumber(one, kind, true);
  return {
    main: value === null ? '–' : points(value),
    interval: low === null || high === null ? null : `[${points(low)}, ${points(high)}]`,
    mark: behind.verdict === 'cannot tell' ? '≈' : '',
  };
}

/** Whether each of the others is told from the lowest, in every column. */
function isToldOfAll([, ...others]: ResultTable['rows'], cells: readonly ScoreCell[]): boolean {
  const isAlike = cells.some(({ beside }) => beside === 'alike');
  return others.length > 0 && !isAlike && others.every(({ behind }) => behind?.verdict === 'worse');
}

/** What the marks in a table mean; null where there are none. */
export function legendOf({ columns, rows }: ResultTable): string | null {
  const cells = rows.flatMap((row) => row.cells).filter((cell) => cell !== null);
  const marked = (['lowest', 'highest'] as const).filter((end) => cells.some(({ beside }) => beside === end));
  const notes = columns.flatMap(({ head, note }) => (note === undefined ? [] : [`${head.join(' ')}: ${note}`]));
  const best = marked.length > 1 ? 'best' : marked[0];
  const parts = [
    best !== undefined && (best === 'lowest' && isToldOfAll(rows, cells) ? '* shown to be the lowest' : `* ${best}`),
    cells.some(({ beside }) => beside === 'told') && '* beyond chance',
    cells.some(({ beside }) => beside === 'alike') && `≈ cannot be told from the ${best}`,
    cells.some(({ isDoubled }) => isDoubled) && `! more than twice ${columns[0]!.head.join(' ')}`,
    ...notes,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join('   ');
}
