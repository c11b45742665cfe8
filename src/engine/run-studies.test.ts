import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { systemClock } from '../base/clock.ts';
import { EarwitnessError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { createManualClock } from '../base/testing/manual-clock.ts';
import type { Corpus } from '../corpora/contract.ts';
import { type Condition, clean } from '../model/trial.ts';
import type { Perturbation } from '../perturbations/contract.ts';
import { sampleRate } from '../perturbations/sample-rate/sample-rate.ts';
import { whiteNoise } from '../perturbations/white-noise/white-noise.ts';
import { scripted } from '../recognizers/scripted/scripted.ts';
import type { Store } from '../store/contract.ts';
import { openStore } from '../store/open-store.ts';
import type { Answer, Question, Study } from '../studies/contract.ts';
import type { EngineEvent, Progress } from './events.ts';
import type { Executor, Outcome } from './executors/contract.ts';
import { inProcessExecutor } from './executors/executors.ts';
import { openRun, type RunMode } from './open-run.ts';
import { runStudies } from './run-studies.ts';
import type { RecognizerSetup, RunSetup } from './setup.ts';

const noise: Condition = {
  name: 'noise',
  steps: [{ perturbation: 'white-noise', parameters: { snrDb: 5 } }],
};
const services = { baseFolder: '.', environment: () => undefined, fileHash: async () => '' };
const limits = { concurrency: 3, rates: [], attempts: 3, timeLimitSeconds: 30, openTimeLimitSeconds: 30 };

/** A study that asks everything and finds out what it was told, in order. */
function everything(conditions: readonly Condition[], draws: number, measures = true): Study<unknown> {
  return {
    name: 'everything',
    version: 1,
    about: 'for tests',
    options: z.unknown(),
    async *run(_options, context) {
      const questions = async function* (): AsyncGenerator<Question> {
        for await (const utterance of context.utterances()) {
          for (const condition of conditions) {
            for (let draw = 0; draw < draws; draw++) {
              if (measures) yield { ask: 'measurement', utterance, condition, draw };
              for (const { name } of context.recognizers) {
                yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer: name, repeat: 0 } };
              }
            }
          }
        }
      };
      const told: string[] = [];
      for await (const answer of yield { about: 'everything', size: null, questions }) told.push(tell(answer));
      return {
        study: { name: 'everything', version: 1 },
        title: 'Everything',
        settings: { told },
        answer: [],
        sections: [],
        warnings: [],
      };
    },
  };
}

function tell(answer: Answer): string {
  if (answer.ask === 'measurement') {
    const { utterance, condition, draw, measurement, failure } = answer;
    return [utterance.id, condition.name, draw, measurement?.sampleHash.slice(0, 8) ?? failure?.kind].join(' ');
  }
  if (answer.ask === 'similarity') return `${answer.utterance.id} ${answer.similarity.value}`;
  if (answer.ask === 'prediction') return `${[...answer.failing]}`;
  if (answer.ask === 'elapsed') return `${answer.seconds} s`;
  const { trial, observation } = answer;
  const said = observation.transcript?.text ?? `${observation.failure?.kind}: ${observation.failure?.message}`;
  return [trial.utterance.id, trial.condition.name, trial.draw, trial.recognizer, said].join(' ');
}

function memoryCorpus(size: number, broken: readonly string[] = [], seconds = 0.1): Corpus {
  return {
    async *utterances() {
      for (let index = 0; index < size; index++) {
        yield {
          id: `u${index}`,
          sound: { file: `u${index}` },
          reference: 'one',
          language: 'en',
          attributes: {},
          tags: [],
        };
      }
    },
    soundIdentity: async ({ id }) => ({ memory: id }),
    async clip({ id }) {
      if (broken.includes(id)) throw new EarwitnessError('bad-input', `${id}: expected a sound, but it is broken`);
      const pitch = Number(id.slice(1)) + 1;
      return {
        samples: Float32Array.from({ length: 8000 * seconds }, (_, place) => Math.sin((place * pitch) / 40)),
        sampleRate: 8000,
      };
    },
    close: async () => {},
  };
}

function temporaryStore(context: TestContext): Store {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-engine-'));
  const store = openStore(join(folder, 'store.sqlite'));
  context.after(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

interface Wanted {
  readonly store: Store;
  readonly recognizers?: Readonly<Record<string, JsonObject>>;
  readonly corpus?: Corpus;
  readonly mode?: RunMode;
  readonly study?: Study<unknown>;
  readonly setup?: Partial<RunSetup>;
  readonly limits?: Partial<RecognizerSetup['limits']>;
}

const hears = { needsAudio: true, default: 'heard {hash}' };

async function start(wanted: Wanted) {
  const { store, mode = 'continue' } = wanted;
  const recognizers: Readonly<Record<string, JsonObject>> = wanted.recognizers ?? {
    one: hears,
    other: { ...hears, seed: 2 },
  };
  const setups = Object.keys(recognizers).map(
    (name): RecognizerSetup => ({
      name,
      identity: { engine: name },
      epoch: null,
      input: 'sound',
      usesProcessor: true,
      mayCost: false,
      facts: {},
      pricePerMinute: null,
      vocabulary: null,
      limits: { ...limits, ...wanted.limits },
    }),
  );
  const wish = {
    name: 'test',
    purpose: 'test',
    config: {},
    seed: 1,
    recognizers: setups.map(({ name, identity }) => ({ name, identity, pinned: true, epoch: null })),
  };
  const run = openRun(store, wish, mode, systemClock);
  const events: EngineEvent[] = [];
  const never = new AbortController().signal;
  const setup: RunSetup = {
    store,
    runId: run.id,
    seed: 1,
    corpus: wanted.corpus ?? memoryCorpus(5),
    recognizers: setups,
    studies: [{ study: wanted.study ?? everything([clean, noise], 2), options: {} }],
    ladders: [],
    perturbation: async (name) => (name === sampleRate.name ? sampleRate : whiteNoise) as unknown as Perturbation,
    assets: { sounds: async () => assert.fail(), codec: async () => assert.fail() },
    preflight: true,
    executor: inProcessExecutor(
      (name) => scripted.open(scripted.options.parse(recognizers[name]), services),
      systemClock,
    ),
    budget: {},
    workers: 2,
    clipCacheBytes: 10_000,
    clock: systemClock,
    on: (event) => events.push(event),
    signal: never,
    abort: never,
    ...wanted.setup,
  };
  const findings = await runStudies(setup);
  return { id: run.id, told: findings[0]?.settings.told as readonly string[], events };
}

test('answers come back in the order asked, each with its question, and every recognizer hears the same', async (context) => {
  const { told } = await start({ store: temporaryStore(context) });
  assert.equal(told.length, 5 * 2 * 2 * 3);
  for (let index = 0; index < told.length; index += 3) {
    const [measured, one, other] = told.slice(index, index + 3).map((line) => line.split(' '));
    assert.deepEqual(one?.slice(0, 3), measured?.slice(0, 3));
    assert.equal(one?.at(-1), other?.at(-1), 'the same sound, sample for sample');
  }
});

test('another draw of noise is another sound, another draw of nothing is the same one and is not asked twice', async (context) => {
  const store = temporaryStore(context);
  const { told, id } = await start({ store, recognizers: { one: hears } });
  const heard = (utterance: string, condition: string, draw: number) =>
    told
      .find((line) => line.startsWith(`${utterance} ${condition} ${draw} one`))
      ?.split(' ')
      .at(-1);
  assert.notEqual(heard('u1', 'noise', 0), heard('u1', 'noise', 1));
  assert.equal(heard('u1', 'clean', 0), heard('u1', 'clean', 1));
  assert.equal(store.spent(id).calls, 5 * 3);
});

test('what the filter takes for known and is not is asked all the same, and what is known is not asked again', async (context) => {
  const store = temporaryStore(context);
  const utterances = 700;
  const study: Study<unknown> = {
    ...everything([clean], 2, false),
    async *run(options, own) {
      const asking = everything([clean], 2, false).run(options, own);
      const { value, done } = await asking.next();
      assert.ok(!done);
      // Room for one key: 700 others have set nearly every bit of the filter.
      const finding = await asking.next(yield { ...value, size: 1 });
      assert.ok(finding.done);
      return finding.value;
    },
  };
  const { told, id } = await start({
    ...{ store, study, corpus: memoryCorpus(utterances, [], 0.001), recognizers: { one: hears } },
    setup: { clipCacheBytes: 1e6 },
  });
  const rows = [0, 500, 1000].flatMap((from) => store.answers(id, 0, { from, limit: 500 }));
  const keys = new Set<string>();
  const falselyKnown = rows.filter(({ key, twin }) => {
    const isNew = !keys.has(key);
    keys.add(key);
    return isNew && twin;
  });
  assert.ok(falselyKnown.length > utterances / 4, `${falselyKnown.length} collisions`);
  // The second draw of what leaves nothing to chance is the first.
  assert.equal(store.spent(id).calls, utterances);
  const heard = told.map((line) => line.split(' ').at(-1)!);
  assert.equal(heard.length, 2 * utterances);
  assert.equal(new Set(heard).size, utterances, 'each sound was heard by itself');
  assert.ok(heard.every((hash, place) => place % 2 === 0 || hash === heard[place - 1]));
});

test('how far the answers are read is told, and how long the rest takes', async (context) => {
  let now = 0;
  const clock = { ...systemClock, monotonicMs: () => (now += 600) };
  const { events } = await start({
    ...{ store: temporaryStore(context), recognizers: { one: hears }, study: everything([clean], 1, false) },
    ...{ corpus: memoryCorpus(600, [], 0.001), setup: { clock, clipCacheBytes: 1e6 } },
  });
  const told = events.filter((event) => event.type === 'computing');
  assert.deepEqual(
    told.map(({ study, what, share }) => [study, what, share]),
    [['everything', 'reading the answers', 500 / 600]],
  );
  // 500 of 600 took what passed since the first was asked for: a fifth of that is left.
  const { secondsLeft } = told[0]!;
  assert.ok(secondsLeft !== null && secondsLeft >= 0.1 && secondsLeft < 2, `${secondsLeft}`);
});

test('workers, concurrency, order of lanes and the size of the cache change nothing', async (context) => {
  const first = await start({ store: temporaryStore(context) });
  const others = [
    { setup: { workers: 1 } },
    { setup: { workers: 7, clipCacheBytes: 0 }, limits: { concurrency: 11 } },
    { limits: { concurrency: 1 }, recognizers: { one: { ...hears, delaySeconds: 0.002 }, other: hears } },
  ];
  for (const other of others) {
    assert.deepEqual((await start({ store: temporaryStore(context), ...other })).told, first.told);
  }
});

test('a second run asks nothing, a fresh one everything, and both find the same', async (context) => {
  const store = temporaryStore(context);
  const first = await start({ store });
  const second = await start({ store, mode: 'new' });
  assert.deepEqual(second.told, first.told);
  assert.equal(store.spent(second.id).calls, 0);
  const fresh = await start({ store, mode: 'fresh' });
  assert.deepEqual(fresh.told, first.told);
  assert.equal(store.spent(fresh.id).calls, store.spent(first.id).calls);
});

test('stopped anywhere and started again, a run ends as if it had not been stopped', async (context) => {
  const whole = await start({ store: temporaryStore(context) });
  const store = temporaryStore(context);
  const corpus = memoryCorpus(5);
  for (let stops = 0; stops < 6; stops++) {
    const stop = new AbortController();
    let asked = 0;
    const stopping: Corpus = {
      ...corpus,
      clip(utterance) {
        if (++asked === 2) stop.abort(new EarwitnessError('interrupted', 'stopped'));
        return corpus.clip(utterance);
      },
    };
    await start({ store, corpus: stopping, setup: { signal: stop.signal } }).catch((error: unknown) => {
      assert.ok(error instanceof EarwitnessError && error.code === 'interrupted', String(error));
    });
  }
  const resumed = await start({ store });
  assert.deepEqual(resumed.told, whole.told);
  assert.equal(store.runs().length, 1);
  assert.equal(store.spent(resumed.id).calls, 5 * 3 * 2, 'no stored answer was asked again');
});

test('a sound that cannot be read fails its trials with the sentence that says why, and the others go on', async (context) => {
  const { told } = await start({
    store: temporaryStore(context),
    corpus: memoryCorpus(3, ['u1']),
    recognizers: { one: hears },
  });
  const broken = told.filter((line) => line.startsWith('u1 '));
  assert.equal(broken.length, 8);
  for (const line of broken.filter((text) => text.includes(' one '))) {
    assert.match(line, /sound: u1: expected a sound, but it is broken$/);
  }
  assert.equal(told.filter((line) => line.includes('heard')).length, 8);
});

test('what can pass is asked again with waits, what cannot is not, and failures are final within the run', async (context) => {
  const store = temporaryStore(context);
  const clock = createManualClock(1_790_000_000_000);
  const failing = {
    ...hears,
    failures: [
      { match: { utterance: 'u0' }, kind: 'unavailable', times: 2, retryAfterSeconds: 90 },
      { match: { utterance: 'u1' }, kind: 'refused' },
      { match: { utterance: 'u2' }, kind: 'unavailable' },
    ],
  };
  const waits: EngineEvent[] = [];
  const on = (event: EngineEvent) => {
    if (event.type === 'waiting') waits.push(event);
  };
  const wanted = { store, recognizers: { one: failing }, study: everything([clean], 1), setup: { clock, on } };
  const running = start(wanted);
  let done = false;
  const ended = running.finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(10_000);
  }
  const { told, id } = await ended;
  assert.match(told.join('\n'), /u0 clean 0 one heard/);
  assert.match(told.join('\n'), /u1 clean 0 one refused/);
  assert.match(told.join('\n'), /u2 clean 0 one unavailable/);
  assert.equal(store.spent(id).calls, 3 + 1 + 3 + 1 + 1);
  assert.deepEqual(store.tally(id).failures, { refused: 1, unavailable: 1 });
  const wait = { type: 'waiting', recognizer: 'one', seconds: 90, why: 'the script says: unavailable' };
  assert.deepEqual(waits, [wait, wait]);

  const retried = await start({ ...wanted, recognizers: { one: hears }, mode: 'retry-failed', setup: {} });
  assert.equal(store.spent(retried.id).calls, 2);
  assert.equal(store.tally(retried.id).failed, 0);
});

test('a budget stops the run before it is exceeded, and raised it goes on', async (context) => {
  const store = temporaryStore(context);
  await assert.rejects(
    start({ store, setup: { budget: { calls: 7 } } }),
    (error) => error instanceof EarwitnessError && error.code === 'budget',
  );
  const id = store.runs()[0]!.id;
  assert.equal(store.spent(id).calls, 7);
  const resumed = await start({ store, setup: { budget: { calls: 30 } } });
  assert.equal(resumed.id, id);
  assert.equal(store.tally(id).answered, 40);
});

test('a study that asks something else than before is refused with what to do', async (context) => {
  const store = temporaryStore(context);
  const stop = new AbortController();
  await assert.rejects(
    start({
      store,
      setup: {
        signal: stop.signal,
        on: (event) => event.type === 'progress' && stop.abort(new EarwitnessError('interrupted', 'stopped')),
      },
    }),
  );
  await assert.rejects(
    start({ store, study: everything([clean], 1) }),
    (error) => error instanceof EarwitnessError && error.code === 'run-differs' && /--new/.test(error.message),
  );
});

test('progress counts what recognizers are asked, never goes backwards and ends at the size', async (context) => {
  const { events } = await start({ store: temporaryStore(context), corpus: memoryCorpus(40) });
  const progress = events.filter((event) => event.type === 'progress' && event.of === 'trials') as Progress[];
  progress.slice(1).forEach((event, index) => {
    assert.ok(event.answered >= progress[index]!.answered);
  });
  // Clean and noise in two draws each, by two recognizers; the sounds that are measured beside are no trials.
  assert.deepEqual([progress.at(-1)!.answered, progress.at(-1)!.size], [40 * 2 * 2 * 2, 40 * 2 * 2 * 2]);
  assert.equal(
    events.findLast(({ type }) => type === 'progress'),
    progress.at(-1),
  );
});

test('no time left is told while nobody knows how long sounds take that are made slowly, and then no less than they do', async (context) => {
  let ms = 0;
  const events: EngineEvent[] = [];
  const slow: Perturbation = {
    ...(whiteNoise as unknown as Perturbation),
    costly: true,
    async apply(clip, _, { told }) {
      // Clean clips are answered meanwhile.
      while (events.filter(({ type }) => type === 'progress').length < 1) await setTimeout(1);
      for (let pass = 1; pass <= 3; pass++) told?.(pass, 3);
      return { clip: { ...clip, samples: clip.samples.slice() }, facts: {} };
    },
  };
  await start({
    ...{ store: temporaryStore(context), recognizers: { one: hears }, study: everything([clean, noise], 1, false) },
    // Whoever asks for the time makes it pass, so that nothing goes untold.
    setup: {
      perturbation: async (name) => (name === sampleRate.name ? (sampleRate as unknown as Perturbation) : slow),
      clock: { ...systemClock, monotonicMs: () => (ms += 200) },
      on: (event) => events.push(event),
    },
  });
  const first = events.findIndex(({ type }) => type === 'making');
  const before = events.slice(0, first).filter((event) => event.type === 'progress');
  assert.ok(before.length >= 1, `${before.length}`);
  assert.deepEqual(new Set(before.map(({ secondsLeft }) => secondsLeft)), new Set([null]));
  let making: number | null = null;
  for (const [place, event] of events.entries()) {
    if (event.type === 'making') making = event.secondsLeft;
    // Right after a pass nothing but that pass has moved the sounds on.
    if (event.type === 'progress' && events[place - 1]!.type === 'making' && making !== null) {
      assert.ok(event.secondsLeft === null || event.secondsLeft >= making, `${event.secondsLeft} and ${making}`);
    }
  }
  assert.equal(events.findLast((event) => event.type === 'progress')!.secondsLeft, 0);
});

test('two names for one recognizer ask each question once between them', async (context) => {
  const store = temporaryStore(context);
  const recognizers = { one: { ...hears, delaySeconds: 0.002 }, other: { ...hears, delaySeconds: 0.001 } };
  const named = (name: string): RecognizerSetup => ({
    name,
    identity: { engine: 'same' },
    epoch: null,
    input: 'sound',
    usesProcessor: false,
    mayCost: false,
    facts: {},
    pricePerMinute: null,
    vocabulary: null,
    limits,
  });
  const { id, told } = await start({
    store,
    recognizers,
    study: everything([clean], 1),
    setup: { recognizers: [named('one'), named('other')] },
  });
  assert.equal(told.length, 5 * 3);
  assert.equal(store.spent(id).calls, 5);
});

test('a recognizer that waits for its rate limit keeps the processor from nobody', {
  timeout: 10_000,
}, async (context) => {
  const store = temporaryStore(context);
  const stop = new AbortController();
  const named = (name: string, perHour: number): RecognizerSetup => ({
    name,
    identity: { engine: name },
    epoch: null,
    input: 'sound',
    usesProcessor: true,
    mayCost: false,
    facts: {},
    pricePerMinute: null,
    vocabulary: null,
    limits: { ...limits, rates: [{ calls: perHour, perSeconds: 3600 }] },
  });
  const executor = inProcessExecutor((name) => {
    assert.ok(name === 'slow' || name === 'quick');
    return scripted.open(scripted.options.parse(hears), services);
  }, systemClock);
  let quick = 0;
  await assert.rejects(
    start({
      store,
      study: everything([clean], 1),
      setup: {
        recognizers: [named('slow', 1), named('quick', 1000)],
        workers: 1,
        signal: stop.signal,
        executor: {
          async run(job, clip, signal) {
            const outcome = await executor.run(job, clip, signal);
            if (job.recognizer === 'quick' && ++quick === 5) {
              stop.abort(new EarwitnessError('interrupted', 'all of the quick one'));
            }
            return outcome;
          },
          close: executor.close,
        },
      },
    }),
    /all of the quick one/,
  );
});

test('a sound that is replaced while the run goes on is not answered for under the key of the old one', async (context) => {
  const store = temporaryStore(context);
  const corpus = memoryCorpus(2);
  let planned = false;
  const changing: Corpus = {
    ...corpus,
    soundIdentity: async ({ id }) => ({ memory: planned && id === 'u1' ? 'another' : id }),
  };
  const { told } = await start({
    store,
    corpus: changing,
    recognizers: { one: hears },
    study: everything([clean, noise], 1),
    setup: {
      on: (event) => {
        planned ||= event.type === 'planned';
      },
    },
  });
  const changed = told.filter((line) => line.startsWith('u1 ') && line.includes(' one '));
  assert.equal(changed.length, 2);
  for (const line of changed) assert.match(line, /sound: .*has changed since/);
  assert.equal(told.filter((line) => line.includes('heard')).length, 2);
});

test("a module of the user's own draws the same noise wherever its file lies", async (context) => {
  const heard: string[] = [];
  for (const path of ['./noise.ts', '/elsewhere/noise.ts']) {
    const moved: Condition = { ...noise, steps: [{ ...noise.steps[0]!, perturbation: path }] };
    const { told } = await start({
      store: temporaryStore(context),
      recognizers: { one: hears },
      study: everything([moved], 1),
    });
    heard.push(told.join('\n'));
  }
  assert.equal(heard[0], heard[1]);
});

test('asking again what failed goes on where it was stopped', async (context) => {
  const store = temporaryStore(context);
  const failing = { ...hears, failures: [{ match: { utterance: 'u1' }, kind: 'refused' }] };
  await start({ store, recognizers: { one: failing } });
  const stop = new AbortController();
  stop.abort(new EarwitnessError('interrupted', 'stopped'));
  const again = { store, recognizers: { one: hears }, mode: 'retry-failed' } as const;
  await assert.rejects(start({ ...again, setup: { signal: stop.signal } }), /stopped/);
  await start(again);
  assert.equal(store.runs().length, 2);
});

test('before the rest is asked, a recognizer that hangs is waited for once a trial, however often it may be called', async (context) => {
  const store = temporaryStore(context);
  const hangs = { one: { needsAudio: true, default: 'heard', failures: [{ how: 'hang' }] } };
  await assert.rejects(start({ store, recognizers: hangs, limits: { timeLimitSeconds: 0.05, attempts: 4 } }), {
    code: 'nothing-answered',
    message: /^one answered none of the first 3 trials \(timed out: no answer within 0\.05 s/,
  });
  assert.equal(store.spent(store.runs()[0]!.id).calls, 3);
});

test('a long sound may take ten times its length to be answered, a short one 300 s, and any as long as is said', async (context) => {
  const longest = async (seconds: number, limits: Partial<RecognizerSetup['limits']>) => {
    const limited: number[] = [];
    const inProcess = inProcessExecutor(() => scripted.open(scripted.options.parse(hears), services), systemClock);
    await start({
      store: temporaryStore(context),
      recognizers: { one: hears },
      corpus: memoryCorpus(1, [], seconds),
      study: everything([clean], 1),
      limits,
      setup: {
        clipCacheBytes: 1e9,
        executor: {
          ...inProcess,
          run: (job, clip, signal) => {
            limited.push(job.timeLimitSeconds);
            return inProcess.run(job, clip, signal);
          },
        },
      },
    });
    return limited;
  };
  assert.deepEqual(await longest(20, { timeLimitSeconds: null }), [300]);
  assert.deepEqual(await longest(400, { timeLimitSeconds: null }), [4000]);
  assert.deepEqual(await longest(400, { timeLimitSeconds: 7 }), [7]);
});

/** An executor that gives each call to one function. */
function executorOf(outcome: () => Outcome): Executor {
  return { ...inProcessExecutor(async () => assert.fail(), systemClock), run: async () => outcome() };
}

test('a trial that kills its engine is asked twice, however many calls a failure may have', async (context) => {
  const store = temporaryStore(context);
  let calls = 0;
  const executor = executorOf(() => {
    calls++;
    return { seconds: 0.1, failure: { kind: 'crash', message: 'gone' }, retryable: true };
  });
  const { told } = await start({
    ...{ store, recognizers: { one: hears }, corpus: memoryCorpus(1), study: everything([clean], 1, false) },
    ...{ limits: { attempts: 5 }, setup: { executor, preflight: false } },
  });
  assert.deepEqual([calls, told], [2, ['u0 clean 0 one crash: gone']]);
});

test('audio that nobody heard is not counted against the budget', async (context) => {
  const store = temporaryStore(context);
  const executor = executorOf(() => ({
    ...{ seconds: 0, failure: { kind: 'refused', message: 'no' }, retryable: false, unheard: true },
  }));
  // Three clips of a tenth of a second, one after another: at most one and a half at once.
  const { told } = await start({
    ...{ store, recognizers: { one: hears }, corpus: memoryCorpus(3), study: everything([clean], 1, false) },
    ...{ limits: { concurrency: 1 }, setup: { executor, preflight: false, budget: { audioMinutes: 0.15 / 60 } } },
  });
  assert.deepEqual(
    told,
    ['u0', 'u1', 'u2'].map((id) => `${id} clean 0 one refused: no`),
  );
});
