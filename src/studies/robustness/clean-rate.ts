import type { Estimate } from '../../model/finding.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import { byCluster, type LeafCounts, type PartOf, speakersIn } from './leaf-counts.ts';
import { type EstimateSettings, meanRate } from './level-estimates.ts';

/** Word error rate of clean sound: the mean over the clean ones of some data sets. */
export function cleanRate({
  recognizer,
  datasets,
  partOf,
  tally,
  design,
  settings,
}: {
  readonly recognizer: number;
  readonly datasets: readonly number[];
  readonly partOf: PartOf;
  readonly tally: Counts;
  readonly design: Design;
  readonly settings: EstimateSettings;
}): Estimate {
  const counts = datasets.flatMap((dataset): LeafCounts[] => {
    const part = design.survey.datasets[dataset]!.recorded === null ? partOf(dataset) : null;
    if (part === null) return [];
    const { counts: words, n } = byCluster(part, tally, tally.series.words(recognizer, 0));
    if (n.words === 0) return [];
    const difficulty = { value: null, reason: 'clean sound has no difficulty' };
    const leaf = { condition: 0, dataset, family: 'clean', category: 'clean', difficulty };
    return [{ leaf, words, characters: words, pair: null, n, speakers: speakersIn(words) }];
  });
  return meanRate(counts, 'words', 'rate', settings);
}
