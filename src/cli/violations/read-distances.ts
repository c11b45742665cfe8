import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/limit-text.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { readRows, rowFormatOf } from '../../corpora/shared/read-rows.ts';
import type { Row } from '../../corpora/shared/row.ts';
import type { DistanceRow } from '../../studies/degradation/distance-table.ts';

const columns = ['pair', 'transformation', 'parameter', 'group', 'distance'] as const;

/** What stands for the parameter in rows before the transformation. */
const before = 'original';

/**
 * Reads a TSV, CSV or JSONL file of distances: pair, transformation, parameter, group, distance. The parameter `original`
 * marks what was measured before the transformation; without a transformation it counts for all of the pair's.
 *
 * @throws EarwitnessError `bad-input` with file, line and column
 */
export async function readDistances(file: string): Promise<DistanceRow[]> {
  if (!/\.(tsv|tab|csv|jsonl|ndjson|json)$/i.test(file)) {
    throw new EarwitnessError(
      'bad-input',
      `${file}: expected a name that ends in .tsv, .csv or .jsonl; rename the file`,
    );
  }
  const rows: DistanceRow[] = [];
  const lines = new Map<string, number>();
  for await (const row of readRows(file, file, rowFormatOf(file))) {
    const read = distanceRow(row);
    const key = JSON.stringify([read.pair, read.transformation, read.parameter, read.group]);
    const earlier = lines.get(key);
    if (earlier !== undefined) {
      throw new EarwitnessError(
        'bad-input',
        `${row.place()}: expected one distance for each pair, transformation, parameter and group, but line ${earlier} has it too; take one out`,
      );
    }
    lines.set(key, row.line);
    rows.push(read);
  }
  if (rows.length === 0) {
    throw new EarwitnessError('bad-input', `${file}: expected at least one distance, but the file has none`);
  }
  return rows;
}

function distanceRow(row: Row): DistanceRow {
  for (const name of columns) {
    if (row.names.includes(name)) continue;
    const near = nearestName(name, row.names);
    throw new EarwitnessError(
      'bad-input',
      `${row.place()}: expected the columns ${columns.join(', ')}, but there is no ${JSON.stringify(name)}; ${near === null ? 'add it' : `rename ${JSON.stringify(limitText(near, 100))}`}`,
    );
  }
  const [pair, parameter, group] = (['pair', 'parameter', 'group'] as const).map((name) => need(row, name));
  const transformation = row.text('transformation')?.trim() ?? '';
  const isBefore = parameter!.toLowerCase() === before;
  if (transformation === '' && !isBefore) {
    throw new EarwitnessError(
      'bad-input',
      `${row.place('transformation')}: expected a transformation, but it is empty; only rows with the parameter ${before} may lack it`,
    );
  }
  const written = need(row, 'distance');
  const distance = Number(written);
  if (!(Number.isFinite(distance) && distance >= 0)) {
    throw new EarwitnessError(
      'bad-input',
      `${row.place('distance')}: expected a distance of 0 or more, but got ${JSON.stringify(limitText(written, 40))}; correct it or take the row out`,
    );
  }
  return {
    pair: pair!,
    transformation: transformation === '' ? null : transformation,
    parameter: isBefore ? null : parameter!,
    group: group!,
    distance,
  };
}

function need(row: Row, name: (typeof columns)[number]): string {
  const text = row.text(name)?.trim() ?? '';
  if (text !== '') return text;
  throw new EarwitnessError('bad-input', `${row.place(name)}: expected a ${name}, but it is empty; fill it in`);
}
