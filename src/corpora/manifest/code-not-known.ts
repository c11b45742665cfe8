import type { Row } from '../../system/delimited-rows.ts';

/** The text that means "not known" to programs, and Namibia, North America or Naples to people. */
const ambiguous = 'NA';
/** What stands beside it where it may be a code like others. */
const code = /^\p{L}{2,3}$/u;

/** Columns of codes in which NA stands, which is read as "not known". */
export function createCodeWatch(missing: ReadonlySet<string>) {
  const columns = new Map<string, { rows: number; others: number; areCodes: boolean }>();
  return {
    see(row: Row, names: readonly string[]): void {
      for (const name of names) {
        const text = row.text(name)?.trim() ?? '';
        const own = columns.get(name) ?? { rows: 0, others: 0, areCodes: true };
        columns.set(name, own);
        if (text === ambiguous) own.rows++;
        else if (!missing.has(text)) {
          own.others++;
          own.areCodes &&= code.test(text);
        }
      }
    },
    /** One sentence; null where there is no such column. */
    warning(): string | null {
      const found = [...columns].filter(([, { rows, others, areCodes }]) => rows > 0 && others > 0 && areCodes);
      if (found.length === 0) return null;
      const where = found.map(
        ([name, { rows }]) => `${JSON.stringify(name)} (${rows === 1 ? '1 row' : `${rows} rows`})`,
      );
      return `NA is read as "not known" in ${where.join(', ')}; if it is a value like the codes beside it, set missing: [""]`;
    },
  };
}
