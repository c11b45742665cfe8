import type { NormalizerStep } from '../normalizer.ts';
import { cardinal, ordinal, year } from './numbers.ts';
import { rewrite, type Surroundings, wordSet } from './rewrite.ts';

const canonical = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;
const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/** Titles before a ruler's name. */
const rulers: ReadonlySet<string> = wordSet(`
  King Queen Pope Emperor Empress Tsar Czar Tsarina Kaiser Sultan Shah Prince Princess Duke Duchess Count Pharaoh Saint
  Patriarch Caliph Antipope Grand Archduke Elector Khan Maharaja Baron Earl Lord Landgrave Margrave`);

/** Names that rulers bore and popes took, where even a single I, V or X is a number. */
export const regnalNames: ReadonlySet<string> = wordSet(`
  Henry Louis Elizabeth George Edward Charles James William Richard Mary John Paul Pius Benedict Leo Gregory Innocent
  Clement Urban Nicholas Peter Alexander Catherine Frederick Philip Ferdinand Napoleon Wilhelm Otto Ramesses Ramses
  Rameses Ptolemy Thutmose Amenhotep Seti Cleopatra Xerxes Darius Cyrus Artaxerxes Constantine Justinian Theodosius
  Leopold Albert Gustav Gustavus Christian Harald Harold Olaf Malcolm Robert Alfonso Alphonse Carlos Isabella Francis
  Franz Joseph Josef Umberto Emmanuel Victor Ivan Boris Michael Theodore Sixtus Julius Boniface Celestine Stephen
  Margaret Margrethe Haakon Carl Karl Abdullah Mehmed Murad Selim Suleiman Osman Akbar Rama Callixtus Eugene Adrian
  Hadrian Honorius Martin Sylvester Hussein Farouk Fuad Juan Felipe Luis Pedro Manuel Baldwin Bela Casimir Sigismund
  Vladislaus Mithridates Antiochus Seleucus Tiberius Trajan Rudolf Rudolph Maximilian Matthias Ludwig Philippe Baudouin
  Rainier Hassan Mohammed Selassie Nebuchadnezzar Tiglath Sargon Tutankhamun Psamtik Shapur Khosrow Rajaram Kamehameha`);

/** Given names of today, after which II to X is a generation ("John Smith III"). */
export const givenNames: ReadonlySet<string> = wordSet(`
  Thomas David Daniel Mark Donald Steven Andrew Kenneth Joshua Kevin Brian Ronald Timothy Jason Jeffrey Ryan Jacob Gary
  Eric Jonathan Larry Justin Scott Brandon Benjamin Samuel Raymond Patrick Jack Dennis Jerry Tyler Aaron Jose Adam Nathan
  Douglas Zachary Kyle Walter Ethan Jeremy Keith Noah Roger Terry Sean Arthur Lawrence Jesse Dylan Bryan Joe Jordan Billy
  Bruce Ralph Roy Randy Wayne Howard Ernest Alfred Theodore Marcus Herbert Harry Fred Davis Sammy Hank Cornelius Loudon
  Calvin Otis Percy Sidney Lewis Earl Gordon Warren Winston Oliver Vincent Max Felix Hugo Simon Philip Anthony Matthew
  Christopher Ken Robert Bob Bill Jim Jimmy Tom Tommy Sam Frank Frederic Edwin Edmund Edgar Eugene Elliott Everett`);

/** Of women, beside those above: who has letters of a degree behind the name ("Jane Roe, MD"). */
export const womensNames: ReadonlySet<string> = wordSet(`
  Jane Susan Linda Patricia Jennifer Barbara Jessica Sarah Karen Lisa Nancy Betty Sandra Ashley Emily Kimberly Donna Michelle Carol
  Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Kathleen Amy Angela Shirley Anna Brenda Pamela Emma Nicole Helen
  Samantha Katherine Christine Debra Rachel Carolyn Janet Heather Diane Julie Joyce Kelly Alice Ann Anne Jean Judith Olivia Sophia
  Grace Ruth Julia Claire Maria Martha Teresa Theresa Sara Kathryn Eleanor Lucy Ellen Joan Susanna Hannah Megan Allison Alison`);

/** Things that are counted with Roman numerals, in capitals or (the first line) small letters too. */
const countedThings: ReadonlySet<string> = wordSet(`
  chapter part act scene volume book section article title phase stage appendix figure table canto psalm verse paragraph
  chapters parts acts scenes volumes books sections articles phases stages appendices tables
  war bowl type class grade level tier mark schedule annex category division region protocol amendment corps episode
  season series apollo saturn soyuz gemini symphony sonata opus number day round lesson unit module exercise problem
  question theorem lemma step trial wrestlemania`);

const worldWar = /(?<![\p{L}\d])WW ?(II|I|2|1)(?![\p{L}\d])/gu;
const capitals =
  /(?<![\p{L}\d'.&])(?<numeral>[IVXLCDM]{1,15})(?<ending>th|st|nd|rd)?(?<own>'s)?(?!\p{L}|\d|'\p{L}|\.\p{L}|&)/gu;
const divided =
  /(?<=(?<!\p{L})(?:[Ss]ections?|[Pp]art|[Aa]rticle|[Cc]hapter|[Tt]itle|[Aa]ppendix|[Pp]aragraph|[Ss]chedule|[Aa]nnex) )(?<numeral>[IVX]|[IVXLC]{2,8})\.(?:(?<letter>\p{Lu})(?!\.?\p{L})|(?=\d))/gu;
const small = /(?<=(?<!\p{L})(?<thing>\p{L}{3,12}) )(?<numeral>[ivxlc]{1,8})(?!\p{L}|\d|['-]\p{L})/gu;
const pages = /(?<=(?<!\p{L})pages? )(?<from>[ivxlc]{1,8})(?: ?[-–] ?(?<to>[ivxlc]{1,8}))?(?!\p{L}|\d|['-]\p{L})/gu;
const numeralRange = /(?<=(?<!\p{L})[IVX]{1,6}) ?[-–] ?(?=[IVX]{1,6}(?!\p{L}))/gu;
const nameBefore = /(?:^|[^\p{L}])(?<names>(?:\p{Lu}[\p{L}'-]{0,20}\.? ){1,3})$/u;
const placeAfter =
  /^ (?:century|centuries|dynasty|olympiad|olympics|olympic|congress|corps|amendment|army|legion|international|session|summit|anniversary|edition|winter|paralympic|commonwealth)/i;
const endOfName = /^(?:$|[.,;:)!?]| (?:of|and|or|de|reigned|ruled|succeeded|the)(?!\p{L}))/u;
/** Capitals that are read as letters or words wherever nothing says otherwise. */
const otherMeanings = new Set([
  'IV',
  'XX',
  'XL',
  'CC',
  'CD',
  'CV',
  'DC',
  'DI',
  'DL',
  'LI',
  'MC',
  'MD',
  'MI',
  'MM',
  'ML',
  'CM',
  'XC',
  'VC',
  'MIX',
  'XXX',
  'LL',
  'CL',
  'DM',
  'MV',
  'MCI',
  'DVI',
  'CI',
  'MX',
  'DX',
  'CX',
  'LV',
  'DV',
  'LX',
  'XI',
  'VI',
  'MDL',
  'MDC',
  'CIV',
  'CCC',
  'CCI',
  'CMI',
  'DIV',
]);

function ordinalName(numeral: string, names: readonly string[], after: string): boolean {
  const last = names.at(-1)!;
  const ruler = names.slice(0, -1).some((name) => rulers.has(name));
  const regnal = regnalNames.has(last) || ruler;
  if (numeral === 'I')
    return ruler
      ? !/^ \p{Ll}+(?:'\p{L}+)? \p{L}/u.test(after) || endOfName.test(after) || regnalNames.has(last)
      : regnalNames.has(last) && endOfName.test(after) && names.length < 3;
  if (numeral.length === 1) return regnal && last !== 'Malcolm' && (numeral === 'V' || numeral === 'X');
  return regnal || names.some((name) => name.length === 1 || givenNames.has(name) || regnalNames.has(name));
}

function sayNumeral(numeral: string, value: number, { before, after }: Surroundings): string | undefined {
  const digits = String(value);
  const earlier = /(?<name>\p{Lu}\p{Ll}+) [IVX]+ (?:and|&) $/u.exec(before)?.groups?.name;
  if (earlier !== undefined && regnalNames.has(earlier)) return ordinal(digits);
  const names = nameBefore.exec(before)?.groups?.names?.trim().replaceAll('.', '').split(' ') ?? [];
  const last = /(?<word>[\p{L}]+)[.,]? $/u.exec(before)?.groups?.word ?? '';
  const title = names.at(-1);
  if (countedThings.has(last.toLowerCase()) && !rulers.has(last)) {
    const pronoun =
      numeral === 'I' &&
      (/^\p{Ll}/u.test(last) ||
        /^ (?:am|have|do|did|think|know|will|would|like|can|had|don't|didn't)(?!\p{L})/u.test(after));
    const letter =
      /^[CDLM]$/.test(numeral) || (/^[VX]$/.test(numeral) && /^(?:class|type|grade|level|mark|category)$/i.test(last));
    return pronoun || letter ? undefined : cardinal(digits);
  }
  if (
    /(?:^| )(?:and|&|to|or|through|-) $/.test(before) &&
    numeral !== 'I' &&
    /[IVX]+ (?:and|&|to|or|through) $/.test(before)
  )
    return cardinal(digits);
  if (numeral.length > 1 && (placeAfter.test(after) || /\p{Lu}\p{Ll}+ the $/u.test(before))) return ordinal(digits);
  if (title !== undefined && ordinalName(numeral, names, after)) return `the ${ordinal(digits)}`;
  if (numeral.length === 1) return undefined;
  if (numeral.length >= 4 && value >= 1000) return year(digits);
  if (/[CDLM]/.test(numeral) && !(title === 'Bowl')) return undefined;
  if (title !== undefined && !/^(?:The|An?|My|Your|His|Her|In|On|No|This|Dr|Mr)$/.test(title) && numeral !== 'XXX')
    return cardinal(digits);
  return otherMeanings.has(numeral) ? undefined : cardinal(digits);
}

/**
 * Roman numerals where the words around make them numbers: Henry VIII "henry the eighth", Variant War II "variant war two",
 * Chapter IV "chapter four", the XIX century "the nineteenth century", MCMXCIX "nineteen ninety nine". A lone I, V or X is
 * a number only after a ruler's name or a thing that is counted so; MIX, CD and IV alone stay what they are.
 */
export const romanNumerals: NormalizerStep = {
  step: 'Roman numerals',
  apply(text) {
    const wars = text.replace(
      worldWar,
      (_, number) => `world war ${/[I1]/.test(number) && number.length === 1 ? 'one' : 'two'}`,
    );
    const ranged = wars.replace(numeralRange, ' to ');
    const parts = rewrite(ranged, divided, ({ numeral, letter }) => {
      const value = romanValue(numeral!);
      if (value === undefined) return undefined;
      return `${cardinal(String(value))} ${letter === undefined ? 'point ' : letter.toLowerCase()}`;
    });
    let said = rewrite(parts, capitals, ({ numeral, ending, own }, around) => {
      const value = romanValue(numeral!);
      if (ending !== undefined) return value === undefined ? undefined : ordinal(String(value));
      const words = value === undefined ? undefined : sayNumeral(numeral!, value, around);
      return words === undefined ? undefined : `${words}${own ?? ''}`;
    });
    const value = (numeral: string) => romanValue(numeral.toUpperCase());
    said = rewrite(said, pages, ({ from, to }) => {
      const [first, last] = [value(from!), to === undefined ? undefined : value(to)];
      if (first === undefined || (to !== undefined && last === undefined)) return undefined;
      return `${cardinal(String(first))}${last === undefined ? '' : ` to ${cardinal(String(last))}`}`;
    });
    return rewrite(said, small, ({ thing, numeral }) => {
      const found = value(numeral!);
      const alone =
        numeral!.length === 1 &&
        (!/[vx]/.test(numeral!) || !/^(?:chapter|part|act|scene|volume|book|section|article|title)$/i.test(thing!));
      if (
        found === undefined ||
        alone ||
        !countedThings.has(thing!.toLowerCase()) ||
        /^(?:mix|mild|civil|livid|vivid|ill|mil)$/.test(numeral!)
      )
        return undefined;
      return cardinal(String(found));
    });
  },
};

/**
 * The value of a Roman numeral in its one proper form, 1 to 3999; undefined for anything else.
 *
 * @example romanValue('XIV') // 14
 */
export function romanValue(written: string): number | undefined {
  if (written === '' || !canonical.test(written)) return undefined;
  let total = 0;
  for (let index = 0; index < written.length; index++) {
    const value = values[written[index]!]!;
    const next = values[written[index + 1] ?? ''] ?? 0;
    total += value < next ? -value : value;
  }
  return total;
}
