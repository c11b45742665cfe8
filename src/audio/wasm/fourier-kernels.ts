import {
  add,
  advance,
  type Code,
  countDown,
  type FunctionScope,
  get,
  integer,
  multiply,
  sequence,
  set,
  type WasmFunction,
} from './assembler.ts';
import { complexBytes, complexes, loadComplex, storeComplex } from './complex-numbers.ts';
import { smallTransform } from './small-transforms.ts';
import { lanes } from './vectors.ts';

/** Names of the functions for one radix. */
export const stageNames = (radix: number) => ({
  /** (base, blocks): of every `radix` neighbours. */
  plain: `plain${radix}`,
  /** (base, blocks, inner, part bytes, twiddles) */
  forward: `forward${radix}`,
  /** (base, blocks, inner, part bytes, twiddles) */
  backward: `backward${radix}`,
});

/**
 * Fourier transforms of several signals at once, one in each lane: a complex number is two vectors, the real and the
 * imaginary parts of all lanes. No lane hears of the others, so the result for a block does not depend on its company.
 *
 * Forward by decimation in frequency, which leaves the spectrum in digit-reversed order; backward by decimation in time,
 * which takes it so: neither needs a second array nor a pass for sorting. (Van Loan, Computational Frameworks for the Fast
 * Fourier Transform, 1992, sections 1.9 and 2.3.)
 *
 * @param radix 2, 4 or any odd number
 */
export function stageFunctions(radix: number): WasmFunction[] {
  const names = stageNames(radix);
  return [
    { name: names.plain, parameters: 2, body: (scope) => plainStage(scope, radix) },
    { name: names.forward, parameters: 5, body: (scope) => twiddledStage(scope, radix, 'after') },
    { name: names.backward, parameters: 5, body: (scope) => twiddledStage(scope, radix, 'before') },
  ];
}

function plainStage(scope: FunctionScope, radix: number): Code[] {
  const [base, blocks] = [0, 1];
  const legs = complexes(scope, radix);
  const transform = smallTransform(scope, radix);
  return [
    transform.prepare,
    countDown(blocks, [
      ...legs.flatMap((leg, k) => loadComplex(leg, get(base), k * complexBytes)),
      transform.apply(legs),
      ...legs.flatMap((leg, k) => storeComplex(get(base), leg, k * complexBytes)),
      advance(base, integer(radix * complexBytes)),
    ]),
  ];
}

function twiddledStage(scope: FunctionScope, radix: number, place: 'before' | 'after'): Code[] {
  const [base, blocks, inner, part, twiddles] = [0, 1, 2, 3, 4];
  const legs = complexes(scope, radix);
  const offsets = legs.map(() => scope.i32());
  const [counter, twiddle] = [scope.i32(), scope.i32()];
  const product = scope.v128();
  const transform = smallTransform(scope, radix);
  const address = (k: number) => (k === 0 ? get(base) : add(get(base), get(offsets[k]!)));
  const turned = sequence(
    legs.slice(1).map(({ re, im }, k) => {
      const cosine = lanes.splat(get(twiddle), 2 * k * 4);
      const sine = lanes.splat(get(twiddle), (2 * k + 1) * 4);
      return sequence([
        set(product, lanes.subtract(lanes.multiply(get(re), cosine), lanes.multiply(get(im), sine))),
        set(im, lanes.add(lanes.multiply(get(re), sine), lanes.multiply(get(im), cosine))),
        set(re, get(product)),
      ]);
    }),
  );
  return [
    transform.prepare,
    ...offsets.map((offset, k) => set(offset, multiply(get(part), integer(k)))),
    countDown(blocks, [
      set(counter, get(inner)),
      set(twiddle, get(twiddles)),
      countDown(counter, [
        ...legs.flatMap((leg, k) => loadComplex(leg, address(k), 0)),
        ...(place === 'before' ? [turned] : []),
        transform.apply(legs),
        ...(place === 'after' ? [turned] : []),
        ...legs.flatMap((leg, k) => storeComplex(address(k), leg, 0)),
        advance(base, integer(complexBytes)),
        advance(twiddle, integer(2 * (radix - 1) * 4)),
      ]),
      advance(base, get(offsets[radix - 1]!)),
    ]),
  ];
}
