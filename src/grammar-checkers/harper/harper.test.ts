import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harper } from './harper.ts';

test('what is wrong with a sentence is said with its words, the same at every asking, and right sentences pass', async () => {
  const checker = await harper.open();
  try {
    const wrong = await checker.check('He have a apple.');
    assert.deepEqual(
      wrong.map(({ kind, about, words }) => [kind, about, words]),
      [
        ['Agreement', 'correctness', 'have'],
        ['Miscellaneous', 'correctness', 'a'],
      ],
    );
    assert.match(wrong[0]!.message, /agree/);
    assert.deepEqual(await checker.check('He has an apple.'), []);
    assert.deepEqual(await checker.check('He have a apple.'), wrong);
    const doubled = await checker.check('Robert loves bags of of concrete.');
    assert.deepEqual(
      doubled.map(({ words }) => words),
      ['of of'],
    );
    const { engine, version } = checker.identity;
    assert.equal((await harper.readiness()).found, `${engine} ${version}`);
  } finally {
    await checker.close();
  }
});

test('complaints about how a sentence reads are apart from those that it is wrong', async () => {
  const checker = await harper.open();
  try {
    const complaints = await checker.check('He paid a sum that was very unique in nature and and long.');
    assert.ok(complaints.some(({ about }) => about === 'correctness'));
    const clear = await checker.check(`The dog ${'and the cat '.repeat(40)}ran.`);
    assert.deepEqual([...new Set(clear.map(({ about }) => about))], ['clarity']);
  } finally {
    await checker.close();
  }
});
