import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testQuality } from '../conformance.ts';
import { snr } from './snr.ts';

const services = { baseFolder: '/nowhere', fileHash: async () => '' };
testQuality({ measure: snr, options: {}, services, skip: false });

const clean = { samples: Float32Array.of(0.5, -0.5, 0.5, -0.5), sampleRate: 8000 };
const measured = async (samples: Float32Array) => (await snr.open({}, services)).measure({ ...clean, samples }, clean);

test('A tenth of the amplitude is 20 dB, and a clip turned round has twice its own as noise.', async () => {
  const { values } = await measured(clean.samples.map((sample) => sample * 1.1));
  assert.ok(Math.abs(values.snrDb! - 20) < 1e-4);
  assert.ok(Math.abs((await measured(clean.samples.map((sample) => -sample))).values.snrDb! + 6.0206) < 1e-4);
});

test('Where nothing differs there is no ratio, and the reason says so.', async () => {
  const { values, reason } = await measured(clean.samples.slice());
  assert.equal(values.snrDb, null);
  assert.match(reason!, /no noise/);
});
