import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import {
  allFinite,
  changeSamples,
  countFrom,
  limiting,
  peak,
  type SampleChange,
  type SampleSteps,
  scaling,
  stepping,
} from './samplewise.ts';

// Lengths around a vector, a block (8192) and several blocks.
const lengths = [0, 1, 3, 4, 5, 8191, 8192, 8193, 17_001];
const sound = (seed: number, length: number) => {
  const random = createRandom({ seed, length });
  return Float32Array.from({ length }, () => 0.5 * random.normal());
};

/** What one change makes of samples, and what it tells. */
function changed(samples: Float32Array, change: SampleChange): [Float32Array, number] {
  const { samples: result, told } = changeSamples(samples, [change]);
  return [result, told[0]!];
}

test('changes in one pass, also in place, give what they give one after the other, and tell it', () => {
  for (const length of lengths) {
    const samples = sound(5, length);
    const changes = [scaling(1.7), stepping({ scale: 128, steps: 128, rounding: 'nearest' }), limiting(0.4)];
    const told: number[] = [];
    let expected: Float32Array = samples;
    for (const change of changes) {
      const [next, tells] = changed(expected, change);
      told.push(tells);
      expected = next;
    }
    assert.deepEqual(changeSamples(samples, changes), { samples: expected, told, finite: true });
    const own = samples.slice();
    assert.equal(changeSamples(own, changes, own).samples, own);
    assert.deepEqual(own, expected);
  }
});

test('a sample that is no number, or infinite, is seen wherever it stands', () => {
  for (const length of lengths) {
    const samples = sound(6, length);
    assert.equal(allFinite(samples), true);
    assert.equal(changeSamples(samples, [scaling(2)]).finite, true);
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (const place of [0, length >> 1, length - 1]) {
        if (length === 0) continue;
        const spoiled = samples.with(place, odd);
        assert.equal(allFinite(spoiled), false, `${odd} at ${place} of ${length}`);
        assert.equal(changeSamples(spoiled, [scaling(2)]).finite, false);
      }
    }
  }
  assert.equal(changeSamples(new Float32Array([3e38]), [scaling(2)]).finite, false);
});

test('the peak is the largest magnitude, whatever the length and the place in a buffer', () => {
  for (const length of lengths) {
    const samples = sound(1, length);
    assert.equal(
      peak(samples),
      samples.reduce((largest, sample) => Math.max(largest, Math.abs(sample)), 0),
    );
    const offset = new Float32Array(length + 1);
    offset.set(samples, 1);
    assert.equal(peak(offset.subarray(1)), peak(samples));
  }
  assert.equal(peak(new Float32Array([0.25, Number.NaN, -0.5])), 0.5);
});

test('a scaled sound is the product in double precision, rounded once', () => {
  for (const length of lengths) {
    const samples = sound(2, length);
    const before = samples.slice();
    // The first two are no numbers of single precision; the last makes subnormal ones.
    for (const factor of [0.1, 1.2345678901, 0, 1000, Math.fround(0.1), Math.fround(1e-40)]) {
      const products = Float32Array.from(samples, (sample) => factor * sample);
      assert.deepEqual(changed(samples, scaling(factor)), [products, peak(products)]);
    }
    assert.deepEqual(samples, before);
  }
});

test('samples of a magnitude or more are counted, those of that magnitude among them', () => {
  for (const length of lengths) {
    const samples = sound(4, length);
    const magnitude = Math.abs(samples[0] ?? 1);
    const counted = samples.filter((sample) => Math.abs(sample) >= magnitude).length;
    assert.equal(countFrom(samples, magnitude), counted);
  }
  assert.equal(countFrom(new Float32Array([1, -1, Number.NaN, Number.NEGATIVE_INFINITY, 0.5]), 1), 3);
});

test('a limited sound keeps what is in the range, the bound itself included, and counts the rest', () => {
  for (const length of lengths) {
    const samples = sound(3, length);
    const before = samples.slice();
    for (const bound of [0.3, 0.5, 0, 10]) {
      const limit = Math.fround(bound);
      assert.deepEqual(changed(samples, limiting(bound)), [
        samples.map((sample) => (sample > limit ? limit : sample < -limit ? -limit : sample)),
        samples.filter((sample) => Math.abs(sample) > limit).length,
      ]);
    }
    assert.deepEqual(samples, before);
  }
  const odd = changed(new Float32Array([0.3, -0.3, Number.NaN, Number.POSITIVE_INFINITY, 0.25]), limiting(0.3));
  assert.deepEqual(odd, [new Float32Array([0.3, -0.3, Number.NaN, 0.3, 0.25]), 1]);
});

/** As the documentation has it, one sample after the other. */
function oneByOne(samples: Float32Array, { scale, steps, rounding }: SampleSteps) {
  let beyond = 0;
  const rounded = samples.map((sample) => {
    const whole = rounding === 'nearest' ? Math.round(sample * scale) : Math.trunc(sample * scale);
    const fitting = Math.max(-steps, Math.min(steps - 1, whole));
    if (fitting !== whole) beyond++;
    return fitting / steps + 0;
  });
  return [rounded, beyond];
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
          assert.deepEqual(changed(samples, stepping(asked)), oneByOne(samples, asked));
        }
      }
    }
  }
});

test('halves go up, just less than a half goes down, and no zero has a sign', () => {
  const samples = new Float32Array([0.5, -0.5, 1.5, -1.5, 0.49999997, -0.49999997, -0, 0.2, -0.2, 1e30, -1e30]);
  const [rounded, beyond] = changed(samples, stepping({ scale: 1, steps: 128, rounding: 'nearest' }));
  assert.deepEqual(
    [...rounded].map((value) => value * 128),
    [1, 0, 2, -1, 0, 0, 0, 0, 0, 127, -128],
  );
  assert.equal(beyond, 2);
});
