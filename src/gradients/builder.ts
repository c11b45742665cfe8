import { floatTensor, integerTensor, type Node, type Tensor } from './onnx-model.ts';
import { makeNode } from './rewrite.ts';

type Shape = readonly number[];

/** Writes nodes of standard operators (version 20) and keeps the shapes of what they make. */
export class Builder {
  readonly nodes: Node[] = [];
  readonly weights = new Map<string, Tensor>();
  readonly #shapes: Map<string, Shape>;

  /** @param shapes of the tensors that are already there */
  constructor(shapes: ReadonlyMap<string, Shape>) {
    this.#shapes = new Map(shapes);
  }

  shape(name: string): Shape {
    const shape = this.#shapes.get(name);
    if (shape === undefined) throw new Error(`no shape is known of ${name}`);
    return shape;
  }

  /** Notes the shape of a tensor that is made elsewhere. */
  declare(name: string, shape: Shape): void {
    this.#shapes.set(name, shape);
  }

  /** A node with one output of a shape that is known. */
  make(
    operator: string,
    inputs: readonly string[],
    shape: Shape,
    attributes: Readonly<Record<string, number | string | readonly number[]>> = {},
  ): string {
    const name = `gradient/${this.nodes.length}/${operator}`;
    this.nodes.push(makeNode(operator, inputs, [name], attributes));
    this.#shapes.set(name, shape);
    return name;
  }

  /** One number. */
  number(value: number): string {
    return this.#weight(`gradient/number/${value}`, floatTensor([value], []));
  }

  integers(values: readonly number[]): string {
    return this.#weight(`gradient/integers/${values.join(',')}`, integerTensor(values));
  }

  #weight(name: string, tensor: Tensor): string {
    this.weights.set(name, tensor);
    this.#shapes.set(name, tensor.shape);
    return name;
  }

  /** An operator of one input, number by number. */
  each(operator: string, value: string): string {
    return this.make(operator, [value], this.shape(value));
  }

  add(left: string, right: string): string {
    return this.#both('Add', left, right);
  }

  sub(left: string, right: string): string {
    return this.#both('Sub', left, right);
  }

  mul(left: string, right: string): string {
    return this.#both('Mul', left, right);
  }

  div(left: string, right: string): string {
    return this.#both('Div', left, right);
  }

  times(value: string, factor: number): string {
    return factor === 1 ? value : this.mul(value, this.number(factor));
  }

  plus(value: string, summand: number): string {
    return this.add(value, this.number(summand));
  }

  compare(
    operator: 'Equal' | 'Greater' | 'GreaterOrEqual' | 'Less' | 'LessOrEqual',
    left: string,
    right: string,
  ): string {
    return this.#both(operator, left, right);
  }

  /** `value` where the condition holds, else 0. */
  where(condition: string, value: string): string {
    const shape = broadcast(this.shape(condition), this.shape(value));
    return this.make('Where', [condition, value, this.number(0)], shape);
  }

  /** `value` where the condition does not hold, else 0. */
  unless(condition: string, value: string): string {
    const shape = broadcast(this.shape(condition), this.shape(value));
    return this.make('Where', [condition, this.number(0), value], shape);
  }

  #both(operator: string, left: string, right: string): string {
    return this.make(operator, [left, right], broadcast(this.shape(left), this.shape(right)));
  }

  reshape(value: string, shape: Shape): string {
    const own = this.shape(value);
    if (own.length === shape.length && own.every((size, axis) => size === shape[axis])) return value;
    return this.make('Reshape', [value, this.integers(shape)], shape, { allowzero: 1 });
  }

  transpose(value: string, perm: readonly number[]): string {
    if (perm.every((axis, place) => axis === place)) return value;
    const shape = this.shape(value);
    return this.make(
      'Transpose',
      [value],
      perm.map((axis) => shape[axis]!),
      { perm },
    );
  }

  /** With the last two axes exchanged. */
  turned(value: string): string {
    const rank = this.shape(value).length;
    const perm = Array.from({ length: rank }, (_, axis) => axis);
    return this.transpose(value, [...perm.slice(0, -2), rank - 1, rank - 2]);
  }

  matmul(left: string, right: string): string {
    const [a, b] = [this.shape(left), this.shape(right)];
    const shape = [...broadcast(a.slice(0, -2), b.slice(0, -2)), a.at(-2)!, b.at(-1)!];
    return this.make('MatMul', [left, right], shape);
  }

  /** Over axes, which stay with size 1. */
  reduce(kind: 'Sum' | 'Mean' | 'SumSquare', value: string, axes: readonly number[]): string {
    const shape = this.shape(value).map((size, axis) => (axes.includes(axis) ? 1 : size));
    return this.make(`Reduce${kind}`, [value, this.integers(axes)], shape, { keepdims: 1 });
  }

  expand(value: string, shape: Shape): string {
    return this.make('Expand', [value, this.integers(shape)], shape);
  }

  /** Sums over what was repeated, so that the result has the shape. */
  unbroadcast(value: string, shape: Shape): string {
    const own = this.shape(value);
    const before = own.length - shape.length;
    const axes = own.flatMap((size, axis) =>
      axis < before || (shape[axis - before] === 1 && size !== 1) ? [axis] : [],
    );
    const summed = axes.length > 0 ? this.reduce('Sum', value, axes) : value;
    return this.reshape(summed, shape);
  }

  /**
   * What a selection along an axis took, put back: the sum of the slices of `value` at their places, zeros elsewhere.
   *
   * @param indices a tensor of as many whole numbers as the axis of `value` has
   */
  scatter(value: string, axis: number, indices: string, size: number): string {
    const shape = this.shape(value);
    const along = shape.map((_, place) => (place === axis ? -1 : 1)).map((each) => (each === -1 ? shape[axis]! : 1));
    const spread = this.expand(this.reshape(indices, along), shape);
    const whole = shape.map((each, place) => (place === axis ? size : each));
    const zeros = this.expand(this.number(0), whole);
    return this.make('ScatterElements', [zeros, spread, value], whole, { axis, reduction: 'add' });
  }
}

/** The shape of two tensors that are combined number by number. */
function broadcast(left: Shape, right: Shape): number[] {
  const rank = Math.max(left.length, right.length);
  return Array.from({ length: rank }, (_, axis) => {
    const a = left[left.length - rank + axis] ?? 1;
    const b = right[right.length - rank + axis] ?? 1;
    return a === 1 ? b : a;
  });
}

/** Axes counted from the front. */
export function fromFront(axes: readonly number[], rank: number): number[] {
  return axes.map((axis) => (axis < 0 ? axis + rank : axis));
}
