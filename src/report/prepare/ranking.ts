import type { Cell, Column, ColumnKind, Estimate, Finding, Section, Table } from '../../model/finding.ts';

/** Who stands where: lowest first, or by size nearest to 0 first. Less is better of everything that studies rank by: errors, losses, violations, seconds. */
export interface Ranking {
  /** What is ranked: `Recognizer`. */
  readonly of: string;
  /** By what: `WER on clean audio`. */
  readonly by: string;
  readonly kind: ColumnKind;
  readonly bySize: boolean;
  /** Where its table stands. */
  readonly section: Section;
  /** What is the same for all of them where the table has more: `MR-1 noise`. */
  readonly slice: readonly string[];
  readonly rows: readonly { readonly name: string; readonly estimate: Estimate }[];
}

/**
 * The ranking that a finding begins with: the table that says which column ranks, or else the first that has one row for each
 * recognizer (of everything else the same) and estimates to rank them by. Null where fewer than two stand beside each other.
 *
 * @example rankingOf(finding)?.rows.map(({ name }) => name) // ['whisper-base', 'en-us']
 */
export function rankingOf(finding: Finding): Ranking | null {
  const tables = finding.sections.flatMap((section) => (section.tables ?? []).map((table) => ({ table, section })));
  const declared = tables.filter(({ table }) => table.columns.some(({ ranks }) => ranks));
  const others = tables.filter(({ table }) => ofRecognizers(table));
  const known = [...declared, ...others].flatMap(({ table, section }) => {
    const found = ranked(table);
    return found === null ? [] : [{ ...found, section }];
  });
  const undivided = known.find(({ slice }) => slice.length === 0);
  return (declared.length > 0 ? known[0] : (undivided ?? known[0])) ?? null;
}

/** Rows that are of all of them together stand in no place among them. */
const total = /^(all|all recognizers|everybody)$/;

function ofRecognizers({ columns }: Table): boolean {
  return columns.some(({ key, kind }) => key === 'recognizer' && kind === 'text');
}

function ranked(table: Table): Omit<Ranking, 'section'> | null {
  const { columns, rows } = table;
  // Only the first: of what stands behind it more may be better.
  const by = columns.find(({ ranks }) => ranks) ?? columns.find(({ key }) => rows.some((row) => isEstimate(row[key])));
  if (by === undefined) return null;
  const estimateOf = (row: (typeof rows)[number]): Estimate | null => {
    const cell = row[by.key];
    if (isEstimate(cell)) return cell;
    return by.ranks && typeof cell === 'object' && cell !== null ? cell.difference : null;
  };
  if (rows.filter((row) => estimateOf(row)?.value != null).length < 2) return null;
  const texts = columns.slice(0, columns.indexOf(by)).filter(({ kind }) => kind === 'text');
  const of = ['recognizer', 'group'].flatMap((key) => texts.find((one) => one.key === key) ?? [])[0] ?? texts[0];
  if (of === undefined) return null;
  const others = texts.filter((column) => column !== of);
  const same = rows.filter((row) => others.every(({ key }) => row[key] === rows[0]![key]));
  const stand = same.flatMap((row) => {
    const [name, estimate] = [row[of.key], estimateOf(row)];
    return typeof name === 'string' && !total.test(name) && estimate !== null ? [{ name, estimate }] : [];
  });
  if (stand.length < 2 || new Set(stand.map(({ name }) => name)).size < stand.length) return null;
  const bySize = by.ranks === 'size';
  const place = ({ estimate: { value } }: (typeof stand)[number]) =>
    value === null ? Infinity : bySize ? Math.abs(value) : value;
  return {
    ...{ of: of.label, by: by.label, kind: by.kind, bySize },
    slice: others
      .filter((column) => varies(table, column))
      .map(({ key }) => String(rows[0]![key]))
      .filter((name) => name !== ''),
    rows: stand.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b))),
  };
}

function varies({ rows }: Table, { key }: Column): boolean {
  return rows.some((row) => row[key] !== rows[0]![key]);
}

function isEstimate(cell: Cell | undefined): cell is Estimate {
  return typeof cell === 'object' && cell !== null && !('verdict' in cell);
}

/** What a finding draws first, and where that stands: curves (error by severity), then bars and boxes, then what stands between two measures. */
function pictureOf({ sections }: Pick<Finding, 'sections'>) {
  const first = <Drawn>(drawn: (section: Section) => readonly Drawn[] | undefined) =>
    sections.flatMap((section) => (drawn(section) ?? []).map((one) => ({ section, one })))[0] ?? null;
  const chart =
    first(({ charts }) => charts?.filter(({ yLabel }) => yLabel.startsWith('Word error rate'))) ??
    first(({ charts }) => charts?.filter(({ yKind }) => yKind === 'rate')) ??
    first(({ charts }) => charts);
  const bars = chart === null ? first((section) => section.bars) : null;
  const boxes = chart === null && bars === null ? first(({ boxPlots }) => boxPlots) : null;
  const plane = chart === null && bars === null && boxes === null ? first(({ planes }) => planes) : null;
  const section = (chart ?? bars ?? boxes ?? plane)?.section;
  return section === undefined
    ? null
    : { section, chart: chart?.one, bars: bars?.one, boxes: boxes?.one, plane: plane?.one };
}

/** The picture that stands with the answer: rates over severities, or else what stands where the first table has its numbers, or where its ranking is. */
export function leadingPicture(finding: Finding) {
  const first = pictureOf(finding);
  const { scores, sections } = finding;
  if (scores?.measure === 'WER' && first?.chart?.yKind === 'rate') return first;
  const ranks = scores?.columns[scores.ranks]?.rates.table;
  const scored =
    scores === undefined
      ? rankingOf(finding)?.section
      : sections.find(({ tables = [] }) => tables.some(({ id }) => id === ranks));
  return (scored && pictureOf({ sections: [scored] })) ?? first;
}

/** A section without what stands with the answer; null where nothing is left. */
export function besideAnswer(section: Section, lead: ReturnType<typeof leadingPicture>): Section | null {
  const left: Section = {
    ...section,
    charts: section.charts?.filter((one) => one !== lead?.chart) ?? [],
    bars: section.bars?.filter((one) => one !== lead?.bars) ?? [],
    boxPlots: section.boxPlots?.filter((one) => one !== lead?.boxes) ?? [],
    planes: section.planes?.filter((one) => one !== lead?.plane) ?? [],
  };
  const { charts, bars, boxPlots, planes, heatMaps, tables, text, examples } = left;
  const holds = [charts, bars, boxPlots, planes, heatMaps, tables, text, examples].some(
    (all) => (all?.length ?? 0) > 0,
  );
  return holds ? left : null;
}
