import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { EarwitnessError } from '../../base/errors.ts';
import { golden } from '../../base/testing/golden.ts';
import { cer } from '../rates/rates-of-texts.ts';
import { basicText, watchWords } from './basic.ts';
import {
  byLanguage,
  countsCharacters,
  mixesUnits,
  normalizerAlone,
  normalizerOf,
  normalizerOfLanguages,
} from './by-language.ts';
import { makeNormalizer, normalizerIdentity } from './normalizer.ts';
import { normalizerNamed, normalizers } from './normalizers.ts';

const goldens = golden('normalizer/basic.tsv');

test('The basic normalizer leaves every golden text as Whisper’s does.', () => {
  const lines = readFileSync(goldens, 'utf8').trimEnd().split('\n').slice(1);
  assert.ok([570, 600].includes(lines.length), `${lines.length} texts`);
  for (const line of lines) {
    const cells = line.split('\t');
    const text = JSON.parse(cells[1]!);
    const expected: string = JSON.parse(cells[2]!);
    assert.equal(basicText(text), expected, text);
    assert.deepEqual(normalizers.basic!.words(text), expected.split(' ').filter(Boolean), text);
  }
});

test('plain keeps the marks that basic divides words at, and is basic for texts without what has two writings.', () => {
  const words = normalizerNamed('plain').words;
  // A text's own words, by eye: the danda and other punctuation go, matras, viramas, nuktas and tone marks stay.
  assert.deepEqual(words('नमस्ते, दुनिया। (हँसी) ज़रूर!'), ['नमस्ते', 'दुनिया', 'ज\u093cरूर']);
  assert.deepEqual(words('வணக்கம் உலகம்!'), ['வணக்கம்', 'உலகம்']);
  assert.deepEqual(words('আমার সোনার বাংলা।'), ['আমার', 'সোনার', 'বাংলা']);
  // A joiner between letter and virama; an emoji with its variation selector.
  let plain = 0;
  assert.deepEqual(words('র\u200d\u09cdয \u2764\ufe0f ok 1\ufe0f\u20e3'), ['র\u200d\u09cdয', 'ok', '1']);
  for (const line of readFileSync(goldens, 'utf8').trimEnd().split('\n').slice(1)) {
    const text: string = JSON.parse(line.split('\t')[1]!);
    const hasTwoWritings =
      /\p{M}|\p{Cf}|(?![0-9])\p{Nd}|[`´ʹʻʼʽʾʿ（【［]|\d[,.\u00a0]\d{3}|[\p{Sc}%‰°+&=@#×÷<>(−]|-\d/u;
    if (
      hasTwoWritings.test(text.toLowerCase().normalize('NFKC')) ||
      /[´（【［¼-¾⅐-⅞²³¹⁰⁴-⁹]|\p{L}\. ?\p{L}/u.test(text)
    )
      continue;
    plain++;
    assert.deepEqual(words(text), normalizers.basic!.words(text), text);
  }
  assert.ok(plain > 350, `${plain} texts`);
});

test('basic-characters takes characters with their marks as units where no blanks part words, and else is plain.', () => {
  const words = normalizerNamed('basic-characters').words;
  assert.deepEqual(words('コーヒーを2杯、USBで。'), ['コ', 'ー', 'ヒ', 'ー', 'を', '2', '杯', 'usb', 'で']);
  assert.deepEqual(words('ครับ ที่'), ['ค', 'รั', 'บ', 'ที่']);
  assert.deepEqual(words('ມື້ນີ້'), ['ມື້', 'ນີ້']);
  for (const text of ['नमस्ते, दुनिया!', "It's naïve", '한국어 사람', 'র\u200d\u09cdয'])
    assert.deepEqual(words(text), normalizers.plain!.words(text), text);
});

test('Where characters are words no blank between them counts in a CER; a blank that was written does.', () => {
  assert.equal(cer('今天天气很好', '今天天气真好', { normalizer: 'chinese' }), 1 / 6);
  assert.equal(cer('今日は暑い', '昨日は暑い', { normalizer: 'basic-characters' }), 1 / 5);
  assert.equal(cer('今 天', '今 夭', { normalizer: 'none' }), 1 / 3);
  assert.equal(cer('今天', '今夭', { normalizer: 'basic' }), 1 / 2);
  // Beside a Latin word no blank counts either: whether one stands there is a habit of typing.
  assert.equal(cer('我用api写', '我用 api 写', { normalizer: 'basic-characters' }), 0);
  assert.equal(cer('我用api写', '我用写', { normalizer: 'basic-characters' }), 3 / 6);
  assert.equal(cer('三時', '3時', { normalizer: 'basic-characters' }), 1 / 2);
  assert.equal(cer('use the api', 'use theapi', { normalizer: 'basic-characters' }), 1 / 11);
  const asked = ['zh', 'ja', 'th-TH', 'en', 'hi', 'ko', 'und'].map((tag) => byLanguage.hasCharacterWords!(tag));
  assert.deepEqual(asked, [true, true, true, false, false, false, false]);
});

test('By language, script decides where words are and what their marks are; of all others marks stay.', () => {
  const named = (tag: string) => normalizerOf(tag).name;
  for (const tag of ['nan', 'nan-TW', 'lzh', 'cdo', 'czh', 'zh_Hant_TW', 'chi'])
    assert.equal(named(tag), 'chinese', tag);
  for (const tag of ['dz', 'shn', 'nod', 'tts', 'JA', 'tib', 'bur']) assert.equal(named(tag), 'basic-characters', tag);
  for (const tag of 'dv mni sat yo hi gu_IN si de ko vi ru el tt zh-Latn und'.split(' '))
    assert.equal(named(tag), 'plain', tag);
  for (const tag of ['ar', 'he', 'fa-IR', 'ur', 'sd']) assert.equal(named(tag), 'basic-unpointed', tag);
  for (const tag of ['tr', 'az-AZ', 'tt-Latn']) assert.equal(named(tag), 'basic-turkic', tag);
  for (const tag of ['no such tag', '']) assert.equal(named(tag), 'plain', tag);
  for (const tag of ['en', 'en_IN', 'eng', 'EN-us']) assert.equal(named(tag), 'plain-english', tag);
});

test('Pointed and unpointed words are the same, capitals of Turkish too; what nobody sees counts in no normalizer of our own.', () => {
  const same = (name: string, left: string, right: string) =>
    assert.deepEqual(normalizerNamed(name).words(left), normalizerNamed(name).words(right), `${left} ${right}`);
  same('basic-unpointed', 'مُحَمَّد بالعالم', 'محمد بالعالم');
  same('basic-unpointed', 'שָׁלוֹם עוֹלָם', 'שלום עולם');
  same('basic-unpointed', 'كـــتاب', 'كتاب');
  assert.deepEqual(normalizerNamed('basic-unpointed').words('أحمد، (ضحك) café!'), ['أحمد', 'café']);
  same('basic-turkic', 'İSTANBUL IŞIK', 'istanbul ışık');
  assert.deepEqual(normalizerNamed('basic-turkic').words('I\u0307yi (alkış) Isı'), ['iyi', 'ısı']);
  for (const name of ['plain', 'basic-characters', 'basic-unpointed']) {
    same(name, '\u200fשלום עולם', 'שלום עולם');
    same(name, '好的👨\u200d👩\u200d👧', '好的');
    same(name, '葛\u{e0100}', '葛');
    same(name, 'so\u00adfa', 'sofa');
    same(name, '（拍手）【笑】こんにちは', 'こんにちは');
    assert.deepEqual(normalizerNamed(name).words('می\u200cخواهم', 'fa'), ['می\u200cخواهم']);
  }
});

test('What a normalizer does to words that it cannot find is told, with one that can.', () => {
  const told = (name: string, text: string, language?: string) => {
    const watch = watchWords(normalizerNamed(name));
    watch.see(text, language);
    return watch.told(false).map(({ better }) => better);
  };
  const beside = (reference: string, hypothesis: string) => {
    const watch = watchWords(normalizerNamed('basic'));
    watch.see(reference, undefined, hypothesis);
    return watch.told(true);
  };
  assert.deepEqual(told('basic', '今天天气很好'), ['chinese']);
  assert.deepEqual(told('none', '今日はとても暑い'), ['basic-characters']);
  assert.deepEqual(told('plain', 'วันนี้อากาศร้อน'), ['basic-characters']);
  assert.deepEqual(told('basic', 'नमस्ते'), ['plain']);
  assert.deepEqual(told('by-language', '今天天气很好', 'zh-CN'), []);
  assert.deepEqual(told('by-language', 'วันนี้อากาศร้อน', 'th'), []);
  assert.deepEqual(told('by-language', '今天天气很好', 'und'), ['chinese']);
  assert.deepEqual(told('basic', '今天 天气 很好'), []);
  assert.deepEqual(told('basic', '打开灯'), ['chinese']);
  assert.deepEqual(told('basic', 'สวัสดี'), ['basic-characters']);
  assert.deepEqual(told('basic', 'مُحَمَّد بالعالم'), ['basic-unpointed']);
  assert.deepEqual(told('basic-unpointed', 'مُحَمَّد بالعالم'), []);
  assert.deepEqual(told('english', 'हिन्दी'), ['plain']);
  assert.match(beside('今天 天气 很好', '今天天气很好')[0]!.sentence, /^1 of 1 utterances .*\(今天天气很好\)$/);
  assert.deepEqual(beside('今天 天气 很好', '今天 天气 真好'), []);
  // A few short words among many others may be the words that somebody divided.
  const watch = watchWords(normalizerNamed('basic'));
  for (const text of ['打开灯', '今天 天气', '很 好 吗']) watch.see(text);
  assert.deepEqual(watch.told(false), []);
  assert.deepEqual(told('basic', 'a plain sentence'), []);
});

test('Every normalizer is listed under its own name and gives words that are not empty for any text.', () => {
  for (const [name, normalizer] of Object.entries(normalizers)) {
    assert.equal(normalizer.name, name);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' })), (text) => {
        const words = normalizer.words(text);
        assert.ok(words.every((word) => word !== ''));
        assert.deepEqual(normalizer.words(`\u2003${text}\n`), words);
      }),
      { seed: 8 },
    );
  }
});

test('Without normalization a text is split at white space and nothing else.', () => {
  const words = normalizerNamed('none').words;
  assert.deepEqual(words('  Hello,\tWorld!\u00a0(x)\u3000y\u200bz\r\n'), ['Hello,', 'World!', '(x)', 'y\u200bz']);
  assert.deepEqual(words(' \n'), []);
});

test('srb deletes the 32 signs of ASCII punctuation and no other.', () => {
  // Python's string.punctuation: every printable ASCII character but letters, digits and the blank.
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
  const { words } = normalizerNamed('srb');
  assert.deepEqual(words(printable), ['0123456789abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz']);
  assert.deepEqual(words("Mother-in-law don't 9:30 ¿qué? “so” it’s… a—b CAFÉ"), [
    ...['motherinlaw', 'dont', '930', '¿qué', '“so”', 'it’s…', 'a—b', 'café'],
  ]);
  assert.deepEqual(words(' - ... '), []);
});

test('aequevox divides at five signs and white space, deletes the marker in capitals, and keeps all else.', () => {
  const { words } = normalizerNamed('aequevox');
  assert.deepEqual(words('Please call Stella: six-spoons, thick;blue.Peas'), [
    ...['please', 'call', 'stella', 'six', 'spoons', 'thick', 'blue', 'peas'],
  ]);
  assert.deepEqual(words("%HESITATION ask%HESITATION her, %hesitation things? (We're 50% $5/day!)"), [
    ...['ask', 'her', '%hesitation', 'things?', "(we're", '50%', '$5/day!)'],
  ]);
  // Each word by itself ends with the small sigma of the end of a word.
  assert.deepEqual(words('ΟΔΟΣ.Α ΟΔΟΣ\u00a0-'), ['οδος', 'α', 'οδος']);
});

test('What the steps of a normalizer make of a text ends with its words.', () => {
  for (const { name, words, explain } of Object.values(normalizers)) {
    for (const text of ["Mr. O'Brien won't pay $20.50 (laughs)", 'a', '', '今天 2024']) {
      const last = explain(text).at(-1)?.text ?? text;
      assert.equal(last.replace(/\s/g, ''), words(text).join(''), `${name}: ${text}`);
    }
  }
});

test('One that is made of steps takes them one after another.', () => {
  const made = makeNormalizer({
    name: 'shout',
    version: 3,
    about: 'Upper case, divided at commas.',
    steps: [
      { step: 'upper case', apply: (text) => text.toUpperCase() },
      { step: 'b for a', apply: (text) => text.replaceAll('A', 'B') },
    ],
    split: (text) => text.split(',').filter(Boolean),
  });
  assert.deepEqual(made.words('a c,,d'), ['B C', 'D']);
  assert.deepEqual(made.explain('a'), [
    { step: 'upper case', text: 'A' },
    { step: 'b for a', text: 'B' },
  ]);
  assert.deepEqual(normalizerIdentity(made), { name: 'shout', version: 3 });
  assert.deepEqual(normalizerIdentity({ ...made, module: 'ff' }), { name: 'shout', version: 3, module: 'ff' });
});

test('A megabyte of opening brackets is normalized at once.', () => {
  for (const bracket of ['[', '<', '(']) {
    const before = process.cpuUsage();
    normalizers.basic!.words(bracket.repeat(1_000_000));
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 2e6);
  }
});

test('An unknown name is answered with those that are known, and the nearest.', () => {
  for (const name of ['Basik', 'BASIC', '__proto__', 'toString', '', 'x'.repeat(10_000), '\u001b[2J']) {
    assert.throws(
      () => normalizerNamed(name),
      (thrown) =>
        thrown instanceof EarwitnessError &&
        thrown.code === 'bad-config' &&
        thrown.message.length < 300 &&
        !thrown.message.includes('\u001b') &&
        /expected the name of a normalizer \(by-language, none, basic, plain, basic-unpointed, basic-turkic, basic-characters, basic-marks, english, /.test(
          thrown.message,
        ),
    );
  }
  assert.throws(() => normalizerNamed('Basik'), /but got "Basik"; did you mean "basic"\?/);
  assert.throws(() => normalizerNamed('enlgish'), /did you mean "english"\?/);
});

test('Of several languages it is told whether characters were words in some of them, and whether words were of both kinds.', () => {
  const of = (...languages: string[]) => {
    const alone = normalizerAlone(new Set(languages.map(normalizerOf)));
    return [countsCharacters(alone), mixesUnits(alone)];
  };
  assert.deepEqual(of('en', 'fr'), [false, false]);
  assert.deepEqual(of('zh'), [true, false]);
  assert.deepEqual(of('zh', 'ja'), [true, false]);
  assert.deepEqual(of('zh', 'en'), [true, true]);
});

test('Texts of one language are counted in one way, whether each has a tag, which one, or none.', () => {
  for (const [languages, name] of [
    [['zh', 'zh-CN', 'und'], 'chinese'],
    [['zh-Latn-pinyin', 'zh-CN'], 'chinese'],
    [['zh-Latn-pinyin'], 'plain'],
    [['en-GB', 'und'], 'plain-english'],
    [['th', 'und'], 'basic-characters'],
    [['und'], 'plain'],
    [[], 'plain'],
    [['zh', 'en', 'und'], 'by-language'],
  ] as const) {
    assert.equal(normalizerOfLanguages(languages).name, name, languages.join());
  }
});
