import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';

import type { Corpus } from '../../corpora/contract.ts';
import { createClipMaker } from '../../engine/clips.ts';
import { createConditionBook } from '../../engine/conditions.ts';
import type { HeardClip } from '../../engine/executors/contract.ts';
import type { Step } from '../../model/trial.ts';
import { queueExecutor } from '../../queue/queue-executor.ts';
import { runWorker } from '../../queue/queue-worker.ts';
import type { Store } from '../../store/contract.ts';
import { connect } from '../../store/postgres/connection.ts';
import { noServer, testServer } from '../../store/testing/postgres-server.ts';
import { loadNamedMember, memberNames } from '../members/load-member.ts';
import { remakeClip } from './remake-clip.ts';

const source = { samples: Float32Array.from({ length: 16_000 }, (_, at) => Math.sin(at / 9) / 3), sampleRate: 16_000 };
const corpus = { soundIdentity: async () => ({ a: 1 }), clip: async () => source } as unknown as Corpus;
const store = { conditions: () => [], addCondition() {}, saveClip() {} } as unknown as Store;

/** A clip as a run makes it. */
async function madeBy(steps: readonly Step[]): Promise<HeardClip> {
  const load = (name: string) => loadNamedMember('perturbations', name);
  const codec = () => Promise.reject(new Error('no codec'));
  const book = createConditionBook(store, '', load, { codec, sounds: codec } as never);
  const clips = createClipMaker({ ...{ store, corpus, seed: 1, cacheBytes: 1e6, keepChanged: true, save: false } });
  const utterance = { id: 'u', language: 'en', reference: 'one', attributes: {}, tags: [], sound: { file: 'u.wav' } };
  return (await clips.make(utterance, await book.ready({ name: 'c', steps }), 0)).clip;
}

const noise: Step = { perturbation: 'white-noise', parameters: { snrDb: 10 } };

test('what needs nothing but the clip is made of its recipe sample for sample, with each member alone and one behind the other', async () => {
  const members = await Promise.all(memberNames('perturbations').map((name) => loadNamedMember('perturbations', name)));
  const plain = members.filter((one) => one.prepare === undefined && one.costly !== true);
  assert.ok(plain.length > 20);
  const kinds: (readonly Step[])[] = plain.map(({ name, example }) => [{ perturbation: name, parameters: example }]);
  for (const steps of [...kinds, [noise, { perturbation: 'gain', parameters: { factor: 0.5 } }, noise]]) {
    const { recipe, samples, sampleRate } = await madeBy(steps);
    const { perturbation } = steps[0]!;
    assert.ok(recipe !== undefined, perturbation);
    // As it comes out of the queue.
    const again = await remakeClip(recipe.source, JSON.parse(JSON.stringify(recipe.steps)));
    assert.equal(again.sampleRate, sampleRate, perturbation);
    assert.deepEqual(again.samples, samples, perturbation);
  }
});

test('a step of another version, of no member or of a file is refused', async () => {
  const { recipe } = await madeBy([noise]);
  const [step] = recipe!.steps;
  for (const [odd, sentence] of [
    [{ version: 99 }, /white-noise is of version \d+ there, not 99/],
    [{ perturbation: './mine.ts' }, /mine/],
    [{ parameters: { snrDb: 'loud' } }, /snrDb/],
  ] as const)
    await assert.rejects(remakeClip(source, [{ ...step!, ...odd }]), sentence);
});

const never = new AbortController().signal;
const identity = { engine: 'scripted' };

/** A worker that answers the sum of what it heard. */
function startWorker(context: TestContext, address: string, remake?: typeof remakeClip) {
  const drain = new AbortController();
  const working = runWorker({
    ...{ address, place: null, drain: drain.signal, abort: never, ...(remake && { remake }) },
    recognizers: [{ name: 'one', identity, concurrency: 4 }],
    executor: { run: async (_, heard) => ({ transcript: { text: sumOf(heard!) }, seconds: 0 }), close: async () => {} },
  });
  context.after(() => {
    drain.abort();
    return working;
  });
}

const sumOf = ({ samples }: Clip) => String(samples.reduce((sum, sample) => sum + sample, 0));
const job = (utteranceId: string) => {
  const request = { utteranceId, conditionName: 'c', repeat: 0, language: 'en' };
  return { recognizer: 'one', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 };
};

/** When a clip lies on the server: notes bytes of all audio that comes to lie there from then on. */
async function watchBytes(address: string): Promise<() => number> {
  const ask = (sql: string) => {
    const server = connect(address);
    try {
      return Number(server.ask([{ sql, values: [] }])[0]!.rows[0]?.[0] ?? 0);
    } finally {
      server.close();
    }
  };
  const isThere = () =>
    ask("SELECT count(*) FROM pg_class WHERE oid = to_regclass('earwitness_calls.clips')") > 0 &&
    ask('SELECT count(*) FROM earwitness_calls.clips') > 0;
  for (const endMs = performance.now() + 30_000; !isThere() && performance.now() < endMs; )
    await new Promise((resolve) => setTimeout(resolve, 50));
  const server = connect(address);
  server.exec(`CREATE TABLE moved (bytes int); CREATE FUNCTION note() RETURNS trigger AS
    'BEGIN INSERT INTO public.moved VALUES (length(NEW.samples)); RETURN NEW; END' LANGUAGE plpgsql;
    CREATE TRIGGER moved BEFORE INSERT ON earwitness_calls.clips FOR EACH ROW EXECUTE FUNCTION note()`);
  server.close();
  return () => ask('SELECT sum(bytes) FROM moved');
}

for (const [kind, remake, moved] of [
  ['makes its clips of what they are made of, which is moved once', remakeClip, 1],
  [
    'makes other samples hears those of the run',
    async (clip: Clip) => ({ ...clip, samples: clip.samples.map((one) => -one) }),
    1 + 3,
  ],
  ['makes none hears those of the run', undefined, 1 + 3],
] as const) {
  test(`a worker that ${kind}`, { skip: noServer }, async (context) => {
    const address = testServer().newDatabase();
    const told: string[] = [];
    const executor = queueExecutor(address, new Map([['one', { identity, mayCost: true }]]), null, {
      tell: (sentence) => told.push(sentence),
    });
    context.after(() => executor.close());
    const clips = await Promise.all([5, 10, 15].map((snrDb) => madeBy([{ ...noise, parameters: { snrDb } }])));
    // The queue is made with the first call.
    const clean = executor.run(job('clean'), source, never);
    const bytes = await watchBytes(address);
    const calls = clips.map((clip, at) => executor.run(job(`u${at}`), clip, never));
    startWorker(context, address, remake);
    assert.equal((await clean).transcript?.text, sumOf(source));
    assert.deepEqual(
      (await Promise.all(calls)).map(({ transcript }) => transcript?.text),
      clips.map(sumOf),
    );
    assert.equal(bytes(), (moved - 1) * source.samples.byteLength);
    assert.equal(told.length, moved > 1 ? 1 : 0);
    if (moved > 1) {
      assert.match(
        told[0]!,
        /^a worker does not make the same samples of a recipe \((white-noise|it makes none)\): all audio is sent whole/,
      );
      const later = await madeBy([{ ...noise, parameters: { snrDb: 3 } }]);
      assert.equal((await executor.run(job('later'), later, never)).transcript?.text, sumOf(later));
      assert.equal(bytes(), moved * source.samples.byteLength);
      assert.equal(told.length, 1);
    }
  });
}
