import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { normalizerNamed } from '../normalizers/normalizers.ts';
import { tastes } from '../normalizers/written/tables.ts';
import { parseSpellings, withSpellings } from './spellings.ts';

/** Equal to those who write so, and another word to others. */
const taste: readonly (readonly [name: string, language: string, one: string, other: string])[] = [
  ['sharp-s', 'de', 'Straße GROẞ', 'Strasse GROSS'],
  ['umlauts', 'de', 'Über Öl', 'Ueber Oel'],
  ['oe', 'fr', 'cœur Œuvre', 'coeur Oeuvre'],
  ['yo', 'ru', 'всё Ёж', 'все Еж'],
  ['hamza', 'ar', 'أحمد إلى آمن', 'احمد الي امن'],
  ['alef-maksura', 'ar', 'على', 'علي'],
  ['teh-marbuta', 'ar', 'مدرسة', 'مدرسه'],
  ['half-space', 'fa', 'می\u200cخواهم', 'میخواهم'],
  ['vietnamese-y', 'vi', 'kỹ lý', 'kĩ lí'],
  ['hindi-nasals', 'hi', 'हिन्दी', 'हिंदी'],
  ['amharic-sounds', 'am', 'ሐኀ ሠላም ዐለም ፀሐይ', 'ሀሀ ሰላም አለም ጸሀይ'],
  ['han-numbers', 'ja', '二十五人と三千二百万と二〇二四年', '25人と32000000と2024年'],
];

test('A matter of taste is one where it is asked for, and two elsewhere; each has an example.', () => {
  assert.deepEqual(taste.map(([name]) => name).sort(), Object.keys(tastes).sort());
  for (const [name, language, one, other] of taste) {
    const without = normalizerNamed('by-language');
    const { words } = normalizerNamed(name === 'hamza' ? 'by-language+hamza+alef-maksura' : `by-language+${name}`);
    assert.deepEqual(words(one, language), words(other, language), name);
    assert.notDeepEqual(without.words(one, language), without.words(other, language), name);
  }
  // Where a taste is one of some languages, others keep theirs.
  const { words } = normalizerNamed('by-language+umlauts');
  assert.notDeepEqual(words('öl', 'fi'), words('oel', 'fi'));
});

test('Equal spellings of a list count as one after any normalizer, the longest first, by the language of the text.', () => {
  const spellings = parseSpellings('# mine\nO K,okay,ok\n"e-mail, the",mail\ncolour,color\ncolour,culur\n', 'mine.csv');
  for (const base of ['basic', 'plain', 'english', 'none', 'by-language']) {
    const normalizer = withSpellings(normalizerNamed(base), { tastes: [], lists: [{ name: 'mine.csv', spellings }] });
    assert.equal(normalizer.name, `${base}+mine.csv`);
    const same = (one: string, other: string) =>
      assert.deepEqual(normalizer.words(one, 'und'), normalizer.words(other, 'und'), `${base}: ${one} ${other}`);
    same('that is O K', 'that is ok');
    same('okay', 'ok');
    same('the colour', 'the culur');
    assert.notDeepEqual(normalizer.words('o', 'und'), normalizer.words('ok', 'und'));
    const last = normalizer.explain('O K then', 'und').at(-1)!.text;
    assert.equal(last.trim(), normalizer.words('O K then', 'und').join(' '));
  }
  const ukrainian = withSpellings(normalizerNamed('by-language'), {
    tastes: [],
    lists: [{ name: 'x', spellings: [['пʼять', '5']] }],
  });
  assert.deepEqual(ukrainian.words("п'ять", 'uk'), ukrainian.words('5', 'uk'));
});

test('Rules of a GLM make their sides equal as whole words, alternatives by their first.', () => {
  const glm = `;;
* name "mine"
[TAXPAYERS] => TAX PAYERS / [ ] __ [ ]
[HE'S] => { HE IS / HE HAS } / [ ] __ [ ]
[UH] => [ ] / [ ] __ [ ]
[CITY] => TOWN / [NEW] __ [ ]
`;
  const { words } = withSpellings(normalizerNamed('plain'), {
    tastes: [],
    lists: [{ name: 'en.glm', spellings: parseSpellings(glm, 'en.glm') }],
  });
  const same = (one: string, other: string) => assert.deepEqual(words(one), words(other), `${one} | ${other}`);
  same('taxpayers, uh, pay', 'tax payers pay');
  same("he's gone", 'he is gone');
  same('new city', 'new town');
  assert.notDeepEqual(words('old city'), words('old town'));
  assert.notDeepEqual(words('heis'), words('he is'));
});

test('A list that cannot be read is refused with its line, and a name that is none with those that are.', () => {
  const told = (make: () => unknown, what: RegExp) =>
    assert.throws(make, (error) => error instanceof EarwitnessError && what.test(error.message));
  told(() => parseSpellings('a,b\nalone', 'x.csv'), /^x\.csv:2: expected two spellings .* but here is “alone”$/);
  told(() => parseSpellings('a\tb\nc\t', 'x.tsv'), /^x\.tsv:2: expected two spellings of a word, parted by a tab/);
  told(() => normalizerNamed('basic+yoo'), /expected equal spellings by name \(sharp-s, .*did you mean "yo"\?$/);
  told(() => normalizerNamed('basik+yo'), /did you mean "basic"\?$/);
});

test('a first line that says one spelling alone is refused, also where heads are called so', () => {
  for (const text of ['a,\n', 'a\t\n', 'a,\nb,c\n'])
    assert.throws(() => parseSpellings(text, 'mine.csv'), /mine\.csv:1: expected two spellings of a word/, text);
  assert.deepEqual(parseSpellings('a,b\ncolour,color\n', 'mine.csv'), [['color', 'colour']]);
});
