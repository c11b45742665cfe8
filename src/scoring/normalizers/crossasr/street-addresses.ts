import type { NormalizerStep } from '../normalizer.ts';
import { digitByDigit, namingNumber } from './numbers.ts';
import { anyOf, rewrite, wordTable } from './rewrite.ts';
import { givenNames, regnalNames, womensNames } from './roman-numerals.ts';

/** The older abbreviations of states, which end with a dot. */
const olderStates = wordTable(`
  Ala alabama|Ariz arizona|Ark arkansas|Calif california|Colo colorado|Conn connecticut|Del delaware|Fla florida|Ga georgia
  Ill illinois|Ind indiana|Kan kansas|Ky kentucky|La louisiana|Mass massachusetts|Md maryland|Mich michigan|Minn minnesota
  Miss mississippi|Mo missouri|Mont montana|Neb nebraska|Nev nevada|Okla oklahoma|Ore oregon|Pa pennsylvania
  Tenn tennessee|Tex texas|Va virginia|Vt vermont|Wash washington|Wis wisconsin|Wyo wyoming`);

/** States of the USA by their postal codes. */
const states = wordTable(`
  AL alabama|AK alaska|AZ arizona|AR arkansas|CA california|CO colorado|CT connecticut|DE delaware|FL florida|GA georgia
  HI hawaii|ID idaho|IL illinois|IN indiana|IA iowa|KS kansas|KY kentucky|LA louisiana|ME maine|MD maryland|MA massachusetts
  MI michigan|MN minnesota|MS mississippi|MO missouri|MT montana|NE nebraska|NV nevada|NH new hampshire|NJ new jersey
  NM new mexico|NY new york|NC north carolina|ND north dakota|OH ohio|OK oklahoma|OR oregon|PA pennsylvania|RI rhode island
  SC south carolina|SD south dakota|TN tennessee|TX texas|UT utah|VT vermont|VA virginia|WA washington|WV west virginia
  WI wisconsin|WY wyoming|DC d c`);

const kinds = wordTable(`
  St street|Ave avenue|Av avenue|Blvd boulevard|Rd road|Dr drive|Ln lane|Ct court|Pl place|Sq square|Hwy highway
  Pkwy parkway|Expy expressway|Fwy freeway|Ter terrace|Cir circle|Tpke turnpike`);
const inFull = 'Street|Avenue|Boulevard|Road|Drive|Lane|Court|Place|Square|Highway|Parkway|Way|Terrace|Circle|Broadway';
const sides = wordTable('N north|S south|E east|W west|NE northeast|NW northwest|SE southeast|SW southwest');
const kind = anyOf(kinds.keys());
const name = String.raw`(?:(?:\p{Lu}[\p{L}']{0,30}|\d{1,4}(?:st|nd|rd|th))\.? )`;
const house = new RegExp(
  `(?<![\\p{L}\\d$€£#]|\\d[.,/:-])(?<numbered>[Nn]o\\. )?(?<number>\\d{1,5})(?<letter>[A-Z])? (?:(?<side>[NSEW]{1,2})\\.? )?(?<name>${name}{1,3}?)(?:(?<kind>${kind})(?!\\p{L})\\.?|(?<full>${inFull})(?!\\p{L}))(?: (?<sideAfter>[NS][EW]|[NSEW])(?!\\p{L}|\\.\\p{L}))?`,
  'gu',
);
const street = new RegExp(
  `(?<=(?<before>(?:\\p{Lu}\\p{Ll}+|\\d(?:st|nd|rd|th))) )(?<kind>${kind}|Apt)(?!\\p{L})(?:\\.(?!\\p{L}))?`,
  'gu',
);
const anyKind = /(?<![\p{L}\d])(?<kind>Ave|Blvd|Hwy|HWY|Pkwy|blvd|hwy|pkwy|Rd|ave|rd)(?!\p{L})(?<dot>\.(?!\p{L}))?/gu;
const rooms = /(?<![\p{L}\d])(?<kind>Apt|Ste|Bldg|apt|ste|bldg)\.? #?(?=\p{Lu}?\d|\p{Lu}(?!\p{L}))/gu;
const state = new RegExp(`(?<=\\p{L},? )(?<code>${anyOf(states.keys())})(?<zip>,? \\d{5}(?:-\\d{4})?)(?!\\d)`, 'gu');
const stateAlone = new RegExp(`(?<=\\p{Lu}\\p{Ll}+, )(?<code>${anyOf(states.keys())})(?![\\p{L}\\d]|\\.\\p{L})`, 'gu');
/** What stands behind a person's name as well. */
const degrees = new Set(['MD', 'MA', 'PA']);
const personBefore = /(?:^|[^\p{L}])(?<given>\p{Lu}\p{Ll}+)(?: \p{Lu}\.?)? \p{Lu}[\p{L}'-]{1,30}, $/u;
const olderState = new RegExp(
  `(?<=\\p{Lu}\\p{Ll}+, |[DR]-)(?<code>${anyOf(olderStates.keys())})\\.|(?<![\\p{L}\\d.])(?<sure>Ariz|Calif|Colo|Conn|Fla|Mich|Minn|Okla|Tenn|Wyo)\\.(?= \\p{L}|')`,
  'gu',
);
const side = new RegExp(
  `(?<![\\p{L}\\d.])(?<side>[NS]\\.?[EW]|[NSEW])\\.? (?=\\d+(?:st|nd|rd|th)|\\p{Lu}\\p{Ll}{1,30} (?:${kind})(?!\\p{L}))`,
  'gu',
);
const routes = /(?<![\p{L}\d])R(?:te?|oute)\.? (?=\d{1,3}(?![\d,]))/gu;
const saint = /(?<![\p{L}\d])(?:St|st|ST)(?![\p{L}\d-])(?<dot>\.(?!\p{L}))?/gu;
/** Streets that are named with other names after them ("Wall St. Journal"). */
const streetNames = /\b(?:Wall|Main|High|Market|Broad|Church|Bourbon|Bond|Fleet|Regent|Oxford|Downing|Sesame)$/;
const rooming = wordTable('apt apartment|ste suite|bldg building');

function isPerson(before: string): boolean {
  const given = personBefore.exec(before)?.groups?.given ?? '';
  return [givenNames, regnalNames, womensNames].some((names) => names.has(given));
}

/** Street addresses: the house number in pairs ("one twenty three"), St, Dr, Ave in full, states and their postal codes; St. before a name is a saint. */
export const streetAddresses: NormalizerStep = {
  step: 'street addresses, saints',
  apply(text) {
    let said = rewrite(text, house, (groups) => {
      const { numbered, number, letter, side, sideAfter } = groups;
      const words = [
        numbered && 'number',
        namingNumber(number!),
        letter?.toLowerCase(),
        side && sides.get(side),
        groups.name!.trim().replace(/^St\.? /, 'Saint '),
        groups.full ?? kinds.get(groups.kind!),
        sideAfter && sides.get(sideAfter),
      ];
      return words.filter(Boolean).join(' ');
    });
    said = said.replace(routes, 'route ');
    said = rewrite(said, rooms, ({ kind: written }) => `${rooming.get(written!.toLowerCase())} `);
    said = rewrite(
      said,
      state,
      ({ code, zip }) => `${states.get(code!)} ${digitByDigit(zip!.replaceAll(/[^\d]/g, ''))}`,
    );
    said = rewrite(said, stateAlone, ({ code }, { before }) => {
      return degrees.has(code!) && isPerson(before) ? undefined : states.get(code!);
    });
    said = rewrite(said, olderState, ({ code, sure }) => olderStates.get((code ?? sure)!));
    said = rewrite(said, side, ({ side: letter }) => `${sides.get(letter!.replace('.', ''))} `);
    said = rewrite(said, street, ({ before, kind: written }, { after }) => {
      if (written === 'Apt') return 'apartment';
      const endsHere = !/^ \p{Lu}/u.test(after);
      const numbered = /\d/.test(before!);
      if (written === 'Ave' || written === 'Blvd' || written === 'Rd' || written === 'Hwy' || written === 'Pkwy')
        return kinds.get(written);
      if (written === 'Dr' && !endsHere) return undefined;
      if (written === 'St' && !endsHere && !numbered && !streetNames.test(before!)) return undefined;
      return endsHere || numbered || streetNames.test(before!) ? kinds.get(written!) : undefined;
    });
    said = rewrite(said, anyKind, ({ kind: written, dot }, { before }) => {
      if (/^(?:ave|rd)$/i.test(written!) && (dot === undefined || before === '')) return undefined;
      return kinds.get(written!.charAt(0).toUpperCase() + written!.slice(1).toLowerCase());
    });
    return rewrite(said, saint, (_, { after, before }) => {
      if (/^ ?$|^[,;:!?)]/.test(after)) return before.trim() === '' ? undefined : 'street';
      return /^ \p{L}/u.test(after) ? 'saint' : 'street';
    });
  },
};
