import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeTinyModel } from '../../embedders/testing/tiny-model.ts';
import { semanticSimilarity } from '../../scoring/similarity/semantic-similarity.ts';
import { noPython } from '../../system/testing/no-python.ts';
import { loadSpec, openEmbedder } from '../open/parse-spec.ts';
import { createServices } from '../open/services.ts';
import { loadMember } from './load-member.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-embedder-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeTinyModel(join(folder, 'tiny'));
const { member } = await loadMember('embedders', 'sentence-transformer', folder);
const { ready, found } = await member.readiness(createServices({ baseFolder: folder }).embedder);
const skip = ready ? false : found;

test('Similarity of meaning is measured by a model that is named as data or as on a command line.', {
  skip,
}, async () => {
  const pairs = [
    { reference: 'turn up', hypothesis: 'turn turn' },
    { reference: 'turn', hypothesis: 'it' },
    { reference: 'turn', hypothesis: 'слово' },
  ];
  const options = { model: 'tiny', languages: ['en'] };
  for (const written of [
    { type: 'sentence-transformer' as const, ...options },
    `sentence-transformer:${JSON.stringify(options)}`,
  ]) {
    const embedder = await openEmbedder(written, folder);
    const result = await semanticSimilarity(pairs, embedder, { language: 'en-GB' });
    await embedder.close();
    assert.equal(result.model.name, 'tiny');
    assert.equal(result.model.pooling, 'mean');
    assert.deepEqual(result.pairs, [
      { value: 1 },
      { value: 0 },
      { value: null, reason: 'the hypothesis: the model knows nothing of the text' },
    ]);
    const other = await semanticSimilarity(pairs, embedder, { language: 'zh' });
    assert.equal(other.pairs[0]!.reason, 'the model tiny declares en, not zh');
  }
});

test('A script is an embedder, a recognizer and a synthesizer by one short form, with options behind it.', {
  skip: noPython,
}, async () => {
  writeFileSync(
    join(folder, 'letters.py'),
    'import sys, earwitness\nearwitness.embed(lambda texts: [[len(text), len(sys.argv)] for text in texts])\n',
  );
  for (const [written, languages] of [
    ['python:letters.py:languages=de', ['de']],
    ['python:letters.py one,python=python3,languages=["en"]', ['en']],
  ] as const) {
    const embedder = await openEmbedder(written, folder);
    assert.deepEqual([embedder.languages, embedder.dimensions], [languages, 2]);
    await embedder.close();
  }
  await assert.rejects(
    openEmbedder('python:absent.py', folder),
    /expected a Python file at absent\.py, but there is none/,
  );
  for (const family of ['recognizers', 'synthesizers', 'embedders'] as const) {
    const { written } = await loadSpec(family, 'python:letters.py a,b,python=.venv/bin/python,packages=numpy', folder);
    const script = { script: 'letters.py', arguments: ['a,b'], python: '.venv/bin/python', packages: ['numpy'] };
    assert.deepEqual(written, script);
  }
});

test('The hash of an embedder of the user’s own stands in its identity and in findings.', async () => {
  writeFileSync(
    join(folder, 'mine.mjs'),
    `import { z } from 'zod';
    export default {
      name: 'mine', about: 'counts', options: z.strictObject({}),
      open: async () => ({
        identity: { engine: 'mine' }, model: { name: 'mine' }, languages: ['en'],
        embedTexts: async (texts) => texts.map(() => ({ vector: null, reason: 'nothing' })), close: async () => {},
      }),
    };`,
  );
  const embedder = await openEmbedder('./mine.mjs', folder);
  assert.match(String(embedder.identity.module), /^[0-9a-f]{64}$/);
  assert.equal(embedder.model.module, embedder.identity.module);
});

test('A wrong name or option is refused in a sentence.', async () => {
  await assert.rejects(openEmbedder('sentence-transformr', folder), /did you mean "sentence-transformer"/);
  await assert.rejects(openEmbedder('sentence-transformer:model=tiny', folder), {
    code: 'bad-usage',
    message: /languages/,
  });
  await assert.rejects(
    // @ts-expect-error there is no such option
    openEmbedder({ type: 'sentence-transformer', model: 'tiny', languages: ['en'], batch: 8 }, folder),
    {
      code: 'bad-usage',
      message: /batch/,
    },
  );
});
