/** A currency by its name for one, for more, and its hundredth part. */
export interface Currency {
  readonly one: string;
  readonly many: string;
  readonly part?: readonly [one: string, many: string];
}

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
export const currencySigns: ReadonlyMap<string, Currency> = new Map([
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
export const currencyCodes: ReadonlyMap<string, Currency> = new Map([
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
