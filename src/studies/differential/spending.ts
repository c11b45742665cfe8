import { EarwitnessError } from '../../base/errors.ts';
import type { HeardText } from './heard.ts';
import type { DifferentialOptions } from './options.ts';
import type { Ending } from './search.ts';

/** What the searches have cost so far, by what the answers say, whether they were stored before or not. */
export interface Spending {
  add(text: HeardText): void;
  /**
   * How many more texts may be asked about, and why not more.
   *
   * @param recognizers each text costs a call of each
   */
  allows(recognizers: number, seconds: number): { readonly texts: number; readonly ending: Ending };
  readonly texts: number;
  readonly calls: number;
  readonly money: Readonly<Record<string, number>>;
}

/**
 * Keeps to `stop.calls`, `stop.money` and `stop.minutes`. The config's `budget` is the harder limit: it ends a run in the middle
 * of an iteration, and without a finding.
 */
export function createSpending({ minutes, calls: mostCalls, money: mostMoney }: DifferentialOptions['stop']): Spending {
  let texts = 0;
  let calls = 0;
  const money = new Map<string, number>();
  return {
    add(text) {
      texts++;
      calls += text.calls;
      for (const { amount, currency } of text.prices) {
        if (mostMoney !== null && currency !== mostMoney.currency) {
          throw new EarwitnessError(
            'bad-config',
            `stop.money is in ${mostMoney.currency}, but a recognizer's price is in ${currency}; give both in one currency`,
          );
        }
        money.set(currency, (money.get(currency) ?? 0) + amount);
      }
    },
    allows(recognizers, seconds) {
      if (minutes !== null && seconds >= 60 * minutes) return { texts: 0, ending: 'minutes' };
      const byCalls = mostCalls === null ? Number.POSITIVE_INFINITY : Math.floor((mostCalls - calls) / recognizers);
      const spent = mostMoney === null ? 0 : (money.get(mostMoney.currency) ?? 0);
      const byMoney =
        mostMoney === null || spent === 0
          ? Number.POSITIVE_INFINITY
          : Math.floor((mostMoney.amount - spent) / (spent / texts));
      const ending: Ending = byCalls <= byMoney ? 'calls' : 'money';
      return { texts: Math.max(0, Math.min(byCalls, byMoney)), ending };
    },
    get texts() {
      return texts;
    },
    get calls() {
      return calls;
    },
    get money() {
      return Object.fromEntries(money);
    },
  };
}
