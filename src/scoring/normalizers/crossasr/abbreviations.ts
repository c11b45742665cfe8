import type { NormalizerStep } from '../normalizer.ts';
import { anyOf, rewrite, wordTable } from './rewrite.ts';

/** Never anything else, in capitals or not, with a dot or without. */
const always = wordTable(`
  mr mister|mrs missus|ms miss|messrs messieurs|prof professor|sgt sergeant|capt captain|lt lieutenant|jr junior
  supt superintendent|cmdr commander|mme madame|mlle mademoiselle|esq esquire|msgr monsignor`);

/** Titles before a name in capitals, or with a dot before any word. */
const beforeName = wordTable(`
  gen general|col colonel|maj major|cpl corporal|pvt private|adm admiral|brig brigadier|rev reverend|hon honorable|gov governor|sen senator
  rep representative|reps representatives|sens senators|pres president|fr father|br brother|amb ambassador|asst assistant
  atty attorney|insp inspector|det detective|dep deputy|sec secretary|treas treasurer|cdr commander|sr senior|vp v p|gens generals|govs governors|cols colonels|revs reverends
  dir director|pfc private first class|cllr councillor|profs professors|drs doctors|ofc officer|cpt captain|comdr commander`);

const plainTitles = new RegExp(
  `(?<![\\p{L}\\d.])(?<title>${anyOf(always.keys())})(?![\\p{L}\\d]|'\\p{L}(?!\\p{L}))(?:\\.(?!\\p{L}))?`,
  'giu',
);
const nameTitles = new RegExp(
  `(?<![\\p{L}\\d.'])(?<title>${anyOf(beforeName.keys())})(?<dot>\\.)?(?=(?:[ -](?<next>\\p{L})|\\. ?(?<glued>\\p{Lu}\\p{Ll})))(?<!\\p{Ll}\\p{L}*[.] )`,
  'giu',
);
const elect = /(?<![\p{L}\d.])(?<title>Gov|Sen|Rep|Pres|Gen)\.(?=[ -](?:elect|designate|general)(?!\p{L}))/gu;
const associate = /(?<![\p{L}\d.])Assoc\.?(?= (?:Prof|professor|Dir|director|Dean|Ed|editor|Justice|Judge)\b)/giu;
const laterLife =
  /(?<![\p{L}\d.])(?<title>Sr|Jr)\.? (?=(?:citizens?|years?|class|prom|center|high|college|varsity)(?!\p{L}))/giu;
const doctor = /(?<![\p{L}\d.])dr(?![\p{L}\d])(?<dot>\.(?!\p{L}))?/giu;
const senior = /(?:(?<=\p{Lu}\p{Ll}+,? )Sr(?![\p{L}\d])\.?|(?<![\p{L}\d])Sr\.$)/gu;
/** Before such a name a nun, before an office ("Sr. Manager") a senior one. */
const sisters =
  /^ (?:Mary|Maria|Marie|Teresa|Theresa|Catherine|Elizabeth|Anne?|Agnes|Clare|Joan|Helen|Bernadette|Margaret|Rose|Lucia|Simone|Angela|Rita|Cecilia|Josephine|Grace|Patricia|Barbara)(?!\p{L})/u;
const capitalWord = /(?:^|[ (])(?:\p{Lu}\p{Ll}+|\p{Lu}|\d+(?:st|nd|rd|th)|\p{Ll}+(?:first|second|third|th))[.,]? $/u;
const nameFollows = /^ (?:\p{Lu}|and (?:mister|missus|mrs|mr|ms)\b)/iu;

const anyTitle = new RegExp(`\\b(?:dr|${anyOf([...always.keys(), ...beforeName.keys()])})\\b`, 'i');

const generations = new Set(['Z', 'X', 'Y', 'A']);

/**
 * Mr "mister", Mrs "missus" (the paper's own rules), Ms "miss": the spelled-out word nearest to its sound, so that both
 * come out the same. Ranks and offices before a name in full. Dr is "drive" after a name and before none.
 */
export const titles: NormalizerStep = {
  step: 'titles',
  apply(text) {
    if (!anyTitle.test(text)) return text;
    let said = rewrite(text, senior, () => 'senior');
    said = said.replace(associate, 'associate');
    said = rewrite(said, laterLife, ({ title }) => (/^s/i.test(title!) ? 'senior ' : 'junior '));
    said = rewrite(said, elect, ({ title }) => beforeName.get(title!.toLowerCase()));
    said = rewrite(said, plainTitles, ({ title }, { before, after }) => {
      if (title === 'MS' && /(?:^|[^\p{L}])(?:an?|with|has|have|had|in|his|her|the) $/iu.test(before)) return undefined;
      if (title === 'MS' && !nameFollows.test(after)) return undefined;
      return always.get(title!.toLowerCase());
    });
    said = rewrite(said, nameTitles, ({ title, dot, next, glued }, { after }, match) => {
      const capital = /^\p{Lu}/u.test(title!);
      const follows = next ?? glued ?? '';
      if (/^\p{Lu}{2}/u.test(title!) || (/^(?:Sec|Dep|Dir|Det)$/.test(title!) && dot === undefined)) return undefined;
      if (title === 'Gen' && dot === undefined && generations.has(follows) && !/^ \p{Lu}[\p{L}.]/u.test(after))
        return undefined;
      const named =
        dot !== undefined
          ? /\p{L}/u.test(follows) && (/\p{Lu}/u.test(follows) || !capital)
          : capital && /\p{Lu}/u.test(follows);
      if (!named) return undefined;
      if (title === 'Sr' && sisters.test(after)) return 'sister';
      const full = beforeName.get(title!.toLowerCase())!;
      return match.endsWith('.') && glued !== undefined ? `${full} ` : full;
    });
    return rewrite(said, doctor, (_, { before, after }, match) => {
      const named = /^ ?(?:\p{Lu}|$)/u.test(after) && after !== '';
      if (/^dr/.test(match)) return after.trim() === '' && before.trim() !== '' ? 'drive' : 'doctor';
      if (capitalWord.test(before) && !named && !/\b(?:The|A|And|But|Dear|Hello|Hi|Thank|Thanks|Yes|No) $/.test(before))
        return 'drive';
      return after.trim() === '' && before.trim() !== '' && capitalWord.test(before) ? 'drive' : 'doctor';
    });
  },
};

/** With a dot, whatever their case; the words of a sentence end seldom look like these. */
const dotted = wordTable(`
  approx approximately|avg average|assoc association|assn association|bros brothers|cf compare|cont continued|corp corporation
  dept department|depts departments|dist district|div division|ed edition|eds editors|esp especially|est estimated|excl excluding
  govt government|gov't government|hr hour|hrs hours|inc incorporated|incl including|inst institute|intl international|int'l international
  ltd limited|max maximum|mfg manufacturing|mgmt management|mgr manager|min minimum|misc miscellaneous|mtg meeting|natl national|nat'l national
  orig originally|pop population|pron pronounced|pub published|ret retired|rpt report|temp temperature|tel telephone|trans translated|univ university
  vol volume|wt weight|yr year|yrs years|mo month|mos months|wk week|wks weeks|mi miles|lbs pounds|oz ounces|sq square
  resp respectively|ref reference|tech technical|dir director|ext extension|attn attention|appt appointment|enc enclosure
  encl enclosure|bldg building|abbr abbreviation|adj adjective|adv adverb|alt alternative|anon anonymous|arr arrives|dep departs|co company|cos companies
  hon honorable|mts mountains|mtn mountain|ph phone|std standard|vs versus|etc et cetera|viz namely|ibid ibidem|asst assistant|prov province|hosp hospital|lic license|qty quantity|sci science|elem elementary`);

/** Never a word by themselves, so they need no dot. */
const sure = wordTable(`
  etc et cetera|vs versus|dept department|depts departments|approx approximately|govt government|gov't government
  int'l international|nat'l national|dep't department|ltd limited|assn association|mgmt management|univ university
  bldg building|attn attention|appt appointment|mfg manufacturing|intl international|natl national|qty quantity
  bros brothers|avg average|misc miscellaneous|mgr manager|yrs years|hrs hours|mins minutes|lbs pounds`);

const withDot = new RegExp(`(?<![\\p{L}\\d.'])(?<short>${anyOf(dotted.keys())})\\.(?!\\p{L})`, 'giu');
const withoutDot = new RegExp(`(?<![\\p{L}\\d.'])(?<short>${anyOf(sure.keys())})(?![\\p{L}\\d'])`, 'giu');
const company = /(?<=\p{Lu}[\p{L}.&']*,? (?:(?:&|and) )?)(?<short>Inc|Corp|Co)(?![\p{L}\d-])(?:\.(?!\p{L}))?/gu;
const latin =
  /(?<![\p{L}\d])(?:(?<example>e\. ?g\b\.?|eg\.)|(?<that>i\. ?e\b\.?|ie\.)|(?<known>a\.?k\.?a\.?)|(?<others>et al\.))(?![\p{L}\d]),?/giu;
const places = /(?<![\p{L}\d])(?<short>Mt|Ft|Pt|Mts|Mtns?)(?![\p{L}\d])\.?(?= (?:\p{Lu}\p{Ll}|saint ))/gu;
const editions = /(?<=(?:st|nd|rd|th) )(?<short>ed|gen)\.(?!\p{L})/giu;
const makers = /(?<![\p{L}\d.])(?<short>ed|trans|illus|dir|pub)\.(?= by )/giu;
const madeBy = wordTable('ed edited|trans translated|illus illustrated|dir directed|pub published');
const placeNames = wordTable('Mt mount|Ft fort|Pt point|Mts mountains|Mtn mountain|Mtns mountains');
const firms = wordTable('Inc incorporated|Corp corporation|Co company');
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
    said = rewrite(said, places, ({ short }) => placeNames.get(short!));
    said = rewrite(said, featuring, () => 'featuring ');
    said = rewrite(said, company, ({ short }) => firms.get(short!));
    said = rewrite(said, editions, ({ short }) => (/^e/i.test(short!) ? 'edition' : 'generation'));
    said = rewrite(said, makers, ({ short }) => madeBy.get(short!.toLowerCase()));
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
