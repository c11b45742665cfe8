import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import { noPython } from '../../system/testing/no-python.ts';
import { testPredictor } from '../conformance.ts';
import type { TriedText } from '../contract.ts';
import { program } from '../program/program.ts';
import { python } from '../python/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-predictors-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const services = {
  baseFolder: folder,
  environment: () => undefined,
  fileHash: async (path: string) => sha256(readFileSync(path)),
  embedder: async () => assert.fail('it needs no embedder'),
};
const example = join(import.meta.dirname, '..', '..', '..', 'examples', 'programs', 'predictor.mjs');

testPredictor({ kind: program, options: { program: [process.execPath, example] }, services });

// Its model is what it was given; a text that was seen has the chance of its label, others a half.
writeFileSync(
  join(folder, 'seen.py'),
  `import earwitness
def fit(texts, labels, seed):
    print("fitting", len(texts))
    if "fail" in texts:
        raise ValueError("cannot learn this")
    return dict(zip(texts, labels))
def score(model, texts):
    return [2.0 if one == "wild" else float(model.get(one, 0.5)) for one in texts]
earwitness.predict(fit, score)
`,
);

test('a script of two functions predicts both stages, and shares where they are told', {
  skip: noPython,
}, async () => {
  const predictor = await python.open(python.options.parse({ script: 'seen.py' }), services);
  try {
    const tried: TriedText[] = [
      { text: 'hard', determinable: true, failed: true, failedShare: 0.5 },
      { text: 'easy', determinable: true, failed: false, failedShare: 0 },
      { text: 'nobody', determinable: false, failed: null, failedShare: null },
    ];
    const pool = ['hard', 'easy', 'nobody', 'new'];
    const told = await predictor.predict(tried, pool, 1);
    assert.deepEqual([...told.determinable], [1, 1, 0, 0.5]);
    // Failing texts failed at half of the recognizers that can: the second chance is that of a half.
    assert.deepEqual([...told.failing], [0.5, 0, 0.25, 0.25]);
    const untold = tried.map(({ failedShare: _, ...one }) => one);
    assert.deepEqual([...(await predictor.predict(untold, pool, 1)).failing], [1, 0, 0.5, 0.5]);
    // Jeffreys' prior: (0 + 1/2) / (0 + 1), (1 + 1/2) / (1 + 1).
    const one = await predictor.predict([tried[0]!], ['new'], 1);
    assert.deepEqual([one.determinable[0], one.failing[0]], [0.75, 0.375]);
    assert.equal((await predictor.predict([], ['new'], 1)).failing[0], 0.5);
    await assert.rejects(predictor.predict(tried, ['wild'], 1), {
      code: 'bad-input',
      message: 'seen gave in `determinable` 2, where a chance from 0 to 1 is expected',
    });
    const failing = [...tried, { text: 'fail', determinable: true, failed: true }];
    await assert.rejects(predictor.predict(failing, pool, 1), {
      code: 'bad-input',
      message: 'seen.py cannot predict this: seen.py:5: ValueError: cannot learn this',
    });
  } finally {
    await predictor.close();
  }
});
