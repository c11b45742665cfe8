/**
 * Letters and numbers that are one to every reader of a language and have several code points: data alone, one table a language.
 * Sources: [U] The Unicode Standard 16 (chapter and block introductions) and the Unicode Character Database; [C] CLDR 46, `main/*.xml`
 * (exemplar characters: which of two code points a language writes) and its casing; what is named beside a table otherwise.
 *
 * What is a matter of taste (ß and ss, ё and е) is not here but in `tastes`.
 */
export interface WrittenTable {
  /** What is written, and what stands for it, with a blank between; lower case, composed (NFKC). Longest first where one begins another. */
  readonly alike?: string;
  /**
   * Where an apostrophe is part of a word, whichever of its signs was written: `inside`, between two letters; `start`, before a letter too;
   * `anywhere`, beside any letter. Elsewhere it divides words.
   */
  readonly apostrophe?: 'inside' | 'start' | 'anywhere';
  /** Signs between two letters that are part of the word, and are left out. */
  readonly joins?: string;
  /** Casing by locale: capitals whose small letters are not those of Unicode's default. */
  readonly capitals?: string;
}

/** Arabic letters for Persian and its like; [U] 9.2, "Arabic letters kaf and yeh"; [C] exemplars of fa, ur, ps, ckb, ug, sd. */
const persian = 'ك ک|ي ی|ى ی|ۀ ه|ە ه|ہ ه|ھ ه';
const urdu = 'ك ک|ي ی|ى ی|ه ہ|ە ہ|ة ۃ|ۀ ۂ';
/** Letters of Latin alphabets of Africa that Greek ones are typed for; [C] exemplars of ak, ee, ln, bm, kab. */
const african = 'ε ɛ|ↄ ɔ|γ ɣ';
/** Palochka, for which a capital I, an l or a Ukrainian і is typed; [U] 7.4, "Palochka"; [C] exemplars of ce, kbd, ady, av. */
const palochka = { alike: 'i ӏ|l ӏ|і ӏ' } as const;
/** Stress marks of textbooks, no part of the spelling; [C] exemplars of ru, uk, be have none. */
const stress =
  'а\u0301 а|е\u0301 е|и\u0301 и|о\u0301 о|у\u0301 у|ы\u0301 ы|э\u0301 э|ю\u0301 ю|я\u0301 я|і\u0301 і|ї\u0301 ї|є\u0301 є|ё\u0301 ё';
/** Tones on the second vowel, the newer placement: Vietnamese Ministry of Education, 1984 (QĐ-240); both are in use. */
const tones = 'òa oà|óa oá|ỏa oả|õa oã|ọa oạ|òe oè|óe oé|ỏe oẻ|õe oẽ|ọe oẹ|ùy uỳ|úy uý|ủy uỷ|ũy uỹ|ụy uỵ';
/** Small letters that [C] makes of capitals without an accent: its casing drops the tonos of capitals. */
const greek = 'ά α|έ ε|ή η|ί ι|ό ο|ύ υ|ώ ω|ΐ ϊ|ΰ ϋ|ς σ';

export const tables: Readonly<Record<string, WrittenTable>> = {
  // Of every language: what two encodings of one script write.
  '*': {
    alike: [
      // [U] 12.9, "Chillu characters", and the cluster nta; the two signs of au.
      ...['ണ്\u200d ൺ', 'ന്\u200d ൻ', 'ര്\u200d ർ', 'ല്\u200d ൽ', 'ള്\u200d ൾ', 'ക്\u200d ൿ', 'ൌ ൗ'],
      ...['ൻ്റ ന്റ', 'ൻറ ന്റ', 'ന്\u200dറ ന്റ', 'ൎ ർ'],
      // [U] 12.2, khanda ta; 12.1, eyelash ra; 12.6, the two encodings of Tamil shri.
      ...['ত্\u200d ৎ', 'ऱ् र्', 'ர\u200d் ர்', 'ஸ்ரீ ஶ்ரீ'],
      // [U] 16.1: a tone behind its vowel.
      ...['่', '้', '๊', '๋'].flatMap((tone) => Array.from('ิีึืั', (vowel) => `${tone}${vowel} ${vowel}${tone}`)),
      // [U] 16.1 and 16.2, am behind a tone mark or before it, and a doubled sara e.
      ...['ํ่ ่ํ', 'ํ้ ้ํ', 'ํ๊ ๊ํ', 'ํ๋ ๋ํ', 'เเ แ', 'ໍ່ ່ໍ', 'ໍ້ ້ໍ', 'ໍ໊ ໊ໍ', 'ໍ໋ ໋ໍ', 'ເເ ແ'],
      // [U] 16.4, deprecated letters, and the two subscripts that look the same.
      ...['ឣ អ', 'ឤ អា', '្ដ ្ត'],
      // [U] 9.1, Yiddish digraphs; [U] 5.18, İ in a language that has no ı.
      ...['װ וו', 'ױ וי', 'ײ יי', 'i\u0307 i'],
    ].join('|'),
  },
  // Where nobody knows the language: what no language tells apart that has both.
  und: { alike: 'ک ك|ی ي|ș ş|ț ţ' },
  ar: { alike: 'ک ك|ی ي|ہ ه|ھ ه|ے ي|ە ه' },
  fa: { alike: persian },
  ur: { alike: urdu },
  pnb: { alike: urdu },
  skr: { alike: urdu },
  ks: { alike: 'ك ک' },
  ps: { alike: 'ك ک' },
  sd: { alike: 'ی ي' },
  ckb: { alike: 'ك ک|ي ی|ى ی|ه\u200c ە|ہ ه|ھ ه' },
  ug: { alike: 'ک ك|ی ي|ھ ه' },
  // [U] SpecialCasing: the dot that stays below an accent.
  lt: { alike: 'i\u0307\u0300 ì|i\u0307\u0301 í|i\u0307\u0303 ĩ|j\u0307 j|į\u0307 į' },
  az: { alike: 'ǝ ə', capitals: 'İ i|I ı' },
  // An apostrophe parts a name from its ending, and no word: Türk Dil Kurumu, Yazım Kılavuzu.
  tr: { capitals: 'İ i|I ı', joins: "'" },
  gag: { capitals: 'İ i|I ı' },
  crh: { capitals: 'İ i|I ı' },
  tt: { capitals: 'İ i|I ı' },
  ba: { capitals: 'İ i|I ı' },
  kk: { capitals: 'İ i|I ı' },
  el: { alike: greek },
  // [C] casing of hy: the ligature's capitals are ԵՎ.
  // Marks of question, stress and exclamation stand on a vowel: [U] 7.6.
  hy: { alike: 'եւ եվ|ե՛ւ եվ|ե՜ւ եվ|ե՞ւ եվ|՛ |՜ |՝ |՞ ' },
  ro: { alike: 'ş ș|ţ ț' },
  mo: { alike: 'ş ș|ţ ț' },
  vi: { alike: `${tones}|ð đ|ɖ đ` },
  hr: { alike: 'ð đ|ɖ đ' },
  bs: { alike: 'ð đ|ɖ đ' },
  sr: { alike: 'ð đ|ɖ đ' },
  se: { alike: 'ð đ|ɖ đ' },
  // [C] exemplars of ca: l·l, for which other dots are typed; ˑ is a letter to Unicode.
  ca: { alike: 'l·l lˑl|l.l lˑl|l•l lˑl|l⋅l lˑl|l‧l lˑl' },
  cv: { alike: 'ă ӑ|ĕ ӗ|ç ҫ|ÿ ӳ' },
  os: { alike: 'æ ӕ' },
  ce: palochka,
  inh: palochka,
  kbd: palochka,
  ady: palochka,
  av: palochka,
  lez: palochka,
  dar: palochka,
  lbe: palochka,
  ab: { alike: 'ҕ ӷ' },
  ru: { alike: stress },
  uk: { alike: stress, apostrophe: 'inside' },
  be: { alike: stress, apostrophe: 'inside' },
  // [C] exemplars of yo: dots below, for which a line below is typed.
  yo: { alike: 'e\u0329 ẹ|o\u0329 ọ|s\u0329 ṣ' },
  ak: { alike: african },
  tw: { alike: african },
  ee: { alike: african },
  ln: { alike: african },
  bm: { alike: african },
  fon: { alike: african },
  kab: { alike: african },
  // An apostrophe is left out or written before the same ending: Rat für deutsche Rechtschreibung, § 96 and 97; Dansk Sprognævn, § 6.
  de: { joins: "'" },
  da: { joins: "'" },
  nb: { joins: "'" },
  no: { joins: "'" },
  // Geresh and gershayim, or an apostrophe and a quotation mark; [U] 9.1.
  he: { apostrophe: 'inside', joins: '"״“”„' },
  yi: { apostrophe: 'inside', joins: '"״“”„' },
  // [C] exemplars, [U] 7.1 and 6.2 ("Apostrophes"): an apostrophe is a letter, or part of one.
  uz: { apostrophe: 'inside' },
  kaa: { apostrophe: 'inside' },
  br: { apostrophe: 'inside' },
  fi: { apostrophe: 'inside', joins: ':' },
  sv: { joins: ":'" },
  nl: { apostrophe: 'inside' },
  sw: { apostrophe: 'inside' },
  lg: { apostrophe: 'inside' },
  gn: { apostrophe: 'inside' },
  qu: { apostrophe: 'inside' },
  ay: { apostrophe: 'inside' },
  om: { apostrophe: 'inside' },
  ha: { apostrophe: 'start' },
  haw: { apostrophe: 'start' },
  to: { apostrophe: 'start' },
  sm: { apostrophe: 'start' },
  ty: { apostrophe: 'start' },
  rar: { apostrophe: 'start' },
  mt: { apostrophe: 'anywhere' },
  so: { apostrophe: 'anywhere' },
  vro: { apostrophe: 'anywhere' },
  nv: { apostrophe: 'anywhere' },
  quc: { apostrophe: 'anywhere' },
  kek: { apostrophe: 'anywhere' },
  yua: { apostrophe: 'anywhere' },
};

/** Two writings that some take for one word and others do not: an option with this name. */
export interface Taste {
  readonly about: string;
  /** As in a table; `han-numbers` reads them. */
  readonly alike: string;
  /** Of which languages alone; absent: of all. */
  readonly languages?: readonly string[];
}

export const tastes: Readonly<Record<string, Taste>> = {
  'sharp-s': { about: 'ß and ss (German; Switzerland writes ss, capitals are SS)', alike: 'ß ss|ẞ SS' },
  umlauts: { about: 'ä ö ü and ae oe ue (German)', alike: 'ä ae|ö oe|ü ue', languages: ['de', 'gsw'] },
  oe: { about: 'œ and oe, æ and ae (French, Latin, Danish)', alike: 'œ oe|æ ae' },
  yo: { about: 'ё and е (Russian)', alike: 'ё е' },
  hamza: { about: 'أ إ آ ٱ and ا, ؤ and و, ئ and ي (Arabic)', alike: 'أ ا|إ ا|آ ا|ٱ ا|ؤ و|ئ ي' },
  'alef-maksura': { about: 'ى and ي (Arabic; Egypt writes ى at ends)', alike: 'ى ي' },
  'teh-marbuta': { about: 'ة and ه (Arabic)', alike: 'ة ه' },
  'half-space': { about: 'Persian parts of a word with and without a joiner between them', alike: '\u200c ' },
  'vietnamese-y': {
    about: 'i and y behind h k l m s t (Vietnamese)',
    alike: [...'hklmst']
      .flatMap((first) =>
        ['y i', 'ỳ ì', 'ý í', 'ỷ ỉ', 'ỹ ĩ', 'ỵ ị'].map((pair) => pair.replace(/(.) (.)/u, `${first}$1 ${first}$2`)),
      )
      .join('|'),
    languages: ['vi'],
  },
  'hindi-nasals': {
    about: 'a nasal consonant before one of its row and the dot above (Hindi, Marathi, Nepali)',
    alike: Object.entries({ ङ: 'कखगघ', ञ: 'चछजझ', ण: 'टठडढ', न: 'तथदध', म: 'पफबभ' })
      .flatMap(([nasal, row]) => Array.from(row, (one) => `${nasal}्${one} ं${one}`))
      .join('|'),
  },
  'amharic-sounds': {
    about: 'letters of one sound (Amharic ሐ ኀ and ሀ, ሠ and ሰ, ዐ and አ, ፀ and ጸ)',
    alike: [
      ['ሐ', 'ሀ'],
      ['ኀ', 'ሀ'],
      ['ሠ', 'ሰ'],
      ['ዐ', 'አ'],
      ['ፀ', 'ጸ'],
    ]
      .flatMap(([from, to]) =>
        Array.from({ length: 7 }, (_, order) =>
          [from!, to!].map((letter) => String.fromCodePoint(letter.codePointAt(0)! + order)).join(' '),
        ),
      )
      .join('|'),
    languages: ['am'],
  },
  'han-numbers': { about: '二十五 and 25 (Japanese, Chinese, Korean in Han characters)', alike: '' },
};
