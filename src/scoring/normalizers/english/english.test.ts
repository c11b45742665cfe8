import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../../base/testing/golden.ts';
import { americanSpellings, english, englishText } from './english.ts';

const goldens = golden('normalizer/english.tsv');

/** Made texts with what the EnglishTextNormalizer of openai-whisper 20250625 makes of them, run under Python 3.11. */
const whisper: readonly (readonly [text: string, normalized: string])[] = [
  ['Mrs. Anna! the dogs?', 'missus anna the dogs'],
  ["dunno O'Neil go to the colour", 'dunno 0 neil go to the color'],
  ["Johnson's said esq to the house", 'johnson is said esquire to the house'],
  ["Smith said I'ma to the dogs", 'smith said i am going to to the dogs'],
  ['Mr Lee Jr. and Mr Lee Sr.', 'mister lee junior and mister lee senior'],
  ["Rev. Anna of St O'Neil", 'reverend anna of saint 0 neil'],
  ['Mrs. García', 'missus garcia'],
  ['Gov. García met Sen. Anna', 'governor garcia met senator anna'],
  ['there were three of them', 'there were 3 of them'],
  ['minus forty six degrees', '-46 degrees'],
  ['page twenty of the state-of-the-art tool', 'page 20 of the state of the art tool'],
  ['about nine train came', 'about 9 train came'],
  ['1 colour', 'one color'],
  ['3,967,711,275', '3967711275'],
  ['1/775', 'one 775'],
  ['945 state-of-the-art tool', '945 state of the art tool'],
  ['fifty-two euros', '€52'],
  ['$68,000.00', '$68000'],
  ['fifty-two dollars and eighty three cents', '$52.83'],
  ['ninety bucks', '90 bucks'],
  ['sixth train and eighth train', '6th train and 8th train'],
  ['thirty of may', '30 of may'],
  ['thousandth of may', '1000th of may'],
  ['the hundredth house', 'the 100th house'],
  ["since '74", 'since 74'],
  ['two thousand and ninety-three', '2093'],
  ['eighteen hundred', '1800'],
  ['two thousand and thirty nine', '2039'],
  ['6/9', '6 9'],
  ['twenty one point nine two', '21.92'],
  ['twenty eight point seven seven', '28.77'],
  ['thirty point nine one', '30.91'],
  ['4/16/2010', '4 16 2010'],
  ['half past five', 'half past 5'],
  ["2 o'clock", '20 clock'],
  ['half past three', 'half past 3'],
  ['7 6 6 4 5 1 6', '7 6 6 4 5 one 6'],
  ['four zero zero eight six zero five zero two eight', '4008605028'],
  ['double four triple four', '44444'],
  ['call 373-773', 'call 373 773'],
  ['videodiscs train', 'videodisks train'],
  ['the economised of colour', 'the economized of color'],
  ['prioritised state-of-the-art tool', 'prioritized state of the art tool'],
  ['Behove, Behove-like', 'behoove behoove like'],
  ["♪ O'Neil ♪", '0 neil'],
  ['(applause) Smith left', 'smith left'],
  ['García <noise> people', 'garcia people'],
  ['inaudible 00:12]', 'inaudible 0 12'],
  ["uhh O'Neil", 'uhh 0 neil'],
  ["hm Johnson's", 'hm johnson is'],
  ["mhm, O'Neil", '0 neil'],
  ['er Anna ah people', 'er anna ah people'],
  ['dogs_Smith', 'dogs smith'],
  ['house\u200bMr Lee', 'house\u200bmister lee'],
  ["colour!!! O'Neil??", 'color 0 neil'],
  ["train–Johnson's", 'train johnson is'],
  ['été côte', 'ete cote'],
  ['5 µm 5 μm', '5 μm 5 μm'],
  ['İstanbul ıslak', 'istanbul ıslak'],
  ['ᴭ Æ æ', 'AE ae ae'],
  ['Ⅷ Ⅳ ①②', 'viii iv 12'],
  ['العَرَبِيَّة', 'العربية'],
  ['Γειά σου Κόσμε;', 'γεια σου κοσμε'],
  ['𝒯𝓮𝓼𝓽 𝟙𝟚', 'Test 12'],
  ['עִבְרִית מְנֻקֶּדֶת', 'עברית מנקדת'],
  ['ten to the fifth', '10 to the 5th'],
  ['1 hundred and 5', '100 5'],
  ['thirty first', '31st'],
  ['trillion', '1000000000000'],
  ['10:00 or 1:05', '10 0 or one 5'],
  ['21 st, 21st, Main St.', '21 saint 21st main saint'],
  ['20 mm or 20mm or 5mmm', '20 or 20 mm or 5 hmm'],
  ["1980's", '1980 is'],
  ['two and a half million', '2500000'],
  ['a million and a half, cat and a half', 'a 1000000.5 cat and a half'],
  ['and a half', ''],
  ['minus and plus nothing', '-and plus nothing'],
  ['twenty dollars and seven cents', '$20.07'],
  ['zero dollars and five cents', '¢5'],
  ['$0.07 and $0.5', '¢7 and ¢5'],
  ['ninety nine point five per cent', '99.5%'],
  ['five per hour', '5 per hour'],
  ['one hundred and five thousandths', '105 thousandths'],
  ['two million five hundred', '2000500'],
  ['nineteen oh five', '1905'],
  ['1.2.3 hundred', 'one.2.3 100'],
  ['1.25 hundred 1.234 hundred', '125 one.234 100'],
  ['point double point hundred', 'double 100'],
  ['١٢.٠ ٣.٥ hundred', '12 0 3 500'],
  ['double hundred triple oh', 'double 100000'],
  ["he'd been sn't 's been't", 'he had been s not has bee not'],
  ["i'ma'am", 'i am going to am'],
  ['the archaeology of gaol', 'the archeology</span> of jail'],
  ['nine hundred ninety nine decillion million', '999000000000000000000000000000000000'],
  ['sixes and thirties and hundreds', '6s and 30s and 100s'],
  ['minus five dollars plus $3', '$5 plus $3'],
  ['second twenty thirds', '2nd 20 thirds'],
];

test('Every golden text comes out as Whisper’s own English normalizer leaves it.', () => {
  const lines = readFileSync(goldens, 'utf8').trimEnd().split('\n').slice(1);
  assert.ok([710, 800].includes(lines.length), `${lines.length} texts`);
  for (const line of lines) {
    const [, text, expected] = line.split('\t').map((cell, column) => (column === 0 ? cell : JSON.parse(cell || '""')));
    assert.equal(englishText(text), expected, text);
  }
});

test('A sample of texts comes out as Whisper’s own English normalizer leaves it, traps included.', () => {
  for (const [text, expected] of whisper) {
    assert.equal(englishText(text), expected, text);
    assert.deepEqual(english.words(text), expected.split(' ').filter(Boolean), text);
  }
});

test('The table of spellings is Whisper’s, pair for pair.', () => {
  const pairs = [...americanSpellings].map(([british, american]) => `${british} ${american}`).sort();
  assert.equal(pairs.length, 1738);
  // Of the file english.json of openai-whisper 20250625 without its key "flyer / flier", written and sorted in the same way.
  assert.equal(
    createHash('sha256').update(pairs.join('\n')).digest('hex'),
    '00152c08b8bc887b1b9c6283b79d0cc389df56819d2010d10e24a70b35e4d62d',
  );
});

test('Hostile text takes time in proportion to its length.', () => {
  const seconds = (text: string) => {
    const before = process.cpuUsage();
    englishText(text);
    return process.cpuUsage(before).user / 1e6;
  };
  for (const piece of [
    '[',
    '(',
    ' ',
    " '",
    '9',
    '1 ',
    'two two hundred ',
    'twenty one ',
    'point one ',
    'and a half ',
    '$1 ¢',
  ]) {
    seconds(piece.repeat(1000));
    const short = seconds(piece.repeat(10_000 / piece.length));
    const long = seconds(piece.repeat(80_000 / piece.length));
    // Eight times the length; square time would be 64 times.
    assert.ok(long < 25 * short + 0.1, `${JSON.stringify(piece)}: ${short} s, then ${long} s`);
  }
});

test('A number of any length is kept whole.', () => {
  // By hand: 99…9,000 + 999 x 100 = 99…9,000 + 99,900, which carries through all the nines before.
  assert.equal(englishText(`${'9'.repeat(5000)} hundred`), `1${'0'.repeat(4995)}98900`);
});
