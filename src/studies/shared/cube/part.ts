import type { Estimate, SampleSize } from '../../../model/finding.ts';
import type { ClusteredCounts } from '../../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import { combineRates, rateInterval } from '../../../statistics/bootstrap/rate-interval.ts';
import { type Decisive, decisiveOf } from '../decisive.ts';
import { toEstimate } from '../estimates.ts';
import type { GroupSide } from '../group-pairs.ts';
import { type ShareWatch, withoutLoops } from '../share-watch.ts';
import type { SpeakerClusters } from '../speaker-clusters.ts';
import type { CubeDesign, Part, Place, Ratio, Row } from './contract.ts';
import type { Cell, Members } from './groups.ts';
import { SumsTogether } from './sums.ts';

/** What was added of some members, with sizes and intervals in the words of a cube. */
export class MembersPart<Counts extends string, Ratios extends string> implements Part<Counts, Ratios> {
  readonly #design: Pick<CubeDesign<never, Counts, Ratios, never>, 'series' | 'ratios' | 'unit' | 'words' | 'settings'>;
  readonly #counts: readonly Counts[];
  readonly #members: Members;
  readonly #speakers: Pick<SpeakerClusters, 'isSpeaker' | 'speakerOf'>;
  /** Sums that were asked for, by series: contrasts ask for them again and again. */
  readonly #known = new Map<Cell, Readonly<Record<Counts, number>>[]>();

  constructor(
    design: CubeDesign<never, Counts, Ratios, never>,
    members: Members,
    speakers: Pick<SpeakerClusters, 'isSpeaker' | 'speakerOf'>,
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
    const cell = this.#members.cellOf(path);
    const known = cell && this.#known.get(cell)?.[series];
    if (known !== undefined) return known;
    const sums = this.#sumsAt(series, path);
    const entries = this.#counts.map((name, field) => [name, sums.total(field)]);
    const counts: Readonly<Record<Counts, number>> = Object.fromEntries(entries);
    if (cell !== undefined) {
      const ofCell = this.#known.get(cell) ?? [];
      ofCell[series] = counts;
      this.#known.set(cell, ofCell);
    }
    return counts;
  }

  side({ series, path, ratio, also }: Place<Ratios>): GroupSide {
    const sums = this.#sumsAt(series, path, also);
    const { [ratio]: asked } = this.#design.ratios;
    const n = this.size(sums, asked);
    return {
      counts: this.clustered(sums, asked),
      clusters: this.units,
      n: also === undefined ? n : { ...n, pairs: sums.facts },
    };
  }

  withoutLoops({ series, path, ratio }: Omit<Place<Ratios>, 'also'>): ClusteredCounts {
    const names = Object.keys(this.#design.ratios);
    const watch = this.#members.cellOf(path)?.watched.known(series * names.length + names.indexOf(ratio));
    return withoutLoops({ counts: this.side({ series, path, ratio }).counts, units: this.#places(), watch });
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

  difference(first: GroupSide, second: GroupSide): Estimate {
    return toEstimate(differenceInterval(first.counts, second.counts, this.#resampling), second.n);
  }

  /** Of the units alone of which anything was added to the cell without a name; null: of none. */
  present(series: number, ratio: Ratios): GroupSide | null {
    const sums = this.#sumsAt(series, []);
    const { [ratio]: asked } = this.#design.ratios;
    const [places, counts] = [sums.units(), this.clustered(sums, asked)];
    if (places.length === 0) return null;
    const at = (values: Float64Array) => Float64Array.from(places, (place) => values[place]!);
    return {
      clusters: places.map((place) => this.units[place]!),
      counts: { ...counts, numerators: at(counts.numerators), denominators: at(counts.denominators) },
      n: this.size(sums, asked),
    };
  }

  /** Who decides a ratio of a cell; null: nobody. @param row of the cell */
  decisive(
    sums: SumsTogether,
    ratio: Ratios,
    watch: ShareWatch | undefined,
    row: Pick<Row<Counts, Ratios>, 'ratios'>,
  ): Decisive | null {
    const counts = this.clustered(sums, this.#design.ratios[ratio]);
    const units = this.#places();
    const speakerOf = (place: number) => this.#speakers.speakerOf(this.units[place]!);
    const isPace = this.#design.ratios[ratio].kind === 'number';
    return decisiveOf({ counts, units, watch, isPace }, () => row.ratios[ratio], this.#resampling, speakerOf);
  }

  /** As what watches a cell numbers its units. */
  #places(): number[] {
    return Array.from(this.units, (_, place) => place);
  }

  /** @param path of the cell, without the names of the group */
  row(series: string, path: readonly string[], sums: SumsTogether): Row<Counts, Ratios> {
    const { ratios } = this.#design;
    return {
      series,
      path: this.group === null ? path : [this.group.attribute, this.group.value, ...path],
      counts: this.#totals(sums),
      ratios: record(Object.keys(ratios) as Ratios[], (name) => {
        const counts = this.clustered(sums, ratios[name]);
        const { empty, complement } = ratios[name];
        const none = empty !== undefined && counts.denominators.every((count) => count === 0);
        const interval = { ...this.#interval(counts), ...(none && { reason: empty }) };
        const estimate = toEstimate(interval, this.size(sums, ratios[name]));
        return complement ? complementOf(estimate) : estimate;
      }),
    };
  }

  clustered(sums: SumsTogether, { over: [numerator, denominator], proportion }: Ratio<Counts>): ClusteredCounts {
    const column = (name: Counts) => sums.column(this.#counts.indexOf(name), this.units.length);
    return { numerators: column(numerator), denominators: column(denominator), ...(proportion && { proportion }) };
  }

  size(sums: SumsTogether, { counted, over: [, denominator] }: Ratio<Counts>): SampleSize {
    const { unit, words } = this.#design;
    const field = this.#counts.indexOf(denominator);
    const told = counted && { [counted]: sums.total(field) };
    if (unit === 'recording') return { utterances: sums.units(counted && field).length, speakers: 0, unit, ...told };
    return {
      ...this.sizes(sums, counted && field),
      ...(words !== undefined && { words: sums.total(this.#counts.indexOf(words)) }),
      ...told,
    };
  }

  /** @param field of which units have more than 0, if given */
  sizes(sums: SumsTogether, field?: number): { readonly utterances: number; readonly speakers: number } {
    const places = sums.units(field);
    const speakers = places.filter((place) => this.#speakers.isSpeaker(this.units[place]!)).length;
    return { utterances: sums.utterances(places), speakers };
  }

  /** Sums at the numbers of units of the cube. */
  byUnit(sums: SumsTogether, units: number): Record<Counts, Float64Array> {
    return record(this.#counts, (name) => {
      const all = new Float64Array(units);
      sums.column(this.#counts.indexOf(name), this.units.length).forEach((value, place) => {
        all[this.units[place]!] = value;
      });
      return all;
    });
  }

  #sumsAt(series: number, path: readonly string[], also?: number): SumsTogether {
    const cell = this.#members.cellOf(path);
    const sums = cell?.sums[series];
    const less = also === undefined ? undefined : cell?.alone.get(series * this.#design.series.length + also);
    return new SumsTogether(sums === undefined ? [] : [{ sums, less }]);
  }

  #totals(sums: SumsTogether): Readonly<Record<Counts, number>> {
    return record(this.#counts, (name) => sums.total(this.#counts.indexOf(name)));
  }

  #interval(counts: ClusteredCounts) {
    return rateInterval(counts, this.#resampling);
  }

  get #resampling() {
    const { level, resamples, minimumSpeakers, seed } = this.#design.settings;
    return { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  }
}

/** Values that are worked out when they are looked at, once: intervals take long. */
function record<Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value): Record<Key, Value> {
  const values = {};
  for (const key of keys) {
    const known = (value: Value) => Object.defineProperty(values, key, { value, enumerable: true });
    const get = () => {
      const value = of(key);
      known(value);
      return value;
    };
    Object.defineProperty(values, key, { configurable: true, enumerable: true, get });
  }
  return values as Record<Key, Value>;
}

/** 1 - x and not -x + 1, so that nothing becomes -0. */
function complementOf(estimate: Estimate): Estimate {
  const of = (value: number | null) => (value === null ? null : 1 - value);
  return { ...estimate, value: of(estimate.value), low: of(estimate.high), high: of(estimate.low) };
}

function largest(one: SampleSize, other: SampleSize): SampleSize {
  return {
    ...one,
    utterances: Math.max(one.utterances, other.utterances),
    speakers: Math.max(one.speakers, other.speakers),
    ...(one.words !== undefined && other.words !== undefined && { words: Math.max(one.words, other.words) }),
  };
}
