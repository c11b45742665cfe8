import type { ValidResults } from './condition-results.ts';
import type { DrawSpread } from './draws.ts';
import type { GroupRatio, LanguageGap } from './group-ratios.ts';
import type { LevelComparison } from './level-comparisons.ts';
import type { Levels } from './levels.ts';

/** What is concluded over many scenarios together. */
export interface Overview {
  readonly levels: Levels;
  readonly comparisons: readonly LevelComparison[];
  readonly ratios: readonly GroupRatio[];
  readonly gaps: readonly LanguageGap[];
  readonly draws: readonly DrawSpread[];
  /** With only the sounds that a validity gate keeps; null without one. */
  readonly valid: ValidResults | null;
}
