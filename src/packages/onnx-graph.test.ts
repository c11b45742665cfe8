import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readOnnxGraph } from './onnx-graph.ts';
import { onnxModel } from './testing/onnx-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-onnx-'));
after(() => rmSync(folder, { recursive: true }));

async function read(bytes: Uint8Array) {
  const path = join(folder, 'model.onnx');
  writeFileSync(path, bytes);
  return readOnnxGraph(path);
}

const model = onnxModel({
  nodes: [{ operator: 'MatMul', inputs: ['x', 'matrix'], outputs: ['y'] }],
  weights: [
    { name: 'matrix', shape: [3, 200], values: Array.from({ length: 600 }, () => 1) },
    { name: 'bias', shape: [200], values: [], file: 'more.data' },
    { name: 'matrix_scale', shape: [200], values: Array.from({ length: 200 }, () => 1) },
    { name: 'axes', shape: [1], type: 'int64', values: [1] },
  ],
  inputs: [{ name: 'x', type: 'float', shape: ['batch', 3] }],
  outputs: [{ name: 'y', type: 'float', shape: ['batch', 200] }],
  metadata: { vocab_size: '200' },
});

test('a graph tells its inputs, outputs, parameters, files beside it and metadata', async () => {
  assert.deepEqual(await read(model), {
    inputs: ['x'],
    outputs: ['y'],
    // 3 x 200 and 200; the scale of quantized weights and the list of axes are none.
    parameters: 800,
    externalFiles: ['more.data'],
    metadata: new Map([['vocab_size', '200']]),
  });
});

test('what is no graph, or is cut off, is told from one, wherever it ends', async () => {
  for (const bytes of [
    new Uint8Array(0),
    Buffer.from('{"no": "graph"}'),
    new Uint8Array(5000).fill(0xff),
    new Uint8Array(5000),
  ]) {
    assert.equal(await read(bytes), null);
  }
  for (let length = 0; length < 2500; length += 97)
    assert.equal(await read(model.subarray(0, length)), null, String(length));
});
