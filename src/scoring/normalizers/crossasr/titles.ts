import type { NormalizerStep } from '../normalizer.ts';
import { anyOf, rewrite } from './rewrite.ts';

const table = (entries: string): ReadonlyMap<string, string> =>
  new Map(
    entries
      .trim()
      .split(/[|\n]/)
      .map((entry) => {
        const blank = entry.trim().indexOf(' ');
        return [entry.trim().slice(0, blank), entry.trim().slice(blank + 1)] as const;
      }),
  );

/** Never anything else, in capitals or not, with a dot or without. */
const always = table(`
  mr mister|mrs missus|ms miss|messrs messieurs|prof professor|sgt sergeant|capt captain|lt lieutenant|jr junior
  supt superintendent|cmdr commander|mme madame|mlle mademoiselle|esq esquire|msgr monsignor`);

/** Titles before a name in capitals, or with a dot before any word. */
const beforeName = table(`
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
