import { neededClusters } from '../bootstrap/cluster-spread.ts';
import { studentQuantile, studentUpperTail } from '../distributions.ts';
import type { Interval } from '../interval.ts';

/** An estimate, and what it would be without each cluster (speaker) in turn. */
export interface Jackknife {
  readonly value: number;
  /** By cluster. */
  readonly replicates: ReadonlyMap<string, number>;
  /** How many clusters of equal size would say as much. */
  readonly effective: number;
}

/** How many units of equal size would say as much (L. Kish, "Survey sampling", 1965). */
export function effectiveNumber(sizes: readonly number[]): number {
  const sum = sizes.reduce((total, size) => total + size, 0);
  const squares = sizes.reduce((total, size) => total + size * size, 0);
  return squares > 0 ? (sum * sum) / squares : 0;
}

/** The standard error of the jackknife over clusters. */
export function jackknifeError(replicates: readonly number[]): number {
  const mean = replicates.reduce((sum, value) => sum + value, 0) / replicates.length;
  const squares = replicates.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(((replicates.length - 1) / replicates.length) * squares);
}

/**
 * The second estimate less the first, with Student's t interval and test. Where the same clusters stand behind both, each is
 * left out of both at once, so that what it does to both alike cancels; clusters that only one has count for that one. The
 * degrees of freedom are those of the smaller side where clusters are shared, otherwise B. Welch's (Biometrika 34, 1947).
 */
export function jackknifeDifference(
  first: Jackknife,
  second: Jackknife,
  options: { readonly level: number; readonly minimumClusters: number },
): { readonly interval: Interval; readonly pValue: number | null } {
  const { level, minimumClusters } = options;
  const value = second.value - first.value;
  const clusters = [...new Set([...first.replicates.keys(), ...second.replicates.keys()])];
  const shared = clusters.filter((name) => first.replicates.has(name) && second.replicates.has(name)).length;
  const needed = Math.max(2, minimumClusters);
  const fewest = Math.min(first.replicates.size, second.replicates.size);
  const method = `jackknife over ${clusters.length} clusters (speakers), ${shared} of them on both sides`;
  if (fewest < needed) {
    const reason = neededClusters(needed, fewest, 'on each side');
    return { interval: { value, low: null, high: null, level, reason, method }, pValue: null };
  }
  let error: number;
  let freedom: number;
  if (shared > 0) {
    error = jackknifeError(
      clusters.map(
        (name) => (second.replicates.get(name) ?? second.value) - (first.replicates.get(name) ?? first.value),
      ),
    );
    freedom = Math.min(first.effective, second.effective) - 1;
  } else {
    const [one, other] = [first, second].map(({ replicates }) => jackknifeError([...replicates.values()]) ** 2);
    error = Math.sqrt(one! + other!);
    const freedoms = one! ** 2 / (first.effective - 1) + other! ** 2 / (second.effective - 1);
    freedom = freedoms > 0 ? error ** 4 / freedoms : Math.min(first.effective, second.effective) - 1;
  }
  freedom = Math.max(1, freedom);
  const half = studentQuantile((1 + level) / 2, freedom) * error;
  const pValue = error > 0 ? 2 * studentUpperTail(Math.abs(value) / error, freedom) : value === 0 ? 1 : 0;
  return {
    interval: {
      value,
      low: value - half,
      high: value + half,
      level,
      method: `${method}, t with ${freedom.toFixed(1)} degrees of freedom`,
    },
    pValue: Math.min(1, pValue),
  };
}
