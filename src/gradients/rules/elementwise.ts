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
