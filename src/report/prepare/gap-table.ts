import { formatFixed } from '../../base/number-format.ts';
import { turned } from '../../model/comparison.ts';
import type { ColumnKind, Comparison, Estimate, Finding } from '../../model/finding.ts';
import { chosenRowsOf, comparisonAt, estimateAt, textAt } from '../../model/finding-rows.ts';
import { whatSettles, whatSettlesEach } from '../../model/reason.ts';
import type { Scores } from '../../model/scores.ts';
import { whyWider } from '../format/wording.ts';

/** The group of a recognizer that is furthest above everybody, of those that are told to be before others. */
export interface WorstGroup {
  readonly group: string;
  /** The same without its attributes. */
  readonly values: string;
  readonly rate: Estimate;
  /** To everybody. */
  readonly comparison: Comparison;
}

/** Two groups of an attribute, for every recognizer. */
export interface GapTable {
  /** Null: groups of all attributes beside everybody. */
  readonly attribute: string | null;
  readonly measure: string;
  readonly kind: ColumnKind;
  /** `clean audio` */
  readonly of: string;
  /** Where they are the same two in every row, these; null: of each row its own, the one with the higher rate first. */
  readonly groups: readonly [string, string] | null;
  readonly rows: readonly GapRow[];
}

interface GapRow {
  readonly name: string;
  readonly groups: readonly [string, string];
  readonly rates: readonly [Estimate | null, Estimate | null];
  /** The first less the second. */
  readonly comparison: Comparison;
}

const isOpen = ({ comparison }: { readonly comparison: Comparison }) => comparison.verdict === 'cannot tell';

/** The group that is furthest above everybody, of those told to be before others, and those with an interval before those without. */
export function worstOf(
  finding: Finding,
  { differences, rates, attributes }: NonNullable<Scores['worst']>,
  name: string,
): WorstGroup | null {
  const known = chosenRowsOf(finding, differences)
    .filter((row) => row.recognizer === name && row[differences.column] != null)
    .map((row) => ({ group: textAt(row, 'group'), comparison: comparisonAt(row, differences.column) }));
  const isTold = ({ comparison: { verdict, difference } }: (typeof known)[number]) =>
    verdict === 'worse' ? 2 : difference.low === null ? 0 : 1;
  const size = ({ comparison }: (typeof known)[number]) => comparison.difference.value ?? -1;
  const [furthest] = known.toSorted((a, b) => isTold(b) - isTold(a) || size(b) - size(a));
  const row = chosenRowsOf(finding, rates).find((one) => one.recognizer === name && one.group === furthest?.group);
  if (furthest === undefined || row === undefined) return null;
  return { ...furthest, values: valuesOf(furthest.group, attributes), rate: estimateAt(row, rates.column) };
}

/** Of each recognizer its worst group beside everybody, those told to be worse first; null where groups were not compared so. */
export function furthestOf(
  rows: readonly { readonly name: string; readonly everybody: Estimate | null; readonly worst: WorstGroup | null }[],
  about: Pick<GapTable, 'measure' | 'kind' | 'of'>,
): GapTable | null {
  const known = rows.flatMap(({ name, everybody, worst }): GapRow[] => {
    if (worst === null) return [];
    const { values, comparison, rate } = worst;
    return [{ name, comparison, groups: [values, 'everybody'], rates: [rate, everybody] }];
  });
  const toldFirst = known.toSorted((a, b) => Number(isOpen(a)) - Number(isOpen(b)));
  return known.length === 0 ? null : { attribute: null, groups: null, ...about, rows: toldFirst };
}

/** A table for each attribute: of two groups both; of more, of each recognizer the two that are furthest apart, told apart before others. */
export function gapsOf(
  finding: Finding,
  ranked: readonly string[],
  about: Pick<GapTable, 'measure' | 'kind'>,
): readonly GapTable[] {
  const { gaps } = finding.scores ?? {};
  if (gaps === undefined) return [];
  const { differences, rates, of } = gaps;
  const rateOf = (attribute: string, group: string, recognizer: string): Estimate | null => {
    const row = chosenRowsOf(finding, rates).find(
      (one) => one.attribute === attribute && one.group === group && one.recognizer === recognizer,
    );
    return row === undefined ? null : estimateAt(row, rates.column);
  };
  const byAttribute = Map.groupBy(chosenRowsOf(finding, differences), (row) => textAt(row, 'attribute'));
  return [...byAttribute].map(([attribute, all]) => {
    const rows = ranked.flatMap((name): GapRow[] => {
      const own = all
        .filter((row) => row.recognizer === name)
        .map((row) => {
          const [first, second] = [textAt(row, 'group'), textAt(row, 'comparedWith')];
          const comparison = comparisonAt(row, differences.column);
          return higherFirst({ name, groups: [first, second], rates: [null, null], comparison });
        });
      const size = ({ comparison }: GapRow) => comparison.difference.value ?? -1;
      const [widest] = own.toSorted((a, b) => Number(isOpen(a)) - Number(isOpen(b)) || size(b) - size(a));
      if (widest === undefined) return [];
      const [higher, lower] = widest.groups;
      return [{ ...widest, rates: [rateOf(attribute, higher, name), rateOf(attribute, lower, name)] }];
    });
    const names = rows[0]?.groups ?? null;
    const groups = rows.every((row) => new Set([...row.groups, ...names!]).size === 2) ? names : null;
    const inOrder = rows.map((row) => (groups === null || row.groups[0] === groups[0] ? row : reversed(row)));
    return { attribute, ...about, of, groups, rows: inOrder };
  });
}

const reversed = ({ groups, rates, comparison, ...row }: GapRow): GapRow => ({
  ...row,
  groups: [groups[1], groups[0]],
  rates: [rates[1], rates[0]],
  comparison: turned(comparison),
});

/** So that its comparison is not below 0. */
export function higherFirst(row: GapRow): GapRow {
  return (row.comparison.difference.value ?? 0) < 0 ? reversed(row) : row;
}

/** Beside the verdict of a row: why its interval is wider, or where no gap is told what would settle it. */
export function gapNote(table: GapTable, at: number): string | null {
  const { comparison } = higherFirst(table.rows[at]!);
  const wider = whyWider(comparison);
  return wider ?? (comparison.open === undefined || !table.rows.every(isOpen) ? null : whatSettles(comparison.open));
}

/** So many rows have what would settle them named in one note. */
const maxInNote = 3;

/** The notes of all rows, as few as can be: how many more speakers each would take stands in one, or only what the first would take. */
export function gapNotes(table: GapTable): readonly (string | null)[] {
  const notes = table.rows.map((_, at) => gapNote(table, at));
  const wider = table.rows.map((row) => whyWider(higherFirst(row).comparison));
  if (table.rows.length > maxInNote) return notes.map((note, at) => (at === 0 ? note : wider[at]!));
  const isPlain = wider.every((one) => one === null) && table.rows.every(isOpen);
  const each = isPlain ? whatSettlesEach(table.rows.flatMap(({ comparison: { open } }) => open ?? [])) : null;
  return each === null ? notes : notes.map(() => each);
}

/** What stands between the name and the gap in every format. */
interface GapColumn {
  readonly head: string;
  readonly cells: readonly string[];
  readonly isNumber: boolean;
}

/**
 * The groups of a table with their rates, and how the gap is called that stands behind them, so that nobody asks whose it is.
 *
 * @param rate a rate as the format prints it
 * @example gapColumns(table, bare).gap // 'gap: british − american (10, 12 speakers)'
 */
export function gapColumns(
  { groups, rows, attribute, measure }: Pick<GapTable, 'groups' | 'rows' | 'attribute' | 'measure'>,
  rate: (estimate: Estimate | null) => string,
): { readonly columns: readonly GapColumn[]; readonly gap: string } {
  const rates = (side: 0 | 1) => rows.map((row) => rate(row.rates[side]));
  const number = (head: string, cells: readonly string[]) => ({ head, cells, isNumber: true });
  const names = readableGroups(rows.flatMap((row) => [...row.groups]));
  if (groups !== null) {
    const heads = groups.map(names);
    const behind = ([0, 1] as const).map((side) => speakersBehind(rows.map((row) => row.rates[side])));
    const of = behind.includes(null) ? '' : ` (${behind.join(', ')} speakers)`;
    return {
      columns: [number(heads[0]!, rates(0)), number(heads[1]!, rates(1))],
      gap: `gap: ${heads.join(' − ')}${of}`,
    };
  }
  const named = (side: 0 | 1) => rows.map((row) => names(row.groups[side]));
  const counted = (side: 0 | 1) =>
    rows.map((row, at) => {
      const behind = speakersBehind([row.rates[side]]);
      return behind === null ? named(side)[at]! : `${named(side)[at]} (${behind})`;
    });
  if (attribute === null)
    return {
      columns: [
        { head: 'worst group', cells: named(0), isNumber: false },
        number(
          'speakers',
          rows.map(({ rates: [own] }) => (own === null ? '–' : formatFixed(own.n.speakers, 0))),
        ),
        number(`its ${measure}`, rates(0)),
        number('everybody', rates(1)),
      ],
      gap: 'gap',
    };
  return {
    columns: ([0, 1] as const).flatMap((side) => [
      { head: side === 0 ? 'most errors' : 'fewest', cells: counted(side), isNumber: false },
      number(measure, rates(side)),
    ]),
    gap: 'gap: most − fewest (speakers)',
  };
}

/** How many speakers rates rest on: `12`, or `9 to 12`; null where nobody says who spoke. */
function speakersBehind(rates: readonly (Estimate | null)[]): string | null {
  const known = rates.flatMap((one) => (one === null || one.n.speakers === 0 ? [] : [one.n.speakers]));
  if (known.length === 0) return null;
  const ends = [...new Set([Math.min(...known), Math.max(...known)])];
  return ends.map((end) => formatFixed(end, 0)).join(' to ');
}

/**
 * Groups as people call them: `India (Delhi, Mumbai)` as `India`. What stands in brackets stays where two would be called the same without.
 *
 * @param groups all that stand beside each other
 */
export function readableGroups(groups: readonly string[]): (group: string) => string {
  const bare = (group: string) => group.replace(/ \([^()]*\)/g, '');
  const called = Map.groupBy(new Set(groups), bare);
  return (group) => (called.get(bare(group))?.length === 1 ? bare(group) : group);
}

/** Values tell their attributes: `ageGroup 19-29 × home region south` as `19-29, south`. */
function valuesOf(group: string, attributes: readonly string[]): string {
  const before = (part: string) =>
    Math.max(0, ...attributes.map((name) => (part.startsWith(`${name} `) ? name.length + 1 : 0)));
  const parts = group.split(' × ');
  return parts.map((part) => part.slice(before(part))).join(', ');
}
