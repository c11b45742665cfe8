import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInLanguage, languageTag, longestTag, statedLanguage, unknownLanguageNotes } from './language-tag.ts';

test('languages are tags of today, also where they were written in an older form or by their English name', () => {
  const tags = {
    zh_CN: 'zh-CN',
    jpn: 'ja',
    'zh-yue': 'yue',
    'zh-yue-HK': 'yue-HK',
    'zh-cmn-Hans-CN': 'zh-Hans-CN',
    'zh-min-nan': 'nan',
    'zh-hakka': 'hak',
    nan: 'nan',
    Chinese: 'zh',
    mandarin: 'zh',
    'Min Nan Chinese': 'nan',
    JAPANESE: 'ja',
    thai: 'th',
    Cantonese: 'yue',
    Hawaiian: 'haw',
  };
  const place = () => 'list.tsv:2';
  assert.deepEqual(
    Object.keys(tags).map((text) => languageTag(text, place)),
    Object.values(tags),
  );
  // The codes of countries that have three letters are none of languages spoken there.
  for (const text of ['zh-CHN', 'plain english', 'foobar', ''])
    assert.throws(
      () => languageTag(text, place),
      /list\.tsv:2: expected a language like en or en-GB \(BCP 47\), or its English name, but found "/,
    );
});

test('names of locales are languages: with a set of characters, a modifier or a script behind them', () => {
  // The names that glibc (localedata/SUPPORTED), macOS, Java and Windows give.
  const tags = {
    'zh_CN.UTF-8': 'zh-CN',
    'en_US.utf8': 'en-US',
    'de_DE.ISO-8859-1': 'de-DE',
    'de_DE.ISO-8859-15@euro': 'de-DE',
    'de_DE@euro': 'de-DE',
    'fr.UTF-8': 'fr',
    'German_Germany.1252': 'de',
    'Chinese (Simplified)_China.936': 'zh',
    'English_United States.utf8': 'en',
    'ja_JP.eucJP': 'ja-JP',
    'iw_IL.UTF-8': 'he-IL',
    'es_419.UTF-8': 'es-419',
    'zh_Hans_CN.UTF-8': 'zh-Hans-CN',
    'sr_RS.UTF-8@latin': 'sr-Latn-RS',
    'uz_UZ@cyrillic': 'uz-Cyrl-UZ',
    'sd_IN.UTF-8@devanagari': 'sd-Deva-IN',
    'ca_ES@valencia': 'ca-ES-valencia',
    'de_DE@collation=phonebook': 'de-DE',
    'yue_HK.UTF-8': 'yue-HK',
    'zh_TW_#Hant': 'zh-Hant-TW',
    ' pt_BR.UTF-8 ': 'pt-BR',
  };
  assert.deepEqual(
    Object.keys(tags).map((text) => languageTag(text, () => '')),
    Object.values(tags),
  );
  for (const text of ['UTF-8', 'a.wav', 'x_Y.UTF-8', 'zh_CHN.UTF-8', 'en_US.', 'en.wav/x', 'anna@home'])
    assert.throws(() => languageTag(text, () => 'here'), /here: expected a language like en/);
});

test('the locale of nobody is no language, and a language of which nothing is known is told', () => {
  for (const text of ['C', 'POSIX', 'C.UTF-8', 'C.utf8', 'posix', 'und']) {
    assert.equal(
      languageTag(text, () => ''),
      'und',
      text,
    );
    assert.equal(
      statedLanguage(text, () => ''),
      null,
      text,
    );
  }
  assert.equal(
    statedLanguage('ca_ES.UTF-8', () => ''),
    'ca-ES',
  );
  assert.equal(
    statedLanguage(undefined, () => ''),
    null,
  );
  for (const text of ['klingon', 'xx'])
    assert.match(
      unknownLanguageNotes(statedLanguage(text, () => '')).join(),
      /^nothing is known of how language (tlh|xx) is written/,
    );
  for (const text of [null, 'en', 'sw', 'yue', 'haw', 'zh-Hant-TW'])
    assert.deepEqual(unknownLanguageNotes(text), [], `${text}`);
});

test('a language is within another where that is a whole beginning of its tag, and not where it only begins with the same letters', () => {
  const pairs = [
    ['zh-CN', 'zh'],
    ['zh', 'zh'],
    ['zh-CN', 'ZH-cn'],
    ['zh', 'zh-CN'],
    ['fil', 'fi'],
    ['zh-Hant-TW', 'zh-TW'],
  ] as const;
  assert.deepEqual(
    pairs.map(([language, range]) => isInLanguage(language, range)),
    [true, true, true, false, false, false],
  );
});

test('a name that somebody made of a tag is its longest beginning that is one', () => {
  const names = ['en-gb', 'en-us-nyc', 'zh_CN', 'zh_CN.UTF-8', 'gmw-pro', 'a voice', ''];
  assert.deepEqual(names.map(longestTag), ['en-GB', 'en-US', 'zh-CN', 'zh-CN', 'gmw', 'und', 'und']);
});
