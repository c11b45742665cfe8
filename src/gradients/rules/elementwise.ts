import { fromFront } from '../builder.ts';
import { sizeOf } from '../onnx-model.ts';
import type { InputGradient, Rule, Step } from './step.ts';

/** A rule from the derivative of y = f(x), number by number. */
function derivative(slope: (step: Step) => string): Rule {
  return (step) => [() => step.b.mul(step.d, slope(step))];
}

/**
 * Phi(x) + x phi(x), of x times the distribution function of the standard normal distribution: with u = x / sqrt(2) half of
 * 1 + erf(u) + u e^(ln(2 / sqrt(pi)) - u^2), in as few passes over the numbers as there are.
 */
function exactGeluSlope({ b, x }: { b: Step['b']; x: string }): string {
  const u = b.times(x, Math.SQRT1_2);
  const bell = b.each('Exp', b.sub(b.number(Math.log(2 / Math.sqrt(Math.PI))), b.mul(u, u)));
  return b.times(b.plus(b.add(b.each('Erf', u), b.mul(u, bell)), 1), 0.5);
}

/** Of x (1 + tanh(a (x + .044715 x^3))) / 2, a = sqrt(2 / pi). */
function tanhGeluSlope({ b, x }: { b: Step['b']; x: string }): string {
  const a = Math.sqrt(2 / Math.PI);
  const square = b.mul(x, x);
  const inner = b.mul(b.times(x, a), b.plus(b.times(square, 0.044715), 1));
  const t = b.each('Tanh', inner);
  const innerSlope = b.times(b.plus(b.times(square, 3 * 0.044715), 1), a);
  const bell = b.plus(b.each('Neg', b.mul(t, t)), 1);
  return b.times(b.add(b.plus(t, 1), b.mul(x, b.mul(bell, innerSlope))), 0.5);
}

/** 1 where x > 0, `below` elsewhere: at the kink it is the slope from below. */
function kinked(step: Step, below: (x: string) => string): string {
  const { b } = step;
  const positive = b.compare('Greater', step.x(), b.number(0));
  return b.make('Where', [positive, b.number(1), below(step.x())], step.shape());
}

/** Maximum or minimum of several tensors: the first that has the value gets the gradient. */
function extreme(step: Step): readonly InputGradient[] {
  const { b, node, y, d } = step;
  return node.inputs.map((input, index) => () => {
    let passed = b.where(b.compare('Equal', input, y), d);
    for (const earlier of node.inputs.slice(0, index)) passed = b.unless(b.compare('Equal', earlier, y), passed);
    return passed;
  });
}

/**
 * Operators that work number by number. Where one has a kink, its gradient is that of one side (`Relu` and `Abs` at 0: 0;
 * `Max` and `Min` of equal numbers: the first), and `Where` and `Clip` are taken as they were decided.
 */
export const elementwiseRules: Readonly<Record<string, Rule>> = {
  Identity: ({ d }) => [() => d],
  Neg: ({ b, d }) => [() => b.each('Neg', d)],
  Abs: derivative((step) => step.b.each('Sign', step.x())),
  Exp: ({ b, d, y }) => [() => b.mul(d, y)],
  Log: (step) => [() => step.b.div(step.d, step.x())],
  Sqrt: ({ b, d, y }) => [() => b.times(b.div(d, y), 0.5)],
  Reciprocal: ({ b, d, y }) => [() => b.each('Neg', b.mul(d, b.mul(y, y)))],
  Sin: derivative((step) => step.b.each('Cos', step.x())),
  Cos: derivative((step) => step.b.each('Neg', step.b.each('Sin', step.x()))),
  Erf: derivative((step) => {
    const { b } = step;
    const x = step.x();
    return b.times(b.each('Exp', b.each('Neg', b.mul(x, x))), 2 / Math.sqrt(Math.PI));
  }),
  Gelu: derivative((step) => {
    const of = { b: step.b, x: step.x() };
    return step.text('approximate', 'none') === 'tanh' ? tanhGeluSlope(of) : exactGeluSlope(of);
  }),
  Sigmoid: derivative(({ b, y }) => b.mul(y, b.plus(b.each('Neg', y), 1))),
  Tanh: derivative(({ b, y }) => b.plus(b.each('Neg', b.mul(y, y)), 1)),
  Softplus: derivative((step) => step.b.each('Sigmoid', step.x())),
  Relu: ({ b, d, y }) => [() => b.where(b.compare('Greater', y, b.number(0)), d)],
  LeakyRelu: derivative((step) => kinked(step, () => step.b.number(step.float('alpha', 0.01)))),
  Elu: derivative((step) => kinked(step, (x) => step.b.times(step.b.each('Exp', x), step.float('alpha', 1)))),
  HardSigmoid: derivative((step) => {
    const { b, y } = step;
    const inside = b.make(
      'And',
      [b.compare('Greater', y, b.number(0)), b.compare('Less', y, b.number(1))],
      step.shape(),
    );
    return b.where(inside, b.number(step.float('alpha', 0.2)));
  }),
  Clip(step) {
    const { b, d } = step;
    const x = step.x();
    return [
      () => {
        let passed = d;
        if (step.x(1) !== '') passed = b.where(b.compare('GreaterOrEqual', x, step.x(1)), passed);
        if (step.x(2) !== '') passed = b.where(b.compare('LessOrEqual', x, step.x(2)), passed);
        return passed;
      },
    ];
  },
  Add: ({ d }) => [() => d, () => d],
  Sub: ({ b, d }) => [() => d, () => b.each('Neg', d)],
  Sum: ({ node, d }) => node.inputs.map(() => () => d),
  Mean: ({ b, node, d }) => node.inputs.map(() => () => b.times(d, 1 / node.inputs.length)),
  Mul: (step) => [() => step.b.mul(step.d, step.x(1)), () => step.b.mul(step.d, step.x(0))],
  Div: (step) => [
    () => step.b.div(step.d, step.x(1)),
    () => step.b.each('Neg', step.b.div(step.b.mul(step.d, step.y), step.x(1))),
  ],
  Pow(step) {
    const { b, d, y } = step;
    return [
      () => {
        const exponent = step.isWeight(1) ? step.numbers(1)! : [];
        const first = exponent[0] ?? 0;
        if (exponent.length === 1 && first === 2) return b.mul(d, b.times(step.x(), 2));
        const lower = b.sub(step.x(1), b.number(1));
        const power = b.make('Pow', [step.x(), lower], b.shape(y));
        return b.mul(d, b.mul(power, step.x(1)));
      },
      () => b.mul(d, b.mul(y, b.each('Log', step.x()))),
    ];
  },
  Max: extreme,
  Min: extreme,
  Where: (step) => [null, () => step.b.where(step.x(0), step.d), () => step.b.unless(step.x(0), step.d)],
  PRelu(step) {
    const { b, d } = step;
    const positive = b.compare('Greater', step.x(), b.number(0));
    return [
      () => b.make('Where', [positive, d, b.mul(d, step.x(1))], step.shape()),
      () => b.unless(positive, b.mul(d, step.x())),
    ];
  },
  Cast(step) {
    const float = 1;
    if (step.int('to', float) !== float) throw step.refused('a cast among 32-bit floats, but it goes to another type');
    return [() => step.d];
  },
};

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
const reducedExtreme = reduction((step, { axes, y, d }) => {
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
  ReduceMax: reducedExtreme,
  ReduceMin: reducedExtreme,
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
