import type { Reason } from '../../model/reason.ts';
import { studentQuantile, studentUpperTail } from '../distributions.ts';
import { minimumListeners } from '../fairness/crossed-contrast.ts';
import type { Interval } from '../interval.ts';

/** An estimate, and what it would be without each cluster (speaker) in turn. */
export interface Jackknife {
  readonly value: number;
  /** By cluster. */
  readonly replicates: ReadonlyMap<string, number>;
  /** How many clusters of equal size would say as much. */
  readonly effective: number;
}

/** The same estimate without each listener in turn, and without each cell of a speaker and a listener. */
export interface ListenerJackknives {
  readonly by: Jackknife;
  readonly both: Jackknife;
}

/**
 * The first estimate less the second: each cluster is left out of both at once.
 *
 * @example jackknifeLess(machine, people) // a machine's threshold for a group less that of people for it
 */
export function jackknifeLess(first: Jackknife, second: Jackknife): Jackknife {
  const names = new Set([...first.replicates.keys(), ...second.replicates.keys()]);
  return {
    value: first.value - second.value,
    replicates: new Map(
      [...names].map((name) => [
        name,
        (first.replicates.get(name) ?? first.value) - (second.replicates.get(name) ?? second.value),
      ]),
    ),
    effective: Math.min(first.effective, second.effective),
  };
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
 *
 * Where people listened, the same listeners stand behind both, and are neither nested in speakers nor speakers in them: `listeners` adds
 * V(listeners) - V(cells of both), as two-way clusters have it (Cameron, Gelbach and Miller 2011), but never less than 0. Degrees of freedom are then F.
 * Satterthwaite's (1946) of the parts. How often it is wrong: bench/calibration/threshold-listeners.ts.
 */
export function jackknifeDifference(
  first: Jackknife,
  second: Jackknife,
  options: { readonly level: number; readonly minimumClusters: number; readonly listeners?: ListenerJackknives },
): { readonly interval: Interval; readonly pValue: number | null } {
  const { level, minimumClusters, listeners } = options;
  const value = second.value - first.value;
  const clusters = [...new Set([...first.replicates.keys(), ...second.replicates.keys()])];
  const shared = clusters.filter((name) => first.replicates.has(name) && second.replicates.has(name)).length;
  const needed = Math.max(2, minimumClusters);
  const fewest = Math.min(first.replicates.size, second.replicates.size);
  const heardBy = listeners === undefined ? '' : `, and ${listeners.by.replicates.size} listeners`;
  const method = `jackknife over ${clusters.length} clusters, ${shared} of them on both sides${heardBy}`;
  const reason: Reason | null =
    fewest < needed
      ? { code: 'few-units', need: needed, have: [fewest], each: 'side' }
      : listeners !== undefined && listeners.by.replicates.size < minimumListeners
        ? { code: 'few-units', need: minimumListeners, have: [listeners.by.replicates.size], unit: 'listener' }
        : null;
  if (reason !== null) return { interval: { value, low: null, high: null, level, reason, method }, pValue: null };
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
  if (listeners !== undefined) {
    const [byListener, byBoth] = [listeners.by, listeners.both].map(
      ({ replicates }) => jackknifeError([...replicates.values()]) ** 2,
    );
    const added = Math.max(0, byListener! - byBoth!);
    const ofListeners = added > 0 ? byListener! ** 2 / Math.max(1, listeners.by.effective - 1) : 0;
    const reciprocal = error ** 4 / freedom + ofListeners;
    error = Math.sqrt(error ** 2 + added);
    if (reciprocal > 0) freedom = error ** 4 / reciprocal;
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
