/** Where members of a family lie under src/, each in a folder of its own; a normalizer is a file beside the others, with a line in their list. */
export const folders = {
  recognizer: 'recognizers',
  synthesizer: 'synthesizers',
  corpus: 'corpora',
  perturbation: 'perturbations',
  study: 'studies',
  embedder: 'embedders',
  predictor: 'predictors',
  quality: 'quality',
  'sound-collection': 'sound-collections',
  normalizer: 'scoring/normalizers',
} as const;

const readiness = `  async readiness() {
    // Look for the engine: { ready: false, found: 'what is missing', install: 'a line to type' } skips the tests below.
    return { ready: true, found: 'nothing is looked for yet' };
  },
`;

/**
 * The files of a new member by family: __NAME__ is its name, __CONST__ the name of what it exports. Nothing in them works yet, and
 * their tests fail until it does.
 */
export const templates: Readonly<Record<keyof typeof folders, Readonly<Record<string, string>>>> = {
  recognizer: {
    '__NAME__.ts': `
import { z } from 'zod';
import { RecognitionError, type RecognizerKind } from '../contract.ts';

const options = z.strictObject({
  model: z.string().min(1).describe('Folder of the model'),
});

/** Say in one sentence what it is, and cite where its behaviour is described. */
export const __CONST__: RecognizerKind<z.output<typeof options>> = {
  name: '__NAME__',
  about: 'One sentence for listings',
  options,
  isolation: 'process',
  async describe({ model }, services) {
    return {
      identity: { engine: '__NAME__', model: await services.fileHash(model) },
      input: 'sound',
      pinned: true,
      concurrency: 1,
      usesProcessor: true,
      facts: {},
    };
  },
  async open(_options, _services) {
    return {
      async recognize(_request, signal) {
        signal.throwIfAborted();
        throw new RecognitionError('error', '__NAME__ does not recognize anything yet');
      },
      async close() {},
    };
  },
${readiness}};
`,
    '__NAME__.test.ts': `
import { testRecognizer } from '../conformance.ts';
import { plainServices } from '../testing/tones.ts';
import { __CONST__ } from './__NAME__.ts';

const services = plainServices(import.meta.dirname);
const clip = { samples: new Float32Array(32_000), sampleRate: 16_000 };
const request = (utteranceId: string) => ({ clip, utteranceId, conditionName: 'clean', repeat: 0, language: 'en' });
const { ready, found } = await __CONST__.readiness(services);

testRecognizer({
  kind: __CONST__,
  options: { model: 'model.bin' },
  services,
  // Two sounds that it hears differently.
  requests: [request('one'), request('two')],
  skip: ready ? false : found,
});
`,
    'README.md': `
# __NAME__

What it is, in one sentence, and where its behaviour is described.

\`\`\`sh
earwitness recognize call.wav -r '__NAME__:model=…'
\`\`\`

Options: \`earwitness list recognizers __NAME__\` prints them from their schema; nothing of them is written here.

## How to get it

Packages, programs and models, with their licences, and the line that installs them (the same that \`readiness\` gives).

## What becomes of failures

Which failure stands for what the engine does, and which are asked again.

## Traps

What surprised you. What could not be tried is marked *untried*.
`,
  },
  synthesizer: {
    '__NAME__.ts': `
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { SynthesizerKind } from '../contract.ts';

const options = z.strictObject({});

/** Say in one sentence what it is, and cite where its behaviour is described. */
export const __CONST__: SynthesizerKind<z.output<typeof options>> = {
  name: '__NAME__',
  about: 'One sentence for listings',
  options,
  async open() {
    return {
      identity: { engine: '__NAME__' },
      async voices() {
        return [{ name: 'default', language: 'en', attributes: {} }];
      },
      async speak() {
        throw new EarwitnessError('bad-input', '__NAME__ does not speak yet');
      },
      async close() {},
    };
  },
${readiness}};
`,
    '__NAME__.test.ts': `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleHash } from '../../audio/clip-measurement.ts';
import { __CONST__ } from './__NAME__.ts';

const services = { baseFolder: import.meta.dirname, environment: () => undefined, fileHash: async () => '' };
const { ready, found } = await __CONST__.readiness(services);

// What is special about it. The family's own tests (synthesizers.test.ts) hold hostile texts and what every engine must do.
test('a sentence is spoken, the same each time', { skip: ready ? false : found }, async () => {
  const synthesizer = await __CONST__.open(__CONST__.options.parse({}), services);
  const [voice] = await synthesizer.voices();
  const clip = await synthesizer.speak('so say all of us', voice!.name);
  assert.ok(clip.samples.length / clip.sampleRate > 0.5, 'expected at least half a second of speech');
  assert.equal(sampleHash(await synthesizer.speak('so say all of us', voice!.name)), sampleHash(clip));
  await synthesizer.close();
});
`,
  },
  corpus: {
    '__NAME__.ts': `
import { z } from 'zod';
import type { CorpusKind } from '../contract.ts';

const options = z.strictObject({
  folder: z.string().min(1).describe('Where it was unpacked'),
});

/** Say which data it reads, in which layout, and where that is described. */
export const __CONST__: CorpusKind<z.output<typeof options>> = {
  name: '__NAME__',
  about: 'One sentence for listings',
  options,
  async open(_options, services) {
    return {
      async *utterances() {},
      async soundIdentity({ sound }) {
        return sound && 'file' in sound ? services.sounds.identity(sound.file, sound) : null;
      },
      async clip({ sound }) {
        if (!sound || !('file' in sound)) throw new Error('an utterance of __NAME__ without a file');
        return services.sounds.read(sound.file, sound);
      },
      async close() {},
    };
  },
};
`,
    '__NAME__.test.ts': `
import { testCorpus } from '../conformance.ts';
import { __CONST__ } from './__NAME__.ts';

// At least two utterances in the layout in which the data come; a sound may be any bytes.
const files = {
  'list.tsv': 'one.wav\\tso say all of us\\ntwo.wav\\tall of us\\n',
  'one.wav': 'one',
  'two.wav': 'two',
};

testCorpus({ kind: __CONST__, files, options: { folder: '.' }, published: false });
`,
  },
  perturbation: {
    '__NAME__.ts': `
import { z } from 'zod';
import type { PlainPerturbation } from '../contract.ts';

const parameters = z.strictObject({
  strength: z.number().min(0).max(1).describe('0 changes nothing'),
});

/** Say what one hears, the formula, and where it comes from. */
export const __CONST__: PlainPerturbation<z.output<typeof parameters>> = {
  name: '__NAME__',
  version: 1,
  about: 'Replace this by one sentence that says what one hears.',
  parameters,
  random: false,
  identity: { strength: 0 },
  example: { strength: 0.5 },
  apply(_clip, { strength }) {
    throw new Error(\`__NAME__ does nothing yet with a strength of \${strength}\`);
  },
};
`,
    '__NAME__.test.ts': `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { __CONST__ } from './__NAME__.ts';

// An analytic case: what the formula gives on paper. The family's own tests hold identity, golden and hostile sounds.
test('a sound comes out as the formula says', () => {
  const clip = { samples: new Float32Array([0.5, -1]), sampleRate: 8000 };
  const { clip: changed } = __CONST__.apply(clip, { strength: 0.5 }, { random: createRandom(1) });
  assert.deepEqual([...changed.samples], 'replace this by the samples that the formula gives');
});
`,
    // What the example gives for the family's reference clip; its test says the hash to write when the formula changes.
    'golden.json': `
{ "version": 1, "sampleHash": "the test says which" }
`,
  },
  study: {
    '__NAME__.ts': `
import { z } from 'zod';
import type { Study } from '../contract.ts';

const options = z.strictObject({});

/** Say what it asks and concludes, and which paper and section it follows. */
export const __CONST__: Study<z.output<typeof options>> = {
  name: '__NAME__',
  version: 1,
  about: 'One sentence for listings',
  options,
  async *run(_options, context) {
    const answers = yield { about: 'nothing yet', size: 0, async *questions() {} };
    let count = 0;
    for await (const _answer of answers) count++;
    return {
      study: { name: '__NAME__', version: 1 },
      title: 'Nothing yet',
      settings: { seed: context.seed },
      answer: [{ text: \`\${count} answers were read.\` }],
      sections: [],
      warnings: [],
    };
  },
};
`,
    '__NAME__.test.ts': `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inventedContext, inventedRun, recognizerNamed, spoken } from '../shared/testing/testing.ts';
import { __CONST__ } from './__NAME__.ts';

test('what is found is a number with its interval, as answers that were invented make it on paper', async () => {
  const utterances = ['one', 'two'].map((speaker) => spoken(speaker, 'so say all of us', { speaker }));
  const context = inventedContext(utterances, [recognizerNamed('r')]);
  const finding = await inventedRun(__CONST__, {}, context, ({ utterance }) => utterance.reference ?? '');
  assert.equal(finding.answer[0]?.estimate?.value, 'replace this by the number that these answers give');
});
`,
  },
  embedder: {
    '__NAME__.ts': `
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { EmbedderKind } from '../contract.ts';

const options = z.strictObject({
  model: z.string().min(1).describe('Folder of the model'),
  languages: z.array(z.string().min(2)).min(1).describe('Languages that it was made for (BCP 47)'),
});

/** Say which models it reads, and cite where they are described. */
export const __CONST__: EmbedderKind<z.output<typeof options>> = {
  name: '__NAME__',
  about: 'One sentence for listings',
  options,
  async open({ languages }) {
    const identity = { engine: '__NAME__' };
    const nothing = () => new EarwitnessError('bad-config', '__NAME__ turns no text into a vector yet');
    return {
      identity,
      model: { name: '__NAME__', ...identity },
      languages,
      dimensions: 1,
      maxTokens: 512,
      async embedTexts() {
        throw nothing();
      },
      async embed() {
        throw nothing();
      },
      async close() {},
    };
  },
${readiness}};
`,
    '__NAME__.test.ts': `
import { testEmbedder } from '../conformance.ts';
import { __CONST__ } from './__NAME__.ts';

const services = { baseFolder: import.meta.dirname, environment: () => undefined, fileHash: async () => '' };
const { ready, found } = await __CONST__.readiness(services);

testEmbedder({
  kind: __CONST__,
  // A small model that the test makes, whose vectors can be told on paper (see embedders/testing).
  options: { model: 'model', languages: ['en'] },
  services,
  texts: ['turn it up', 'make it louder please', 'nothing of the kind'],
  skip: ready ? false : found,
});
`,
  },
  predictor: {
    '__NAME__.ts': `
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { PredictorKind } from '../contract.ts';

const options = z.strictObject({});

/** Say from what it learns and what it assumes, and cite where that is described. */
export const __CONST__: PredictorKind<z.output<typeof options>> = {
  name: '__NAME__',
  about: 'One sentence for listings',
  options,
  async open() {
    return {
      identity: { engine: '__NAME__', version: 1 },
      async predict(_tried, _pool, _seed, signal) {
        signal?.throwIfAborted();
        throw new EarwitnessError('bad-config', '__NAME__ predicts nothing yet');
      },
      async close() {},
    };
  },
  async readiness() {
    return { ready: true, found: 'built in' };
  },
};
`,
    '__NAME__.test.ts': `
import { testPredictor } from '../conformance.ts';
import { __CONST__ } from './__NAME__.ts';

const services = {
  baseFolder: import.meta.dirname,
  environment: () => undefined,
  fileHash: async () => '',
};

testPredictor({ kind: __CONST__, options: {}, services });
`,
  },
  quality: {
    '__NAME__.ts': `
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { QualityMeasure } from '../contract.ts';

const options = z.strictObject({});

/** Say what it tells of a sound, the formula, and the publication it comes from. */
export const __CONST__: QualityMeasure<z.output<typeof options>> = {
  name: '__NAME__',
  version: 1,
  about: 'One sentence for listings.',
  values: { value: 'What it means, its unit (in the name, too) and its range' },
  needsClean: false,
  sampleRate: null,
  options,
  async open() {
    return {
      identity: { measure: '__NAME__', version: 1 },
      async measure() {
        throw new EarwitnessError('bad-input', '__NAME__ measures nothing yet');
      },
      async close() {},
    };
  },
};
`,
    '__NAME__.test.ts': `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testQuality } from '../conformance.ts';
import { __CONST__ } from './__NAME__.ts';

const services = { baseFolder: import.meta.dirname, fileHash: async () => '' };
testQuality({ measure: __CONST__, options: {}, services, skip: false });

test('a sound whose value is known on paper has it', async () => {
  const meter = await __CONST__.open({}, services);
  const clip = { samples: Float32Array.from({ length: 16_000 }, (_, n) => 0.5 * Math.sin(n / 4)), sampleRate: 16_000 };
  const { values } = await meter.measure(clip, clip);
  assert.equal(values.value, 'replace this by the value');
});
`,
  },
  'sound-collection': {
    '__NAME__.ts': `
import { z } from 'zod';
import type { SoundCollectionKind } from '../contract.ts';
import { folderOption } from '../shared/listed-sounds.ts';

const options = z.strictObject({ folder: folderOption });

/** Say which data set it is, how it unpacks, and under which licence. */
export const __CONST__: SoundCollectionKind<z.output<typeof options>> = {
  name: '__NAME__',
  about: 'One sentence for listings',
  options,
  async list() {
    return [];
  },
};
`,
    '__NAME__.test.ts': `
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { __CONST__ } from './__NAME__.ts';

const root = mkdtempSync(join(tmpdir(), 'earwitness-__NAME__-'));
after(() => rmSync(root, { recursive: true }));

test('the files of the layout are listed in a fixed order, with what is known of each', async () => {
  // As the data set unpacks; listing decodes nothing, so that the files need not be sounds.
  writeFileSync(join(root, 'b.wav'), 'b');
  writeFileSync(join(root, 'a.wav'), 'a');
  const services = { baseFolder: root, rows: () => assert.fail('it has no table') };
  const sounds = await __CONST__.list({ folder: '.' }, services);
  assert.deepEqual(sounds, [
    { file: join(root, 'a.wav'), name: 'a.wav', facts: { licence: 'CC BY 4.0' } },
    { file: join(root, 'b.wav'), name: 'b.wav', facts: { licence: 'CC BY 4.0' } },
  ]);
});
`,
  },
  normalizer: {
    '__NAME__.ts': `
import { makeNormalizer } from './normalizer.ts';

/** Say what counts as the same word afterwards, the traps, and where its rules are described. */
export const __CONST__ = makeNormalizer({
  name: '__NAME__',
  version: 1,
  about: 'One sentence for the list of normalizers.',
  steps: [],
});
`,
    '__NAME__.test.ts': `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizerNamed } from './normalizers.ts';

// What other normalizers must do too is in normalizers.test.ts.
test('__NAME__ is listed, and makes of a text the words that its source says', () => {
  assert.deepEqual(normalizerNamed('__NAME__').words('replace this by a text'), ['and', 'this', 'by', 'its', 'words']);
});
`,
  },
};
