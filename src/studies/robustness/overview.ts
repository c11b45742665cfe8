import type { DrawSpread } from './draws.ts';
import type { GroupRatio } from './group-ratios.ts';
import type { LanguageGap } from './language-gaps.ts';
import type { LevelComparison } from './level-comparisons.ts';
import type { Levels } from './levels.ts';

/** What is concluded over many scenarios together. */
export interface Overview {
  readonly levels: Levels;
  readonly comparisons: readonly LevelComparison[];
  readonly ratios: readonly GroupRatio[];
  readonly gaps: readonly LanguageGap[];
  readonly draws: readonly DrawSpread[];
}
