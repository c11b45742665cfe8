import { csvLine } from '../report/csv/render-csv.ts';

/** A table of a report, as it is copied. */
export interface CopiedTable {
  readonly heads: readonly { readonly name: string; readonly unit?: string | undefined }[];
  readonly rows: readonly (readonly CopiedCell[])[];
  readonly notes: readonly string[];
}

export interface CopiedCell {
  /** As it stands in the table. */
  readonly text: string;
  /** What it is sorted by: a number without its unit, or a text. */
  readonly order?: string | undefined;
  /** Bounds of an interval, likewise. */
  readonly low?: string | undefined;
  readonly high?: string | undefined;
  readonly isRight: boolean;
}

/** Numbers are kept as they are sorted; what is copied has the unit that stands in the head. */
const factors: Readonly<Record<string, number>> = { '%': 100, points: 100, ms: 1000, min: 1 / 60, h: 1 / 3600 };

export const copyForms = {
  CSV: { ending: 'csv', write: csv },
  Markdown: { ending: 'md', write: markdown },
  LaTeX: { ending: 'tex', write: latex },
} as const;

/** Whether a text is a number. */
function isNumber(text: string): boolean {
  return text !== '' && !Number.isNaN(Number(text));
}

/** In the order of numbers, or else of texts. */
export function compareOrders(x: string, y: string): number {
  return isNumber(x) && isNumber(y) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
}

/** Numbers in full, each interval in three columns. */
function csv({ heads, rows }: CopiedTable): string {
  const inUnit = (number: string | undefined, unit = '') =>
    number === undefined ? null : Number((Number(number) * (factors[unit] ?? 1)).toPrecision(12));
  const columns = heads.map(({ name, unit }, at) => ({
    unit,
    isBounded: rows.some((row) => row[at]?.low !== undefined),
    name: !unit || name.endsWith(unit) || name.endsWith(`(${unit})`) ? name : `${name} ${unit}`,
  }));
  const head = columns.flatMap(({ name, isBounded }) => (isBounded ? [name, `${name} low`, `${name} high`] : [name]));
  const cells = (row: readonly CopiedCell[]) =>
    row.flatMap(({ text, order = '', low, high }, at) => {
      const { unit, isBounded } = columns[at]!;
      const value = isNumber(order) ? inUnit(order, unit) : text.replace(/^–( \(\d+\))?$/, '');
      return isBounded ? [value, inUnit(low, unit), inUnit(high, unit)] : [value];
    });
  return [head, ...rows.map(cells)].map((line) => csvLine(line, () => true)).join('');
}

function markdown({ heads, rows, notes }: CopiedTable): string {
  const plain = (text: string) => text.replace(/[\\|<>*_[\]`]/g, '\\$&');
  const line = (texts: readonly string[]) => `| ${texts.map(plain).join(' | ')} |\n`;
  const body = rows.map((row) => line(row.map(({ text }) => text)));
  const below = notes.map((note) => `\n${plain(note)}\n`);
  return [line(heads.map(({ name }) => name)), `|${'---|'.repeat(heads.length)}\n`, ...body, ...below].join('');
}

const latexSigns: Readonly<Record<string, string>> = {
  ...{ '\\': '\\textbackslash{}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}', '−': '$-$', '–': '--' },
  ...{ '<': '$<$', '>': '$>$', '×': '$\\times$' },
};

function latex({ heads, rows, notes }: CopiedTable): string {
  const plain = (text: string) => text.replace(/[\\~^−–<>×&%$#_{}]/g, (sign) => latexSigns[sign] ?? `\\${sign}`);
  const line = (texts: readonly string[]) => `${texts.map(plain).join(' & ')} \\\\\n`;
  const columns = heads.map((_, at) => (rows.some((row) => row[at]?.isRight) ? 'r' : 'l')).join('');
  const body = rows.map((row) => line(row.map(({ text }) => text))).join('');
  const head = line(heads.map(({ name }) => name));
  const below = notes.map((note) => `% ${note.replace(/\s+/g, ' ')}\n`).join('');
  return `\\begin{tabular}{${columns}}\n\\hline\n${head}\\hline\n${body}\\hline\n\\end{tabular}\n${below}`;
}
