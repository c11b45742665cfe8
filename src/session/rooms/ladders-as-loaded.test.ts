import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import type { AssetServices, Perturbation } from '../../perturbations/contract.ts';
import { srb } from '../../perturbations/ladders/srb.ts';
import { roomResponse } from '../../perturbations/room-response/room-response.ts';
import { collectionInMemory } from '../../perturbations/shared/chosen-sounds.ts';
import { soundNoise } from '../../perturbations/sound-noise/sound-noise.ts';
import { laddersAsLoaded } from './ladders-as-loaded.ts';

const clip = { samples: Float32Array.of(1), sampleRate: 16_000 };
const rooms = [0.2, 0.4, 0.9, 1].map((rt60Seconds, index) => ({
  name: `r${index}.wav`,
  clip,
  facts: { rt60Seconds, srmr: 10 - 3 * index },
}));
const services: AssetServices = {
  async sounds(name) {
    if (name === 'wham') throw new EarwitnessError('bad-config', 'there is no collection wham');
    return collectionInMemory(name, rooms);
  },
  codec: async () => assert.fail('no codec is asked for'),
};
const perturbations: Readonly<Record<string, unknown>> = { 'room-response': roomResponse, 'sound-noise': soundNoise };
const perturbation = async (name: string) => perturbations[name] as Perturbation;

test('Rooms are called by what was measured of them; what nobody names is not loaded, what is absent stays.', async () => {
  const studies = [{ conditions: ['srb/rir', 'srb/real_rir:1', 'srb/env_noise_wham:2', 'srb/env_noise:1'] }];
  const [loaded] = await laddersAsLoaded([srb], studies, perturbation, services);
  const family = (wanted: string) => loaded!.families.find(({ name }) => name === wanted)!;
  const labels = (wanted: string) => family(wanted).rungs.map(({ label }) => label);
  // Quarters of .2 to 1: .2 and .4 in the first, none in the second and third, .9 and 1 in the last; means by hand.
  assert.deepEqual(labels('rir'), ['0.30 s', '2 of 4', '3 of 4', '0.95 s']);
  assert.equal(family('rir').axis, 'reverberation time, mean of the class');
  // Quarters of 10 down to 1: one room in each.
  assert.deepEqual(labels('real_rir'), ['10.0', '7.0', '4.0', '1.0']);
  assert.equal(family('env_noise').rungs[0]!.sounds![0]!.sounds, 4);
  assert.equal(family('env_noise').rungs[0]!.label, '30 dB');
  for (const name of ['env_noise_wham', 'music', 'echo']) {
    assert.equal(family(name).rungs[1]!.sounds, undefined, name);
    assert.deepEqual(
      labels(name),
      srb.families.find((one) => one.name === name)!.rungs.map(({ label }) => label),
    );
  }
});
