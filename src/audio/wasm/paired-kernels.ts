import {
  add,
  advance,
  countDown,
  type FunctionScope,
  get,
  integer,
  multiply,
  set,
  type WasmFunction,
} from './assembler.ts';
import { type Complex, complexBytes, complexes, loadComplex, storeComplex } from './complex-numbers.ts';
import { doubles } from './vectors.ts';

/** Bytes of the three twiddle factors of a place: cosine and sine of each, as doubles. */
export const placeBytes = 48;

/**
 * One stage of Fourier transforms of two signals in double precision, one in each half of a vector: radix 4 of Stockham's
 * self-sorting method, operation for operation as `createFft` does it, so that the numbers are the same bit for bit.
 * Parameters: from, to, twiddles, places, stride (both 1 or more), bytes of a quarter of the numbers.
 */
export const pairedStageFunction: WasmFunction = {
  name: 'stage',
  parameters: 6,
  body(scope) {
    const [from, to, twiddles, places, stride, quarter] = [0, 1, 2, 3, 4, 5];
    const [counter, strideBytes] = [scope.i32(), scope.i32()];
    const legs = complexes(scope, 4);
    const factors = complexes(scope, 3);
    const [a, b, c, d] = legs as [Complex, Complex, Complex, Complex];
    const [sumAc, differenceAc, sumBd, differenceBd, y] = complexes(scope, 5) as [
      Complex,
      Complex,
      Complex,
      Complex,
      Complex,
    ];
    const output = (leg: number) => add(get(to), multiply(get(strideBytes), integer(leg)));
    const turned = (leg: number) => [...multiplied(scope, y, factors[leg - 1]!), ...storeComplex(output(leg), y, 0)];
    return [
      set(strideBytes, multiply(get(stride), integer(complexBytes))),
      countDown(places, [
        ...factors.flatMap(({ re, im }, index) => [
          set(re, doubles.splat(get(twiddles), 16 * index)),
          set(im, doubles.splat(get(twiddles), 16 * index + 8)),
        ]),
        set(counter, get(stride)),
        countDown(counter, [
          ...legs.flatMap((leg, k) => loadComplex(leg, add(get(from), multiply(get(quarter), integer(k))), 0)),
          ...combined(sumAc, a, c, doubles.add),
          ...combined(differenceAc, a, c, doubles.subtract),
          ...combined(sumBd, b, d, doubles.add),
          ...combined(differenceBd, b, d, doubles.subtract),
          ...combined(y, sumAc, sumBd, doubles.add),
          ...storeComplex(output(0), y, 0),
          set(y.re, doubles.add(get(differenceAc.re), get(differenceBd.im))),
          set(y.im, doubles.subtract(get(differenceAc.im), get(differenceBd.re))),
          ...turned(1),
          ...combined(y, sumAc, sumBd, doubles.subtract),
          ...turned(2),
          set(y.re, doubles.subtract(get(differenceAc.re), get(differenceBd.im))),
          set(y.im, doubles.add(get(differenceAc.im), get(differenceBd.re))),
          ...turned(3),
          advance(from, integer(complexBytes)),
          advance(to, integer(complexBytes)),
        ]),
        advance(to, multiply(get(strideBytes), integer(3))),
        advance(twiddles, integer(placeBytes)),
      ]),
    ];
  },
};

function combined(into: Complex, first: Complex, second: Complex, operation: typeof doubles.add) {
  return [
    set(into.re, operation(get(first.re), get(second.re))),
    set(into.im, operation(get(first.im), get(second.im))),
  ];
}

/** Statements: the first becomes the product of both. */
function multiplied(scope: FunctionScope, value: Complex, factor: Complex) {
  const real = scope.v128();
  return [
    set(
      real,
      doubles.subtract(
        doubles.multiply(get(value.re), get(factor.re)),
        doubles.multiply(get(value.im), get(factor.im)),
      ),
    ),
    set(
      value.im,
      doubles.add(doubles.multiply(get(value.re), get(factor.im)), doubles.multiply(get(value.im), get(factor.re))),
    ),
    set(value.re, get(real)),
  ];
}
