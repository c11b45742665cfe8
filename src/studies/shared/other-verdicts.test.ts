import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Finding } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import { fewReferences } from '../few-references/few-references.ts';
import { gapDecomposition } from '../gap-decomposition/gap-decomposition.ts';
import { otherVerdicts } from './other-verdicts.ts';
import { type Invention, inventedContext, inventedRun, recognizerNamed, spoken } from './testing/testing.ts';

const sentence = Array.from({ length: 20 }, (_, place) => `word${place}`);

/** Ten recordings each of 60 speakers, of which one in eight has a reference, of women too. */
const people: Utterance[] = Array.from({ length: 600 }, (_, place) => {
  const speaker = Math.floor(place / 10);
  return spoken(`u${place}`, createRandom(['some', place]).next() < 0.125 ? sentence.join(' ') : null, {
    speaker: `s${speaker}`,
    attributes: { sex: speaker % 3 === 0 ? 'female' : 'male' },
  });
});

const wrong = (count: number, by: string) => sentence.map((word, place) => (place < count ? by : word)).join(' ');

/** Women's recordings are a little harder for one, and two is hardly ever wrong: their distance tells of recordings that nobody transcribed. */
const says: Invention = ({ utterance: { id, attributes }, recognizer }) =>
  recognizer === 'one'
    ? wrong(createRandom(['hard', id]).integer(9) + (attributes.sex === 'female' ? 1 : 0), 'x')
    : wrong(createRandom(['two', id]).integer(2), 'y');

const pair = { attribute: 'sex', value: 'female', comparedWith: 'male', speakers: { group: 20, others: 40 } };

async function bothOf(order: readonly ('few' | 'gap')[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const one of order) {
    const engines = ['one', 'two'].map((name) => recognizerNamed(name));
    const context = inventedContext(people, engines, { findings });
    const options = { groupBy: ['sex'], reference: { sex: 'male' } };
    findings.push(
      one === 'few'
        ? await inventedRun(fewReferences, options, context, says)
        : await inventedRun(gapDecomposition, { ...options, causes: ['rarity'], equalize: [] }, context, says),
    );
  }
  return findings;
}

test('two studies that come to different verdicts on one gap say that they ask different questions', async () => {
  const [few, gap] = await bothOf(['few', 'gap']);
  // Over all recordings it is told, and in the few that have a reference it is not.
  const told = few!.answer.find(({ text }) => text.startsWith('one makes more errors for sex female'));
  assert.equal(told?.verdict, 'worse');
  assert.match(told!.text, /over all recordings, with a reference or without: /);
  assert.match(gap!.answer[0]!.text, /^None of 2 gaps in recordings with a reference is shown to be beyond chance/);
  const refers = ({ answer }: Finding) => answer.filter(({ text }) => text.includes('in the same report'));
  assert.deepEqual(
    refers(gap!).map(({ text }) => text),
    [
      'few-references, in the same report, asks another question: how large a gap is over all recordings, with a reference or without. It has a verdict where there is none here: one, sex female beside male. The two are of different recordings: neither verdict is that of the other.',
    ],
  );
  const [first, second] = await bothOf(['gap', 'few']);
  assert.deepEqual(refers(first!), []);
  assert.match(
    refers(second!)[0]!.text,
    /^gap-decomposition, in the same report, asks .* in recordings with a reference, .* It has no verdict where there is one here: one, sex female beside male\./,
  );
  const [alone] = await bothOf(['gap']);
  assert.deepEqual(refers(alone!), []);
  const gaps = [{ recognizer: 'one', pair: { ...pair, place: 0 }, comparison: told!.comparison! }];
  const [same] = otherVerdicts('few-references', gaps, [gap!], true);
  assert.match(same!.text, /All recordings have a reference, so both are of the same ones by different tests/);
});
