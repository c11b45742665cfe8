import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { golden } from '../../base/testing/golden.ts';
import { flac } from '../../decoders/flac/flac.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { formulaResponse } from '../testing/formula-signals.ts';
import { measureRt60 } from './measure-rt60.ts';
import { sabineRt60Seconds, severityClass } from './shoebox.ts';

const sampleRate = 16000;

/** Gaussian noise whose level falls by 60 dB in so many seconds, on a floor. */
function decayingNoise(rt60Seconds: number, seconds: number, floorDb: number, seed: number): Float32Array {
  const random = createRandom([rt60Seconds, seconds, floorDb, seed]);
  return Float32Array.from(
    { length: Math.round(seconds * sampleRate) },
    (_, n) => random.normal() * 10 ** ((-3 * n) / sampleRate / rt60Seconds) + random.normal() * 10 ** (floorDb / 20),
  );
}

test('Noise that decays exponentially has the reverberation time that it was made with, within 5 %.', () => {
  for (const rt60 of [0.2, 0.5, 1.2, 2.5]) {
    const found = measureRt60(decayingNoise(rt60, 1.3 * rt60, -300, 1), sampleRate);
    assert.ok(
      found.rt60Seconds !== null && Math.abs(found.rt60Seconds / rt60 - 1) < 0.05,
      `${rt60}: ${found.rt60Seconds}`,
    );
    assert.equal(found.decayDb, 30);
  }
});

test('A noise floor stops the integration, and does not lengthen what is measured.', () => {
  for (const floorDb of [-40, -50, -60]) {
    const response = decayingNoise(0.8, 1.6, floorDb, 2);
    const found = measureRt60(response, sampleRate);
    assert.ok(
      found.rt60Seconds !== null && Math.abs(found.rt60Seconds / 0.8 - 1) < 0.06,
      `${floorDb}: ${found.rt60Seconds}`,
    );
    // The decay meets the floor at 0.8 s x floor / 60 dB.
    assert.ok(Math.abs(found.endSeconds - (0.8 * -floorDb) / 60) < 0.12, String(found.endSeconds));
  }
  const ignored = measureRt60(decayingNoise(0.8, 1.6, -40, 2), sampleRate, { noiseFloor: 'ignore' });
  assert.ok(ignored.rt60Seconds! > 1.2, 'without the stop the same response seems much longer');
});

test('A response that was cut off is measured by what there is of it.', () => {
  const found = measureRt60(decayingNoise(2, 1.2, -300, 3), sampleRate);
  assert.ok(Math.abs(found.rt60Seconds! / 2 - 1) < 0.05, String(found.rt60Seconds));
});

test('Silence, a lone pulse and steady noise have no reverberation time, and the reason is told.', () => {
  const silence = measureRt60(new Float32Array(1000), sampleRate);
  assert.deepEqual(silence, { rt60Seconds: null, reason: 'the response is silent' });
  const pulse = Float32Array.from({ length: 4000 }, (_, n) => (n === 100 ? 1 : 1e-6));
  assert.match((measureRt60(pulse, sampleRate) as { reason: string }).reason, /direct sound|does not decay|no decay/);
  assert.equal(measureRt60(new Float32Array(0), sampleRate).rt60Seconds, null);
  const random = createRandom(5);
  const steady = Float32Array.from({ length: 16000 }, () => random.normal());
  const found = measureRt60(steady, sampleRate);
  assert.ok(found.rt60Seconds === null || found.rt60Seconds > 2, String(found.rt60Seconds));
});

test('A first decay with most of the sound behind it, as of an echo chamber, is no reverberation time.', () => {
  // A click that dies away at once, and the room half a second later, ten times as loud and as long as a hall.
  const response = new Float64Array(4 * sampleRate);
  const random = createRandom('echo chamber');
  for (let n = 0; n < response.length; n++) {
    const hall = n < sampleRate / 2 ? 0 : 0.2 * 10 ** ((-3 * (n / sampleRate - 0.5)) / 5);
    response[n] = random.normal() * (10 ** ((-3 * n) / sampleRate / 0.05) + hall);
  }
  response[0] = 4;
  const measured = measureRt60(response, sampleRate);
  assert.ok(measured.rt60Seconds === null || measured.rt60Seconds > 1, JSON.stringify(measured));
});

test('What falls within its first reflections, on a level that stays, is no decay of a room; a dry room in silence is.', () => {
  // By 60 dB in .05 s, and then late echoes or a floor 30 dB below the start for a second: in all -15 dB of the decay.
  for (const late of ['floor', 'echoes']) {
    const response = decayingNoise(0.05, 1, late === 'floor' ? -30 : -300, 4);
    for (let n = 2500; late === 'echoes' && n < response.length; n += 2500) response[n]! += 2;
    const found = measureRt60(response, sampleRate);
    assert.equal(found.rt60Seconds, null, `${late}: ${found.rt60Seconds}`);
  }
  const dry = measureRt60(decayingNoise(0.05, 1, -300, 4), sampleRate).rt60Seconds!;
  assert.ok(Math.abs(dry / 0.05 - 1) < 0.1, String(dry));
  // A floor long behind a real decay changes nothing.
  const long = measureRt60(decayingNoise(0.4, 8, -40, 6), sampleRate).rt60Seconds!;
  assert.ok(Math.abs(long / 0.4 - 1) < 0.15, String(long));
});

test("Sabine's formula gives pyroomacoustics' values for its rooms.", () => {
  // golden/acoustics, rooms 0 and 2 (pyroomacoustics 0.10.1, which rounds the constant less: .1 %).
  const room = { lengthMetres: 6, widthMetres: 5, heightMetres: 3 };
  assert.ok(Math.abs(sabineRt60Seconds(room, 0.287703260266) - 0.4) < 0.0005);
  const small = { lengthMetres: 4, widthMetres: 3.1, heightMetres: 2.5 };
  assert.ok(Math.abs(sabineRt60Seconds(small, 0.35) - 0.236651424382) < 0.0005);
  assert.throws(() => sabineRt60Seconds(room, 0), RangeError);
  assert.throws(() => sabineRt60Seconds(room, 1.1), RangeError);
});

test('Severities are quarters of the range, borders belong to the milder class, SRMR counts downwards.', () => {
  assert.deepEqual(
    [0.1, 0.3, 0.31, 0.5, 0.7, 0.71, 0.9].map((value) => severityClass(value, 0.1, 0.9, 4)),
    [1, 1, 2, 2, 3, 4, 4],
  );
  assert.deepEqual(
    [10, 8, 7.9, 6, 4, 2].map((value) => severityClass(value, 10, 2, 4)),
    [1, 1, 2, 2, 3, 4],
  );
  assert.equal(severityClass(0.4, 0.4, 0.4, 4), 1);
});

test('Stored responses measure as in pyroomacoustics, where no noise stands in the way, within 5 %.', async () => {
  const file = golden('acoustics/acoustics.json', 'formula/acoustics.json');
  const { rooms, rir } = JSON.parse(readFileSync(file, 'utf8'));
  const made = rir.filter(({ formula }: { formula?: object }) => formula);
  for (const { formula, ...expected } of made) {
    const samples = Float32Array.from(formulaResponse(...(formula as Parameters<typeof formulaResponse>)));
    for (const decayDb of [20, 30]) {
      const theirs = expected[`rt60_schroeder_decay_${decayDb}db (pyroomacoustics)`];
      const ours = measureRt60(samples, sampleRate, { decayDb, noiseFloor: 'ignore' }).rt60Seconds!;
      assert.ok(Math.abs(ours / theirs - 1) < 0.01, `${formula} ${decayDb}: ${ours} for ${theirs}`);
    }
  }
  const recorded = rir.filter(({ formula }: { formula?: object }) => !formula);
  assert.ok(made.length > 0 || recorded.length > 0);
  for (const room of recorded.length > 0 ? rooms.slice(0, 3) : []) {
    const url = new URL(room.rir.split(' ')[0], file);
    const { samples } = await flac.decode(new Uint8Array(readFileSync(url)), url.pathname);
    for (const decayDb of [20, 30]) {
      const theirs = room[`measured_rt60_decay_${decayDb}db`];
      const ours = measureRt60(samples, sampleRate, { decayDb }).rt60Seconds!;
      assert.ok(Math.abs(ours / theirs - 1) < 0.02, `${room.rir} ${decayDb}: ${ours} for ${theirs}`);
    }
  }
  for (const entry of recorded) {
    const url = new URL(`../../data/acoustics/${entry.rir}`, file);
    const { samples } = await wav.decode(new Uint8Array(readFileSync(url)), entry.rir);
    const theirs = entry['rt60_schroeder_decay_30db (pyroomacoustics)'];
    const ours = measureRt60(samples, sampleRate, { noiseFloor: 'ignore' }).rt60Seconds!;
    assert.ok(Math.abs(ours / theirs - 1) < 0.01, `${entry.rir}: ${ours} for ${theirs}`);
    // What they call 5.5 s is what stays behind its first reflections; echoes are in the other.
    if (/DomesticLivingRoom|speechbrain-rir[23]/.test(entry.rir)) {
      assert.match(
        (measureRt60(samples, sampleRate) as { reason: string }).reason,
        /falls within its first reflections/,
      );
    }
  }
});
