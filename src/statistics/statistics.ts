// `earwitness/statistics`: intervals and tests that respect clusters and pairs.
export { createRandom, type Random } from '../base/random.ts';
export {
  type AlphaResult,
  krippendorffAlpha,
  krippendorffAlphaInterval,
  type MeasurementLevel,
  type Rating,
} from './agreement/krippendorff-alpha.ts';
export { bootstrapInterval, type PlainBootstrapOptions, type Statistic } from './bootstrap/bootstrap-interval.ts';
export type { BootstrapOptions, ClusteredCounts, ComparisonOptions } from './bootstrap/clustered-counts.ts';
export {
  differenceInterval,
  logRatioInterval,
  pairedDifferenceInterval,
} from './bootstrap/difference-interval.ts';
export { type RandomOfData, randomOfData } from './bootstrap/random-of-data.ts';
export { combineRates, rateInterval, type WeightedRate } from './bootstrap/rate-interval.ts';
export { normalCdf, normalQuantile, normalUpperTail, studentQuantile, studentUpperTail } from './distributions.ts';
export { exactProportionInterval, varianceInterval } from './exact-intervals.ts';
export {
  type BetterWay,
  compareDisparities,
  type DisparityComparison,
  type DisparityTable,
  type GroupTable,
  type ModelDisparity,
} from './fairness/compare-disparities.ts';
export { type ComparedGaps, compareGaps } from './fairness/compare-gaps.ts';
export { type DealOptions, type DealtGroups, dealGroups } from './fairness/deal-groups.ts';
export type { GroupedUnits } from './fairness/grouped-units.ts';
export { inseparableSets } from './fairness/grouped-units.ts';
export type { ErrorPair } from './fairness/pair-sums.ts';
export { rateContrast } from './fairness/rate-contrast.ts';
export { resampleDisparities } from './fairness/resample-disparities.ts';
export type { Cause } from './gap-decomposition/cause-columns.ts';
export {
  type DecomposedGap,
  decomposeGap,
  type GapData,
  type GapOptions,
  type GapPart,
} from './gap-decomposition/decompose-gap.ts';
export {
  attributeCombinations,
  type Coverage,
  type CoverageCell,
  type CoverageItem,
  type CoverageOptions,
  intersectionalCoverage,
  klToUniform,
} from './intersectional-coverage.ts';
export type { Interval } from './interval.ts';
export type {
  CountData,
  CountRegression,
  CountRegressionOptions,
  RateCoefficient,
  SpeakerCountData,
  TermTest,
} from './mixed-models/count-data.ts';
export {
  type MixedNegativeBinomialOptions,
  type MixedOptions,
  mixedNegativeBinomial,
  mixedPoisson,
  type NegativeBinomialOptions,
  negativeBinomialRegression,
  poissonRegression,
} from './mixed-models/count-models.ts';
export { paretoFront } from './pareto-front.ts';
export {
  proportionalAllocation,
  type SampleSize,
  type SampleSizeOptions,
  sampleSizeForProportion,
} from './planning/sample-size.ts';
export type { PartlyLabelledCounts } from './prediction-powered/powered-influences.ts';
export {
  type PoweredGap,
  type PoweredOptions,
  type PoweredRate,
  predictionPoweredGap,
  predictionPoweredRate,
} from './prediction-powered/prediction-powered.ts';
export { quantileSorted } from './quantile.ts';
export type { Predictors } from './regression/design-matrix.ts';
export {
  type HuberOptions,
  type HuberRegression,
  huberRegression,
  type LinearCoefficient,
} from './regression/huber-regression.ts';
export {
  type LogisticFit,
  type LogisticOptions,
  logisticChances,
  logisticRegression,
} from './regression/logistic-regression.ts';
export { type SparseRows, sparseRows } from './regression/sparse-rows.ts';
export { type Alternative, binomialTest, type McNemarResult, mcnemar, signTest } from './significance/binomial-test.ts';
export {
  type JointGroupOptions,
  type JointGroupPair,
  type JointGroupResult,
  jointGroupTest,
} from './significance/joint-group-test.ts';
export {
  type JointlyTested,
  type JointPairedOptions,
  type JointPairedResult,
  jointPairedTest,
  type PairedComparison,
} from './significance/joint-paired-test.ts';
export { benjaminiHochberg, holm } from './significance/multiplicity.ts';
export {
  type PairedPermutationResult,
  pairedPermutationTest,
  signFlipTest,
} from './significance/paired-permutation-test.ts';
export type { PermutationOptions, PermutationResult } from './significance/permutation-result.ts';
export {
  permutationTestOfMeans,
  permutationTestOfRates,
  type RegroupingOptions,
} from './significance/permutation-test.ts';
export { type RankCorrelation, rankCorrelation } from './significance/rank-correlation.ts';
export { pairedTTest, studentTTest, type TTestOptions, type TTestResult, welchTTest } from './significance/t-test.ts';
export { type WilcoxonOptions, type WilcoxonResult, wilcoxonSignedRank } from './significance/wilcoxon-signed-rank.ts';
