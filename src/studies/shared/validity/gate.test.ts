import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClipQuality, Condition } from '../../../model/trial.ts';
import { inventedContext, measuredClip, spoken } from '../testing/testing.ts';
import { createValidityGate } from './gate.ts';
import { type ValidityOption, validityOption } from './validity.ts';

const condition = (name: string): Condition => ({ name, steps: [{ perturbation: 'gain', parameters: {} }] });
const clean: Condition = { name: 'clean', steps: [] };
const [soft, loud] = [condition('soft'), condition('loud')];
const utterances = ['a', 'b', 'c', 'd'].map((id) => spoken(id, id, { speaker: id, sound: { file: `${id}.wav` } }));
const quality = [{ name: 'stoi', values: { stoi: 'x', other: 'y' }, needsClean: true }];
const context = inventedContext(utterances, [], { quality });
const options = { level: 0.95, resamples: 100, minimumSpeakers: 2 };

/** The value of each utterance in each condition; null has none. */
const values: Readonly<Record<string, Readonly<Record<string, number | null>>>> = {
  soft: { a: 0.9, b: 0.8, c: 0.2, d: null },
  loud: { a: 0.1, b: 0.2, c: 0.9, d: 0.3 },
};

async function judged(written: object) {
  const option: ValidityOption = validityOption.parse(written);
  const gate = createValidityGate(option, [clean, soft, loud], context);
  const asked: string[] = [];
  for await (const question of gate.questions(() => 1)) {
    assert.ok(question.ask === 'measurement');
    assert.deepEqual(question.quality, ['stoi']);
    const {
      utterance,
      condition: { name },
    } = question;
    asked.push(`${utterance.id} ${name}`);
    const value = values[name]![utterance.id] ?? null;
    const stoi: ClipQuality = { values: { stoi: value, other: 1 }, ...(value === null ? { reason: 'silent' } : {}) };
    gate.see({ ...question, measurement: measuredClip({ stoi }) });
  }
  const validity = gate.judge(options);
  const kept = [clean, soft, loud].map((one) =>
    utterances
      .filter((utterance) => validity.keeps(utterance, one, 0))
      .map(({ id }) => id)
      .join(''),
  );
  return { validity, kept, asked };
}

test('By condition, the mean of what has a value decides for all of it; clean audio is never asked about.', async () => {
  const { validity, kept, asked } = await judged({ measure: 'stoi', atLeast: 0.5 });
  assert.equal(asked.length, 8);
  assert.deepEqual(kept, ['abcd', 'abcd', '']);
  assert.deepEqual(
    validity.conditions.map(({ condition: name, kept: stays, cases, unjudged, excluded }) => [
      name,
      stays,
      cases,
      unjudged,
      excluded,
    ]),
    [
      ['soft', true, 4, 1, 0],
      ['loud', false, 4, 0, 4],
    ],
  );
  assert.ok(Math.abs(validity.conditions[0]!.mean.value! - 1.9 / 3) < 1e-12);
});

test('By case, each sound is judged by itself, and one without a value stays.', async () => {
  const { validity, kept } = await judged({ measure: 'stoi', value: 'stoi', atLeast: 0.25, per: 'case' });
  assert.deepEqual(kept, ['abcd', 'abd', 'cd']);
  assert.deepEqual(
    validity.conditions.map(({ excluded }) => excluded),
    [1, 2],
  );
});

test('A measure or value that is not there is refused with those that are.', () => {
  const gate = (written: object) => createValidityGate(validityOption.parse(written), [soft], context);
  assert.throws(() => gate({ measure: 'snr', atLeast: 0 }), /got "snr", and it names stoi/);
  assert.throws(() => gate({ measure: 'stoi', value: 'no', atLeast: 0 }), /stoi, other/);
});

test('Listeners decide by the unrounded mean, strictly above; scenarios they did not rate stay.', () => {
  const [scale, deepest, own] = [condition('aequevox/scale:3'), condition('aequevox/noise:5'), condition('own')];
  const kept = (comprehensibility: number) => {
    const { keeps } = createValidityGate(
      validityOption.parse({ comprehensibility }),
      [scale, deepest, own],
      context,
    ).judge(options);
    return [scale, deepest, own].map((one) => keeps({ id: 'a' }, one, 0));
  };
  assert.deepEqual(kept(7.2), [true, false, true]);
  assert.deepEqual(kept(7.204), [false, false, true]);
  assert.deepEqual(kept(1419 / 197), [false, false, true]);
});
