import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpusOf, utterancesOf } from '../conformance.ts';
import { withAttributes } from './join-corpora.ts';

test('every utterance has the attributes, over its own, and the corpus is left as it was', async () => {
  const corpus = corpusOf([
    { id: 'a', language: 'en', attributes: { corpus: 'x', sex: 'F' }, tags: [] },
    { id: 'b', language: 'en', attributes: {}, tags: [] },
  ]);
  const marked = withAttributes(corpus, { corpus: 'ami' });
  for (let pass = 0; pass < 2; pass++) {
    assert.deepEqual(
      (await utterancesOf(marked)).map(({ attributes }) => attributes),
      [{ corpus: 'ami', sex: 'F' }, { corpus: 'ami' }],
    );
  }
  assert.deepEqual((await utterancesOf(corpus))[0]!.attributes, { corpus: 'x', sex: 'F' });
});
