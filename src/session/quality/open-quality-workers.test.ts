import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addedQualityStudy, openMeasures } from './open-measures.ts';
import { openQualityWorkers } from './open-quality-workers.ts';

const measure = (type: string, options = {}) => ({ type, options, moduleHash: null });
const toneOf = (step: number) => ({
  samples: Float32Array.from({ length: 16_000 }, (_, n) => 0.1 * Math.sin(n * step) + 0.02 * Math.sin(n * 0.71)),
  sampleRate: 16_000,
});

test('Two threads say what one says, whatever is under way beside it.', async () => {
  const measures = [measure('snr'), measure('clipped-share')];
  const workers = await openQualityWorkers({ measures, baseFolder: '.' }, 2);
  await using here = await openMeasures(measures, '.');
  try {
    assert.deepEqual(workers.measures, here.measures);
    const clips = [0.1, 0.2, 0.3, 0.4].map(toneOf);
    const names = ['snr', 'clipped-share'];
    const answers = await Promise.all(clips.map((clip) => workers.measure(names, clip, toneOf(0.1))));
    for (const [index, clip] of clips.entries()) {
      assert.deepEqual(answers[index], await here.measure(names, clip, toneOf(0.1)));
    }
    const without = await workers.measure(['clipped-share', 'snr'], clips[0]!, { reason: 'time was changed' });
    assert.deepEqual(without, [
      { values: { clippedShare: 0 } },
      { values: { snrDb: null }, reason: 'time was changed' },
    ]);
  } finally {
    await workers.close();
  }
  await assert.rejects(workers.measure(['snr'], toneOf(0.1), toneOf(0.1)), /closed/);
});

test('A measure that cannot be opened is told before anything is asked.', async () => {
  const missing = { measures: [measure('pesq', { program: 'nowhere' })], baseFolder: '.' };
  await assert.rejects(openQualityWorkers(missing, 1), { code: 'missing-program' });
  await assert.rejects(openMeasures([measure('snr'), measure('snr')], '.'), {
    code: 'bad-config',
    message: /snr twice/,
  });
});

test('What other studies ask about is measured, each condition once, unless a study of quality is there.', () => {
  const steps = [{ perturbation: 'gain', parameters: { factor: 2 } }];
  const ladder = {
    name: 'own',
    about: '',
    source: '',
    families: [{ name: 'f', about: '', axis: '', rungs: [{ label: '2', steps }] }],
  };
  const studies = [
    measure('robustness', { conditions: ['own/f', 'clean', { name: 'mine', steps }] }),
    measure('other', { conditions: ['own/f:1', 7, { unlike: true }] }),
    measure('corpus'),
  ];
  const quality = [measure('snr')];
  assert.deepEqual(addedQualityStudy({ quality, studies }, [ladder])?.options.conditions, [
    { name: 'own/f:1', steps, rung: { family: 'own/f', rank: 1, label: '2' } },
    { name: 'mine', steps },
  ]);
  assert.equal(addedQualityStudy({ quality, studies: [measure('sound-quality')] }, []), null);
  assert.equal(addedQualityStudy({ studies }, [ladder]), null);
});
