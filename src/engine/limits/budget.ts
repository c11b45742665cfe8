import { EarwitnessError } from '../../base/errors.ts';
import type { Price } from '../../model/observation.ts';

/** What a run may spend. Absent: without limit. */
export interface BudgetLimits {
  readonly calls?: number | undefined;
  readonly audioMinutes?: number | undefined;
  readonly money?: Price | undefined;
}

/** What one call costs: counted before it is made. */
export interface Cost {
  readonly audioSeconds: number;
  readonly price: Price | null;
}

/** What has been spent so far. */
export interface Spending {
  readonly calls: number;
  readonly audioSeconds: number;
  readonly money: Readonly<Record<string, number>>;
}

export interface Budget {
  /**
   * Reserves a call before it is made.
   * @throws EarwitnessError `budget` when it would go over a limit: nothing is reserved then
   */
  reserve(cost: Cost): void;
  /** What the call really cost, where that is known later. */
  settle(reserved: Price | null, paid: Price): void;
}

export function createBudget(limits: BudgetLimits, spent: Spending): Budget {
  let calls = spent.calls;
  let audioSeconds = spent.audioSeconds;
  const money = new Map(Object.entries(spent.money));
  const over = (what: string, used: string) =>
    new EarwitnessError(
      'budget',
      `the budget of ${what} would be exceeded (${used} used); everything recognized so far is kept: raise \`budget\` in the config and run again`,
    );
  const inMoney = limits.money;

  return {
    reserve({ audioSeconds: more, price }) {
      if (limits.calls !== undefined && calls + 1 > limits.calls) throw over(`${limits.calls} calls`, `${calls}`);
      if (limits.audioMinutes !== undefined && (audioSeconds + more) / 60 > limits.audioMinutes) {
        throw over(`${limits.audioMinutes} audio minutes`, `${(audioSeconds / 60).toFixed(2)}`);
      }
      if (inMoney && price) {
        if (price.currency !== inMoney.currency) {
          throw new EarwitnessError(
            'bad-config',
            `the budget is in ${inMoney.currency}, but a recognizer's price is in ${price.currency}; give both in one currency`,
          );
        }
        const used = money.get(price.currency) ?? 0;
        // A hundred reservations of .1 are 10, whatever the last bit of their sum says.
        if (used + price.amount > inMoney.amount * (1 + 1e-12)) {
          throw over(`${inMoney.amount} ${inMoney.currency}`, used.toFixed(4));
        }
      }
      calls++;
      audioSeconds += more;
      if (price) money.set(price.currency, (money.get(price.currency) ?? 0) + price.amount);
    },
    settle(reserved, paid) {
      const before = reserved?.currency === paid.currency ? reserved.amount : 0;
      money.set(paid.currency, (money.get(paid.currency) ?? 0) - before + paid.amount);
    },
  };
}
