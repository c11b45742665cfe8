import { longestTag } from '../../../base/language-tag.ts';

/**
 * What transcribers remark in parentheses, which hold said words too, by language: stems, or whole words before `$`; of what is said as well
 * (`foreign minister`, `music video`) only what stands in remarks. From guides for transcribers (LDC's of Switchboard and Fisher, Common
 * Voice) and what captions of a language write for laughter, applause, music. English remarks stand in texts of every language; those of
 * another are words (`latter`, Danish laughter, is said in English).
 */
const remarked: Readonly<Record<string, string>> = {
  en: `
  laugh|chuckl|giggl|cough|sighs?$|sighing$|sniff|clears? (?:his |her )?throat|breath(?:e?s|e|ing|ing heavily)?$|inhal|exhal|groan|gasp|whistl|applau
  |cheer(?:s|ing)$|music$|music (?:play|continu|stop)|noises?$|silence$|static$|pauses?$|inaudib|unintellig|indiscern|indistinct|cross ?talk
  |foreign(?: languages?| speech)?$|(?:speaking|speaks|sings?|singing) (?:in )?(?:an? )?(?:foreign(?: languages?| tongue)?$|\\p{L}+(?:ish|ese|rench|erman|ssian|alian|abic|indi)$)
  |in (?:(?:a )?foreign language|(?:\\p{L}+(?:n?ish|nese)|french|german|russian|italian|arabic|hindi|latin|korean|portuguese))$
  |sings$|singing$|beep|clicks?$|unk$`,
  de: 'lacht$|lachen$|lachend|gelächter|husten$|hustet|räusp|seufz|musik$|unverst|beifall|applaus$|geräusch|stille$|leise$|flüstert$|weint$|schluchzt$|nickt$|telefon klingelt$|tür knallt$|undeutlich$',
  fr: 'rires?$|toux$|tousse|soupir|musique$|bruits?$|applaudi|chuchote$|pleure$',
  es: 'risas?$|r[ií]en?$|tos$|tose|música$|aplaus|ruidos?$|suspir|llora$|susurra$',
  pt: 'ris[ao]s?$|tosse|música$|aplaus|ruídos?$|inaud[ií]vel|suspir',
  ca: 'riures$|rialles?$|tos$|música$|aplaud',
  it: 'risate?$|ride$|ridono$|tosse|tossi|musica$|applaus|rumor[ei]$|sospir',
  nl: 'gelach|lacht$|lachen$|hoest|muziek$|applaus$',
  sv: 'skratt|hosta|applåd|musik$',
  da: 'latter$|griner$|host[ae]r?$|bifald$|musik$',
  no: 'latter$|ler$|host[ae]r?$|applaus$|musikk$',
  is: 'hlátur|hlær$|tónlist$',
  fi: 'naur(?:u|ua|aa|avat)$|yskä|taputu|aplod|musiik',
  et: 'naer|aplaus|muusika$',
  pl: 'śmiech|śmiej(?:e|ą)|kaszl|oklaski|brawa$|muzyka$',
  cs: 'smích|směj|smej|potlesk|hudba$|kašl',
  sk: 'smiech|smej|potlesk|hudba$|kašl',
  sl: 'smeh$|aplavz|ploskanj|glasba$',
  hr: 'smijeh|smeh$|aplauz|pljesak|muzika$|glazba$|смех|аплауз|музика$',
  mk: 'смеа|аплауз|музика$',
  bg: 'смях|смее|аплодис|аплауз|музика$',
  hu: 'nevet|köhög|taps$|zene$',
  ro: 'râs(?:ete|et|e|ul)?$|râde|aplauz|muzic',
  lt: 'juok|plojim|muzika$',
  lv: 'smiekli|smejas$|aplaus|mūzika$',
  tr: 'gülüş|gülme|gül(?:er|üyor)$|alkış|müzik$|kahkaha|öksür',
  az: 'gülüş|alqış|musiqi$',
  eu: 'barre(?:ak)?$|txalo|musika$',
  id: 'tertawa|ketawa|tepuk tangan|musik$|muzik$',
  vi: 'cười$|vỗ tay|nhạc$|tiếng nhạc$',
  ru: 'смех|смеёт|смеет|кашель|кашл|вздох|вздыха|музык|шум$|аплодис|неразборч',
  uk: 'сміх|смі[єю]|кашл|оплеск|аплодис|музик',
  be: 'смех|смяе|апладыс|музык',
  el: 'γέλι|γελ(?:ά|ώ)|χειροκρότ|μουσική$',
  he: 'צחוק|צוחק|מחיאות כפיים|מוזיקה$',
  ar: 'ضحك|يضحك|تصفيق|موسيقى',
  fa: 'خنده|تشویق|موسیقی',
  ur: 'ہنس|قہقہ|تالیاں|موسیقی',
  hi: 'हँस|हंस|तालिया|संगीत$',
  bn: 'হাসি$',
  ta: 'சிரிப்பு',
  th: 'หัวเราะ|ปรบมือ|ดนตรี|เสียงดนตรี',
  zh: '笑|拍手|掌声|掌聲|音乐|音樂|噪音|咳|听不清|聽不清',
  ja: '笑|拍手|音楽|咳|雑音|聞き取',
  ko: '무음|웃음|박수|음악|기침|잡음',
  af: 'gelag$|applous|musiek$',
  cy: 'chwerthin|cymeradwy|cerddoriaeth$',
  ga: 'gáire$|ceol$',
  sw: 'kicheko|vicheko|makofi',
};
/** Languages that write the same remarks. */
const sameRemarks: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    no: ['nb', 'nn'],
    hr: ['sr', 'bs', 'sh', 'cnr'],
    pt: ['gl'],
    es: ['ast'],
    id: ['ms', 'jv', 'su'],
    hi: ['mr', 'ne'],
    zh: ['yue', 'wuu', 'nan'],
    de: ['gsw', 'lb'],
    is: ['fo'],
    ur: ['dv', 'pnb'],
    he: ['iw'],
  }).flatMap(([language, others]) => others.map((other) => [other, language])),
);
/** What stands before a remark and makes nothing else of it: `(everyone laughs)`, `(upbeat music)`. */
const before = `
  all|both|everyone|everybody|audience|crowd|man|men|woman|women|child|children|people|speaker|interviewer|interviewee|witness|background|soft|softly
  |quiet|quietly|loud|loudly|light|heavy|nervous|nervously|long|short|brief|upbeat|dramatic|tense|eerie|ominous|suspenseful|alle|leise[rs]?|laute[rs]?|kurze[rs]?|allgemeine[rs]?`;
/** And behind it: `(laughs loudly)`, `(rires du public)`. */
const behind = `${before}
  |a|the|and|or|in|of|with|to|by|from|deeply|lightly|heavily|hysterically|playing|plays|continues|stops|fades|starts|ends|im|hintergrund|und|aus|dem|der|das|du|de|des|le|la|les|el|los|las|en|y|et|e|o|do|da|public|publikum
  |público|pubblico|sottofondo|fondo|fundo|fond|i|og|och|publiken|na|sali|się|в|и|зале|та|у|залі`;
const someone =
  '(?:(?:(?:the )?(?:man|men|woman|women|boy|girl|crowd|people|announcer|reporter|speaker|children)|both|all|everyone) )';
/** What court reporters and captions remark besides, as a whole. */
const whole = `
  (?:no (?:audible |verbal )?(?:response|answer|reply)|(?:inaudible|indicating|phonetic(?:ally)?|phon|ph|sic|unclear|unintelligible|overlapping|nods?(?: head)?|nodding(?: head)?|nods affirmatively|shakes head|shaking head
  |simultaneous (?:speech|speaking|talking|conversation|crosstalk)|speaking simultaneously|off[ -]?mi(?:c|ke)|off(?: the)? record|discussion (?:held )?off the record|off[ -]the[ -]record discussion|whispers|whispering|sobs|sobbing|cries|crying|weeping|shouts|shouting|screams|screaming
  |${someone}(?:speaking|talking|shouting|yelling|screaming|chanting|whispering|chatter(?:ing)?|murmur(?:s|ing)?)(?: (?:indistinctly|quietly|softly|in background|over (?:radio|pa|phone)))?
  |pause in (?:the )?(?:proceedings|recording|tape)|(?:brief |short |lunch(?:eon)? )?recess(?: (?:was )?taken)?|break taken|end of (?:recording|tape|audio|transcript)|recording (?:begins|ends|paused|stopped)|technical difficulties|audio (?:cuts|drops) out
  |(?:tele|cell ?)?phones? (?:rings?|ringing|buzzes|buzzing|vibrat(?:es|ing))|dial tone|(?:dogs?) barks?|dogs? barking|bells? (?:rings?|ringing|tolls|tolling|dings?|dinging)|doorbell(?: rings| ringing)?|doors? (?:opens?|closes?|closing|opening|slams?|slamming|shuts|creaks?|creaking)|knocks?(?: (?:on|at) door)?|knocking(?: (?:on|at) door)?|sirens?(?: wailing| wails| blaring)?|(?:(?:car|truck|train|bus) )?horns? (?:honks?|honking|blares?|blaring|blows|blowing|toots?)|birds? (?:chirping|chirps|singing|squawking)|bab(?:y|ies) (?:crying|cries)
  |(?:(?:car|truck) )?engines? (?:starts?|starting|revving|revs|idling)|thunder(?: (?:rumbling|rumbles|claps?|clapping|crashing|crashes|booming))?|(?:wind|winds) (?:blowing|blows|howling|howls|whistling|gusting)|rain (?:falling|pattering|pouring)|water (?:running|splashing|dripping)|waves crashing|gunshots?|gunfire|footsteps(?: approaching)?|tires (?:screech|screeching)|clock ticking|keyboard (?:clacking|clicking)|glass (?:breaking|breaks|shattering|shatters)|explosions?
  |speaker \\d+))`;
const line = (list: string) => list.replaceAll(/\n */g, '');
const edge = '(?![\\p{L}\\p{M}\\p{N}])';
/** Of a stem any ending; without blanks between words a short one. */
const ending = '(?:[\u0e00-\u9fff\uac00-\ud7a3]{0,3}|(?![\u0e00-\u9fff\uac00-\ud7a3])[\\p{L}\\p{M}]*)';
const isTimed = '(?: (?:at )?\\d+(?: \\d+){0,3})?';

function remarkOf(languages: readonly string[]): RegExp {
  const stems = languages.map((one) => line(remarked[one]!)).join('|');
  const stem = `(?:${stems.replaceAll('$', edge)})${ending}`;
  return new RegExp(
    `^(?:${line(whole)}|whereupon .+|(?:(?:${line(before)})${edge} )*${stem}(?: (?:(?:${line(behind)})${edge}|${stem}))*)${isTimed}$`,
    'u',
  );
}

const remarks = new Map<string, RegExp>();
const inEveryLanguage = Object.keys(remarked);

/** Where nobody knows the language, those of all are remarks. */
function remarksIn(language: string | undefined): RegExp {
  const primary = longestTag(language ?? '')
    .split('-', 1)[0]!
    .toLowerCase();
  const own = sameRemarks[primary] ?? primary;
  const isUnknown = own === '' || own === 'und' || own === 'mul';
  const name = isUnknown ? '' : Object.hasOwn(remarked, own) ? own : 'en';
  let found = remarks.get(name);
  if (found === undefined) {
    found = remarkOf(isUnknown ? inEveryLanguage : [...new Set(['en', name])]);
    remarks.set(name, found);
  }
  return found;
}

const parenthesized = /\([^()]{1,80}\)/g;
/** Stars stand about remarks (`*coughs*`) and about words that are emphasized (`*very* good`). */
const starred =
  /(?<![[\p{L}--[\u0e00-\u9fff\uac00-\ud7a3]]\d*])\*(?![\s*])[^*]{1,80}(?<!\s)\*(?![[\p{L}--[\u0e00-\u9fff\uac00-\ud7a3]]\d*])/gv;
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
 * A text without remarks: `[...]` and `<...>`, and `(...)` and `*...*` that say one of the things that are remarked in its language; what else
 * stands in parentheses is read as said, and `5 < 6` is no tag. Full-width brackets are brackets.
 *
 * @param language BCP 47 tag; absent: remarks of every language are some
 * @example withoutRemarks('call (555) 1234 [noise] (laughs) now', 'en') // 'call (555) 1234     now'
 */
export function withoutRemarks(text: string, language?: string): string {
  const ascii = asciiBrackets(text);
  const square = replaceUntil(ascii, ascii.lastIndexOf(']'), bracketed, ' ');
  let left = square.includes('>') ? square.replace(tags, ' ') : square;
  const drop = (found: string) => (isRemark(found.slice(1, -1), language) ? ' ' : found);
  if (left.includes(')')) left = left.replace(parenthesized, drop);
  return left.includes('*') ? left.replace(starred, drop) : left;
}

/** Whether words are a remark and nothing else: `laughs`, no `I love music`. */
function isRemark(held: string, language: string | undefined): boolean {
  return remarksIn(language).test(
    held
      .toLowerCase()
      .normalize('NFC')
      .replace(/[^\p{L}\p{M}\p{N}-]+/gu, ' ')
      .trim(),
  );
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
