import type { Estimate, SampleSize } from '../../../model/finding.ts';
import type { ClusteredCounts } from '../../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import { combineRates, rateInterval } from '../../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from '../estimates.ts';
import type { GroupSide } from '../group-pairs.ts';
import type { SpeakerClusters } from '../speaker-clusters.ts';
import type { CubeDesign, Part, Place, Ratio, Row } from './contract.ts';
import type { Members } from './groups.ts';
import { Sums } from './sums.ts';

/** What was added of some members, with sizes and intervals in the words of a cube. */
export class MembersPart<Counts extends string, Ratios extends string> implements Part<Counts, Ratios> {
  readonly #design: Pick<CubeDesign<never, Counts, Ratios, never>, 'ratios' | 'unit' | 'words' | 'settings'>;
  readonly #counts: readonly Counts[];
  readonly #members: Members;
  readonly #speakers: Pick<SpeakerClusters, 'isSpeaker'>;

  constructor(
    design: CubeDesign<never, Counts, Ratios, never>,
    members: Members,
    speakers: Pick<SpeakerClusters, 'isSpeaker'>,
  ) {
    this.#design = design;
    this.#counts = Object.keys(design.counts) as Counts[];
    this.#members = members;
    this.#speakers = speakers;
  }

  get group(): Members['group'] {
    return this.#members.group;
  }

  get units(): readonly number[] {
    return this.#members.units;
  }

  counts(series: number, path: readonly string[]): Readonly<Record<Counts, number>> {
    return this.#totals(this.#sumsAt(series, path));
  }

  side({ series, path, ratio }: Place<Ratios>): GroupSide {
    const sums = this.#sumsAt(series, path);
    return { counts: this.clustered(sums, this.#design.ratios[ratio]), clusters: this.units, n: this.size(sums) };
  }

  weighted(terms: readonly (Place<Ratios> & { readonly weight: number })[]): GroupSide | null {
    const sides = terms.map(({ weight, ...place }) => ({ weight, ...this.side(place) }));
    const counts = combineRates(sides);
    if (counts === null) return null;
    const sizes = sides.flatMap(({ weight, n }) => (weight > 0 ? [n] : []));
    return { counts, clusters: this.units, n: sizes.reduce(largest) };
  }

  estimate({ counts, n }: GroupSide): Estimate {
    return toEstimate(this.#interval(counts), n);
  }

  /** Of the units alone of which anything was added to the cell without a name; null: of none. */
  present(series: number, ratio: Ratios): GroupSide | null {
    const sums = this.#members.sumsAt([], series);
    if (sums === undefined) return null;
    const [places, counts] = [sums.units(), this.clustered(sums, this.#design.ratios[ratio])];
    const at = (values: Float64Array) => Float64Array.from(places, (place) => values[place]!);
    return {
      clusters: places.map((place) => this.units[place]!),
      counts: { ...counts, numerators: at(counts.numerators), denominators: at(counts.denominators) },
      n: this.size(sums),
    };
  }

  /** @param path of the cell, without the names of the group */
  row(series: string, path: readonly string[], sums: Sums): Row<Counts, Ratios> {
    const { ratios } = this.#design;
    const n = this.size(sums);
    return {
      series,
      path: this.group === null ? path : [this.group.attribute, this.group.value, ...path],
      counts: this.#totals(sums),
      ratios: record(Object.keys(ratios) as Ratios[], (name) => {
        const counts = this.clustered(sums, ratios[name]);
        return toEstimate(this.#inWords(this.#interval(counts), counts, ratios[name]), n);
      }),
    };
  }

  /** @param less what is taken out */
  clustered(sums: Sums, { over: [numerator, denominator], proportion }: Ratio<Counts>, less?: Sums): ClusteredCounts {
    const column = (name: Counts) => sums.column(this.#counts.indexOf(name), this.units.length, less);
    return { numerators: column(numerator), denominators: column(denominator), ...(proportion && { proportion }) };
  }

  size(sums: Sums, less?: Sums): SampleSize {
    const { unit, words } = this.#design;
    const present = sums.units(less);
    if (unit === 'recording') return { utterances: present.length, speakers: 0, unit };
    return {
      utterances: sums.utterances - (less?.utterances ?? 0),
      speakers: present.filter((place) => this.#speakers.isSpeaker(this.units[place]!)).length,
      ...(words !== undefined && { words: sums.total(this.#counts.indexOf(words), less) }),
    };
  }

  #sumsAt(series: number, path: readonly string[]): Sums {
    return this.#members.sumsAt(path, series) ?? new Sums(this.#counts.length);
  }

  #totals(sums: Sums): Readonly<Record<Counts, number>> {
    return record(this.#counts, (name) => sums.total(this.#counts.indexOf(name)));
  }

  #interval(counts: ClusteredCounts) {
    const { level, resamples, minimumSpeakers, seed } = this.#design.settings;
    const random = randomOfData(seed);
    return rateInterval(counts, { level, resamples, minimumClusters: minimumSpeakers, random });
  }

  /** Reasons of an interval in the words of the cube: what its units are, and why nothing can be divided. */
  #inWords<Told extends { readonly reason?: string }>(told: Told, counts: ClusteredCounts, ratio: Ratio<Counts>): Told {
    if (told.reason === undefined && ratio.empty === undefined) return told;
    const empty = ratio.empty !== undefined && counts.denominators.every((count) => count === 0);
    const reason = empty ? ratio.empty : told.reason;
    if (reason === undefined) return told;
    return {
      ...told,
      reason: this.#design.unit === 'speaker' ? reason : reason.replace('clusters (speakers)', 'recordings'),
    };
  }
}

function record<Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>;
}

function largest(one: SampleSize, other: SampleSize): SampleSize {
  return {
    ...one,
    utterances: Math.max(one.utterances, other.utterances),
    speakers: Math.max(one.speakers, other.speakers),
    ...(one.words !== undefined && other.words !== undefined && { words: Math.max(one.words, other.words) }),
  };
}
