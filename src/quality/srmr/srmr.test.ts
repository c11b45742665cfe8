import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testQuality } from '../conformance.ts';
import { centreFrequencies, gammatoneWeights, modulationEnergies, srmr } from './srmr.ts';

const services = { baseFolder: '/nowhere', fileHash: async () => '' };
testQuality({ measure: srmr, options: {}, services, skip: false });

test('A channel lets its centre through, half of it at half its bandwidth, next to nothing far off.', () => {
  const weights = gammatoneWeights(1000, 16_000, 512);
  assert.ok(Math.abs(weights[32]! - 1) < 1e-12);
  assert.ok(weights.every((weight) => weight <= 1.001));
  assert.ok(weights[96]! < 1e-3 && weights[4]! < 1e-3);
  assert.equal(centreFrequencies(125, 8000, 23)[0]!.toFixed(6), '125.000000');
});

test('An envelope that swings at the centre of a modulation band has its energy there.', () => {
  const frames = 800;
  const values = Float64Array.from(
    { length: frames },
    (_, n) => 1 + Math.sin((2 * Math.PI * 4 * 32 ** (3 / 7) * n) / 400),
  );
  const energies = modulationEnergies({ frames, values }, 400);
  const stretches = energies.length / 8;
  const last = Array.from({ length: 8 }, (_, band) => energies[band * stretches + stretches - 1]!);
  assert.equal(last.indexOf(Math.max(...last)), 3);
  // A sine of amplitude 1 under a squared Hamming window of 103 frames, whose mean is .3974.
  assert.ok(Math.abs(last[3]! / (0.5 * 0.3974 * 103) - 1) < 0.02, String(last[3]));
});
