import assert from 'node:assert/strict';
import { test } from 'node:test';
import { srb } from '../../perturbations/ladders/srb.ts';
import {
  inventedContext,
  inventedRun,
  measuredClip,
  near,
  type OtherInvention,
  recognizerNamed,
  rowOf,
  spoken,
} from '../shared/testing/testing.ts';
import { robustness } from './robustness.ts';

const text = 'a red dog ran over the low wall at noon';
/** Two corpora, of which the files of one have another rate. */
const utterances = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((id) => {
  const attributes = { corpus: id.startsWith('a') ? 'librispeech' : 'calls' };
  return spoken(id, text, { language: 'en', speaker: id, sound: { file: `${id}.wav` }, attributes });
});

/** Four words of ten are wrong in every condition but clean. */
async function run(options: object, clipOf: (id: string) => { sampleRate: number; bandwidthHz?: number }) {
  const measure: OtherInvention = (question) => {
    assert.ok(question.ask === 'measurement' && question.condition.name === 'clean');
    const { sampleRate, bandwidthHz } = clipOf(question.utterance.id);
    const quality =
      question.quality === undefined ? {} : { bandwidth: { values: { bandwidthHz: bandwidthHz ?? null } } };
    return { ...question, measurement: { ...measuredClip(quality), sampleRate } };
  };
  const bandwidth = { name: 'bandwidth', values: { bandwidthHz: 'highest' }, needsClean: false };
  const quality = clipOf('a1').bandwidthHz === undefined ? [] : [bandwidth];
  return inventedRun(
    robustness,
    { conditions: ['srb/bass:1', 'srb/gnoise:4'], minimumSpeakers: 2, resamples: 200, ...options },
    inventedContext(utterances, [recognizerNamed('r')], { ladders: [srb], quality }),
    ({ condition }) => (condition.name === 'clean' ? text : text.replace('a red dog ran', 'x x x x')),
    [],
    measure,
  );
}

const pointsIn = ({ sections }: Awaited<ReturnType<typeof run>>) =>
  sections
    .find(({ id }) => id === 'robustness-difficulties')!
    .tables![0]!.rows.map(({ condition, corpus, points, reason }) => [condition, corpus, points, reason ?? '']);

test('What rates are divided by stands in a table, whichever of the published ones it is.', async () => {
  const own = pointsIn(await run({}, () => ({ sampleRate: 16_000 })));
  assert.deepEqual(
    own.map(([condition, , points]) => [condition, points]),
    [
      ['srb/bass:1', 14.093],
      ['srb/bass:1', 14.093],
      ['srb/gnoise:4', 103.1935],
      ['srb/gnoise:4', 103.1935],
    ],
  );
  // Table 3 of the paper prints 18.3 and 100.9, over all of its corpora.
  const finding = await run({ difficulties: 'srb-table-3' }, () => ({ sampleRate: 44_100 }));
  assert.deepEqual([...new Set(pointsIn(finding).map(([, , points]) => points))], [18.3, 100.9]);
  near(rowOf(finding, 'robustness-families', { name: 'srb/bass' }).normalizedRate, 0.4 / 0.183);
});

test('Of clips with less sound than those of the benchmark the published points say nothing, and the reason stands there.', async () => {
  const bass = (finding: Awaited<ReturnType<typeof run>>) =>
    pointsIn(finding).filter(([condition]) => condition === 'srb/bass:1');
  const some = bass(await run({}, (id) => ({ sampleRate: id === 'b2' ? 8000 : 16_000 })));
  assert.deepEqual(
    some.map(([, corpus, points]) => [corpus, points]),
    [
      ['librispeech', 14.093],
      ['calls', null],
    ],
  );
  assert.match(
    String(some[1]![3]),
    /of clips with sound up to 8 kHz, and 1 of 3 clips have 8 kHz; with difficulties: measured/,
  );
  // Brought to 16 kHz by somebody before: only a measure of the sound shows it.
  const upsampled = bass(
    await run({}, (id) => ({ sampleRate: 16_000, bandwidthHz: id.startsWith('b') ? 3950 : 7600 })),
  );
  assert.deepEqual(
    upsampled.map(([, , points]) => points),
    [14.093, null],
  );
  assert.match(String(upsampled[1]![3]), /3 of 3 clips end below 4\.2 kHz/);
});

test('A scenario of the benchmark that a config makes at another rate has no published points.', async () => {
  const steps = [
    { perturbation: 'sample-rate', parameters: { rateHz: 8000 } },
    { perturbation: 'white-noise', parameters: { snrDb: 0 } },
  ];
  const rung = { family: 'srb/gnoise', rank: 4, label: '0 dB' };
  const finding = await run({ conditions: ['srb/bass:1', { name: 'mine', steps, rung }] }, () => ({
    sampleRate: 16_000,
  }));
  const [mine] = pointsIn(finding).filter(([condition]) => condition === 'mine');
  assert.equal(mine![2], null);
  assert.match(String(mine![3]), /at 16 kHz, and this is made at 8 kHz/);
});
