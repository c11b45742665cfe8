import { clusterInfluences, type Spread } from './cluster-spread.ts';
import { effectiveClusters } from './clustered-counts.ts';

/**
 * The variance of a statistic of proportions as `clusterSpread` has it, known less well the fewer clusters it comes from: the
 * reciprocal of its degrees of freedom is 1 / (m - 1) + (kurtosis - usual) / m, with m Kish's effective number of clusters. Near 0
 * and 1 the few speakers that are not like all others make both the proportion and its spread, and a sample that happens to have
 * few of them shows too little of either. The squared coefficient of variation of a variance, (kurtosis - 1) / m, is twice the
 * reciprocal degrees of freedom by F. Satterthwaite ("An approximate distribution of estimates of variance components",
 * Biometrics Bulletin 2, 1946); here it counts whole, because the two err together. One odd speaker leaves about 1 degree of
 * freedom.
 *
 * @param slopes by how much the statistic changes with each proportion of the table
 * @param usual what of the kurtosis is not counted: the `least` there is, 1, or that of `normal` influences of clusters as unequal as
 *   these are. The former for a proportion, whose spread goes with its estimate (normal influences of 20 speakers then leave 6.6
 *   degrees of freedom), the latter for a difference (19)
 * @returns a variance of 0 where the clusters do not differ but by rounding
 */
export function cautiousSpread(
  table: Float64Array,
  width: number,
  sums: Float64Array,
  slopes: readonly number[],
  usual: 'least' | 'normal',
): Spread {
  const influences = clusterInfluences(table, width, sums, slopes);
  const clusters = effectiveClusters(table, width);
  const least = usual === 'least' ? 1 : normalKurtosis(table, width, sums);
  return cautiousFreedom(influences, clusters, least);
}

/**
 * The sum of squared influences as a variance, and its degrees of freedom by the rule of `cautiousSpread`.
 *
 * @param influences by how much each cluster moves the statistic
 * @param clusters the effective number of clusters
 * @param usualKurtosis what of the kurtosis is not counted; 1 is the least there is
 */
export function cautiousFreedom(influences: ArrayLike<number>, clusters: number, usualKurtosis = 1): Spread {
  let squares = 0;
  let fourths = 0;
  for (let cluster = 0; cluster < influences.length; cluster++) {
    squares += influences[cluster]! ** 2;
    fourths += influences[cluster]! ** 4;
  }
  if (squares < 1e-24) return { variance: 0, degreesOfFreedom: 1 };
  const kurtosis = (influences.length * fourths) / squares ** 2;
  const reciprocal = 1 / (clusters - 1) + Math.max(0, kurtosis - usualKurtosis) / clusters;
  return { variance: squares, degreesOfFreedom: Math.max(1, 1 / reciprocal) };
}

/** The kurtosis of influences that are normal for each word, and as unequal as the clusters' words are. */
function normalKurtosis(table: Float64Array, width: number, sums: Float64Array): number {
  let squares = 0;
  let fourths = 0;
  for (let place = 0; place < table.length; place += width) {
    let share = 0;
    for (let column = 1; column < width; column += 2) share += table[place + column]! / sums[column]!;
    squares += share ** 2;
    fourths += share ** 4;
  }
  return (3 * (table.length / width) * fourths) / squares ** 2;
}
