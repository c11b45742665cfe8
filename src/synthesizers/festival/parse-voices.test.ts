import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseVoices } from './festival.ts';

test('reads one voice a line, and leaves anything else out', () => {
  const printed = `some warning
voice kal_diphone english male american
voice rab_diphone english male british
voice el_diphone spanish male none
voice odd klingon nil nil
voice) (quit english male american
`;
  assert.deepEqual(parseVoices(printed), [
    { name: 'kal_diphone', language: 'en-US', attributes: { sex: 'male', accent: 'american' } },
    { name: 'rab_diphone', language: 'en-GB', attributes: { sex: 'male', accent: 'british' } },
    { name: 'el_diphone', language: 'es', attributes: { sex: 'male' } },
    { name: 'odd', language: 'und', attributes: {} },
  ]);
});
