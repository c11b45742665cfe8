import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { PlainSummary } from '../../model/finding.ts';
import type { Trial } from '../../model/trial.ts';
import { inventedContext, inventedRun, recognizerNamed, spoken, withErrors } from '../shared/testing/testing.ts';
import { degradation } from './degradation.ts';

// Twenty words a sentence; what a disturbance costs whom is invented, so what may be said of it is known.
const reference = Array.from({ length: 20 }, (_, place) => `word${place}`).join(' ');
const hiss = { name: 'hiss', steps: [{ perturbation: 'gain', parameters: { gainDb: -1 } }] };
const silence = { name: 'silence', steps: [{ perturbation: 'gain', parameters: { gainDb: -90 } }] };

async function summary(speakers: number, extra: number): Promise<PlainSummary> {
  const utterances = Array.from({ length: 2 * speakers }, (_, place) =>
    spoken(`u${place}`, reference, {
      speaker: `s${place >> 1}`,
      attributes: { sex: (place >> 1) % 2 === 0 ? 'female' : 'male' },
    }),
  );
  const errors = ({ utterance, condition, recognizer }: Trial) => {
    if (condition.name === 'silence') return 20;
    const own = createRandom(['errors', utterance.id, recognizer, condition.name]).integer(2);
    return condition.name === 'hiss' ? own + 2 + (utterance.attributes.sex === 'female' ? extra : 0) : own;
  };
  const options = { conditions: [hiss, silence], groupBy: ['sex'], resamples: 200, permutations: 1000 };
  const context = inventedContext(utterances, [recognizerNamed('one')]);
  const finding = await inventedRun(degradation, options, context, (trial) => withErrors(reference, errors(trial)));
  return finding.plain!;
}

test('who loses more is said in mistakes of a hundred words with the range, and what was left out', async () => {
  const plain = await summary(24, 6);
  // Men lose 2 of 20 words, women 8: 10 and 40 of a hundred, 30 between them.
  const [claim] = plain.found;
  const told =
    /^Perturbed audio costs sex male less than sex female, counted in mistakes: (\d+\.\d) more in 100 words than without disturbance, for sex female (\d+\.\d) more; very likely between (\d+\.\d) and (\d+\.\d) fewer mistakes in 100 words\.$/.exec(
      claim!.text,
    );
  assert.ok(told, claim!.text);
  const [, male, female, near, far] = told.map(Number);
  assert.ok(Math.abs(male! - 10) < 3 && Math.abs(female! - 40) < 3);
  assert.ok(near! < 30 && far! > 30);
  assert.match(plain.howSure.join(' '), /There was 1 comparison of mistakes; the more/);
  assert.match(plain.doesNotShow.join(' '), /left out: for mistakes silence\. Where nearly everything is lost/);
  assert.match(plain.doesNotShow.join(' '), /Who has more mistakes to begin with/);
});

test('groups that lose alike are said to be open, with all that remains possible', async () => {
  const [claim] = (await summary(24, 0)).found;
  assert.equal(claim!.verdict, 'cannot tell');
  assert.match(
    claim!.text,
    /^We cannot tell whether perturbed audio costs sex male more or less than sex female, counted in mistakes: these recordings fit anything from .* fewer to .* more mistakes in 100 words\.$/,
  );
});

test('of groups that are too small nothing is said but that they are', async () => {
  const plain = await summary(8, 8);
  assert.ok(plain.found.every(({ verdict }) => verdict === 'cannot tell'));
  assert.match(plain.doesNotShow[0]!, /^Both groups are too small \(fewer than 10 people\)/);
});
