// `earwitness/studies`: what gives the house's studies their intervals and verdicts, for studies of one's own.

export { turned } from '../model/comparison.ts';
export { type Reason, reasonText } from '../model/reason.ts';
export { allTrials } from './shared/all-trials.ts';
export {
  type ComparisonSettings,
  type Contrast,
  compareAll,
  correctByHolm,
  type Family,
  familiesInWords,
  judge,
  toComparison,
} from './shared/comparisons.ts';
export { type Cube, type CubeDesign, groupsOf, whole } from './shared/cube/contract.ts';
export { openCube } from './shared/cube/cube.ts';
export { cubeWarnings, gapsTable, pairsTable } from './shared/cube/tables.ts';
export { measured, toEstimate } from './shared/estimates.ts';
export { failuresSection, failureWarnings } from './shared/failures.ts';
export {
  type ConditionsOption,
  chosenConditions,
  chosenNormalizer,
  conditionsOption,
  intervalOptions,
  normalizerOption,
} from './shared/options.ts';
export { createSpeakerClusters, type SpeakerClusters } from './shared/speaker-clusters.ts';
export { verdictCells, verdictColumns } from './shared/tables.ts';
