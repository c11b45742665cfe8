import {
  add,
  advance,
  type Code,
  countDown,
  get,
  integer,
  type Local,
  loadInteger,
  set,
  subtract,
  type WasmFunction,
} from './assembler.ts';
import { type Complex, complexBytes, complexes, imaginary, loadComplex } from './complex-numbers.ts';
import { lanes, storeVector } from './vectors.ts';

/** Two addresses at the start of a row. */
const tableIndexBytes = 8;

/**
 * Spectrum of a real signal, two samples of which were one complex number, times a response. Parameters: transform, table,
 * spectrum, bins. A row of the table: addresses (from the transform) of bin k and of bin -k, then the numbers by which
 * their sum and their difference (the second conjugated) count. (Press et al., Numerical Recipes, section 12.3.)
 */
export function spectrumFunction(response: 'real' | 'complex'): WasmFunction {
  return {
    name: 'spectrum',
    parameters: 4,
    body(scope) {
      const [transform, table, spectrum, bins] = [0, 1, 2, 3];
      const [own, mirrored, sum, difference] = complexes(scope, 4) as [Complex, Complex, Complex, Complex];
      const weights = Array.from({ length: response === 'real' ? 3 : 4 }, () => scope.v128());
      const [sumRe, differenceRe, differenceIm, sumIm] = weights as [Local, Local, Local, Local];
      const plus = (first: Code, second: Code) => lanes.add(first, second);
      const times = (first: Local, second: Local) => lanes.multiply(get(first), get(second));
      const weightedSum: [Code, Code] =
        response === 'real'
          ? [times(sum.re, sumRe), times(sum.im, sumRe)]
          : [
              lanes.subtract(times(sum.re, sumRe), times(sum.im, sumIm)),
              plus(times(sum.re, sumIm), times(sum.im, sumRe)),
            ];
      const step = tableIndexBytes + weights.length * 4;
      return [
        countDown(bins, [
          ...loadComplex(own, add(get(transform), loadInteger(get(table))), 0),
          ...loadComplex(mirrored, add(get(transform), loadInteger(get(table), 4)), 0),
          ...weights.map((weight, index) => set(weight, lanes.splat(get(table), tableIndexBytes + index * 4))),
          set(sum.re, lanes.add(get(own.re), get(mirrored.re))),
          set(sum.im, lanes.subtract(get(own.im), get(mirrored.im))),
          set(difference.re, lanes.subtract(get(own.re), get(mirrored.re))),
          set(difference.im, lanes.add(get(own.im), get(mirrored.im))),
          storeVector(
            get(spectrum),
            plus(
              weightedSum[0],
              lanes.subtract(times(difference.re, differenceRe), times(difference.im, differenceIm)),
            ),
          ),
          storeVector(
            get(spectrum),
            plus(weightedSum[1], plus(times(difference.re, differenceIm), times(difference.im, differenceRe))),
            imaginary,
          ),
          advance(table, integer(step)),
          advance(spectrum, integer(complexBytes)),
        ]),
      ];
    },
  };
}

/**
 * From the spectrum of a real signal to the transform that gives two of its samples as one complex number. Parameters:
 * first bin, last bin (half the sample rate), table, transform, count (half the length of the transform, rounded down,
 * plus 1). A row of the table: addresses of the places k and -k, and i e^(i angle of k). Real and imaginary parts change
 * places, which makes a forward transform a backward one.
 */
export const packFunction: WasmFunction = {
  name: 'pack',
  parameters: 5,
  body(scope) {
    const [low, high, table, transform, count] = [0, 1, 2, 3, 4];
    const [first, last, difference, turned] = complexes(scope, 4) as [Complex, Complex, Complex, Complex];
    const [cosine, sine] = [scope.v128(), scope.v128()];
    const place = (offset: number) => add(get(transform), loadInteger(get(table), offset));
    const times = (value: Local, by: Local) => lanes.multiply(get(value), get(by));
    return [
      countDown(count, [
        ...loadComplex(first, get(low), 0),
        ...loadComplex(last, get(high), 0),
        set(cosine, lanes.splat(get(table), tableIndexBytes)),
        set(sine, lanes.splat(get(table), tableIndexBytes + 4)),
        set(difference.re, lanes.subtract(get(first.re), get(last.re))),
        set(difference.im, lanes.add(get(first.im), get(last.im))),
        set(first.re, lanes.add(get(first.re), get(last.re))),
        set(first.im, lanes.subtract(get(first.im), get(last.im))),
        set(turned.re, lanes.subtract(times(difference.re, cosine), times(difference.im, sine))),
        set(turned.im, lanes.add(times(difference.re, sine), times(difference.im, cosine))),
        storeVector(place(0), lanes.add(get(first.re), get(turned.re)), imaginary),
        storeVector(place(0), lanes.add(get(first.im), get(turned.im))),
        storeVector(place(4), lanes.subtract(get(first.re), get(turned.re)), imaginary),
        storeVector(place(4), lanes.subtract(get(turned.im), get(first.im))),
        advance(table, integer(tableIndexBytes + 2 * 4)),
        advance(low, integer(complexBytes)),
        set(high, subtract(get(high), integer(complexBytes))),
      ]),
    ];
  },
};
