import { makeNormalizer } from '../normalizer.ts';
import { chineseDates, chineseMeasures, chineseOtherNumbers, spellChineseCodes } from './chinese-steps.ts';

const variantSelectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u200b-\u200d\u2060\ufeff\u00ad]/gu;
const unit =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}])[\p{L}\p{M}\p{N}])+/gu;
const notSpoken = /[^\p{L}\p{M}\p{N}]+/gu;

/** Each Chinese character (also those beyond the first plane) and kana by itself; stretches of other letters whole. */
function splitCharacters(text: string): string[] {
  return text.match(unit) ?? [];
}

/**
 * Chinese by characters, the unit in which its error rate is usual: figures become the characters that are read for them
 * (numbers with 十百千万亿, years and telephone numbers digit by digit, 百分之 for percent), full width becomes half width,
 * 〇 becomes 零, punctuation goes, Latin letters are small and stay together as words.
 *
 * The text preprocessing of SR-MT (Z. Wang et al., MET'22) dropped figures and everything else that is no character; this
 * reads them instead. Traditional characters are left alone: 萬 and 万 differ. 两 and 二 are told apart by the measure word
 * that follows, not by the speaker; a four-figure number is a year only before 年 or within a date.
 *
 * @example chinese.words('2024年有25％用iPhone。')
 * // ['二', '零', '二', '四', '年', '有', '百', '分', '之', '二', '十', '五', '用', 'iphone']
 */
export const chinese = makeNormalizer({
  name: 'chinese',
  version: 1,
  about: 'Chinese: characters as units, figures read as characters, punctuation out, Latin words whole.',
  steps: [
    {
      step: 'full width to half width',
      apply: (text) => text.normalize('NFKC').replace(variantSelectors, '').replaceAll('−', '-').normalize('NFC'),
    },
    chineseDates,
    spellChineseCodes,
    chineseMeasures,
    chineseOtherNumbers,
    { step: '〇 to 零', apply: (text) => text.replaceAll('〇', '零') },
    {
      step: 'small letters, punctuation out',
      apply: (text) =>
        text
          .replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, '')
          .toLowerCase()
          .replace(notSpoken, ' ')
          .trim(),
    },
  ],
  split: splitCharacters,
});
