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
  |笑|拍手|音楽|咳|掌声|掌聲|音乐|音樂|噪音|雑音|听不清|聞き取|무음|웃음|박수|음악|기침|잡음
  |nevet|taps$|zene$|râs|aplauz|muzic|smijeh|smeh$|pljesak|muzika$|glazba$|glasba$|аплауз|smiech|hudba$|muzyka$|brawa$|смях|juok|plojim|smiekli|mūzika$|naer$|muusika$|riall|riures$
  |barre(?:ak)?$|txalo|musika$|müzik$|kahkaha|ketawa|musiik|taputu|aplod|ہنس|قہقہ|تالیاں|gelag$|applous|musiek$|chwerthin|cymeradwy|cerddoriaeth$|gáire$|ceol$|musikk$|кашл|вздох|вздыха
  |kicheko|vicheko|makofi|tosser|host[ae]r?$`.replaceAll(/\n */g, '');
/** What stands before a remark and makes nothing else of it: `(everyone laughs)`, `(upbeat music)`. */
const before = `
  all|both|everyone|everybody|audience|crowd|man|men|woman|women|child|children|people|speaker|interviewer|interviewee|witness|background|soft|softly
  |quiet|quietly|loud|loudly|light|heavy|nervous|nervously|long|short|brief|upbeat|dramatic|tense|eerie|ominous|suspenseful|alle|leise[rs]?|laute[rs]?|kurze[rs]?|allgemeine[rs]?`;
/** And behind it: `(laughs loudly)`, `(rires du public)`. */
const behind = `${before}
  |a|the|and|or|in|of|with|to|by|from|deeply|lightly|heavily|hysterically|playing|plays|continues|stops|fades|starts|ends|im|hintergrund|und|aus|dem|der|das|du|de|des|le|la|les|el|los|las|en|y|et|e|o|do|da|public|publikum
  |público|pubblico|sottofondo|fondo|fundo|fond|i|og|och|publiken|na|sali|в|и|зале|та|у|залі`;
/** What court reporters and captions remark besides, as a whole. */
const whole = `
  (?:no (?:audible |verbal )?(?:response|answer|reply)|(?:inaudible|indicating|phonetic(?:ally)?|phon|ph|sic|unclear|unintelligible|overlapping|nods?(?: head)?|nodding(?: head)?|nods affirmatively|shakes head|shaking head
  |simultaneous (?:speech|speaking|talking|conversation|crosstalk)|speaking simultaneously|off[ -]?mi(?:c|ke)|off(?: the)? record|discussion (?:held )?off the record|off[ -]the[ -]record discussion|whispers|whispering|sobs|sobbing|cries|crying|weeping|shouts|shouting|screams|screaming
  |pause in (?:the )?(?:proceedings|recording|tape)|(?:brief |short |lunch(?:eon)? )?recess(?: (?:was )?taken)?|break taken|end of (?:recording|tape|audio|transcript)|recording (?:begins|ends|paused|stopped)|technical difficulties|audio (?:cuts|drops) out
  |(?:tele)?phone (?:rings|ringing)|dial tone|(?:dogs?) barks?|dogs? barking|bells? (?:rings?|ringing|tolls)|doorbell(?: rings)?|doors? (?:opens?|closes?|closing|opening|slams?|creaks?)|knocks?(?: on door)?|knocking(?: on door)?|sirens?(?: wailing)?|horn honks?|horns? honking|birds? chirping|baby crying|engine (?:starts|revving)|thunder|gunshots?|footsteps
  |speaker \\d+|leise|flüstert|weint|schluchzt|nickt|telefon klingelt|tür knallt|undeutlich|chuchote|pleure|inaudible|llora|susurra))`;
const line = (list: string) => list.replaceAll(/\n */g, '');
const edge = '(?![\\p{L}\\p{M}\\p{N}])';
/** Of a stem any ending; without blanks between words a short one. */
const ending = '(?:[\u0e00-\u9fff\uac00-\ud7a3]{0,3}|(?![\u0e00-\u9fff\uac00-\ud7a3])[\\p{L}\\p{M}]*)';
const stem = `(?:${remarked.replaceAll('$', edge)})${ending}`;
const remark = new RegExp(
  `^(?:${line(whole)}|whereupon .+|(?:(?:${line(before)})${edge} )*${stem}(?: (?:(?:${line(behind)})${edge}|${stem}))*)$`,
  'u',
);
const parenthesized = /\(([^()]{1,80})\)/g;
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
 * A text without remarks: `[...]` and `<...>`, and `(...)` that says one of the things that are remarked in any language; what else stands in
 * parentheses is read as said, and `5 < 6` is no tag. Full-width brackets are brackets.
 *
 * @example withoutRemarks('call (555) 1234 [noise] (laughs) now') // 'call (555) 1234     now'
 */
export function withoutRemarks(text: string): string {
  const ascii = asciiBrackets(text);
  const square = replaceUntil(ascii, ascii.lastIndexOf(']'), bracketed, ' ');
  const tagged = square.includes('>') ? square.replace(tags, ' ') : square;
  if (!tagged.includes(')')) return tagged;
  return tagged.replace(parenthesized, (found, held: string) => (isRemark(held) ? ' ' : found));
}

/** Whether words are a remark and nothing else: `laughs`, no `I love music`. */
export function isRemark(held: string): boolean {
  return remark.test(
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
