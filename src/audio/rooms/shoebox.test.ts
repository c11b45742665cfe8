import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { flac } from '../../decoders/flac/flac.ts';
import { directSound, expectedEchoes, metresPerSecond, shoeboxEchoes } from './shoebox.ts';
import { halfPulseSamples, shoeboxResponse, simulateShoebox } from './simulate-shoebox.ts';

const room = { lengthMetres: 6, widthMetres: 5, heightMetres: 3 };
const source = { x: 2, y: 3.5, z: 1.6 };
const microphone = { x: 4.2, y: 1.3, z: 1.4 };

test('The nearest images are the source itself and its six mirror images.', () => {
  // The way to an image in the wall x = 0 is the hypotenuse of (2 + 4.2, 2.2, 0.2), and so on; .03 s hold all six.
  const { seconds, reflections } = shoeboxEchoes(room, source, microphone, 0.03);
  const single = [...seconds].filter((_, echo) => reflections[echo] === 1).sort((a, b) => a - b);
  const [dx, dy, dz] = [2.2, 2.2, 0.2];
  const expected = [
    ...[6.2, 12 - 6.2].map((x) => Math.hypot(x, dy, dz)),
    ...[4.8, 10 - 4.8].map((y) => Math.hypot(dx, y, dz)),
    ...[3, 6 - 3].map((z) => Math.hypot(dx, dy, z)),
  ].map((metres) => metres / metresPerSecond);
  assert.equal(single.length, 6);
  for (const [index, time] of expected.sort((a, b) => a - b).entries())
    assert.ok(Math.abs(single[index]! - time) < 1e-8);
  const direct = [...seconds].filter((_, echo) => reflections[echo] === 0);
  assert.equal(direct.length, 1);
  assert.ok(Math.abs(direct[0]! * metresPerSecond - Math.hypot(dx, dy, dz)) < 1e-5);
});

test('There are as many echoes as mirrored rooms fit into the sphere that sound reaches.', () => {
  const { seconds } = shoeboxEchoes(room, source, microphone, 0.3);
  assert.ok(Math.abs(seconds.length / expectedEchoes(room, 0.3) - 1) < 0.02, String(seconds.length));
  assert.throws(() => shoeboxEchoes(room, source, microphone, 5), RangeError);
});

test('Walls that give nothing back leave the direct sound, softer with distance and later by 343 m/s.', () => {
  const echoes = shoeboxEchoes(room, source, { x: 2, y: 3.5 - 343 / 160, z: 1.6 }, 0.05);
  const response = shoeboxResponse(echoes, 0, 16000, 400);
  const peak = directSound(response, 'peak');
  assert.equal(peak, halfPulseSamples + 100);
  assert.ok(Math.abs(response[peak]! - 160 / 343) < 0.01, String(response[peak]));
});

test('The direct sound is the largest value, or what comes within 20 dB of it first.', () => {
  const response = Float32Array.of(0, 0.05, 0.3, 0.1, -1, 0.9);
  assert.equal(directSound(response, 'peak'), 4);
  assert.equal(directSound(response, 'onset'), 2);
  assert.equal(directSound(new Float32Array(0), 'onset'), 0);
});

test('The reverberation time that is asked for is measured, and the direct sound stands where it is said.', () => {
  for (const rt60 of [0.15, 0.35]) {
    const made = simulateShoebox(room, source, microphone, rt60, 16000, 'test');
    assert.ok(Math.abs(made.rt60Seconds! / rt60 - 1) < 0.05, `${rt60}: ${made.rt60Seconds}`);
    assert.ok(Math.abs(directSound(made.response, 'onset') - made.directSample) <= 3);
  }
});

test('A place at which single echoes stand out of nearly dead walls has the time that other places of the room have.', () => {
  const room = { lengthMetres: 6, widthMetres: 4, heightMetres: 3 };
  // Drawn places at which a wall that gives back 5 % measures as longer than what was asked for.
  const source = { x: 3.83401142540021, y: 1.2349091607531588, z: 2.0029654968642614 };
  const microphone = { x: 3.6706398725509644, y: 1.825714270817116, z: 1.2128648338839412 };
  const { rt60Seconds } = simulateShoebox(room, source, microphone, 0.3, 16_000, 'room');
  assert.ok(Math.abs(rt60Seconds! / 0.3 - 1) < 0.05, `${rt60Seconds}`);
});

test('What no such room can do is one sentence.', () => {
  assert.throws(
    () => simulateShoebox(room, source, microphone, 4, 16000, 'test'),
    /^EarwitnessError: test: expected .*, but .*; /,
  );
  const hall = { lengthMetres: 100, widthMetres: 80, heightMetres: 30 };
  const far = [
    { x: 5, y: 5, z: 2 },
    { x: 90, y: 70, z: 20 },
  ] as const;
  assert.throws(
    () => simulateShoebox(hall, ...far, 0.05, 16000, 'test'),
    /^EarwitnessError: test: expected .*, but .*; /,
  );
});

test("Responses are pyroomacoustics', sample by sample.", async () => {
  const file = golden('acoustics/acoustics.json', 'formula/acoustics.json');
  const { rooms } = JSON.parse(readFileSync(file, 'utf8'));
  const place = ([x, y, z]: [number, number, number]) => ({ x, y, z });
  const responseOf = async ({
    response,
    rir,
    peak_value,
  }: {
    response?: number[];
    rir: string;
    peak_value: number;
  }) => {
    if (response) return response;
    const url = new URL(rir.split(' ')[0]!, file);
    const { samples } = await flac.decode(new Uint8Array(readFileSync(url)), url.pathname);
    return Array.from(samples, (sample) => (sample * peak_value) / 0.99);
  };
  for (const expected of rooms.slice(-2)) {
    const theirs = await responseOf(expected);
    const [lengthMetres, widthMetres, heightMetres] = expected.size;
    const shape = { lengthMetres, widthMetres, heightMetres };
    const all = shoeboxEchoes(shape, place(expected.source), place(expected.mic), expected.samples / 16000);
    // Theirs stop at a number of reflections.
    const kept = [...all.seconds.keys()].filter((echo) => all.reflections[echo]! <= expected.max_order_used);
    const echoes = {
      seconds: Float32Array.from(kept, (echo) => all.seconds[echo]!),
      reflections: Uint16Array.from(kept, (echo) => all.reflections[echo]!),
    };
    const ours = shoeboxResponse(echoes, Math.sqrt(1 - expected.absorption), 16000, expected.samples);
    let error = 0;
    let energy = 0;
    for (const [n, theirSample] of theirs.entries()) {
      error += (ours[n]! - theirSample) ** 2;
      energy += theirSample ** 2;
    }
    // Pulses under another window: -39 dB.
    assert.ok(error < 10 ** -3.5 * energy, `${expected.rir}: ${10 * Math.log10(error / energy)} dB`);
    assert.ok(Math.abs(ours.reduce((most, value) => Math.max(most, Math.abs(value)), 0) - expected.peak_value) < 0.002);
  }
});
