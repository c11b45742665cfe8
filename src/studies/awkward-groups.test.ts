// What the studies of groups other than `disparity` (which has tests of its own) make of groups that nobody wishes for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import type { Comparison, Finding } from '../model/finding.ts';
import { reasonText } from '../model/reason.ts';
import type { Utterance } from '../model/utterance.ts';
import type { Study } from './contract.ts';
import { degradation } from './degradation/degradation.ts';
import { fewReferences } from './few-references/few-references.ts';
import { gapDecomposition } from './gap-decomposition/gap-decomposition.ts';
import { robustness } from './robustness/robustness.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  type OtherInvention,
  recognizerNamed,
  spoken,
} from './shared/testing/testing.ts';

const sentence = Array.from({ length: 20 }, (_, place) => `word${place}`);

/** Four recordings each of 15 women and 15 men, nobody harder than another. */
const people: Utterance[] = Array.from({ length: 120 }, (_, place) => {
  const speaker = Math.floor(place / 4);
  return spoken(`u${place}`, sentence.join(' '), {
    speaker: `s${speaker}`,
    sound: { file: `${place}.wav` },
    attributes: { sex: speaker % 2 === 0 ? 'female' : 'male' },
  });
});

/** Each word is missed by chance: by `two` more than by `one`, in noise more than without. */
const says: Invention = ({ utterance, recognizer, condition }) => {
  const random = createRandom([utterance.id, recognizer, condition.name]);
  const chance = (recognizer === 'one' ? 0.1 : 0.2) + (condition.steps.length > 0 ? 0.1 : 0);
  return (utterance.reference ?? sentence.join(' '))
    .split(' ')
    .map((word) => (random.next() < chance ? 'x' : word))
    .join(' ');
};

const measured: OtherInvention = (question) => {
  assert.ok(question.ask === 'measurement');
  const facts = { durationSeconds: 5, sampleRate: 16_000, levelDbfs: -28, clippedShare: 0, facts: [], sampleHash: '' };
  return { ...question, measurement: facts };
};

interface Situation {
  readonly study: Study<never>;
  readonly options: object;
  /** Which recordings have a reference. */
  readonly transcribed: (place: number) => boolean;
}

const situations: readonly Situation[] = [
  {
    study: degradation as Study<never>,
    options: { conditions: ['aequevox/noise:1'], resamples: 200, permutations: 400 },
    transcribed: () => true,
  },
  {
    study: gapDecomposition as Study<never>,
    options: { causes: ['rarity'], bent: false, equalize: [], reference: { sex: 'male' } },
    transcribed: () => true,
  },
  {
    study: fewReferences as Study<never>,
    options: { reference: { sex: 'male' } },
    transcribed: (place) => place % 2 === 0,
  },
];

async function run({ study, options, transcribed }: Situation, utterances: readonly Utterance[], invent = says) {
  const known = utterances.map((one) => {
    if (transcribed(Number(one.id.slice(1)))) return one;
    const { reference: _, ...rest } = one;
    return rest;
  });
  const context = inventedContext(known, [recognizerNamed('one'), recognizerNamed('two')]);
  const finding = await inventedRun(study, { groupBy: ['sex'], ...options }, context, invent, [], measured);
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
  assert.doesNotMatch(JSON.stringify(finding), /NaN|Infinity|undefined/);
  return finding;
}

/** Every comparison in a row of a table that names the value. */
function comparisonsOf({ sections }: Finding, value: string): Comparison[] {
  const rows = sections.flatMap(({ tables }) => tables ?? []).flatMap((table) => table.rows);
  return rows
    .filter((row) => Object.values(row).some((cell) => typeof cell === 'string' && cell.split(' ').includes(value)))
    .flatMap((row) => Object.values(row))
    .filter((cell): cell is Comparison => typeof cell === 'object' && cell !== null && 'verdict' in cell);
}

const withSex = (utterance: Utterance, sex: string): Utterance => ({ ...utterance, attributes: { sex } });

for (const situation of situations) {
  const { name } = situation.study;

  test(`${name}: speakers without the attribute are in no group and change no gap between groups`, async () => {
    const unknown = new Set(['s0', 's1', 's2', 's3']);
    const some = people.map((one) => (unknown.has(one.speaker!) ? { ...one, attributes: {} } : one));
    // What few references are worth is learned from everybody, those of unknown sex too: there the sample's own gap is looked at.
    const gaps = (finding: Finding) =>
      comparisonsOf(finding, 'female')
        .filter(({ difference }) => !difference.method.startsWith('prediction-powered'))
        .map(({ difference }) => difference.value);
    const found = gaps(await run(situation, some));
    const warned = (await run(situation, some)).warnings.join('\n');
    assert.match(warned, /sex is not known for 16 utterances \(13\.3 %\): they are in no group of it/);
    assert.doesNotMatch((await run(situation, people)).warnings.join('\n'), /is not known/);
    const without = gaps(
      await run(
        situation,
        people.filter(({ speaker }) => !unknown.has(speaker!)),
      ),
    );
    const all = gaps(await run(situation, people));
    assert.ok(found.length > 0 && found.length === without.length);
    for (const [place, value] of found.entries()) {
      assert.ok(value === without[place] || Math.abs(value! - without[place]!) < 1e-9, `${value} ${without[place]}`);
    }
    assert.notDeepEqual(found, all);
  });

  test(`${name}: of a group of one speaker nothing is claimed, and it is said`, async () => {
    // The one speaker is missed in everything.
    const some = people.map((one) => (one.speaker === 's4' ? withSex(one, 'islander') : one));
    const invent: Invention = (trial) =>
      trial.utterance.speaker === 's4' && (trial.recognizer === 'one' || trial.condition.steps.length > 0)
        ? 'x'
        : says(trial);
    const finding = await run(situation, some, invent);
    const found = comparisonsOf(finding, 'islander');
    assert.ok(found.length > 0);
    for (const { verdict, difference } of found) {
      assert.deepEqual([verdict, difference.low], ['cannot tell', null]);
      assert.match(reasonText(difference.reason!), /needs (transcribed recordings of )?10 (clusters|speakers)/);
    }
  });

  test(`${name}: a group without a word has no gap, and nothing is made up for it`, async () => {
    const some = people.map((one) => (one.attributes.sex === 'female' ? { ...one, reference: '' } : one));
    const invent: Invention = (trial) => (trial.utterance.attributes.sex === 'female' ? '' : says(trial));
    const finding = await run(situation, some, invent);
    const found = comparisonsOf(finding, 'female');
    for (const { verdict, difference } of found) {
      assert.deepEqual([verdict, difference.value], ['cannot tell', null]);
      assert.ok(difference.reason);
    }
    if (found.length === 0)
      assert.match(finding.warnings.join('\n'), /no words in the reference|sex female is not compared/);
  });

  test(`${name}: a recognizer that fails on one group more than on others is reported, and its rates claim nothing`, async () => {
    const invent: Invention = (trial) =>
      trial.recognizer === 'two' &&
      trial.utterance.attributes.sex === 'female' &&
      createRandom(['fails', trial.utterance.id]).next() < 0.6
        ? failedWith('timeout')
        : says(trial);
    const finding = await run(situation, people, invent);
    assert.match(finding.warnings.join('\n'), /two did not answer \d+ of \d+ trials/);
    const claimed = comparisonsOf(finding, 'female').filter(({ verdict }) => verdict !== 'cannot tell');
    // That it fails more often is itself a difference, and the only one.
    assert.equal(claimed.length, 1);
    const failed = people.filter(
      (one) => one.attributes.sex === 'female' && createRandom(['fails', one.id]).next() < 0.6,
    );
    assert.equal(Math.abs(claimed[0]!.difference.value!), failed.length / 60);
    if (name === 'degradation') return;
    const told = new RegExp(
      `two fails more often for sex female than for male: in ${failed.length} of 60 against 0 of 60 trials`,
    );
    assert.ok(finding.answer.some(({ text }) => told.test(text)));
  });
}

test('robustness names groups of too few speakers in one data set, the one that lacks fewest, and how many speakers each has', async () => {
  const speaking = (corpus: string, count: number) =>
    Array.from({ length: count }, (_, place) =>
      spoken(`${corpus}${place}`, sentence.join(' '), {
        speaker: `${corpus}${place}`,
        attributes: { corpus, sex: place % 2 === 0 ? 'female' : 'male' },
      }),
    );
  const context = inventedContext([...speaking('calls', 6), ...speaking('books', 14)], [recognizerNamed('one')]);
  const options = { conditions: [], groupBy: ['sex'], resamples: 100 };
  const finding = await inventedRun(robustness, options, context, says);
  assert.match(
    (finding.answer ?? []).map(({ text }) => text).join('\n'),
    /No comparison of groups: an interval needs 10 speakers of each, and by sex there are too few: female \(7 speakers\) and male \(7 speakers\) in books\./,
  );
});

test('where nobody says who speaks, robustness counts and compares utterances of groups, as disparity does', async () => {
  const speaking = (count: number) =>
    Array.from({ length: count }, (_, place) =>
      spoken(`u${place}`, sentence.join(' '), { attributes: { sex: place % 2 === 0 ? 'female' : 'male' } }),
    );
  const told = async (count: number) => {
    const context = inventedContext(speaking(count), [recognizerNamed('one')]);
    const options = { conditions: [], groupBy: ['sex'], resamples: 100 };
    // Female voices alone are misheard, every second word.
    const hears: Invention = (trial) =>
      trial.utterance.attributes.sex === 'male'
        ? says(trial)
        : sentence.map((word, place) => (place % 2 ? word : 'x')).join(' ');
    const { answer = [] } = await inventedRun(robustness, options, context, hears);
    return answer.map(({ text }) => text).join('\n');
  };
  assert.match(
    await told(16),
    /No comparison of groups: an interval needs 10 utterances of each, and by sex there are too few: female \(8 utterances\) and male \(8 utterances\)\./,
  );
  assert.match(await told(60), /one, WER by sex on clean audio: female is \d+\.\d points above male/);
});

test('robustness says why no gap can be told: one value alone, groups of which one alone was answered, or more than are compared', async () => {
  const utterances = Array.from({ length: 60 }, (_, place) =>
    spoken(`u${place}`, sentence.join(' '), {
      speaker: `s${place}`,
      attributes: {
        sex: place % 2 === 0 ? 'female' : 'male',
        accent: `a${place % 6}`,
        town: `t${place}`,
        age: 'adult',
        room: 'b',
      },
    }),
  );
  const context = inventedContext(utterances, [recognizerNamed('one')]);
  const told = async (groupBy: readonly string[], invention: Invention) => {
    const finding = await inventedRun(robustness, { conditions: [], groupBy, resamples: 100 }, context, invention);
    return (finding.answer ?? []).map(({ text }) => text).join('\n');
  };
  const onlyMen: Invention = (trial) => (trial.utterance.attributes.sex === 'male' ? says(trial) : failedWith('error'));
  assert.match(await told(['age'], says), /No comparison of groups: of age there is adult alone\./);
  assert.match(
    await told(['age', 'room'], says),
    /No comparison of groups: no attribute has two values to compare \(there is age adult and room b\)\./,
  );
  assert.match(await told(['sex'], onlyMen), /No comparison of groups: of sex there are answers of male alone\./);
  assert.match(
    await told(['accent'], says),
    /No comparison of groups: accent has more than 4 values, too many to compare pair by pair; the study/,
  );
});
