import {
  add,
  advance,
  type Code,
  countDown,
  type FunctionScope,
  get,
  integer,
  type Local,
  loadInteger,
  sequence,
  set,
  subtract,
  type WasmFunction,
} from './assembler.ts';
import { type Complex, complexBytes, complexes, imaginary, lanes, loadComplex, storeVector } from './vectors.ts';

/** The transform of a few complex numbers: constants to be set before, and what is done with each few. */
interface SmallTransform {
  readonly prepare: Code;
  /** In place. */
  apply(legs: readonly Complex[]): Code;
}

/** The transform of a few complex numbers in variables, in place: sums of x[n] e^(-2 pi i k n / radix). */
export function smallTransform(scope: FunctionScope, radix: number): SmallTransform {
  if (radix === 2) {
    const spare = scope.v128();
    return { prepare: [], apply: (legs: readonly Complex[]) => butterfly(legs[0]!, legs[1]!, spare) };
  }
  if (radix === 4) {
    const spare = scope.v128();
    return { prepare: [], apply: (legs: readonly Complex[]) => fourPoints(legs, spare) };
  }
  return oddTransform(scope, radix);
}

/** first, second = first + second, first - second */
function butterfly(first: Complex, second: Complex, spare: Local): Code {
  return sequence(
    (
      [
        [first.re, second.re],
        [first.im, second.im],
      ] as const
    ).flatMap(([a, b]) => [
      set(spare, lanes.subtract(get(a), get(b))),
      set(a, lanes.add(get(a), get(b))),
      set(b, get(spare)),
    ]),
  );
}

function fourPoints(legs: readonly Complex[], spare: Local): Code {
  const [a, b, c, d] = legs as [Complex, Complex, Complex, Complex];
  const exchange = (first: Local, second: Local) =>
    sequence([set(spare, get(first)), set(first, get(second)), set(second, get(spare))]);
  return sequence([
    butterfly(a, c, spare),
    butterfly(b, d, spare),
    butterfly(a, b, spare),
    // c - i d and c + i d
    set(spare, lanes.add(get(c.re), get(d.im))),
    set(c.re, lanes.subtract(get(c.re), get(d.im))),
    set(d.im, lanes.subtract(get(c.im), get(d.re))),
    set(c.im, lanes.add(get(c.im), get(d.re))),
    set(d.re, get(spare)),
    // Here a, b, d, c are the places 0, 2, 1, 3.
    exchange(b.re, c.re),
    exchange(b.im, c.im),
    exchange(b.re, d.re),
    exchange(b.im, d.im),
  ]);
}

/** By definition, a pair of mirrored terms at a time. */
function oddTransform(scope: FunctionScope, radix: number): SmallTransform {
  const pairs = (radix - 1) / 2;
  const turn = Array.from({ length: pairs }, (_, j) => (2 * Math.PI * (j + 1)) / radix);
  const cosines = turn.map(() => scope.v128());
  const sines = turn.map(() => scope.v128());
  const sums = complexes(scope, pairs);
  const differences = complexes(scope, pairs);
  const [even, odd] = complexes(scope, 2) as [Complex, Complex];
  const prepare = sequence([
    ...turn.map((angle, j) => set(cosines[j]!, lanes.constant(Math.cos(angle)))),
    ...turn.map((angle, j) => set(sines[j]!, lanes.constant(Math.sin(angle)))),
  ]);
  const apply = (legs: readonly Complex[]): Code => {
    const origin = legs[0]!;
    const statements: Code[] = [];
    for (let j = 1; j <= pairs; j++) {
      for (const part of ['re', 'im'] as const) {
        const [low, high] = [get(legs[j]![part]), get(legs[radix - j]![part])];
        statements.push(set(sums[j - 1]![part], lanes.add(low, high)));
        statements.push(set(differences[j - 1]![part], lanes.subtract(low, high)));
      }
    }
    for (let k = 1; k <= pairs; k++) {
      const total = (start: Code | null, term: (j: number) => { weight: Local; value: Local; negative: boolean }) => {
        let code = start;
        for (let j = 1; j <= pairs; j++) {
          const { weight, value, negative } = term(j);
          const product = lanes.multiply(get(weight), get(value));
          // The first term is never negative.
          if (code === null) code = product;
          else code = negative ? lanes.subtract(code, product) : lanes.add(code, product);
        }
        return code!;
      };
      const folded = (j: number) => {
        const place = (j * k) % radix;
        return place <= pairs ? { index: place - 1, past: false } : { index: radix - place - 1, past: true };
      };
      const byCosine = (part: 're' | 'im') => (j: number) => ({
        weight: cosines[folded(j).index]!,
        value: sums[j - 1]![part],
        negative: false,
      });
      const bySine = (part: 're' | 'im') => (j: number) => ({
        weight: sines[folded(j).index]!,
        value: differences[j - 1]![part],
        negative: folded(j).past,
      });
      const [low, high] = [legs[k]!, legs[radix - k]!];
      statements.push(
        set(even.re, total(get(origin.re), byCosine('re'))),
        set(even.im, total(get(origin.im), byCosine('im'))),
        set(odd.re, total(null, bySine('im'))),
        set(odd.im, total(null, bySine('re'))),
        set(low.re, lanes.add(get(even.re), get(odd.re))),
        set(low.im, lanes.subtract(get(even.im), get(odd.im))),
        set(high.re, lanes.subtract(get(even.re), get(odd.re))),
        set(high.im, lanes.add(get(even.im), get(odd.im))),
      );
    }
    for (const part of ['re', 'im'] as const) {
      for (const sum of sums) statements.push(set(origin[part], lanes.add(get(origin[part]), get(sum[part]))));
    }
    return sequence(statements);
  };
  return { prepare, apply };
}

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
