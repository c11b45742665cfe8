import { fromFront } from '../builder.ts';
import { sizeOf } from '../onnx-model.ts';
import type { InputGradient, Rule, Step } from './step.ts';

/** The product's gradient with respect to its left factor. A weight is not turned but read turned, so that it is held once. */
function leftGradient(step: Step, d: string, right: string): string {
  const { b } = step;
  const [rows, columns] = b.shape(right).slice(-2) as [number, number];
  if (!step.isWeight(1) || b.shape(right).length !== 2) return b.matmul(d, b.turned(right));
  const shape = b.shape(d);
  const count = sizeOf(shape) / columns;
  const flat = b.make('Gemm', [b.reshape(d, [count, columns]), right], [count, rows], { transB: 1 });
  return b.reshape(flat, [...shape.slice(0, -1), rows]);
}

function matMul(step: Step): readonly InputGradient[] {
  const { b } = step;
  const [left, right] = [step.shape(0), step.shape(1)];
  // Vectors are matrices of one row or column here.
  const a = left.length === 1 ? () => b.reshape(step.x(0), [1, left[0]!]) : () => step.x(0);
  const c = right.length === 1 ? () => b.reshape(step.x(1), [right[0]!, 1]) : () => step.x(1);
  const d = () => {
    let shape = [...b.shape(step.y)];
    if (right.length === 1) shape = [...shape, 1];
    if (left.length === 1) shape = [...shape.slice(0, -1), 1, ...shape.slice(-1)];
    return b.reshape(step.d, shape);
  };
  const fitted = (gradient: string, shape: readonly number[]) =>
    shape.length === 1 ? b.unbroadcast(b.reshape(gradient, squeezed(b.shape(gradient), shape[0]!)), shape) : gradient;
  return [() => fitted(leftGradient(step, d(), c()), left), () => fitted(b.matmul(b.turned(a()), d()), right)];
}

/** Without the last size of 1 beside `size`. */
function squeezed(shape: readonly number[], size: number): number[] {
  return [...shape.slice(0, -2), size];
}

function gemm(step: Step): readonly InputGradient[] {
  const { b, d } = step;
  const [alpha, beta] = [step.float('alpha', 1), step.float('beta', 1)];
  const [transA, transB] = [step.int('transA', 0), step.int('transB', 0)];
  const product = (left: string, turnLeft: number, right: string, turnRight: number, shape: readonly number[]) =>
    b.make('Gemm', [left, right], shape, { alpha, transA: turnLeft, transB: turnRight });
  const [a, c] = [step.x(0), step.x(1)];
  return [
    () => (transA ? product(c, transB, d, 1, step.shape(0)) : product(d, 0, c, 1 - transB, step.shape(0))),
    () => (transB ? product(d, 1, a, transA, step.shape(1)) : product(a, 1 - transA, d, 0, step.shape(1))),
    () => b.times(d, beta),
  ];
}

/** What a convolution is made of, with every attribute said. */
function convolution(step: Step) {
  const size = step.shape().slice(2);
  const kernel = step.shape(1).slice(2);
  const output = step.b.shape(step.y).slice(2);
  const ones = kernel.map(() => 1);
  const [strides, dilations] = [step.ints('strides') ?? ones, step.ints('dilations') ?? ones];
  const auto = step.text('auto_pad', 'NOTSET');
  const pads =
    auto === 'NOTSET'
      ? (step.ints('pads') ?? [...ones, ...ones].map(() => 0))
      : autoPads(auto, { size, kernel, output, strides, dilations });
  return { size, kernel, output, strides, dilations, pads, group: step.int('group', 1) };
}

type Sizes = Readonly<Record<'size' | 'kernel' | 'output' | 'strides' | 'dilations', readonly number[]>>;

function autoPads(auto: string, { size, kernel, output, strides, dilations }: Sizes): number[] {
  const totals = size.map((each, axis) =>
    auto === 'VALID'
      ? 0
      : Math.max(0, (output[axis]! - 1) * strides[axis]! + (kernel[axis]! - 1) * dilations[axis]! + 1 - each),
  );
  const before = totals.map((total) => (auto === 'SAME_LOWER' ? Math.ceil(total / 2) : Math.floor(total / 2)));
  return [...before, ...totals.map((total, axis) => total - before[axis]!)];
}

/**
 * The gradient of a convolution is its transpose. Rows that no stride reached are added at the end. Without strides that is a
 * convolution with turned weights, which onnxruntime computes several times faster.
 */
function conv(step: Step): readonly InputGradient[] {
  const { b, d } = step;
  const { size, kernel, output, strides, dilations, pads, group } = convolution(step);
  const rank = size.length;
  const reached = output.map(
    (each, axis) =>
      (each - 1) * strides[axis]! + (kernel[axis]! - 1) * dilations[axis]! + 1 - pads[axis]! - pads[rank + axis]!,
  );
  const rest = size.map((each, axis) => each - reached[axis]!);
  const wide = kernel.map((each, axis) => (each - 1) * dilations[axis]!);
  const turnedPads = pads.map((pad, place) => wide[place % rank]! - pad);
  const still = strides.every((stride) => stride === 1) && kernel.some((each) => each > 1);
  const turned = still && turnedPads.every((pad) => pad >= 0);
  return [
    () => {
      if (!turned) return transposed();
      const attributes = { dilations, pads: turnedPads, group, kernel_shape: kernel };
      return b.make('Conv', [d, turnedWeights(step, group)], step.shape(), attributes);
    },
    null,
    () => b.reduce('Sum', d, [0, ...size.map((_, axis) => axis + 2)]),
  ];

  function transposed(): string {
    return b.make('ConvTranspose', [d, step.x(1)], step.shape(), {
      strides,
      dilations,
      pads,
      group,
      output_padding: rest,
      kernel_shape: kernel,
    });
  }
}

/** Weights with the channels of a group exchanged and the kernel back to front. */
function turnedWeights(step: Step, group: number): string {
  const { b } = step;
  const [outputs = 0, inputs = 0, ...kernel] = step.shape(1);
  const axes = kernel.map((_, axis) => axis + 2);
  const grouped = b.reshape(step.x(1), [group, outputs / group, inputs, ...kernel]);
  const exchanged = b.transpose(grouped, [0, 2, 1, ...axes.map((axis) => axis + 1)]);
  const shape = [group * inputs, outputs / group, ...kernel];
  const all = (value: number) => b.integers(kernel.map(() => value));
  const ends = all(-(2 ** 31));
  return b.make('Slice', [b.reshape(exchanged, shape), all(-1), ends, b.integers(axes), all(-1)], shape);
}

function convTranspose(step: Step): readonly InputGradient[] {
  const { b, d } = step;
  const { size, kernel, strides, dilations, pads, group } = convolution(step);
  if (step.text('auto_pad', 'NOTSET') !== 'NOTSET' || step.ints('output_shape') !== null) {
    throw step.refused('its padding in numbers, but it is to follow from a shape');
  }
  return [
    () => {
      // What output_padding adds at the end is reached by no kernel, so that the convolution leaves it out.
      const shape = [step.shape()[0]!, step.shape()[1]!, ...size];
      return b.make('Conv', [d, step.x(1)], shape, { strides, dilations, pads, group, kernel_shape: kernel });
    },
  ];
}

/** Each operand's gradient is an einsum of the result's gradient and the other operands. */
function einsum(step: Step): readonly InputGradient[] {
  const { b, d, node } = step;
  const equation = step.text('equation', '').replaceAll(' ', '');
  const [left = '', given] = equation.split('->');
  const terms = left.split(',');
  const letters = [...left.replaceAll(',', '')];
  const once = [...new Set(letters)].filter((letter) => letters.filter((other) => other === letter).length === 1);
  const output = given ?? once.sort().join('');
  if (equation.includes('.') || terms.some((term) => new Set(term).size !== term.length)) {
    throw step.refused(`an equation without ellipsis and diagonals, but it is ${equation}`);
  }
  return node.inputs.map((_, index) => () => {
    const own = terms[index]!;
    const others = node.inputs.flatMap((input, other) => (other === index ? [] : [{ input, term: terms[other]! }]));
    const known = output + others.map(({ term }) => term).join('');
    const kept = [...own].filter((letter) => known.includes(letter)).join('');
    const shape = step.shape(index);
    const keptShape = [...own].map((letter, axis) => (known.includes(letter) ? shape[axis]! : 1));
    const made = b.make(
      'Einsum',
      [d, ...others.map(({ input }) => input)],
      keptShape.filter((_, axis) => known.includes(own[axis]!)),
      { equation: `${[output, ...others.map(({ term }) => term)].join(',')}->${kept}` },
    );
    return kept === own ? made : b.expand(b.reshape(made, keptShape), shape);
  });
}

/** Products of matrices and convolutions. Weights that depend on the sound have no gradient in convolutions. */
export const matrixRules: Readonly<Record<string, Rule>> = {
  MatMul: matMul,
  Gemm: gemm,
  Conv: conv,
  ConvTranspose: convTranspose,
  Einsum: einsum,
};

const back: Rule = (step) => [() => step.b.reshape(step.d, step.shape())];

/** Where each place along an axis comes from. */
function sources(before: number, size: number, after: number, mode: string): number[] {
  return Array.from({ length: before + size + after }, (_, place) => {
    const at = place - before;
    if (mode === 'edge') return Math.min(size - 1, Math.max(0, at));
    if (mode === 'wrap') return ((at % size) + size) % size;
    const period = Math.max(1, 2 * (size - 1));
    const folded = ((at % period) + period) % period;
    return folded < size ? folded : period - folded;
  });
}

function padGradient(step: Step): string {
  const { b, d } = step;
  const rank = step.shape().length;
  const axes = fromFront(step.integers(3) ?? Array.from({ length: rank }, (_, axis) => axis), rank);
  const given = step.integers(1)!;
  const pads = new Array<number>(2 * rank).fill(0);
  for (const [index, axis] of axes.entries()) {
    pads[axis] = given[index]!;
    pads[rank + axis] = given[axes.length + index]!;
  }
  const mode = step.text('mode', 'constant');
  if (mode === 'constant') {
    // A negative pad takes away, so that it undoes a positive one.
    return b.make('Pad', [d, b.integers(pads.map((pad) => -pad))], step.shape());
  }
  return axes.reduce((value, axis) => {
    const [before, after, size] = [pads[axis]!, pads[rank + axis]!, step.shape()[axis]!];
    if (before === 0 && after === 0) return value;
    return b.scatter(value, axis, b.integers(sources(before, size, after, mode)), size);
  }, d);
}

function sliceGradient(step: Step): string {
  const { b } = step;
  const shape = step.shape();
  const starts = step.integers(1)!;
  const axes = fromFront(step.integers(3) ?? starts.map((_, index) => index), shape.length);
  const steps = step.integers(4) ?? starts.map(() => 1);
  const taken = b.shape(step.y);
  let value = step.d;
  const pads = new Array<number>(2 * shape.length).fill(0);
  for (const [index, axis] of axes.entries()) {
    const [size, stride] = [shape[axis]!, steps[index]!];
    const count = taken[axis]!;
    const named = starts[index]! < 0 ? starts[index]! + size : starts[index]!;
    const start = Math.min(Math.max(named, 0), stride < 0 ? size - 1 : size);
    if (stride === 1) {
      pads[axis] = start;
      pads[shape.length + axis] = size - start - count;
    } else {
      const places = Array.from({ length: count }, (_, place) => start + place * stride);
      value = b.scatter(value, axis, b.integers(places), size);
    }
  }
  return pads.some((pad) => pad !== 0) ? b.make('Pad', [value, b.integers(pads)], shape) : value;
}

/** Operators that move numbers, and those that repeat them. */
export const shapeRules: Readonly<Record<string, Rule>> = {
  Reshape: back,
  Flatten: back,
  Squeeze: back,
  Unsqueeze: back,
  Transpose(step) {
    const rank = step.shape().length;
    const perm = step.ints('perm') ?? Array.from({ length: rank }, (_, axis) => rank - 1 - axis);
    return [
      () =>
        step.b.transpose(
          step.d,
          perm.map((_, axis) => perm.indexOf(axis)),
        ),
    ];
  },
  Expand: (step) => [() => step.b.unbroadcast(step.d, step.shape())],
  Tile(step) {
    return [
      () => {
        const { b } = step;
        const shape = step.shape();
        const repeats = step.integers(1)!;
        const split = b.reshape(
          step.d,
          shape.flatMap((size, axis) => [repeats[axis]!, size]),
        );
        const summed = b.reduce(
          'Sum',
          split,
          shape.map((_, axis) => 2 * axis),
        );
        return b.reshape(summed, shape);
      },
    ];
  },
  Concat(step) {
    const { b, d, node } = step;
    const axis = step.axis(0);
    let end = 0;
    return node.inputs.map((input) => {
      const start = end;
      end += b.shape(input)[axis]!;
      const [from, to, along] = [b.integers([start]), b.integers([end]), b.integers([axis])];
      return () => b.make('Slice', [d, from, to, along], b.shape(input));
    });
  },
  Split(step) {
    const { b, node } = step;
    return [
      () => {
        const pieces = node.outputs.map((_, index) => step.gradient(index));
        return b.make('Concat', pieces, step.shape(), { axis: step.axis(0) });
      },
    ];
  },
  Slice: (step) => [() => sliceGradient(step)],
  Pad: (step) => [() => padGradient(step), null, null],
  Gather(step) {
    const { b, d } = step;
    const shape = step.shape();
    const axis = step.axis(0);
    return [
      () => {
        const count = sizeOf(step.shape(1));
        const flat = b.reshape(d, [...shape.slice(0, axis), count, ...shape.slice(axis + 1)]);
        return b.scatter(flat, axis, step.x(1), shape[axis]!);
      },
    ];
  },
  CumSum(step) {
    return [
      () =>
        step.b.make('CumSum', [step.d, step.x(1)], step.shape(), {
          exclusive: step.int('exclusive', 0),
          reverse: 1 - step.int('reverse', 0),
        }),
    ];
  },
  Trilu(step) {
    const inputs = step.x(1) === '' ? [step.d] : [step.d, step.x(1)];
    return [() => step.b.make('Trilu', inputs, step.shape(), { upper: step.int('upper', 1) })];
  },
};
