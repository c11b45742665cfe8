import { openLetters, openWord } from '../../alignment/open-words.ts';
import { americanSpellings } from '../english/english.ts';
import { makeNormalizer } from '../normalizer.ts';
import { withoutRemarks } from '../written/remarks.ts';
import { lowerOf, writtenAlike } from '../written/written.ts';
import { withoutApostrophes } from './apostrophes.ts';
import { romanInWords, romanNumerals } from './roman-numerals.ts';
import { digitsApart, numbersInFigures, smallOrdinal, tens } from './said-numbers.ts';
import { moneyInWords, sumsAndMeasures, table } from './sums-and-measures.ts';

/** Words that are written in several ways: contractions without their apostrophe, what is run together, titles. */
const alone = table(`
  cannot:can not|cuz:because|gonna:going to|gotta:got to|wanna:want to|kinda:kind of|sorta:sort of|outta:out of|gimme:give me
  |lemme:let me|dunno:do not know|imma:i am going to|woulda:would have|coulda:could have|shoulda:should have|dont:do not
  |didnt:did not|doesnt:does not|isnt:is not|wasnt:was not|werent:were not|arent:are not|hasnt:has not|havent:have not
  |hadnt:had not|couldnt:could not|wouldnt:would not|shouldnt:should not|cant:can not|wont:will not|im:i am|ive:i have
  |youre:you are|youve:you have|youll:you will|theyre:they are|theyve:they have|theyll:they will|weve:we have|thats:that ˀs
  |whats:what ˀs|theres:there ˀs|mr:mister|mrs:missus|dr:doctor|prof:professor|capt:captain|sgt:sergeant|lt:lieutenant|jr:junior
  |shes:she ˀs|hes:he ˀs|itll:it will|thatll:that will|hows:how ˀs|wheres:where ˀs|heres:here ˀs|whos:who ˀs|mustnt:must not|neednt:need not
  |mightnt:might not|couldve:could have|wouldve:would have|shouldve:should have|mightve:might have|mustve:must have|sr:senior|vs:ˀversusˀvees|etc:et cetera|dept:department
  |til:until|tis:it is|twas:it was|yall:you all|cmon:come on|goin:going|doin:doing|nothin:nothing|somethin:something|comin:coming|lookin:looking|talkin:talking|tryin:trying|gettin:getting|workin:working`);

/** Titles that are words of their own without the stop. */
const dottedTitles = table(
  'gov:governor|mt:mount|sen:senator|rep:representative|gen:general|rev:reverend|col:colonel|pres:president|hon:honorable',
);
const dottedPattern = new RegExp(`(?<![\\p{L}\\d'])(${[...dottedTitles.keys()].join('|')})\\.(?= \\p{L})`, 'gu');
/** What may stand behind a street, and behind no saint. */
const noSaint = new Set(
  'a an and are as at but by can for from has he i in is it near of off on or she that the they to was we were when where which who will with you'.split(
    ' ',
  ),
);

const mayHaveFillers = /(?<![a-z])(?:u[uhm]|e[er]|h[hm]|m[hm])/;
const fillers =
  /(?<![\p{L}\d'])(?:uh[ -]+(?:huh|oh)(?!\p{L})|(?:u+m+|u+h+m*|e+rm+|mm+[ -]+h+m+|h+m+|m+h+m+|mm+)(?![\p{L}\d']))/gu;
const aNumber = /(?:\d|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|\p{L}+(?:teen|ty)|hundred)) ?$/u;
/** What a transcriber or a caption remarks in other signs; sung words between ♪ are words. */
const remarks = /\{[^{}]*\}|♪\s*(?:music|instrumental|singing|music playing)?\s*♪/gu;
const mayBeRemarks = /[<>[\]()［＜【〔〈］＞】〕〉（）{*♪]/;

const letters: Readonly<Record<string, string>> = {
  œ: 'oe',
  ø: 'o',
  æ: 'ae',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
};
/** Of Latin letters: those of Hindi, in a text with words of it, are vowels. */
const accents = /(?<=[a-zœøæßđðþł]\p{Mn}*)\p{Mn}|[œøæßđðþł]/gu;

/** Before ½ is 1⁄2 in one of its forms. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d) ?½/g, '.5'],
  [/(?<=\d) ?¼/g, '.25'],
  [/(?<=\d) ?¾/g, '.75'],
  [/½(?= an?(?!\p{L}))/gu, ' half'],
  [/½/g, ' 1/2 '],
  [/№/g, ' number '],
];
const half =
  /(?<=(?<!\p{L})(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)) and a half(?!\p{L})/gu;
/** A time, by what stands before it or lasts it: `a thirty second clip` has no 32nd. */
const before = 'an?|every|each|another|one|two|three|first|last|next|my|your|this|that|per';
const lasting =
  'clip|delay|video|ad|spot|rule|timer|pause|break|countdown|window|interval|timeout|mark|recording|commercial|film|call|audio|silence|lead';
const ten = tens.join('|');
const time = new RegExp(
  `(?:(?<=(?<!\\p{L})(?:${before}) )(?:${ten})|(?<!\\p{L})(?:${ten})(?= second (?:${lasting})s?(?!\\p{L})))(?= second(?!\\p{L}))`,
  'gu',
);
/** A figure behind a `no` that ends a sentence counts what follows it (`said no. 5 people came`); behind `the` it never does (`the no. 1 people`). */
const counts =
  'percent|per cent|people|persons|men|women|children|kids|years?|months?|weeks?|days?|hours?|minutes?|seconds?|times|dollars?|pounds?|euros?|cents?|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|hundred|thousand|million|billion|more|of (?:them|us|you|these|those)';
const answers =
  'sa(?:id|ys?|ying)|answer(?:s|ed)?(?: is| was)?|repl(?:y|ies|ied)|shout(?:s|ed)?|vot(?:es?|ed)|th(?:ink|inks|ought)|or|oh|no|yes|well';
const answer = new RegExp(
  `(?<!(?<!\\p{L})(?:the|my|your|his|her|its|our|their) )(?<!\\p{L})no\\.? (?=\\d[\\d.,]* ?(?:%|(?:${counts})(?!\\p{L})))|(?<=(?<!\\p{L})(?:${answers})[ ,:"“]+)no\\.? (?=\\d[\\d.,]* (?!(?:is|was|has|does|as)(?!\\p{L}))\\p{L}+s(?!\\p{L}))`,
  'gu',
);
/** `one half` and `a half`, `one quarter` and `a fourth`: the other text decides. */
const fractions = table('1/2:ˀone half|1/3:ˀone third|2/3:two thirds|1/4:ˀone ˀquarter|3/4:three ˀquarters');
const numberSigns: readonly (readonly [RegExp, string])[] = [
  [/(?<![\d/])(?:1\/[234]|[23]\/[34])(?![\d/])/g, ''],
  [/(?<![\d.:,])0,(?=\d+(?![\d,]))/g, '0.'],
  [/(?<![\d.:])(0?[1-9]|1[0-2])\.([0-5]\d)(?= ?[ap] ?m(?!\p{L}))/gu, '$1:$2'],
  [/(?<![\d:])(0?[1-9]|1[0-2]):00(?= ?[ap] ?m(?!\p{L})| ?oclock)/gu, '$1'],
  [/(?<![\d:])(0?[1-9]|1[0-2]):00(?![:\d])/g, '$1 oclock'],
  [/(?<![\d:])(1[3-9]|2[0-3]):00(?![:\d])/g, '$100'],
  [/(?<=(?<!\d)\d{1,2}):(?=[0-5]\d(?!\d))/g, ' '],
  [/(?<=\d)\^2(?!\d)/g, ' squared'],
  [/(?<=\d)\^3(?!\d)/g, ' cubed'],
  [/(?<=\d)\^(?=\d)/g, ' to the power of '],
  [/(?<=\d) ?¢/g, ' cents'],
  [/(?<=\d) ?° ?c(?!\p{L})/gu, ' degrees celsius'],
  [/(?<=\d) ?° ?f(?!\p{L})/gu, ' degrees fahrenheit'],
  [/(?<=\d) ?°/g, ' degrees'],
  [/(?<![\p{L}\d-])[-−](?=\d)/gu, `${openWord('minus', 'negative')} `],
  [/(?<![\p{L}\d.])\.(?=\d)/gu, ' point '],
  // What stands before the figure tells it from the `no` that is written for a number.
  [answer, 'no, '],
  [/(?<!\p{L})no (?=\d)/gu, ` ${openWord('no', 'numero')} `],
  [/(?<!\p{L})no\. ?(?=\d)/gu, ` ${openWord('number', 'numero')} `],
  [/#(?=\d)/g, ' number '],
  [/(\d) ?× ?(?=\d)/g, '$1 times '],
];
const wordSigns: readonly (readonly [RegExp, string])[] = [
  [/ ?%/g, ' percent'],
  [/(?<=[\p{L}\d] ?)=(?= ?[\p{L}\d])/gu, ' equals '],
  [/(?<=\d) ?<(?= ?\d)/g, ' less than '],
  [/(?<=\d) ?>(?= ?\d)/g, ' greater than '],
  [/&/g, ' and '],
  [/\+/g, ' plus '],
  [/(?<=(?<!\p{L})c)#/gu, ' sharp'],
  [/(?<=\p{L})\.(?=[\p{L}\d]+@\p{L})/gu, ' dot '],
  [/(?<=[\p{L}\d])@(?=\p{L})/gu, ' at '],
];
const mayBeWordSigns = /[%=<>&+#@]/;
const domain = /(?<=[\p{L}\d])\.(?=(?:com|org|net|edu|gov|io|co|uk)(?!\p{L}))|(?<=(?<!\p{L})www)\.(?=\p{L})/gu;
const mayBeShort = /\.[ \p{L}]/u;
// Letters with a full stop each (U.S.A., a.m., Ph.D.) are one word; so are letters that stand apart.
const initials = /(?<![\p{L}\d.])(?:\p{L}{1,2}\.){2,}(?:\p{L}(?![\p{L}'.]))?/gu;
const apart = /(?<![^ ])\p{L}(?: \p{L}(?![^ ]))+/gu;
const mayBeApart = /(?<![^ ])\p{L} \p{L}(?![^ ])/u;
const words = new Set(['a', 'i', 'o']);
const known = new Set(['ai', 'oi']);
/** Words of two letters of which the first is one: `a t shirt` is at no shirt. */
const ordinary = new Set('ad ah am an as at ax if in is it of oh on or ox'.split(' '));
const beforeDigits = /(?<=[\p{L}--ˀ])(?=\d)|(?<=\d)(?=[\p{L}--ˀ])(?!(?:st|nd|rd|th|s)(?!\p{L}))/gv;
const formula = /(?<![\p{L}\d])(?:c ?o ?2|h ?2 ?o)(?![\p{L}\d])/gu;

/** British and American as Whisper's table has them, less its slips and the pairs that are two words. */
const notTheSame = new Set(
  `archaeology mhm mmm pummelled pummelling snowploughs tranquilly tonne tonnes gage gaged gages gaging philtre philtres groyne groynes
   aeroplane aeroplanes aluminium
   glamor travelog travelogs busses bussing storey storeys`.split(/\s+/),
);
const spelled = new Map([
  ...[...americanSpellings].filter(([word]) => !notTheSame.has(word)),
  ...table('archaeology:archeology|okay:ok|alright:all right|storey:story|storeys:stories|grey:gray'),
  ...alone,
]);

/** Each word in one spelling, and a number as it is counted. */
function spellingOf(word: string, said: readonly string[], place: number): string {
  if (word === 'st') {
    const next = said[place + 1];
    return next === undefined || noSaint.has(next) ? 'street' : 'saint';
  }
  const own = spelled.get(word);
  if (own !== undefined) return own;
  const first = word.charCodeAt(0);
  // A figure, or i, l, v or x of a Roman numeral.
  if (first < 58) return digitsApart(smallOrdinal(word));
  const roman = first === 105 || first === 108 || first === 118 || first === 120 ? romanNumerals.get(word) : undefined;
  return roman === undefined ? word : romanInWords(word, roman, said, place);
}

const replaceAll = (text: string, changes: readonly (readonly [RegExp, string])[]) =>
  changes.reduce((changed, [pattern, by]) => changed.replace(pattern, by), text);

// Most texts are letters and blanks alone, and are not searched for each sign.
const hasSigns = /[^a-z ]/;
const beyondAscii = /[^\0-\x7f]/;
/** Runs of signs, a stop within a number being none, with the blanks behind them. */
const otherSigns = (ofWords: string) =>
  new RegExp(`(?:[^${ofWords}. ]|\\.(?!\\d)|(?<!\\d)\\.)(?:[^${ofWords}.]|\\.(?!\\d)|(?<!\\d)\\.)*`, 'gu');
const signsOfAscii = otherSigns('a-z\\d');
const signsOfAny = otherSigns('\\p{L}\\p{M}\\p{N}');

/**
 * English as a careful reader would compare it: what is said alike is one, what is said otherwise stays apart. Letter case changes nothing.
 *
 * Contractions with any sign for the apostrophe, or none, are their words (`it’s`, `its` apart; `cannot`, `can not`, `can't`); a possessive is
 * no "is" (`Anna's hat` is `annas hat`). U.S.A. is USA, 10:05 ten oh five, 10:00 ten o'clock, $20 twenty dollars, 50% fifty percent, CO₂ CO2,
 * colour color, Mr. mister; remarks in brackets, braces and asterisks, and fillers (um, uh, hmm) are no words. A number of three digits or more
 * counts as its digits, near to as many words as are said (`1984` and `nineteen eighty four` are four), hundreds and thousands as one.
 *
 * What may be heard as one of several stays open (`openMark`), and the other text decides: `he's` is "he is" and "he has", `I'd` "I would" and
 * "I had", `'em` "em" and "them"; "he is" and "he has", both written out, stay apart.
 *
 * What it cannot tell: whether `the dog's` is possession or "is" (possession, unless a pronoun comes first); how a number was said that is written
 * in figures (`205` is `two hundred and five` and `two oh five`).
 *
 * @example plainEnglish.words("It’s 10:05 in the U.S.A. – we can't pay $20") // ['it', 'ˀs', 'one', 'zero', 'zero', 'five', 'in', …]
 */
export const plainEnglish = makeNormalizer({
  name: 'plain-english',
  version: 6,
  about:
    'English as a reader compares it: contractions with any apostrophe, U.S.A. and USA, 10:05 and ten oh five, $20 and twenty dollars, spelling, remarks, fillers.',
  steps: [
    { step: 'lower case', apply: lowerOf },
    {
      step: 'drop <...>, [...], {...} and remarks in (...) and *...*',
      apply: (text) =>
        mayBeRemarks.test(text) ? withoutRemarks(text, 'en').replace(remarks, ' ').replace(/ {2,}/g, ' ') : text,
    },
    {
      step: 'one writing of apostrophes, digits, grouped numbers, invisible characters',
      apply: (text) => writtenAlike(/[½¼¾№]/.test(text) ? replaceAll(text, signs) : text, 'en'),
    },
    {
      step: 'accents',
      apply: (text) =>
        beyondAscii.test(text)
          ? text
              .normalize('NFD')
              .replace(accents, (found) => letters[found] ?? '')
              .normalize('NFC')
          : text,
    },
    {
      step: 'drop fillers',
      apply: (text) => (mayHaveFillers.test(text) ? text.replace(fillers, withoutFiller) : text),
    },
    {
      step: 'contractions',
      apply: (text) => (text.includes("'") ? withoutApostrophes(text) : text),
    },
    {
      step: 'initials and titles',
      apply: (text) =>
        mayBeShort.test(text)
          ? text
              .replace(dottedPattern, (_, title: string) => dottedTitles.get(title)!)
              .replace(initials, joinedInitials)
          : text,
    },
    {
      step: 'signs of money, time, percent',
      apply: (text) => {
        if (!hasSigns.test(text)) return text;
        const said = /\d/.test(text) ? inWords(text) : text;
        return (mayBeWordSigns.test(said) ? replaceAll(said, wordSigns) : said).replace(domain, ' dot ');
      },
    },
    {
      step: 'other signs to blanks',
      apply: (text) =>
        hasSigns.test(text)
          ? text
              .replace(beyondAscii.test(text) ? signsOfAny : signsOfAscii, ' ')
              .replace(/ {2,}/g, ' ')
              .trim()
          : text,
    },
    {
      step: 'letters and figures',
      apply: (text) => {
        const one = mayBeApart.test(text) ? text.replace(apart, joinedLetters) : text;
        if (!/\d/.test(one)) return one;
        return one
          .replace(formula, (found) => found.replaceAll(' ', '').replace(/2/, ' 2 ').trim())
          .replace(beforeDigits, ' ');
      },
    },
    {
      step: 'numbers in figures, one spelling',
      apply: (text) => {
        const percent = text.includes('per cent') ? text.replace(/(?<![^ ])per cent(?![^ ])/g, 'percent') : text;
        const halves = percent.includes('and a half') ? percent.replace(half, ' point five') : percent;
        const timed = halves.includes('ty second')
          ? halves.replace(time, (ten) => numbersInFigures([ten]).join(''))
          : halves;
        const said = sumsAndMeasures(numbersInFigures(timed.split(' ').filter((word) => word !== '')));
        return said.map((word, place) => spellingOf(word, said, place)).join(' ');
      },
    },
    {
      step: 'words that are written in two',
      apply: (text) => text.replace(/\b(?:e mail|wi fi|t shirt|o clock)(?=s?\b)/g, (found) => found.replace(' ', '')),
    },
  ],
  split: (text) => (text === '' ? [] : text.split(' ')),
});

/** `uh-huh` and `uh-oh` are words, and `mm` behind a number millimetres. */
function withoutFiller(found: string, place: number, text: string): string {
  if (/^uh[ -]+(?:huh|oh)/.test(found)) return found.replace(/[ -]+/, '');
  return /^mm+$/.test(found) && aNumber.test(text.slice(Math.max(0, place - 20), place)) ? found : ' ';
}

function inWords(text: string): string {
  const [fraction, ...others] = numberSigns;
  return replaceAll(
    moneyInWords(text)
      .replace(/(?<=(?<![\d/])\d+) (?:and )?1\/2(?![\d/])/g, '.5')
      .replace(fraction![0], (found) => fractions.get(found) ?? found),
    others,
  );
}

/** U.S.A. as usa; I.T., which would be another word, as letters that are one word where the other text has it. */
function joinedInitials(found: string, place: number, text: string): string {
  const joined = found.replaceAll('.', '');
  return ordinary.has(joined) && !isTime(joined, place, text) ? openLetters([...joined]) : joined;
}

function isTime(joined: string, place: number, text: string): boolean {
  return joined === 'am' && aNumber.test(text.slice(Math.max(0, place - 20), place));
}

/** u s a as usa; a and i, which are words, only beside other letters that make no word with them. */
function joinedLetters(found: string, place: number, text: string): string {
  const joined = found.replaceAll(' ', '');
  if (ordinary.has(joined)) {
    return isTime(joined, place, text) || (joined === 'at' && text.startsWith(' and t', place + 3)) ? joined : found;
  }
  return known.has(joined) || [...joined].some((letter) => !words.has(letter)) ? joined : found;
}
