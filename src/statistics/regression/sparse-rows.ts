/** A table most of whose values are 0: of each row the columns that are not, and their values. */
export interface SparseRows {
  readonly rows: number;
  readonly columns: number;
  /** Where each row begins in `indexes` and `values`; one more than there are rows, the last being their length. */
  readonly starts: Uint32Array;
  /** Columns of the values; each at most once in a row. */
  readonly indexes: Uint32Array;
  readonly values: Float64Array;
}

/**
 * A sparse table from rows of column and value.
 *
 * @throws RangeError for a column outside the table or twice in a row, or a value that is not finite
 * @example sparseRows([[[0, 1]], [[0, 2], [2, 1]]], 3)
 */
export function sparseRows(
  rows: readonly (readonly (readonly [column: number, value: number])[])[],
  columns: number,
): SparseRows {
  const size = rows.reduce((sum, row) => sum + row.length, 0);
  const starts = new Uint32Array(rows.length + 1);
  const indexes = new Uint32Array(size);
  const values = new Float64Array(size);
  let place = 0;
  rows.forEach((row, number) => {
    const seen = new Set<number>();
    for (const [column, value] of row) {
      if (!(Number.isInteger(column) && column >= 0 && column < columns) || seen.has(column)) {
        throw new RangeError(
          `expected each of ${columns} columns at most once in a row, but row ${number} has ${column}`,
        );
      }
      if (!Number.isFinite(value)) throw new RangeError(`expected finite values, but row ${number} has ${value}`);
      seen.add(column);
      indexes[place] = column;
      values[place++] = value;
    }
    starts[number + 1] = place;
  });
  return { rows: rows.length, columns, starts, indexes, values };
}

/** Some of the rows, in the order given. */
export function takeRows(table: SparseRows, kept: ArrayLike<number>): SparseRows {
  const starts = new Uint32Array(kept.length + 1);
  for (let row = 0; row < kept.length; row++) {
    const from = kept[row]!;
    starts[row + 1] = starts[row]! + table.starts[from + 1]! - table.starts[from]!;
  }
  const indexes = new Uint32Array(starts[kept.length]!);
  const values = new Float64Array(starts[kept.length]!);
  for (let row = 0; row < kept.length; row++) {
    const [start, end] = [table.starts[kept[row]!]!, table.starts[kept[row]! + 1]!];
    indexes.set(table.indexes.subarray(start, end), starts[row]!);
    values.set(table.values.subarray(start, end), starts[row]!);
  }
  return { rows: kept.length, columns: table.columns, starts, indexes, values };
}

/** Writes the product of the table with a vector of its columns: one number for each row, plus `constant`. */
export function timesColumns(table: SparseRows, vector: Float64Array, constant: number, into: Float64Array): void {
  const { rows, starts, indexes, values } = table;
  for (let row = 0; row < rows; row++) {
    let sum = constant;
    for (let place = starts[row]!; place < starts[row + 1]!; place++) sum += values[place]! * vector[indexes[place]!]!;
    into[row] = sum;
  }
}

/** Adds the product of a vector of the rows with the table: one number for each column. */
export function addTimesRows(table: SparseRows, vector: Float64Array, into: Float64Array): void {
  const { rows, starts, indexes, values } = table;
  for (let row = 0; row < rows; row++) {
    const factor = vector[row]!;
    for (let place = starts[row]!; place < starts[row + 1]!; place++) into[indexes[place]!]! += values[place]! * factor;
  }
}
