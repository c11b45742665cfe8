import { fromFront } from '../builder.ts';
import { sizeOf } from '../tensors.ts';
import type { Rule, Step } from './step.ts';

interface Reduced {
  readonly axes: readonly number[];
  /** The result and its gradient, with size 1 where it was reduced. */
  readonly y: string;
  readonly d: string;
  /** Numbers that became one. */
  readonly count: number;
}

function reduced(step: Step): Reduced {
  const { b } = step;
  const shape = step.shape();
  const every = Array.from(shape, (_, axis) => axis);
  const named = step.x(1) === '' ? step.ints('axes') : step.integers(1);
  const none = named === null || named.length === 0;
  const axes = none ? (step.int('noop_with_empty_axes', 0) === 1 ? [] : every) : fromFront(named, shape.length);
  const kept = shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
  return {
    axes,
    y: b.reshape(step.y, kept),
    d: b.reshape(step.d, kept),
    count: sizeOf(axes.map((axis) => shape[axis]!)),
  };
}

function reduction(gradient: (step: Step, of: Reduced) => string): Rule {
  return (step) => [() => gradient(step, reduced(step))];
}

/** The gradient goes to the numbers that have the value, in equal parts. */
const extreme = reduction((step, { axes, y, d }) => {
  const { b } = step;
  const equal = b.compare('Equal', step.x(), y);
  const chosen = b.where(equal, b.number(1));
  return b.mul(chosen, b.div(d, b.reduce('Sum', chosen, axes)));
});

/** Softmax over one axis: y (d - sum of d y). */
function softmax(step: Step): string {
  const { b, d, y } = step;
  return b.mul(y, b.sub(d, b.reduce('Sum', b.mul(d, y), [step.axis(-1)])));
}

function logSoftmax(step: Step): string {
  const { b, d, y } = step;
  return b.sub(d, b.mul(b.each('Exp', y), b.reduce('Sum', d, [step.axis(-1)])));
}

/**
 * The gradient through (x - mean) / deviation over axes, less the last factor 1 / deviation.
 *
 * @param d gradient with respect to the normalized numbers, or that less a factor which is the same over the axes
 * @param inverse 1 / sqrt(variance + epsilon)
 */
function normalizedGradient(
  { b }: Step,
  { centred, d, inverse }: { readonly centred: string; readonly d: string; readonly inverse: string },
  axes: readonly number[],
): string {
  const pull = b.mul(b.reduce('Mean', b.mul(d, centred), axes), b.mul(inverse, inverse));
  return b.sub(b.sub(d, b.mul(centred, pull)), b.reduce('Mean', d, axes));
}

/** A scale for each channel, as wide as the channels' axis of a tensor of `rank` dimensions. */
function perChannel({ b }: Step, scale: string, rank: number): string {
  return b.reshape(scale, [sizeOf(b.shape(scale)), ...new Array<number>(rank - 2).fill(1)]);
}

/** Operators that make one number of many, and normalizations. */
export const reductionRules: Readonly<Record<string, Rule>> = {
  ReduceSum: reduction((step, { d }) => step.b.expand(d, step.shape())),
  ReduceMean: reduction((step, { d, count }) => step.b.expand(step.b.times(d, 1 / count), step.shape())),
  ReduceSumSquare: reduction((step, { d }) => step.b.mul(step.b.times(step.x(), 2), d)),
  ReduceL1: reduction((step, { d }) => step.b.mul(step.b.each('Sign', step.x()), d)),
  ReduceL2: reduction((step, { d, y }) => step.b.mul(step.x(), step.b.div(d, y))),
  ReduceLogSumExp: reduction((step, { d, y }) => step.b.mul(step.b.each('Exp', step.b.sub(step.x(), y)), d)),
  ReduceMax: extreme,
  ReduceMin: extreme,
  Softmax: (step) => [() => softmax(step)],
  LogSoftmax: (step) => [() => logSoftmax(step)],
  LayerNormalization(step) {
    const { b, d } = step;
    const axis = step.axis(-1);
    const shape = step.shape();
    const axes = shape.flatMap((_, place) => (place < axis ? [] : [place]));
    const kept = shape.map((size, place) => (place < axis ? size : 1));
    const [mean, inverse] = ['mean', 'inverse'].map((name) => `${step.y}/${name}`) as [string, string];
    return [
      () => {
        for (const name of [mean, inverse]) b.declare(name, kept);
        step.moreOutputs.push(mean, inverse);
        const known = { centred: b.sub(step.x(), mean), d: b.mul(d, step.x(1)), inverse };
        return b.mul(normalizedGradient(step, known, axes), inverse);
      },
    ];
  },
  InstanceNormalization(step) {
    const { b, d } = step;
    const shape = step.shape();
    const axes = shape.flatMap((_, place) => (place < 2 ? [] : [place]));
    return [
      () => {
        const centred = b.sub(step.x(), b.reduce('Mean', step.x(), axes));
        const variance = b.times(b.reduce('SumSquare', centred, axes), 1 / sizeOf(shape.slice(2)));
        const inverse = b.each('Reciprocal', b.each('Sqrt', b.plus(variance, step.float('epsilon', 1e-5))));
        // The scale of a channel is the same over it.
        const factor = b.mul(inverse, perChannel(step, step.x(1), shape.length));
        return b.mul(normalizedGradient(step, { centred, d, inverse }, axes), factor);
      },
    ];
  },
  BatchNormalization(step) {
    const { b, d } = step;
    if (step.int('training_mode', 0) !== 0) throw step.refused('it as in use, but it is as in training');
    return [
      () => {
        const deviation = b.each('Sqrt', b.plus(step.x(4), step.float('epsilon', 1e-5)));
        return b.mul(d, perChannel(step, b.div(step.x(1), deviation), step.shape().length));
      },
    ];
  },
  GlobalAveragePool(step) {
    const shape = step.shape();
    return [() => step.b.expand(step.b.times(step.d, 1 / sizeOf(shape.slice(2))), shape)];
  },
};
