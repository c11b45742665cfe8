import { sizeOf } from '../tensors.ts';
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
