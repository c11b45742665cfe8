import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleHash } from '../../audio/clip-measurement.ts';
import type { Corpus } from '../../corpora/contract.ts';
import { createClipMaker } from '../../engine/clips.ts';
import { createConditionBook } from '../../engine/conditions.ts';
import { soundHash } from '../../engine/keys.ts';
import type { Condition } from '../../model/trial.ts';
import { pgd } from '../../perturbations/pgd/pgd.ts';
import { keptSoundFiles, keptSounds } from './kept-sounds.ts';

const samples = Float32Array.from({ length: 800 }, (_, n) => 0.3 * Math.sin(n / 9));
const identity = { sine: 9 };
const utterance = { id: 'u', reference: 'yes', language: 'en', attributes: {}, tags: [] };
const corpus: Corpus = {
  async *utterances() {},
  soundIdentity: async () => identity,
  clip: async () => ({ samples, sampleRate: 16_000 }),
  async close() {},
};
const condition: Condition = {
  name: 'attack',
  steps: [{ perturbation: 'pgd', parameters: { source: 'linear', snrDb: 20, steps: 12 } }],
};
const nothing = { conditions: () => [], addCondition() {}, saveClip() {} };

/** Clips of a maker that has nothing in memory, with the number of times that a gradient was asked for. */
async function maker(folder: string, seed: number, failAfter = Number.POSITIVE_INFINITY) {
  const counts = { asked: 0 };
  const assets = {
    sounds: () => Promise.reject(),
    codec: () => Promise.reject(),
    attacked: async () => ({
      identity: { linear: 1 },
      recognize: () => Promise.reject(),
      gradient: async () => ({
        sampleRate: 16_000,
        async loss(heard: Float32Array) {
          if (++counts.asked > failAfter) throw new Error('killed');
          const gradient = heard.map((_, n) => Math.cos(n));
          return { loss: heard.reduce((sum, sample, n) => sum + sample * gradient[n]!, 0), gradient };
        },
        agreement: async () => null,
        async close() {},
      }),
    }),
  };
  const book = createConditionBook(nothing, '', async () => pgd as never, assets);
  const clips = createClipMaker({
    ...{ store: nothing, corpus, seed, cacheBytes: 0, keepChanged: false, save: false },
    kept: keptSounds(folder),
  });
  const ready = await book.ready(condition);
  return { counts, make: () => clips.make(utterance, ready, 0) };
}

test('what took long to make is made once, goes on where it was stopped, and is made again where its file is damaged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kept-sounds-'));
  try {
    const stopped = await maker(folder, 1, 7);
    await assert.rejects(stopped.make(), /killed/);
    const sound = soundHash(identity);
    assert.match(keptSoundFiles(folder, sound).join(), /[0-9a-f]{64}-0\.part$/);
    const first = await maker(folder, 1);
    const made = await first.make();
    // Twelve steps and a look at the end, less the five that were kept.
    assert.equal(first.counts.asked, 8);
    const [file, ...others] = keptSoundFiles(folder, sound);
    assert.deepEqual(others, []);
    assert.match(file!, new RegExp(`${sound}/${made.hash}\\.sound$`));

    const again = await maker(folder, 1);
    const kept = await again.make();
    assert.equal(again.counts.asked, 0);
    assert.equal(kept.measurement.sampleHash, made.measurement.sampleHash);
    assert.deepEqual(kept.measurement.facts, made.measurement.facts);
    assert.equal(sampleHash(kept.clip), sampleHash(made.clip));

    const otherSeed = await maker(folder, 2);
    assert.notEqual((await otherSeed.make()).hash, made.hash);
    assert.equal(otherSeed.counts.asked, 13);

    const bytes = readFileSync(file!);
    for (const damaged of [bytes.subarray(0, -4), bytes.with(bytes.length - 3, bytes.at(-3)! ^ 1), Buffer.from('{')]) {
      writeFileSync(file!, damaged);
      const mended = await maker(folder, 1);
      assert.equal((await mended.make()).measurement.sampleHash, made.measurement.sampleHash);
      assert.equal(mended.counts.asked, 13);
      assert.deepEqual(readFileSync(file!), bytes);
    }
    assert.deepEqual(keptSoundFiles(folder, 'a'.repeat(64)), []);
    assert.deepEqual(readdirSync(folder), [sound.slice(0, 2)]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('What cannot be kept is said in one sentence, and leaves nothing behind.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earwitness-kept-'));
  try {
    writeFileSync(join(folder, 'made'), 'a file');
    const { make } = await maker(join(folder, 'made'), 1);
    await assert.rejects(make(), {
      name: 'EarwitnessError',
      code: 'store',
      message:
        /made: 0\.0 MB of audio that took long to make cannot be kept there \(a file stands where a folder should be\)/,
    });
    assert.deepEqual(readdirSync(folder), ['made']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
