import { longestTag } from '../../../base/language-tag.ts';

/** Languages of whose remarks a stem stands below. */
const listed = new Set(
  'en de fr es pt it nl sv da nb no fi pl cs tr id vi ru uk el he ar fa hi bn ta th zh ja ko'.split(' '),
);
/**
 * What transcribers remark in parentheses, which hold said words too: stems, or whole words before `$`; of what is said as well (`foreign
 * minister`, `music video`) only what stands in remarks. From guides for transcribers (LDC's of Switchboard and Fisher, Common Voice) and
 * what captions of a language write for laughter, applause, music.
 */
const remarked = `
  laugh|chuckl|giggl|cough|sighs?$|sighing$|sniff|clears? (?:his |her )?throat|breath(?:e?s|e|ing|ing heavily)?$|inhal|exhal|groan|gasp|whistl|applau
  |cheer(?:s|ing)$|music$|music (?:play|continu|stop)|noises?$|silence$|pauses?$|inaudib|unintellig|indiscern|indistinct|cross ?talk
  |foreign(?: language| speech)?$|(?:speaking|speaks) (?:in )?(?:a )?(?:foreign|\\p{L}+(?:ish|ese|rench|erman|ssian|alian|abic|indi))
  |sings$|singing$|beep|clicks?$|unk$
  |lacht$|lachen$|gelächter|husten$|hustet|räusp|seufz|musik$|unverst|beifall|geräusch|stille$
  |rires?$|toux$|tousse|soupir|musique$|bruits?$|applaudi|ris[ao]s?$|tos$|música$|aplaus|ruidos?$|ruídos?$|tosse|tossi|inaud[ií]vel|suspir
  |risate?$|ride$|rumor[ei]$|musica$|gelach|muziek$|skratt|latter$|applåd|naurua?$|śmiech|oklaski|smích|potlesk|gülüş|gülme|alkış
  |tertawa|tepuk tangan|cười$|vỗ tay|смех|смеёт|смеет|кашель|музык|шум$|аплодис|неразборч|сміх|сміє|оплеск|γέλι|χειροκρότ
  |צחוק|מחיאות כפיים|ضحك|يضحك|تصفيق|موسيقى|خنده|موسیقی|हँस|हंस|तालिया|संगीत$|হাসি$|சிரிப்பு|หัวเราะ|ปรบมือ
  |笑|拍手|音楽|咳|掌声|掌聲|音乐|音樂|噪音|雑音|听不清|聞き取|무음|웃음|박수|음악|기침|잡음`.replaceAll(/\n */g, '');
const remark = new RegExp(`(?<![\\p{L}\\p{M}])(?:${remarked})`, 'u');
const parenthesized = /\(([^()]{1,40})\)/g;
/** A tag of one word stands anywhere; one of several behind no Latin letter and no figure, where `<` may be "less than". */
const tags = /<[/|]?\p{L}[\p{L}\p{M}\d_|-]*\/?>|(?<![\p{Script=Latin}\d])<[^\s\d<>=][^<>]*(?<!\s)>/gu;
const bracketed = /\[[^\]]*\]/g;
const otherBracket = /[［＜【〔〈］＞】〕〉（）]/;

/** A text whose full-width brackets that hold remarks are those of ASCII; quotation marks and titles (「」, 『』, 《》) hold words. */
function asciiBrackets(text: string): string {
  if (!otherBracket.test(text)) return text;
  return text
    .replaceAll(/[［【〔]/g, '[')
    .replaceAll(/[］】〕]/g, ']')
    .replaceAll(/[＜〈]/g, '<')
    .replaceAll(/[＞〉]/g, '>')
    .replaceAll('（', '(')
    .replaceAll('）', ')');
}

/**
 * A text without remarks: `[...]` and `<...>`, and `(...)` that says one of the things that are remarked (three words at most); what else stands in
 * parentheses is read as said, and `5 < 6` is no tag. Of a language without a list, up to three words without figures in parentheses are a
 * remark. Full-width brackets are brackets.
 *
 * @param language BCP 47 tag; absent: one without a list
 * @example withoutRemarks('call (555) 1234 [noise] (laughs) now', 'en') // 'call (555) 1234     now'
 */
export function withoutRemarks(text: string, language: string | undefined): string {
  const ascii = asciiBrackets(text);
  const square = replaceUntil(ascii, ascii.lastIndexOf(']'), bracketed, ' ');
  const tagged = square.includes('>') ? square.replace(tags, ' ') : square;
  if (!tagged.includes(')')) return tagged;
  const known = language !== undefined && listed.has(longestTag(language).split('-')[0]!);
  return tagged.replace(parenthesized, (found, held: string) => {
    if (held.trim().split(/\s+/).length > 3) return found;
    return remark.test(held.trim().toLowerCase().normalize('NFC')) || (!known && !/\p{N}/u.test(held)) ? ' ' : found;
  });
}

/**
 * A text with a pattern replaced up to its last closing bracket: one that nothing closes would be searched to the end of the text, a text of
 * such in square time.
 *
 * @example replaceUntil('a [b] [c', 4, /\[[^\]]*\]/g, '') // 'a  [c'
 */
export function replaceUntil(text: string, lastClosing: number, pattern: RegExp, by: string): string {
  return text.slice(0, lastClosing + 1).replace(pattern, by) + text.slice(lastClosing + 1);
}
