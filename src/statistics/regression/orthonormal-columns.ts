/** Columns that are orthogonal and have mean square 1, and how the given ones are made of them. */
export interface OrthonormalColumns {
  readonly columns: readonly Float64Array[];
  /** Upper triangle, row after row: given column j is the sum over i <= j of triangle[i][j] times column i. */
  readonly triangle: Float64Array;
  /** Given columns that are combinations of those before them, and therefore have no coefficient of their own. */
  readonly dependent: readonly number[];
}

/**
 * Makes columns orthonormal by the modified Gram-Schmidt process, done twice ("twice is enough": L. Giraud and others,
 * Numerische Mathematik 101, 2005). Fits are made on these columns, so that units and offsets of covariates (Hz, years)
 * cost no precision, and collinear columns are found.
 *
 * @param tolerance the share of a column's length, after its mean is taken out where the first column is constant, below
 *   which it is called dependent
 */
export function orthonormalColumns(given: readonly Float64Array[], tolerance = 1e-9): OrthonormalColumns {
  const count = given.length;
  const rows = given[0]?.length ?? 0;
  const triangle = new Float64Array(count * count);
  const columns: Float64Array[] = [];
  const dependent: number[] = [];
  for (let place = 0; place < count; place++) {
    const rest = Float64Array.from(given[place]!);
    let before = 0;
    for (const value of rest) before = Math.max(before, Math.abs(value));
    let centred = before;
    for (let pass = 0; pass < 2; pass++) {
      for (let other = 0; other < place; other++) {
        const column = columns[other]!;
        let product = 0;
        for (let row = 0; row < rows; row++) product += column[row]! * rest[row]!;
        product /= rows;
        for (let row = 0; row < rows; row++) rest[row]! -= product * column[row]!;
        triangle[other * count + place]! += product;
        if (pass === 0 && other === 0) centred = largest(rest);
      }
    }
    let squares = 0;
    for (const value of rest) squares += value * value;
    const length = Math.sqrt(squares / rows);
    // Below the first bound what is left of a constant column is rounding.
    if (!(length > 1e-13 * before) || !(length > tolerance * centred)) {
      dependent.push(place);
      columns.push(new Float64Array(rows));
      triangle[place * count + place] = 1;
    } else {
      columns.push(rest.map((value) => value / length));
      triangle[place * count + place] = length;
    }
  }
  return { columns, triangle, dependent };
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/** The inverse of an upper triangle, row after row: what turns coefficients of orthonormal columns into the given ones'. */
export function invertTriangle(triangle: Float64Array, size: number): Float64Array {
  const inverse = new Float64Array(size * size);
  for (let column = 0; column < size; column++) {
    inverse[column * size + column] = 1 / triangle[column * size + column]!;
    for (let row = column - 1; row >= 0; row--) {
      let sum = 0;
      for (let inner = row + 1; inner <= column; inner++) {
        sum -= triangle[row * size + inner]! * inverse[inner * size + column]!;
      }
      inverse[row * size + column] = sum / triangle[row * size + row]!;
    }
  }
  return inverse;
}
