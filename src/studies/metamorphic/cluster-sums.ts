import type { SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import type { SpeakerClusters } from '../shared/speaker-clusters.ts';
import type { Design } from './design.ts';

/** What is added up of the cases of one recognizer, condition and language, by speaker. */
export const fields = [
  // Cases in which both sides were answered, and the utterances they are of.
  'pairs',
  'utterances',
  'violations',
  // What is lacking of BLEU-1 to BLEU-4.
  'bleuLoss1',
  'bleuLoss2',
  'bleuLoss3',
  'bleuLoss4',
  'bleuPairs',
  // Word error rates of single pairs, and the pairs that have one.
  'rates',
  'ratePairs',
  'edits',
  'tokens',
  'extraBefore',
  'extraInside',
  'extraAfter',
  'extraAlone',
  'criticalWords',
  'criticalLost',
  // Cases whose clean clip was recognized several times; the share of pairs of these recognitions that differ.
  'controlPairs',
  'controlViolations',
  'controlDiffering',
  'steadyPairs',
  'steadyViolations',
  // Cases with a reference.
  'referencePairs',
  'referenceViolations',
  'sourceWrong',
  'followUpWrong',
  'bothWrong',
  'sameError',
  // What is lacking of the cosine.
  'similarityLoss',
  'similarityPairs',
] as const;

export type Field = (typeof fields)[number];

/** Sums of what may be more than 1 for each thing it is divided by: insertions, a cosine below 0. The parts of BLEU have their own spread. */
const amounts: ReadonlySet<string> = new Set<Field>([
  'bleuLoss1',
  'bleuLoss2',
  'bleuLoss3',
  'bleuLoss4',
  'rates',
  'edits',
  'similarityLoss',
]);

/** What is added up of cases that two recognizers both answered. */
export const jointFields = ['utterances', 'pairs', 'firstViolations', 'secondViolations'] as const;

export type JointField = (typeof jointFields)[number];

/** What is added up of the clean clips of one recognizer. */
export const identityFields = ['utterances', 'unsteady', 'differing', 'recognitions'] as const;

export type IdentityField = (typeof identityFields)[number];

/** Sums by cluster: 8 bytes for each field and speaker, so that memory follows speakers (2,000 at most) and not cases. */
export class ClusterSums<Name extends string> {
  readonly #places: ReadonlyMap<Name, number>;
  #sums: Float64Array;

  constructor(names: readonly Name[]) {
    this.#places = new Map(names.map((name, index) => [name, index]));
    this.#sums = new Float64Array(8 * names.length);
  }

  add(cluster: number, field: Name, value: number): void {
    if (value === 0) return;
    const width = this.#places.size;
    const place = cluster * width + this.#places.get(field)!;
    if (place >= this.#sums.length) {
      const longer = new Float64Array(Math.ceil(1.5 * (cluster + 1)) * width);
      longer.set(this.#sums);
      this.#sums = longer;
    }
    this.#sums[place]! += value;
  }

  at(cluster: number, field: Name): number {
    return this.#sums[cluster * this.#places.size + this.#places.get(field)!] ?? 0;
  }
}

/** Some cases together: the sums of several conditions, say. */
export interface Cases<Name extends string> {
  total(field: Name): number;
  /** By cluster, as statistics take them. */
  counts(numerator: Name, denominator: Name): ClusteredCounts;
  /** How much stands behind a rate with this denominator, which counts cases, or words where `words` says so. */
  size(denominator: Name, words?: boolean): SampleSize;
}

/** The cases of several sums together, by speaker. */
export function casesOf<Name extends string>(
  sums: readonly ClusterSums<Name | 'utterances'>[],
  clusters: SpeakerClusters,
): Cases<Name> {
  const { count } = clusters;
  const at = (cluster: number, field: Name | 'utterances') =>
    sums.reduce((sum, one) => sum + one.at(cluster, field), 0);
  const column = (field: Name) => Float64Array.from({ length: count }, (_, cluster) => at(cluster, field));
  const total = (field: Name) => column(field).reduce((sum, value) => sum + value, 0);
  return {
    total,
    counts: (numerator, denominator) => ({
      numerators: column(numerator),
      denominators: column(denominator),
      proportion: !amounts.has(numerator),
    }),
    size(denominator, words = false) {
      let utterances = 0;
      let speakers = 0;
      for (let cluster = 0; cluster < count; cluster++) {
        if (!(at(cluster, denominator) > 0)) continue;
        // An utterance may be in every condition: the most that one of them has is how many there are.
        utterances += Math.max(...sums.map((one) => one.at(cluster, 'utterances')));
        if (clusters.isSpeaker(cluster)) speakers++;
      }
      return { utterances, speakers, [words ? 'words' : 'pairs']: total(denominator) };
    },
  };
}

/** Where cases of a recognizer in a condition are counted. */
export function placeOf(design: Design, recognizer: number, condition: number): number {
  return condition * design.recognizers.length + recognizer;
}

/** Where what both of two recognizers answered is counted. */
export function jointPlace(design: Design, first: number, second: number, condition: number): number {
  const { length } = design.recognizers;
  return (condition * length + first) * length + second;
}

/** Where trials are counted; null: clean clips. */
export function trialPlace(design: Design, recognizer: number, condition: number | null): number {
  return recognizer * (design.conditions.length + 1) + (condition === null ? 0 : condition + 1);
}
