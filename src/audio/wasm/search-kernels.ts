import { advance, type Code, countDown, get, integer, set, type WasmFunction } from './assembler.ts';
import { lanes, loadVector, storeVector, transpose, vectorBytes } from './vectors.ts';

/**
 * How like a template a signal is at each of many places, four neighbouring ones at a time: `products` by the sum of
 * products, `differences` by the sum of squared differences. Parameters: template, signal, vectors in the template, places
 * over 4, results.
 */
export function likenessFunction(name: 'products' | 'differences'): WasmFunction {
  return {
    name,
    parameters: 5,
    body(scope) {
      const [template, signal, vectors, groups, results] = [0, 1, 2, 3, 4];
      const [weight, place, left] = [scope.i32(), scope.i32(), scope.i32()];
      const [value, difference] = [scope.v128(), scope.v128()];
      const sums = Array.from({ length: 4 }, () => scope.v128());
      const accumulate = (sum: number, lag: number): Code[] => {
        const there = loadVector(get(place), 4 * lag);
        if (name === 'products') return [set(sum, lanes.add(get(sum), lanes.multiply(get(value), there)))];
        return [
          set(difference, lanes.subtract(get(value), there)),
          set(sum, lanes.add(get(sum), lanes.multiply(get(difference), get(difference)))),
        ];
      };
      const [first, second, third, fourth] = sums.map(get) as [Code, Code, Code, Code];
      return [
        countDown(groups, [
          ...sums.map((sum) => set(sum, lanes.constant(0))),
          set(weight, get(template)),
          set(place, get(signal)),
          set(left, get(vectors)),
          countDown(left, [
            set(value, loadVector(get(weight))),
            ...sums.flatMap(accumulate),
            advance(weight, integer(vectorBytes)),
            advance(place, integer(vectorBytes)),
          ]),
          transpose(scope, sums),
          storeVector(get(results), lanes.add(lanes.add(first, second), lanes.add(third, fourth))),
          advance(results, integer(vectorBytes)),
          advance(signal, integer(vectorBytes)),
        ]),
      ];
    },
  };
}
