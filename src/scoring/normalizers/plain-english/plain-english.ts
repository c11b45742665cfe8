import { asciiBrackets, dropBracketed, dropParenthesized } from '../basic.ts';
import { americanSpellings } from '../english/english.ts';
import { makeNormalizer } from '../normalizer.ts';
import { lowerOf, writtenAlike } from '../written/written.ts';
import { numbersInFigures, smallOrdinal } from './said-numbers.ts';

const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs
      .split('|')
      .map((pair) => pair.trim())
      .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
  );
const anyOf = (words: Iterable<string>) =>
  new RegExp(`(?<![\\p{L}\\d'])(?:${[...words].join('|')})(?![\\p{L}\\d'])`, 'gu');

/** Contractions that are words of their own, with an apostrophe and without. */
const fixed = table(`
  won't:will not|can't:can not|cannot:can not|shan't:shall not|let's:let us|ain't:is not|y'all:you all|ma'am:madam|o'clock:oclock
  |'cause:because|cuz:because|'em:them|'til:until|'twas:it was|'tis:it is|'bout:about|c'mon:come on|gonna:going to|gotta:got to
  |wanna:want to|kinda:kind of|sorta:sort of|outta:out of|gimme:give me|lemme:let me|dunno:do not know|imma:i am going to
  |i'ma:i am going to|woulda:would have|coulda:could have|shoulda:should have|dont:do not|didnt:did not|doesnt:does not|isnt:is not
  |wasnt:was not|werent:were not|arent:are not|hasnt:has not|havent:have not|hadnt:had not|couldnt:could not|wouldnt:would not
  |shouldnt:should not|cant:can not|wont:will not|im:i am|ive:i have|youre:you are|youve:you have|youll:you will|theyre:they are
  |theyve:they have|theyll:they will|weve:we have|thats:that is|whats:what is|theres:there is`);
const fixedPattern = anyOf(fixed.keys());

/** Whose 's is "is" or "has", and no possession. */
const subjects =
  "(?<![\\p{L}\\d'])(it|he|she|that|this|what|who|where|when|why|how|there|here|everybody|everyone|everything|somebody|someone|something|nobody|nothing|anybody|anyone|anything)'s";
const perfect =
  '(?= (?:been|gone|got|done|become|come|had|taken|seen|made|said|never been|always been|just been|not been)(?!\\p{L}))';
const has = new RegExp(`${subjects}${perfect}`, 'gu');
const is = new RegExp(`${subjects}(?!\\p{L})`, 'gu');
const had = /'d(?= (?:better|been|gone|got|done|become|had|taken|seen|never|already)(?!\p{L}))/gu;
const endings: readonly (readonly [RegExp, string])[] = [
  [/n't(?!\p{L})/gu, ' not'],
  [has, '$1 has'],
  [is, '$1 is'],
  [had, ' had'],
  [/'d(?!\p{L})/gu, ' would'],
  [/'re(?!\p{L})/gu, ' are'],
  [/'ll(?!\p{L})/gu, ' will'],
  [/'ve(?!\p{L})/gu, ' have'],
  [/(?<=(?<!\p{L})i)'m(?!\p{L})/gu, ' am'],
  [/(?<=\p{L}{2})in'(?!\p{L})/gu, 'ing'],
];

/** Before a name, or where no other word is written so. */
const titles = table(
  'mr:mister|mrs:missus|dr:doctor|prof:professor|capt:captain|sgt:sergeant|lt:lieutenant|jr:junior|sr:senior|vs:versus',
);
const dottedTitles = table(
  'gov:governor|sen:senator|rep:representative|gen:general|rev:reverend|col:colonel|pres:president|hon:honorable|dept:department|etc:et cetera',
);
const street = /(?<=\p{Lu}\p{Ll}+ )St(?!\p{L})\.?(?! ?\p{Lu})/gu;
const saint = /(?<!\p{L})St\.?(?= \p{Lu})/gu;
const titlePattern = new RegExp(`(?<![\\p{L}\\d'])(${[...titles.keys()].join('|')})(?![\\p{L}\\d'])\\.?`, 'gu');
const dottedPattern = new RegExp(`(?<![\\p{L}\\d'])(${[...dottedTitles.keys()].join('|')})\\.(?= \\p{L}|$)`, 'gu');

const aNumber = '\\d|(?<!\\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|\\p{L}+(?:teen|ty)|hundred)';
const fillers = new RegExp(
  `(?<![\\p{L}\\d'-])(?:u+m+|u+h+m*|e+rm+|hm+|mhm+|m+hm+|(?<!(?:${aNumber}) ?)mm+)(?![\\p{L}\\d'-])`,
  'gu',
);
/** What a transcriber or a caption remarks in other signs than brackets; sung words between ♪ are words. */
const remarks =
  /\{[^{}]*\}|(?<![\p{L}\d*])\*(?![\s*])[^*]{1,80}(?<!\s)\*(?![\p{L}\d*])|♪\s*(?:music|instrumental|singing|music playing)?\s*♪/gu;

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
const accents = /\p{Mn}|[œøæßđðþł]/gu;

const currencies: Readonly<Record<string, string>> = {
  $: 'dollars',
  '£': 'pounds',
  '€': 'euros',
  '¥': 'yen',
  '₹': 'rupees',
};
const money = /([$£€¥₹]) ?(\d+(?:\.\d+)?)((?: ?(?:hundred|thousand|million|billion|trillion))*)/g;
const signs: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d) ?½/g, '.5'],
  [/(?<=\d) ?¼/g, '.25'],
  [/(?<=\d) ?¾/g, '.75'],
  [/½/g, ' half '],
];
const numberSigns: readonly (readonly [RegExp, string])[] = [
  [/(?<!\d)(\d{1,2}):00(?![:\d])/g, '$1'],
  [/(?<=(?<!\d)\d{1,2}):(?=[0-5]\d(?!\d))/g, ' '],
  [/(?<=\d) ?%|(?<!\p{L})per cent(?!\p{L})/gu, ' percent'],
  [/(?<=\d) ?¢/g, ' cents'],
  [/(?<=\d) ?° ?c(?!\p{L})/gu, ' degrees celsius'],
  [/(?<=\d) ?° ?f(?!\p{L})/gu, ' degrees fahrenheit'],
  [/(?<=\d) ?°/g, ' degrees'],
  [/(?<![\p{L}\d][ -]?)[-−](?=\d)/gu, 'minus '],
  [/&/g, ' and '],
  [/(?<=[\p{L}\d])@(?=\p{L})/gu, ' at '],
  [/(?<=[\p{L}\d])\.(?=(?:com|org|net|edu|gov|io|co|uk)(?!\p{L}))/gu, ' dot '],
];
// Letters with a full stop each (U.S.A., a.m., Ph.D.) are one word; so are letters that stand apart.
const initials = /(?<![\p{L}\d.])(?:\p{L}{1,2}\.){2,}(?:\p{L}(?![\p{L}'.]))?/gu;
const apart = /(?<![\p{L}\d'])\p{L}(?: \p{L}(?![\p{L}\d']))+/gu;
const words = new Set(['a', 'i', 'o']);
const known = new Set(['ai', 'oi']);
const beforeDigits = /(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})(?!(?:st|nd|rd|th|s)(?!\p{L}))/gu;
const formula = /(?<![\p{L}\d])(?:c ?o ?2|h ?2 ?o)(?![\p{L}\d])/gu;

/** British and American as Whisper's table has them, less its slips and the pairs that are two words. */
const notTheSame = new Set(
  `archaeology mhm mmm pummelled pummelling snowploughs tranquilly tonne tonnes gage gaged gages gaging philtre philtres groyne groynes
   glamor travelog travelogs busses bussing storey storeys`.split(/\s+/),
);
const spelled = table(
  'archaeology:archeology|okay:ok|alright:all right|email:email|storey:story|storeys:stories|grey:gray',
);

/** The words of a text in one spelling each. */
function oneSpelling(word: string): string {
  const own = spelled.get(word);
  if (own !== undefined) return own;
  return notTheSame.has(word) ? word : (americanSpellings.get(word) ?? word);
}

const replaceAll = (text: string, changes: readonly (readonly [RegExp, string])[]) =>
  changes.reduce((changed, [pattern, by]) => changed.replace(pattern, by), text);

/**
 * English as a careful reader would compare it: what is said alike is one, what is said otherwise stays apart.
 *
 * Contractions with any sign for the apostrophe, or none, are their words (`it’s`, `its` apart; `cannot`, `can not`, `can't`); a possessive is
 * no "is" (`Anna's hat` is `annas hat`). U.S.A. is USA, 10:05 ten oh five, 10:00 ten, $20 twenty dollars, 50% fifty percent, CO₂ CO2,
 * colour color, Mr. mister; remarks in brackets, braces and asterisks, and fillers (um, uh, hmm) are no words.
 *
 * What it cannot tell: whether `the dog's` is possession or "is" (possession, unless a pronoun comes first), and `he'd` "had" or "would" (by
 * the word behind it); how numbers that follow each other were grouped (`21 22`, `2122`).
 *
 * @example plainEnglish.words("It’s 10:05 in the U.S.A. – we can't pay $20") // ['it', 'is', '1005', 'in', 'the', 'usa', …]
 */
export const plainEnglish = makeNormalizer({
  name: 'plain-english',
  version: 1,
  about:
    'English as a reader compares it: contractions with any apostrophe, U.S.A. and USA, 10:05 and ten oh five, $20 and twenty dollars, spelling, remarks, fillers.',
  steps: [
    {
      step: 'St. as saint or street, by the capitals beside it',
      apply: (text) => text.replace(street, 'Street').replace(saint, 'Saint'),
    },
    { step: 'lower case', apply: lowerOf },
    {
      step: 'drop <...>, [...], (...), {...} and *...*',
      apply: (text) => dropParenthesized(dropBracketed(asciiBrackets(text))).replace(remarks, ' '),
    },
    {
      step: 'one writing of apostrophes, digits, grouped numbers, invisible characters',
      apply: (text) => writtenAlike(/[½¼¾]/.test(text) ? replaceAll(text, signs) : text, 'en'),
    },
    {
      step: 'accents',
      apply: (text) =>
        /[^\0-\x7f]/.test(text)
          ? text
              .normalize('NFD')
              .replace(accents, (found) => letters[found] ?? '')
              .normalize('NFC')
          : text,
    },
    { step: 'drop fillers', apply: (text) => text.replace(fillers, ' ') },
    {
      step: 'no blank before an apostrophe',
      apply: (text) => text.replace(/(?<=\p{L}) '(?=(?:s|t|re|ll|ve|m|d)(?!\p{L}))/gu, "'"),
    },
    {
      step: 'contractions',
      apply: (text) =>
        replaceAll(
          text.replace(fixedPattern, (found) => fixed.get(found)!),
          text.includes("'") ? endings : [],
        ).replaceAll("'", (_, place: number, whole: string) =>
          /\p{L}/u.test(whole.charAt(place - 1)) && /\p{L}/u.test(whole.charAt(place + 1))
            ? ''
            : /\d/.test(whole.charAt(place - 1))
              ? ''
              : ' ',
        ),
    },
    {
      step: 'initials and titles',
      apply: (text) =>
        (text.includes('.')
          ? text
              .replace(dottedPattern, (_, title: string) => dottedTitles.get(title)!)
              .replace(initials, (found) => found.replaceAll('.', ''))
          : text
        ).replace(titlePattern, (_, title: string) => `${titles.get(title)!} `),
    },
    {
      step: 'signs of money, time, percent',
      apply: (text) =>
        replaceAll(
          text.replace(
            money,
            (_, sign: string, amount: string, more: string) => `${amount}${more} ${currencies[sign]} `,
          ),
          numberSigns,
        ),
    },
    {
      step: 'other signs to blanks',
      apply: (text) => text.replace(/(?<!\d)\.|\.(?!\d)|[^\p{L}\p{M}\p{N}.]+/gu, ' ').trim(),
    },
    {
      step: 'letters and figures',
      apply: (text) =>
        text
          .replace(formula, (found) => found.replaceAll(' ', '').replace(/2/, ' 2 ').trim())
          .replace(beforeDigits, ' ')
          .replace(apart, joinedLetters),
    },
    {
      step: 'numbers in figures, one spelling',
      apply: (text) =>
        sumsOfMoney(numbersInFigures(wordsOf(text.includes(' and a half') ? text.replace(half, ' point five') : text)))
          .map((word) => oneSpelling(smallOrdinal(word)))
          .join(' '),
    },
    {
      step: 'words that are written in two',
      apply: (text) => text.replace(/\b(?:e mail|wi fi)(?=s?\b)/g, (found) => found.replace(' ', '')),
    },
  ],
});

/** Between blanks alone, as the step before leaves it. */
const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '');

const half =
  /(?<=(?<!\p{L})(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)) and a half(?!\p{L})/gu;

/** u s a as usa; a and i, which are words, only beside other letters. */
function joinedLetters(found: string): string {
  const joined = found.replaceAll(' ', '');
  return known.has(joined) || [...joined].some((letter) => !words.has(letter)) ? joined : found;
}

/** `20 dollars and 50 cents` as `20.50 dollars`, `0.50 dollars` as `50 cents`, an `oclock` behind a number as nothing. */
function sumsOfMoney(said: readonly string[]): string[] {
  const kept: string[] = [];
  for (let place = 0; place < said.length; place++) {
    const word = said[place]!;
    const before = kept.at(-1);
    const isNumber = before !== undefined && (/^\d/.test(before) || before === 'one');
    if (word === 'oclock' && isNumber) continue;
    if (isNumber && /^(?:dollar|pound|euro|cent|rupee)s?$/.test(word)) {
      const unit = word.endsWith('s') ? word : `${word}s`;
      const rest = said.slice(place + 1, place + 4);
      if (rest[0] === 'and') rest.shift();
      const [cents, name] = rest;
      if (
        unit !== 'cents' &&
        cents !== undefined &&
        /^(?:\d{1,2}|one)$/.test(cents) &&
        /^(?:cents?|pence)$/.test(name ?? '')
      ) {
        kept[kept.length - 1] =
          `${before === 'one' ? '1' : before}.${(cents === 'one' ? '1' : cents).padStart(2, '0')}`;
        place += said[place + 1] === 'and' ? 3 : 2;
      } else if (unit !== 'cents' && /^0\.\d\d$/.test(before)) {
        kept[kept.length - 1] = String(Number(before.slice(2)));
        kept.push('cents');
        continue;
      }
      kept.push(unit);
    } else kept.push(word);
  }
  return kept;
}
