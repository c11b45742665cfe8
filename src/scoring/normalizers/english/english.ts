import { dropBracketed, dropParenthesized } from '../basic.ts';
import { makeNormalizer, type NormalizerStep, splitWords, whiteSpace } from '../normalizer.ts';
import {
  anyWord,
  blank,
  expandEndings,
  expandFixedContractions,
  expandTitles,
  wordEnd,
  wordStart,
} from './contractions.ts';
import { wordsByLetters } from './letter-groups.ts';
import { numberWords, readNumbers } from './read-numbers.ts';

/**
 * Stems of verbs that the British table writes with -ise or -yse and the American with -ize or -yze, by the endings that
 * the table has for them: `organi` and `e` make `organise`, which becomes `organize`.
 */
const stemsByEndings: readonly (readonly [endings: string, stems: string])[] = [
  [
    'e ed es ing',
    `
    accessori analy anglici antagoni apologi authori bapti bastardi bowdleri brutali canali cannibali canoni
    capitali carameli carboni cataly categori cauteri centrali characteri circulari civili collectivi
    commerciali compartmentali computeri conceptuali contextuali criminali critici customi demoni deodori
    depersonali deputi digiti economi editoriali empathi emphasi energi epitomi eulogi evangeli exorci factori
    fantasi femini galvani ghettoi glamori homogeni humani hybridi hypnoti hypothesi idoli immortali individuali
    industriali initiali intellectuali italici itemi jeopardi legitimi locali magneti memori memoriali mesmeri
    metaboli militari minimi moderni morali optimi ostraci overemphasi paraly particulari penali personali
    philosophi plagiari propagandi psychoanaly publici radicali randomi revitali revolutioni rhapsodi romantici
    saniti satiri scandali scrutini sensationali sensiti sentimentali sermoni signali sodomi solemni summari
    symboli tempori tenderi terrori theori traumati triviali tyranni vandali verbali
    `,
  ],
  [
    'ation e ed es ing',
    `
    acclimati crystalli decentrali decriminali dehumani demilitari demobili democrati demorali denationali
    desensiti destabili extempori familiari finali formali fossili fraterni globali harmoni hospitali ideali
    immuni institutionali internali internationali legali liberali lioni marginali materiali maximi mechani
    miniaturi mobili monopoli naturali neutrali normali oxidi passivi pasteuri pedestriani polari politici
    populari pressuri prioriti professionali pulveri regulari seculari sociali standardi stigmati synchroni
    systemati unioni urbani vapori victimi vulgari westerni
    `,
  ],
  [
    'ation ations e ed es ing',
    `
    dramati externali fictionali generali nationali privati rationali reorgani seriali speciali visuali vocali
    `,
  ],
  [
    'ed',
    `
    annuali motori rituali transistori unauthori uncivili underutili unorgani vulcani
    `,
  ],
  ['e ed er ers es ing', 'breathaly liquidi moisturi proselyti sympathi synthesi womani'],
  ['ation e ed er ers es ing', 'coloni equali fertili immobili ioni stabili subsidi'],
  ['e ed es ing ingly', 'agoni patroni tantali'],
  ['able ation ations e ed es ing', 'amorti reali'],
  ['ement', 'aggrandi'],
  ['er ers ing ingly', 'appeti'],
  ['ation ed', 'disorgani'],
  ['ation ational ations e ed er ers es ing', 'organi'],
  ['able ably e ed es ing', 'recogni'],
  ['ation ations e ed er ers es ing', 'sterili'],
  ['able ed', 'unrecogni'],
  ['able ation e ed es ing', 'utili'],
];

/** Pairs that follow no rule. Some turn round: `gage`, `glamor`, `travelog` become the longer British forms. */
const irregularPairs = `
     aeroplane:airplane aeroplanes:airplanes almanack:almanac almanacks:almanacs aluminium:aluminum
  anaesthetise:anesthetize anaesthetised:anesthetized anaesthetises:anesthetizes anaesthetising:anesthetizing
  archeological:archaeological artefact:artifact artefacts:artifacts bannister:banister bannisters:banisters
  battleax:battleaxe bevvies:bevies bevvy:bevy catalogued:cataloged cataloguing:cataloging centred:centered
  chequered:checkered clarinettist:clarinetist clarinettists:clarinetists flautist:flutist flautists:flutists
  fulfil:fulfill fulfilment:fulfillment fulfils:fulfills gage:gauge gaged:gauged gages:gauges gaging:gauging
  gipsies:gypsies glamor:glamour groyne:groin groynes:groins gryphon:griffin gryphons:griffins jewellery:jewelry
  licencing:licensing louvre:louver louvred:louvered louvres:louvers manoeuvrability:maneuverability
  manoeuvrable:maneuverable manoeuvred:maneuvered manoeuvring:maneuvering manoeuvrings:maneuverings
  meagre:meager misspelt:misspelled moustache:mustache moustached:mustached moustaches:mustaches
  moustachioed:mustachioed   outmanoeuvred:outmaneuvered outmanoeuvring:outmaneuvering philtre:filter
  philtres:filters pouffe:pouf   pouffes:poufs pyjama:pajama pyjamas:pajamas pzazz:pizzazz
  recognisance:recognizance reconnoitred:reconnoitered   reconnoitring:reconnoitering sepulchre:sepulcher
  sepulchres:sepulchers sheikh:sheik storeys:stories tonne:ton tonnes:tons   tranquillise:tranquilize
  tranquillised:tranquilized tranquilliser:tranquilizer tranquillisers:tranquilizers
  tranquillises:tranquilizes tranquillising:tranquilizing travelog:travelogue travelogs:travelogues waggon:wagon
  waggons:wagons yoghourt:yogurt yoghourts:yogurts yoghurt:yogurt yoghurts:yogurts
`;

/**
 * Slips of the table: a web page's tag in `archaeology`, four that become other words, and two fillers, which only get here
 * where they stood against something else (`5mmm` gives `5 hmm`).
 */
const slips = `
  archaeology:archeology</span> mhm:hmm mmm:hmm pummelled:pummel pummelling:pummeled
  snowploughs:snowplow tranquilly:tranquility
`;

/**
 * American spellings of 1,738 British words, by these: the pairs that Whisper's English normalizer knows (openai-whisper
 * 20250625, which has one more that no word can match), its slips included, since only the same pairs give the same
 * numbers. Written as stems and rules; the pairs themselves are facts of spelling.
 */
export const americanSpellings: ReadonlyMap<string, string> = new Map([
  ...stemsByEndings.flatMap(([endings, stems]) =>
    splitWords(stems).flatMap((stem) =>
      splitWords(endings).map((ending): [string, string] => [`${stem}s${ending}`, `${stem}z${ending}`]),
    ),
  ),
  ...wordsByLetters.flatMap(([british, american, words]) =>
    splitWords(words).map((word): [string, string] => [word, word.replace(british, american)]),
  ),
  ...splitWords(`${irregularPairs} ${slips}`).map((pair) => pair.split(':') as [string, string]),
]);

const andAHalf = new RegExp(`${wordStart}and${blank}+a${blank}+half${wordEnd}`, 'gu');
const detachedSuffix = new RegExp(`([0-9])${blank}+(st|nd|rd|th|s)${wordEnd}`, 'gu');
const dollarsAndCents = new RegExp(`([€£$][0-9]+) (?:and )?¢([0-9]{1,2})${wordEnd}`, 'gu');
const centsOnly = new RegExp(`[€£$]0.([0-9]{1,2})${wordEnd}`, 'gu');
const loneOne = new RegExp(`${wordStart}1(s?)${wordEnd}`, 'gu');

/** Letters that fall apart into no letter and mark, in lower case; of capitals one is left where a compatibility form has it. */
const letters: ReadonlyMap<string, string> = new Map([
  ['œ', 'oe'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['ß', 'ss'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
]);

const changed = /[œøæÆßđðþł]|(?![.%$¢€£])[\p{M}\p{S}\p{P}]/gu;
const markWithoutRoom = /^\p{Mn}$/u;

const fillers = anyWord(['hmm', 'mm', 'mhm', 'mmm', 'uh', 'um']);

// Only from the beginning of a run of blanks: from each of them, a run that no apostrophe follows takes square time.
const blanksBeforeApostrophe = new RegExp(`(?<!${blank})${blank}+'`, 'gu');

const steps: readonly NormalizerStep[] = [
  { step: 'lower case', apply: (text) => text.toLowerCase() },
  { step: 'drop <...> and [...]', apply: dropBracketed },
  { step: 'drop (...)', apply: dropParenthesized },
  { step: 'drop fillers', apply: dropFillers },
  { step: 'no blank before an apostrophe', apply: (text) => text.replace(blanksBeforeApostrophe, "'") },
  { step: 'contractions', apply: expandFixedContractions },
  { step: 'titles', apply: expandTitles },
  { step: "'s, 'd, n't, ...", apply: expandEndings },
  { step: 'no commas in numbers', apply: (text) => text.replace(/(\p{Nd}),(\p{Nd})/gu, '$1$2') },
  { step: 'no periods but in numbers', apply: (text) => text.replace(/\.([^0-9]|$)/gu, ' $1') },
  { step: 'accents, symbols and punctuation', apply: dropSymbolsAndAccents },
  { step: 'and a half', apply: halvesAsDecimals },
  { step: 'blanks around digits', apply: blanksAroundDigits },
  { step: 'numbers in digits', apply: (text) => readNumbers(splitWords(text)).join(' ') },
  { step: 'cents, and 1 as a word', apply: centsAndOnes },
  { step: 'American spelling', apply: americanSpelling },
  {
    step: 'no symbols but in numbers',
    apply: (text) => text.replace(/[.$¢€£]([^0-9])/gu, ' $1').replace(/([^0-9])%/gu, '$1 '),
  },
  { step: 'runs of white space to one blank', apply: (text) => text.replace(whiteSpace, ' ') },
];

/**
 * Text as Whisper's English normalizer leaves it (A. Radford et al., "Robust speech recognition via large-scale weak
 * supervision", 2022, appendix C; where that and the program differ, the program: openai-whisper 20250625).
 *
 * It makes fair what two recognizers may write either way, and does harm where texts mean something else: each step's
 * function says what it gets wrong. The known traps, kept because the published error rates have them:
 *
 * - `mm` is a filler, `20 mm` gives `20`
 * - `21 st` gives `21 saint` (`21st` stays), `Main St` gives `main saint`
 * - `10:00` gives `10 0`, `1:05` gives `one 5`, `2024-03-05` gives `2024 3 5`
 * - `Anna's hat` gives `anna is hat`, `1980's` gives `1980 is`
 * - `it’s` with a typographic apostrophe gives `it s`, so write `'` on both sides
 * - `one two three` gives `123`, `O'Neil` gives `0 neil`, `-8` gives `8` while `minus eight` gives `-8`
 * - other languages lose marks that spell their vowels
 *
 * @example englishText("Mr. O'Brien won't pay $20.50 (laughs) for the colour.") // 'mister 0 brien will not pay $20.50 for the color'
 * @internal
 */
export function englishText(text: string): string {
  return steps.reduce((changed, { apply }) => apply(changed), text);
}

/** For English: how it is written does not count. */
export const english = makeNormalizer({
  name: 'english',
  version: 2,
  about:
    'English, as Whisper’s English normalizer: contractions, titles, numbers, currency, American spelling; possessive ’s becomes “is”, “10:00” becomes “10 0”.',
  steps,
});

/**
 * Without the fillers `hmm mm mhm mmm uh um`, in lower case. Others (`er`, `ah`, `hm`, `uhh`) stay, and of `uh-huh` the
 * second half.
 *
 * Known trap: the unit goes too. `20 mm` gives `20`, as a filler would (while `20mm` gives `20 mm`).
 */
function dropFillers(text: string): string {
  return text.replace(fillers, '');
}

/**
 * Without accents (compatibility decomposition, NFKD, then marks that take no room dropped; `ø`, `ß` and their like as
 * plain letters), every other mark, symbol and punctuation sign a blank, but for the `.%$¢€£` of numbers. The text is in
 * lower case.
 *
 * Known traps: scripts that write vowels with marks lose them (Devanagari, Thai, pointed Hebrew), and Japanese its voicing
 * (`です` gives `てす`).
 */
function dropSymbolsAndAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(changed, (found) => letters.get(found) ?? (markWithoutRoom.test(found) ? '' : ' '));
}

/**
 * `two and a half` as `two point five`, after a number word that it can follow; elsewhere it stays.
 *
 * Known trap: at the very beginning of a text it goes.
 */
function halvesAsDecimals(text: string): string {
  const segments = text.split(andAHalf);
  if (segments.length === 1) return text;
  const kept: string[] = [];
  segments.forEach((segment, index) => {
    const last = splitWords(segment).at(-1);
    if (last === undefined) return;
    kept.push(segment);
    if (index === segments.length - 1) return;
    const kind = numberWords.get(last)?.kind;
    const takesHalf = kind === 'zero' || kind === 'ones' || kind === 'tens' || kind === 'multiplier';
    kept.push(takesHalf ? 'point five' : 'and a half');
  });
  return kept.join(' ');
}

/**
 * A blank between letters and digits, but none before an ordinal's ending: `5km` gives `5 km`, `3 rd` gives `3rd`.
 *
 * Known trap: `6 s` (seconds) gives `6s`.
 */
function blanksAroundDigits(text: string): string {
  return text
    .replace(/([a-z])([0-9])/g, '$1 $2')
    .replace(/([0-9])([a-z])/g, '$1 $2')
    .replace(detachedSuffix, '$1$2');
}

/**
 * `$2 and ¢7` as `$2.07`, `$0.07` as `¢7`, and a lone `1` as `one`.
 *
 * Known traps: `1.5` gives `one.5`, `1:30` gives `one 30`, and fifty cents written `$0.5` come out as `¢5`.
 */
function centsAndOnes(text: string): string {
  return text
    .replace(dollarsAndCents, (_, amount: string, cents: string) => `${amount}.${cents.padStart(2, '0')}`)
    .replace(centsOnly, (_, cents: string) => `¢${Number(cents)}`)
    .replace(loneOne, 'one$1');
}

/**
 * Each word that is British in the American spelling, one blank between words.
 *
 * Known traps: `archaeology` gives `archeology</span>`, `pummelled` `pummel` and `snowploughs` `snowplow`; `tonne` (1,000 kg)
 * becomes `ton`; `gage` becomes `gauge` also in names.
 */
function americanSpelling(text: string): string {
  return splitWords(text)
    .map((word) => americanSpellings.get(word) ?? word)
    .join(' ');
}
