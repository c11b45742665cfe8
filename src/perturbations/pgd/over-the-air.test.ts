import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { canonicalJson, hashJson } from '../../base/hash.ts';
import { createRandom } from '../../base/random.ts';
import { keyedParameters, readyStep } from '../apply-steps.ts';
import type { AssetServices, AttackedRecognizer } from '../contract.ts';
import { wayThrough } from './over-the-air.ts';
import { pgd } from './pgd.ts';

const sampleRate = 16_000;
const random = createRandom('over the air');
const normals = (length: number) => Float32Array.from({ length }, () => random.normal());
const inner = (one: ArrayLike<number>, other: ArrayLike<number>) =>
  Array.from(one).reduce((sum, value, n) => sum + value * other[n]!, 0);
const norm = (values: ArrayLike<number>) => Math.sqrt(inner(values, values));

const clean = Float32Array.from({ length: 3000 }, (_, n) => 0.3 * Math.sin(n / 7));
/** A direct sound at sample 40, and what decays behind it. */
const room = (seed: string) => {
  const draw = createRandom(seed);
  const samples = Float32Array.from({ length: 900 }, (_, n) =>
    n < 40 ? 0 : 0.4 * draw.normal() * Math.exp((40 - n) / 200),
  );
  samples[40] = 2;
  return { samples, directSample: 40 };
};

test('the way back through a room is its exact adjoint, and central differences of a curved loss agree', () => {
  for (const response of [room('a'), null]) {
    const way = wayThrough(clean, response, 15, createRandom('noise'));
    const silence = way.hear(new Float32Array(3000));
    const [x, y] = [normals(3000), normals(3000)];
    const heard = way.hear(x).map((sample, n) => sample - silence[n]!);
    assert.ok(Math.abs(inner(heard, y) / inner(x, way.back(y)) - 1) < 1e-4);
    // The loss is a sum of cubes of what arrives.
    const loss = (samples: Float32Array) => way.hear(samples).reduce((sum, sample) => sum + sample ** 3, 0);
    const gradient = way.back(way.hear(clean).map((sample) => 3 * sample ** 2));
    const step = 1e-3;
    const at = (sign: number) => loss(clean.map((sample, n) => sample + sign * step * x[n]!));
    assert.ok(Math.abs((at(1) - at(-1)) / (2 * step) / inner(gradient, x) - 1) < 1e-3);
  }
});

test('a room is as loud as the clip was, and noise as faint as is asked', () => {
  const plain = wayThrough(clean, room('a'), null, createRandom('noise')).hear(clean);
  assert.ok(Math.abs(norm(plain) / norm(clean) - 1) < 1e-5);
  // Convolved by hand, from the direct sound on.
  const { samples } = room('a');
  const byHand = clean.map((_, n) => {
    let sum = 0;
    for (let k = 0; k < samples.length; k++) sum += samples[k]! * (clean[n + 40 - k] ?? 0);
    return sum;
  });
  const gain = norm(clean) / norm(byHand);
  assert.ok(byHand.every((sample, n) => Math.abs(gain * sample - plain[n]!) < 1e-5));
  const noisy = wayThrough(clean, room('a'), 15, createRandom('noise')).hear(clean);
  const noise = noisy.map((sample, n) => sample - plain[n]!);
  assert.ok(Math.abs(20 * Math.log10(norm(clean) / norm(noise)) - 15) < 1e-3);
});

/** A loss that is a sum along one direction of what arrives, and counts how often it is asked. */
function along(direction: Float32Array) {
  const counts = { asked: 0 };
  const recognizer: AttackedRecognizer = {
    identity: { along: true },
    recognize: () => Promise.reject(),
    gradient: async () => ({
      sampleRate,
      async loss(samples) {
        counts.asked++;
        return { loss: inner(samples, direction), gradient: direction.slice() };
      },
      agreement: async () => null,
      async close() {},
    }),
  };
  return { counts, recognizer };
}

const collection: SoundCollection = {
  name: 'rooms',
  identity: { rooms: 1 },
  sounds: ['a', 'b', 'c'].map((name) => ({ name, facts: {} })),
  durationSeconds: async () => 900 / sampleRate,
  read: async (index) => ({ samples: room(['a', 'b', 'c'][index]!).samples, sampleRate }),
};
const said = { reference: 'yes', language: 'en' };
const attack = async (
  parameters: object,
  direction: Float32Array,
  checkpoint?: Parameters<typeof pgd.apply>[2]['checkpoint'],
) => {
  const { counts, recognizer } = along(direction);
  const services: AssetServices = {
    sounds: async () => collection,
    codec: () => Promise.reject(),
    attacked: async () => recognizer,
  };
  const whole = pgd.parameters.parse({ source: 'x', snrDb: 20, steps: 12, ...parameters });
  const { prepared } = await readyStep(pgd as never, whole as never, services);
  const { clip, facts } = await pgd.apply({ samples: clean, sampleRate }, whole, {
    ...{ random: createRandom('start'), assets: prepared!.assets as never, said },
    ...(checkpoint && { checkpoint }),
  });
  return { added: clip.samples.map((sample, n) => sample - clean[n]!), facts, counts };
};

test('what is made to survive rooms costs more in them, on the mean, than what is made without', async () => {
  // Nothing beats the mean of the gradients where the loss is straight.
  const direction = Float32Array.from({ length: 3000 }, (_, n) => (n % 900 === 0 ? 1 : 0) + 0.2 * Math.sin(n * 1.3));
  const plain = await attack({}, direction);
  const airy = await attack({ rooms: 'rooms', draws: 6 }, direction);
  assert.deepEqual([plain.counts.asked, airy.counts.asked], [13, 78]);
  assert.equal(airy.facts.draws, 6);
  const lossOf = (added: Float32Array) =>
    ['a', 'b', 'c']
      .map((name) => inner(wayThrough(clean, room(name), null, createRandom(1)).hear(added), direction))
      .reduce((sum, loss) => sum + loss / 3, 0);
  assert.ok(lossOf(airy.added) > 1.2 * lossOf(plain.added), `${lossOf(airy.added)}, ${lossOf(plain.added)}`);
  assert.ok(norm(airy.added) <= (norm(clean) / 10) * 1.0001);
});

test('draws follow from the seed: a sound that was stopped goes on with those that it would have drawn', async () => {
  const direction = normals(3000);
  const settings = {
    rooms: { lengthMetres: 6, widthMetres: 5, heightMetres: 3, rt60Seconds: 0.1 },
    noiseSnrDb: [20, 10],
    draws: 2,
  };
  const whole = await attack(settings, direction);
  let kept: Float64Array | null = null;
  const stopping = {
    load: async () => kept,
    async save(values: Float64Array) {
      kept = values;
      throw new Error('stopped');
    },
  };
  await assert.rejects(attack(settings, direction, stopping), /stopped/);
  const rest = await attack(settings, direction, { load: async () => kept, async save() {} });
  assert.deepEqual(rest.added, whole.added);
  assert.equal(rest.counts.asked, whole.counts.asked - 10);
});

test('a config without ways through the air has the key that it always had; with them, what they are stands in it', async () => {
  const keyOf = async (parameters: object) => {
    const services: AssetServices = {
      sounds: async () => collection,
      codec: () => Promise.reject(),
      attacked: async () => along(clean).recognizer,
    };
    const whole = pgd.parameters.parse({ source: 'x', snrDb: 20, steps: 20, ...parameters });
    const { prepared } = await readyStep(pgd as never, whole as never, services);
    return { parameters: keyedParameters(pgd, whole as never), assets: prepared!.identity };
  };
  const before = await keyOf({});
  assert.equal(
    canonicalJson(before),
    '{"assets":{"along":true},"parameters":{"keep":"last","randomStart":true,"relativeStep":0.4,"snrDb":20,"steps":20,"target":null}}',
  );
  assert.equal(pgd.version, 1);
  const keys = await Promise.all(
    [
      {},
      { rooms: 'rooms' },
      { rooms: { lengthMetres: 6, widthMetres: 5, heightMetres: 3, rt60Seconds: 0.1 } },
      { rooms: { lengthMetres: 6, widthMetres: 5, heightMetres: 3, rt60Seconds: 0.2 } },
      { rooms: 'rooms', draws: 2 },
      { noiseSnrDb: [20] },
      { noiseSnrDb: [10] },
    ].map(async (parameters) => hashJson((await keyOf(parameters)) as never)),
  );
  assert.equal(new Set(keys).size, keys.length);
  // What a collection is called is no part of what it is.
  assert.equal(hashJson((await keyOf({ rooms: 'elsewhere' })) as never), keys[1]);
});

test('draws of nothing, and a room too small for its distance, are refused in one sentence', async () => {
  await assert.rejects(
    attack({ draws: 2 }, clean),
    /^EarwitnessError: pgd: expected rooms or noiseSnrDb beside draws, but there is neither; /,
  );
  const rooms = { lengthMetres: 3, widthMetres: 3, heightMetres: 2, rt60Seconds: 0.1, distanceMetres: 9 };
  await assert.rejects(
    attack({ rooms }, clean),
    /pgd: expected a distance that fits into a room of 3 x 3 x 2 m, but 9 m does not/,
  );
});
