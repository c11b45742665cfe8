import { named } from '../shared/wording.ts';
import { type Axis, unitEndings } from './axes.ts';
import type { ThresholdOptions } from './options.ts';
import type { SearchResult } from './results.ts';

/** `half of the words`, `70 % of the words that are right in clean sound` */
export function shareInWords({ target, of }: Pick<ThresholdOptions, 'target' | 'of'>): string {
  const share = target === 0.5 ? 'half' : `${Number((100 * target).toFixed(1))} %`;
  return `${share} of the words${of === 'clean' ? ' that are right in clean sound' : ''}`;
}

/** `SNR (dB)`, `low pass (Hz)`: what an axis measures, as sentences and charts name it. */
export function axisInWords({ parameter, unit }: Axis): string {
  const ending = unit === '' ? '' : unitEndings.find((one) => parameter.endsWith(one));
  const bare = ending ? parameter.slice(0, -ending.length) : parameter;
  const words = bare
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/^snr$/, 'SNR');
  return unit === '' ? words : `${words} (${unit.trim()})`;
}

/** In which unit thresholds of an axis differ. */
export function differenceUnit({ scale, unit, parameter }: Axis): string {
  return scale === 'logarithmic' ? 'octaves' : unit === '' ? `units of ${parameter}` : unit.trim();
}

/** `everybody`, or `sex F`. */
export function groupInWords({ search }: SearchResult): string {
  const { group } = search.listeners;
  return group === null ? 'everybody' : `${named(group.attribute)} ${named(group.value)}`;
}
