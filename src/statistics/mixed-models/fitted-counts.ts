import { printable } from '../../base/printable.ts';
import type { Reason } from '../../model/reason.ts';
import { chiSquareUpperTail, incompleteBeta, normalQuantile, studentQuantile } from '../distributions.ts';
import { invertTriangle } from '../regression/design-matrix.ts';
import type { CountRows, PreparedCounts } from './count-data.ts';
import type { CountFit } from './fit-counts.ts';
import type { CountModel } from './fit-fixed-effects.ts';

/** How a count regression is made. */
export interface CountMethod extends CountModel {
  readonly name: string;
  /** `expected`: standard errors with theta held, as MASS; `observed`: with theta estimated too, as statsmodels. */
  readonly information: 'observed' | 'expected';
}

/** A fitted model, with what its tests and intervals need. */
export interface FittedCounts {
  readonly prepared: PreparedCounts;
  readonly method: CountMethod;
  readonly separated: SeparatedLevels;
  /** Without the rows of separated levels. */
  readonly rows: CountRows;
  /** The columns that were fitted, as places in the design. */
  readonly places: readonly number[];
  /** These, made orthonormal. */
  readonly columns: readonly Float64Array[];
  readonly triangle: Float64Array;
  readonly fit: CountFit;
  /** What a likelihood ratio of each column of the design is held against; a sentence where nothing can be. */
  readonly references: readonly (LikelihoodRatioReference | Reason)[];
}

/** Columns of the design, by their places, over the rows that `keep` takes. */
export function columnsOver(
  prepared: PreparedCounts,
  places: readonly number[],
  keep: (row: number) => boolean,
): Float64Array[] {
  return places.map((place) => prepared.design.columns[place]!.values.filter((_, row) => keep(row)));
}

/** Levels of factors without a single error: their rate is estimated as 0, its logarithm as minus infinity. */
interface SeparatedLevels {
  /** Columns of the design matrix. */
  readonly columns: ReadonlySet<number>;
  /** Whether a row is of none of these levels. */
  keep(row: number): boolean;
  /** Why there is no fit, if a reference level has no errors. */
  readonly reason?: Reason;
}

/**
 * Finds levels without errors. Rows of these fit perfectly whatever the rest of the model, so that the rest is fitted
 * without them.
 */
export function separatedLevels(prepared: PreparedCounts): SeparatedLevels {
  const { design, errors } = prepared;
  const columns = new Set<number>();
  let reason: Reason | undefined;
  for (const term of design.terms) {
    if (term.kind !== 'factor') continue;
    let levelErrors = 0;
    let allErrors = 0;
    for (const error of errors) allErrors += error;
    design.columns.forEach((column, index) => {
      if (column.term !== term.name) return;
      let own = 0;
      for (let row = 0; row < errors.length; row++) own += column.values[row]! * errors[row]!;
      levelErrors += own;
      if (own === 0) columns.add(index);
    });
    if (levelErrors === allErrors && term.levels!.length > 1) {
      reason = {
        code: 'no-errors-at-reference',
        level: printable(term.levels![0]!),
        factor: printable(term.name),
      };
    }
  }
  const separated = [...columns].map((column) => design.columns[column]!.values);
  const keep = (row: number) => separated.every((values) => values[row] === 0);
  return reason === undefined ? { columns, keep } : { columns, keep, reason };
}

/** What a likelihood ratio is held against. */
export interface LikelihoodRatioReference {
  readonly name: string;
  /** Null where the chi-square distribution is used. */
  readonly degreesOfFreedom: number | null;
  /** P value of twice a difference of log-likelihoods by so many coefficients. */
  pValue(likelihoodRatio: number, coefficients: number): number;
  /** The signed root of a likelihood ratio of one coefficient at which a confidence interval ends. */
  root(level: number): number;
  /** Standard errors to either side at which a Wald interval ends. */
  deviate(level: number): number;
}

/** The large-sample reference: right for what varies within speakers, and in models without speakers. */
export const chiSquareReference: LikelihoodRatioReference = {
  name: 'likelihood-ratio test, chi-square',
  degreesOfFreedom: null,
  pValue: (likelihoodRatio, coefficients) => chiSquareUpperTail(Math.max(0, likelihoodRatio), coefficients),
  root: (level) => normalQuantile((1 + level) / 2),
  deviate: (level) => normalQuantile((1 + level) / 2),
};

/**
 * The reference for what differs between speakers only (their group): the speakers are the sample then, however many
 * words each says. In a normal model with S speakers and b coefficients between speakers the likelihood ratio of q of
 * these is S log(1 + q F / (S - b)), with F exactly of the F distribution with q and S - b degrees of freedom; the same
 * relation is used here (between-within degrees of freedom: M. Schluchter and J. Elashoff, J. Statistical Computation and
 * Simulation 37, 1990). The variance's maximum-likelihood estimate being too small by (S - b) / S is mended with it.
 *
 * @param coefficients between speakers, the intercept included; fewer than `speakers`
 */
export function betweenSpeakerReference(speakers: number, coefficients: number): LikelihoodRatioReference {
  const degreesOfFreedom = speakers - coefficients;
  const deviate = (level: number) => studentQuantile((1 + level) / 2, degreesOfFreedom);
  return {
    name: `likelihood-ratio test, F with ${degreesOfFreedom} between-speaker degrees of freedom`,
    degreesOfFreedom,
    pValue: (likelihoodRatio, tested) => {
      const ratio = Math.expm1(Math.max(0, likelihoodRatio) / speakers);
      return incompleteBeta(1 / (1 + ratio), degreesOfFreedom / 2, tested / 2);
    },
    root: (level) => Math.sqrt(speakers * Math.log1p(deviate(level) ** 2 / degreesOfFreedom)),
    deviate: (level) => deviate(level) * Math.sqrt(speakers / degreesOfFreedom),
  };
}

/** Where a search begins when some coefficients are held. */
interface HeldStart {
  /** The point to expect, by the normal approximation at the maximum. */
  pointAt(values: ArrayLike<number>): Float64Array;
  readonly inverse: Float64Array;
}

/**
 * For a fit with some coefficients held: what the others are expected to be given these values, and their conditional
 * covariances, which are the inverse Hessian there. Null where the fit has no variances to go by (they are 0), so that the
 * held fit must be searched from afar.
 *
 * @param held places among the fitted columns, to be held
 * @param triangle of the other columns, made orthonormal by themselves
 */
export function heldStart(fitted: FittedCounts, held: readonly number[], triangle: Float64Array): HeldStart | null {
  const { fit, method, places } = fitted;
  const width = places.length;
  const expected = width + (method.rule === null ? 0 : 1) + (method.dispersion === null ? 1 : 0);
  if (fit.size !== expected) return null;
  const size = fit.size;
  // From orthonormal to given columns; spread and root of the dispersion stay.
  const back = identityFrom(invertTriangle(fitted.triangle, width), width, size);
  const covariance = sandwich(back, fit.covariance, size, size);
  const point = new Float64Array(size);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) {
      point[row]! += back[row * size + column]! * fit.coefficients[column]!;
    }
  }
  let place = width;
  if (method.rule !== null) point[place++] = fit.spread;
  if (method.dispersion === null) point[place] = Math.sqrt(fit.dispersion);

  // Taken out one after another: what is known of each held one is subtracted from the others' covariances.
  const pulls: { readonly index: number; readonly pull: Float64Array }[] = [];
  for (const index of held) {
    const variance = covariance[index * size + index]!;
    const pull = Float64Array.from({ length: size }, (_, other) => covariance[other * size + index]! / variance);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        covariance[row * size + column]! -= pull[row]! * pull[column]! * variance;
      }
    }
    pulls.push({ index, pull });
  }
  const others = Array.from({ length: size }, (_, index) => index).filter((index) => !held.includes(index));
  const rest = others.length;
  const conditional = new Float64Array(rest * rest);
  others.forEach((first, row) => {
    others.forEach((second, column) => {
      conditional[row * rest + column] = covariance[first * size + second]!;
    });
  });
  const forth = identityFrom(triangle, width - held.length, rest);
  return {
    pointAt(values) {
      const moved = Float64Array.from(point);
      pulls.forEach(({ index, pull }, order) => {
        const change = values[order]! - moved[index]!;
        for (let other = 0; other < size; other++) moved[other]! += pull[other]! * change;
      });
      const given = others.map((index) => moved[index]!);
      return Float64Array.from({ length: rest }, (_, row) =>
        given.reduce((sum, value, column) => sum + forth[row * rest + column]! * value, 0),
      );
    },
    inverse: sandwich(forth, conditional, rest, rest),
  };
}

/** A matrix in the upper left corner of an identity. */
function identityFrom(matrix: Float64Array, width: number, size: number): Float64Array {
  const whole = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    if (row >= width) whole[row * size + row] = 1;
    else for (let column = 0; column < width; column++) whole[row * size + column] = matrix[row * width + column]!;
  }
  return whole;
}

/** matrix x inner x its transpose. */
function sandwich(matrix: Float64Array, inner: Float64Array, rows: number, size: number): Float64Array {
  const product = new Float64Array(rows * size);
  const result = new Float64Array(rows * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < size; column++) {
      for (let middle = 0; middle < size; middle++) {
        product[row * size + column]! += matrix[row * size + middle]! * inner[middle * size + column]!;
      }
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < rows; column++) {
      for (let middle = 0; middle < size; middle++) {
        result[row * rows + column]! += product[row * size + middle]! * matrix[column * size + middle]!;
      }
    }
  }
  return result;
}
