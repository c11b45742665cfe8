import assert from 'node:assert/strict';
import test from 'node:test';
import { channelsAs } from './channels.ts';

test('Channels of two files are the same by what both name, however they count or spell; what both have stays.', () => {
  const cases: readonly (readonly [string, string, string, string | null])[] = [
    ['1 2', '0 1', '0 1', 'channels 0, 1 are 1, 2 in the other'],
    ['0 1', '1 2', '1 2', 'channels 1, 2 are 0, 1 in the other'],
    ['A B', '1 2', '1 2', 'channels 1, 2 are A, B in the other'],
    // As pandas writes numbers where a row has none.
    ['1 2', '0.0 1.0', '0.0 1.0', 'channels 0.0, 1.0 are 1, 2 in the other'],
    ['0.0 1.0', '1 2', '1 2', 'channels 1, 2 are 0.0, 1.0 in the other'],
    ['A B', '1.0 2.0', '1.0 2.0', 'channels 1.0, 2.0 are A, B in the other'],
    ['0.5 1', '0 1', '0.5 1', null],
    ['left right', '0 1', '0 1', 'channels 0, 1 are left, right in the other'],
    ['0', '1', '1', 'channel 1 is 0 in the other'],
    // The third has no name there, and takes none of another's.
    ['1 2 3', '0 1', '0 1 channel 3', 'channels 0, 1 are 1, 2 in the other'],
    ['a b', 'A B', 'a b', null],
    ['0 1', '0 1', '0 1', null],
    // One side alone was recognized.
    ['1', '0 1', '1', null],
    ['1', '1 2', '1', null],
    ['near far', '0 1', 'near far', null],
  ];
  for (const [names, there, called, told] of cases) {
    const found = channelsAs(names.split(' '), there.split(' '));
    assert.equal(
      names
        .split(' ')
        .map((name) => found.names.get(name) ?? name)
        .join(' '),
      called,
      `${names} as ${there}`,
    );
    assert.equal(found.told, told, `${names} as ${there}`);
  }
});
