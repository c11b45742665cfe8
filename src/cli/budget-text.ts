import { formatFixed } from '../base/number-format.ts';
import type { BudgetLimits } from '../engine/limits.ts';
import type { StillToAsk } from '../session/open/price-rest.ts';

/**
 * Whether a budget is enough for what is still to be asked, and how much is missing; null where there is no budget.
 *
 * @example
 * budgetText({ calls: 10 }, { calls: 8, audioMinutes: null, money: null, used: { calls: 4, audioSeconds: 0, money: {} } })
 * // 'The budget is not enough: 10 calls (4 used, 8 needed: 2 missing). Raise it before the run.'
 */
export function budgetText({ calls, audioMinutes, money }: BudgetLimits, needed: StillToAsk): string | null {
  const { used } = needed;
  const parts: Part[] = [];
  if (calls !== undefined) parts.push({ unit: 'calls', limit: calls, used: used.calls, more: needed.calls, digits: 0 });
  if (audioMinutes !== undefined) {
    const seconds = { used: used.audioSeconds / 60, more: needed.audioMinutes };
    parts.push({ unit: 'audio minutes', limit: audioMinutes, ...seconds, digits: 1 });
  }
  if (money !== undefined) {
    const { amount, currency } = money;
    const more = needed.money && (needed.money.find((price) => price.currency === currency)?.amount ?? 0);
    parts.push({ unit: currency, limit: amount, used: used.money[currency] ?? 0, more, digits: amount < 1 ? 4 : 2 });
  }
  if (parts.length === 0) return null;
  if (parts.some(isShort))
    return `The budget is not enough: ${parts.filter(isShort).map(sums).join('; ')}. Raise it before the run.`;
  if (parts.some(({ more }) => more === null))
    return 'Whether the budget is enough cannot be told: lengths of the audio are not known.';
  return `The budget is enough: ${parts.map(sums).join('; ')}.`;
}

interface Part {
  readonly unit: string;
  readonly limit: number;
  readonly used: number;
  /** Null: not known. */
  readonly more: number | null;
  readonly digits: number;
}

function isShort({ limit, used, more }: Part): boolean {
  return used + (more ?? 0) > limit * (1 + 1e-9);
}

function sums(part: Part): string {
  const { unit, limit, used, more, digits } = part;
  const step = 10 ** digits;
  const up = (value: number) => formatFixed(Math.ceil(value * step - 1e-6) / step, digits);
  const needed = `${up(used)} used, ${more === null ? 'more' : up(more)} needed`;
  return `${formatFixed(limit, Number.isInteger(limit) ? 0 : digits)} ${unit} (${needed}${isShort(part) ? `: ${up(used + (more ?? 0) - limit)} missing` : ''})`;
}
