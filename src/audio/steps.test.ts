import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { inSteps, type SampleSteps } from './steps.ts';

/** As the documentation has it, one sample after the other. */
function oneByOne(samples: Float32Array, { scale, steps, rounding }: SampleSteps) {
  let beyond = 0;
  const rounded = samples.map((sample) => {
    const whole = rounding === 'nearest' ? Math.round(sample * scale) : Math.trunc(sample * scale);
    const fitting = Math.max(-steps, Math.min(steps - 1, whole));
    if (fitting !== whole) beyond++;
    return fitting / steps + 0;
  });
  return { samples: rounded, beyond };
}

test('every sample is rounded as Math.round and Math.trunc round it, and those beyond the range are counted', () => {
  for (const length of [0, 1, 3, 4, 4097, 9001]) {
    const random = createRandom({ length });
    const samples = Float32Array.from({ length }, () => 0.6 * random.normal());
    for (const bits of [2, 8, 16, 32]) {
      const steps = 2 ** (bits - 1);
      for (const scale of [steps, steps - 1]) {
        for (const rounding of ['nearest', 'truncate'] as const) {
          const asked = { scale, steps, rounding };
          assert.deepEqual(inSteps(samples, asked), oneByOne(samples, asked));
        }
      }
    }
  }
});

test('halves go up, just less than a half goes down, and no zero has a sign', () => {
  const samples = new Float32Array([0.5, -0.5, 1.5, -1.5, 0.49999997, -0.49999997, -0, 0.2, -0.2, 1e30, -1e30]);
  const { samples: rounded, beyond } = inSteps(samples, { scale: 1, steps: 128, rounding: 'nearest' });
  assert.deepEqual(
    [...rounded].map((value) => value * 128),
    [1, 0, 2, -1, 0, 0, 0, 0, 0, 127, -128],
  );
  assert.equal(beyond, 2);
});
