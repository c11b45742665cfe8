import { type Model, numbersOf, sizeOf } from '../onnx-model.ts';
import { at, attribute, type Call, filled, type Operator, products, together, type Values } from './products.ts';

/**
 * Computes a graph in double precision by plain loops, each operator as the standard describes it: what gradients are tested
 * against. For small tensors only.
 */
export function interpret(model: Model, inputs: Readonly<Record<string, Values>>): Map<string, Values> {
  const known = new Map<string, Values>(Object.entries(inputs));
  for (const [name, tensor] of model.graph.weights) {
    known.set(name, { shape: tensor.shape, data: numbersOf(tensor) });
  }
  for (const node of model.graph.nodes) {
    const operator = operators[node.operator];
    if (operator === undefined) throw new Error(`the interpreter of tests has no ${node.operator}`);
    const results = operator({ node, inputs: node.inputs.map((name) => (name === '' ? null : known.get(name)!)) });
    for (const [index, output] of node.outputs.entries()) known.set(output, results[index]!);
  }
  return known;
}

function each(f: (...values: number[]) => number): Operator {
  return ({ inputs }) => {
    const given = inputs.map((input) => input!);
    return [filled(together(given.map(({ shape }) => shape)), (place) => f(...given.map((input) => at(input, place))))];
  };
}

const list = (values: Values | null | undefined): number[] | null => (values ? Array.from(values.data) : null);
const fromFront = (axis: number, rank: number) => (axis < 0 ? axis + rank : axis);

/** W. J. Cody's accuracy by the series and, beyond 3, the continued fraction of erfc. */
function erf(x: number): number {
  const size = Math.abs(x);
  if (size > 3) {
    let fraction = 0;
    for (let k = 60; k > 0; k--) fraction = k / 2 / (size + fraction);
    return Math.sign(x) * (1 - Math.exp(-x * x) / Math.sqrt(Math.PI) / (size + fraction));
  }
  let term = x;
  let sum = x;
  for (let n = 1; n < 80; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function gelu(call: Call): readonly Values[] {
  const tanh = attribute<string>(call, 'approximate', 'none') === 'tanh';
  const a = Math.sqrt(2 / Math.PI);
  return each((x) =>
    tanh ? (x / 2) * (1 + Math.tanh(a * (x + 0.044715 * x ** 3))) : (x / 2) * (1 + erf(x / Math.SQRT2)),
  )(call);
}

function reduce(finish: (values: readonly number[]) => number): Operator {
  return (call) => {
    const [x, axesGiven] = call.inputs;
    const rank = x!.shape.length;
    const named = (list(axesGiven) ?? []).map((axis) => fromFront(axis, rank));
    const axes = named.length === 0 ? x!.shape.map((_, axis) => axis) : named;
    const kept = x!.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    const groups = new Map<string, number[]>();
    filled(x!.shape, (place) => {
      const key = place.map((index, axis) => (axes.includes(axis) ? 0 : index)).join();
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      return group.push(at(x!, place));
    });
    const { data } = filled(kept, (place) => finish(groups.get(place.join())!));
    const dropped = x!.shape.filter((_, axis) => !axes.includes(axis));
    return [{ shape: attribute(call, 'keepdims', 1) === 1 ? kept : dropped, data }];
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const reductions: Readonly<Record<string, Operator>> = {
  ReduceSum: reduce(sum),
  ReduceMean: reduce((values) => sum(values) / values.length),
  ReduceMax: reduce((values) => Math.max(...values)),
  ReduceMin: reduce((values) => Math.min(...values)),
  ReduceL1: reduce((values) => sum(values.map(Math.abs))),
  ReduceL2: reduce((values) => Math.hypot(...values)),
  ReduceSumSquare: reduce((values) => sum(values.map((value) => value * value))),
  ReduceLogSumExp: reduce((values) => Math.log(sum(values.map(Math.exp)))),
};

function reshape(call: Call): readonly Values[] {
  const [x, shape] = call.inputs;
  const count = x!.data.length;
  const named = list(shape)!.map((size, axis) =>
    size === 0 && attribute(call, 'allowzero', 0) === 0 ? x!.shape[axis]! : size,
  );
  const rest = count / named.reduce((product, size) => (size === -1 ? product : product * size), 1);
  return [{ shape: named.map((size) => (size === -1 ? rest : size)), data: x!.data }];
}

function slice({ inputs }: Call): readonly Values[] {
  const [x, starts, ends, axesGiven, stepsGiven] = inputs;
  const axes = (list(axesGiven) ?? list(starts)!.map((_, index) => index)).map((axis) =>
    fromFront(axis, x!.shape.length),
  );
  const from = x!.shape.map(() => 0);
  const steps = x!.shape.map(() => 1);
  const shape = [...x!.shape];
  for (const [index, axis] of axes.entries()) {
    const size = x!.shape[axis]!;
    const step = list(stepsGiven)?.[index] ?? 1;
    const bound = (value: number) => Math.min(Math.max(value < 0 ? value + size : value, step < 0 ? -1 : 0), size);
    const start = Math.min(bound(list(starts)![index]!), step < 0 ? size - 1 : size);
    const end = list(ends)![index]! < -size ? bound(-2 * size) : bound(list(ends)![index]!);
    from[axis] = start;
    steps[axis] = step;
    shape[axis] = Math.max(0, Math.ceil((end - start) / step));
  }
  return [
    filled(shape, (place) =>
      at(
        x!,
        place.map((index, axis) => from[axis]! + index * steps[axis]!),
      ),
    ),
  ];
}

function pad(call: Call): readonly Values[] {
  const [x, pads, value] = call.inputs;
  const rank = x!.shape.length;
  const amounts = list(pads)!;
  const mode = attribute<string>(call, 'mode', 'constant');
  const shape = x!.shape.map((size, axis) => size + amounts[axis]! + amounts[rank + axis]!);
  return [
    filled(shape, (place) => {
      const inner = place.map((index, axis) => index - amounts[axis]!);
      const outside = inner.some((index, axis) => index < 0 || index >= x!.shape[axis]!);
      if (outside && mode === 'constant') return value?.data[0] ?? 0;
      return at(
        x!,
        inner.map((index, axis) => {
          const last = x!.shape[axis]! - 1;
          if (mode === 'edge') return Math.min(last, Math.max(0, index));
          return index < 0 ? -index : index > last ? 2 * last - index : index;
        }),
      );
    }),
  ];
}

const shapes: Readonly<Record<string, Operator>> = {
  Identity: ({ inputs }) => [inputs[0]!],
  Reshape: reshape,
  Flatten(call) {
    const [x] = call.inputs;
    const axis = attribute(call, 'axis', 1);
    return [{ shape: [sizeOf(x!.shape.slice(0, axis)), sizeOf(x!.shape.slice(axis))], data: x!.data }];
  },
  Squeeze({ inputs: [x, axes] }) {
    const named = list(axes)?.map((axis) => fromFront(axis, x!.shape.length));
    return [{ shape: x!.shape.filter((size, axis) => (named ? !named.includes(axis) : size !== 1)), data: x!.data }];
  },
  Unsqueeze({ inputs: [x, axes] }) {
    const named = list(axes)!.map((axis) => fromFront(axis, x!.shape.length + axes!.data.length));
    const shape = [...x!.shape];
    for (const axis of named.sort((a, b) => a - b)) shape.splice(axis, 0, 1);
    return [{ shape, data: x!.data }];
  },
  Transpose(call) {
    const [x] = call.inputs;
    const perm = attribute(
      call,
      'perm',
      x!.shape.map((_, axis) => x!.shape.length - 1 - axis),
    );
    return [
      filled(
        perm.map((axis) => x!.shape[axis]!),
        (place) =>
          at(
            x!,
            perm.map((_, axis) => place[perm.indexOf(axis)]!),
          ),
      ),
    ];
  },
  Expand({ inputs: [x, shape] }) {
    return [filled(together([x!.shape, list(shape)!]), (place) => at(x!, place))];
  },
  Tile({ inputs: [x, repeats] }) {
    const shape = x!.shape.map((size, axis) => size * repeats!.data[axis]!);
    return [
      filled(shape, (place) =>
        at(
          x!,
          place.map((index, axis) => index % x!.shape[axis]!),
        ),
      ),
    ];
  },
  Concat(call) {
    const axis = fromFront(attribute(call, 'axis', 0), call.inputs[0]!.shape.length);
    const parts = call.inputs.map((input) => input!);
    const shape = parts[0]!.shape.map((size, place) =>
      place === axis ? sum(parts.map((part) => part.shape[axis]!)) : size,
    );
    return [
      filled(shape, (place) => {
        let index = place[axis]!;
        let part = 0;
        while (index >= parts[part]!.shape[axis]!) index -= parts[part++]!.shape[axis]!;
        return at(
          parts[part]!,
          place.map((each, other) => (other === axis ? index : each)),
        );
      }),
    ];
  },
  Split(call) {
    const [x, sizes] = call.inputs;
    const axis = fromFront(attribute(call, 'axis', 0), x!.shape.length);
    const parts = call.node.outputs.length;
    let start = 0;
    return (list(sizes) ?? new Array<number>(parts).fill(x!.shape[axis]! / parts)).map((size) => {
      const from = start;
      start += size;
      const shape = x!.shape.map((each, place) => (place === axis ? size : each));
      return filled(shape, (place) =>
        at(
          x!,
          place.map((index, other) => (other === axis ? from + index : index)),
        ),
      );
    });
  },
  Slice: slice,
  Pad: pad,
  Gather(call) {
    const [x, indices] = call.inputs;
    const axis = fromFront(attribute(call, 'axis', 0), x!.shape.length);
    const rank = indices!.shape.length;
    const shape = [...x!.shape.slice(0, axis), ...indices!.shape, ...x!.shape.slice(axis + 1)];
    return [
      filled(shape, (place) => {
        const index = fromFront(at(indices!, place.slice(axis, axis + rank)), x!.shape[axis]!);
        return at(x!, [...place.slice(0, axis), index, ...place.slice(axis + rank)]);
      }),
    ];
  },
  ScatterElements(call) {
    const [x, indices, updates] = call.inputs;
    const axis = attribute(call, 'axis', 0);
    const data = Float64Array.from(x!.data);
    const index = (place: readonly number[]) =>
      place.reduce((total, each, other) => total * x!.shape[other]! + each, 0);
    filled(indices!.shape, (place) => {
      const chosen = fromFront(at(indices!, place), x!.shape[axis]!);
      data[index(place.map((each, other) => (other === axis ? chosen : each)))]! += at(updates!, place);
      return 0;
    });
    return [{ shape: x!.shape, data }];
  },
  CumSum(call) {
    const [x, axisGiven] = call.inputs;
    const axis = fromFront(axisGiven!.data[0]!, x!.shape.length);
    const [exclusive, reverse] = [attribute(call, 'exclusive', 0), attribute(call, 'reverse', 0)];
    return [
      filled(x!.shape, (place) => {
        const own = place[axis]!;
        let total = 0;
        for (let index = 0; index < x!.shape[axis]!; index++) {
          const counts = reverse ? index >= own : index <= own;
          if (counts && !(exclusive && index === own))
            total += at(
              x!,
              place.map((each, other) => (other === axis ? index : each)),
            );
        }
        return total;
      }),
    ];
  },
  Trilu(call) {
    const [x, diagonal] = call.inputs;
    const k = diagonal?.data[0] ?? 0;
    const upper = attribute(call, 'upper', 1) === 1;
    return [
      filled(x!.shape, (place) => {
        const offset = place.at(-1)! - place.at(-2)! - k;
        return (upper ? offset >= 0 : offset <= 0) ? at(x!, place) : 0;
      }),
    ];
  },
};

const elementwise: Readonly<Record<string, Operator>> = {
  Neg: each((x) => -x),
  Abs: each(Math.abs),
  Sign: each(Math.sign),
  Exp: each(Math.exp),
  Log: each(Math.log),
  Sqrt: each(Math.sqrt),
  Reciprocal: each((x) => 1 / x),
  Sin: each(Math.sin),
  Cos: each(Math.cos),
  Erf: each(erf),
  Gelu: gelu,
  Sigmoid: each((x) => 1 / (1 + Math.exp(-x))),
  Tanh: each(Math.tanh),
  Softplus: each((x) => Math.log1p(Math.exp(x))),
  Relu: each((x) => Math.max(0, x)),
  LeakyRelu: (call) => each((x) => (x > 0 ? x : attribute(call, 'alpha', 0.01) * x))(call),
  Elu: (call) => each((x) => (x > 0 ? x : attribute(call, 'alpha', 1) * Math.expm1(x)))(call),
  HardSigmoid: (call) =>
    each((x) => Math.max(0, Math.min(1, attribute(call, 'alpha', 0.2) * x + attribute(call, 'beta', 0.5))))(call),
  Clip: ({ inputs: [x, least, most] }) => [
    filled(x!.shape, (place) =>
      Math.min(
        Math.max(at(x!, place), least?.data[0] ?? Number.NEGATIVE_INFINITY),
        most?.data[0] ?? Number.POSITIVE_INFINITY,
      ),
    ),
  ],
  Add: each((a, b) => a + b),
  Sub: each((a, b) => a - b),
  Mul: each((a, b) => a * b),
  Div: each((a, b) => a / b),
  Pow: each((a, b) => a ** b),
  Sum: each((...values) => sum(values)),
  Mean: each((...values) => sum(values) / values.length),
  Max: each(Math.max),
  Min: each(Math.min),
  PRelu: each((x, slope) => (x > 0 ? x : slope * x)),
  Where: each((condition, a, b) => (condition ? a : b)),
  Equal: each((a, b) => Number(a === b)),
  Greater: each((a, b) => Number(a > b)),
  GreaterOrEqual: each((a, b) => Number(a >= b)),
  Less: each((a, b) => Number(a < b)),
  LessOrEqual: each((a, b) => Number(a <= b)),
  And: each((a, b) => Number(a !== 0 && b !== 0)),
  Cast: ({ inputs }) => [inputs[0]!],
};

const operators: Readonly<Record<string, Operator>> = {
  ...elementwise,
  ...shapes,
  ...reductions,
  ...products,
};
