import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainEnglish } from './plain-english.ts';

const { words } = plainEnglish;

/** Said alike, by a speaker of English. */
const alike: readonly (readonly [string, string])[] = [
  ...["'", '’', 'ʼ', '`', '´', '＇', '‘'].flatMap((sign): (readonly [string, string])[] => [
    [`it${sign}s here and I don${sign}t know`, 'it is here and I do not know'],
    [`we${sign}re they${sign}ll I${sign}ve I${sign}m you${sign}d`, 'we are they will I have I am you would'],
    [`won${sign}t can${sign}t shan${sign}t let${sign}s ain${sign}t`, 'will not cannot shall not let us is not'],
    [`Anna${sign}s hat`, 'Annas hat'],
    [`O${sign}Neil at 2 o${sign}clock`, 'oneil at 2:00'],
    [`the 1980${sign}s`, 'the nineteen eighties'],
  ]),
  ["don 't", "don't"],
  ['we cannot go', 'we can not go'],
  ['dont didnt youre', 'do not did not you are'],
  ["he's been, she's gone", 'he has been, she has gone'],
  ["you'd better go", 'you had better go'],
  ["goin' home, get 'em", 'going home, get them'],
  ['gonna wanna', 'going to want to'],
  ['U.S.A. today', 'USA today'],
  ['U.S. and U.K.', 'US and UK'],
  ['u s a', 'U.S.A.'],
  ['A.I. is here', 'AI is here'],
  ['a i is here', 'AI is here'],
  ['Ph.D.', 'PhD'],
  ['at 10:00 a.m.', 'at ten a m'],
  ['at 10:00 AM', 'at ten a.m.'],
  ['at 10:05', 'at ten oh five'],
  ['at 9:30', 'at nine thirty'],
  ["ten o'clock", '10:00'],
  ['{hes} hello there', 'hello there'],
  ['hello there *coughs*', 'hello there'],
  ['hello [noise] <unk> (laughs) there', 'hello there'],
  ['um, well, uh, yes, hmm', 'well yes'],
  ['♪ music ♪ hello', 'hello'],
  ['CO2', 'CO₂'],
  ['C O two', 'CO2'],
  ['H2O', 'h two o'],
  ['mp3', 'MP three'],
  ['COVID-19', 'covid nineteen'],
  ['5km', 'five km'],
  ['20 mm', 'twenty mm'],
  ['colour grey centre organise', 'color gray center organize'],
  ['archaeology', 'archeology'],
  ['okay O.K. OK', 'ok ok ok'],
  ['e-mail', 'email'],
  ['Mr. Smith and Dr. Jones', 'mister smith and doctor jones'],
  ['on Main St.', 'on Main Street'],
  ['in St. Louis', 'in Saint Louis'],
  ['Gov. Brown', 'governor Brown'],
  ['1,250', 'twelve hundred fifty'],
  ['1,250,000', 'one million two hundred and fifty thousand'],
  ['3.5 million', '3500000'],
  ['a hundred', '100'],
  ['two hundred and five', '205'],
  ['1984', 'nineteen eighty four'],
  ['2024', 'twenty twenty-four'],
  ['one two three', '1, 2, 3'],
  ['one two three', '123'],
  ['double oh seven', '007'],
  ['three point one four', '3.14'],
  ['two and a half', '2.5'],
  ['2½', 'two and a half'],
  ['21st', 'twenty-first'],
  ['the 4th of July', 'the fourth of July'],
  ['wait a second', 'wait a 2nd'],
  ['$20', 'twenty dollars'],
  ['$20.50', 'twenty dollars and fifty cents'],
  ['$20.50', '20 dollars 50 cents'],
  ['$0.50', 'fifty cents'],
  ['$3 million', 'three million dollars'],
  ['£5', 'five pounds'],
  ['$1', 'one dollar'],
  ['50%', 'fifty percent'],
  ['50 %', 'fifty per cent'],
  ['-8', 'minus eight'],
  ['salt & pepper', 'salt and pepper'],
  ['20°C', 'twenty degrees Celsius'],
  ['café naïve', 'cafe naive'],
  ['hello\ufeff there co\u00adoperate over\u2060come', 'hello there cooperate overcome'],
  ['٢٥ people', '25 people'],
  ['well-known', 'well known'],
  ['john@example.com', 'john at example dot com'],
];

/** Said otherwise, or another word. */
const apart: readonly (readonly [string, string])[] = [
  ["it's", 'its'],
  ["we're", 'were'],
  ["he'll", 'hell'],
  ["Anna's hat", 'Anna is hat'],
  ["she's gone", 'she is going'],
  ['oh no', 'zero no'],
  ["O'Neil", '0 neil'],
  ['at this point five left', 'at this .5 left'],
  ['a second', 'a 3rd'],
  ['10:05', '10:50'],
  ['1.250', '1250'],
  ['tonne', 'ton'],
  ['really *good', 'really'],
  ['20 mm', '20'],
  ['♪ love me do ♪', ''],
  ['2 * 3 * 4', '2 4'],
  ['i can', 'i can not'],
  ['the US', 'the USA'],
];

test('What is said alike is one in plain-english.', () => {
  for (const [one, other] of alike) assert.deepEqual(words(one), words(other), `${one} | ${other}`);
});

test('What is said otherwise stays apart in plain-english.', () => {
  for (const [one, other] of apart) assert.notDeepEqual(words(one), words(other), `${one} | ${other}`);
});

test('Words of plain-english are those that a reader would count.', () => {
  for (const [text, expected] of [
    ["It’s 10:05 in the U.S.A. – we can't pay $20", 'it is 1005 in the usa we can not pay 20 dollars'],
    ['One more. The ones who came first.', 'one more the ones who came first'],
    ['No one is an island; I am', 'no one is an island i am'],
    ['Vitamin C, plan B', 'vitamin c plan b'],
    ['', ''],
    ['…', ''],
    ["'quoted' and ‘so’", 'quoted and so'],
    ["the dogs' bowls", 'the dogs bowls'],
  ] as const)
    assert.equal(words(text).join(' '), expected, text);
});

test('Words of plain-english stay as they are when normalized again, and hostile text takes time in proportion to its length.', () => {
  for (const [one] of alike) assert.deepEqual(words(words(one).join(' ')), words(one), one);
  for (const text of [
    '*a'.repeat(100_000),
    "' ".repeat(200_000),
    '1 '.repeat(100_000),
    'a.'.repeat(200_000),
    'a '.repeat(200_000),
    '{'.repeat(200_000),
    '♪ '.repeat(100_000),
    'double '.repeat(50_000),
    '$1'.repeat(100_000),
    '1:0'.repeat(100_000),
    ' '.repeat(500_000),
  ]) {
    const before = process.cpuUsage();
    words(text);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 3e6, `${text.slice(0, 10)} ${user + system}`);
  }
});
