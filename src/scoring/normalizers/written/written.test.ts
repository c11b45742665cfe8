import assert from 'node:assert/strict';
import { test } from 'node:test';
import { align, countEdits } from '../../alignment/align.ts';
import { errors } from '../../edit-counts.ts';
import { byLanguage } from '../by-language.ts';
import { normalizers } from '../normalizers.ts';
import { tables } from './tables.ts';

const own = ['plain', 'basic-unpointed', 'basic-turkic', 'basic-characters', 'chinese'];

/** Expected by what a reader of the language takes for the same word; the sources stand in `tables.ts`. */
const same: readonly (readonly [language: string, one: string, other: string])[] = [
  // Apostrophes that are letters, and those that are not.
  ...[..."'’ʼ`´＇‘ʻʹ‛ꞌ"].flatMap((sign): (readonly [string, string, string])[] => [
    ['uk', `п${sign}ять м${sign}ята`, 'пʼять мʼята'],
    ['be', `сям${sign}я`, 'сямʼя'],
    ['uz', `o${sign}zbek g${sign}alaba`, 'oʻzbek gʻalaba'],
    ['haw', `${sign}ōlelo Hawai${sign}i`, 'ʻōlelo Hawaiʻi'],
    ['to', `fakamolemole ${sign}oku`, 'fakamolemole ʻoku'],
    ['br', `c${sign}hoazh`, "c'hoazh"],
    ['sw', `ng${sign}ombe`, "ng'ombe"],
    ['mt', `ma${sign} ta${sign}`, "ma' ta'"],
    ['fr', `l${sign}homme`, "l'homme"],
    ['it', `l${sign}uomo c${sign}è`, "l'uomo c'è"],
    ['und', `don${sign}t`, "don't"],
    ['de', `geht${sign}s`, "geht's"],
  ]),
  ['he', 'צה״ל', 'צה"ל'],
  ['he', 'ג׳ירפה', "ג'ירפה"],
  ['yi', 'װאָס ייִד', 'וואָס ייִד'],
  // Characters nobody sees.
  ...[
    '\u00ad',
    '\ufeff',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u2060',
    '\u202a',
    '\u2066',
    '\ufe0f',
    '\u034f',
  ].flatMap((sign): (readonly [string, string, string])[] => [
    ['de', `Zu${sign}sammen`, 'Zusammen'],
    ['ru', `со${sign}трудник`, 'сотрудник'],
    ['ar', `${sign}مرحبا${sign}`, 'مرحبا'],
    ['he', `של${sign}ום`, 'שלום'],
    ['ko', `안${sign}녕`, '안녕'],
    ['zh', `你${sign}好`, '你好'],
    ['ja', `${sign}今日`, '今日'],
    ['th', `สวัส${sign}ดี`, 'สวัสดี'],
    ['km', `ភា${sign}សា`, 'ភាសា'],
  ]),
  // Digits of every script.
  ...(
    [
      ['ar', '٢٠٢٤'],
      ['ur', '۲۰۲۴'],
      ['fa', '۲۰۲۴'],
      ['hi', '२०२४'],
      ['mr', '२०२४'],
      ['ne', '२०२४'],
      ['bn', '২০২৪'],
      ['pa', '੨੦੨੪'],
      ['gu', '૨૦૨૪'],
      ['or', '୨୦୨୪'],
      ['ta', '௨௦௨௪'],
      ['te', '౨౦౨౪'],
      ['kn', '೨೦೨೪'],
      ['ml', '൨൦൨൪'],
      ['th', '๒๐๒๔'],
      ['lo', '໒໐໒໔'],
      ['km', '២០២៤'],
      ['my', '၂၀၂၄'],
      ['bo', '༢༠༢༤'],
      ['dz', '༢༠༢༤'],
      ['mn-Mong', '᠒᠐᠒᠔'],
      ['ff-Adlm', '𞥒𞥐𞥒𞥔'],
      ['nqo', '߂߀߂߄'],
      ['sat', '᱒᱐᱒᱔'],
      ['mni', '꯲꯰꯲꯴'],
      ['ja', '２０２４'],
      ['zh', '٢٠٢٤年'],
      ['de', '２０２４'],
    ] as const
  ).map(([language, digits]) => [language, `x ${digits}`, `x ${digits.endsWith('年') ? '2024年' : '2024'}`] as const),
  // Letters of two code points.
  ['fa', 'كتاب علي خانۀ', 'کتاب علی خانه'],
  ['ur', 'كيا ہے', 'کیا ہے'],
  ['ur', 'يه', 'یہ'],
  ['ar', 'کتاب فی', 'كتاب في'],
  ['ps', 'كور', 'کور'],
  ['ckb', 'كورد', 'کورد'],
  ['ug', 'کىتاب', 'كىتاب'],
  ['und', 'کتاب', 'كتاب'],
  ['ro', 'ştiinţă', 'știință'],
  ['ro-MD', 'Ţară', 'Țară'],
  ['az', 'ǝlifba', 'əlifba'],
  ['hr', 'ðak', 'đak'],
  ['cv', 'чăваш', 'чӑваш'],
  ['os', 'ирæттæ', 'ирӕттӕ'],
  ['ce', 'меттигI', 'меттигӀ'],
  ['yo', 'e\u0329ni', 'ẹni'],
  ['ee', 'ε', 'ɛ'],
  ['kab', 'γef', 'ɣef'],
  ['ca', 'col·lecció', 'col•lecció'],
  ['ca', 'co\u0140lecció', 'col·lecció'],
  ['hy', 'և', 'ԵՎ'],
  ['el', 'ΑΘΗΝΑ ΟΔΟΣ', 'Αθήνα οδός'],
  ['ru', 'за\u0301мок', 'замок'],
  ['nl', 'ĳs', 'ijs'],
  // Joiners and the order of marks.
  ['ml', 'അവൻ അവർ', 'അവന്\u200d അവര്\u200d'],
  ['ml', 'എന്റെ', 'എൻ്റെ'],
  ['ml', 'എന്റെ എന്റെ ർ', 'എൻറെ എന്\u200dറെ ൎ'],
  ['fa', 'می\u200cخواهم', 'می\u200c\u200cخواهم'],
  ['hi', 'क्\u200dया', 'क्या'],
  ['mr', 'सुऱ्या', 'सुर्\u200dया'],
  ['bn', 'উত্\u200dস', 'উৎস'],
  ['si', 'ක්\u200dරමය', 'ක්රමය'],
  ['kn', 'ಕ್\u200cಷ', 'ಕ್ಷ'],
  ['ta', 'ஸ்ரீ', 'ஶ்ரீ'],
  ['fa', 'کار\u200cخانه', 'کارخانه'],
  ['th', 'นํ้า', 'น้ำ'],
  ['th', 'เเม่', 'แม่'],
  ['lo', 'ນໍ້າ', 'ນ້ຳ'],
  // Tones.
  ['vi', 'hòa thủy khỏe túy', 'hoà thuỷ khoẻ tuý'],
  ['vi', 'Ðà Nẵng', 'Đà Nẵng'],
  // Grouped numbers.
  ['de', '1.250 Euro', '1250 Euro'],
  ['de-CH', '1’250 Franken', '1250 Franken'],
  ['de', '10\u00a0000', '10000'],
  ['fr', '10 000 euros', '10000 euros'],
  ['fr', '10\u202f000 euros', '10000 euros'],
  ['es', '1.000.000', '1000000'],
  ['es-MX', '1,250 pesos', '1250 pesos'],
  ['pt-BR', '1.250,50', '1250,50'],
  ['sv', '1 250', '1250'],
  ['ru', '1 250 000', '1250000'],
  ['hi', '12,34,567', '1234567'],
  ...['kn', 'ur', 'ta', 'ml', 'ne', 'si'].map((one): [string, string, string] => [one, '1,00,000', '100000']),
  ['fa', '۱،۲۵۰', '1250'],
  ['bn', '১২,৩৪,৫৬৭', '1234567'],
  ['ar', '١٬٢٥٠', '1250'],
  ['fa', '۱٬۲۵۰', '1250'],
  ['th', '1,250', '1250'],
  ['ko', '1,250원', '1250원'],
  ['ja', '1,250円', '1250円'],
  ['und', '1.000.000', '1000000'],
  ['und', '1\u202f250 १\u00a0२५०', '1250 1250'],
  ['th', '1\u00a0250', '1250'],
  // Compatibility forms and capitals.
  ['lt', 'ÌR J\u0303Į\u0301', 'i\u0307\u0300r j\u0307\u0303į\u0307\u0301'],
  ['de', 'ﬁnden ㎏ ①', 'finden kg 1'],
  ['ja', 'ｶﾞｲﾄﾞ', 'ガイド'],
  ['ar', 'ﻻ', 'لا'],
  ['tr', 'İSTANBUL IŞIK', 'istanbul ışık'],
  ['az', 'QIZIL İT', 'qızıl it'],
  ['de', 'İstanbul', 'Istanbul'],
  ['de', 'GROẞ', 'groß'],
  ['ka', 'ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ', 'საქართველო'],
  ['chr', 'ᏣᎳᎩ', 'ꮳꮃꭹ'],
  ['ff-Adlm', '𞤀𞤁', '𞤢𞤣'],
  // Quotation marks within words, Catalan's middle dot, marks of Armenian on vowels, an apostrophe of endings, signs of trade.
  ['uk', 'п"ять', 'пʼять'],
  ['be', 'сям”я', 'сямʼя'],
  ['ca', 'col.legi', 'col·legi'],
  ['ca', 'col•legi', 'col·legi'],
  ['hy', 'Ինչո՞ւ', 'ինչու'],
  ['hy', 'Այո՛', 'այո'],
  ['tr', "İstanbul'da", 'istanbulda'],
  ['fi', 'EU:n', 'eun'],
  ['de', 'iPhone™', 'iPhone'],
  ['es', '1.º', '1º'],
  ['th', 'ที่ ท่ี', 'ที่ ที่'],
  // Signs that are said, on either side of their number; zeros in groups.
  ['de', '€5 und 50%', '5 € und 50 %'],
  ['zh', '5 €', '5欧元'],
  ['zh', '￥5', '5元'],
  ['hi', '100 000', '100000'],
  ...['zh', 'ja', 'ko', 'th'].flatMap((one): [string, string, string][] => [
    [one, '100 000', '100,000'],
    [one, '1\u00a0250', '1,250'],
  ]),
  ['und', '1 250 000', '1250000'],
  // Remarks, in a language with a list and without.
  ['de', 'ja (lacht) nein', 'ja nein'],
  ['pt', 'sim (risos) não', 'sim não'],
  ['ja', 'はい（笑）', 'はい'],
  ['sw', 'ndiyo (kicheko) hapana', 'ndiyo hapana'],
  ...['de', 'fr', 'hi', 'ar', 'ja', 'zh', 'tr', 'ru'].flatMap((one): [string, string, string][] => [
    [one, 'x (555) 12', 'x 555 12'],
    [one, 'x <unk> y z <a b> y', 'x y z y'],
  ]),
  ...['de', 'fr', 'ru', 'hi', 'ar', 'ja', 'tr', 'und'].flatMap((one): [string, string, string][] => [
    [one, '5 €', '€5'],
    [one, '50 %', '50%'],
    [one, '−5', '-5'],
    [one, 'a & b', 'a&b'],
    [one, '10 - 12', '10-12'],
    [one, '#covid', 'covid'],
  ]),
  ['ar', '٥٠٪', '50%'],
  ['es', 'sí (risas) (aplausos) no', 'sí no'],
  // Signs as CLDR says them.
  ...(
    [
      ['de', 'Prozent', 'Euro'],
      ['fr', 'pour cent', 'euros'],
      ['es', 'por ciento', 'euros'],
      ['it', 'percento', 'euro'],
      ['pt', 'por cento', 'euros'],
      ['nl', 'procent', 'euro'],
      ['pl', 'procent', 'euro'],
      ['ru', 'процентов', 'евро'],
      ['sv', 'procent', 'euro'],
      ['hu', 'százalék', 'euró'],
      ['id', 'persen', 'Euro'],
      ['ko', '퍼센트', '유로'],
      ['vi', 'phần trăm', 'euro'],
      ['fa', 'درصد', 'یورو'],
      ['ja', 'パーセント', 'ユーロ'],
    ] as const
  ).flatMap(([one, percent, euro]): [string, string, string][] => [
    [one, 'x 25 % y', `x 25 ${percent} y`],
    [one, 'x 25% y', `x 25 ${percent} y`],
    [one, 'x 5 € y', `x 5 ${euro} y`],
    [one, 'x €5 y', `x 5 ${euro} y`],
  ]),
  // Spelled as the text is, in the form of each plural.
  ['el', 'το 25 % των', 'το 25 τοις εκατό των'],
  ['el', 'το 25% των', 'ΤΟ 25 ΤΟΙΣ ΕΚΑΤΟ ΤΩΝ'],
  ['el', '5 €', '5 ευρώ'],
  ...(
    [
      ['cs', '1 euro|2 eura|5 eur|21 eur|1,5 eura'],
      ['sk', '1 euro|2 eurá|5 eur|1,5 eura'],
      ['sl', '1 evro|2 evra|3 evri|5 evrov'],
      ['hr', '1 euro|2 eura|5 eura|21 euro'],
      ['sr', '1 евро|2 евра|5 евра|21 евро'],
      ['sr-Latn', '1 evro|5 evra'],
      ['bs', '1 euro|5 eura|21 euro'],
      ['mk', '1 евро|5 евра|21 евро'],
      ['ca', '1 euro|5 euros'],
      ['gl', '1 euro|5 euros'],
      ['fi', '1 euro|5 euroa'],
      ['et', '1 euro|5 eurot'],
      ['uk', '1 євро|5 EUR'],
      ['hu', '1 euró|5 EUR'],
      ['is', '1 evra|5 evrur|5 EUR'],
    ] as const
  ).flatMap(([one, forms]) =>
    forms.split('|').map((form): [string, string, string] => [one, `x ${form.split(' ')[0]} € y`, `x ${form} y`]),
  ),
  ['tr', '%25 ve 30 %', 'yüzde 25 ve yüzde 30'],
  ['ru', '1 %, 2 %', '1 процент 2 процента'],
  ['es', '1 €', '1 euro'],
  // Powers and mixed fractions.
  ...['de', 'fr', 'es', 'hu', 'und'].flatMap((one): [string, string, string][] => [
    [one, '2½ x', '2 1/2 x'],
    [one, '10² x', '10^2 x'],
  ]),
  // Initials, and an apostrophe alone.
  // Letters with full stops are as many words as without, or the one that the other text has.
  ...([
    ['pt', 'É. É. Eu sei', 'é é eu sei'],
    ['it', 'È. È. Lo so', 'è è lo so'],
    ['es', 'casa. O. O. no', 'casa o o no'],
    ['ru', 'Я. Я. Не знаю', 'я я не знаю'],
    ['pl', 'A. A. Tak', 'a a tak'],
    ['cs', 'Jdu k. A. pak', 'jdu k a pak'],
    ['cs', 'v. s. r. o.', 'v s r o'],
    ['cs', 'v. s. r. o.', 'v sro'],
    ['cs', 'v s.r.o. tak', 'v sro tak'],
    ['sv', 'Å. Å. Ja', 'å å ja'],
    ['sv', 't. ex. så', 't ex så'],
    ['tr', 'O. O geldi', 'o o geldi'],
    ['hu', 'Ő. Ő. Igen', 'ő ő igen'],
    ['vi', 'Ồ. Ồ. Vâng', 'ồ ồ vâng'],
    ['el', 'Η. Η. ναι', 'η η ναι'],
    ['el', 'Ο.Η.Ε.', 'ΟΗΕ'],
    ['de', 'J. S. Bach kommt', 'J S Bach kommt'],
    ['de', 'J.S. Bach kommt', 'JS Bach kommt'],
    ['de', 'E. T. A. Hoffmann', 'E T A Hoffmann'],
    ['de', 'i.d.R. und z.B. so', 'i d R und zB so'],
    ['ru', 'А. С. Пушкин', 'А С Пушкин'],
    ['ru', 'и. о. директора', 'и о директора'],
    ['ru', 'и т.д. и т.п.', 'и т д и тп'],
    ['fr', 'la O.N.U. a dit', 'la o n u a dit'],
    ['fr', 'la O.N.U. a dit', 'la onu a dit'],
    ['nl', 'd.w.z. nu', 'd w z nu'],
    ['nl', 'd.w.z. nu', 'dwz nu'],
    ['pl', 'spółka z o.o.', 'spółka z o o'],
    ['es', 'EE. UU. y EE.UU.', 'ee uu y eeuu'],
    ['und', 'A. B. C', 'A B C'],
    ['ja', 'U.S.A. だ', 'USA だ'],
  ] as const),
  ['es', 'EE.UU. y la O.N.U.', 'EEUU y la ONU'],
  ['es', 'EE. UU.', 'EE.UU.'],
  // Whoever writes small letters means the same.
  ['und', 'by k.d.', 'by K. D.'],
  ['de', 'z.B. so', 'z. B. so'],
  ['und', 'vitamin C. I like it', 'vitamin c i like it'],
  ['und', 'IT WAS US. A MAN CAME', 'it was us a man came'],
  ['fr', 'la S.N.C.F.', 'la SNCF'],
  ['ru', 'О.О.Н.', 'ООН'],
  ['de', 'die U.S.A.', 'die USA'],
  ['tr', 'T.C.', 'TC'],
  ['de', 'J. S. Bach', 'J.S. Bach'],
  ['ru', 'А. С. Пушкин', 'А.С. Пушкин'],
  ['de', 'z.B. heute', 'z. B. heute'],
  ['de', 'geht’s', 'gehts'],
  ...[
    ['hu', 'a nővérem'],
    ['hr', 'moja sestra'],
    ['bg', 'сестра ми'],
    ['ro', 'sora mea'],
    ['lt', 'mano sesuo'],
    ['und', 'my sister'],
    ['fr', 'la musique'],
    ['ja', '音楽会は好き'],
  ].map(([one = '', held = '']): [string, string, string] => [one, `Anna (${held}) x`, `Anna ${held} x`]),
  ...[
    ['hu', 'nevetés'],
    ['hr', 'smijeh'],
    ['ro', 'râsete'],
    ['sk', 'potlesk'],
    ['bg', 'смях'],
    ['lt', 'juokas'],
    ['de', 'alle lachen'],
    ['de', 'leise'],
    ['fr', 'rires du public'],
    ['ru', 'смех в зале'],
    ['ja', '笑い'],
    ['ko', '웃음'],
    ['de', 'lachend'],
    ['tr', 'güler'],
    ['fi', 'nauraa'],
    ['uk', 'музика'],
    ['el', 'μουσική'],
    ['vi', 'nhạc'],
    ['th', 'ดนตรี'],
    ['es', 'ríe'],
    ['pl', 'śmieje się'],
    ['lv', 'smejas'],
    ['it', 'ride'],
    ['da', 'latter'],
    ['nb', 'latter'],
    ['hu', 'taps'],
    ['sr-Latn', 'smeh'],
    ['fr', 'laughs'],
    ['de', 'inaudible 00:02:03'],
    // Where nobody knows the language, of all.
    ['und', 'latter'],
    ['und', 'rires'],
    ['und', 'смех'],
  ].flatMap(([one = '', held = '']): [string, string, string][] => [
    [one, `Anna (${held}) x`, 'Anna x'],
    [one, `Anna *${held}* x`, 'Anna x'],
    [one, `Anna *${held} ganz* x`, `Anna ${held} ganz x`],
  ]),
  ['sv', 'ja (skrattar) nej', 'ja nej'],
  ['pl', 'tak (śmiech) nie', 'tak nie'],
  ['uk', 'так (сміється) ні', 'так ні'],
  ['hi', 'हाँ (हँसी) नहीं', 'हाँ नहीं'],
  ['ar', 'نعم (ضحك) لا', 'نعم لا'],
  ['fa', 'بله (خنده) نه', 'بله نه'],
  ['tr', 'evet (gülüşmeler) hayır', 'evet hayır'],
];

const errorsOf = (one: string, other: string, language: string) =>
  errors(countEdits(byLanguage.words(one, language), byLanguage.words(other, language)));

test('What a reader takes for one word is one, in each language, whichever of the two is the reference.', () => {
  for (const [language, one, other] of same) {
    assert.equal(errorsOf(one, other, language), 0, `${language}: ${JSON.stringify(one)} ${other}`);
    assert.equal(errorsOf(other, one, language), 0, `${language}: ${other} ${JSON.stringify(one)}`);
    assert.ok(byLanguage.words(one, language).length > 0, `${language}: ${one}`);
  }
});

test('A reference has as many words whatever is heard for its letters with full stops, and each is set against what it is.', () => {
  for (const heard of ['O.N.U. x', 'onu x', 'o n u x', 'y', '']) {
    const { correct, substitutions, deletions } = countEdits(
      byLanguage.words('O.N.U. x', 'fr'),
      byLanguage.words(heard, 'fr'),
    );
    assert.equal(correct + substitutions + deletions, 4, heard);
  }
  for (const heard of ['O.N.U. x', 'onu x']) {
    const { correct, substitutions, deletions } = countEdits(
      byLanguage.words('ONU x', 'fr'),
      byLanguage.words(heard, 'fr'),
    );
    assert.deepEqual([correct, substitutions, deletions], [2, 0, 0], heard);
  }
  const words = ['a O.N.U. e a ONU', 'a onu e a onu'].map((text) => byLanguage.words(text, 'pt'));
  assert.deepEqual(
    align(words[0]!, words[1]!).map(({ reference, hypothesis }) => [reference, hypothesis]),
    ['a', 'o', 'n', 'u', 'e', 'a', 'onu'].map((word) => [word, word]),
  );
});

/** Other words, by a reader; a layer that makes them one would hide errors. */
const different: readonly (readonly [language: string, one: string, other: string])[] = [
  ['uk', "п'ять", 'пять'],
  ['fa', 'می\u200cخواهم', 'میخواهم'],
  ['bn', 'র\u200d্যাব', 'র্যাব'],
  ['tr', 'sıra', 'sira'],
  ['ar', 'علي', 'على'],
  ['ru', 'все', 'всё'],
  ['de', 'Masse', 'Maße'],
  ['de', '1,250', '1250'],
  ['en', '1.250', '1250'],
  ['th', '1.250', '1250'],
  ['hi', 'एक 1 250', 'एक 1250'],
  ['und', '1.250', '1250'],
  ['und', '1,250', '1250'],
  ['fr', '10 00', '1000'],
  ['ro', 'sa', 'șa'],
  ['vi', 'hoà', 'hoá'],
  ['ml', 'അവൻ', 'അവന'],
  ['hi', 'क्या', 'कया'],
  ['ps', 'ي', 'ی'],
  ['ja', '二十五', '25'],
  ['de', '5 €', '5 $'],
  ['de', '5 €', '5'],
  ['zh', '5 €', '5 $'],
  ['fr', '-5', '5'],
  ['de', '50 %', '50'],
  ['ru', '5 + 6', '5 6'],
  ['fr', '5 < 6 et 7 > 3', '5 3'],
  ['uk', '"пять"', 'пʼять'],
  ['ca', 'fi.la', 'fila'],
  ['und', '0.125', '0125'],
  ['de', '0.125', '125'],
  ['en', 'page 100 200', 'page 100200'],
  ['de', 'das Wort (nicht) gesagt', 'das Wort gesagt'],
  ['sw', 'namba (555) 12', 'namba 12'],
  ['hy', 'այո', 'այոշ'],
  ...['de', 'fr', 'ru', 'hi', 'ar', 'ja', 'zh', 'tr'].flatMap((one): [string, string, string][] => [
    [one, '5 €', '5 $'],
    [one, '-5', '5'],
    [one, '50 %', '50'],
    [one, '0.125', '0125'],
    [one, '0,125', '0125'],
    [one, '1/2', '12'],
    [one, 'x (y) z', 'x z'],
    [one, 'x y', 'x (laughs y z w) y'],
  ]),
  ...['de', 'und', 'ja'].map((one): [string, string, string] => [one, '10-12', '10 − 12']),
  ['de', '192.168.100.200', '192168100200'],
  ['ca', 'col.legi', 'collegi'],
  ['uk', 'п"ять', 'пять'],
  ['fr', '06 12 345', '0612345'],
  ...['zh', 'ja', 'ko', 'th'].map((one): [string, string, string] => [one, '100 200', '100200']),
  ...['de', 'fr', 'es', 'hu', 'ru', 'tr', 'und'].flatMap((one): [string, string, string][] => [
    [one, '2½ x', '21 2 x'],
    [one, '5² x', '52 x'],
    [one, '10³ x', '10² x'],
    [one, '25 %', '25'],
    [one, '25 %', '25 €'],
    [one, '5 €', '5 $'],
  ]),
  // Laughter of another language is a word.
  ...[
    ['en', 'ride'],
    ['en', 'latter'],
    ['nl', 'ride'],
    ['de', 'rire'],
    ['sv', 'taps'],
    ['es', 'latter'],
    ['en', 'ler'],
    ['de', 'tos'],
  ].map(([one = '', held = '']): [string, string, string] => [one, `x (${held}) y`, 'x y']),
  ['de', '25 Prozent', '25 Promille'],
  ['cs', '5 eur', '6 eur'],
  ['sl', '5 evrov', '5'],
  ['de', 'ich ging. Er kam', 'ich ginger kam'],
  ['fr', 'la O.N.U. a', 'la onus a'],
  ['fr', 'la ONU a', 'la o n u a'],
  ['pt', 'É. É. Eu', 'é eu'],
  ['de', 'z.B. so bz', 'b z so bz'],
  ['de', 'geht es', "geht's"],
];

test('What is another word, or a matter of taste, stays apart.', () => {
  for (const [language, one, other] of different)
    assert.notEqual(errorsOf(one, other, language), 0, `${language}: ${one} ${other}`);
});

test('A number is one with its thousands apart, as CLDR writes them in each language or by a blank before zeros, and no other is.', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  const languages = new Set(Intl.NumberFormat.supportedLocalesOf([...pairs, ...Object.keys(tables).slice(1)]));
  assert.ok(languages.size > 100, `${languages.size}`);
  for (const language of [...languages, 'zh-TW', 'yue', 'de-CH', 'de-AT', 'es-MX', 'pt-BR', 'fr-CA', 'en-IN']) {
    const count = (written: string) => byLanguage.words(`x ${written} y`, language).join(' ');
    for (const value of [1250, 12_000, 100_000, 1_234_567]) {
      for (const numberingSystem of [undefined, 'latn']) {
        const grouped = new Intl.NumberFormat(language, { useGrouping: 'always', numberingSystem }).format(value);
        assert.equal(count(grouped), count(String(value)), `${language}: ${grouped}`);
      }
    }
    assert.equal(count('100 000'), count('100000'), language);
    assert.equal(count('1 000 000'), count('1000000'), language);
    for (const other of ['100 0000', '100 00', '100 0 00', '12 0000', '1 000 00'])
      assert.notEqual(count(other), count(other.replaceAll(' ', '')), `${language}: ${other}`);
  }
});

test('An apostrophe that is a letter divides no word; elsewhere it does.', () => {
  assert.deepEqual(byLanguage.words("п'ять ‘так’", 'uk'), ['пʼять', 'так']);
  assert.deepEqual(byLanguage.words("'ōlelo o'zbek", 'haw'), ['ʼōlelo', 'oʼzbek']);
  assert.deepEqual(byLanguage.words('l’homme', 'fr'), ['l', 'homme']);
  assert.deepEqual(byLanguage.words('צה״ל', 'he'), ['צהל']);
});

test('Normalized words stay as they are when they are normalized again, and every language takes every text.', () => {
  for (const [language, one] of same) {
    for (const name of own) {
      const words = normalizers[name]!.words(one, language);
      assert.deepEqual(normalizers[name]!.words(words.join(' '), language), words, `${name} ${language}: ${one}`);
    }
    for (const other of ['no such tag', '', 'x-private', 'en-u-nu-arab', 'de-u-nu-thai', 'i-klingon', 'zz'])
      assert.ok(byLanguage.words(one, other).every((word) => word !== ''));
  }
});

test('Long numbers and runs of signs are normalized in linear time.', () => {
  for (const text of [
    '1.234'.repeat(100_000),
    '1 234 '.repeat(100_000),
    "'".repeat(500_000),
    '\u200d'.repeat(300_000),
    "a'".repeat(200_000),
    '१'.repeat(300_000),
  ]) {
    for (const language of ['de', 'uk', 'hi', 'mt', 'fa']) {
      const before = process.cpuUsage();
      byLanguage.words(text, language);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 2e6, `${language} ${text.slice(0, 10)} ${user + system}`);
    }
  }
});
