import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createManualClock } from '../../base/testing/manual-clock.ts';
import type { EngineEvent } from '../../engine/events.ts';
import { soundHash } from '../../engine/keys.ts';
import type { Utterance } from '../../model/utterance.ts';
import { toneCorpus } from '../testing/tone-speakers.ts';
import { createFitting, fitFilesOf } from './fitting.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-fitting-'));
after(() => rmSync(folder, { recursive: true }));
const clock = createManualClock();
const recipe = { perturbation: 'universal', version: 1 };
const choice = { speakers: ['s0', 's1'], clipsPerSpeaker: null };
const sound = { samples: Float32Array.of(0.1, -0.2, 0.3), sampleRate: 16_000, facts: { passes: 2 } };

const opened = (change?: (utterance: Utterance) => Utterance, changed = {}) =>
  createFitting({ corpus: toneCorpus(change), seed: 1, folder, clock, ...changed });
const identityOf = async (change?: (utterance: Utterance) => Utterance, other: object = {}, seed = 1) =>
  JSON.stringify((await opened(change, { seed })({ ...choice, ...other })).identity);

test('speakers are fitted on or tested, never both: as named, or as many as the share says, drawn by the seed', async () => {
  const chosen = async (speakers: number | readonly string[], seed = 1) => {
    const set = await opened(undefined, { seed })({ speakers, clipsPerSpeaker: 1 });
    assert.equal(set.clips.length, set.speakers.size);
    return [...set.speakers].sort().join(' ');
  };
  assert.equal(await chosen(['s3', 's1']), 's1 s3');
  assert.equal(await chosen(0.5), await chosen(0.5));
  assert.deepEqual(new Set(await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => chosen(0.5, seed)))).size > 1, true);
  for (const [share, count] of [
    [0.01, 1],
    [0.5, 2],
    [0.99, 3],
  ] as const) {
    assert.equal((await chosen(share)).split(' ').length, count);
  }
  await assert.rejects(chosen(['s1', 'sO']), /expected speakers of the run who have references, but there is no "sO"/);
  await assert.rejects(
    chosen(['s0', 's1', 's2', 's3']),
    /expected speakers besides those that are fitted on, but there are no others; name fewer/,
  );
  await assert.rejects(
    opened((utterance) => ({ ...utterance, speaker: 'one' }))(choice),
    /expected at least two speakers with references, .*, but there is only one; add some/,
  );
});

test('the key changes with a clip, a text and the seed, and not with names or with those who are only tested', async () => {
  const usual = await identityOf();
  const of = (speaker: string, change: (utterance: Utterance) => Partial<Utterance>) => (utterance: Utterance) =>
    utterance.speaker === speaker ? { ...utterance, ...change(utterance) } : utterance;
  assert.equal(await identityOf(of('s2', () => ({ reference: 'a', tags: ['other sound'] }))), usual);
  assert.notEqual(await identityOf(of('s1', () => ({ tags: ['other sound'] }))), usual);
  assert.notEqual(await identityOf(of('s1', () => ({ reference: 'a' }))), usual);
  assert.notEqual(await identityOf(of('s1', () => ({ language: 'de' }))), usual);
  assert.notEqual(await identityOf(undefined, {}, 2), usual);
  assert.notEqual(await identityOf(undefined, { clipsPerSpeaker: 1 }), usual);
  const renamed = (utterance: Utterance) => ({ ...utterance, speaker: utterance.speaker!.replace('s', 't') });
  assert.equal(await identityOf(renamed, { speakers: ['t0', 't1'] }), usual);
  assert.doesNotMatch(usual, /s0|s1|u\d/);
});

test('a fit is made once, also for those who ask meanwhile, says how far it is, and is kept for the next run', async () => {
  const events: EngineEvent[] = [];
  let made = 0;
  const set = await opened(undefined, { on: (event: EngineEvent) => events.push(event) })(choice);
  const make = () =>
    set.fit(recipe, async ({ told, checkpoint }) => {
      made++;
      assert.equal(await checkpoint.load(), null);
      told(1, 5);
      await clock.advance(2000);
      await checkpoint.save(Float64Array.of(1, 2));
      assert.deepEqual(await checkpoint.load(), Float64Array.of(1, 2));
      told(2, 5);
      return sound;
    });
  const [first, second] = await Promise.all([make(), make()]);
  assert.equal(first, second);
  assert.deepEqual(
    events.map((event) => event.type === 'fitting' && [event.passes, event.maxPasses, event.secondsLeft]),
    [
      [1, 5, null],
      [2, 5, 6],
    ],
  );
  const fit = async (given = recipe) =>
    (await opened()(choice)).fit(given, async () => {
      made++;
      return sound;
    });
  assert.deepEqual({ ...(await fit()) }, sound);
  assert.equal(made, 1);
  await fit({ ...recipe, version: 2 });
  assert.equal(made, 2);
  const files = readdirSync(join(folder, 'fits')).map((name) => join(folder, 'fits', name));
  assert.equal(files.length, 2);
  // What is damaged is made again.
  for (const file of files) {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1));
  }
  assert.deepEqual({ ...(await fit()) }, sound);
  assert.equal(made, 3);
});

test('what was fitted on a speaker is found to be forgotten, by name and by sound, finished or not', async () => {
  const own = join(folder, 'forgetting');
  const set = await opened(undefined, { folder: own })(choice);
  await set.fit(recipe, async () => sound);
  await assert.rejects(
    set.fit({ ...recipe, version: 2 }, async ({ checkpoint }) => {
      await checkpoint.save(Float64Array.of(1));
      throw new Error('killed');
    }),
    /killed/,
  );
  assert.equal(fitFilesOf(own, 's0', []).length, 2);
  assert.deepEqual(fitFilesOf(own, 's2', []), []);
  assert.equal(fitFilesOf(own, 'another name', [soundHash({ tones: 'u0' })]).length, 2);
  assert.deepEqual(fitFilesOf(own, 'another name', [soundHash({ tones: 'u2' })]), []);
  assert.deepEqual(fitFilesOf(join(folder, 'nowhere'), 's0', []), []);
});
