// `earwitness/statistics`: intervals and tests that respect clusters and pairs.
export { createRandom, type Random } from '../base/random.ts';
export { clusterBootstrap, defaultMinimumClusters } from './bootstrap/cluster-bootstrap.ts';
export type { BootstrapOptions, ClusteredCounts } from './bootstrap/clustered-counts.ts';
export { differenceInterval } from './bootstrap/difference-interval.ts';
export { rateInterval } from './bootstrap/rate-interval.ts';
export { normalCdf, normalQuantile, normalUpperTail } from './distributions/normal.ts';
export { studentQuantile, studentUpperTail } from './distributions/student-t.ts';
export type { Interval } from './interval.ts';
export { quantileSorted } from './quantile.ts';
export { benjaminiHochberg } from './significance/benjamini-hochberg.ts';
export { type Alternative, binomialTest } from './significance/binomial-test.ts';
export { holm } from './significance/holm.ts';
export { type McNemarResult, mcnemar } from './significance/mcnemar.ts';
export { type PairedPermutationResult, pairedPermutationTest } from './significance/paired-permutation-test.ts';
export { signTest } from './significance/sign-test.ts';
export { type WilcoxonOptions, type WilcoxonResult, wilcoxonSignedRank } from './significance/wilcoxon-signed-rank.ts';
