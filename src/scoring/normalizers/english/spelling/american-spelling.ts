import { splitWords } from '../../split-words.ts';
import { stemsByEndings } from './ise-stems.ts';
import { wordsByLetters } from './letter-groups.ts';

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

/**
 * Each word that is British in the American spelling, one blank between words.
 *
 * Known traps: `archaeology` gives `archeology</span>`, `pummelled` `pummel` and `snowploughs` `snowplow`; `tonne` (1,000 kg)
 * becomes `ton`; `gage` becomes `gauge` also in names.
 */
export function americanSpelling(text: string): string {
  return splitWords(text)
    .map((word) => americanSpellings.get(word) ?? word)
    .join(' ');
}
