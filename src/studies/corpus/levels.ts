/** Levels of clips, kept as counts in steps of a tenth of a decibel, so that memory stays flat. */
export interface Levels {
  add(dbfs: number): void;
  /**
   * The level at or below which this share of the clips lies (the smallest such; type 1 of Hyndman and Fan, 1996), to a
   * tenth of a decibel; null without clips.
   */
  quantile(share: number): number | null;
}

/** A decibel has so many steps. */
const steps = 10;

/** Levels for one corpus. */
export function createLevels(): Levels {
  const counts = new Map<number, number>();
  let total = 0;
  return {
    add(dbfs) {
      const step = Math.round(Math.max(dbfs, -400) * steps);
      counts.set(step, (counts.get(step) ?? 0) + 1);
      total++;
    },
    quantile(share) {
      let below = 0;
      for (const [step, count] of [...counts].sort(([a], [b]) => a - b)) {
        below += count;
        if (below >= share * total) return step / steps;
      }
      return null;
    },
  };
}
