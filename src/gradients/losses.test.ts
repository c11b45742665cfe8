import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { crossEntropy, ctcLoss } from './losses.ts';

const draw = (seed: string, length: number) => {
  const random = createRandom(seed);
  return Float32Array.from({ length }, () => 2 * random.normal());
};

/** Sums the probabilities of all paths that spell the labels, one by one. */
function byPaths(scores: ArrayLike<number>, width: number, labels: readonly number[]): number {
  const frames = scores.length / width;
  let total = 0;
  for (let path = 0; path < width ** frames; path++) {
    const tokens = Array.from({ length: frames }, (_, frame) => Math.floor(path / width ** frame) % width);
    const spelled = tokens.filter((token, frame) => token !== 0 && token !== tokens[frame - 1]);
    if (spelled.join() !== labels.join()) continue;
    total += tokens.reduce((product, token, frame) => {
      const row = Array.from({ length: width }, (_, each) => Math.exp(scores[frame * width + each]!));
      return (product * row[token]!) / row.reduce((sum, value) => sum + value, 0);
    }, 1);
  }
  return -Math.log(total);
}

for (const labels of [[1, 2], [1, 1], [2], []]) {
  test(`the loss of [${labels}] is that of all its paths, and its gradient what differences measure`, () => {
    const [width, frames] = [3, 5];
    const scores = draw(`ctc ${labels}`, width * frames);
    const { loss, gradient } = ctcLoss({ scores, width, labels, blank: 0 });
    assert.ok(Math.abs(loss - byPaths(scores, width, labels)) < 1e-12);
    for (const [index, value] of gradient.entries()) {
      const moved = (by: number) =>
        byPaths(
          Array.from(scores, (each, place) => each + (place === index ? by : 0)),
          width,
          labels,
        );
      const measured = (moved(1e-5) - moved(-1e-5)) / 2e-5;
      assert.ok(Math.abs(value - measured) < 1e-7, `${index}: ${value} is not ${measured}`);
    }
  });
}

test('hundreds of frames and labels keep their precision: gradients of each frame add up to nothing', () => {
  const [width, frames] = [32, 700];
  const random = createRandom('long');
  const labels = Array.from({ length: 250 }, () => 1 + random.integer(31));
  const { loss, gradient } = ctcLoss({ scores: draw('long', width * frames), width, labels, blank: 0 });
  assert.ok(loss > 500 && loss < 5000, String(loss));
  for (let frame = 0; frame < frames; frame++) {
    const sum = gradient.subarray(frame * width, (frame + 1) * width).reduce((total, value) => total + value, 0);
    assert.ok(Math.abs(sum) < 1e-6, String(sum));
  }
});

test('a text that the frames cannot hold is refused', () => {
  const scores = new Float32Array(3 * 3);
  assert.throws(() => ctcLoss({ scores, width: 3, labels: [1, 1, 2], blank: 0 }), {
    message:
      'expected a text that 3 frames of the model can hold, but it needs 4; take a shorter text or a longer clip',
  });
});

test('cross-entropy counts the positions that are asked for, in nats', () => {
  // Softmax of ln 1, ln 2, ln 5: 1/8, 2/8, 5/8.
  const row = [1, 2, 5].map(Math.log);
  const { loss, gradient } = crossEntropy(Float32Array.from([...row, ...row, ...row]), 3, [null, 2, 0]);
  assert.ok(Math.abs(loss - (Math.log(8 / 5) + Math.log(8))) < 1e-6);
  const expected = [0, 0, 0, 1 / 8, 2 / 8, 5 / 8 - 1, 1 / 8 - 1, 2 / 8, 5 / 8];
  for (const [index, value] of gradient.entries()) assert.ok(Math.abs(value - expected[index]!) < 1e-6, String(index));
});
