// `earwitness/statistics`: intervals and tests that respect clusters and pairs.
export { createRandom, type Random } from '../base/random.ts';
export { benjaminiHochberg } from './benjamini-hochberg.ts';
export { type Alternative, binomialTest } from './binomial-test.ts';
export { clusterBootstrap, defaultMinimumClusters } from './cluster-bootstrap.ts';
export type { BootstrapOptions, ClusteredCounts } from './clustered-counts.ts';
export { differenceInterval } from './difference-interval.ts';
export { holm } from './holm.ts';
export type { Interval } from './interval.ts';
export { type McNemarResult, mcnemar } from './mcnemar.ts';
export { normalCdf, normalQuantile, normalUpperTail } from './normal.ts';
export { type PairedPermutationResult, pairedPermutationTest } from './paired-permutation-test.ts';
export { quantileSorted } from './quantile.ts';
export { rateInterval } from './rate-interval.ts';
export { signTest } from './sign-test.ts';
export { studentQuantile, studentUpperTail } from './student-t.ts';
export { type WilcoxonOptions, type WilcoxonResult, wilcoxonSignedRank } from './wilcoxon-signed-rank.ts';
