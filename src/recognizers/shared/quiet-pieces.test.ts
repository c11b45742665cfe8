import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietPieces } from './quiet-pieces.ts';

const rate = 1000;

function noise(seconds: number): Float32Array {
  return Float32Array.from({ length: seconds * rate }, (_, index) => (index % 2 === 0 ? 0.5 : -0.5));
}

test('sound that fits is one piece, the same samples', () => {
  const samples = noise(10);
  const [piece, ...others] = quietPieces(samples, rate, 10);
  assert.equal(others.length, 0);
  assert.deepEqual(piece, { startSeconds: 0, samples });
});

test('longer sound is cut in the middle of its pauses', () => {
  const samples = noise(25);
  samples.fill(0, 8500, 8600);
  samples.fill(0, 17_000, 17_100);
  const pieces = quietPieces(samples, rate, 10);
  assert.deepEqual(
    pieces.map(({ startSeconds }) => startSeconds),
    [0, 8.55, 17.05],
  );
});

test('pieces join to the whole and none is too long, whatever the sound', () => {
  for (const samples of [noise(61), new Float32Array(61 * rate), noise(61).fill(Number.NaN)]) {
    const pieces = quietPieces(samples, rate, 10);
    assert.ok(pieces.length <= 10);
    assert.ok(pieces.every((piece) => piece.samples.length > 0 && piece.samples.length <= 10 * rate));
    assert.deepEqual(Float32Array.from(pieces.flatMap((piece) => [...piece.samples])), samples);
  }
});

test('an empty sound is one empty piece', () => {
  assert.deepEqual(quietPieces(new Float32Array(0), rate, 10), [{ startSeconds: 0, samples: new Float32Array(0) }]);
});
