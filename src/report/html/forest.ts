import type { Cell } from '../../model/finding.ts';
import { html, type Markup } from './markup.ts';

/** The stretch that a column's little interval pictures cover. */
export interface ForestScale {
  readonly low: number;
  readonly high: number;
}

/**
 * The common scale of a column, so that its intervals can be compared by eye; null where there are too few of them to
 * compare. Zero is always on it.
 */
export function forestScale(cells: readonly (Cell | undefined)[]): ForestScale | null {
  const estimates = cells.map(estimateOf).filter((estimate) => estimate?.low != null && estimate.high != null);
  if (estimates.length < 2) return null;
  let low = 0;
  let high = 0;
  for (const estimate of estimates) {
    low = Math.min(low, estimate?.low ?? 0);
    high = Math.max(high, estimate?.high ?? 0);
  }
  return high > low ? { low, high } : null;
}

/** A value and its interval as a dot on a line. Only a picture of what stands beside it, so it is silent. */
export function forestMark(cell: Cell | undefined, scale: ForestScale): Markup | null {
  const estimate = estimateOf(cell);
  if (!estimate || estimate.low === null || estimate.high === null) return null;
  const at = (value: number) => (2 + (92 * (value - scale.low)) / (scale.high - scale.low)).toFixed(1);
  return html`<svg class="forest" viewBox="0 0 96 12" aria-hidden="true">
${scale.low < 0 && html`<line class="zero" x1="${at(0)}" x2="${at(0)}" y1="0" y2="12"/>`}
<line class="span" x1="${at(estimate.low)}" x2="${at(estimate.high)}" y1="6" y2="6"/>
${estimate.value !== null && html`<circle class="dot" cx="${at(estimate.value)}" cy="6" r="3.5"/>`}</svg>`;
}

function estimateOf(cell: Cell | undefined) {
  if (typeof cell !== 'object' || cell === null) return null;
  return 'verdict' in cell ? cell.difference : cell;
}
