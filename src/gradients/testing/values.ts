import type { Node } from '../onnx-model.ts';
import { sizeOf } from '../tensors.ts';

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
