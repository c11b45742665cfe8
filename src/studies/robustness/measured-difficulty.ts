import type { Estimate } from '../../model/finding.ts';
import type { RobustnessValue } from '../../scoring/srb/degradation.ts';

/** How hard a scenario is in a data set by what was measured of its sounds. */
export interface MeasuredDifficulty {
  readonly condition: number;
  readonly dataset: number;
  /** Means over clips; null where the measure is not in the config, or says nothing about recordings as they are. */
  readonly dnsmos: Estimate | null;
  readonly pesq: Estimate | null;
  readonly points: Estimate;
}

/** Difficulties of a run's own sounds. */
export interface MeasuredDifficulties {
  readonly rows: readonly MeasuredDifficulty[];
  /** Measures and scale, for people. */
  readonly about: string;
  of(condition: number, dataset: number): RobustnessValue;
}
