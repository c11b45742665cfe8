import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onnxModel, type WrittenNode } from '../../../packages/testing/onnx-writer.ts';
import { melShape, windowSamples } from '../mel-windows.ts';

const mean = (input: string, output: string, axes: readonly number[], keepdims: number): WrittenNode => ({
  operator: 'ReduceMean',
  inputs: [input],
  outputs: [output],
  attributes: { axes, keepdims },
});

/** Three numbers for a window: its mean level, the same of its first two seconds, and its mean square. */
const quality = onnxModel({
  nodes: [
    { operator: 'Abs', inputs: ['input_1'], outputs: ['level'] },
    { operator: 'Slice', inputs: ['level', 'start', 'twoSeconds', 'overTime'], outputs: ['begin'] },
    { operator: 'Mul', inputs: ['input_1', 'input_1'], outputs: ['square'] },
    mean('level', 'ofAll', [1], 1),
    mean('begin', 'ofBegin', [1], 1),
    mean('square', 'ofSquare', [1], 1),
    { operator: 'Concat', inputs: ['ofAll', 'ofBegin', 'ofSquare'], outputs: ['three'], attributes: { axis: 1 } },
    { operator: 'Mul', inputs: ['three', 'scales'], outputs: ['answer'] },
  ],
  weights: [
    { name: 'start', shape: [1], type: 'int64', values: [0] },
    { name: 'twoSeconds', shape: [1], type: 'int64', values: [32_000] },
    { name: 'overTime', shape: [1], type: 'int64', values: [1] },
    { name: 'scales', shape: [1, 3], values: [50, 40, 300] },
  ],
  inputs: [{ name: 'input_1', type: 'float', shape: [1, windowSamples] }],
  outputs: [{ name: 'answer', type: 'float', shape: [1, 3] }],
});

/** One number for a window: bands by weights that rise and fall, over all frames and over the first hundred. */
const p808 = onnxModel({
  nodes: [
    { operator: 'Slice', inputs: ['input_1', 'start', 'hundred', 'overTime'], outputs: ['begin'] },
    mean('input_1', 'ofAll', [1], 0),
    mean('begin', 'ofBegin', [1], 0),
    { operator: 'MatMul', inputs: ['ofAll', 'rising'], outputs: ['one'] },
    { operator: 'MatMul', inputs: ['ofBegin', 'waves'], outputs: ['other'] },
    { operator: 'Add', inputs: ['one', 'other'], outputs: ['answer'] },
  ],
  weights: [
    { name: 'start', shape: [1], type: 'int64', values: [0] },
    { name: 'hundred', shape: [1], type: 'int64', values: [100] },
    { name: 'overTime', shape: [1], type: 'int64', values: [1] },
    { name: 'rising', shape: [melShape[2], 1], values: Array.from({ length: melShape[2] }, (_, band) => band / 1000) },
    {
      name: 'waves',
      shape: [melShape[2], 1],
      values: Array.from({ length: melShape[2] }, (_, band) => Math.sin(band / 3) / 8),
    },
  ],
  inputs: [{ name: 'input_1', type: 'float', shape: melShape }],
  outputs: [{ name: 'answer', type: 'float', shape: [1, 1] }],
});

/** Writes two networks that take what DNSMOS's take, and whose answers depend on all of it, in the place of those. */
export function writeTinyNetworks(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'sig_bak_ovr.onnx'), quality);
  writeFileSync(join(folder, 'model_v8.onnx'), p808);
}
