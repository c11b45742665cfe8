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
