/** @throws RangeError where a value is not finite, a fault of the caller */
export function requireFinite(values: ArrayLike<number>, what: string): void {
  for (let index = 0; index < values.length; index++) {
    if (!Number.isFinite(values[index]!)) {
      throw new RangeError(`expected finite ${what}, but number ${index} is ${values[index]}`);
    }
  }
}

const maxSquared = 1e150;

/** @throws RangeError where a value is not finite, or so large that sums of squares would not be */
export function requireSquares(values: ArrayLike<number>, what: string): void {
  requireFinite(values, what);
  for (let index = 0; index < values.length; index++) {
    if (Math.abs(values[index]!) > maxSquared) {
      throw new RangeError(`expected ${what} of at most ${maxSquared}, but number ${index} is ${values[index]}`);
    }
  }
}
