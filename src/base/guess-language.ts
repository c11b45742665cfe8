import { undeterminedLanguage } from './language-tag.ts';

/** Frequent words that few of the other languages here have. */
const words: Readonly<Record<string, string>> = {
  en: 'the and of to is was that it you he she with for this have are not his her they what had your in all my we be by at on or from but so there were will',
  de: 'der die das und ist nicht ich sie ein eine mit auf für von zu es den dem auch wir wie in er war im hat sind noch aber bei wird',
  fr: 'le la les et est pas je vous un une dans pour que qui des du il elle nous ne au ce',
  es: 'el la los las y es no que de en un una por con para su lo como más pero del se',
  it: 'il la che di è e non un una per con sono gli le del della mi ha ma anche più lo',
  pt: 'o a os as e é não que de em um uma por com para seu do da no na mais como se',
  nl: 'de het een en is niet ik je van dat op te zijn met voor hij ze maar ook er wat in we was nog aan bij',
  pl: 'i w nie się na to jest że z do jak ale po co tak czy mnie jego był',
  ru: 'и в не на что он я с как это по но они мы она так его был',
  sv: 'och det att i en jag som på är av för med den inte han hon till var ett om',
};

/**
 * The language that most is written in, of scripts that tell one; `others` are written in it too. Japanese is Han and kana,
 * and what is in the script Han alone is Chinese.
 */
const scripts: readonly { readonly script: string; readonly language: string; readonly others?: readonly string[] }[] =
  [
    { script: 'Han', language: 'zh' },
    { script: 'Hangul', language: 'ko' },
    { script: 'Thai', language: 'th' },
    { script: 'Lao', language: 'lo' },
    { script: 'Khmer', language: 'km' },
    { script: 'Myanmar', language: 'my', others: ['shn'] },
    { script: 'Tibetan', language: 'bo', others: ['dz'] },
    { script: 'Devanagari', language: 'hi', others: ['mr', 'ne'] },
    { script: 'Bengali', language: 'bn', others: ['as'] },
    { script: 'Tamil', language: 'ta' },
    { script: 'Telugu', language: 'te' },
    { script: 'Kannada', language: 'kn' },
    { script: 'Malayalam', language: 'ml' },
    { script: 'Gujarati', language: 'gu' },
    { script: 'Gurmukhi', language: 'pa' },
    { script: 'Oriya', language: 'or' },
    { script: 'Sinhala', language: 'si' },
    { script: 'Hebrew', language: 'he', others: ['yi'] },
    { script: 'Greek', language: 'el' },
    { script: 'Georgian', language: 'ka' },
    { script: 'Armenian', language: 'hy' },
    { script: 'Arabic', language: 'ar', others: ['fa', 'ur', 'ps', 'ckb'] },
    { script: 'Ethiopic', language: 'am', others: ['ti'] },
    // Of these, words tell the language, where they do.
    { script: 'Cyrillic', language: 'ru', others: ['uk', 'bg', 'sr'] },
    { script: 'Latin', language: 'und' },
  ];

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const letters = scripts.map(({ script }) => ({
  script,
  pattern:
    script === 'Han'
      ? new RegExp(`\\p{Script=Han}|${kana.source}`, 'gu')
      : new RegExp(`(?=\\p{L})\\p{Script=${script}}`, 'gu'),
}));

/** What is rarer are names, loans and brands: no second script, and in Han no Japanese, of which kana are about half. */
const minShare = 0.1;

/** Letters that the first language of a script does not have. Those of Urdu alone come first: it has the Persian ones too. */
const beyond: Readonly<Record<string, readonly { readonly language: string; readonly pattern: RegExp }[]>> = {
  Latin: [
    { language: 'az', pattern: /[əƏ]/gu },
    { language: 'tr', pattern: /[ğĞıİ]/gu },
  ],
  Arabic: [
    { language: 'ur', pattern: /[ٹڈڑںے]/gu },
    { language: 'fa', pattern: /[پچژگ]/gu },
  ],
  Cyrillic: [
    { language: 'kk', pattern: /[әғқңұһ]/giu },
    { language: 'be', pattern: /ў/giu },
    { language: 'uk', pattern: /[іїєґ]/giu },
    { language: 'sr', pattern: /[ђјљњћџ]/giu },
  ],
};
/** In the other languages several letters in a hundred are of these; in the first they stand in foreign names. */
const minBeyond = 0.01;

/** Fewer of its words are no evidence for a language, and fewer yet where no other has any. */
const [fewest, minAlone] = [3, 2];

/** What texts tell of their language. */
export interface LanguageGuess {
  /** BCP 47; null: nothing tells it. */
  readonly language: string | null;
  readonly from: 'its script' | 'its words';
  /** Languages that are as likely where the script alone tells: BCP 47. */
  readonly others: readonly string[];
  /** The scripts of more than a tenth of the letters, the most frequent first, by their names in Unicode. */
  readonly scripts: readonly { readonly script: string; readonly share: number }[];
}

/**
 * The language of texts: by the script of most of their letters where it tells one, and in Latin and Cyrillic script by
 * their most frequent words.
 *
 * @example guessLanguage(['我们今天开会']) // { language: 'zh', from: 'its script', others: [], scripts: [{ script: 'Han', share: 1 }] }
 */
export function guessLanguage(texts: readonly string[]): LanguageGuess {
  const text = texts.join('\n');
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const counts = letters.map(({ script, pattern }) => ({ script, count: count(pattern) }));
  const all = count(/\p{L}/gu);
  const shares = counts
    .map(({ script, count: own }) => ({ script, share: all === 0 ? 0 : own / all }))
    .filter(({ share }) => share > minShare)
    .sort((a, b) => b.share - a.share);
  const main = scripts.find(({ script }) => script === shares[0]?.script);
  const own = (shares[0]?.share ?? 0) * all;
  const other = beyond[main?.script ?? '']?.find(({ pattern }) => count(pattern) > minBeyond * own);
  const isOfWords =
    main === undefined || main.script === 'Latin' || (main.script === 'Cyrillic' && other === undefined);
  const byLetters = main?.script === 'Latin' ? (other?.language ?? null) : null;
  const spoken = isOfWords ? (languageOfWords(texts) ?? byLetters) : null;
  if (spoken !== null || main === undefined || main.language === 'und') {
    return { language: spoken, from: 'its words', others: [], scripts: shares };
  }
  const isJapanese = main.script === 'Han' && count(kana) > minShare * own;
  const language = isJapanese ? 'ja' : (other?.language ?? main.language);
  const others = [main.language, ...(main.others ?? [])].filter((other) => other !== language);
  const named = shares.map(({ script, share }) => ({
    script: isJapanese && script === 'Han' ? 'Han and kana' : script,
    share,
  }));
  return { language, from: 'its script', others: isJapanese ? [] : others, scripts: named };
}

/**
 * Of the ten languages listed here the one with most of its words; null where none has an eighth of all words, or two are
 * alike. A part of `w30` is no word, and one word again and again, or letters that are spelled, are no evidence.
 */
function languageOfWords(texts: readonly string[]): string | null {
  const said = texts.flatMap((text) => text.toLowerCase().match(/(?<!\p{N})\p{L}+(?![\p{L}\p{N}])/gu) ?? []);
  const counts = Object.entries(words)
    .map(([language, list]) => {
      const frequent = new Set(list.split(' '));
      const found = said.filter((word) => frequent.has(word));
      const different = new Set(found);
      const isEvidence = different.size > 1 && [...different].some((word) => word.length > 1);
      return { language, count: isEvidence ? found.length : 0 };
    })
    .sort((a, b) => b.count - a.count);
  const [first, second] = counts as [{ language: string; count: number }, { language: string; count: number }];
  const enough = first.count >= (second.count === 0 ? minAlone : fewest);
  const clear = enough && first.count >= 0.12 * said.length && first.count > 1.2 * second.count;
  return clear ? first.language : null;
}

/** The language that texts are taken to be in where nobody says it. */
export interface AssumedLanguage {
  /** BCP 47. */
  readonly language: string;
  /** In the middle of a sentence: which, and why. */
  readonly told: string;
}

/** Texts that are looked at where nobody says what language they are in. */
export const textsLookedAt = 1000;

/**
 * The language that texts are counted in where nobody says it, by one rule everywhere: what they tell; of texts that tell none English where
 * they have words, all in its letters, or where there are no texts; else none (`und`).
 *
 * @param option what says another, as it is written where the texts came from
 * @example assumedLanguage(['it is here and it was there']).language // 'en'
 */
export function assumedLanguage(
  texts: readonly string[],
  guess = guessLanguage(texts),
  option: '--language' | 'language=' | '`language` of the corpus' = '--language',
): AssumedLanguage {
  const all = texts.join(' ');
  const isEnglish = texts.length === 0 || (/[a-z]{2}/i.test(all) && !/(?![a-z])\p{L}/iu.test(all));
  const language = guess.language ?? (isEnglish ? 'en' : undeterminedLanguage);
  const why = guess.language === null ? 'assumed' : 'guessed from the references';
  const told =
    language === undeterminedLanguage
      ? `language unknown, the references do not tell it (${option} says it)`
      : `language ${language} (${why}; ${option} says another)`;
  return { language, told };
}
