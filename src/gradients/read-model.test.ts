import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { onnxModel } from '../packages/testing/onnx-writer.ts';
import { floatsOf, integersOf } from './onnx-model.ts';
import { decodeModel, readModel } from './read-model.ts';
import { wav2vec2Like } from './testing/networks.ts';
import { createWeightFile, encodeModel, writeModel } from './write-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-onnx-model-'));
after(() => rmSync(folder, { recursive: true }));

test('a file of another writer is read: nodes, weights of both kinds, sizes with and without names', () => {
  const { graph, operatorSets } = decodeModel(
    onnxModel({
      nodes: [
        { operator: 'MatMul', inputs: ['x', 'matrix'], outputs: ['y'] },
        { operator: 'Conv', inputs: ['y', 'matrix'], outputs: ['z'], attributes: { strides: [2, 1], group: 3 } },
      ],
      weights: [
        { name: 'matrix', shape: [2, 1], values: [0.5, -3] },
        { name: 'axes', shape: [2], type: 'int64', values: [1, 70_000] },
      ],
      inputs: [{ name: 'x', type: 'float', shape: ['batch', 2] }],
      outputs: [{ name: 'z', type: 'float', shape: ['batch', 1] }],
    }),
  );
  assert.deepEqual([...operatorSets], [['', 17]]);
  assert.deepEqual([...floatsOf(graph.weights.get('matrix')!)], [0.5, -3]);
  assert.deepEqual(integersOf(graph.weights.get('axes')!), [1, 70_000]);
  assert.deepEqual(graph.inputs, [{ name: 'x', type: 1, shape: ['batch', 2] }]);
  assert.deepEqual(
    graph.nodes.map(({ operator, inputs, attributes }) => [
      operator,
      inputs,
      [...attributes].map(([key, { value }]) => [key, value]),
    ]),
    [
      ['MatMul', ['x', 'matrix'], []],
      [
        'Conv',
        ['y', 'matrix'],
        [
          ['strides', [2, 1]],
          ['group', 3],
        ],
      ],
    ],
  );
});

test('a model comes back as it was written, with its weights beside it in one file that others share', async () => {
  const { model } = wav2vec2Like();
  const path = join(folder, 'model.onnx');
  const weights = await createWeightFile(folder);
  await writeModel(path, model, weights);
  const { bytes } = weights;
  await writeModel(join(folder, 'again.onnx'), model, weights);
  assert.equal(weights.bytes, bytes);
  await weights.close();
  const read = await readModel(path);
  assert.deepEqual(encodeModel(read), encodeModel(model));
});

test('bytes that were changed at random are read or refused in a sentence', () => {
  const random = createRandom('changed');
  const whole = encodeModel(wav2vec2Like({ channels: 2, width: 4, inner: 4, positional: 4, layers: 1 }).model);
  let refused = 0;
  for (let round = 0; round < 400; round++) {
    const bytes = Uint8Array.from(whole);
    for (let change = 0; change < 3; change++) bytes[random.integer(bytes.length)] = random.integer(256);
    try {
      decodeModel(bytes);
    } catch (error) {
      assert.match(String(error), /^EarwitnessError: expected /);
      refused++;
    }
  }
  assert.ok(refused > 20 && refused < 400, String(refused));
});

test('weights outside of the folder are refused', async () => {
  const path = join(folder, 'outside.onnx');
  writeFileSync(
    path,
    onnxModel({
      nodes: [{ operator: 'MatMul', inputs: ['x', 'matrix'], outputs: ['y'] }],
      weights: [{ name: 'matrix', shape: [2, 1], values: [], file: '../secret' }],
      inputs: [{ name: 'x', type: 'float', shape: [1, 2] }],
      outputs: [{ name: 'y', type: 'float', shape: [1, 1] }],
    }),
  );
  await assert.rejects(readModel(path), /expected the weights of .* beside it, but it names \.\.\/secret/);
});
