import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathInWords } from './json-lines.ts';

test('Keys of what was done to audio are read as words with their units.', () => {
  const told = {
    snrDb: 'SNR, dB',
    'parameters.snrDb': 'SNR, dB',
    achievedSnrDb: 'achieved SNR, dB',
    'steps[0].cutoffHz': 'steps 1, cutoff, Hz',
    maxSeconds: 'max, s',
    levelDbfs: 'level, dBFS',
    seconds: 'seconds',
    factor: 'factor',
    rt60Seconds: 'rt60, s',
    adversarial: 'adversarial',
  };
  for (const [path, words] of Object.entries(told)) assert.equal(pathInWords(path), words);
});
