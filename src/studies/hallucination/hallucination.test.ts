import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Estimate } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import { formatCell } from '../../report/format/cell.ts';
import { formatSampleSize } from '../../report/format/wording.ts';
import { rankingOf } from '../../report/prepare/ranking.ts';
import type { Batch } from '../contract.ts';
import {
  failedWith,
  inventedContext,
  inventedRun,
  recognizerNamed,
  rowsOf,
  said,
  spoken,
} from '../shared/testing/testing.ts';
import { hallucination } from './hallucination.ts';

const clips = Array.from({ length: 20 }, (_, place) =>
  spoken(`clip ${place}`, 'what was said', { attributes: { kind: place < 5 ? 'music' : 'noise' } }),
);
const number = ({ utterance }: Trial) => Number(utterance.id.slice(5));

const run = async (options: object, says: Parameters<typeof inventedRun>[3], names = ['a'], utterances = clips) => {
  const batches: Batch[] = [];
  const context = inventedContext(
    utterances,
    names.map((name) => recognizerNamed(name)),
    { isRandom: async () => false },
  );
  const finding = await inventedRun(hallucination, options, context, says, batches);
  const rows = (id: string) => rowsOf(finding, id);
  return { finding, batches, rows };
};

test('Words a minute, sounds with words and loops are counted by kind of sound and by length.', async () => {
  // 12 s of sound each: four words for every second clip in digital silence, a loop of six for clip 1 in loud noise.
  const says = (trial: Trial) => {
    const { name } = trial.condition;
    const text =
      name === 'earwitness/silence:1' && number(trial) % 2 === 0
        ? 'Thank you for watching.'
        : name === 'earwitness/silence:4' && number(trial) === 1
          ? 'oh no oh no oh no'
          : '';
    return said(text, { soundSeconds: 12 });
  };
  const { rows, batches, finding } = await run({}, says);
  assert.equal(batches[0]!.size, 80);
  const [silence, , , loud] = rows('hallucination-conditions');
  assert.deepEqual(
    [silence!.sounds, silence!.withWords, silence!.words, silence!.withLoops],
    [20, 10, 40, 0],
    'ten clips of four words',
  );
  assert.equal((silence!.share as Estimate).value, 0.5);
  // 40 words in 20 x 12 s.
  assert.ok(Math.abs((silence!.pace as Estimate).value! - 10) < 1e-12);
  assert.ok((silence!.pace as Estimate).low! < 10 && (silence!.pace as Estimate).high! > 10);
  assert.deepEqual([loud!.withWords, loud!.words, loud!.withLoops], [1, 6, 1]);
  assert.deepEqual(
    rows('hallucination-durations').map(({ duration, sounds }) => [duration, sounds]),
    [['10 to 30 s', 80]],
  );
  assert.deepEqual(rows('hallucination-texts')[0], { recognizer: 'a', text: 'thank you for watching', sounds: 10 });
  assert.match(
    finding.answer[0]!.text,
    /recognizes words in 13\.8 % of the clips in which nobody speaks \(95 % CI 6\.8-23\.9\)\.$/,
  );
  const examples = finding.sections.find(({ id }) => id === 'hallucination-examples')!.examples!;
  assert.match(
    finding.warnings[0]!,
    /one of 20 utterances, clip 1, moves the words per minute .* \(2 words repeated 3 times\)/,
  );
  assert.match(examples[0]!.title, /6 words for clip 1, in a loop/);
  assert.equal(examples[0]!.transcripts[0]!.aligned!.length, 6);
});

test('A corpus of sounds is asked about as it is, and by attribute.', async () => {
  const says = (trial: Trial) => (trial.utterance.attributes.kind === 'music' ? 'la la' : '');
  const { rows } = await run({ corpus: 'sounds', groupBy: ['kind'] }, says);
  assert.deepEqual(
    rows('hallucination-conditions').map(({ condition }) => condition),
    ['clean'],
  );
  assert.deepEqual(
    rows('hallucination-groups').map(({ group, withWords, words }) => [group, withWords, words]),
    [
      ['music', 5, 10],
      ['noise', 0, 0],
    ],
  );
});

test('The language of clips makes groups without being an attribute.', async () => {
  const inLanguages = clips.map((clip, place) => ({ ...clip, language: ['zh-CN', 'ja', 'und'][place % 3]! }));
  const { rows } = await run({ corpus: 'sounds', groupBy: ['language'] }, () => 'la', ['a'], inLanguages);
  assert.deepEqual(
    rows('hallucination-groups').map(({ group, sounds }) => [group, sounds]),
    [
      ['ja', 7],
      ['zh-CN', 7],
    ],
  );
});

test('Recognizers are compared on the sounds that both answered.', async () => {
  const says = (trial: Trial) => {
    if (trial.recognizer === 'b' && number(trial) < 2) return failedWith('timeout');
    return trial.recognizer === 'a' || number(trial) === 3 ? 'you' : '';
  };
  const { rows, finding } = await run({ conditions: ['earwitness/silence:1'] }, says, ['a', 'b']);
  const [row] = rows('hallucination-comparisons');
  const comparison = row!.difference as { difference: Estimate; verdict: string };
  // 18 of 18 against 1 of 18.
  assert.ok(Math.abs(comparison.difference.value! + 17 / 18) < 1e-12);
  assert.equal(comparison.difference.n.pairs, 18);
  assert.equal(comparison.verdict, 'better');
  assert.ok(finding.warnings.some((warning) => /b did not answer 2 of 20 trials/.test(warning)));
});

test('The answer begins with the surest difference, and ranking and picture are of the same measure: all kinds of sound together.', async () => {
  // In digital silence a is worse; over all kinds b is.
  const says = ({ recognizer, condition }: Trial) => {
    const silence = condition.name === 'earwitness/silence:1';
    return said((recognizer === 'a' ? silence : recognizer === 'b' && !silence) ? 'you' : '', { soundSeconds: 7 });
  };
  const { finding } = await run({ conditions: ['earwitness/silence'] }, says, ['a', 'b', 'c']);
  assert.match(finding.answer[0]!.text, /^c hallucinates in fewer of the clips than b: 75\.0 points less/);
  const ranking = rankingOf(finding)!;
  assert.equal(ranking.by, 'Clips with words, all kinds of sound');
  assert.deepEqual(
    ranking.rows.map(({ name, estimate }) => [name, estimate.value]),
    [
      ['c', 0],
      ['a', 0.25],
      ['b', 0.75],
    ],
  );
  const [chart] = ranking.section.charts!;
  assert.deepEqual(chart!.xTicks.slice(0, 2), ['all kinds of sound', 'digital silence']);
  assert.deepEqual(
    chart!.series.map(({ points }) => points[0]!.estimate.value),
    [0.25, 0.75, 0],
  );
  // 3 words in 4 x 7 s.
  const pace = finding.answer.find(({ text }) => /^b .* words per minute/.test(text))!;
  assert.ok(pace.text.includes(formatCell(pace.estimate, 'number').main), pace.text);
  assert.equal(formatSampleSize(pace.estimate!.n), '20 recordings');
});

test('Recognizers that make up the same have no verdict, because of recordings and not of speakers.', async () => {
  const { finding } = await run({}, () => 'you', ['a', 'b']);
  assert.match(finding.answer[0]!.text, /No verdict: both have the same errors for every recording\.$/);
});

test('Without lengths there are no words a minute, and with few recordings no interval.', async () => {
  const { rows } = await run({ corpus: 'sounds' }, () => said('you', { soundSeconds: null }), ['a'], clips.slice(0, 4));
  const [row] = rows('hallucination-conditions');
  const pace = row!.pace as Estimate;
  assert.equal(pace.value, null);
  assert.match(reasonText(pace.reason!), /the duration of the clips is unknown/);
  const share = row!.share as Estimate;
  assert.equal(share.value, 1);
  assert.match(reasonText(share.reason!), /needs 10 recordings, and there are 4/);
});

test('Of few recordings, and of conditions that are trusted to leave no speech, a warning tells; of sounds nobody has to be trusted.', async () => {
  const warningsOf = async (options: object, recordings: number) =>
    (await run(options, () => '', ['a'], clips.slice(0, recordings))).finding.warnings;
  const trusted =
    'Earwitness trusts that these conditions leave no speech; if some is left, words found there are not hallucinated.';
  const few = (count: number) =>
    `An interval needs 10 recordings, and there are ${count}: there is no interval and no verdict.`;
  assert.deepEqual(await warningsOf({ corpus: 'sounds' }, 4), [few(4)]);
  assert.deepEqual(await warningsOf({ conditions: ['earwitness/silence:1'] }, 4), [few(4), trusted]);
  assert.deepEqual(await warningsOf({ corpus: 'sounds' }, 10), []);
});

test('Hostile words are counted like others, and endless texts are cut.', async () => {
  const says = (trial: Trial) => (number(trial) % 2 === 0 ? '__proto__ constructor' : 'word '.repeat(5000));
  const { rows } = await run({ corpus: 'sounds' }, says);
  const texts = rows('hallucination-texts').map(({ text }) => String(text));
  assert.ok(texts.some((text) => text.includes('proto')));
  assert.ok(texts.every((text) => text.length <= 300));
});

test('Speech left as it is, and names for two conditions, are told in one sentence.', async () => {
  await assert.rejects(
    run({ conditions: ['clean'] }, () => ''),
    /expected conditions that remove the speech/,
  );
  const twice = ['hum', 'hiss'].map((sound) => ({ name: 'loud', steps: [{ perturbation: sound, parameters: {} }] }));
  await assert.rejects(
    run({ conditions: twice }, () => ''),
    /expected unique condition names, but "loud" is used for two/,
  );
});

test('Clean audio stands among the conditions only where it was asked for, and nothing stands there twice.', async () => {
  const listed = ['earwitness/silence', 'earwitness/silence:2'];
  const heard = async (conditions: readonly string[]) => {
    const { rows } = await run({ corpus: 'sounds', conditions }, () => '');
    return rows('hallucination-conditions').map(({ sound }) => sound);
  };
  const rungs = ['digital silence', 'noise at -60 dB', 'noise at -40 dB', 'noise at -20 dB'];
  assert.deepEqual(await heard(listed), rungs);
  assert.deepEqual(await heard(['clean', ...listed]), ['clean', ...rungs]);
});

test('Nothing answered is said as that.', async () => {
  const { finding } = await run({}, () => failedWith('crash'));
  assert.match(finding.answer[0]!.text, /No trial was answered/);
});
