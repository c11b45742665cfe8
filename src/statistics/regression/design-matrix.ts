import { printable } from '../../base/printable.ts';

/**
 * What the outcome may depend on, by name, one value for each row. Texts make a factor (one column for each level but the
 * reference), numbers a covariate (one column).
 */
export type Predictors = Readonly<Record<string, readonly string[] | ArrayLike<number>>>;

export interface DesignColumn {
  /** `(intercept)`, the covariate's name, or `factor: level`. */
  readonly name: string;
  /** The predictor it comes from; null for the intercept. */
  readonly term: string | null;
  /** Of a factor: the level that has 1 here, and the one that has 0 in all columns. */
  readonly level?: string;
  readonly reference?: string;
  readonly values: Float64Array;
}

export interface DesignTerm {
  readonly name: string;
  readonly kind: 'factor' | 'covariate';
  /** Of a factor, the reference first. */
  readonly levels?: readonly string[];
}

export interface DesignMatrix {
  readonly rows: number;
  /** The intercept first. */
  readonly columns: readonly DesignColumn[];
  readonly terms: readonly DesignTerm[];
}

/**
 * A design matrix with treatment contrasts: an intercept, and for each level of a factor but the reference a column that
 * is 1 where the row has that level, so that its coefficient is the difference from the reference (R's default).
 *
 * @param references the reference level of a factor; by default the first in the order of UTF-16 codes
 * @param kept the rows to take, all by default
 * @throws RangeError for lengths that differ, numbers that are not finite, values that are neither text nor number, a
 *   reference that does not occur or is given for no factor
 * @example
 * designMatrix({ group: ['a', 'b', 'b'], snrDb: [0, 10, 20] }).columns.map((column) => column.name)
 * // ['(intercept)', 'group: b', 'snrDb']
 */
export function designMatrix(
  predictors: Predictors,
  options: {
    readonly rows?: number;
    readonly references?: Readonly<Record<string, string>>;
    readonly kept?: readonly number[];
  } = {},
): DesignMatrix {
  const { references = {} } = options;
  const entries = Object.entries(predictors);
  const length = options.rows ?? entries[0]?.[1].length ?? 0;
  const kept = options.kept ?? Array.from({ length }, (_, row) => row);
  for (const name of Object.keys(references)) {
    if (!Object.hasOwn(predictors, name)) {
      throw new RangeError(`expected references of predictors, but there is none called ${printable(name)}`);
    }
  }

  const columns: DesignColumn[] = [{ name: '(intercept)', term: null, values: new Float64Array(kept.length).fill(1) }];
  const terms: DesignTerm[] = [];
  for (const [name, given] of entries) {
    if (given.length !== length) {
      throw new RangeError(`expected ${length} values of ${printable(name)}, but got ${given.length}`);
    }
    if (typeof given[0] === 'string') {
      const labels = given as readonly string[];
      const wanted = Object.hasOwn(references, name) ? references[name] : undefined;
      const levels = factorLevels(name, labels, kept, wanted);
      terms.push({ name, kind: 'factor', levels });
      for (const level of levels.slice(1)) {
        const values = Float64Array.from(kept, (row) => (labels[row] === level ? 1 : 0));
        columns.push({ name: `${name}: ${level}`, term: name, level, reference: levels[0]!, values });
      }
    } else {
      if (Object.hasOwn(references, name)) {
        throw new RangeError(`expected a reference for a factor, but ${printable(name)} holds numbers`);
      }
      const values = Float64Array.from(kept, (row) => {
        const value = given[row];
        if (typeof value !== 'number' || !Number.isFinite(value)) {
          throw new RangeError(`expected finite numbers, but ${printable(name)} has ${printable(String(value))}`);
        }
        return value;
      });
      terms.push({ name, kind: 'covariate' });
      columns.push({ name, term: name, values });
    }
  }
  return { rows: kept.length, columns, terms };
}

function factorLevels(name: string, labels: readonly string[], kept: readonly number[], wanted?: string): string[] {
  for (const label of labels) {
    if (typeof label !== 'string') {
      throw new RangeError(`expected texts, but ${printable(name)} has ${printable(String(label))}`);
    }
  }
  const levels = [...new Set(kept.map((row) => labels[row]!))].sort();
  if (wanted === undefined) return levels;
  if (!labels.includes(wanted)) {
    throw new RangeError(`expected a level of ${printable(name)} as its reference, but got ${printable(wanted)}`);
  }
  return levels.includes(wanted) ? [wanted, ...levels.filter((level) => level !== wanted)] : levels;
}

/** Columns that are orthogonal and have mean square 1, and how the given ones are made of them. */
interface OrthonormalColumns {
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
