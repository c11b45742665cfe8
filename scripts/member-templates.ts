/** The files of a new member by family: __NAME__ is its name, __CONST__ the name of what it exports. */
export const templates: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
  async readiness() {
    return { ready: false, found: 'nothing yet', install: 'npm install …' };
  },
};
`,
    '__NAME__.test.ts': `
import { testRecognizer } from '../conformance.ts';
import { plainServices } from '../shared/plain-services.ts';
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
  async readiness() {
    return { ready: false, found: 'nothing yet', install: 'apt-get install …' };
  },
};
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
  apply({ samples, sampleRate }, { strength }) {
    return { clip: { samples: samples.map((sample) => sample * (1 - strength)), sampleRate }, facts: { strength } };
  },
};
`,
    '__NAME__.test.ts': `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { __CONST__ } from './__NAME__.ts';

// An analytic case: what the formula gives on paper. The family's own tests hold identity, golden and hostile sounds.
test('half strength halves every sample', () => {
  const clip = { samples: new Float32Array([0.5, -1]), sampleRate: 8000 };
  const { clip: changed } = __CONST__.apply(clip, { strength: 0.5 }, { random: createRandom(1) });
  assert.deepEqual([...changed.samples], [0.25, -0.5]);
});
`,
    // What the example gives for the family's reference clip; its test says the hash to write when the formula changes.
    'golden.json': `
{ "version": 1, "sampleHash": "62bd773aa7d1142cdcb2bb3a98edbdb45dbe1a15d21272c7e2acc9d37cee253d" }
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
      data: {},
    };
  },
};
`,
  },
};
