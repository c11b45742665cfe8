import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testQuality } from '../conformance.ts';
import { clippedShare } from './clipped-share.ts';

const services = { baseFolder: '/nowhere', fileHash: async () => '' };
testQuality({ measure: clippedShare, options: {}, services, skip: false });

test('Both ends of 16 bits and everything beyond count, what lies one step below does not.', async () => {
  const samples = Float32Array.of(1, 32767 / 32768, -1.5, 32766 / 32768, 0, -32766 / 32768, 0.5, -0.5);
  const { values } = await (await clippedShare.open({}, services)).measure({ samples, sampleRate: 8000 }, null);
  assert.equal(values.clippedShare, 3 / 8);
});
