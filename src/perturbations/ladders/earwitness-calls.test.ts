import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clippedShare, levelDbfs } from '../../audio/levels.ts';
import { createRandom } from '../../base/random.ts';
import { applySteps, readyStep } from '../apply-steps.ts';
import { clipShare } from '../clip-share/clip-share.ts';
import type { AssetServices, Perturbation } from '../contract.ts';
import { g711 } from '../g711/g711.ts';
import { g722 } from '../g722/g722.ts';
import { gsm } from '../gsm/gsm.ts';
import { mp3 } from '../mp3/mp3.ts';
import { narrowBand } from '../narrow-band/narrow-band.ts';
import { opus } from '../opus/opus.ts';
import { packetLoss } from '../packet-loss/packet-loss.ts';
import { replaceSound } from '../replace-sound/replace-sound.ts';
import { callFamilies } from './earwitness.ts';

const members = new Map<string, Perturbation>(
  [clipShare, g711, g722, gsm, mp3, narrowBand, opus, packetLoss, replaceSound].map((member) => [
    member.name,
    member as unknown as Perturbation,
  ]),
);
const noAssets: AssetServices = {
  sounds: () => assert.fail('no collection is needed'),
  codec: () => assert.fail('no codec is asked'),
};

/** Twenty seconds that are never silent: noise with a tone. */
const random = createRandom('a voice');
const clip = {
  samples: Float32Array.from({ length: 320_000 }, (_, n) => 0.2 * Math.sin(n / 15) + 0.1 * (random.next() - 0.5)),
  sampleRate: 16_000,
};

async function heard(family: string): Promise<Float32Array[]> {
  const { rungs } = callFamilies.find(({ name }) => name === family)!;
  const sounds: Float32Array[] = [];
  for (const { steps } of rungs) {
    const ready = await Promise.all(
      steps.map(({ perturbation, parameters }) => readyStep(members.get(perturbation)!, parameters, noAssets)),
    );
    const made = await applySteps(clip, steps, {
      ready: (position) => ready[position]!,
      randomFor: (position) => createRandom({ family, position }),
    });
    sounds.push(made.clip.samples);
  }
  return sounds;
}

test('Every rung has complete parameters that its perturbation takes, and a label of its own.', () => {
  for (const { name, rungs } of callFamilies) {
    assert.equal(new Set(rungs.map(({ label }) => label)).size, rungs.length, name);
    for (const { steps } of rungs) {
      for (const { perturbation, parameters } of steps) {
        assert.deepEqual(members.get(perturbation)!.parameters.parse(parameters), parameters, name);
      }
    }
  }
});

test('Of packets that nothing conceals, as many are silent as the label says.', async () => {
  const shares = (await heard('packet-loss-silent')).map(
    (samples) => samples.filter((sample) => sample === 0).length / samples.length,
  );
  // A thousand packets in bursts of two: the standard deviation of a share p is below sqrt(3 p (1 - p) / 1000), 0.027 at most.
  for (const [index, expected] of [0.03, 0.1, 0.2, 0.4].entries()) {
    const tolerance = 4 * Math.sqrt((3 * expected * (1 - expected)) / 1000);
    assert.ok(Math.abs(shares[index]! - expected) < tolerance, `${shares[index]} of ${expected}`);
  }
});

test('As many samples are cut off as the label says, and they stand at the peak.', async () => {
  for (const [index, samples] of (await heard('clipping')).entries()) {
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    const cut = clippedShare(samples.map((sample) => sample / peak));
    assert.ok(Math.abs(cut - [0.01, 0.05, 0.15, 0.4][index]!) < 0.002, `${cut}`);
  }
});

test('What stands in the place of speech has the level of its label.', async () => {
  const levels = (await heard('silence')).map(levelDbfs);
  assert.equal(levels[0], null);
  for (const [index, expected] of [-60, -40, -20].entries()) {
    assert.ok(Math.abs(levels[index + 1]! - expected) < 0.1, `${levels[index + 1]}`);
  }
});

test('The codecs of telephones get worse from rung to rung.', async () => {
  const errors = (await heard('telephone')).map((samples) => {
    let sum = 0;
    for (let n = 0; n < clip.samples.length; n++) sum += ((samples[n] ?? 0) - clip.samples[n]!) ** 2;
    return sum;
  });
  assert.ok(errors.every((error) => error > 0));
  assert.ok(errors[3]! > errors[0]!, errors.join());
});
