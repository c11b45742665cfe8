import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import type { Corpus } from '../corpora/contract.ts';
import type { Utterance } from '../model/utterance.ts';
import { srMt } from '../perturbations/ladders/sr-mt.ts';
import { sampleRate } from '../perturbations/sample-rate/sample-rate.ts';
import { listScenarios } from '../perturbations/scenarios.ts';
import { soundNoise } from '../perturbations/sound-noise/sound-noise.ts';
import type { Store } from '../store/contract.ts';
import { createClipMaker } from './clips.ts';
import { createConditionBook } from './conditions.ts';

const clip = { samples: Float32Array.from({ length: 16_000 }, (_, at) => Math.sin(at / 9) / 3), sampleRate: 16_000 };
const corpus = {
  soundIdentity: async ({ id }: Utterance) => ({ id }),
  clip: async () => clip,
} as unknown as Corpus;
const store = { conditions: () => [], addCondition() {}, saveClip() {} } as unknown as Store;

/** Twenty noises of ten seconds. */
const noises = {
  name: 'noisex-92',
  identity: { invented: 20 },
  sounds: Array.from({ length: 20 }, (_, index) => ({ name: `noise-${index}.wav`, facts: {} })),
  durationSeconds: async () => 10,
  async read(index: number, { startSeconds, endSeconds } = { startSeconds: 0, endSeconds: 10 }) {
    const random = createRandom({ index, startSeconds });
    const length = Math.round(16_000 * (endSeconds - startSeconds));
    return { samples: Float32Array.from({ length }, () => random.normal() / 10), sampleRate: 16_000 };
  },
};

test('sr-mt/noise: a clip has one noise from one place at all its SNRs, and clips have many', async () => {
  const members = { 'sound-noise': soundNoise, 'sample-rate': sampleRate } as Record<string, unknown>;
  const assets = { sounds: async () => noises, codec: () => Promise.reject(), attacked: () => Promise.reject() };
  const book = createConditionBook(store, '', async (name) => members[name] as never, assets as never);
  const clips = createClipMaker({ ...{ store, corpus, seed: 1, cacheBytes: 0, keepChanged: false, save: false } });
  const kinds = new Set<unknown>();
  for (let id = 0; id < 12; id++) {
    const utterance: Utterance = {
      id: `u${id}`,
      language: 'en',
      attributes: {},
      tags: [],
      sound: { file: `${id}.wav` },
    };
    const drawn = new Set<string>();
    const ratios: unknown[] = [];
    for (const { condition } of listScenarios([srMt])) {
      if (condition.rung.family !== 'sr-mt/noise') continue;
      const { measurement } = await clips.make(utterance, await book.ready(condition), 0);
      const { sound, startSeconds, askedSnrDb } = measurement.facts.at(-1)!;
      drawn.add(JSON.stringify([sound, startSeconds]));
      ratios.push(askedSnrDb);
      kinds.add(sound);
    }
    assert.deepEqual(ratios, [50, 30, 10, 0]);
    assert.equal(drawn.size, 1, [...drawn].join());
  }
  assert.ok(kinds.size > 4, [...kinds].join());
});
