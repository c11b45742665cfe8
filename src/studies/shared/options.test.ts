import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Utterance } from '../../model/utterance.ts';
import { robustness } from '../robustness/robustness.ts';
import { chosenNormalizer } from './options.ts';
import { inventedContext, inventedRun, recognizerNamed, rowsOf, spoken } from './testing/testing.ts';

const french = spoken('fr', "Don't", { language: 'fr' });
const english = spoken('en', "Don't", { language: 'en-GB' });
const unknown = spoken('und', "Don't", { language: 'und' });

/** What became of the words where everybody is heard to say "do not", and what the finding says made them. */
async function ran(utterances: readonly Utterance[], options: object = {}) {
  const context = inventedContext(utterances, [recognizerNamed('r')]);
  const finding = await inventedRun(robustness, { conditions: [], ...options }, context, () => 'do not');
  const [{ substitutions, words } = {}] = rowsOf(finding, 'robustness-conditions');
  return [(finding.settings.normalizer as { readonly name: string }).name, substitutions, words];
}

test('Words are made by the language of each utterance, and the finding names what made them.', async () => {
  // "don't" is "do not" in English; elsewhere it is "don t", of which both words are wrong.
  assert.deepEqual(await ran([english]), ['plain-english', 0, 2]);
  assert.deepEqual(await ran([french]), ['plain', 2, 2]);
  assert.deepEqual(await ran([unknown, french]), ['plain', 4, 4]);
  assert.deepEqual(await ran([french, english]), ['by-language', 2, 4]);
  assert.deepEqual(await ran([english], { normalizer: 'basic' }), ['basic', 2, 2]);
});

test('A vowel sign that was heard wrong is an error in the languages that write them, and one word stays one.', async () => {
  const context = (language: string) =>
    inventedContext([spoken('hi', 'नमस्ते दुनिया', { language })], [recognizerNamed('r')]);
  const told = async (language: string) => {
    const finding = await inventedRun(robustness, { conditions: [] }, context(language), () => 'नमस्ते दुनिय');
    const [{ substitutions, words } = {}] = rowsOf(finding, 'robustness-conditions');
    return [(finding.settings.normalizer as { readonly name: string }).name, substitutions, words];
  };
  for (const language of ['hi', 'HI-in', 'hi_IN', 'hin', 'ta', 'bn-BD', 'si'])
    assert.deepEqual(await told(language), ['plain', 1, 2], language);
  assert.deepEqual(await told('und'), ['plain', 1, 2]);
});

test('One wrong character of a sentence without blanks is one error of as many as it has.', async () => {
  const told = async (language: string, said: string, answer: string) => {
    const context = inventedContext([spoken('one', said, { language })], [recognizerNamed('r')]);
    const finding = await inventedRun(robustness, { conditions: [] }, context, () => answer);
    const [{ substitutions, words, characterErrorRate, wordErrorRate } = {}] = rowsOf(finding, 'robustness-conditions');
    const rates = [characterErrorRate, wordErrorRate].map((rate) => (rate as { readonly value: number }).value);
    // Of Korean, which has blanks, one character of six is wrong, and one word of two.
    assert.deepEqual(rates, language === 'ko' ? [1 / 6, 1 / 2] : [rates[1], Number(substitutions) / Number(words)]);
    const ofCharacters = ['zh', 'yu', 'cm', 'ja', 'jp', 'th'].some((one) => language.startsWith(one));
    assert.equal(/but beside characters that are words$/.test(String(finding.settings.alignment)), ofCharacters);
    return [(finding.settings.normalizer as { readonly name: string }).name, substitutions, words];
  };
  for (const language of ['zh', 'zh-Hant-TW', 'cmn', 'yue_HK'])
    assert.deepEqual(await told(language, '今天天气很好', '今天天气真好'), ['chinese', 1, 6], language);
  for (const language of ['ja', 'ja-JP', 'jpn'])
    assert.deepEqual(await told(language, '今日は暑い', '昨日は暑い'), ['basic-characters', 1, 5], language);
  assert.deepEqual(await told('th', 'วันนี้', 'วันที่'), ['basic-characters', 1, 3]);
  assert.deepEqual(await told('ko', '오늘 더워요', '오늘 추워요'), ['plain', 1, 2]);
});

test('What is asked without a language is taken for the one that all utterances are in.', async () => {
  const chosen = (...languages: string[]) =>
    chosenNormalizer(
      inventedContext(
        languages.map((language, index) => spoken(`${index}`, 'x', { language })),
        [],
      ),
      'by-language',
    );
  assert.deepEqual((await chosen('uk', 'uk-UA')).words("п'ять"), ['пʼять']);
  assert.deepEqual((await chosen('uk', 'uk-UA')).words("п'ять", 'fr'), ['п', 'ять']);
  assert.deepEqual((await chosen('uk', 'fr')).words("п'ять"), ['п', 'ять']);
});

test('The profile of a paper keeps its own normalizer, and one that is named comes first.', async () => {
  // As the benchmark has it, "don't" is "dont".
  assert.deepEqual(await ran([english], { profile: 'srb' }), ['srb', 1, 1]);
  assert.deepEqual(await ran([english], { profile: 'srb', normalizer: 'english' }), ['english', 0, 2]);
});
