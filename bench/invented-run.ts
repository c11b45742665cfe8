// A run over invented clips of one second in memory, with `scripted` recognizers that are given the sound.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clip } from '../src/audio/clip.ts';
import { systemClock } from '../src/base/clock.ts';
import { createRandom } from '../src/base/random.ts';
import type { Corpus } from '../src/corpora/contract.ts';
import { inProcessExecutor } from '../src/engine/executors/executors.ts';
import { openRun } from '../src/engine/open-run.ts';
import { runStudies } from '../src/engine/run-studies.ts';
import type { RecognizerSetup } from '../src/engine/setup.ts';
import type { Perturbation } from '../src/perturbations/contract.ts';
import { gain } from '../src/perturbations/gain/gain.ts';
import { sampleRate } from '../src/perturbations/sample-rate/sample-rate.ts';
import { queueExecutor } from '../src/queue/queue-executor.ts';
import { scripted } from '../src/recognizers/scripted/scripted.ts';
import { renderJson } from '../src/report/json/render-json.ts';
import { queuedAtOnce } from '../src/session/open/describe-recognizers.ts';
import { renderHtml } from '../src/session/render-html.ts';
import { reportOf } from '../src/session/stored/report-of.ts';
import { openStore } from '../src/store/open-store.ts';
import { robustness } from '../src/studies/robustness/robustness.ts';

export interface InventedRun {
  readonly utterances: number;
  readonly speakers: number;
  /** Rungs of gain beside the clean sound. */
  readonly conditions: number;
  readonly recognizers: number;
  readonly repeats: number;
}

const wordsPerUtterance = 10;
const never = new AbortController().signal;
const services = { baseFolder: '.', environment: () => undefined, fileHash: async () => '' };

/**
 * Runs it twice on one store: the first run asks, the second finds everything answered.
 *
 * @param server the address of an empty database; a file that is removed if absent
 * @param queued whether others make its calls, those of `identityOf`
 */
export async function measureInventedRun(shape: InventedRun, twice = false, server?: string, queued = false) {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-bench-'));
  try {
    const place = server ?? join(folder, 'store.sqlite');
    const first = await runOnce(shape, place, queued);
    return { first, second: twice ? await runOnce(shape, place, queued) : null };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const identityOf = (index: number) => ({ engine: 'scripted', index });

async function runOnce(shape: InventedRun, place: string, queued: boolean) {
  const started = performance.now();
  using store = openStore(place);
  const options = scripted.options.parse({ needsAudio: true, rule: 'echo-id', concurrency: 64 });
  const recognizers = Array.from(
    { length: shape.recognizers },
    (_, index): RecognizerSetup => ({
      name: `r${index}`,
      identity: identityOf(index),
      epoch: null,
      input: 'sound',
      usesProcessor: false,
      mayCost: false,
      facts: {},
      pricePerMinute: null,
      vocabulary: null,
      limits: {
        concurrency: queued ? queuedAtOnce : 64,
        rates: [],
        attempts: 3,
        timeLimitSeconds: 60,
        openTimeLimitSeconds: 60,
      },
    }),
  );
  const run = openRun(
    store,
    {
      name: 'invented',
      purpose: 'bench',
      config: {},
      seed: 1,
      recognizers: recognizers.map(({ name, identity }) => ({ name, identity, pinned: true, epoch: null })),
    },
    'new',
    systemClock,
  );
  const executor = queued
    ? queueExecutor(place, new Map(recognizers.map(({ name, identity }) => [name, { identity, mayCost: false }])), null)
    : inProcessExecutor(() => scripted.open(options, services), systemClock);
  const findings = await runStudies({
    store,
    runId: run.id,
    seed: 1,
    corpus: inventedCorpus(shape),
    recognizers,
    studies: [{ study: robustness as never, options: robustnessOptions(shape) }],
    ladders: [],
    perturbation: async (name) => (name === gain.name ? gain : sampleRate) as unknown as Perturbation,
    assets: {
      sounds: () => Promise.reject(new Error('nothing here needs sounds')),
      codec: () => Promise.reject(new Error('nothing here needs codecs')),
    },
    executor,
    preflight: true,
    budget: {},
    workers: 2,
    clipCacheBytes: 32 * 2 ** 20,
    clock: systemClock,
    on: () => {},
    signal: never,
    abort: never,
  });
  const tally = store.tally(run.id);
  const report = reportOf(store, store.run(run.id)!, findings, [], null);
  const bytes = renderHtml(report, { transcripts: true, sound: false }).length + renderJson(report).length;
  await executor.close();
  return {
    seconds: (performance.now() - started) / 1000,
    trials: tally.trials,
    reused: tally.reused,
    reportBytes: bytes,
  };
}

function robustnessOptions({ conditions, repeats }: InventedRun): unknown {
  return robustness.options.parse({
    repeats,
    conditions: Array.from({ length: conditions }, (_, index) => ({
      name: `gain ${index + 1}`,
      steps: [{ perturbation: 'gain', parameters: { factor: 1 / (index + 2) } }],
    })),
  });
}

function inventedCorpus({ utterances, speakers }: InventedRun): Corpus {
  const random = createRandom('invented clips');
  const samples = Float32Array.from({ length: 16_000 }, () => random.next() - 0.5);
  const clip: Clip = { samples, sampleRate: 16_000 };
  return {
    async *utterances() {
      for (let index = 0; index < utterances; index++) {
        yield {
          id: `u${index}`,
          sound: { file: `memory ${index}` },
          reference: Array.from({ length: wordsPerUtterance }, (_, word) => `w${(index * 7 + word) % 997}`).join(' '),
          language: 'en',
          speaker: `s${index % speakers}`,
          attributes: { sex: index % 2 ? 'F' : 'M' },
          tags: [],
        };
      }
    },
    soundIdentity: async ({ id }) => ({ memory: id }),
    clip: async () => clip,
    close: async () => {},
  };
}
