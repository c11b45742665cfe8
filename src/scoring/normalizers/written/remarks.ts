import { longestTag } from '../../../base/language-tag.ts';

/** Languages of whose remarks a stem stands below. */
const listed = new Set(['en', 'de', 'fr', 'es', 'it', 'pt', 'ru', 'zh', 'ja', 'ko']);
/** Stems of what transcribers remark in parentheses, which hold said words too: what is none of these is read as said. */
const remarked = [
  ...[
    'laugh',
    'chuckl',
    'giggl',
    'cough',
    'sigh',
    'sniff',
    'clears? throat',
    'breath',
    'inhal',
    'exhal',
    'groan',
    'gasp',
    'whistl',
  ],
  ...[
    'applau',
    'cheer(?:s|ing)$',
    'music',
    'nois',
    'silen',
    'pause',
    'inaudib',
    'unintellig',
    'indiscern',
    'indistinct',
    'cross ?talk',
  ],
  ...[
    'foreign',
    'speaking',
    'sings$|singing',
    'beep',
    'click',
    'unk$',
    'lach(?:t|en)',
    'gelächter',
    'husten|hustet',
    'räusp',
    'seufz',
    'musik',
  ],
  ...[
    'unverst',
    'beifall',
    'geräusch',
    'stille$',
    'rires?$',
    'toux$',
    'tousse',
    'soupir',
    'musique',
    'bruit',
    'inaudible',
    'applaudi',
    'ris[ao]s?$',
  ],
  ...[
    'música',
    'aplaus',
    'ruido',
    'ruído',
    'tosse',
    'tossi',
    'inaud[ií]vel',
    'tos$',
    'suspir',
    'risat',
    'ride$',
    'rumor',
    'смех',
    'смеёт|смеет',
    'кашель',
    'музык',
    'шум',
    'аплодис',
    'неразборч',
  ],
  ...[
    '笑',
    '拍手',
    '音楽',
    '咳',
    '掌声',
    '音乐',
    '噪音',
    '雑音',
    '听不清',
    '聞き取',
    '무음',
    '웃음',
    '박수',
    '음악',
    '기침',
    '잡음',
  ],
].join('|');
const remark = new RegExp(`(?<!\\p{L})(?:${remarked})`, 'u');
const parenthesized = /\(([^()]{1,40})\)/g;
/** A tag of one word stands anywhere; one of several beside no word and no number, where `<` may be "less than". */
const tags = /<[/|]?\p{L}[\p{L}\p{M}\d_|-]*\/?>|(?<![\p{L}\d] ?)<[^\s\d<>=][^<>]*(?<!\s)>/gu;
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
  // An opening bracket that nothing closes would be searched to the end of the text: the search stops at the last closing one.
  const lastSquare = ascii.lastIndexOf(']') + 1;
  const square = ascii.slice(0, lastSquare).replace(bracketed, ' ') + ascii.slice(lastSquare);
  const tagged = square.includes('>') ? square.replace(tags, ' ') : square;
  if (!tagged.includes(')')) return tagged;
  const known = language !== undefined && listed.has(longestTag(language).split('-')[0]!);
  return tagged.replace(parenthesized, (found, held: string) => {
    if (held.trim().split(/\s+/).length > 3) return found;
    return remark.test(held.toLowerCase()) || (!known && !/\p{N}/u.test(held)) ? ' ' : found;
  });
}
