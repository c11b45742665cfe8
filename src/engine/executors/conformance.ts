import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Executor, Job } from './contract.ts';

/** An executor under test, and what it can do. */
export interface ExecutorUnderTest {
  readonly name: string;
  /** Makes one with a `scripted` recognizer of these options under each name. */
  create(recognizers: Readonly<Record<string, JsonObject>>): Executor;
  /** Whether it survives an engine that ends or crashes its process, or keeps the processor forever. */
  readonly survivesCrashes: boolean;
}

const never = new AbortController().signal;
const clip: Clip = {
  samples: Float32Array.from({ length: 16000 }, (_, index) => Math.sin(index / 20) / 2),
  sampleRate: 16000,
};

function job(recognizer: string, utteranceId: string, timeLimitSeconds = 30): Job {
  const request = { utteranceId, conditionName: 'clean', repeat: 0, language: 'en' };
  return { recognizer, request, timeLimitSeconds, openTimeLimitSeconds: 30 };
}

/** The suite that every executor passes. */
export function executorConformance(tested: ExecutorUnderTest): void {
  const { name } = tested;
  const open = (context: TestContext, recognizers: Readonly<Record<string, JsonObject>>): Executor => {
    const executor = tested.create(recognizers);
    context.after(() => executor.close());
    return executor;
  };

  test(`${name}: an answer comes back as it was given, with its words and the time it took`, async (context) => {
    const executor = open(context, { one: { answers: { a: 'hello <world> \u202e "' } } });
    const outcome = await executor.run(job('one', 'a'), null, never);
    assert.equal(outcome.transcript?.text, 'hello <world> \u202e "');
    assert.ok(outcome.seconds >= 0 && outcome.seconds < 30);
  });

  test(`${name}: the sound arrives sample for sample`, async (context) => {
    const executor = open(context, { one: { needsAudio: true, answers: { a: '{samples} {rate} {hash}' } } });
    const first = await executor.run(job('one', 'a'), clip, never);
    assert.match(first.transcript?.text ?? '', /^16000 16000 [0-9a-f]+$/);
    const changed = { ...clip, samples: clip.samples.with(15_999, 0.25) };
    const second = await executor.run(job('one', 'a'), changed, never);
    assert.notEqual(second.transcript?.text, first.transcript?.text);
    assert.deepEqual((await executor.run(job('one', 'a'), clip, never)).transcript, first.transcript);
  });

  test(`${name}: many calls at once are all answered, each with its own`, async (context) => {
    const ids = Array.from({ length: 50 }, (_, index) => `u${index}`);
    const executor = open(context, {
      one: { rule: 'echo-id', concurrency: 8 },
      other: { rule: 'echo-id', concurrency: 8 },
    });
    const outcomes = await Promise.all(
      ids.map((id, index) => executor.run(job(index % 2 ? 'one' : 'other', id), null, never)),
    );
    assert.deepEqual(
      outcomes.map(({ transcript }) => transcript?.text),
      ids,
    );
  });

  test(`${name}: failures come back as data with their kind`, async (context) => {
    const executor = open(context, {
      one: {
        default: 'fine',
        failures: [
          { match: { utterance: 'busy' }, kind: 'unavailable', retryAfterSeconds: 7 },
          { match: { utterance: 'no' }, kind: 'refused' },
          { match: { utterance: 'thrown' }, how: 'throw' },
          { match: { utterance: 'garbage' }, how: 'garbage' },
          { match: { utterance: 'huge' }, how: 'huge' },
        ],
      },
    });
    const failure = async (id: string) =>
      (await executor.run(job('one', id), null, never)) as { failure?: { kind: string } };
    const busy = await executor.run(job('one', 'busy'), null, never);
    assert.equal(busy.failure?.kind, 'unavailable');
    assert.ok(busy.failure && busy.retryable && busy.retryAfterSeconds === 7);
    assert.equal((await failure('no')).failure?.kind, 'refused');
    assert.equal((await failure('thrown')).failure?.kind, 'error');
    assert.equal((await failure('garbage')).failure?.kind, 'garbage');
    assert.equal((await failure('huge')).failure?.kind, 'garbage');
    assert.equal((await executor.run(job('one', 'after'), null, never)).transcript?.text, 'fine');
  });

  test(`${name}: a call that hangs is given up at its time limit, and others go on`, async (context) => {
    const executor = open(context, {
      one: { default: 'fine', failures: [{ match: { utterance: 'stuck' }, how: 'hang' }] },
    });
    const outcome = await executor.run(job('one', 'stuck', 0.2), null, never);
    assert.equal(outcome.failure?.kind, 'timeout');
    assert.equal((await executor.run(job('one', 'next'), null, never)).transcript?.text, 'fine');
  });

  test(`${name}: a call can be ended from outside within two seconds`, async (context) => {
    const executor = open(context, { one: { failures: [{ how: 'hang' }] } });
    const abort = new AbortController();
    const started = performance.now();
    const call = executor.run(job('one', 'a'), null, abort.signal);
    setTimeout(() => abort.abort(new Error('enough')), 300);
    await assert.rejects(call, /enough/);
    assert.ok(performance.now() - started < 5000);
  });

  test(`${name}: closing ends everything, twice as well as once`, async () => {
    const executor = tested.create({ one: { rule: 'echo-id' } });
    await executor.run(job('one', 'a'), null, never);
    await executor.close();
    await executor.close();
  });

  if (!tested.survivesCrashes) return;

  for (const how of ['exit', 'abort'] as const) {
    test(`${name}: an engine that ends by ${how} costs the call in hand, and the next one finds a new engine`, async (context) => {
      const executor = open(context, { one: { default: 'fine', failures: [{ match: { utterance: 'deadly' }, how }] } });
      assert.equal((await executor.run(job('one', 'before'), null, never)).transcript?.text, 'fine');
      const outcome = await executor.run(job('one', 'deadly'), null, never);
      assert.equal(outcome.failure?.kind, 'crash');
      assert.match(outcome.failure?.message ?? '', how === 'abort' ? /SIGABRT/ : /exit code/);
      assert.equal((await executor.run(job('one', 'after'), null, never)).transcript?.text, 'fine');
    });
  }

  test(`${name}: an engine that keeps the processor and hears nothing is killed at the time limit`, async (context) => {
    const executor = open(context, {
      one: { default: 'fine', failures: [{ match: { utterance: 'stuck' }, how: 'spin' }] },
    });
    const outcome = await executor.run(job('one', 'stuck', 0.2), null, never);
    assert.ok(outcome.failure?.kind === 'timeout' || outcome.failure?.kind === 'crash', outcome.failure?.kind);
    assert.equal((await executor.run(job('one', 'next'), null, never)).transcript?.text, 'fine');
  });
}
