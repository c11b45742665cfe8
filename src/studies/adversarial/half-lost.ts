import { combineRates } from '../../statistics/bootstrap/combine-rates.ts';
import { type BootstrapOptions, type ClusteredCounts, rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';

/** The share of words that is looked for. */
const half = 0.5;

/** How often the stretch between two ratios is halved for an end of the interval: 10 dB to .01. */
const halvings = 10;

/**
 * The SNR at which half of the words are lost (substituted or deleted), read from the ratios that were asked: the first, coming from the
 * highest, at which the share of lost words reaches one half, with a straight line in decibels between two neighbours. The interval holds the
 * ratios at which the interval of that share, by speaker, holds one half; at a ratio that was asked it is the interval printed there. `searchHalfLost`
 * makes the grid finer where the answers lead.
 *
 * @param rungs lost words over words said, by speaker; the same index is the same speaker everywhere
 * @returns in decibels; null with the reason where half is lost at the highest ratio already, or not even at the lowest
 * @example halfLost([{ snrDb: 20, counts: few }, { snrDb: 10, counts: many }], { random }).value // 13.2
 */
export function halfLost(
  rungs: readonly { readonly snrDb: number; readonly counts: ClusteredCounts }[],
  bootstrap: BootstrapOptions,
): Interval {
  const { level = 0.95 } = bootstrap;
  const method = 'straight line in dB between the SNRs asked; interval where that of the share holds one half';
  const without = (value: number | null, reason: string): Interval => {
    return { value, low: null, high: null, level, reason, method };
  };
  const falling = rungs.toSorted((a, b) => b.snrDb - a.snrDb);
  const [first] = falling;
  if (first === undefined) return without(null, 'nothing was asked');
  const shares = new Map<number, Interval>();
  /** @param place between 0, the highest ratio, and the last */
  const shareAt = (place: number): Interval => {
    const known = shares.get(place);
    if (known !== undefined) return known;
    const before = Math.floor(place);
    const weight = place - before;
    const counts =
      weight === 0
        ? falling[before]!.counts
        : combineRates([
            { counts: falling[before]!.counts, weight: 1 - weight },
            { counts: falling[before + 1]!.counts, weight },
          ])!;
    const share = rateInterval(counts, bootstrap);
    shares.set(place, share);
    return share;
  };
  if (falling.some((_, place) => shareAt(place).value === null)) return without(null, 'nothing was answered');
  const ratioAt = (place: number) => {
    const before = Math.floor(place);
    const [here, next] = [falling[before]!.snrDb, falling[before + 1]?.snrDb ?? 0];
    return place === before ? here : here + (place - before) * (next - here);
  };
  /** Where one of the three first reaches one half; null: nowhere. Speakers who are all alike have no limits: the share stands for them. */
  const reached = (which: 'value' | 'low' | 'high'): number | null => {
    const at = (place: number) => shareAt(place)[which] ?? shareAt(place).value!;
    const place = falling.findIndex((_, one) => at(one) >= half);
    if (place <= 0) return place < 0 ? null : 0;
    if (which === 'value') return place - 1 + (half - at(place - 1)) / (at(place) - at(place - 1));
    let [above, below] = [place - 1, place];
    for (let turn = 0; turn < halvings; turn++) {
      const middle = (above + below) / 2;
      if (at(middle) >= half) below = middle;
      else above = middle;
    }
    return below;
  };
  const found = reached('value');
  if (found === null)
    return without(null, `fewer than half of the words are lost even at ${falling.at(-1)!.snrDb} dB, the lowest asked`);
  if (found === 0 && shareAt(0).value! > half)
    return without(null, `half of the words are lost at ${first.snrDb} dB already, the highest asked`);
  const there = shareAt(found);
  if (there.low === null) return without(ratioAt(found), there.reason ?? 'the share has no interval');
  const [low, high] = [reached('low'), reached('high')];
  if (low === null || high === null || high === 0)
    return without(
      ratioAt(found),
      'the interval reaches beyond the SNRs that were asked: ask higher or lower ones too',
    );
  return { value: ratioAt(found), low: ratioAt(low), high: ratioAt(high), level, method };
}
