import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineConfig } from './define-config.ts';

// The compiler is the test: `npm run check` fails where one of these lines has no error, or another has one.
test('the types know each member and its options, and what is no member is refused', () => {
  const corpus = { type: 'folder', folder: 'clips', select: { sample: 10 } } as const;
  const config = defineConfig({
    corpus,
    recognizers: {
      narrow: { type: 'pocketsphinx', maxHmmsPerFrame: 1500, limits: { attempts: 2 }, epoch: 'spring' },
      own: { type: './mine.ts', anything: true },
    },
  });
  assert.ok(config.recognizers.narrow);
  defineConfig({ corpus: [corpus, { type: 'manifest', file: 'clips.tsv' }], recognizers: {} });
  // @ts-expect-error one of the corpora has no such option
  defineConfig({ corpus: [corpus, { type: 'manifest', fil: 'clips.tsv' }], recognizers: {} });
  defineConfig({ corpus, recognizers: {}, synthesizers: { voice: { type: 'flite' } } });
  // @ts-expect-error flite has no options
  defineConfig({ corpus, recognizers: {}, synthesizers: { voice: { type: 'flite', speed: 2 } } });
  // @ts-expect-error no recognizer has this name
  defineConfig({ corpus, recognizers: { a: { type: 'pocketsfinx' } } });
  // @ts-expect-error so many are a number
  defineConfig({ corpus, recognizers: { a: { type: 'pocketsphinx', maxHmmsPerFrame: 'few' } } });
  // @ts-expect-error there is no such option
  defineConfig({ corpus, recognizers: { a: { type: 'pocketsphinx', maxHmms: 1500 } } });
  // @ts-expect-error there is no such limit
  defineConfig({ corpus, recognizers: { a: { type: 'pocketsphinx', limits: { atempts: 2 } } } });
  // @ts-expect-error a key of no config
  defineConfig({ corpus, recognizers: {}, recognisers: {} });
});
