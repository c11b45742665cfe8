import type { ColumnKind } from '../../model/finding.ts';

/** A round number on an axis, with as many decimals as the distance of its ticks needs. */
export function axisText(tick: number, kind: ColumnKind, ticks: readonly number[]): string {
  const factor = kind === 'rate' || kind === 'difference' ? 100 : 1;
  const distance = Math.abs(((ticks[1] ?? 1) - (ticks[0] ?? 0)) * factor);
  const decimals = distance > 0 ? Math.max(0, Math.min(6, -Math.floor(Math.log10(distance) + 1e-9))) : 0;
  const number = (tick * factor).toFixed(decimals).replace('-', '−');
  return kind === 'rate' ? `${number} %` : number;
}
