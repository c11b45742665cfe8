import type { Clock } from '../base/clock.ts';
import { badConfig, EarwitnessError } from '../base/errors.ts';
import type { Price } from '../model/observation.ts';

/** Gives back a permit. Calling it again does nothing. */
export type Release = () => void;

/** So many at once, the others in the order in which they came. */
export interface Semaphore {
  /** Rejects with the signal's reason when it is aborted while waiting. */
  acquire(signal: AbortSignal): Promise<Release>;
}

/** @param permits how many may be held at once, at least 1 */
export function createSemaphore(permits: number): Semaphore {
  let free = permits;
  const queue = new Set<() => void>();

  const release = () => {
    const first = queue.values().next();
    if (first.done) {
      free++;
    } else {
      queue.delete(first.value);
      first.value();
    }
  };
  const once = (): Release => {
    let held = true;
    return () => {
      if (held) release();
      held = false;
    };
  };

  return {
    acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free--;
        return Promise.resolve(once());
      }
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          queue.delete(grant);
          reject(signal.reason);
        };
        const grant = () => {
          signal.removeEventListener('abort', onAbort);
          resolve(once());
        };
        queue.add(grant);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}

/**
 * For calls that are computed together: so many of those who come through here share one permit of the whole. A group takes nobody in
 * once one of its calls has ended, so that others get their turn between two batches.
 */
export function shareSemaphore(whole: Semaphore, together: number): Semaphore {
  let open: { joined: number; inside: number; permit: Promise<Release>; giveUp: AbortController } | null = null;
  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (open === null || open.joined === together) {
        const giveUp = new AbortController();
        open = { joined: 0, inside: 0, giveUp, permit: whole.acquire(giveUp.signal) };
      }
      const group = open;
      group.joined++;
      group.inside++;
      let inside = true;
      const leave = () => {
        if (!inside) return;
        inside = false;
        if (open === group) open = null;
        if (--group.inside > 0) return;
        group.giveUp.abort(new Error('nobody waits for it any more'));
        group.permit.then(
          (release) => release(),
          () => {},
        );
      };
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        await Promise.race([group.permit, stopped]);
        return leave;
      } catch (error) {
        leave();
        throw error;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** Never more than so many calls in any stretch of time of the given length. */
export interface Rate {
  /** Counts a call that is made now, or says how many milliseconds to wait before asking for it again; 0: it may be made. */
  take(): number;
  /** Resolves when the next call may be made. */
  wait(signal: AbortSignal): Promise<void>;
  /**
   * Nobody calls for so long: what a service asks for with `Retry-After`.
   *
   * @returns whether that is longer than was to be waited anyway
   */
  pause(seconds: number): boolean;
}

export interface RateLimit {
  readonly calls: number;
  readonly perSeconds: number;
}

/** Timers take no longer waits than 2^31 - 1 ms: beyond it they end at once. */
const maxWaitMs = 86_400_000;

const togetherMs = 1000;

/** @param limits all of them hold; none: only pauses do */
export function createRate(limits: readonly RateLimit[], clock: Clock): Rate {
  // The moments of the last calls, as many as the limit counts: the oldest must be out of the window.
  const windows = limits.map((limit) => ({ ...limit, moments: [] as number[] }));
  let pausedUntil = 0;

  const earliest = (): number => {
    let moment = pausedUntil;
    for (const { calls, perSeconds, moments } of windows) {
      const oldest = moments[moments.length - calls];
      if (oldest !== undefined) moment = Math.max(moment, oldest + perSeconds * 1000);
    }
    return moment;
  };

  return {
    take() {
      const now = clock.monotonicMs();
      const wait = earliest() - now;
      if (wait > 0) return Math.min(wait, maxWaitMs);
      for (const window of windows) {
        window.moments.push(now);
        if (window.moments.length > window.calls) window.moments.shift();
      }
      return 0;
    },
    async wait(signal) {
      for (let wait = this.take(); wait > 0; wait = this.take()) await clock.sleep(wait, signal);
    },
    pause(seconds) {
      const before = pausedUntil;
      pausedUntil = Math.max(pausedUntil, clock.monotonicMs() + seconds * 1000);
      // Calls that were refused together ask for the same.
      return pausedUntil - before > togetherMs;
    },
  };
}

/** What a run may spend. Absent: without limit. */
export interface BudgetLimits {
  readonly calls?: number | undefined;
  readonly audioMinutes?: number | undefined;
  readonly money?: Price | undefined;
}

/** What one call costs: counted before it is made. */
interface Cost {
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
  /**
   * Reserves a call by which speech is bought: only money counts.
   * @throws EarwitnessError `budget` when it would go over the limit: nothing is reserved then
   */
  reserveSpeech(price: Price): void;
  /** What the call really cost, where that is known later. */
  settle(reserved: Price | null, paid: Price): void;
  /** Nothing of so much was heard. */
  giveBack(audioSeconds: number): void;
  /** Until now, with what previews have spent. */
  used(): Spending;
}

const nothingSpent: Spending = { calls: 0, audioSeconds: 0, money: {} };

/**
 * @param spent by the run, until now
 * @param previews what previews have spent whose answers the run uses: it counts too
 */
export function createBudget(limits: BudgetLimits, spent: Spending, previews: Spending = nothingSpent): Budget {
  const before = sumOfSpending([spent, previews]);
  let { calls, audioSeconds } = before;
  const money = new Map(Object.entries(before.money));
  const over = (what: string, used: string, byPreviews: string) =>
    new EarwitnessError(
      'budget',
      `the budget of ${what} would be exceeded (${used} used${Number(byPreviews) > 0 ? `, ${byPreviews} of it by the preview` : ''}); everything recognized and spoken so far is kept: raise \`budget\` in the config and run again`,
    );
  const inMoney = limits.money;
  const checkMoney = (price: Price) => {
    if (!inMoney || price.amount === 0) return;
    if (price.currency !== inMoney.currency) {
      throw badConfig(
        `the budget is in ${inMoney.currency}, but a price is in ${price.currency}; give both in one currency`,
      );
    }
    const used = money.get(price.currency) ?? 0;
    // A hundred reservations of .1 are 10, whatever the last bit of their sum says.
    if (used + price.amount > inMoney.amount * (1 + 1e-12)) {
      // Never 1e-7.
      const amount = inMoney.amount.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
      throw over(`${amount} ${inMoney.currency}`, used.toFixed(4), (previews.money[price.currency] ?? 0).toFixed(4));
    }
  };
  const add = ({ amount, currency }: Price) => money.set(currency, (money.get(currency) ?? 0) + amount);

  return {
    reserve({ audioSeconds: more, price }) {
      if (limits.calls !== undefined && calls + 1 > limits.calls)
        throw over(`${limits.calls} calls`, `${calls}`, `${previews.calls}`);
      if (limits.audioMinutes !== undefined && (audioSeconds + more) / 60 > limits.audioMinutes) {
        const minutes = [audioSeconds, previews.audioSeconds].map((seconds) => (seconds / 60).toFixed(2));
        throw over(`${limits.audioMinutes} audio minutes`, minutes[0]!, minutes[1]!);
      }
      if (price) checkMoney(price);
      calls++;
      audioSeconds += more;
      if (price) add(price);
    },
    reserveSpeech(price) {
      checkMoney(price);
      add(price);
    },
    settle(reserved, paid) {
      const before = reserved?.currency === paid.currency ? reserved.amount : 0;
      money.set(paid.currency, (money.get(paid.currency) ?? 0) - before + paid.amount);
    },
    giveBack(less) {
      audioSeconds -= less;
    },
    used: () => ({ calls, audioSeconds, money: Object.fromEntries(money) }),
  };
}

/** What several runs have spent together. */
export function sumOfSpending(parts: readonly Spending[]): Spending {
  const money: Record<string, number> = {};
  for (const part of parts) {
    for (const [currency, amount] of Object.entries(part.money)) money[currency] = (money[currency] ?? 0) + amount;
  }
  return {
    calls: parts.reduce((sum, part) => sum + part.calls, 0),
    audioSeconds: parts.reduce((sum, part) => sum + part.audioSeconds, 0),
    money,
  };
}
