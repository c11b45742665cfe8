import { digitsApart, ordinalEnd, smallOrdinal } from './said-numbers.ts';

const signs = [10, 'x', 9, 'ix', 5, 'v', 4, 'iv', 1, 'i'] as const;
const tens = ['', 'x', 'xx', 'xxx', 'xl', 'l', 'lx'];
function roman(value: number): string {
  let [rest, written] = [value % 10, tens[Math.trunc(value / 10)]!];
  for (let place = 2; place < signs.length; place += 2) {
    const [worth, letters] = [signs[place] as number, signs[place + 1] as string];
    for (; rest >= worth; rest -= worth) written += letters;
  }
  return written;
}

/** From 1 to 69, by their letters; those that are words or single letters besides count in few places. */
export const romanNumerals: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 69 }, (_, before): [string, number] => [roman(before + 1), before + 1]),
);

/** Before a numeral that is said as a number. */
const counted = new Set(
  'title bowl type phase chapter part volume vol act scene article wrestlemania rocky episode apollo stage tier grade mark saturn gemini class category level section book figure table factor'.split(
    ' ',
  ),
);
/** Names of kings, queens and popes, behind which a numeral is an ordinal. */
const names = new Set(
  `elizabeth henry louis charles george edward richard james william mary john paul pius benedict leo gregory clement innocent
   nicholas alexander catherine peter ivan frederick wilhelm friedrich ludwig philip alfonso napoleon ferdinand carlos juan gustav christian
   harald haakon leopold albert victor umberto xerxes darius ramses ramesses ptolemy mehmed selim murad suleiman abdullah hassan mohammed urban
   boniface sixtus julius constantine justinian theodosius malcolm kenneth olaf otto rudolf maximilian matthias sigismund casimir bela farouk`.split(
    /\s+/,
  ),
);

/**
 * A numeral as it is said where what stands before it tells so: `world war ii` two, `title ix` nine, `elizabeth ii` the second. Single letters
 * are said as letters and words (`the type I like`, `Henry V. Smith`), but behind `world war`.
 */
export function romanInWords(word: string, value: number, said: readonly string[], place: number): string {
  const before = said[place - 1];
  if (before === undefined) return word;
  if (before === 'war' && said[place - 2] === 'world' && value < 4) return digitsApart(String(value));
  if (word.length === 1) return word;
  if (counted.has(before) && (before !== 'bowl' || said[place - 2] === 'super')) return digitsApart(String(value));
  if (names.has(before)) return `the ${smallOrdinal(`${value}${ordinalEnd(value)}`)}`;
  return word;
}
