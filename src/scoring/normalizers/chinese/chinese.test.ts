import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { basicCharacters } from '../basic.ts';
import { chinese, chineseNumber } from './chinese.ts';

const say = (text: string) =>
  chinese
    .words(text)
    .join(' ')
    .replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '');

// Readings as a Mandarin speaker gives them (GB/T 15835-2011 for the choice between 零 and 〇 and for years).
const readings: Readonly<Record<string, string>> = {
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
  '今天，2024年': '今天二零二四年',
  '好，2个人': '好两个人',
  '时间：10:30': '时间十点三十分',
  '3km-5km': '三公里到五公里',
  '5-10kg': '五到十公斤',
  '-5~3℃': '零下五到三摄氏度',
  '2-3ml': '二到三毫升',
  '10ml': '十毫升',
  '20cm': '二十厘米',
  '220v': '二百二十伏',
  '24h': '二十四小时',
};

// Where one letter behind a number may be a unit or a name, it is what Mandarin speakers say with the letter.
const names: Readonly<Record<string, string>> = {
  '5g网络': '五 g 网络',
  '16g内存': '十六 g 内存',
  '128gb': '一百二十八 gb',
  '2t硬盘': '二 t 硬盘',
  '100m宽带': '一百 m 宽带',
  '60s': '六十 s',
  '1.5t排量': '一点五 t 排量',
  'iphone 5s手机': 'iphone 五 s 手机',
  'iphone-5s': 'iphone 五 s',
  '4s店': '四 s 店',
  '16g-32g': '十六 g 到三十二 g',
  '30k': '三十 k',
};

test('Figures are read as Chinese characters.', () => {
  for (const [written, spoken] of Object.entries(readings)) {
    assert.equal(say(written), spoken, written);
    assert.equal(say(spoken), spoken);
  }
  for (const [written, spoken] of Object.entries(names)) assert.equal(say(written), spoken, written);
});

test('Letter case changes no word.', () => {
  for (const written of [...Object.keys(readings), ...Object.keys(names), '我用iPhone', 'HK$5', 'QQ12345', '5m2']) {
    const words = chinese.words(written);
    assert.deepEqual(chinese.words(written.toUpperCase()), words, written);
    assert.deepEqual(chinese.words(written.toLowerCase()), words, written);
  }
});

test('Blanks between figures and characters, and between characters, change no word.', () => {
  const blank = ' ';
  const places =
    /(?<=[\p{Script=Han}\d])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\d)|(?<=\d)(?=[%‰％:/]\d?)|(?<=\d[:/])(?=\d)/gu;
  let texts = 0;
  for (const written of [...Object.keys(readings), ...Object.keys(names)]) {
    for (const text of [written, `会议定于${written}`, `${written}左右`, `他说：${written}，2个人和第2名`]) {
      const words = chinese.words(text);
      const spots = [...text.matchAll(places)].map(({ index }) => index);
      for (const at of spots) assert.deepEqual(chinese.words(text.slice(0, at) + blank + text.slice(at)), words, text);
      for (const blanks of [blank, '\u3000', '\u00a0', ' \t'])
        assert.deepEqual(chinese.words(text.replaceAll(places, blanks)), words, text);
      texts += spots.length + 1;
    }
  }
  assert.ok(texts > 500, `${texts} texts`);
  for (const [written, spoken] of Object.entries({
    '会议定于 2024 年 3 月 5 日': '会议定于二零二四年三月五日',
    '20 %': '百分之二十',
    '第 2 名': '第二名',
    '2000 年': '二零零零年',
    '1990 年代': '一九九零年代',
    '24 年 3 月': '二四年三月',
    '3 : 2': '三比二',
    '2 : 30': '两点三十分',
    '1 / 2': '二分之一',
    '¥ 3.5 万 元': '三点五万元',
    '电话 是 12345': '电话是一二三四五',
    '我 有 2 个 iphone 12 手机': '我有两个 iphone 十二手机',
  }))
    assert.equal(say(written), spoken, written);
});

test('Blanks join no two numbers and no number and word.', () => {
  assert.equal(say('1 3 年'), '一三年');
  assert.deepEqual(chinese.words('mp 3 4 个'), ['mp', '三', '四', '个']);
  assert.deepEqual(chinese.words('a b 5 c'), ['a', 'b', '五', 'c']);
});

test('Remarks in brackets are dropped as basic-characters drops them, in full width too; quotes and titles are said.', () => {
  for (const text of ['[笑]大家好', '大家(笑)好', '<noise>大家好', '大家好()', '大[家', '家]好', '<a]大', '(一'])
    assert.deepEqual(chinese.words(text), basicCharacters.words(text), text);
  for (const [opening, closing] of ['（）', '［］', '＜＞', '【】', '〔〕', '〈〉'])
    assert.deepEqual(chinese.words(`${opening}笑 laughs${closing}大家好`), ['大', '家', '好'], opening);
  assert.equal(say('「大家」『好』《书》“是”⑴'), '大家好书是一');
});

test('A circle between Chinese figures is a zero, elsewhere a sign.', () => {
  for (const written of ['二○二四年', '二〇二四年', '二 ○ 二 四 年']) assert.equal(say(written), '二零二四年');
  assert.equal(say('一九九○年和二○○八年'), '一九九零年和二零零八年');
  assert.equal(say('选○，第一○'), '选第一');
});

test('Characters are units, Latin words stay whole, traditional characters stay.', () => {
  assert.deepEqual(chinese.words('Hello，World！你好。'), ['hello', 'world', '你', '好']);
  assert.deepEqual(chinese.words('MP3和5G手机'), ['mp', '三', '和', '五', 'g', '手', '机']);
  assert.deepEqual(chinese.words('𠀀\u{e0100}字'), ['𠀀', '字']);
  assert.deepEqual(chinese.words('萬一'), ['萬', '一']);
  assert.deepEqual(chinese.words('ＡＢＣ「测试」'), ['abc', '测', '试']);
  assert.deepEqual(chinese.words(' ，。'), []);
});

test('What was read once is read the same again.', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          ...'0 1 2 50 2024 年 月 个 % / : - . , ¥ km G ℃ 好 萬 〇 ○ 二 a B [ 】 （ ) ， 。 \ud800 𠀀'.split(' '),
          ' ',
        ),
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
