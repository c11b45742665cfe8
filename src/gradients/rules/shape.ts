import { fromFront } from '../builder.ts';
import { sizeOf } from '../tensors.ts';
import type { Rule, Step } from './step.ts';

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
