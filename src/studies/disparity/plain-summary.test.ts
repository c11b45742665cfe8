import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { PlainSummary } from '../../model/finding.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  recognizerNamed,
  spoken,
  withErrors,
} from '../shared/testing/testing.ts';
import { disparity } from './disparity.ts';

// Twenty words a sentence; who makes how many mistakes is invented, so what may be said of it is known.
const reference = Array.from({ length: 20 }, (_, place) => `word${place}`).join(' ');
const noise = (trial: Trial) => createRandom(['errors', trial.utterance.id, trial.recognizer]).integer(3);
const isFemale = ({ utterance }: Trial) => utterance.attributes.sex === 'female';

function people(count: number, more: (place: number) => Partial<Utterance> = () => ({})): Utterance[] {
  return Array.from({ length: 2 * count }, (_, place) => {
    const speaker = place >> 1;
    const attributes = { sex: speaker % 2 === 0 ? 'female' : 'male' };
    return spoken(`u${place}`, reference, { speaker: `s${speaker}`, attributes, ...more(place) });
  });
}

async function summary(invent: Invention, utterances: readonly Utterance[]): Promise<PlainSummary> {
  const options = { attributes: ['sex'], resamples: 200, permutations: 1000, model: false };
  const finding = await inventedRun(disparity, options, inventedContext(utterances, [recognizerNamed('one')]), invent);
  return finding.plain!;
}

test('a gap is said in mistakes of a hundred words, with its range and the number of looks', async () => {
  const plain = await summary((trial) => withErrors(reference, noise(trial) + (isFemale(trial) ? 6 : 0)), people(24));
  const [claim] = plain.found;
  assert.equal(claim?.verdict, 'worse');
  // Women 6 + 1 of 20 words on average, everybody 3 + 1: 35 against 20 of a hundred, about 15 more.
  const told =
    /^one makes more mistakes for sex female than for everybody: 3\d\.\d in 100 words of 12 people, everybody (19|20|21)\.\d; very likely between (\d+\.\d) and (\d+\.\d) more mistakes in 100 words\.$/.exec(
      claim.text,
    );
  assert.ok(told, claim.text);
  assert.ok(Number(told[2]) < 15 && Number(told[3]) > 15);
  assert.match(plain.asked.join(' '), /by sex\. They were fixed before this study looked at any answer/);
  assert.match(plain.ofWhom.join(' '), /^24 people in 48 recordings\. People by sex: female 12 and male 12\./);
  assert.match(plain.howSure.join(' '), /There were 2 comparisons of groups with everybody; the more/);
  assert.match(plain.doesNotShow.join(' '), /not named here does not show that it has no more mistakes/);
});

test('without a gap nothing is claimed, neither a difference nor that there is none', async () => {
  const plain = await summary((trial) => withErrors(reference, noise(trial)), people(24));
  assert.equal(plain.found.length, 1);
  assert.equal(plain.found[0]!.verdict, 'cannot tell');
  assert.match(
    plain.found[0]!.text,
    /^We cannot tell whether any group gets more mistakes than everybody, or whether all get the same\. Up to \d+\.\d+ more mistakes in 100 words remain possible/,
  );
});

test('of too few people nothing is said, however large the gap', async () => {
  const plain = await summary((trial) => withErrors(reference, isFemale(trial) ? 15 : 0), people(8));
  assert.deepEqual(
    plain.found.map(({ verdict }) => verdict),
    ['cannot tell'],
  );
  assert.match(plain.found[0]!.text, /none has enough people/);
  assert.match(
    plain.doesNotShow[0]!,
    /^Both groups are too small \(fewer than 10 people\) or mixed: sex female and sex male/,
  );
  assert.deepEqual(plain.howSure, ['No difference is claimed, so there is no certainty to state.']);
});

test('failures, machines, missing attributes and unknown speakers stand among what is not shown', async () => {
  const utterances = people(24, (place) => ({
    ...(place < 4 && { sound: { text: reference, synthesizer: 'flite', voice: 'slt' } }),
    ...(place >= 40 && { attributes: {} }),
  })).map(({ speaker, ...rest }, place): Utterance => (place === 46 ? rest : { ...rest, ...(speaker && { speaker }) }));
  const plain = await summary(
    (trial) => (trial.utterance.id === 'u9' ? failedWith('timeout') : withErrors(reference, noise(trial))),
    utterances,
  );
  const text = plain.doesNotShow.join('\n');
  assert.match(text, /1 of 48 times a recognizer gave no answer at all/);
  assert.match(text, /4 of 48 recordings were spoken by machines/);
  assert.match(text, /unknown values: sex \(8 recordings\)/);
  assert.match(text, /How many people there are where names are missing/);
  assert.match(plain.ofWhom[0]!, /each of the 1 without a name counts as a person/);
});
