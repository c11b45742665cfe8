import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/limit-text.ts';
import { createIdRegister } from '../../corpora/shared/id-register.ts';
import type { Row } from '../../corpora/shared/row.ts';
import { type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';
import {
  attributesOfRow,
  type Columns,
  columnsOf,
  tableRows,
  textOfRow,
  valuesOfRow,
  type WantedColumns,
} from './table.ts';
import type { TextFile } from './text-file.ts';

/** The pairs of a table with both sides in each row and, if it has one, an id. */
export function pairsOfTable(file: TextFile, wanted: WantedColumns, alternatives: boolean): PairSource {
  let columns: { readonly reference: Columns; readonly hypothesis: Columns } | null = null;
  const compared = () =>
    columns && `columns ${columns.reference.text} and ${columns.hypothesis.text} of ${file.name}, row by row`;
  return { pairs: readPairs(), leftovers: () => null, compared, hints: () => [] };

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const ids = createIdRegister();
    for await (const row of tableRows(file)) {
      columns ??= bothColumns(row, wanted);
      const { reference, hypothesis } = columns;
      const id = row.text('id') ?? null;
      const before = id === null || id === '' ? null : ids.add(id, row.line);
      if (before !== null) {
        throw new EarwitnessError(
          'bad-input',
          `${row.place('id')}: expected different ids, but ${JSON.stringify(limitText(id!, 100))} stands in line ${before} too; rename one or take it out`,
        );
      }
      yield {
        id: id === '' ? null : id,
        reference: textOfRow(row, reference.text, file, alternatives),
        hypothesis: plainText(textOfRow(row, hypothesis.text, file, false).text),
        values: (attribute) => valuesOfRow(row, attribute),
        attributes: () => attributesOfRow(row, ['id', reference.text, hypothesis.text]),
      };
    }
    if (columns === null) {
      throw new EarwitnessError('bad-input', `${file.name}: expected at least one pair, but the file has none`);
    }
  }
}

function bothColumns(row: Row, wanted: WantedColumns): { readonly reference: Columns; readonly hypothesis: Columns } {
  const reference = columnsOf(row, 'reference', wanted.reference, false);
  const hypothesis = columnsOf(row, 'hypothesis', wanted.hypothesis, false);
  if (reference.text !== hypothesis.text) return { reference, hypothesis };
  const other = wanted.hypothesis === undefined ? 'hypothesis' : 'reference';
  throw new EarwitnessError(
    'bad-input',
    `${row.namesPlace()}: expected the reference and the hypothesis in a column each, but both are ${JSON.stringify(limitText(reference.text, 100))}; name the ${other} with --${other}-column`,
  );
}
