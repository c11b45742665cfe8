import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnspaced, isWrittenUnspaced, scriptOf } from './scripts.ts';

test('A script is that which the tag names, or the usual one of the language; nobody knows that of no language.', () => {
  // Unicode CLDR, likelySubtags.xml.
  const usual = { zh_TW: 'Hant', 'ZH-cn': 'Hans', jpn: 'Jpan', 'sr-Latn': 'Latn', sr: 'Cyrl', dv: 'Thaa', nan: 'Hans' };
  assert.deepEqual(Object.fromEntries(Object.keys(usual).map((tag) => [tag, scriptOf(tag)])), usual);
  assert.deepEqual(['und', '', 'no such tag', 'x', 'und-Thai'].map(scriptOf), [null, null, null, null, 'Thai']);
});

test('Chinese, Japanese, Thai and their like put no blanks between words; Korean and Vietnamese do.', () => {
  const asked = ['zh', 'yue-HK', 'ja', 'th', 'lo', 'my', 'km', 'dz', 'ko', 'vi', 'zh-Latn', 'und'];
  assert.deepEqual(asked.filter(isWrittenUnspaced), ['zh', 'yue-HK', 'ja', 'th', 'lo', 'my', 'km', 'dz']);
  assert.deepEqual(['京', 'รั', '北京', 'a', ''].map(isUnspaced), [true, true, false, false, false]);
});
