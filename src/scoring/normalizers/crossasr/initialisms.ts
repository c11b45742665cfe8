import type { NormalizerStep } from '../normalizer.ts';
import { digitByDigit, namingNumber } from './numbers.ts';
import { anyOf, rewrite, wordSet } from './rewrite.ts';

const vowelless = /^[bcdfghjklmnpqrstvwxz]{2,}$/i;

const joined =
  /(?<![\p{L}\p{M}\d])(?:(?:\p{L}\p{M}*){1,12}-?\d{1,20}|\d{1,20}(?:\p{L}\p{M}*){1,12})(?:-?(?:\d{1,20}|(?<=\d-?)\p{L}{1,12}|(?<=\d)\p{L}{1,12})){0,6}(?![\p{L}\p{M}\d])/gu;
const manyTimes = /(?<![\p{L}\d]|\d[.,])(?<number>\d+(?:\.\d+)?)[x×](?![\p{L}\d])/giu;

/** B2B, MP3, COVID-19, F-16, A4, 4G: "b two b", "m p three", "covid nineteen", "f sixteen", "a four", "four g". 2x is "two times". */
export const alphanumerics: NormalizerStep = {
  step: 'letters and figures together',
  apply: (text) =>
    rewrite(text.replace(manyTimes, '$<number> times'), joined, (_, __, written) =>
      /\d/.test(written) ? sayAlphanumeric(written) : undefined,
    ),
};

/** Said letter by letter even in small letters, since these are no English words. */
export const spelledInSmallLetters: ReadonlySet<string> = wordSet(`
  eu uk usa uae ussr un ec ecb ecj ep mep mp bbc cnn nbc cbs abc fbi cia nsa irs fda epa faa fcc cdc nhs ngo imf wto
  gdp gnp vat ceo cfo cto coo hr tv dvd cd pc cpu gpu usb url http https html css xml sql pdf api gps sms faq diy atm
  dna rna hiv mri iq id vip ufo suv phd mba bbq fyi rsvp lgbt ira nba nfl nhl mlb ibm bmw kfc dhl mtv hbo ftp ip
  io nz js ts py rs cpp txt xls xlsx csv xlsx docx htm svg jpg png tgv nj ny nyc dc`);

/** Said letter by letter in capitals, though they could be pronounced. */
const spelledInCapitals: ReadonlySet<string> = wordSet(`
  ACLU UCLA ASAP IAEA IEEE AOL NAACP NCAA EEOC OECD ICAO AARP ASCAP ESPN MSNBC NYPD LAPD USPS USDA USAF USCIS EEC EEA
  EFSA EMA EASA EUR USSR DOJ DOD DOE IAAF IUCN USMC ISBN ISSN UEA EDF ALS ADHD PTSD OCD ALDE EPP ECR`);

/** Words and abbreviations of three letters or less, by what stands around. */
const spelledAfterThe: ReadonlySet<string> = wordSet('WHO IT ICE');

/** Written in capitals and said as a word. */
export const saidAsWord: ReadonlySet<string> = wordSet(`
  NATO NASA UNESCO UNICEF OPEC AIDS SARS COVID LASER RADAR SONAR SCUBA NAFTA ASEAN FIFA UEFA NASDAQ IKEA LEGO VISA
  SWAT SEAL SEALS FEMA OSHA HIPAA CERN ESA EURO JPEG GIF RAM ROM SIM PIN LAN WAN WIFI CAPTCHA ASCII UNIX LINUX BASIC
  COBOL FORTRAN BIOS SAT GRE LSAT MCAT TOEFL POTUS SCOTUS FLOTUS NIMBY YOLO MOMA OSCE FRONTEX INTERPOL EUROPOL ERASMUS
  CEDEFOP EFTA GATT GAAP NICE PAC DARPA DEFCON MASH RICO PETA ZIP NORAD SALT START TARP CHIP DREAM MERCOSUR LED`);

/** Everyday words that people write in capitals for stress, up to three letters. */
export const stressedWords: ReadonlySet<string> = wordSet(`
  A I O AM AN AS AT BE BY DO GO HE IF IN IS IT ME MY NO OF OH ON OR SO TO UP WE ALL AND ANY ARE ASK BAD BAN BAR BAT BED
  BIG BIT BOX BOY BUS BUT BUY CAN CAR CAT CRY CUT DAD DAY DID DIE DOG DRY EAR EAT EGG END EYE FAN FAR FEW FIT FIX FLY
  FOR FUN GET GOD GOT GUN GUY HAD HAS HAT HER HEY HIM HIS HIT HOT HOW ICE ILL ITS JOB JOY KEY KID LAW LAY LET LIE LOT
  LOW MAD MAN MAP MAY MEN MET MIX MOM MUD NEW NOR NOT NOW ODD OFF OIL OLD ONE OUR OUT OWN PAY PER PUT RED RUN SAD SAW
  SAY SEA SEE SET SHE SIT SIX SKY SON SUN TAX TEA TEN THE TOO TOP TRY TWO USE VAN VIA WAR WAS WAY WET WHO WHY WIN WOW
  YES YET YOU ZOO`);

const vowel = /[AEIOUY]/;
// Three consonants in a row, or two that begin or end no English word, cannot be said.
const unsayable =
  /[BCDFGHJKLMNPQRSTVWXZ]{4}|^(?:[BCDFGHJKLMNPQRSTVWXZ]{3}(?<!SCH|SCR|SHR|SPL|SPR|STR|THR|CHR))|^(?:[BDFGHJKLMNPQRTVXZ])(?=[BCDFGKMNPQSTVXZ])|[AEIOUY]{3}|^(?:IE|UU|AA|EE.$)|[HJQVW]$|[BCDFGHJKLMNPQRSTVWXZ]{3}$(?<!GHT|TCH|RST|RLD|RTH|LTH|NCH|RCH|RDS|NTS|NDS|CKS|RKS|RTS|NGS|LLS|STS|RNS|RMS|LTS|MPS|NKS)/;

/**
 * Whether a word in capitals is said letter by letter: without a vowel, short, or not to be pronounced.
 *
 * @param shouted whether the text around has capitals alone, which say nothing then
 */
export function isSpelled(word: string, shouted = false): boolean {
  if (saidAsWord.has(word) || stressedWords.has(word)) return false;
  if (spelledInCapitals.has(word) || spelledInSmallLetters.has(word.toLowerCase())) return true;
  if (!/^[A-Z]+$/.test(word)) return false;
  if (!vowel.test(word.replace(/^Y/, ''))) return true;
  if (shouted) return false;
  return word.length <= 3 || (word.length <= 5 && unsayable.test(word));
}

/** Letters one by one. */
const spelled = (word: string) => Array.from(word.toLowerCase()).join(' ');

const dotted = /(?<![\p{L}\d])(?<letters>(?:\p{L}\.){2,30}(?:\p{L}(?![\p{L}\d]))?)(?:'(?<own>s)(?!\p{L}))?/gu;
const capitals = /(?<![\p{L}\d'])(?<word>\p{Lu}{2,})(?:(?<own>'?s)(?!\p{L}))?(?!\p{L}|\d|'\p{L})/gu;
const small = new RegExp(
  `\\b(?<![\\p{L}\\d'.])(?<word>${anyOf(spelledInSmallLetters)})(?:(?<many>(?<=eu|mep|mp|ngo|cd|dvd|tv|pc|ceo|ufo|vip)s)|(?<own>'s))?(?![\\p{L}\\d']|\\.\\p{L})`,
  'gu',
);
const academic =
  /(?<![\p{L}\d])(?:(?<doctor>Ph\.? ?D)|(?<bachelor>B\.? ?Sc)|(?<master>M\.? ?Sc))\.?(?:'?(?<many>s))?(?![\p{L}\d])\.?/gu;
const glued = /(?<![\p{L}\d])(?<left>\p{Lu}{1,3}) ?& ?(?<right>\p{Lu}{1,3})(?!\p{L})/gu;
const trade =
  /^ (?:department|support|staff|services?|security|sector|industry|compan(?:y|ies)|systems?|infrastructure|team|manager|professionals?|consultant|director|skills|projects?|specialists?|equipment)(?!\p{L})/u;
const okay = /(?<![\p{L}\d])(?:O\.K\.?|OK|ok|Ok|o\.k\.)(?![\p{L}\d])/gu;

function spellCapitals(text: string): string {
  let said = rewrite(
    text,
    academic,
    ({ doctor, bachelor, many }) => `${doctor ? 'p h d' : bachelor ? 'b s c' : 'm s c'}${many ? ' s' : ''}`,
  );
  said = rewrite(said, glued, ({ left, right }) => `${spelled(left!)} and ${spelled(right!)}`);
  said = rewrite(said, dotted, ({ letters, own }) => `${spelled(letters!.replaceAll('.', ''))}${own ? ' s' : ''}`);
  return rewrite(said, capitals, ({ word, own }, { before, after }) => {
    const office =
      spelledAfterThe.has(word!) && (/\b(?:the|an?|our|their|your|his|her|in|of) $/i.test(before) || trade.test(after));
    if (!office && !isSpelled(word!)) return undefined;
    return `${spelled(word!)}${own ? ' s' : ''}`;
  });
}

/** U.S.A., BBC, EU letter by letter ("u s a"), NATO as a word; the s of a plural or genitive is a word of its own. */
export const initialisms: NormalizerStep = {
  step: 'initialisms letter by letter',
  apply(text) {
    let said = /ok|o\.k/i.test(text) ? text.replace(okay, 'okay') : text;
    if (/[A-Z.]/.test(said)) said = spellCapitals(said);
    return rewrite(said, small, ({ word, many, own }) => `${spelled(word!)}${many || own ? ' s' : ''}`);
  },
};

// Beside figures short capitals are letters, unless they are a word ("COVID").
function sayLetters(letters: string): string {
  const spell =
    letters.length === 1 ||
    vowelless.test(letters) ||
    (/^\p{Lu}+$/u.test(letters) && (letters.length === 2 || isSpelled(letters)));
  return spell ? spelled(letters) : letters.toLowerCase();
}

/**
 * Letters and figures written together: letters by name where they are no word, figures as a number that names.
 *
 * @example sayAlphanumeric('MP3') // 'm p three'
 */
export function sayAlphanumeric(written: string): string {
  return (written.match(/\p{L}\p{M}*(?:[\p{L}\p{M}])*|\d+/gu) ?? [])
    .map((part) => {
      if (!/^\d/.test(part)) return sayLetters(part);
      return part.length > 4 ? digitByDigit(part) : namingNumber(part);
    })
    .join(' ');
}
