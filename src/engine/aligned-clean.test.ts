import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignedClean } from './quality.ts';

const clean = { samples: Float32Array.from({ length: 1000 }, (_, n) => n + 1), sampleRate: 1000 };
const samplesOf = (aligned: ReturnType<typeof alignedClean>) => {
  assert.ok('samples' in aligned, JSON.stringify(aligned));
  return aligned.samples;
};

test('Unchanged times leave the clean clip as it is.', () => {
  assert.deepEqual(samplesOf(alignedClean(clean, 1, null)), clean.samples);
  assert.deepEqual(
    samplesOf(
      alignedClean(clean, 1, [
        [0, 0],
        [1, 1],
      ]),
    ),
    clean.samples,
  );
});

test('What rings on behind the end has silence beside it.', () => {
  const aligned = samplesOf(
    alignedClean(clean, 1.5, [
      [0, 0],
      [1, 1],
      [1.5, 1],
    ]),
  );
  assert.equal(aligned.length, 1500);
  assert.deepEqual(aligned.subarray(0, 1000), clean.samples);
  assert.ok(aligned.subarray(1000).every((sample) => sample === 0));
});

test('A pause that was put in is silent, and what follows it is delayed.', () => {
  const aligned = samplesOf(
    alignedClean(clean, 1.2, [
      [0, 0],
      [0.5, 0.5],
      [0.7, 0.5],
      [1.2, 1],
    ]),
  );
  assert.deepEqual([aligned[499], aligned[500], aligned[699], aligned[700], aligned[1199]], [500, 0, 0, 501, 1000]);
});

test('Stretched time has no counterpart, and neither has an unexplained length.', () => {
  const stretched = alignedClean(clean, 2, [
    [0, 0],
    [2, 1],
  ]);
  assert.match((stretched as { reason: string }).reason, /2\.00 s of it were 1\.00 s/);
  assert.match((alignedClean(clean, 1.1, null) as { reason: string }).reason, /cannot be aligned/);
});

test('A length that a resampler rounded is filled up with silence or cut.', () => {
  const fine = { ...clean, sampleRate: 10_000 };
  assert.equal(samplesOf(alignedClean(fine, 0.1005, null)).length, 1005);
  assert.equal(samplesOf(alignedClean(fine, 0.0995, null)).length, 995);
});
