import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import { runCommand, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import type { EarwitnessConfig } from '../config/written-config.ts';
import { type RunOptions, run } from '../run/run.ts';
import { loadMember } from './load-member.ts';

// What authors of modules get wrong, and the one sentence each must get. Every case is a whole run.

const zod = `import { z } from 'zod';\n`;
const parrot = `${zod}export default {
  name: 'parrot', about: 'says it', options: z.strictObject({}), isolation: 'none',
  describe: async () => ({ identity: {}, input: 'sound', pinned: true, concurrency: 1, usesProcessor: false, facts: {} }),
  open: async () => ({ recognize: async () => ({ text: 'one two' }), close: async () => {} }),
};`;
const study = (body: string) => `${zod}export default {
  name: 'mine', version: 1, about: 'asks', options: z.strictObject({}),
  async *run(options, context) { ${body} },
};`;
const asking = `const batch = { about: '', size: null, async *questions() {
  for await (const utterance of context.utterances())
    yield { ask: 'recognition', trial: { utterance, condition: { name: 'clean', steps: [] }, draw: 0, repeat: 0, recognizer: NAME } };
} };`;
const finding = `{ study: { name: 'mine', version: 1 }, title: 'Mine', settings: {}, answer: [{ text: 'done' }], sections: [], warnings: [] }`;
const perturbation = (apply: string) => `${zod}export default {
  name: 'mine', version: 1, about: 'changes', parameters: z.strictObject({}), random: false, identity: null, example: {},
  apply(clip) { ${apply} },
};`;
const ownCondition = {
  studies: [
    { type: 'robustness', resamples: 100, conditions: [{ name: 'mine', steps: [{ perturbation: './mine.mjs' }] }] },
  ],
};

async function project(module: string, change: object) {
  const folder = await temporaryFolder();
  await writeFile(folder.file('a.wav'), sineWav(300, 8000, 0.2));
  await writeFile(folder.file('a.txt'), 'one two');
  await writeFile(folder.file('parrot.mjs'), parrot);
  await writeFile(folder.file('mine.mjs'), module);
  const config = {
    corpus: { type: 'folder', folder: '.', language: 'en' },
    recognizers: { own: { type: './parrot.mjs' } },
    studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
    report: { sound: false },
    ...change,
  } as EarwitnessConfig;
  return { folder, config };
}

async function runWith(module: string, change: object, options: RunOptions = {}) {
  const { folder, config } = await project(module, change);
  await using _ = folder;
  return (await run(config, { baseFolder: folder.path, ...options })).report;
}

const ownStudy = { studies: [{ type: './mine.mjs' }] };
const ownRecognizer = { recognizers: { own: { type: './mine.mjs' } } };
const faults: readonly [what: string, module: string, change: object, said: RegExp][] = [
  [
    'options that are no schema',
    parrot.replace('z.strictObject({})', '{}'),
    ownRecognizer,
    /\.\/mine\.mjs: expected `options` to be a schema of zod 4, as in `options: z\.strictObject\(\{\}\)`/,
  ],
  [
    'a description that lacks something',
    parrot.replace('pinned: true,', ''),
    ownRecognizer,
    /\.\/mine\.mjs: what describe gives is not as docs\/own-members\.md shows it: pinned: expected true or false, but it is missing/,
  ],
  [
    'a throw on opening',
    parrot.replace('open: async () => (', 'open: async () => missing.thing && ('),
    ownRecognizer,
    /\.\/mine\.mjs: open failed: missing is not defined \(line 5\)/,
  ],
  [
    'an engine without close',
    parrot.replace(', close: async () => {}', ''),
    ownRecognizer,
    /what open gives is not as .*: close: expected a function/,
  ],
  ['a throw in a study', study('null.x;'), ownStudy, /\.\/mine\.mjs: run failed: .*null.* \(line 4\)/],
  [
    'a yield of something else',
    study('yield 7;'),
    ownStudy,
    /what run yields is not as .*: expected an object, but got 7/,
  ],
  [
    'a question that is none',
    study(`yield { about: '', size: null, async *questions() { yield { ask: 'recognitoin' }; } };`),
    ownStudy,
    /what questions gives is not as .*: ask: expected one of "recognition".*did you mean "recognition"\?/,
  ],
  [
    'a recognizer that the run does not have',
    study(`${asking.replace('NAME', "'whisper'")} yield batch; return ${finding};`),
    ownStudy,
    /its questions ask the recognizer "whisper", but the run has own/,
  ],
  [
    'a finding without sections',
    study(`return ${finding.replace('sections: [],', '')};`),
    ownStudy,
    /what run returns is not as .*: sections: expected a list, but it is missing/,
  ],
  [
    'a study that is no generator',
    study('').replace('async *run', 'async run'),
    ownStudy,
    /expected its run to be `async \*run\(…\)`, but it is no generator/,
  ],
  [
    'an utterance without an id',
    `${zod}export default { name: 'mine', about: '', options: z.strictObject({}), open: async () => ({
      async *utterances() { yield { language: 'en' }; }, soundIdentity: async () => null, clip: async () => null, close: async () => {} }) };`,
    { corpus: { type: './mine.mjs' } },
    /what utterances gives is not as .*: id: expected text, but it is missing/,
  ],
  [
    'a perturbation that gives no facts',
    perturbation('return { clip };'),
    ownCondition,
    /what apply gives is not as .*: facts: expected an object, but it is missing/,
  ],
];

for (const [what, module, change, said] of faults) {
  test(`${what} is the module's fault, told in one sentence`, async () => {
    await assert.rejects(runWith(module, change), { name: 'EarwitnessError', code: 'bad-config', message: said });
  });
}

test('the command says the sentence, no stack, and the exit code of a wrong config', async () => {
  const { folder, config } = await project(study('null.x;'), ownStudy);
  await using _ = folder;
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path });
  assert.match(stderr, /^earwitness: \.\/mine\.mjs: run failed: .*\(line 4\)$/m);
  assert.doesNotMatch(stderr, /fault of earwitness|\n\s+at /);
  assert.equal(code, exitCodes['bad-config']);
});

const counting = study(`${asking.replace('NAME', "'own'")}
    const answers = yield batch; let heard = 0;
    for await (const { observation } of answers) if (observation.transcript) heard++;
    return ${finding.replace("'done'", "heard + ' heard by ' + (createRandom(1) ? 'chance' : '')")};`);

test('a module may import zod and earwitness where neither is installed beside it', async () => {
  const report = await runWith(`import { createRandom } from 'earwitness';\n${counting}`, ownStudy);
  assert.equal(report.findings.find(({ study: { name } }) => name === 'mine')!.answer[0]!.text, '1 heard by chance');
});

test('what a study still writes beside its tables, as earlier versions did, is not kept', async () => {
  const report = await runWith(
    study(`return ${finding.replace('warnings: []', 'warnings: [], data: { heard: 1 }')};`),
    ownStudy,
  );
  const mine = report.findings.find(({ study: { name } }) => name === 'mine')!;
  assert.deepEqual([mine.title, Object.hasOwn(mine, 'data')], ['Mine', false]);
});

test('a run that is stopped while a study reads its answers rejects with the reason it was stopped for', async () => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const module = `import { createRandom } from 'earwitness';\n${counting}`;
  const on = ({ type }: { type: string }) => type === 'analysing' && stop.abort(reason);
  await assert.rejects(runWith(module, ownStudy, { signal: stop.signal, on }), reason);
});

for (const [what, apply, reason] of [
  ['NaN', 'return { clip: { ...clip, samples: clip.samples.map(() => NaN) }, facts: {} };', /but got NaN as sample 0/],
  [
    'no samples',
    'return { clip: { ...clip, samples: new Float32Array(0) }, facts: {} };',
    /but got one without samples/,
  ],
  ['a throw', 'throw new Error("too short for me");', /\.\/mine\.mjs: apply failed: too short for me \(line 4\)/],
] as const) {
  test(`a perturbation that gives ${what} fails its trials and says why; others are heard`, async () => {
    const { tally, failures } = await runWith(perturbation(apply), ownCondition);
    assert.deepEqual([tally.answered, tally.failed], [1, 1]);
    assert.match(JSON.stringify(failures), reason);
  });
}

test('a perturbation that changes its input in place gets a copy of it', async () => {
  const { folder } = await project(perturbation('clip.samples.fill(0.5); return { clip, facts: {} };'), {});
  await using _ = folder;
  const { member } = await loadMember('perturbations', './mine.mjs', folder.path);
  const clip = { samples: Float32Array.of(0.1, 0.2), sampleRate: 8000 };
  const made = await member.apply(clip, {}, { random: createRandom(1), assets: undefined });
  assert.deepEqual([...made.clip.samples], [0.5, 0.5]);
  assert.deepEqual(clip.samples, Float32Array.of(0.1, 0.2));
});
