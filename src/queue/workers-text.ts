import { formatFixed } from '../base/number-format.ts';
import { counted } from '../base/wording.ts';
import type { CallMakers } from '../engine/executors/contract.ts';

/** Calls that nobody has in hand: all that a run waits for, or those of them that are in the queue already, of all runs. */
type Open = { readonly waiting: number } | { readonly queued: number } | null;

/**
 * Who makes calls, and how fast; where nobody does, the command that changes it.
 *
 * @param open null: not known
 * @example workersText({ working: 3, halted: 0, inFlight: 24, perSecond: 12.4 }, { waiting: 696 }) // '3 workers: 12.4 calls a second, 24 in hand, 696 waiting'
 */
export function workersText({ working, halted, inFlight, perSecond }: CallMakers, open: Open): string {
  const left = openText(open);
  if (working === 0 && halted > 0)
    return `all workers are paused or end${left}; \`earwitness workers resume --all\` lets them go on`;
  if (working === 0) return `no worker is there${left}; \`earwitness worker\` starts one`;
  const rate = perSecond === null ? '' : `${rateText(perSecond)} calls a second, `;
  return `${counted(working, 'worker')}: ${rate}${formatFixed(inFlight, 0)} in hand${left}`;
}

function openText(open: Open): string {
  if (open === null) return '';
  const [count, what] = 'waiting' in open ? [open.waiting, 'waiting'] : [open.queued, 'queued'];
  return count > 0 ? `, ${formatFixed(count, 0)} ${what}` : '';
}

/** Calls a second, with a digit behind the point where that tells something. */
function rateText(perSecond: number): string {
  return formatFixed(perSecond, perSecond < 100 ? 1 : 0);
}
