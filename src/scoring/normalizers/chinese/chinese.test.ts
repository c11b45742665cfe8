import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chinese, chineseNumber } from './chinese.ts';

const say = (text: string) =>
  chinese
    .words(text)
    .join(' ')
    .replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '');

// Readings as a Mandarin speaker gives them (GB/T 15835-2011 for the choice between 零 and 〇 and for years).
test('Figures are read as Chinese characters.', () => {
  const readings: Record<string, string> = {
    '10': '十',
    '12': '十二',
    '20': '二十',
    '101': '一百零一',
    '110': '一百一十',
    '1001': '一千零一',
    '1010': '一千零一十',
    '2000': '两千',
    '10000': '一万',
    '100500': '十万零五百',
    '20010500': '两千零一万零五百',
    '100000001': '一亿零一',
    '1,234,567': '一百二十三万四千五百六十七',
    '3.14': '三点一四',
    '-5': '负五',
    '007': '零零七',
    '１２３': '一百二十三',
    '2024年': '二零二四年',
    二〇二四年: '二零二四年',
    '2024年12月25日': '二零二四年十二月二十五日',
    '2024-12-25': '二零二四年十二月二十五日',
    '1998-2002年': '一九九八到二零零二年',
    '90年代': '九十年代',
    '50%': '百分之五十',
    '3.5％': '百分之三点五',
    '1/2': '二分之一',
    '¥100': '一百元',
    '￥3.5万': '三点五万元',
    $5: '五美元',
    '2.5亿元': '二点五亿元',
    '5km': '五公里',
    '-5℃': '零下五摄氏度',
    '100km/h': '一百公里每小时',
    '10:30': '十点三十分',
    '8:05': '八点零五分',
    '2:00': '两点',
    '13812345678': '一三八一二三四五六七八',
    '010-12345678': '零一零一二三四五六七八',
    电话12345: '电话一二三四五',
    '3-5个': '三到五个',
    '3:2': '三比二',
    '2个人': '两个人',
    第2: '第二',
    '2月': '二月',
    '1200万人': '一千二百万人',
  };
  for (const [written, spoken] of Object.entries(readings)) assert.equal(say(written), spoken, written);
});

test('Characters are units, Latin words stay whole, traditional characters stay.', () => {
  assert.deepEqual(chinese.words('Hello，World！你好。'), ['hello', 'world', '你', '好']);
  assert.deepEqual(chinese.words('MP3和5G手机'), ['mp', '三', '和', '五', 'g', '手', '机']);
  assert.deepEqual(chinese.words('𠀀\u{e0100}字'), ['𠀀', '字']);
  assert.deepEqual(chinese.words('萬一'), ['萬', '一']);
  assert.deepEqual(chinese.words('ＡＢＣ（测试）'), ['abc', '测', '试']);
  assert.deepEqual(chinese.words(' ，。'), []);
});

test('What was read once is read the same again.', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(...'0 1 2 50 2024 年 月 个 % / : - . , ¥ km ℃ 好 萬 〇 a B ， 。 \ud800 𠀀'.split(' '), ' '),
      ),
      (pieces) => {
        const words = chinese.words(pieces.join(''));
        assert.deepEqual(chinese.words(words.join(' ')), words);
        for (const word of words) assert.doesNotMatch(word, /\d/);
      },
    ),
    { seed: 5, numRuns: 300 },
  );
});

test('Different numbers are read differently, up to the longest names.', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
      fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
      (left, right) => {
        if (left !== right) assert.notEqual(chineseNumber(String(left)), chineseNumber(String(right)));
      },
    ),
    { seed: 5 },
  );
  assert.equal(chineseNumber(`1${'0'.repeat(20)}`), `一${'零'.repeat(20)}`);
});
