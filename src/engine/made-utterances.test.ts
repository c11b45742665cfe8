// Utterances that a study makes while it runs: expected values are counted on paper.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { systemClock } from '../base/clock.ts';
import { EarwitnessError } from '../base/errors.ts';
import type { Corpus } from '../corpora/contract.ts';
import { joinCorpora } from '../corpora/shared/join-corpora.ts';
import { clean } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';
import { scripted } from '../recognizers/scripted/scripted.ts';
import type { Store } from '../store/contract.ts';
import { openStore } from '../store/open-store.ts';
import type { Study } from '../studies/contract.ts';
import { inProcessExecutor } from './executors/executors.ts';
import { openRun, type RunMode } from './open-run.ts';
import { runStudies } from './run-studies.ts';

function utteranceOf(text: string, more: Partial<Utterance> = {}): Utterance {
  const sound = { text, synthesizer: 'beeper', voice: 'low' };
  return { id: text, sound, reference: text, language: 'en', speaker: 'beeper:low', attributes: {}, tags: [], ...more };
}

/** Says a text as one sample for each character. */
function speaking(texts: readonly string[], spoken: string[] = []): Corpus {
  return {
    async *utterances() {
      for (const text of texts) yield utteranceOf(text);
    },
    soundIdentity: async ({ sound }) => (sound && 'text' in sound ? { text: sound.text, voice: sound.voice } : null),
    async clip({ sound }) {
      assert.ok(sound && 'text' in sound);
      spoken.push(sound.text);
      return { samples: new Float32Array(sound.text.length * 100).fill(0.1), sampleRate: 8000 };
    },
    close: async () => {},
  };
}

/** Asks about every utterance, then about each of them without its first letter. Its settings hold what it was told. */
const shortening: Study<unknown> = {
  name: 'shortening',
  version: 1,
  about: 'for tests',
  options: z.unknown(),
  async *run(_options, context) {
    const collected: Utterance[] = [];
    for await (const utterance of context.utterances()) collected.push(utterance);
    const told: string[] = [`${context.utteranceCount} utterances`];
    const made = collected.map((utterance) => {
      const text = utterance.reference!.slice(1);
      return utteranceOf(text, { id: `made-${text}`, made: { from: utterance.id, how: 'shortened' } });
    });
    for (const utterances of [collected, made]) {
      const answers = yield {
        about: 'all',
        size: utterances.length,
        async *questions() {
          for (const utterance of utterances) {
            yield { ask: 'recognition', trial: { utterance, condition: clean, draw: 0, recognizer: 'one', repeat: 0 } };
          }
        },
      };
      for await (const answer of answers) {
        assert.ok(answer.ask === 'recognition');
        told.push(`${answer.trial.utterance.id}: ${answer.observation.transcript?.text}`);
      }
    }
    return {
      study: { name: 'shortening', version: 1 },
      ...{ title: 'Shortening', settings: { told }, answer: [], sections: [], warnings: [] },
    };
  },
};

function temporaryStore(context: TestContext): Store {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-made-'));
  const store = openStore(join(folder, 'store.sqlite'));
  context.after(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

async function start(
  store: Store,
  corpus: Corpus,
  mode: RunMode = 'continue',
  studies = [shortening],
  stop?: AbortSignal,
) {
  const never = new AbortController().signal;
  const wish = {
    ...{ name: 'test', purpose: 'test', config: {}, seed: 1 },
    recognizers: [{ name: 'one', identity: { engine: 'one' }, pinned: true, epoch: null }],
  };
  const run = openRun(store, wish, mode, systemClock);
  const services = { baseFolder: '.', environment: () => undefined, fileHash: async () => '' };
  const options = scripted.options.parse({ needsAudio: true, default: '{samples}' });
  const findings = await runStudies({
    ...{
      store,
      runId: run.id,
      seed: 1,
      corpus,
      ladders: [],
      budget: {},
      workers: 1,
      clipCacheBytes: 10_000,
      preflight: true,
    },
    recognizers: [
      {
        ...{
          name: 'one',
          identity: { engine: 'one' },
          epoch: null,
          input: 'sound',
          usesProcessor: true,
          mayCost: false,
          facts: {},
        },
        ...{ pricePerMinute: null, vocabulary: null },
        limits: { concurrency: 1, rates: [], attempts: 1, timeLimitSeconds: 30, openTimeLimitSeconds: 30 },
      },
    ],
    studies: studies.map((study) => ({ study, options: {} })),
    perturbation: async () => assert.fail(),
    assets: { sounds: async () => assert.fail(), codec: async () => assert.fail() },
    executor: inProcessExecutor(() => scripted.open(options, services), systemClock),
    clock: systemClock,
    on: () => {},
    signal: stop ?? never,
    abort: never,
  });
  return { id: run.id, told: findings.map(({ settings }) => settings.told as readonly string[]) };
}

const expected = ['2 utterances', 'abc: 300', 'de: 200', 'made-bc: 200', 'made-e: 100'];

test('A study is answered about texts of its own making, which are kept with the run and not counted as collected.', async (context) => {
  const store = temporaryStore(context);
  const { id, told } = await start(store, speaking(['abc', 'de']), 'continue', [shortening, shortening]);
  // The second study of the run is told of the collected alone, too.
  assert.deepEqual(told, [expected, expected]);
  assert.equal(store.run(id)!.utteranceCount, 2);
  const kept = store.utterances(id, { from: 0, limit: 10 });
  assert.deepEqual(
    kept.map(({ id: name, made }) => [name, made?.from ?? null]),
    [
      ['abc', null],
      ['de', null],
      ['made-bc', 'abc'],
      ['made-e', 'de'],
    ],
  );
  assert.deepEqual(
    [...store.sounds(id, { from: 2, limit: 2 }).values()],
    [
      { text: 'bc', voice: 'low' },
      { text: 'e', voice: 'low' },
    ],
  );
});

test('Stopped when the made texts are spoken and started again, a run ends as if it had not been stopped.', async (context) => {
  const store = temporaryStore(context);
  for (const stopsAt of ['bc', 'e']) {
    const stop = new AbortController();
    const corpus = speaking(['abc', 'de']);
    const stopping: Corpus = {
      ...corpus,
      clip(utterance) {
        if (utterance.reference === stopsAt) stop.abort(new EarwitnessError('interrupted', 'stopped'));
        return corpus.clip(utterance);
      },
    };
    await assert.rejects(start(store, stopping, 'continue', [shortening], stop.signal));
  }
  const { id, told } = await start(store, speaking(['abc', 'de']));
  assert.deepEqual(told, [expected]);
  assert.equal(store.runs().length, 1);
  assert.deepEqual([store.run(id)!.utteranceCount, store.utterances(id, { from: 0, limit: 10 }).length], [2, 4]);

  const spoken: string[] = [];
  const again = await start(store, speaking(['abc', 'de'], spoken), 'new');
  assert.deepEqual(again.told, [expected]);
  assert.deepEqual([spoken, store.spent(again.id).calls], [[], 0]);
});

test('Of several corpora the one that has the text it was made of speaks a made one.', async (context) => {
  const [first, second]: [string[], string[]] = [[], []];
  const corpus = joinCorpora([speaking(['abc'], first), speaking(['de'], second)]);
  const { told } = await start(temporaryStore(context), corpus);
  assert.deepEqual(told, [expected]);
  assert.deepEqual(
    [first, second],
    [
      ['abc', 'bc'],
      ['de', 'e'],
    ],
  );
});
