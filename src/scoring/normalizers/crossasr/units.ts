/** A unit of measurement by its name for one and for more. */
export interface Unit {
  readonly one: string;
  readonly many: string;
}

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
  table
    .trim()
    .split(/[|\n]/)
    .map((entry) => {
      const [written = '', one = '', many = `${one}s`] = entry.split(' ').map(blanks);
      return [written, { one, many }];
    }),
);

const words: ReadonlyMap<string, string> = new Map([
  ['d', 'day'],
  ['w', 'week'],
  ['y', 'year'],
  ['wk', 'week'],
  ['mth', 'month'],
  ['pc', 'piece'],
  ['ea', 'each'],
]);

/** The unit after a stroke ("per hour"), where abbreviations are shorter than elsewhere. */
export function unitNamed(written: string): Unit | undefined {
  const word = words.get(written);
  return units.get(written) ?? (word === undefined ? undefined : { one: word, many: `${word}s` });
}
