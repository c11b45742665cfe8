import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Cell, Comparison, Finding } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import { degradation } from '../degradation/degradation.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  recognizerNamed,
  rowOf,
  rowsOf,
  spoken,
} from '../shared/testing/testing.ts';
import { faultWords } from './fault-words.ts';
import { averageDrops, dropsOf } from './results.ts';

const utterances = Array.from({ length: 8 }, (_, place) =>
  spoken(`clip-${place}`, 'six spoons constructor', {
    speaker: `${place}`,
    attributes: { native: place < 4 ? 'yes' : 'no' },
  }),
);

async function run(options: object, invent: Invention, list = utterances) {
  const context = inventedContext(list, [recognizerNamed('one')]);
  const finding = await inventedRun(faultWords, options, context, invent);
  /** Everybody's if absent. */
  const rowFor = (native?: string): Readonly<Record<string, Cell | undefined>> => {
    const group = native === undefined ? 'everybody' : `native ${native}`;
    return { ...rowOf(finding, 'fault-words-robust', { group }), meanDrop: averageOf(finding, group) };
  };
  return { finding, rowFor };
}

/** Mean drop of the one recognizer over the transformations. */
const averageOf = (finding: Finding, group: string) => rowOf(finding, 'fault-words-averages', { row: 'one' })[group];

/** Utterances and mean drops. */
const told = ({ utterances, meanDrop }: Readonly<Record<string, Cell | undefined>>) => [utterances, meanDrop];

test('Words that vanish are found with the parameter that hides them most, group by group.', async () => {
  const invent: Invention = ({ condition, utterance }) =>
    condition.name === 'aequevox/noise:4' && utterance.attributes.native === 'no'
      ? 'six constructor'
      : 'six spoons constructor';
  const { rowFor, finding } = await run({ conditions: ['aequevox/noise'] }, invent);
  const {
    group: _,
    recognizer,
    transformation,
    normalizer,
    ...word
  } = rowOf(finding, 'fault-words-words', {
    group: 'native no',
  });
  const worst = aequevox.families.find(({ name }) => name === 'noise')!.rungs[3]!.label;
  assert.deepEqual(word, { word: 'spoons', said: 4, heard: 4, least: 0, drop: 4, worst });
  assert.deepEqual([recognizer, transformation, normalizer], ['one', 'aequevox/noise', 'plain']);
  assert.deepEqual([rowFor('yes').nonRobust, rowFor('yes').meanDrop, rowFor('no').meanDrop], [0, 0, 4 / 3]);
  assert.deepEqual([rowFor().robust, rowFor().examples], [2, 'constructor six']);
  assert.match(
    finding.answer[0]!.text,
    /one loses words in aequevox\/noise: under its worst parameter 1 of 3 words .*, 2 never fewer/,
  );
});

test('Words that a table leaves out are counted below it.', async () => {
  const { finding } = await run({ conditions: ['aequevox/noise'], maxWords: 1 }, ({ condition }) =>
    condition.name === 'clean' ? 'six spoons constructor' : '',
  );
  const [table] = finding.sections.find(({ id }) => id === 'fault-words-words')!.tables!;
  // Everybody and two groups lose three words each.
  assert.equal(table!.rows.length, 3);
  assert.match(table!.note!, /^6 words more are not shown \(maxWords: 1\)\./);
});

test('Of what failed nothing vanishes: an utterance counts where it was answered throughout.', async () => {
  const invent: Invention = ({ condition, utterance }) =>
    condition.name === 'aequevox/noise:2' && utterance.id === 'clip-0' ? failedWith('crash') : 'six spoons constructor';
  const { rowFor, finding } = await run({ conditions: ['aequevox/noise'] }, invent);
  assert.deepEqual(told(rowFor()), [7, 0]);
  assert.ok(finding.warnings.some((text) => /^one did not answer 1 of \d+ trials/.test(text)));
});

const many = Array.from({ length: 40 }, (_, place) =>
  spoken(`clip-${place}`, 'six spoons', {
    speaker: `${place}`,
    attributes: place < 20 ? { native: 'yes' } : { native: 'no' },
  }),
);

test('A recognizer that fails for one group more often is said to, and drops count what it answered.', async () => {
  const invent: Invention = ({ condition, utterance }) =>
    condition.name !== 'clean' && utterance.attributes.native === 'no' && Number(utterance.id.slice(5)) % 4 > 0
      ? failedWith('timeout')
      : 'six spoons';
  const { rowFor, finding } = await run({ conditions: ['aequevox/noise:1'] }, invent, many);
  assert.deepEqual([rowFor(), rowFor('no'), rowFor('yes')].map(told), [
    [25, 0],
    [5, 0],
    [20, 0],
  ]);
  // 15 of the 20 fail, in one of two conditions; nobody of the others does.
  const said = finding.answer.find(({ text }) => /fails more often/.test(text))!;
  assert.match(said.text, /one fails more often for native no than for yes: in 15 of 40 against 0 of 40 trials/);
  assert.equal(said.comparison!.difference.value, 15 / 40);
  assert.ok(said.comparison!.difference.low! > 0);
});

test('Of a group of one speaker, and of failures by chance, nothing is claimed; unknown speakers are no speakers.', async () => {
  const lonely = many.map((one, place) => ({
    ...one,
    ...(place === 3 ? {} : { speaker: place % 2 ? undefined : `${place}` }),
    attributes: { native: place === 3 ? 'no' : 'yes' },
  })) as typeof many;
  const invent: Invention = ({ utterance }) => (utterance.id === 'clip-3' ? failedWith('crash') : 'six spoons');
  const { rowFor, finding } = await run({ conditions: ['aequevox/noise:1'] }, invent, lonely);
  assert.ok(finding.answer.every(({ text }) => !/fails more often/.test(text)));
  const { failed, asked, gap } = rowOf(finding, 'fault-words-failures-by-group', {});
  assert.deepEqual([failed, asked, (gap as Comparison).verdict], [2, 2, 'cannot tell']);
  assert.match(reasonText((gap as Comparison).reason!), /an interval needs 10 speakers/);
  assert.deepEqual([rowFor().speakers, rowFor('no').speakers, rowFor('yes').speakers], [21, 1, 20]);
  assert.match(finding.warnings.join('\n'), /No words for native no/);
});

test('Speakers without the attribute are in no group, and a group that says nothing has no mean drop of 0.', async () => {
  const list = many.map((one, place) =>
    place < 5 ? { ...one, attributes: {} } : { ...one, reference: place < 20 ? 'six spoons' : '' },
  );
  const invent: Invention = ({ utterance }) => utterance.reference!;
  const { rowFor, finding } = await run({ conditions: ['aequevox/noise:1'] }, invent, list);
  assert.deepEqual([rowFor(), rowFor('no'), rowFor('yes')].map(told), [
    [40, 0],
    [20, null],
    [15, 0],
  ]);
  assert.match(finding.warnings.join('\n'), /No words for native no: .* a drop of 0/);
  assert.match(finding.warnings.join('\n'), /native is not known for 5 utterances \(12\.5 %\)/);
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
});

test('Without references the words that were heard are looked at, and a parameter without any word hides all.', async () => {
  const list = utterances.map(({ reference: _, ...utterance }) => utterance);
  const invent: Invention = ({ condition }) => (condition.name === 'clean' ? 'six' : '');
  const { finding } = await run({ conditions: ['aequevox/noise'], omega: { one: 8 } }, invent, list);
  assert.deepEqual(
    rowsOf(finding, 'fault-words-words').map(({ word, drop, said }) => [word, drop, said]),
    [['six', 8, null]],
  );
  assert.ok(finding.warnings.some((text) => /8 utterances without a reference/.test(text)));
});

test('Scenarios in which nothing is understood are left out unless they are wanted.', async () => {
  const invent: Invention = ({ condition }) => (condition.name === 'aequevox/scale:5' ? '' : 'six');
  const asked = async (more: object) => {
    const { rowFor } = await run({ conditions: ['aequevox/scale'], ...more }, invent);
    return rowFor().nonRobust;
  };
  assert.deepEqual([await asked({}), await asked({ except: [] })], [0, 1]);
  await assert.rejects(run({ conditions: [] }, invent), /at least one besides the baseline/);
  await assert.rejects(run({ baseline: 'aequevox/noise' }, invent), /matches 5/);
});

// Word counts that the authors of AequeVox published, and what they made of them.
const folder = new URL('../../../../shared/golden/aequevox/', import.meta.url);
const skip = existsSync(folder) ? false : 'shared/golden/aequevox is not beside the repository';
const columns = ['English', 'Ganda', 'French', 'Gujarati', 'Indonesian', 'Korean', 'Russian'];
const transformations = ['Amp', 'Clipping', 'Drop', 'Frame', 'HP', 'LP', 'Noise', 'Scale'];

test("The drops are AequeVox's, and so are their means, its Table 9 for one recognizer, and the words it calls robust.", {
  skip,
}, () => {
  const golden = JSON.parse(readFileSync(new URL('golden.json', folder), 'utf8'));
  const groups = columns.map((value, number) => ({ number, group: { attribute: 'native', value }, speakers: 4 }));
  const drops = transformations.flatMap((name, transformation) => {
    const rows = readFileSync(new URL(`word-counts/GCP/${name}.csv`, folder), 'utf8')
      .split('\n')
      .map((line) => line.split(','));
    const words = rows[0]!.slice(1, 56).map((word) => word.replace(/['\]]+$/, ''));
    const countsOf = (row: readonly string[]) => new Map(words.map((word, place) => [word, Number(row[place + 1])]));
    const found = rows.flatMap((row, place) => {
      if (row[0] !== 'Original') return [];
      const end = rows.findIndex(([first], at) => at > place && first === 'Drops');
      const transformed = rows
        .slice(place + 1, end)
        .filter(([label]) => !(name === 'Scale' && [0.6, 0.5].includes(Number(label!.replaceAll(/[['\]]/g, '')))))
        .map(countsOf);
      return [{ said: new Map(), words, original: countsOf(row), transformed, utterances: 4 }];
    });
    return found.map((counts, number) =>
      dropsOf(counts, {
        group: groups[number]!,
        recognizer: 0,
        transformation,
        omega: 3,
        conditions: counts.transformed.map((_, place) => place),
      }),
    );
  });
  for (const { csv, sums } of golden.fault_localisation_drop_sums.counts) {
    const own = drops.filter(({ transformation }) => csv.endsWith(`/${transformations[transformation]}.csv`));
    assert.deepEqual(
      own.map((one) => one.drops),
      sums,
      csv,
    );
  }
  const design = {
    recognizers: ['GCP'],
    conditions: [],
    transformations: transformations.map((name) => ({ name, conditions: [] })),
  };
  const averages = averageDrops(drops, groups, design);
  const published = readFileSync(new URL('word-counts/GCP/Average.csv', folder), 'utf8')
    .split('\n')
    .map((line) => line.split(','));
  let compared = 0;
  for (const { by, name, means } of averages) {
    if (by !== 'transformation') continue;
    const row = published.find(([first]) => first === name || (name === 'Amp' && first === 'Amplitude'));
    assert.ok(row, name);
    for (const [place, mean] of means.entries()) {
      assert.ok(
        Math.abs(mean! - Number(row[place + 1])) < 1e-8,
        `${name} ${columns[place]}: ${mean} ${row[place + 1]}`,
      );
      compared++;
    }
  }
  assert.equal(compared, 56);
  // Printed in the paper: the recognizer's row over all transformations.
  const whole = averages.find(({ by }) => by === 'recognizer')!;
  assert.deepEqual(
    whole.means.map((mean) => mean!.toFixed(2)),
    ['1.21', '1.51', '1.21', '1.17', '1.07', '1.55', '1.64'],
  );
  const noise = drops.find(
    ({ transformation, group }) => transformations[transformation] === 'Noise' && group.number === 0,
  )!;
  const { ge, robust } = golden.non_robust_words_noise_english.GCP;
  assert.deepEqual(noise.nonRobust.map(({ word }) => word).sort(), [...ge].sort());
  // Ours asks besides that a robust word was heard at all.
  assert.ok(noise.robust.every((word) => robust.includes(word)));
});

test('Languages are groups as attributes of this name are.', async () => {
  const spokenIn = utterances.map((one) => ({ ...one, language: one.attributes.native === 'no' ? 'en-GB' : 'en-US' }));
  const named = spokenIn.map((one) => ({ ...one, attributes: { language: one.language } }));
  const invent: Invention = ({ condition, utterance: { language } }) =>
    condition.steps.length > 0 && language === 'en-GB' ? 'six' : 'six spoons constructor';
  const found = (own: typeof spokenIn, where: object | null = null) =>
    inventedRun(
      faultWords,
      { conditions: ['aequevox/noise:1'], groupBy: ['language'], where },
      inventedContext(own, [recognizerNamed('one')]),
      invent,
    );
  const { sections } = await found(spokenIn);
  assert.match(JSON.stringify(sections), /"language en-GB"|"en-GB"/);
  assert.deepEqual((await found(named)).sections, sections);
  assert.deepEqual((await found(spokenIn, { language: 'en' })).sections, sections);
  await assert.rejects(found(named, { language: 'en' }), /where: expected utterances with .*, but there are none/);
});

test('After degradation the words are set beside its violations, of the same groups and utterances.', async () => {
  const marked = utterances.map((one, place) => ({
    ...one,
    attributes: { ...one.attributes, part: place % 2 ? 'b' : 'a' },
  }));
  const recognizers = [recognizerNamed('one'), recognizerNamed('all')];
  const invent: Invention = ({ condition, utterance, recognizer }) =>
    recognizer === 'one' && condition.steps.length > 0 && utterance.attributes.native === 'no'
      ? 'six'
      : 'six spoons constructor';
  const options = { conditions: ['aequevox/noise:1'], where: { part: 'a' }, groupBy: ['native'] };
  const few = { ...options, wordErrors: false, resamples: 100, permutations: 100 };
  const before = await inventedRun(degradation, few, inventedContext(marked, recognizers), invent);
  const context = inventedContext(marked, [recognizerNamed('one')], { findings: [before] });
  const finding = await inventedRun(faultWords, options, context, invent);
  // Two of three words vanish for those who are not native, in both of their utterances of the part.
  const rows = rowsOf(finding, 'fault-words-bias-native-distance');
  assert.deepEqual(rows, [
    { group: 'no', lost: 2 / 3, meanDrop: 4 / 3, violations: 4, normalizer: 'plain' },
    { group: 'yes', lost: 0, meanDrop: 0, violations: 0, normalizer: 'plain' },
  ]);
  assert.match(
    finding.answer[1]!.text,
    /no conclusion whether lost words show the same bias .*most words are lost for no, most violations are against no/,
  );
});
