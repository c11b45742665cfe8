import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { type FeatureExtractor, parakeetFeatures, rawSamples, unitVariance, whisperFeatures } from './features.ts';

const whisper = { bands: 80, length: 480_000, hop: 160, fftSize: 400, sampleRateHz: 16_000 };
const parakeet = { bands: 80, hop: 160, fftSize: 512, windowLength: 400, preemphasis: 0.97, sampleRateHz: 16_000 };
const extractors: Readonly<Record<string, FeatureExtractor>> = {
  'raw samples': rawSamples,
  'unit variance': unitVariance,
  "Whisper's features": whisperFeatures({ ...whisper, length: 16_000 }),
  "Parakeet's features": parakeetFeatures(parakeet),
};

/** Noise with a swell, quiet at the ends, so that many numbers are below the least one. */
function sound(seed: string, length: number): Float32Array {
  const random = createRandom(seed);
  return Float32Array.from({ length }, (_, n) => 1e-6 + 0.2 * Math.sin((Math.PI * n) / length) ** 12 * random.normal());
}

for (const [name, extract] of Object.entries(extractors)) {
  test(`the gradient through ${name} is what central differences measure`, () => {
    const samples = sound(name, 8000);
    const { values, shape, held, backward } = extract(samples);
    assert.equal(
      values.length,
      shape.reduce((product, size) => product * size, 1),
    );
    const random = createRandom(`${name}: weights`);
    const weights = values.map(() => random.normal());
    const loss = (at: Float32Array) =>
      extract(at, held).values.reduce((sum, value, index) => sum + value * weights[index]!, 0);
    const gradient = backward(weights);
    for (let direction = 0; direction < 3; direction++) {
      const along = samples.map((value) => random.normal() * Math.abs(value));
      const expected = gradient.reduce((sum, value, index) => sum + value * along[index]!, 0);
      const step = 1e-3;
      const moved = (by: number) => loss(samples.map((value, index) => value + by * along[index]!));
      const measured = (moved(step) - moved(-step)) / (2 * step);
      assert.ok(
        Math.abs(measured - expected) < 2e-3 * Math.max(1, Math.abs(expected)),
        `${measured} is not ${expected}`,
      );
    }
  });
}

test('numbers that were raised to the least one pass their gradient to the greatest', () => {
  const extract = whisperFeatures({ ...whisper, length: 16_000 });
  const samples = sound('raised', 8000);
  const { values, held, backward } = extract(samples);
  const raised = values.findIndex((_, index) => held!.raised[index] === 1);
  const only = (index: number) => backward(values.map((_, place) => (place === index ? 1 : 0)));
  assert.ok(held!.raised.reduce((sum, value) => sum + value, 0) > 100);
  assert.deepEqual(only(raised), only(held!.greatest));
});

test('silence has features, and a gradient of zero', () => {
  const { values, backward } = extractors["Whisper's features"]!(new Float32Array(8000));
  assert.ok(values.every((value) => value === values[0]));
  assert.ok(backward(values.map(() => 1)).every((value) => value === 0));
});

test('features are those of transformers.js', async (t) => {
  const library = await import('@huggingface/transformers').catch(() => null);
  if (library === null) return t.skip('needs @huggingface/transformers');
  const samples = sound('transformers', 20_000);
  const { WhisperFeatureExtractor, ParakeetFeatureExtractor, Wav2Vec2FeatureExtractor } = library;
  const settings = { n_fft: 400, feature_size: 80, hop_length: 160, sampling_rate: 16_000 };
  const theirs = [
    [
      'input_features',
      new WhisperFeatureExtractor({ ...settings, n_samples: 480_000, nb_max_frames: 3000 }),
      whisperFeatures(whisper),
    ],
    [
      'input_features',
      new ParakeetFeatureExtractor({ ...settings, n_fft: 512, win_length: 400, preemphasis: 0.97 }),
      parakeetFeatures(parakeet),
    ],
    ['input_values', new Wav2Vec2FeatureExtractor({ do_normalize: true }), unitVariance],
  ] as const;
  for (const [name, extractor, ours] of theirs) {
    const call = extractor as unknown as {
      _call(samples: Float32Array): Promise<Record<string, { data: Float32Array; dims: number[] }>>;
    };
    const { data, dims } = (await call._call(samples))[name]!;
    const { values, shape } = ours(samples);
    assert.deepEqual(shape, dims);
    // They keep energies in single precision.
    const apart = values.reduce((most, value, index) => Math.max(most, Math.abs(value - data[index]!)), 0);
    assert.ok(apart < 2e-4, `${name}: ${apart}`);
  }
});
