/** Preferred numbers R40 (ISO 3): 40 to a decade, about 6 % apart. */
const preferred = Array.from({ length: 40 }, (_, place) => Number((10 ** (place / 40)).toPrecision(3)));

const maxLevels = 50;

/**
 * The levels between two ends that a search may ask about, rising. They lie on a grid that does not depend on the ends, so
 * that other searches ask about the same sounds and answers can be used again: multiples of a round step, or preferred numbers.
 *
 * @throws RangeError for logarithmic levels that are not above 0
 * @example levelGrid({ from: -20, to: 30, scale: 'linear', step: null }) // -20, -19, … 30
 */
export function levelGrid(wanted: {
  readonly from: number;
  readonly to: number;
  readonly scale: 'linear' | 'logarithmic';
  readonly step: number | null;
}): number[] {
  const low = Math.min(wanted.from, wanted.to);
  const high = Math.max(wanted.from, wanted.to);
  if (wanted.scale === 'logarithmic') {
    if (!(low > 0)) throw new RangeError(`expected logarithmic levels above 0, but got ${low}`);
    const levels: number[] = [];
    for (let decade = Math.floor(Math.log10(low)); decade <= Math.ceil(Math.log10(high)); decade++) {
      for (const number of preferred) {
        const level = Number((number * 10 ** decade).toPrecision(3));
        if (level >= low * (1 - 1e-9) && level <= high * (1 + 1e-9)) levels.push(level);
      }
    }
    return levels;
  }
  const step = wanted.step ?? roundStep((high - low) / maxLevels);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) =>
    Number(((first + place) * step).toPrecision(12)),
  );
}

/** The least of 1, 2 and 5 times a power of ten that is not below a number. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9))!;
  return Number((factor * power).toPrecision(12));
}
