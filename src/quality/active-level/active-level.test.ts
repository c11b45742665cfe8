import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testQuality } from '../conformance.ts';
import { activeLevel, measureSpeechLevel } from './active-level.ts';

const services = { baseFolder: '/nowhere', fileHash: async () => '' };
testQuality({ measure: activeLevel, options: {}, services, skip: false });

/** By the voltmeter of ITU-T's software library (G.191, sv56), which stops within 0.5 dB of the margin. */
const references = [
  [8000, -27.702229, 0.789342],
  [16_000, -27.772225, 0.788904],
  [44_100, -27.773189, 0.789024],
] as const;

test('Level and activity are those of the software library, within its own tolerance.', () => {
  for (const [sampleRate, levelDb, activity] of references) {
    const samples = Float32Array.from({ length: 2 * sampleRate }, (_, n) => {
      const t = n / sampleRate;
      const syllable = (Math.max(0, Math.sin(8 * Math.PI * t)) ** 2 * (1 + Math.cos(Math.PI * t))) / 2;
      return 0.15 * syllable * (2 * ((t * 140) % 1) - 1 + Math.sin(2 * Math.PI * 1700 * t));
    });
    const { activeLevelDbfs, activityFactor } = measureSpeechLevel(samples, sampleRate)!;
    assert.ok(Math.abs(activeLevelDbfs - levelDb) < 0.25, `${sampleRate} Hz: ${activeLevelDbfs}, expected ${levelDb}`);
    assert.ok(Math.abs(activityFactor - activity) < 0.05, `${sampleRate} Hz: ${activityFactor}, expected ${activity}`);
  }
});

function tone(seconds: number, amplitude: number): Float32Array {
  return Float32Array.from({ length: Math.round(8000 * seconds) }, (_, n) => amplitude * Math.sin(0.7 * n));
}

test('A tone that never stops is active nearly all the time, at its own level.', () => {
  const { activeLevelDbfs, activityFactor } = measureSpeechLevel(tone(60, 0.25), 8000)!;
  assert.ok(Math.abs(activeLevelDbfs - 20 * Math.log10(0.25 / Math.SQRT2)) < 0.01, String(activeLevelDbfs));
  assert.ok(activityFactor > 0.998);
});

test('Silence behind a tone lowers its activity, not its level, but for the hangover of 0.2 seconds.', () => {
  const samples = new Float32Array(8000 * 60);
  samples.set(tone(30, 0.25));
  const { activeLevelDbfs, activityFactor } = measureSpeechLevel(samples, 8000)!;
  assert.ok(Math.abs(activeLevelDbfs - 20 * Math.log10(0.25 / Math.SQRT2)) < 0.06, String(activeLevelDbfs));
  assert.ok(activityFactor > 0.5 && activityFactor < 0.51, String(activityFactor));
});

test('What is said twice as loud is 6.02 dB louder, give or take what lies between two thresholds.', () => {
  const [once, twice] = [0.1, 0.2].map((amplitude) => measureSpeechLevel(tone(5, amplitude), 8000)!.activeLevelDbfs);
  assert.ok(Math.abs(twice! - once! - 6.0206) < 1e-3);
});

test('Digital silence and no sound at all have no level, and the reason tells them apart.', async () => {
  const meter = await activeLevel.open({}, services);
  const reasonOf = async (length: number) =>
    (await meter.measure({ samples: new Float32Array(length), sampleRate: 8000 }, null)).reason;
  assert.match((await reasonOf(0))!, /empty/);
  assert.match((await reasonOf(8000))!, /digital silence/);
});
