import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import { noPython } from '../../system/testing/no-python.ts';
import { testEmbedder } from '../conformance.ts';
import { program } from '../program/program.ts';
import { python } from '../python/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-embedders-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const services = {
  baseFolder: folder,
  environment: () => undefined,
  fileHash: async (path: string) => sha256(readFileSync(path)),
};
const example = join(import.meta.dirname, '..', '..', '..', 'examples', 'programs', 'embedder.mjs');
const texts = ['turn it up', 'make it louder please', 'nothing of the kind'] as const;

testEmbedder({ kind: program, options: { program: [process.execPath, example] }, services, texts, skip: false });

// Says what each text asks of it.
writeFileSync(
  join(folder, 'odd.py'),
  `import sys
import earwitness
print("loading")
version = open("version.txt").read() if len(sys.argv) > 1 else "1"
def vectors(sentences):
    print("embedding", sentences)
    if "crash" in sentences:
        import os; os._exit(7)
    if "fail" in sentences:
        raise ValueError("no such thing")
    if "few" in sentences:
        return []
    if "short" in sentences:
        return [[1.0]]
    known = {"none": None, "zeros": [0, 0], "why": {"vector": None, "reason": "blank"}, "long": {"vector": [3, 4], "tokens": 9}}
    return [known.get(one, [3.0, -4.0 * len(sentences)]) for one in sentences]
earwitness.embed(vectors, languages=["de"], max_tokens=8, version=version)
`,
);
const open = (options: object) => python.open(python.options.parse({ script: 'odd.py', ...options }), services);

test('a script of a few lines embeds: its vectors have length 1, and what it says of a text comes with it', {
  skip: noPython,
}, async () => {
  const embedder = await open({});
  try {
    assert.deepEqual([embedder.model.name, embedder.languages, embedder.dimensions], ['odd', ['de'], 2]);
    const [plain, none, zeros, why, long] = await embedder.embedTexts(['a', 'none', 'zeros', 'why', 'long']);
    // 3-4-5: a triangle of Pythagoras.
    assert.deepEqual([...plain!.vector!], [Math.fround(0.6), Math.fround(-0.8)]);
    assert.deepEqual(
      [none, zeros, why].map((text) => [text!.vector, text!.reason]),
      [
        [null, 'the model gives no vector for the text'],
        [null, 'the model gives a vector of zeros'],
        [null, 'blank'],
      ],
    );
    assert.equal(long!.note, 'the model read only the first 8 of 9 tokens');
    for (const [text, sentence] of [
      ['fail', /^odd\.py cannot embed this: odd\.py:10: ValueError: no such thing$/],
      ['few', /^odd gave 0 vectors, where 1 are expected/],
      ['short', /^odd gave a vector of 1 numbers, where 2 are expected as before$/],
      ['crash', /^odd\.py ended with exit status 7/],
    ] as const)
      await assert.rejects(embedder.embed([text]), { code: 'bad-input', message: sentence });
    assert.equal((await embedder.embed(['again']))[0]!.length, 2);
  } finally {
    await embedder.close();
  }
});

test('texts are asked together where the config says so, and a version told by the process is part of its identity', {
  skip: noPython,
}, async () => {
  const version = (text: string) => writeFileSync(join(folder, 'version.txt'), text);
  version('1');
  const first = await open({ arguments: ['told'], batch: 3 });
  const [a, b] = await first.embed(['a', 'b']);
  assert.deepEqual(a, b);
  // Of two sentences together: [3, -8], as odd.py has it.
  assert.ok(Math.abs(a![1]! + 8 / Math.hypot(3, 8)) < 1e-6, String(a));
  await first.close();
  version('2');
  const second = await open({ arguments: ['told'], batch: 3 });
  await second.close();
  assert.deepEqual(
    [first, second].map(({ identity }) => (identity.introduced as { version: string }).version),
    ['1', '2'],
  );
  assert.equal(first.identity.batch, 3);
});

test('what is no embedder is told so', { skip: noPython }, async () => {
  writeFileSync(join(folder, 'hears.py'), 'import earwitness\nearwitness.serve(lambda audio, rate, language: "")\n');
  await assert.rejects(open({ script: 'hears.py' }), {
    code: 'missing-program',
    message: /^hears\.py says that it is there to recognize, but is asked to embed/,
  });
  writeFileSync(
    join(folder, 'mute.py'),
    'import earwitness\nearwitness.embed(lambda sentences: [[1.0]] * len(sentences))\n',
  );
  await assert.rejects(open({ script: 'mute.py' }), {
    code: 'bad-config',
    message: /mute does not say which ones it was made for; name them: languages: \[en\]$/,
  });
});
