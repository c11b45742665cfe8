import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Utterance } from '../../model/utterance.ts';
import { assertRefused, utterancesOf } from '../conformance.ts';
import type { Corpus } from '../contract.ts';
import { joinCorpora } from './join-corpora.ts';
import { select } from './selection.ts';

/** A corpus whose sounds say which corpus made them, as only the right one can. */
function corpusOf(name: string, ids: readonly string[]): Corpus & { readonly passes: () => number; closed: boolean } {
  let passes = 0;
  return {
    passes: () => passes,
    closed: false,
    async *utterances() {
      passes++;
      for (const id of ids) yield { id, language: 'en', attributes: {}, tags: [] };
    },
    soundIdentity: async ({ id }) => ({ corpus: name, id }),
    clip: async () => ({ samples: new Float32Array(name.length), sampleRate: 8000 }),
    async close() {
      this.closed = true;
    },
  };
}

const named = (id: string): Utterance => ({ id, language: 'en', attributes: {}, tags: [] });

test('corpora are joined in their order, and each gives the sounds of its own utterances', async () => {
  const joined = joinCorpora([corpusOf('a', ['a1', 'a2']), select(corpusOf('bb', ['b1', 'b2']), { limit: 1 })]);
  const utterances = await utterancesOf(joined);
  assert.deepEqual(
    utterances.map(({ id }) => id),
    ['a1', 'a2', 'b1'],
  );
  assert.deepEqual(await utterancesOf(joined), utterances);
  assert.deepEqual(await joined.soundIdentity(named('b1')), { corpus: 'bb', id: 'b1' });
  assert.equal((await joined.clip(named('a2'))).samples.length, 1);
});

test('a run that goes on asks for sounds before it has read the corpora: they are read once', async () => {
  const second = corpusOf('bb', ['b1', 'b2']);
  const joined = joinCorpora([corpusOf('a', ['a1']), second]);
  const clips = await Promise.all([joined.clip(named('b1')), joined.clip(named('b2')), joined.clip(named('a1'))]);
  assert.deepEqual(
    clips.map(({ samples }) => samples.length),
    [2, 2, 1],
  );
  assert.equal(second.passes(), 1);
  await assertRefused(joined.clip(named('gone')), /^gone: expected an utterance of one of the 2 corpora/);
});

test('an id that two corpora have is refused with both places', async () => {
  const joined = joinCorpora([corpusOf('a', ['x', 'y']), corpusOf('b', ['z', 'y'])]);
  await assertRefused(
    utterancesOf(joined),
    /^corpus\[1\]: expected ids that no other corpus has, but y is in corpus\[0\]/,
  );
});

test('closing closes every corpus', async () => {
  const [first, second] = [corpusOf('a', ['x']), corpusOf('b', ['y'])];
  await joinCorpora([first, second]).close();
  assert.deepEqual([first.closed, second.closed], [true, true]);
});
