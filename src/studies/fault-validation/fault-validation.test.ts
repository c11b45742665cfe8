import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Cell, Comparison, Estimate, Finding } from '../../model/finding.ts';
import { rowsOf } from '../../model/finding-rows.ts';
import type { Utterance } from '../../model/utterance.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import type { Batch } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  recognizerNamed,
  spoken,
} from '../shared/testing/testing.ts';
import { faultValidation } from './fault-validation.ts';

/** Twenty sentences with each of four words, and some with two of them. */
const targets = ['call', 'store', 'bags', 'things'];
const texts: Utterance[] = [
  ...targets.flatMap((word) =>
    Array.from({ length: 20 }, (_, place) => spoken(`${word}${place}`, `please say ${word} number ${place}`)),
  ),
  spoken('both', 'call the bags'),
  spoken('twice', 'bags and bags'),
  spoken('none', 'nothing of it'),
];
const words = { robust: ['call', 'store'], nonRobust: ['bags', 'things'] };

/** In noise bags and things are missed in two of three sentences, the others in one of ten. */
const says: Invention = ({ utterance, condition, recognizer }) => {
  if (condition.steps.length === 0) return utterance.reference!;
  const chance = createRandom([utterance.id, recognizer]).next();
  return utterance
    .reference!.replace(/\b(call|store)\b/, (word) => (chance < 0.1 ? 'x' : word))
    .replace(/\b(bags|things)\b/, (word) => (chance < 0.67 ? 'x' : word));
};

async function run(
  options: object,
  { invent = says, names = ['one'], batches = [] }: { invent?: Invention; names?: string[]; batches?: Batch[] } = {},
) {
  const context = inventedContext(
    texts,
    names.map((name) => recognizerNamed(name)),
    { ladders: [aequevox] },
  );
  return inventedRun(faultValidation, { sentences: 30, ...options }, context, invent, batches);
}

const rows = ({ sections }: Finding): readonly Readonly<Record<string, Cell>>[] => sections[0]!.tables![0]!.rows;

test('words that vanish are missed more often in new sentences, with counts, test and excess', async () => {
  const finding = await run({ words: { one: words } });
  const [clean, noise] = rows(finding);
  assert.deepEqual([clean!.robustMissed, clean!.otherMissed], [0, 0]);
  assert.deepEqual([noise!.robustSentences, noise!.otherSentences], [30, 30]);
  assert.equal((noise!.difference as Comparison).verdict, 'worse');
  const [missed, other] = [noise!.robustMissed as number, noise!.otherMissed as number];
  assert.ok(Math.abs((noise!.difference as Comparison).difference.value! - (other - missed) / 30) < 1e-12);
  assert.ok(Math.abs((noise!.excess as Estimate).value! - (other / missed - 1)) < 1e-9);
  // Nothing is missed in clean sound: there is no ratio.
  assert.equal((clean!.excess as Estimate).value, null);
  assert.match(
    finding.answer[0]!.text,
    /as predicted \(missed: .* not robust in \d+ of 30 sentences, robust ones in \d of 30; 50\.0 points more with words called not robust \(95 % CI 23\.9-69\.3\)\)/,
  );
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
});

test('sentences have one target each, words take turns, and only who drew a sentence is asked', async () => {
  const batches: Batch[] = [];
  await run(
    { words: { one: words, two: { robust: ['bags'], nonRobust: ['call'] } }, sentences: 10 },
    { names: ['one', 'two', 'three'], batches },
  );
  const asked = new Map<string, string[]>();
  for await (const question of batches[0]!.questions()) {
    assert.ok(question.ask === 'recognition');
    const { recognizer, utterance, condition } = question.trial;
    if (condition.name === 'clean') asked.set(recognizer, [...(asked.get(recognizer) ?? []), utterance.id]);
  }
  assert.deepEqual([...asked.keys()].sort(), ['one', 'two']);
  assert.equal(asked.get('one')!.length, 20);
  for (const word of targets) assert.equal(asked.get('one')!.filter((id) => id.startsWith(word)).length, 5, word);
  for (const id of ['both', 'twice', 'none']) assert.ok(!asked.get('one')!.includes(id));
});

test('where words do not matter nothing is claimed; all together has a row where there are several recognizers', async () => {
  const invent: Invention = ({ utterance, condition }) =>
    condition.steps.length > 0 && createRandom(['luck', utterance.id]).next() < 0.4 ? 'x x x' : utterance.reference!;
  const finding = await run({ words: { one: words, two: words } }, { invent, names: ['one', 'two'] });
  assert.deepEqual(
    rows(finding).map(({ recognizer }) => recognizer),
    ['one', 'two', 'all together', 'one', 'two', 'all together'],
  );
  for (const row of rows(finding)) assert.equal((row.difference as Comparison).verdict, 'cannot tell');
});

test('words are the units from the minimum on, and failures are left out', async () => {
  const finding = await run(
    { words: { one: words }, minimumWords: 2 },
    { invent: (trial) => (trial.utterance.id === 'call3' ? failedWith('timeout') : says(trial)) },
  );
  assert.equal(rows(finding)[0]!.units, 'words');
  assert.deepEqual((rows(finding)[1]!.difference as Comparison).difference.n, { utterances: 59, speakers: 0 });
});

test('a recognizer that fails on one kind of words alone is said to; who fails on both alike is not', async () => {
  const failing = (which: RegExp): Invention => {
    return (trial) => (which.test(trial.utterance.id) ? failedWith('timeout') : says(trial));
  };
  const whole = { robust: ['call'], nonRobust: ['bags'] };
  const one = await run({ words: { one: whole }, sentences: 20 }, { invent: failing(/^bags1?[0-5]$/) });
  assert.deepEqual(
    rows(one).map(({ robustFailed, otherFailed, otherSentences }) => [robustFailed, otherFailed, otherSentences]),
    [
      [0, 12, 8],
      [0, 12, 8],
    ],
  );
  assert.match(
    one.warnings.join('\n'),
    /one in clean: no answer to 0 sentences with a robust word, besides 20 answered, and to 12 with another, besides 8\. /,
  );
  // Eight sentences are too few for an interval, whatever is missed in them.
  for (const row of rows(one)) assert.equal((row.difference as Comparison).verdict, 'cannot tell');
  const both = await run({ words: { one: whole }, sentences: 20 }, { invent: failing(/^(bags|call)1?[0-5]$/) });
  assert.doesNotMatch(both.warnings.join('\n'), /no answer to/);
});

test('few sentences, no words, and words that cannot be have sentences of their own', async () => {
  assert.match(
    (await run({ words: { one: words }, sentences: 100 })).warnings[0]!,
    /40 sentences with one robust word and 40/,
  );
  assert.match((await run({})).answer[0]!.text, /No words were named/);
  const missing = await run({ words: { one: { robust: ['call'], nonRobust: ['zebra'] } } });
  assert.match(missing.answer[0]!.text, /one: no sentence has a word that is not robust, .* not asked/);
  assert.deepEqual(rows(missing), []);
  await assert.rejects(run({ words: { two: words } }), /recognizers of the config \(one\), but got "two"/);
  await assert.rejects(run({ words: { one: { robust: ['bags'], nonRobust: ['bags'] } } }), /"bags" is both/);
  await assert.rejects(run({ words: { one: { robust: ['two words'], nonRobust: [] } } }), /"two words" makes 2/);
});

test('a sentence that several recognizers heard is one unit of all together; failures are warned of and in a table', async () => {
  // Both hear alike, so that all together is twice the same: it must not look twice as sure.
  const invent: Invention = (trial) => says({ ...trial, recognizer: 'one' });
  const half = { robust: ['call'], nonRobust: ['bags'] };
  const finding = await run(
    { words: { one: half, two: half }, sentences: 20 },
    {
      invent: (trial) => (trial.utterance.id === 'call3' ? failedWith('timeout') : invent(trial)),
      names: ['one', 'two'],
    },
  );
  const noise = rows(finding).slice(3);
  const [one, , all] = noise.map(({ difference }) => (difference as Comparison).difference);
  assert.equal(all!.value, one!.value);
  const width = ({ low, high }: Estimate) => high! - low!;
  assert.ok(width(all!) > 0.9 * width(one!), `${width(all!)} ${width(one!)}`);
  assert.match(finding.warnings.join('\n'), /one did not answer 2 of 80 trials/);
  assert.deepEqual(
    rowsOf(finding, 'fault-validation-failures').map(({ recognizer, count, share }) => [recognizer, count, share]),
    ['one', 'two', 'one', 'two'].map((name) => [name, 1, 1 / 40]),
  );
});

test('words flow from fault-words before it: those of its transformation, for each recognizer, among those of the slot', async () => {
  const drops = [
    ['one', 'aequevox/noise', 'everybody', ['call', 'store', 'please'], ['bags', 'things']],
    ['one', 'aequevox/noise', 'sex F', ['bags'], ['call']],
    ['one', 'aequevox/drop', 'everybody', ['bags'], ['call']],
    ['two', 'aequevox/noise', 'everybody', [], ['call']],
  ] as const;
  const cells = ([recognizer, transformation, group]: (typeof drops)[number]) => ({
    recognizer,
    transformation,
    group,
  });
  const before = {
    study: { name: 'fault-words', version: 7 },
    sections: [
      {
        tables: [
          { id: 'fault-words-robust', rows: drops.map(cells) },
          {
            id: 'fault-words-each',
            rows: drops
              .filter(([, , group]) => group === 'everybody')
              .flatMap(([recognizer, transformation, , robust, lost]) =>
                [...lost, ...robust].map((word, place) => ({
                  ...{ recognizer, transformation, word, robust: place < lost.length ? 'no' : 'yes' },
                })),
              ),
          },
        ],
      },
    ],
  } as unknown as Finding;
  const tried = async (words: object, findings: readonly Finding[] = [before]) => {
    const context = inventedContext(texts, [recognizerNamed('one'), recognizerNamed('two')], {
      ladders: [aequevox],
      findings,
    });
    return inventedRun(faultValidation, { sentences: 30, words }, context, says);
  };
  const wordsOf = (finding: Finding) =>
    rowsOf(finding, 'fault-validation-words').map(({ recognizer, word, kind }) => `${recognizer}: ${word} ${kind}`);
  const finding = await tried({ from: 'fault-words', among: targets });
  assert.deepEqual(wordsOf(finding), [
    ...['one: call robust', 'one: store robust', 'one: bags not robust', 'one: things not robust'],
    'two: call not robust',
  ]);
  const noise = rows(finding).find(({ condition, recognizer }) => condition !== 'clean' && recognizer === 'one')!;
  assert.deepEqual([noise.robustSentences, noise.otherSentences], [30, 30]);
  assert.ok(rows(finding).every(({ recognizer }) => recognizer !== 'two'));
  assert.match(
    finding.answer.find(({ text }) => text.startsWith('two'))!.text,
    /two: no sentence has a word that is robust, so there is nothing to compare, and it was not asked\./,
  );
  const other = await tried({ from: 'fault-words', transformation: 'aequevox/drop' });
  assert.deepEqual(wordsOf(other), ['one: bags robust', 'one: call not robust']);
  await assert.rejects(tried({ from: 'fault-words', transformation: 'drop' }), /\(aequevox\/noise, .*got "drop"/);
  await assert.rejects(tried({ from: 'fault-words' }, []), /fault-words before fault-validation/);
});

test('sentences are shown with their word marked, missed ones first, and what was heard', async () => {
  const finding = await run({ words: { one: words }, examples: 3 });
  const { tables } = finding.sections.find(({ id }) => id === 'fault-validation-sentences')!;
  const shown = tables![0]!.rows;
  assert.deepEqual(
    shown.map(({ kind }) => kind),
    ['robust', 'robust', 'robust', 'not robust', 'not robust', 'not robust'],
  );
  const last = shown[3]!;
  assert.equal(last.missed, 'yes');
  assert.match(String(last.sentence), /^please say \*\*(bags|things)\*\* number \d+$/);
  assert.equal(last.heard, String(last.sentence).replace(/\*\*\w+\*\*/, 'x'));
  assert.notEqual(String(shown[4]!.sentence).split(' ')[2], String(last.sentence).split(' ')[2], 'words take turns');
  const none = await run({ words: { one: words }, examples: 0 });
  assert.ok(none.sections.every(({ id }) => id !== 'fault-validation-sentences'));
});

test('only the sentences of a part are looked at, and a part that nobody is in is refused', async () => {
  const marked = texts.map((one, place) => ({ ...one, attributes: { part: place < 40 ? 'a' : 'b' } }));
  const asking = (where: object) => {
    const context = inventedContext(marked, [recognizerNamed('one')], { ladders: [aequevox] });
    return inventedRun(faultValidation, { words: { one: words }, where }, context, says);
  };
  const possible = (finding: Finding) =>
    rowsOf(finding, 'fault-validation-words').map(({ word, sentences }) => [word, sentences]);
  const robust = [
    ['call', 20],
    ['store', 20],
  ];
  assert.deepEqual(possible(await asking({ part: 'a' })), [...robust, ['bags', 0], ['things', 0]]);
  assert.deepEqual(possible(await asking({ part: ['a', 'b'] })), [...robust, ['bags', 20], ['things', 20]]);
  await assert.rejects(asking({ part: 'c' }), /where: expected utterances with \{"part":"c"\}, but there are none/);
});
