import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Perturbation } from './contract.ts';
import { dropChunksAt } from './drop-chunks-at/drop-chunks-at.ts';
import { gain } from './gain/gain.ts';
import { parseSteps } from './parse-steps.ts';
import { quantize } from './quantize/quantize.ts';

const bank: Readonly<Record<string, Perturbation>> = { gain, quantize, 'drop-chunks-at': dropChunksAt };
const parse = (written: unknown) => parseSteps(written, (name) => bank[name] ?? null);

test('completes parameters with what is usual', async () => {
  assert.deepEqual(await parse([{ perturbation: 'quantize', parameters: { bits: 8 } }]), [
    { perturbation: 'quantize', parameters: { bits: 8, rounding: 'nearest', fullScale: 'power-of-two' } },
  ]);
  assert.deepEqual(await parse([]), []);
});

test('says where something is wrong, what was expected and what came', async () => {
  const cases: [unknown, RegExp][] = [
    ['gain', /^steps: expected array, but got "gain"$/],
    [[{}], /^steps\[0\]\.perturbation: expected string, but it is missing$/],
    [
      [{ perturbation: 'gian' }],
      /^steps\[0\]\.perturbation: expected the name of a perturbation, but there is no "gian"; list/,
    ],
    [[{ perturbation: 'gain' }], /^steps\[0\]\.parameters\.factor: expected number, but it is missing$/],
    [[{ perturbation: 'gain', parameters: { factor: 'loud' } }], /\.factor: expected number, but got "loud"$/],
    [[{ perturbation: 'gain', parameters: { factor: -1 } }], /\.factor: expected number to be >=0, but got -1$/],
    [[{ perturbation: 'gain', parameters: { facto: 1, factor: 1 } }], /unknown key "facto"; did you mean "factor"\?$/],
    [[{ perturbation: 'gain', parameters: [] }], /^steps\[0\]\.parameters: expected record, but got \[\]$/],
    [[{ perturbation: 'gain', parameter: {} }], /^steps\[0\]: unknown key "parameter"; take it out$/],
    [
      [{ perturbation: 'drop-chunks-at', parameters: { chunkSeconds: 1, startsSeconds: [0, -1] } }],
      /^steps\[0\]\.parameters\.startsSeconds\[1\]: expected number to be >=0, but got -1$/,
    ],
    [
      Array.from({ length: 101 }, () => ({ perturbation: 'gain' })),
      /^steps: expected array to have <=100 items, but got/,
    ],
  ];
  for (const [written, expected] of cases) {
    await assert.rejects(
      () => parse(written),
      (thrown: Error & { code?: string }) => {
        assert.match(thrown.message, expected);
        assert.ok(thrown.message.length < 300);
        assert.equal(thrown.code, 'bad-config');
        return true;
      },
    );
  }
});
