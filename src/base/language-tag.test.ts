import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInLanguage, languageTag, longestTag } from './language-tag.ts';

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
  const names = ['en-gb', 'en-us-nyc', 'zh_CN', 'gmw-pro', 'a voice', ''];
  assert.deepEqual(names.map(longestTag), ['en-GB', 'en-US', 'zh-CN', 'gmw', 'und', 'und']);
});
