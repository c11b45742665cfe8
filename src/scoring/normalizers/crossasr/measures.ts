import type { NormalizerStep } from '../normalizer.ts';
import { amount, numberStart, sayAmount, scaleWords } from './numbers.ts';
import { anyOf, rewrite, type Surroundings, wordTable } from './rewrite.ts';

const article = /(?:^|[^\p{L}])(?:a|an|another|every|each|this|that|the|its|his|her|their|our|my|your) $/iu;
const noun =
  /^ (?!(?:a|an|and|are|as|at|away|back|but|by|can|could|each|every|for|from|has|have|if|in|into|is|less|more|of|off|on|or|out|over|per|plus|since|so|than|that|the|then|to|up|was|were|when|which|while|who|will|with|would|we|you|he|she|it|they|i|I|not|only|also|all|because|before|after|between|during|under|above|below|\p{L}+ed)(?!\p{L}))\p{L}/u;

const nouns =
  /^ (?:(?!(?:less|plus|always|across|towards|upwards|downwards|forwards|backwards|sometimes|comes|goes|gets|takes|makes|runs|hits|means|equals|requires|costs|weighs|does|versus|perhaps|this|thus|besides|afterwards|unless|inches|ounces|hours|days|weeks|months|years|minutes|seconds)(?!\p{L}))\p{Ll}{2,}[^\P{Ll}s]s|bill|note|coin|deal|contract|fine|grant|loan|lawsuit|prize|bonus|budget|bid|stake|angle|dash|sprint|race|relay|freestyle)(?!\p{L})/u;

const table = `
mm millimeter|cm centimeter|dm decimeter|m meter|km kilometer|KM kilometer|nm nanometer|μm micrometer|um micrometer
in. inch inches|ft foot feet|ft. foot feet|yd yard|yds yard|mi mile|mi. mile|nmi nautical_mile
mg milligram|g gram|kg kilogram|kgs kilogram|KG kilogram|μg microgram|mcg microgram|lb pound|lbs pound|lb. pound|lbs. pound|lb-ft pound-foot pound-feet|ft-lb foot-pound|ft-lbs foot-pound|oz ounce|oz. ounce
ml milliliter|mL milliliter|cl centiliter|dl deciliter|dL deciliter|l liter|L liter|hl hectoliter|gal gallon|gal. gallon|qt quart|qts quart|pt pint|pts point|tsp teaspoon|tbsp tablespoon|cc cc cc
fl_oz fluid_ounce|fl._oz. fluid_ounce|sq_ft square_foot square_feet|sq._ft. square_foot square_feet|sq_mi square_mile|sq._mi. square_mile|sq_m square_meter|sq_km square_kilometer|sq_in square_inch square_inches|cu_ft cubic_foot cubic_feet|cu_m cubic_meter
mph mile_per_hour miles_per_hour|kph kilometer_per_hour kilometers_per_hour|kmh kilometer_per_hour kilometers_per_hour|kmph kilometer_per_hour kilometers_per_hour|mpg mile_per_gallon miles_per_gallon|rpm r_p_m r_p_m|fps frame_per_second frames_per_second|bpm beat_per_minute beats_per_minute|dpi dot_per_inch dots_per_inch|psi p_s_i p_s_i
Hz hertz hertz|kHz kilohertz kilohertz|KHz kilohertz kilohertz|MHz megahertz megahertz|GHz gigahertz gigahertz|THz terahertz terahertz
mW milliwatt|W watt|kW kilowatt|KW kilowatt|MW megawatt|GW gigawatt|TW terawatt|Wh watt_hour|kWh kilowatt_hour|KWh kilowatt_hour|MWh megawatt_hour|GWh gigawatt_hour|TWh terawatt_hour
mV millivolt|V volt|kV kilovolt|mA milliamp|mAh milliamp_hour|Ah amp_hour|Ω ohm|kΩ kilohm|MΩ megohm|μF microfarad|nF nanofarad|pF picofarad
kJ kilojoule|MJ megajoule|GJ gigajoule|cal calorie|kcal kilocalorie|eV electron_volt|keV kiloelectron_volt|MeV megaelectron_volt|GeV gigaelectron_volt|kN kilonewton|Nm newton_meter|Pa pascal|hPa hectopascal|kPa kilopascal|MPa megapascal|mmHg millimeter_of_mercury millimeters_of_mercury|atm atmosphere
dB decibel|dBA decibel|bps bit_per_second bits_per_second|kbps kilobit_per_second kilobits_per_second|Kbps kilobit_per_second kilobits_per_second|mbps megabit_per_second megabits_per_second|Mbps megabit_per_second megabits_per_second|gbps gigabit_per_second gigabits_per_second|Gbps gigabit_per_second gigabits_per_second
kB kilobyte|KB kilobyte|MB megabyte|GB gigabyte|TB terabyte|PB petabyte|KiB kibibyte|MiB mebibyte|GiB gibibyte|TiB tebibyte|kb kilobit|Mb megabit|Gb gigabit|Mbit megabit|Gbit gigabit|kbit kilobit|px pixel|MP megapixel
h hour|hr hour|hr. hour|hrs hour|hrs. hour|min minute|min. minute|mins minute|mins. minute|s second|sec second|sec. second|secs second|secs. second|ms millisecond|msec millisecond|μs microsecond|ns nanosecond|yr year|yr. year|yrs year|yrs. year|wk week|wks week|mo month|mos month|mos. month
ha hectare|t ton|kt kiloton|Mt megaton|mol mole|mmol millimole|ppm part_per_million parts_per_million|ppb part_per_billion parts_per_billion|lm lumen|lx lux lux|kn knot|kts knot|ly light_year|AU astronomical_unit|hp horsepower horsepower|pp percentage_point
% percent percent|‰ per_mille per_mille|pct percent percent|pct. percent percent|°C degree_celsius degrees_celsius|°F degree_fahrenheit degrees_fahrenheit|°K degree_kelvin degrees_kelvin|° degree|º degree|ºC degree_celsius degrees_celsius|ºF degree_fahrenheit degrees_fahrenheit|deg degree|°_C degree_celsius degrees_celsius|°_F degree_fahrenheit degrees_fahrenheit|°_N degree_north degrees_north|°_S degree_south degrees_south|°_E degree_east degrees_east|°_W degree_west degrees_west|°N degree_north degrees_north|°S degree_south degrees_south|°E degree_east degrees_east|°W degree_west degrees_west|′ minute|″ second`;

const blanks = (words: string) => words.replaceAll('_', ' ');

/** Units by what is written; letter case counts (Mb is not MB). */
export const units: ReadonlyMap<string, Unit> = new Map(
  [...wordTable(table)].map(([written, names]) => {
    const [one = '', many = `${one}s`] = names.split(' ').map(blanks);
    return [blanks(written), { one, many }];
  }),
);

const words = wordTable('d day|w week|y year|wk week|mth month|pc piece|ea each');

const unit = anyOf(units.keys());
const power = '[²³]|\\^[23](?!\\d)|[23](?!\\d)';
const scale = (name: string) => `(?: (?<${name}>${scaleWords}))?`;
const measured = new RegExp(
  `${numberStart}(?<minus>(?<![\\p{L}\\d)])[-–+]|±)?(?:(?<low>${amount})${scale('lowScale')}(?: ?(?<lowUnit>${unit})(?![\\p{L}\\d]))? ?(?:[-–]|(?<to>to )) ?(?<highMinus>-)?)?(?<high>${amount})(?<plus>\\+)?${scale('highScale')}(?<gap>[ -]?)(?<unit>${unit})(?<power>${power})?(?:(?:(?:\\/| per ?)(?<each>\\p{L}{1,8})(?<eachPower>${power})?))?(?![\\p{L}\\d²³])`,
  'gu',
);
const feetAndInches = new RegExp(
  `${numberStart}(?<feet>\\d{1,3})(?:'|′| ?ft\\.?| feet) ?(?<inches>${amount})(?:"|″|''| ?in\\.?)(?![\\p{L}\\d])`,
  'gu',
);
const primes = new RegExp(`${numberStart}(?<amount>${amount})(?<sign>[′″"'])(?![\\p{L}\\d])`, 'gu');
const degrees =
  /(?<![\p{L}\d]|\d[.,])(?<degrees>\d{1,3})° ?(?<minutes>\d{1,2})['′](?: ?(?<seconds>\d{1,2}(?:\.\d+)?)["″])?(?: ?(?<side>[NSEW])(?!\p{L}))?/gu;
const looseRate = /(?<=\p{L} )(?<unit>km|cm|mm|m|kg|g|mg)\/(?<each>h|s|m|l|L)(?<power>²)?(?![\p{L}\d])/gu;
const loosePer = /(?<=(?<!\p{L})per )(?<unit>lbs?|oz|kg|gal|hr|min|sec|sq ft)\.?(?![\p{L}\d])/gu;
const looseSign = /(?<=\p{L} ?)(?:%|‰)/gu;

/** Letters that are units only directly after a figure, or are more often something else. */
const ambiguous = new Set(['in.', 'pp', 'AU', 'MP', 'mo', 'deg', 'pts', 's', 't', 'Mt', 'ha', 'min.', 'h']);
const sides: Readonly<Record<string, string>> = { N: ' north', S: ' south', E: ' east', W: ' west' };
const single = (written: string) => /^1$|^0*\d+\/\d+$/.test(written);

const shape = (sign: string | undefined) =>
  sign === undefined ? '' : sign.endsWith('3') || sign === '³' ? 'cubic ' : 'square ';

// "Per second squared", but "per square meter".
function sayEach(each: string, raised: string | undefined): string {
  const name = unitNamed(each)?.one ?? each;
  return each === 's' && raised !== undefined ? `${name} squared` : `${shape(raised)}${name}`;
}

function plausible(written: string, number: string, gap: string, after: string): boolean {
  if (!ambiguous.has(written)) return true;
  if (written === 'MP') return gap === '';
  if (written === 's' && gap === '' && (number.endsWith('0') || number.length > 2)) return false;
  if (written === 'in.') return !/^ \p{Lu}/u.test(after);
  if (written === 's' || written === 'h' || written === 't' || written === 'min.') return gap !== '-';
  return gap === ' ' && !/^ \p{Lu}/u.test(after);
}

/**
 * Amounts with a unit, by itself, squared, cubed or per another: 100 km/h "one hundred kilometers per hour", 3 cm² "three
 * square centimeters", 5-10 kg "five to ten kilograms", "a 5 km run" "a five kilometer run". Temperatures and percent too.
 */
export const spellMeasures: NormalizerStep = {
  step: 'measures',
  apply(text) {
    let said = rewrite(text, degrees, ({ degrees: whole, minutes, seconds, side }) => {
      const count = (value: string, name: string) =>
        `${sayAmount(String(Number(value)))} ${name}${Number(value) === 1 ? '' : 's'}`;
      const tail = seconds === undefined ? '' : ` ${count(seconds, 'second')}`;
      return `${count(whole!, 'degree')} ${count(minutes!, 'minute')}${tail}${side === undefined ? '' : sides[side]}`;
    });
    said = rewrite(said, feetAndInches, (groups) => {
      const inches = groups.inches!;
      return `${sayAmount(groups.feet!)} ${groups.feet === '1' ? 'foot' : 'feet'} ${sayAmount(inches)} ${inches === '1' ? 'inch' : 'inches'}`;
    });
    said = rewrite(said, measured, (groups, around) => {
      const { low, lowScale, lowUnit, high, highScale, unit: written, power: raised, each, gap } = groups;
      if (!plausible(written!, high!, gap!, around.after)) return undefined;
      const name = (number: string, size: string | undefined, key: string, alone: boolean) => {
        const { one, many } = units.get(key)!;
        return `${shape(raised)}${alone || (size === undefined && single(number)) ? one : many}`;
      };
      const sized = (number: string, size: string | undefined) => `${sayAmount(number)}${size ? ` ${size}` : ''}`;
      const alone = gap === '-' || (each === undefined && attributive(around));
      let words = `${sized(high!, highScale)}${groups.plus ? ' plus' : ''} ${name(high!, highScale, written!, alone)}`;
      if (groups.highMinus) words = `minus ${words}`;
      if (low !== undefined) {
        const from = lowUnit === undefined ? '' : ` ${name(low, lowScale, lowUnit, false)}`;
        words = `${sized(low, lowScale)}${from} to ${words}`;
      }
      if (each !== undefined) words += ` per ${sayEach(each, groups.eachPower)}`;
      const sign = groups.minus;
      return sign === undefined
        ? words
        : `${sign === '±' ? 'plus or minus' : sign === '+' ? 'plus' : 'minus'} ${words}`;
    });
    const quoting = new Set(
      ['"', "'"].filter((mark) =>
        new RegExp(`(?:^|[\\s([])${mark}(?=\\p{L}${mark === '"' ? '|\\d' : ''})`, 'u').test(said),
      ),
    );
    said = rewrite(said, primes, ({ amount: written, sign }, around) => {
      // A straight mark is no quotation mark where none opens.
      if (quoting.has(sign!)) return undefined;
      const one = written === '1' || attributive(around);
      return `${sayAmount(written!)} ${/[′']/.test(sign!) ? (one ? 'foot' : 'feet') : one ? 'inch' : 'inches'}`;
    });
    said = rewrite(
      said,
      looseRate,
      ({ unit: written, each, power: raised }) => `${units.get(written!)!.many} per ${sayEach(each!, raised)}`,
    );
    said = rewrite(said, loosePer, ({ unit: written }) => units.get(written!)!.one);
    return rewrite(said, looseSign, (_, __, sign) => (sign === '%' ? ' percent' : ' per mille'));
  },
};

/** A unit of measurement by its name for one and for more. */
interface Unit {
  readonly one: string;
  readonly many: string;
}

/** The unit after a stroke ("per hour"), where abbreviations are shorter than elsewhere. */
export function unitNamed(written: string): Unit | undefined {
  const word = words.get(written);
  return units.get(written) ?? (word === undefined ? undefined : { one: word, many: `${word}s` });
}

/** Whether a measure stands before its noun, where English has it without the plural: "a 5 km run", "a $20 bill", "a 6-ft wall". */
export function attributive({ before, after }: Surroundings): boolean {
  return /^-\p{L}/u.test(after) || nouns.test(after) || (article.test(before) && noun.test(after));
}
