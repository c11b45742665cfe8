import { isComparison, shownDifference, turned } from '../../model/comparison.ts';
import type { ColumnKind, Comparison, HeatMap, Table } from '../../model/finding.ts';
import { formatComparison } from '../format/cell.ts';
import { verdictWording } from '../format/wording.ts';
import { html, type Markup, type Ways, withWay } from './markup.ts';

/** Everyone beside everyone: what stands in a row, less what heads the column. */
interface PairMatrix {
  readonly title: string;
  readonly kind: ColumnKind;
  /** Of rows and columns. */
  readonly names: readonly string[];
  /** Null beside itself, and where nothing was compared. */
  readonly cells: readonly (readonly (Comparison | null)[])[];
}

const minNames = 3;
const maxNames = 20;

/** So many slices of a table (its conditions, its kinds of comparison) have matrices. */
const maxSlices = 3;

/**
 * The first slices of a table of comparisons (whose column `comparedWith` says with whom) as matrices; none where fewer than three stand
 * beside each other, which a table shows as well.
 */
export function pairMatrices(table: Table): readonly PairMatrix[] {
  const { columns, rows } = table;
  const other = columns.findIndex(({ key }) => key === 'comparedWith');
  const compared = columns.find(({ key }) => rows.some((row) => isComparison(row[key])));
  const one = columns[other - 1];
  if (one === undefined || compared === undefined) return [];
  const slicing = columns.filter(
    (column, index) => column.kind === 'text' && index < columns.indexOf(compared) && index !== other && column !== one,
  );
  const slices = Map.groupBy(rows, (row) => JSON.stringify(slicing.map(({ key }) => row[key] ?? null)));
  const told = slicing.filter(({ key }) => rows.some((row) => row[key] !== rows[0]![key]));
  return [...slices.values()]
    .flatMap((slice) => {
      const found = new Map<string, Map<string, Comparison>>();
      const put = (a: string, b: string, comparison: Comparison) =>
        found.set(a, (found.get(a) ?? new Map()).set(b, comparison));
      for (const row of slice) {
        const [a, b, cell] = [row[one.key], row.comparedWith, row[compared.key]];
        if (typeof a !== 'string' || typeof b !== 'string' || !isComparison(cell)) continue;
        if (!found.get(a)?.has(b)) put(a, b, cell);
        if (!found.get(b)?.has(a)) put(b, a, turned(cell));
      }
      const names = [...found.keys()];
      if (names.length < minNames || names.length > maxNames) return [];
      const where = told.flatMap(({ key }) => (slice[0]![key] === null ? [] : [String(slice[0]![key])]));
      return [
        {
          title: [table.title, ...where].join(', '),
          kind: compared.kind,
          names,
          cells: names.map((a) => names.map((b) => found.get(a)?.get(b) ?? null)),
        },
      ];
    })
    .slice(0, maxSlices);
}

/** Shades on either side. */
const shades = 5;

/** What a shaded table shows. */
interface Shaded {
  readonly title: string;
  /** Of the heads of the rows. */
  readonly head: string;
  readonly kind: HeatMap['kind'];
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (Comparison | null)[] }[];
  /** What "worse" is compared with. */
  readonly worse: string;
  readonly better: string;
  /** Whether a cell is about the recognizer that its row or column names, or about both. */
  readonly about: 'one' | 'pair';
}

/**
 * Differences as a table of shaded cells: the shade is the size beside the largest, the sign and a mark carry the same, so
 * that nothing hangs on colour. The section's table has intervals and p values.
 */
export function htmlHeatMap(
  { than = 'everybody', rowLabel = 'Group', ...map }: HeatMap,
  id: string,
  ways?: Ways,
): Markup {
  return shadedTable({ ...map, about: 'one', head: rowLabel, worse: `worse than ${than}`, better: 'better' }, id, ways);
}

/** Everyone beside everyone; the row is what is judged. */
export function htmlPairMatrix({ names, cells, ...matrix }: PairMatrix, id: string, ways?: Ways): Markup {
  const rows = names.map((name, row) => ({ name, cells: cells[row]! }));
  const words = { worse: 'the row is worse than the column', better: 'the row is better', about: 'pair' } as const;
  return shadedTable({ ...matrix, columns: names, rows, head: 'Beside', ...words }, id, ways);
}

function shadedTable(
  { title, head, kind, columns, rows, worse, better, about }: Shaded,
  id: string,
  ways?: Ways,
): Markup {
  const largest = rows
    .flatMap(({ cells }) => cells)
    .reduce((most, cell) => Math.max(most, Math.abs(cell?.difference.value ?? 0)), 0);
  const unit = kind === 'rate' || kind === 'difference' ? ' points' : '';
  const wayOf = (texts: readonly string[]) => ways?.toTrials(texts, about) ?? ways?.toRow(texts, null) ?? null;
  return html`<figure class="chart heat" aria-labelledby="${id}.heading">
<h4 id="${id}.heading"><bdi>${title}</bdi></h4>
<ul class="legend"><li><span class="swatch worse-5"></span>${worse}</li><li><span class="swatch better-5"></span>${better}</li><li><b>${verdictWording.worse.mark}</b> shown to be worse</li><li><b>${verdictWording.better.mark}</b> shown to be better</li><li>no mark: cannot tell</li>${unit && html`<li>in${unit}</li>`}</ul>
<div class="scroll${rows.length > 25 ? ' deep' : ''}" role="group" tabindex="0" aria-labelledby="${id}.caption">
<table id="${id}" class="plain"><caption id="${id}.caption"><span class="unseen">${title}</span></caption><thead><tr><th scope="col">${head}</th>${columns.map((name) => html`<th scope="col"${unit && html` data-unit="${unit.trim()}"`} class="right"><bdi>${name}</bdi></th>`)}</tr></thead>
<tbody>
${rows.map(({ name, cells }) => html`<tr><th scope="row"><bdi>${name}</bdi></th>${cells.map((cell, at) => heatCell(cell, { kind, largest, unit, way: wayOf([name, columns[at]!, title]) }))}</tr>\n`)}</tbody>
</table>
</div>
</figure>
`;
}

interface HeatCell {
  readonly kind: HeatMap['kind'];
  readonly largest: number;
  readonly unit: string;
  readonly way: string | null;
}

function heatCell(cell: Comparison | null, { kind, largest, unit, way }: HeatCell): Markup {
  if (cell === null) return html`<td class="right"></td>`;
  const { main, interval, pValue, open, reason, n } = formatComparison(cell, kind);
  const { value, low, high } = shownDifference(cell);
  const step = value === null || largest === 0 ? 0 : Math.ceil((shades * Math.abs(value)) / largest);
  const shade = value === null || step === 0 ? 'none' : `${value > 0 ? 'worse' : 'better'}-${step}`;
  const hint = [interval, pValue, open, reason, n].filter(Boolean).join(', ');
  const known = cell.verdict === 'cannot tell' ? null : verdictWording[cell.verdict];
  const number = unit !== '' && main.endsWith(unit) ? main.slice(0, -unit.length) : main;
  const bounds = low !== null && high !== null && html` data-low="${low}" data-high="${high}"`;
  return html`<td class="right ${shade}"${value !== null && html` data-order="${value}"`}${bounds} title="${hint}">${withWay(html`<span class="number">${number}</span>`, way)}${known && html` <b aria-hidden="true">${known.mark}</b><span class="unseen"> ${known.word}</span>`}</td>`;
}
