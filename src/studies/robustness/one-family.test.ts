import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { comparisonAt } from '../../model/finding-rows.ts';
import type { Utterance } from '../../model/utterance.ts';
import {
  failedWith,
  inventedContext,
  inventedRun,
  near,
  recognizerNamed,
  rowOf,
  rowsOf,
  spoken,
  withErrors,
} from '../shared/testing/testing.ts';
import { robustness } from './robustness.ts';

const words = Array.from({ length: 10 }, (_, place) => `word${'abcdefghij'[place]}`).join(' ');
const nine = Array.from({ length: 9 }, (_, place) => recognizerNamed(`r${place + 1}`));
const conditions = [
  { name: 'hall', steps: [{ perturbation: 'gain', parameters: { factor: 0.5 } }] },
  { name: 'street', steps: [{ perturbation: 'gain', parameters: { factor: 0.4 } }] },
];

/** Women and men by turns. */
function speakers(count: number): Utterance[] {
  return Array.from({ length: count }, (_, place) =>
    spoken(`s${place}`, words, {
      language: 'en',
      speaker: `s${place}`,
      attributes: { sex: place % 2 === 0 ? 'female' : 'male' },
    }),
  );
}

/** Errors of a trial by the dice alone. */
const dice = (...about: readonly unknown[]) => Math.floor(5 * createRandom(JSON.stringify(about)).next());

test('Gaps between groups are tested for every recognizer, all of them together: among nine alike, one that stands out by chance is not told.', async () => {
  let found = 0;
  const worlds = 20;
  for (let world = 0; world < worlds; world++) {
    const finding = await inventedRun(
      robustness,
      { conditions: [], resamples: 100 },
      inventedContext(speakers(24), nine),
      ({ utterance, recognizer }) => withErrors(words, dice(world, utterance.id, recognizer)),
    );
    const gaps = rowsOf(finding, 'robustness-gaps');
    assert.deepEqual(new Set(gaps.map(({ recognizer }) => recognizer)), new Set(nine.map(({ name }) => name)));
    if (gaps.some(({ verdict }) => verdict !== 'cannot tell')) found++;
  }
  // A binomial of 20 worlds and .05 is above 3 in 1.6 % of such tests; these dice are fixed.
  assert.ok(found <= 3, `${found} of ${worlds} worlds`);
});

test('A gap of a recognizer that does not lead is told, and stands in the answer.', async () => {
  const finding = await inventedRun(
    robustness,
    { conditions: [], resamples: 100 },
    inventedContext(speakers(24), nine),
    ({ utterance, recognizer }) =>
      withErrors(
        words,
        Math.min(
          9,
          dice(utterance.id, recognizer) + (recognizer === 'r7' && utterance.attributes.sex === 'male' ? 5 : 0),
        ),
      ),
  );
  const told = rowsOf(finding, 'robustness-gaps').filter(({ verdict }) => verdict === 'worse');
  assert.deepEqual(
    told.map(({ recognizer, group, comparedWith }) => [recognizer, group, comparedWith]),
    [['r7', 'male', 'female']],
  );
  const gap = finding.answer.find(({ text }) => text.startsWith('r7, ') && text.includes(': male is '));
  assert.equal(gap?.comparison?.adjustedPValue, told[0]!.adjustedPValue);
});

test('The pooled rate counts every trial alike, clean audio among them, and its differences rest on what both answered.', async () => {
  const finding = await inventedRun(
    robustness,
    { conditions, resamples: 100 },
    inventedContext(speakers(12), nine.slice(0, 2)),
    ({ utterance, recognizer, condition: { name } }) => {
      if (recognizer === 'r2' && utterance.id === 's3' && name === 'hall') return failedWith('timeout');
      return withErrors(words, (recognizer === 'r1' ? 1 : 2) + (name === 'clean' ? 0 : name === 'hall' ? 2 : 4));
    },
  );
  const pooled = rowsOf(finding, 'robustness-pooled');
  // r1: 12 utterances of ten words with 1, 3 and 5 errors. r2: 2, 4 and 6, one of the four missing.
  near(pooled[0]!.wordErrorRate, (12 * 9) / 360);
  near(pooled[1]!.wordErrorRate, (12 * 12 - 4) / 350);
  const table = 'robustness-level-comparisons';
  const { difference } = comparisonAt(rowOf(finding, table, { measure: 'pooled word error rate' }), 'difference');
  near(difference.value, (12 * 12 - 4) / 350 - (12 * 9 - 3) / 350);
  assert.deepEqual([difference.n.pairs, difference.n.utterances, difference.n.speakers], [35, 12, 12]);
  // The mean over the two scenarios has another name and is another number.
  assert.ok(rowOf(finding, table, { measure: 'mean word error rate' }));
  const overall = finding.answer.find(({ text }) => text.includes('over all 2 scenarios'));
  assert.match(overall!.text, /% mean WER over all 2 scenarios/);
});

test('A pair that the config names is a family of its own, and costs less; a name that is none is refused.', async () => {
  const adjusted = async (pairs: readonly (readonly string[])[]) => {
    const finding = await inventedRun(
      robustness,
      { conditions, pairs, resamples: 100 },
      inventedContext(speakers(24), nine),
      ({ utterance, recognizer, condition: { name } }) =>
        withErrors(
          words,
          dice(utterance.id, recognizer, name) + (recognizer === 'r8' && dice(utterance.id) > 1 ? 2 : 0),
        ),
    );
    const wanted = { condition: 'clean', group: 'everybody', recognizer: 'r8', comparedWith: 'r1' };
    const found = comparisonAt(rowOf(finding, 'robustness-comparisons', wanted), 'difference');
    const text = finding.sections.find(({ id }) => id === 'robustness-comparisons')!.text![0]!;
    return { found, text };
  };
  const among = await adjusted([]);
  const fixed = await adjusted([['r8', 'r1']]);
  assert.equal(fixed.found.pValue, among.found.pValue);
  assert.ok(
    among.found.adjustedPValue! > 2 * fixed.found.adjustedPValue!,
    `${among.found.adjustedPValue} beside ${fixed.found.adjustedPValue}`,
  );
  assert.match(fixed.text, /pairs that the config names, on clean audio and over all scenarios \(4\)/);
  assert.doesNotMatch(among.text, /pairs that the config names/);
  const options = (pairs: readonly (readonly string[])[]) => robustness.options.parse({ conditions: [], pairs });
  const context = inventedContext(speakers(12), nine.slice(0, 2));
  await assert.rejects(
    robustness.check!(options([['r1', 'r3']]), context),
    /pairs: expected two of the recognizers in each \(r1 and r2\), but got "r3"/,
  );
  await assert.rejects(robustness.check!(options([['r1', 'r1']]), context), /but got "r1" twice/);
});
