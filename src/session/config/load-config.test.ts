import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import { checkedConfig, loadConfig } from './load-config.ts';

const good = { corpus: { type: 'folder', folder: 'clips' }, recognizers: { a: { type: 'pocketsphinx' } } };

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => assert.fail('expected the config to be refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof EarwitnessError, String(error));
  assert.equal(error.code, 'bad-config');
  return error.message;
}

test('five mistakes in YAML are told at once, each with line, column and what to do', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('c.yaml');
  const lines = [
    'sed: 7',
    'corpus:',
    '  type: foldr',
    'recognizers:',
    '  phone:',
    '    type: pocketsphinx',
    '    limits:',
    '      atempts: 3',
    '      concurrency: many',
    'report: { sound: 3 }',
  ];
  await writeFile(file, lines.join('\n'));
  const message = await refusal(loadConfig(file));
  const [head, ...mistakes] = message.split('\n').map((line) => line.trim());
  assert.equal(head, `${file} has 5 mistakes:`);
  assert.deepEqual(
    mistakes.map((line) => line.replace(`${file}:`, '')),
    [
      '1:1: unknown key "sed"; did you mean "seed"?',
      '3:9: corpus.type: unknown corpus "foldr"; did you mean "folder"?',
      '8:7: recognizers.phone.limits: unknown key "atempts"; did you mean "attempts"?',
      '9:20: recognizers.phone.limits.concurrency: expected a number, but got "many"',
      '10:18: report.sound: expected true or false, but got 3',
    ],
  );
});

test("a member's own options are checked by its own schema, with the nearest key", async () => {
  const message = await refusal(
    checkedConfig({ ...good, corpus: { type: 'folder', foldr: 'clips', speaker: 'parents' } }, '.'),
  );
  assert.match(message, /corpus\.folder: expected text, but it is missing/);
  assert.match(message, /corpus: unknown key "foldr"; did you mean "folder"\?/);
  assert.match(
    message,
    /corpus\.speaker: expected one of "none", "parent", "top", but got "parents"; did you mean "parent"\?/,
  );
});

test('JSON has lines and columns too, and a doubled key is refused', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('c.json');
  await writeFile(file, '{\n\t"seed": "one",\n\t"corpus": {"type": "folder", "folder": "x"}\n}');
  assert.match(await refusal(loadConfig(file)), /c\.json:2:10: seed: expected a number, but got "one"/);
  await writeFile(file, '{\n\t"seed": 1,\n\t"seed": 2\n}');
  assert.match(
    await refusal(loadConfig(file)),
    /c\.json:3:2: expected each key once, but "seed" stands at 2:2 already; take one of the two out/,
  );
});

test('what is no JSON in a config of that name is told as JSON, also where YAML would take it', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('c.json');
  for (const [text, said] of [
    ['{\n  "seed": 1,\n}\n', /c\.json:3:1: this is not JSON: Expected double-quoted property name$/],
    ['{\n  "seed": 1\n  "name": "x"\n}\n', /c\.json:3:3: this is not JSON: Expected ',' or '}' after property value$/],
    ['seed: 1\n', /c\.json:1:1: this is not JSON: Unexpected token 's'$/],
    ['{\n  "sound": yes\n}\n', /c\.json:2:12: this is not JSON: Unexpected token 'y'$/],
    ['{\n  "sound": tru,\n  "seed": 1\n}\n', /c\.json:2:12: this is not JSON: Unexpected token ','$/],
    ['', /c\.json:1:1: this is not JSON: Unexpected end of JSON input$/],
    ['{"seed": 1', /c\.json:1:11: this is not JSON: Expected ',' or '}' after property value$/],
    ['{"a": '.repeat(20_000), /this is not JSON: Unexpected end of JSON input$/],
    [
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      /c\.json:1:\d+: it is nested deeper than can be read; take out levels$/,
    ],
  ] as const) {
    await writeFile(file, text);
    assert.match(await refusal(loadConfig(file)), said);
  }
});

test('forty thousand mistakes are told in seconds of the processor', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('c.yaml');
  await writeFile(file, Array.from({ length: 40_000 }, (_, n) => `key${n}: ${n}`).join('\n'));
  const before = process.cpuUsage();
  assert.match(await refusal(loadConfig(file)), /c\.yaml has 40002 mistakes:/);
  const { user, system } = process.cpuUsage(before);
  // About two seconds; with each key compared with all before it, 25.
  assert.ok(user + system < 10e6, `${(user + system) / 1e6} s`);
});

test('a module is named by property paths, and holds data only', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('c.ts');
  await writeFile(
    file,
    `import { defineConfig } from 'earwitness';
     class Folder {}
     const circle: Record<string, unknown> = {}; circle.again = circle;
     export default defineConfig({ seed: NaN, corpus: { type: 'folder', folder: () => 'x', language: new Folder() },
       recognizers: { a: { type: 'pocketsphinx', facts: { circle } } } } as never);`,
  );
  const message = await refusal(loadConfig(file));
  assert.match(message, /c\.ts: seed: expected plain data .* but got the number NaN/);
  assert.match(message, /c\.ts: corpus\.folder: .* but got a function/);
  assert.match(message, /c\.ts: corpus\.language: .* but got an instance of Folder/);
  assert.match(message, /c\.ts: recognizers\.a\.facts\.circle\.again: .* contains itself/);
});

test('the same config in YAML, JSON and TypeScript is the same data, JSON-safe', async () => {
  await using folder = await temporaryFolder();
  const yaml = 'corpus: { type: folder, folder: clips }\nrecognizers:\n  a: { type: pocketsphinx }\n';
  await writeFile(folder.file('a.yaml'), yaml);
  await writeFile(folder.file('b.json'), JSON.stringify(good));
  await writeFile(
    folder.file('c.ts'),
    `import { defineConfig } from 'earwitness';\nexport default defineConfig(${JSON.stringify(good)});\n`,
  );
  const loaded = await Promise.all(['a.yaml', 'b.json', 'c.ts'].map((name) => loadConfig(folder.file(name))));
  for (const { config, baseFolder } of loaded) {
    assert.equal(baseFolder, folder.path);
    assert.deepEqual(config, loaded[0]?.config);
    assert.deepEqual(JSON.parse(JSON.stringify(config)), config);
  }
  assert.deepEqual(loaded[0]?.config.studies[0]?.type, 'robustness');
  assert.equal(loaded[0]?.config.seed, 1);
});

test('references to the environment are filled in, numbers where they stand unquoted, secrets never', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('c.yaml');
  const base =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is this that is filled in
    'corpus: { type: folder, folder: "${CLIPS:-clips}/$${x}" }\nrecognizers: { a: { type: pocketsphinx } }\n';
  await writeFile(file, `${base}seed: \${SEED}\nstore: \${DIR}/s.sqlite\n`);
  const environment = (name: string) => ({ SEED: '42', DIR: 'var', MY_API_KEY: 'hush' })[name];
  const { config } = await loadConfig(file, environment);
  assert.equal(config.seed, 42);
  assert.equal(config.store, 'var/s.sqlite');
  assert.equal(config.corpora[0]?.options.folder, `clips/\${x}`);

  await writeFile(file, `${base}name: \${MY_API_KEY}\nstore: \${NOT_THERE}\n`);
  const message = await refusal(loadConfig(file, environment));
  assert.match(message, /c\.yaml:3:7: name: MY_API_KEY looks like a secret/);
  assert.match(message, /c\.yaml:4:8: store: the environment variable NOT_THERE is not set/);
  assert.doesNotMatch(message, /hush/);
});

test("ladders of one's own become ladders, their steps checked by their perturbations", async () => {
  const rung = (snrDb: unknown) => ({ label: '10', steps: [{ perturbation: 'white-noise', parameters: { snrDb } }] });
  const withRung = (snrDb: unknown) => ({
    ...good,
    ladders: { mine: { families: { hiss: { axis: 'SNR (dB)', rungs: [rung(snrDb)] } } } },
  });
  const { config } = await checkedConfig(withRung(10), '.');
  assert.deepEqual(config.ladders[0]?.families[0]?.rungs[0]?.steps, [
    { perturbation: 'white-noise', parameters: { snrDb: 10 } },
  ]);
  assert.match(
    await refusal(checkedConfig(withRung('loud'), '.')),
    /ladders\.mine\.families\.hiss\.rungs\[0\]\.steps\[0\]\.parameters\.snrDb: expected a number, but got "loud"/,
  );
});

test("a module of the user's own is loaded from the config's folder, and its hash is known", async () => {
  await using folder = await temporaryFolder();
  const zod = import.meta.resolve('zod');
  await writeFile(
    folder.file('mine.ts'),
    `import { z } from ${JSON.stringify(zod)};
     export const mine = { name: 'mine', about: 'x', options: z.strictObject({ model: z.string() }), isolation: 'none',
       describe() {}, open() {}, readiness() {} };`,
  );
  const config = { ...good, recognizers: { m: { type: './mine.ts', model: 'small', epoch: 'e1' } } };
  const { recognizers } = (await checkedConfig(config, folder.path)).config;
  assert.deepEqual(recognizers.m?.options, { model: 'small' });
  assert.equal(recognizers.m?.epoch, 'e1');
  assert.match(recognizers.m?.moduleHash ?? '', /^[0-9a-f]{64}$/);
  const wrong = { ...good, recognizers: { m: { type: './mine.ts', modle: 'small' } } };
  assert.match(
    await refusal(checkedConfig(wrong, folder.path)),
    /recognizers\.m: unknown key "modle"; did you mean "model"\?/,
  );
  const absent = { ...good, recognizers: { m: { type: './other.ts' } } };
  assert.match(await refusal(checkedConfig(absent, folder.path)), /other\.ts: expected a module with a recognizer/);
});

test('merge keys take over what an anchor names; own keys go first, and mistakes are told where they stand', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('c.yaml');
  const config = (second: readonly string[], beams = 'narrow') =>
    [
      'corpus: { type: folder, folder: clips }',
      'recognizers:',
      `  first: &quick { type: pocketsphinx, beams: ${beams}, downsample: 2 }`,
      '  second:',
      ...second.map((line) => `    ${line}`),
    ].join('\n');
  await writeFile(file, config(['<<: *quick', 'downsample: 3']));
  const { recognizers } = (await loadConfig(file)).config;
  const { beams, downsample } = recognizers.second!.options as Record<string, unknown>;
  assert.deepEqual([recognizers.second!.type, beams, downsample], ['pocketsphinx', 'narrow', 3]);

  await writeFile(file, config(['downsample: 0', '<<: [*quick]'], 'wide'));
  const message = await refusal(loadConfig(file));
  assert.match(message, /c\.yaml:3:46: recognizers\.first\.beams: expected one of/);
  assert.match(message, /c\.yaml:3:46: recognizers\.second\.beams: expected one of/);
  assert.match(message, /c\.yaml:5:17: recognizers\.second\.downsample: /);

  await writeFile(file, config(['<<: *quik']));
  assert.match(await refusal(loadConfig(file)), /c\.yaml:5:5: .*expected << to take over an anchored mapping/);
});

test('hostile YAML is refused in bounded time: alias bombs, hundreds of mistakes, control characters', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('c.yaml');
  const bomb = 'bcdefghij'
    .split('')
    .reduce(
      (text, name, index) => `${text}${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(',')}]\n`,
      'a: &a [x]\n',
    );
  await writeFile(file, bomb);
  assert.match(await refusal(loadConfig(file)), /alias/i);
  await writeFile(file, Array.from({ length: 500 }, (_, n) => `"k\\e[2J${n}": 1`).join('\n'));
  const message = await refusal(loadConfig(file));
  assert.ok(message.split('\n').length <= 23, message);
  assert.match(message, /… and \d+ more/);
  assert.ok(!message.includes('\u001b'));
});

test("a study's conditions are looked up, and its own steps checked and completed", async () => {
  const study = (conditions: unknown) => ({ ...good, studies: [{ type: 'robustness', conditions }] });
  const own = { name: 'coarse', steps: [{ perturbation: 'quantize', parameters: { bits: 4 } }] };
  const { config } = await checkedConfig(study(['clean', 'aequevox/noise', own]), '.');
  const conditions = config.studies[0]?.options.conditions;
  const [, , completed] = (conditions ?? []) as readonly { steps?: { parameters: object }[] }[];
  assert.deepEqual(completed?.steps?.[0]?.parameters, { bits: 4, rounding: 'nearest', fullScale: 'power-of-two' });

  const message = await refusal(
    checkedConfig(study(['aequevox/nois', { name: 'x', steps: [{ perturbation: 'gian', parameters: {} }] }]), '.'),
  );
  assert.match(message, /studies\[0\]\.conditions\[0\]: .*did you mean "aequevox\/noise"\?/);
  assert.match(message, /studies\[0\]\.conditions\[1\]\.steps\[0\]\.perturbation: .*did you mean "gain"\?/);
});

test('a list of corpora keeps its order, each with its own selection, and mistakes name their place in it', async () => {
  const spoken = { type: 'sentences', texts: ['a'], synthesizer: 'voice', select: { limit: 1 } };
  const written = { ...good, corpus: [good.corpus, spoken], synthesizers: { voice: { type: 'flite' } } };
  const { config } = await checkedConfig(written, '.');
  assert.deepEqual(
    config.corpora.map(({ type, select }) => [type, select]),
    [
      ['folder', null],
      ['sentences', { limit: 1 }],
    ],
  );
  const wrong = { ...written, corpus: [good.corpus, { ...spoken, synthesizer: 'voise' }, 3] };
  const message = await refusal(checkedConfig(wrong, '.'));
  assert.match(message, /corpus\[1\]\.synthesizer: expected the name of .*; did you mean "voice"\?/);
  assert.match(message, /corpus\[2\]: expected an object, but got 3/);
  assert.match(await refusal(checkedConfig({ ...good, corpus: [] }, '.')), /corpus: expected at least 1 item/);
});

test('a mapping as a key is refused in a sentence, without a warning of the library', async (context) => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('c.yaml'), '? { type: manifest }\n: { file: clips.tsv }\n');
  const warned = context.mock.method(process, 'emitWarning', () => {});
  assert.match(await refusal(loadConfig(folder.file('c.yaml'))), /unknown key "\{ type: manifest \}"/);
  assert.equal(warned.mock.callCount(), 0);
});

test('a recognizer named __proto__ and a program without a name are refused, not dropped or met trial by trial', async () => {
  const named = JSON.parse('{"__proto__": {"type": "scripted"}, "other": {"type": "scripted"}}');
  const message = await refusal(checkedConfig({ ...good, recognizers: named }, '.'));
  assert.match(message, /recognizers: expected another name than "__proto__"/);
  const nameless = { ...good, recognizers: { one: { type: 'command', program: [''] } } };
  assert.match(await refusal(checkedConfig(nameless, '.')), /recognizers\.one\.program\[0\]: expected a program/);
});

test('A study that calls an option differently than others do says how.', async () => {
  const withStudy = (study: object) => refusal(checkedConfig({ ...good, studies: [study] }, '.'));
  assert.match(
    await withStudy({ type: 'disparity', groupBy: ['sex'] }),
    /studies\[0\]: unknown key "groupBy"; did you mean "attributes"\?/,
  );
  assert.match(
    await withStudy({ type: 'robustness', attributes: ['sex'] }),
    /studies\[0\]: unknown key "attributes"; did you mean "groupBy"\?/,
  );
});

test('which of several forms of options is meant is asked for with the forms there are', async () => {
  const corpus = { type: 'folder', folder: '.' };
  const withKind = (kind: object) =>
    checkedConfig({ corpus, recognizers: { one: { type: 'sherpa-onnx', ...kind } } }, '.');
  await assert.rejects(withKind({}), /kind: expected one of "transducer", .*"whisper".*, but it is missing/);
  await assert.rejects(withKind({ kind: 'whispr' }), /but got "whispr"; did you mean "whisper"\?/);
});
