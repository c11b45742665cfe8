import type { NormalizerStep } from '../normalizer.ts';
import { attributive, unitNamed } from './measures.ts';
import { cardinal, number, numberStart, sayAmount, scaleWords } from './numbers.ts';
import { anyOf, rewrite } from './rewrite.ts';

const cents = ['cent', 'cents'] as const;
const dollars = (kind = '', part: Currency['part'] = cents): Currency => ({
  one: `${kind}dollar`,
  many: `${kind}dollars`,
  part,
});
const named = (one: string, many: string, ...part: readonly string[]): Currency =>
  part.length === 2 ? { one, many, part: [part[0]!, part[1]!] } : { one, many };

const pound = named('pound', 'pounds', 'penny', 'pence');
const euro: Currency = { one: 'euro', many: 'euros', part: cents };
const yen = named('yen', 'yen');
const rupee = named('rupee', 'rupees', 'paisa', 'paise');
const won = named('won', 'won');
const ruble = named('ruble', 'rubles', 'kopeck', 'kopecks');

/** Signs that stand before or after an amount. */
const currencySigns: ReadonlyMap<string, Currency> = new Map([
  ['$', dollars()],
  ['US$', dollars('u s ')],
  ['A$', dollars('australian ')],
  ['AU$', dollars('australian ')],
  ['C$', dollars('canadian ')],
  ['CA$', dollars('canadian ')],
  ['NZ$', dollars('new zealand ')],
  ['HK$', dollars('hong kong ')],
  ['S$', dollars('singapore ')],
  ['NT$', dollars('new taiwan ')],
  ['R$', named('real', 'reais', 'centavo', 'centavos')],
  ['£', pound],
  ['€', euro],
  ['¥', yen],
  ['₹', rupee],
  ['Rs', rupee],
  ['Rs.', rupee],
  ['₩', won],
  ['₽', ruble],
  ['₺', named('lira', 'lira', 'kurus', 'kurus')],
  ['₪', named('shekel', 'shekels', 'agora', 'agorot')],
  ['₫', named('dong', 'dong')],
  ['₦', named('naira', 'naira', 'kobo', 'kobo')],
  ['฿', named('baht', 'baht', 'satang', 'satang')],
  ['₱', named('peso', 'pesos', 'centavo', 'centavos')],
  ['₴', named('hryvnia', 'hryvnias')],
  ['₿', named('bitcoin', 'bitcoins')],
]);

/** Codes of ISO 4217, before or after an amount. */
const currencyCodes: ReadonlyMap<string, Currency> = new Map([
  ['USD', dollars('u s ')],
  ['EUR', euro],
  ['GBP', { ...pound, one: 'british pound', many: 'british pounds' }],
  ['JPY', yen],
  ['CHF', named('swiss franc', 'swiss francs', 'centime', 'centimes')],
  ['INR', { ...rupee, one: 'indian rupee', many: 'indian rupees' }],
  ['CNY', named('chinese yuan', 'chinese yuan')],
  ['RMB', named('renminbi', 'renminbi')],
  ['AUD', dollars('australian ')],
  ['CAD', dollars('canadian ')],
  ['NZD', dollars('new zealand ')],
  ['SGD', dollars('singapore ')],
  ['HKD', dollars('hong kong ')],
  ['SEK', named('swedish krona', 'swedish kronor')],
  ['NOK', named('norwegian krone', 'norwegian kroner')],
  ['DKK', named('danish krone', 'danish kroner')],
  ['KRW', { ...won, one: 'korean won', many: 'korean won' }],
  ['RUB', { ...ruble, one: 'russian ruble', many: 'russian rubles' }],
  ['BRL', named('brazilian real', 'brazilian reais', 'centavo', 'centavos')],
  ['MXN', named('mexican peso', 'mexican pesos', 'centavo', 'centavos')],
  ['ZAR', named('south african rand', 'south african rand', 'cent', 'cents')],
  ['PLN', named('polish zloty', 'polish zlotys', 'grosz', 'groszy')],
  ['CZK', named('czech koruna', 'czech korunas')],
  ['HUF', named('hungarian forint', 'hungarian forints')],
  ['TRY', named('turkish lira', 'turkish lira')],
  ['ILS', named('israeli shekel', 'israeli shekels')],
  ['THB', named('thai baht', 'thai baht')],
  ['BTC', named('bitcoin', 'bitcoins')],
]);

const sizes: Readonly<Record<string, string>> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  mm: 'million',
  mln: 'million',
  mio: 'million',
  b: 'billion',
  bn: 'billion',
  bln: 'billion',
  t: 'trillion',
  tn: 'trillion',
  trn: 'trillion',
};
const size = (name: string) =>
  `(?:(?<${name}Gap>[ -]?)(?<${name}>${scaleWords}|${anyOf(Object.keys(sizes))})(?![\\p{L}\\d]))?`;
const sign = anyOf(currencySigns.keys());
const code = anyOf(currencyCodes.keys());

const mixed = `(?:\\d{1,6}[ -]\\d{1,3}\\/\\d{1,3}(?![\\d/])|${number})`;

const before = new RegExp(
  `(?<![\\p{L}\\d])(?<minus>[-–+])?(?<currency>${sign}|(?:${code})(?= ?\\d)) ?(?<low>-?${mixed})${size('lowSize')}(?: ?[-–] ?(?<again>\\k<currency> ?)?(?<high>${number})${size('highSize')})?(?:(?: ?\\/ ?)(?<each>\\p{L}{1,20})(?!\\p{L}))?`,
  'giu',
);
const after = new RegExp(
  `${numberStart}(?<minus>[-–+])?(?:(?<low>${number})${size('lowSize')} ?[-–] ?)?(?<high>${number})${size('highSize')} ?(?<currency>[€£¥₹₽₺₪₫฿]|\\$(?! ?\\d)|(?:${code})(?![\\p{L}\\d]))(?:\\/(?<each>\\p{L}{1,20})(?!\\p{L}))?`,
  'gu',
);
const centSign = new RegExp(`${numberStart}(?<amount>${number}) ?(?<coin>¢|c(?= piece)|p(?![\\p{L}\\d]))`, 'gu');

const centFirst = new RegExp(`(?<![\\p{L}\\d])¢ ?(?<amount>${number})`, 'gu');

const currencies = new Map([...currencySigns, ...currencyCodes].map(([written, one]) => [written.toUpperCase(), one]));
const currencyOf = (written: string): Currency => currencies.get(written.toUpperCase())!;

const sizeOf = (written: string | undefined) =>
  written === undefined ? '' : ` ${sizes[written.toLowerCase()] ?? written.toLowerCase()}`;

function sayMoney(amount: string, written: string | undefined, { one, many, part }: Currency, single: boolean): string {
  const [whole = '', decimals] = amount.replaceAll(',', '').split('.');
  if (written === undefined && part && decimals?.length === 2) {
    const units = `${cardinal(whole || '0')} ${Number(whole) === 1 || single ? one : many}`;
    const parts = `${cardinal(decimals)} ${part[Number(decimals) === 1 ? 0 : 1]}`;
    if (Number(decimals) === 0) return units;
    return Number(whole) === 0 ? parts : `${units} and ${parts}`;
  }
  const singular = single || (written === undefined && decimals === undefined && Number(whole) === 1);
  return `${sayAmount(amount)}${sizeOf(written)} ${singular ? one : many}`;
}

const minusSign = (written: string | undefined) => (written === undefined ? '' : written === '+' ? 'plus ' : 'minus ');
const per = (each: string | undefined) => (each === undefined ? '' : ` per ${unitNamed(each)?.one ?? each}`);

/**
 * Amounts of money: $5.50 "five dollars and fifty cents", $1.2 million "one point two million dollars", "a $5 bill" "a
 * five dollar bill", $5-10 "five to ten dollars".
 */
export const money: NormalizerStep = {
  step: 'money',
  apply(text) {
    let said = rewrite(text, before, (groups, around) => {
      const { low, high, lowSize, highSize, again, currency: written, each } = groups;
      const currency = currencyOf(written!);
      const single = each === undefined && attributive(around);
      const lowMinus = low!.startsWith('-') ? 'minus ' : minusSign(groups.minus);
      const lowest = low!.replace('-', '');
      if (high === undefined) return `${lowMinus}${sayMoney(lowest, lowSize, currency, single)}${per(each)}`;
      const first =
        again && (lowSize !== undefined || highSize === undefined)
          ? sayMoney(lowest, lowSize, currency, false)
          : `${sayAmount(lowest)}${sizeOf(lowSize)}`;
      return `${lowMinus}${first} to ${sayMoney(high, highSize, currency, single)}${per(each)}`;
    });
    said = rewrite(said, after, (groups, around) => {
      const first = groups.low === undefined ? '' : `${sayAmount(groups.low)}${sizeOf(groups.lowSize)} to `;
      const single = groups.each === undefined && attributive(around);
      const last = sayMoney(groups.high!, groups.highSize, currencyOf(groups.currency!), single);
      return `${minusSign(groups.minus)}${first}${last}${per(groups.each)}`;
    });
    said = rewrite(said, centFirst, ({ amount }) => `${sayAmount(amount!)} ${amount === '1' ? 'cent' : 'cents'}`);
    return rewrite(said, centSign, ({ amount, coin }, around) => {
      if (coin === 'p' && !(Number(amount) < 100)) return undefined;
      const one = amount === '1' || attributive(around);
      return `${sayAmount(amount!)} ${coin === 'p' ? (amount === '1' ? 'penny' : 'pence') : one ? 'cent' : 'cents'}`;
    });
  },
};

/** A currency by its name for one, for more, and its hundredth part. */
interface Currency {
  readonly one: string;
  readonly many: string;
  readonly part?: readonly [one: string, many: string];
}
