import { type Node, sizeOf } from '../onnx-model.ts';

/** Numbers row by row, in double precision; truth values are 0 and 1. */
export interface Values {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}

/** What an operator is given. */
export interface Call {
  readonly inputs: readonly (Values | null)[];
  readonly node: Node;
}

export type Operator = (call: Call) => readonly Values[];

/** An attribute, or the standard's value. */
export function attribute<Value>({ node }: Call, name: string, standard: Value): Value {
  return (node.attributes.get(name)?.value ?? standard) as Value;
}

/** Values of a shape from the place of each number. */
export function filled(shape: readonly number[], value: (place: readonly number[]) => number): Values {
  const data = new Float64Array(sizeOf(shape));
  const place = shape.map(() => 0);
  for (let index = 0; index < data.length; index++) {
    data[index] = value(place);
    for (let axis = shape.length - 1; axis >= 0 && ++place[axis]! === shape[axis]; axis--) place[axis] = 0;
  }
  return { shape, data };
}

/** The number at a place; axes of size 1 are repeated, and missing ones are in front. */
export function at({ shape, data }: Values, place: readonly number[]): number {
  const before = place.length - shape.length;
  let index = 0;
  for (const [axis, size] of shape.entries()) index = index * size + (size === 1 ? 0 : place[before + axis]!);
  return data[index]!;
}

export function together(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) =>
    shapes.reduce((size, shape) => Math.max(size, shape[shape.length - rank + axis] ?? 1), 1),
  );
}

function matMul({ inputs }: Call): readonly Values[] {
  const [left, right] = [inputs[0]!, inputs[1]!];
  const a = left.shape.length === 1 ? { ...left, shape: [1, ...left.shape] } : left;
  const b = right.shape.length === 1 ? { ...right, shape: [...right.shape, 1] } : right;
  const inner = a.shape.at(-1)!;
  const shape = [...together([a.shape.slice(0, -2), b.shape.slice(0, -2), []]), a.shape.at(-2)!, b.shape.at(-1)!];
  const { data } = filled(shape, (place) => {
    const [before, row, column] = [place.slice(0, -2), place.at(-2)!, place.at(-1)!];
    let total = 0;
    for (let k = 0; k < inner; k++) total += at(a, [...before, row, k]) * at(b, [...before, k, column]);
    return total;
  });
  const dropped = shape.filter(
    (_, axis) =>
      !(axis === shape.length - 2 && left.shape.length === 1) &&
      !(axis === shape.length - 1 && right.shape.length === 1),
  );
  return [{ shape: dropped, data }];
}

function turned(values: Values): Values {
  return filled([values.shape[1]!, values.shape[0]!], ([row, column]) => at(values, [column!, row!]));
}

function gemm(call: Call): readonly Values[] {
  const a = attribute(call, 'transA', 0) ? turned(call.inputs[0]!) : call.inputs[0]!;
  const b = attribute(call, 'transB', 0) ? turned(call.inputs[1]!) : call.inputs[1]!;
  const c = call.inputs[2];
  const [product] = matMul({ ...call, inputs: [a, b] });
  return [
    filled(
      product!.shape,
      (place) =>
        attribute(call, 'alpha', 1) * at(product!, place) + (c ? attribute(call, 'beta', 1) * at(c, place) : 0),
    ),
  ];
}

/** Every combination of sizes. */
function* places(sizes: readonly number[]): Generator<readonly number[]> {
  const total = sizeOf(sizes);
  for (let index = 0; index < total; index++) {
    let rest = index;
    const place = sizes.map(() => 0);
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      place[axis] = rest % sizes[axis]!;
      rest = Math.floor(rest / sizes[axis]!);
    }
    yield place;
  }
}

function geometry(call: Call) {
  const kernel = call.inputs[1]!.shape.slice(2);
  const ones = kernel.map(() => 1);
  return {
    kernel,
    strides: attribute(call, 'strides', ones),
    dilations: attribute(call, 'dilations', ones),
    pads: attribute(
      call,
      'pads',
      [...ones, ...ones].map(() => 0),
    ),
    group: attribute(call, 'group', 1),
  };
}

function conv(call: Call): readonly Values[] {
  const [x, w, bias] = call.inputs;
  const { kernel, strides, dilations, pads: given, group } = geometry(call);
  const size = x!.shape.slice(2);
  let pads = given;
  if (attribute<string>(call, 'auto_pad', 'NOTSET') === 'SAME_UPPER') {
    const totals = size.map((each, axis) =>
      Math.max(
        0,
        (Math.ceil(each / strides[axis]!) - 1) * strides[axis]! + (kernel[axis]! - 1) * dilations[axis]! + 1 - each,
      ),
    );
    pads = [...totals.map((total) => Math.floor(total / 2)), ...totals.map((total) => Math.ceil(total / 2))];
  }
  const output = size.map(
    (each, axis) =>
      Math.floor(
        (each + pads[axis]! + pads[size.length + axis]! - (kernel[axis]! - 1) * dilations[axis]! - 1) / strides[axis]!,
      ) + 1,
  );
  const perGroup = w!.shape[1]!;
  const outPerGroup = w!.shape[0]! / group;
  return [
    filled([x!.shape[0]!, w!.shape[0]!, ...output], (place) => {
      const [n, channel, ...where] = place as [number, number, ...number[]];
      const first = Math.floor(channel / outPerGroup) * perGroup;
      let total = bias ? bias.data[channel]! : 0;
      for (const tap of places(kernel)) {
        const from = where.map((index, axis) => index * strides[axis]! + tap[axis]! * dilations[axis]! - pads[axis]!);
        if (from.some((index, axis) => index < 0 || index >= size[axis]!)) continue;
        for (let c = 0; c < perGroup; c++) total += at(x!, [n, first + c, ...from]) * at(w!, [channel, c, ...tap]);
      }
      return total;
    }),
  ];
}

function convTranspose(call: Call): readonly Values[] {
  const [x, w, bias] = call.inputs;
  const { kernel, strides, dilations, pads, group } = geometry(call);
  const extra = attribute(
    call,
    'output_padding',
    kernel.map(() => 0),
  );
  const size = x!.shape.slice(2);
  const rank = size.length;
  const output = size.map(
    (each, axis) =>
      (each - 1) * strides[axis]! +
      (kernel[axis]! - 1) * dilations[axis]! +
      1 +
      extra[axis]! -
      pads[axis]! -
      pads[rank + axis]!,
  );
  const outPerGroup = w!.shape[1]!;
  const inPerGroup = x!.shape[1]! / group;
  const shape = [x!.shape[0]!, outPerGroup * group, ...output];
  const data = new Float64Array(sizeOf(shape));
  const index = (place: readonly number[]) => place.reduce((total, each, axis) => total * shape[axis]! + each, 0);
  filled(x!.shape, (place) => {
    const [n, channel, ...where] = place as [number, number, ...number[]];
    const first = Math.floor(channel / inPerGroup) * outPerGroup;
    for (const tap of places(kernel)) {
      const to = where.map((each, axis) => each * strides[axis]! + tap[axis]! * dilations[axis]! - pads[axis]!);
      if (to.some((each, axis) => each < 0 || each >= output[axis]!)) continue;
      for (let c = 0; c < outPerGroup; c++)
        data[index([n, first + c, ...to])]! += at(x!, place) * at(w!, [channel, c, ...tap]);
    }
    return 0;
  });
  const result = { shape, data };
  return [bias ? filled(shape, (place) => at(result, place) + bias.data[place[1]!]!) : result];
}

function einsum(call: Call): readonly Values[] {
  const [left = '', right] = attribute(call, 'equation', '').replaceAll(' ', '').split('->');
  const terms = left.split(',');
  const sizes = new Map<string, number>();
  for (const [index, term] of terms.entries())
    for (const [axis, letter] of [...term].entries()) sizes.set(letter, call.inputs[index]!.shape[axis]!);
  const all = [...left.replaceAll(',', '')];
  const output =
    right ??
    [...sizes.keys()]
      .filter((letter) => all.filter((other) => other === letter).length === 1)
      .sort()
      .join('');
  const summed = [...sizes.keys()].filter((letter) => !output.includes(letter));
  return [
    filled(
      [...output].map((letter) => sizes.get(letter)!),
      (place) => {
        let total = 0;
        for (const inner of places(summed.map((letter) => sizes.get(letter)!))) {
          const index = (letter: string) =>
            output.includes(letter) ? place[output.indexOf(letter)]! : inner[summed.indexOf(letter)]!;
          total += terms.reduce(
            (product, term, operand) => product * at(call.inputs[operand]!, [...term].map(index)),
            1,
          );
        }
        return total;
      },
    ),
  ];
}

/** Numbers along an axis, for each place of the others. */
function along(x: Values, axis: number, place: readonly number[]): number[] {
  return Array.from({ length: x.shape[axis]! }, (_, index) =>
    at(
      x,
      place.map((each, other) => (other === axis ? index : each)),
    ),
  );
}

function softmax(finish: (value: number, exponents: readonly number[]) => number): Operator {
  return (call) => {
    const [x] = call.inputs;
    const axis = (attribute(call, 'axis', -1) + x!.shape.length) % x!.shape.length;
    return [
      filled(x!.shape, (place) => {
        const values = along(x!, axis, place);
        const most = Math.max(...values);
        return finish(
          at(x!, place) - most,
          values.map((value) => Math.exp(value - most)),
        );
      }),
    ];
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Mean and 1 / sqrt(variance + epsilon) of the numbers with which a place is normalized. */
function normalized(x: Values, group: (place: readonly number[]) => string, epsilon: number) {
  const groups = new Map<string, number[]>();
  filled(x.shape, (place) => {
    const key = group(place);
    const values = groups.get(key) ?? [];
    groups.set(key, values);
    return values.push(at(x, place));
  });
  const known = new Map(
    [...groups].map(([key, values]) => {
      const mean = sum(values) / values.length;
      const variance = sum(values.map((value) => (value - mean) ** 2)) / values.length;
      return [key, { mean, inverse: 1 / Math.sqrt(variance + epsilon) }];
    }),
  );
  return (place: readonly number[]) => known.get(group(place))!;
}

function layerNormalization(call: Call): readonly Values[] {
  const [x, scale, bias] = call.inputs;
  const axis = (attribute(call, 'axis', -1) + x!.shape.length) % x!.shape.length;
  const of = normalized(x!, (place) => place.slice(0, axis).join(), attribute(call, 'epsilon', 1e-5));
  const kept = x!.shape.map((size, place) => (place < axis ? size : 1));
  return [
    filled(
      x!.shape,
      (place) =>
        (at(x!, place) - of(place).mean) * of(place).inverse * at(scale!, place) + (bias ? at(bias, place) : 0),
    ),
    filled(kept, (place) => of(place).mean),
    filled(kept, (place) => of(place).inverse),
  ];
}

function instanceNormalization(call: Call): readonly Values[] {
  const [x, scale, bias] = call.inputs;
  const of = normalized(x!, ([n, channel]) => `${n},${channel}`, attribute(call, 'epsilon', 1e-5));
  return [
    filled(x!.shape, (place) => {
      const { mean, inverse } = of(place);
      return (at(x!, place) - mean) * inverse * scale!.data[place[1]!]! + bias!.data[place[1]!]!;
    }),
  ];
}

/** Products, convolutions and normalizations of the interpreter. */
export const products: Readonly<Record<string, Operator>> = {
  MatMul: matMul,
  Gemm: gemm,
  Conv: conv,
  ConvTranspose: convTranspose,
  Einsum: einsum,
  Softmax: softmax((value, exponents) => Math.exp(value) / sum(exponents)),
  LogSoftmax: softmax((value, exponents) => value - Math.log(sum(exponents))),
  LayerNormalization: layerNormalization,
  InstanceNormalization: instanceNormalization,
  BatchNormalization(call) {
    const [x, scale, bias, mean, variance] = call.inputs;
    const epsilon = attribute(call, 'epsilon', 1e-5);
    return [
      filled(x!.shape, (place) => {
        const channel = place[1]!;
        return (
          ((at(x!, place) - mean!.data[channel]!) / Math.sqrt(variance!.data[channel]! + epsilon)) *
            scale!.data[channel]! +
          bias!.data[channel]!
        );
      }),
    ];
  },
  GlobalAveragePool({ inputs: [x] }) {
    const [n, channels, ...size] = x!.shape as [number, number, ...number[]];
    return [
      filled(
        [n, channels, ...size.map(() => 1)],
        ([row, channel]) => sum([...places(size)].map((place) => at(x!, [row!, channel!, ...place]))) / sizeOf(size),
      ),
    ];
  },
};
