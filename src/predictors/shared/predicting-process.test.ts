import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import { checkProcess, type ProcessCheck } from '../../system/check-process.ts';
import { noPython } from '../../system/testing/no-python.ts';
import { testPredictor } from '../conformance.ts';
import type { TriedText } from '../contract.ts';
import { program } from '../program/program.ts';
import { python } from '../python/python.ts';
import { predictorChecks } from './predicting-process.ts';

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

/** A program that predicts, with what it does of a line in JavaScript. */
function predicting(name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline';
const say = (...lines) => process.stdout.write(lines.map((line) => JSON.stringify(line) + '\\n').join(''));
let asked = 0;
for await (const raw of createInterface({ input: process.stdin })) {
  const line = JSON.parse(raw);
  if (line.say === 'hello') say({ say: 'hello', protocol: 1, name: 'mine', version: '1' });
  else if (line.say === 'open') say({ say: 'opened' });
  else if (line.say === 'ping') say({ say: 'pong', id: line.id });
  else if (line.say === 'close') process.exit(0);
  else if (line.say === 'predict') {
    asked++;
    const half = line.pool.map(() => 0.5);
    const answer = { say: 'prediction', id: line.id, determinable: half, failing: half };
    ${body}
  }
}
`,
  );
  return path;
}

test('a program that answers everything twice is not said to answer once', async () => {
  const start = { program: process.execPath, arguments: [predicting('twice.mjs', 'say(answer, answer);')] };
  const found = new Map<string, ProcessCheck>();
  for await (const check of checkProcess(predictorChecks({ start, answerLimitSeconds: 20 }), 20))
    found.set(check.what, check);
  const once = found.get('stays after an answer, which it gives once');
  assert.equal(once?.verdict, 'broken');
  assert.match(once.found, /answered \d+, which it was not asked or has answered before/);
});

test('what a program says can be asked again is asked again, and only then', async () => {
  const failing = (more: string) =>
    `say(asked < 3 ? { say: 'failure', id: line.id, message: 'busy', kind: 'unavailable'${more} } : answer);`;
  const open = (name: string, more: string) =>
    program.open(program.options.parse({ program: [process.execPath, predicting(name, failing(more))] }), services);
  const busy = await open('busy.mjs', ', retryable: true, retryAfterSeconds: 0.01');
  assert.deepEqual([...(await busy.predict([], ['a'], 1)).failing], [0.5]);
  await busy.close();
  for (const [name, more, message] of [
    ['final.mjs', '', /cannot predict this: busy$/],
    ['endless.mjs', ', retryable: true, retryAfterSeconds: 1e300', /busy, to be asked again after more than an hour$/],
  ] as const) {
    const predictor = await open(name, more);
    await assert.rejects(predictor.predict([], ['a'], 1), { code: 'bad-input', message });
    await predictor.close();
  }
});
