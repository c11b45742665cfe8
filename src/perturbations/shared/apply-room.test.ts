import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { applyRoom } from './apply-room.ts';

test('a room’s gain is that of a convolution in double precision, within a millionth of a decibel', () => {
  for (const seed of [1, 2, 3]) {
    const random = createRandom(['room gain', seed]);
    const samples = Float32Array.from({ length: 6000 }, () => 0.1 * random.normal());
    const response = Float32Array.from({ length: 900 * seed }, (_, n) =>
      n === 0 ? 1 : 0.3 * random.normal() * Math.exp(-n / 400),
    );
    let [before, after] = [0, 0];
    for (let n = 0; n < samples.length; n++) {
      let sum = 0;
      for (let lag = 0; lag <= Math.min(n, response.length - 1); lag++) sum += response[lag]! * samples[n - lag]!;
      before += samples[n]! ** 2;
      after += sum ** 2;
    }
    const room = { samples: response, directSample: 0 };
    const output = { normalize: 'level', align: 'peak', keepTail: false } as const;
    const { gain } = applyRoom('room', { samples, sampleRate: 16000 }, room, output);
    const offDb = 20 * Math.log10(gain / Math.sqrt(before / after));
    assert.ok(Math.abs(offDb) < 1e-6, `${offDb} dB`);
  }
});
