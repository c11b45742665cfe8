import { type Code, type FunctionScope, get, type Local, sequence, set } from './assembler.ts';
import { type Complex, complexes } from './complex-numbers.ts';
import { lanes } from './vectors.ts';

/** The transform of a few complex numbers: constants to be set before, and what is done with each few. */
export interface SmallTransform {
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
