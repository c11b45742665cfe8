import type { NormalizerStep } from '../normalizer.ts';
import { cardinal } from './cardinals.ts';
import { ordinal } from './ordinals.ts';
import { rewrite, type Surroundings } from './rewrite.ts';
import { romanValue } from './roman.ts';
import { countedThings, givenNames, regnalNames, rulers } from './roman-names.ts';
import { year } from './years.ts';

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
 * Roman numerals where the words around make them numbers: Henry VIII "henry the eighth", World War II "world war two",
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
