import type { NormalizerStep } from '../normalizer.ts';
import { attributive } from './attributive.ts';
import { anyOf, rewrite } from './rewrite.ts';
import { unitNamed, units } from './units.ts';
import { amount, numberStart, sayAmount, scaleWords } from './written-numbers.ts';

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
export const measures: NormalizerStep = {
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
