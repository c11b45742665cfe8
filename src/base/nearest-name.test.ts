import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from './nearest-name.ts';

const names = ['recognizers', 'synthesizers', 'corpus', 'studies', 'white-noise', 'gain'];

test('suggests the name with a letter wrong, missing, doubled or swapped', () => {
  assert.equal(nearestName('recognisers', names), 'recognizers');
  assert.equal(nearestName('recogizers', names), 'recognizers');
  assert.equal(nearestName('corppus', names), 'corpus');
  assert.equal(nearestName('gian', names), 'gain');
});

test('letter case and separators hardly count', () => {
  assert.equal(nearestName('WhiteNoise', names), 'white-noise');
  assert.equal(nearestName('white_noise', names), 'white-noise');
});

test('suggests nothing where nothing is near', () => {
  assert.equal(nearestName('banana', names), null);
  assert.equal(nearestName('', names), null);
  assert.equal(nearestName('x', ['y']), null);
  assert.equal(nearestName('gain', []), null);
});

test('a hostile name of a million letters is answered at once', () => {
  assert.equal(nearestName('x'.repeat(1_000_000), names), null);
});
