import type { SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import { isPaperBaseline } from './benchmark-corpora.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import type { Leaf } from './scenario-tree.ts';

/** What one recognizer made of one scenario in one data set; the same index is the same speaker everywhere. */
export interface LeafCounts {
  readonly leaf: Leaf;
  /** All answered trials. */
  readonly words: ClusteredCounts;
  readonly characters: ClusteredCounts;
  /** Of trials answered here and clean; null where there is nothing to compare with. */
  readonly pair: { readonly before: ClusteredCounts; readonly after: ClusteredCounts } | null;
  /** Why there is no pair. */
  readonly reason?: string;
  readonly n: SampleSize;
  /** Speakers (clusters) in the data set, and in its baseline where that is another. */
  readonly speakers: number;
}

/** Which part of a data set is looked at: all of it, or a group of speakers. */
export type PartOf = (dataset: number) => Part | null;

/** The whole of every data set. */
export function wholeOf({ datasets }: Counts): PartOf {
  const parts = datasets.map((counts) => counts.whole());
  return (dataset) => parts[dataset]!;
}

/** The counts of a recognizer in every scenario that it answered anything of. */
export function countLeaves(
  leaves: readonly Leaf[],
  recognizer: number,
  {
    tally,
    design,
    options,
    partOf,
  }: {
    readonly tally: Counts;
    readonly design: Design;
    readonly options: RobustnessOptions;
    readonly partOf: PartOf;
  },
): LeafCounts[] {
  const { series } = tally;
  const clean = new Map<number, ClusteredCounts>();
  const cleanOf = (dataset: number): ClusteredCounts | null => {
    const part = partOf(dataset);
    if (part === null) return null;
    let counts = clean.get(dataset);
    if (counts === undefined) {
      counts = byCluster(part, tally, series.words(recognizer, 0)).counts;
      clean.set(dataset, counts);
    }
    return counts;
  };
  return leaves.flatMap((leaf): LeafCounts[] => {
    const { condition, dataset } = leaf;
    const part = partOf(dataset);
    if (part === null) return [];
    const { counts: words, n } = byCluster(part, tally, series.words(recognizer, condition));
    if (n.words === 0) return [];
    const characters = byCluster(part, tally, series.characters(recognizer, condition)).counts;
    const shared = { leaf, words, characters, n };
    const speakers = speakersIn(words);
    if (condition < design.disturbed) {
      const draws = design.draws(condition, recognizer);
      const before = byCluster(
        part,
        tally,
        series.words(recognizer, 0),
        series.cleanOnly(recognizer, condition),
        draws,
      );
      const after = byCluster(
        part,
        tally,
        series.words(recognizer, condition),
        series.withoutClean(recognizer, condition),
      );
      if (!(before.n.words > 0)) {
        return [{ ...shared, pair: null, reason: 'no trial was answered both here and clean', speakers }];
      }
      return [{ ...shared, pair: { before: before.counts, after: after.counts }, speakers }];
    }
    const baseline = baselineOf(leaf, design, options, cleanOf);
    if (typeof baseline === 'string') return [{ ...shared, pair: null, reason: baseline, speakers }];
    return [
      { ...shared, pair: { before: baseline, after: words }, speakers: Math.min(speakers, speakersIn(baseline)) },
    ];
  });
}

/** Clean sound that a recorded scenario is compared with, or why there is none. */
function baselineOf(
  { condition, dataset }: Leaf,
  { survey, disturbed }: Design,
  { recorded, profile }: RobustnessOptions,
  cleanOf: (dataset: number) => ClusteredCounts | null,
): ClusteredCounts | string {
  const { baseline } = recorded[condition - disturbed]!;
  const { language } = survey.datasets[dataset]!;
  const clean = survey.datasets.flatMap((one, number) => {
    const counts = one.recorded === null ? cleanOf(number) : null;
    return counts === null || sum(counts.denominators) === 0 ? [] : [{ ...one, counts }];
  });
  if (baseline !== null) {
    const named = clean.filter(({ corpus }) => corpus === baseline);
    const found = named.find((one) => one.language === language) ?? named[0];
    return found?.counts ?? `nothing was answered of its baseline ${baseline.slice(0, 100)}`;
  }
  if (clean.length === 0) return 'there is no clean corpus to compare it with';
  if (profile === 'srb') {
    const rate = ({ counts }: (typeof clean)[number]) => sum(counts.numerators) / sum(counts.denominators);
    return clean.reduce((best, one) => (rate(one) < rate(best) ? one : best)).counts;
  }
  const sameLanguage = clean.filter((one) => one.language === language);
  if (sameLanguage.length === 1) return sameLanguage[0]!.counts;
  if (profile === 'srb-paper') {
    const ofPaper = sameLanguage.filter(({ corpus }) => isPaperBaseline(corpus, language));
    if (ofPaper.length === 1) return ofPaper[0]!.counts;
  }
  return sameLanguage.length === 0
    ? `there is no clean corpus of its language (${language}); name its baseline`
    : 'there are several clean corpora; name its baseline';
}

/** A series in a part, less another, at the places of all speakers of the run. */
export function byCluster(
  part: Part,
  { slices }: Pick<Counts, 'slices'>,
  series: number,
  out?: number,
  times = 1,
): ReturnType<typeof gather> {
  const { counts, n } = gather(part, series, out, times);
  const numerators = new Float64Array(slices.clusters.count);
  const denominators = new Float64Array(slices.clusters.count);
  part.rows.forEach((row, place) => {
    numerators[part.clusterOf(row)]! += counts.numerators[place]!;
    denominators[part.clusterOf(row)]! += counts.denominators[place]!;
  });
  return { counts: { numerators, denominators }, n };
}

/** Speakers (clusters) of whom a word was asked. */
export function speakersIn({ denominators }: ClusteredCounts): number {
  return denominators.reduce((count, words) => count + (words > 0 ? 1 : 0), 0);
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
