import type { NormalizerStep } from '../normalizer.ts';
import { anyOf, rewrite } from './rewrite.ts';

/** With a dot, whatever their case; the words of a sentence end seldom look like these. */
const dotted: ReadonlyMap<string, string> = new Map(
  `approx approximately|avg average|assoc association|assn association|bros brothers|cf compare|cont continued|corp corporation
dept department|depts departments|dist district|div division|ed edition|eds editors|esp especially|est estimated|excl excluding
govt government|gov't government|hr hour|hrs hours|inc incorporated|incl including|inst institute|intl international|int'l international
ltd limited|max maximum|mfg manufacturing|mgmt management|mgr manager|min minimum|misc miscellaneous|mtg meeting|natl national|nat'l national
orig originally|pop population|pron pronounced|pub published|ret retired|rpt report|temp temperature|tel telephone|trans translated|univ university
vol volume|wt weight|yr year|yrs years|mo month|mos months|wk week|wks weeks|mi miles|lbs pounds|oz ounces|sq square
resp respectively|ref reference|tech technical|dir director|ext extension|attn attention|appt appointment|enc enclosure
encl enclosure|bldg building|abbr abbreviation|adj adjective|adv adverb|alt alternative|anon anonymous|arr arrives|dep departs|co company|cos companies
hon honorable|mts mountains|mtn mountain|ph phone|std standard|vs versus|etc et cetera|viz namely|ibid ibidem|asst assistant|prov province|hosp hospital|lic license|qty quantity|sci science|elem elementary`
    .split(/[|\n]/)
    .map((entry) => {
      const blank = entry.indexOf(' ');
      return [entry.slice(0, blank), entry.slice(blank + 1)] as const;
    }),
);

/** Never a word by themselves, so they need no dot. */
const sure: ReadonlyMap<string, string> = new Map(
  Object.entries({
    etc: 'et cetera',
    vs: 'versus',
    dept: 'department',
    depts: 'departments',
    approx: 'approximately',
    govt: 'government',
    "gov't": 'government',
    "int'l": 'international',
    "nat'l": 'national',
    "dep't": 'department',
    ltd: 'limited',
    assn: 'association',
    mgmt: 'management',
    univ: 'university',
    bldg: 'building',
    attn: 'attention',
    appt: 'appointment',
    mfg: 'manufacturing',
    intl: 'international',
    natl: 'national',
    qty: 'quantity',
    bros: 'brothers',
    avg: 'average',
    misc: 'miscellaneous',
    mgr: 'manager',
    yrs: 'years',
    hrs: 'hours',
    mins: 'minutes',
    lbs: 'pounds',
  }),
);

const withDot = new RegExp(`(?<![\\p{L}\\d.'])(?<short>${anyOf(dotted.keys())})\\.(?!\\p{L})`, 'giu');
const withoutDot = new RegExp(`(?<![\\p{L}\\d.'])(?<short>${anyOf(sure.keys())})(?![\\p{L}\\d'])`, 'giu');
const company = /(?<=\p{Lu}[\p{L}.&']*,? (?:(?:&|and) )?)(?<short>Inc|Corp|Co)(?![\p{L}\d-])(?:\.(?!\p{L}))?/gu;
const latin =
  /(?<![\p{L}\d])(?:(?<example>e\. ?g\b\.?|eg\.)|(?<that>i\. ?e\b\.?|ie\.)|(?<known>a\.?k\.?a\.?)|(?<others>et al\.))(?![\p{L}\d]),?/giu;
const places = /(?<![\p{L}\d])(?<short>Mt|Ft|Pt|Mts|Mtns?)(?![\p{L}\d])\.?(?= (?:\p{Lu}\p{Ll}|saint ))/gu;
const editions = /(?<=(?:st|nd|rd|th) )(?<short>ed|gen)\.(?!\p{L})/giu;
const makers = /(?<![\p{L}\d.])(?<short>ed|trans|illus|dir|pub)\.(?= by )/giu;
const madeBy: Readonly<Record<string, string>> = {
  ed: 'edited',
  trans: 'translated',
  illus: 'illustrated',
  dir: 'directed',
  pub: 'published',
};
const placeNames: Readonly<Record<string, string>> = {
  Mt: 'mount',
  Ft: 'fort',
  Pt: 'point',
  Mts: 'mountains',
  Mtn: 'mountain',
  Mtns: 'mountains',
};
const featuring = /(?<=\p{L} |\()(?:ft|feat)\. ?(?=\p{Lu})/gu;
const withSlash =
  /(?<![\p{L}\d/])(?:(?<without>w\/o)|(?<because>b\/c)|(?<care>c\/o)|(?<with>w\/))(?!\/) ?(?=[\p{L}\d])/giu;
const versus = /(?<=[\p{L}\d] )v\.? ?(?=\p{Lu}\p{Ll})(?<=\p{Lu}[\p{L}.&']*(?: of \p{Lu}\p{L}*)? v\.? ?)/gu;

const anyShort = new RegExp(`[./&]|\\b(?:${anyOf(sure.keys())}|Inc|Corp|Co|Mts?|Ft|Pt|Mtns?|aka)\\b`, 'i');

/** Shortened words in full: etc. "et cetera", e.g. "for example", i.e. "that is", vs. "versus", Inc. "incorporated", Mt. "mount", w/ "with". */
export const abbreviations: NormalizerStep = {
  step: 'abbreviations',
  apply(text) {
    if (!anyShort.test(text)) return text;
    let said = rewrite(text, latin, ({ example, that, known }) =>
      example ? 'for example' : that ? 'that is' : known ? 'a k a' : 'et al',
    );
    said = rewrite(said, withSlash, ({ without, because, care }) =>
      without ? 'without ' : because ? 'because ' : care ? 'care of ' : 'with ',
    );
    said = rewrite(said, versus, () => 'versus ');
    said = rewrite(said, places, ({ short }) => placeNames[short!]);
    said = rewrite(said, featuring, () => 'featuring ');
    said = rewrite(said, company, ({ short }) => ({ Inc: 'incorporated', Corp: 'corporation', Co: 'company' })[short!]);
    said = rewrite(said, editions, ({ short }) => (/^e/i.test(short!) ? 'edition' : 'generation'));
    said = rewrite(said, makers, ({ short }) => madeBy[short!.toLowerCase()]);
    said = rewrite(said, withDot, ({ short }, { after }) => {
      // In capitals within a sentence "MIN." or "CO." are something else, and "co." before a small letter is a prefix.
      if (
        /^(?:ed|co|temp|ref|alt|pop|max|min|ext|div|ret|tech|pub|vol|dir|dist|trans|mi|mo|int|ph|adv)$/i.test(short!) &&
        /^ ?$/.test(after) &&
        /^\p{Ll}/u.test(short!)
      ) {
        return undefined;
      }
      return dotted.get(short!.toLowerCase());
    });
    return rewrite(said, withoutDot, ({ short }) => sure.get(short!.toLowerCase()));
  },
};
