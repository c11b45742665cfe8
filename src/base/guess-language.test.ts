import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumedLanguage, guessLanguage } from './guess-language.ts';

const wordsTell = (texts: readonly string[]) => {
  const { language, from } = guessLanguage(texts);
  assert.equal(from, 'its words');
  return language;
};

test('two sentences tell their language where no other has a word of them, and one word tells nothing', () => {
  const german = ['Die Werbung vermittelt einen falschen Eindruck.', 'Meine Lieblingszahl ist 268'];
  assert.equal(wordsTell(german), 'de');
  assert.equal(wordsTell(german.slice(0, 1)), null);
  // Words of Dutch as well as of German.
  assert.equal(wordsTell(['is in']), null);
});

test('a letter of made-up words, one word again and again, and letters that are spelled are no evidence for a language', () => {
  for (const text of ['w30 w75 w69 w16 w47 w77', 'x w30 x w1 x', 'yes yes to to to to', 'a e o a e i o', 'z y z w z'])
    assert.equal(guessLanguage([text]).language, null, text);
  assert.equal(wordsTell(['w domu nie jest tak']), 'pl');
  assert.equal(assumedLanguage(['w30 w75 w69', 'w29 w81 w19']).language, 'und');
});

// Each says "good morning", "thank you" or the like, as people write it.
const saidIn: Readonly<Record<string, string>> = {
  zh: '我们 今天 开会',
  ja: '東京に行きます',
  ko: '안녕하세요 감사합니다',
  th: 'สวัสดีครับ',
  lo: 'ສະບາຍດີ',
  km: 'សួស្តី',
  my: 'မင်္ဂလာပါ',
  bo: 'བཀྲ་ཤིས་བདེ་ལེགས།',
  hi: 'नमस्ते दुनिया',
  bn: 'ধন্যবাদ',
  ta: 'வணக்கம்',
  te: 'నమస్కారం',
  kn: 'ನಮಸ್ಕಾರ',
  ml: 'നമസ്കാരം',
  gu: 'નમસ્તે',
  pa: 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ',
  or: 'ନମସ୍କାର',
  si: 'ආයුබෝවන්',
  he: 'בוקר טוב',
  el: 'καλημέρα',
  ka: 'გამარჯობა',
  hy: 'բարեւ ձեզ',
  ar: 'صباح الخير',
  fa: 'این کتاب را به چه کسی می‌گویید پدر',
  ur: 'آپ کیسے ہیں بڑی خوشی ہوئی',
  am: 'ሰላም ለዓለም',
};

test('a script that few languages are written in tells the language, and which others it leaves open', () => {
  const guesses = Object.entries(saidIn).map(([language, text]) => [language, guessLanguage([text])] as const);
  assert.deepEqual(
    guesses.map(([, { language, from }]) => [language, from]),
    guesses.map(([language]) => [language, 'its script']),
  );
  const others = Object.fromEntries(guesses.map(([language, { others }]) => [language, others]));
  assert.deepEqual([others.hi, others.fa, others.ja, others.el], [['mr', 'ne'], ['ar', 'ur', 'ps', 'ckb'], [], []]);
});

test('of several scripts the one of most letters over all texts decides, and those of more than a tenth are told', () => {
  // 18 letters of Han, then 6 of Latin.
  const mixed = guessLanguage(['我用软件写今天的报告', 'excel', '然后明天再发给你', 'q']);
  assert.equal(mixed.language, 'zh');
  assert.deepEqual(mixed.scripts, [
    { script: 'Han', share: 0.75 },
    { script: 'Latin', share: 0.25 },
  ]);
  // One letter of kana in the name of a shop is no Japanese.
  assert.equal(guessLanguage(['我们今天去鲜の味吃饭然后回家']).language, 'zh');
  assert.equal(guessLanguage(['the cat and the dog', '猫']).language, 'en');
  assert.deepEqual(guessLanguage(['the cat and the dog', '猫']).scripts.length, 1);
  // An Iranian name within Arabic: two letters of 325 that Arabic does not have.
  assert.equal(guessLanguage([`${'صباح الخير يا صديقي '.repeat(20)}گلرنگ`]).language, 'ar');
  // Of Cyrillic, letters tell more than words that several languages have, and where neither does it is no English.
  const cyrillic = [
    'Љубав је лепа',
    'як на мене це не так, і я їду',
    'мен қазақ тілін үйрендім',
    'Добре дошли',
    'и в не на что он',
  ];
  assert.deepEqual(
    cyrillic.map((text) => guessLanguage([text])).map(({ language, from }) => `${language} by ${from}`),
    ['sr by its script', 'uk by its script', 'kk by its script', 'ru by its script', 'ru by its words'],
  );
});

test('letters of Turkish and Azerbaijani tell them where no words do', () => {
  const said = {
    tr: 'Bugün hava çok güzel ve güneşli\nİstasyon nerede acaba\nYarın yağmur yağacak',
    az: 'Bu gün hava çox gözəldir',
  };
  for (const [language, text] of Object.entries(said)) assert.equal(guessLanguage([text]).language, language);
  assert.equal(guessLanguage(['the man who met İnönü in the house was not the one that she knew']).language, 'en');
});

test('two languages whose words are nearly as many tell neither', () => {
  // Four words of German alone, four of Dutch alone, and four that both have.
  const even = ['der ich nicht und het een ik niet', 'in in in in'];
  assert.equal(wordsTell(even), null);
  // One more is not yet an answer, six more are.
  assert.equal(wordsTell([...even, ...Array.from({ length: 1 }, () => 'wir')]), null);
  assert.equal(wordsTell([...even, ...Array.from({ length: 6 }, () => 'wir')]), 'de');
});

test('where texts do not tell their language it is English if their words are in its letters, and else none', () => {
  const cases: readonly (readonly [language: string, told: RegExp, ...texts: readonly string[]])[] = [
    ['de', /^language de \(guessed from the references; --language says another\)$/, 'das ist nicht die Frage'],
    ['en', /^language en \(guessed/, 'it is here and it was there'],
    ['en', /^language en \(assumed; --language says another\)$/, 'one two three'],
    ['en', /assumed/],
    // Of letters alone nobody knows it, and č is no letter of English.
    ['und', /^language unknown, the references do not tell it \(--language says it\)$/, 'a b c'],
    ['und', /unknown/, 'čtyři dny', 'pět'],
  ];
  for (const [language, told, ...texts] of cases) {
    const assumed = assumedLanguage(texts);
    assert.equal(assumed.language, language, texts.join());
    assert.match(assumed.told, told);
  }
});
