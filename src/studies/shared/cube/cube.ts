import type { Chart, Estimate, SampleSize, Table } from '../../../model/finding.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { ClusteredCounts } from '../../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../../statistics/bootstrap/rate-interval.ts';
import type { Answer } from '../../contract.ts';
import { maxGroupValues } from '../attributes.ts';
import { compareAll } from '../comparisons.ts';
import { toEstimate } from '../estimates.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../failures.ts';
import { createSpeakerClusters } from '../speaker-clusters.ts';
import { judgeTests, testTogether } from '../test-groups.ts';
import type { Cube, CubeDesign, Gap, Heard, Pair, Ratio, Row } from './contract.ts';
import { Sums } from './sums.ts';
import { chartOfSlice, tableOfSlice } from './tables.ts';

/**
 * A cube that is empty. Its memory follows series, cells and at most 2,000 units, and never the number of trials.
 *
 * @example
 * const cube = openCube<{ errors: number; words: number }>()({
 *   series: ['a', 'b'], conditions: ['clean'], unit: 'speaker', settings,
 *   counts: { errors: { label: 'Errors', of: ({ errors }) => errors }, words: { label: 'Words', of: ({ words }) => words } },
 *   ratios: { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'] } },
 *   slices: { all: whole, group: groupsOf(['sex']) },
 * });
 * await cube.fill(answers, score);
 * cube.table('group', 'mine-groups', 'WER by group');
 */
export function openCube<Fact>() {
  return <Counts extends string, Ratios extends string, Slices extends string>(
    design: CubeDesign<Fact, Counts, Ratios, Slices>,
  ): Cube<Fact, Counts, Ratios, Slices> => new FilledCube(design);
}

interface CellOf {
  readonly path: readonly string[];
  /** By series; absent where nothing was added. */
  readonly sums: (Sums | undefined)[];
}

class FilledCube<Fact, Counts extends string, Ratios extends string, Slices extends string>
  implements Cube<Fact, Counts, Ratios, Slices>
{
  readonly #design: CubeDesign<Fact, Counts, Ratios, Slices>;
  readonly #counts: readonly Counts[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #cells: ReadonlyMap<Slices, Map<string, CellOf>>;
  /** Of what was added so far: intervals take long. */
  readonly #rows = new Map<Slices, readonly Row<Counts, Ratios>[]>();
  readonly #values = new Map<string, Set<string>>();
  readonly #failures: FailureCounts;
  readonly #speakers = createSpeakerClusters();
  readonly #all: readonly Sums[];
  /** By series x series: what the first answered and the second did not. */
  readonly #alone = new Map<number, Sums>();
  /** Of the sound in hand: the values of each series, null where it has none. */
  #here: (Float64Array | null)[];
  #utterance: Utterance | null = null;
  #utterances = 0;
  #sound = '';

  constructor(design: CubeDesign<Fact, Counts, Ratios, Slices>) {
    const { series, conditions, counts, slices } = design;
    this.#design = design;
    this.#counts = Object.keys(counts) as Counts[];
    this.#numbers = new Map(series.map((name, number) => [name, number]));
    this.#cells = new Map((Object.keys(slices) as Slices[]).map((slice) => [slice, new Map()]));
    this.#failures = new FailureCounts(series.length * conditions.length);
    this.#all = series.map(() => new Sums(this.#counts.length));
    this.#here = series.map(() => null);
  }

  async fill(answers: AsyncIterable<Answer>, factOf: (heard: Heard) => Fact | null): Promise<void> {
    this.#rows.clear();
    const places = new Map(this.#design.conditions.map((name, place) => [name, place]));
    for await (const answer of answers) {
      if (answer.ask !== 'recognition') continue;
      const { trial, observation } = answer;
      const { utterance, condition, draw, repeat } = trial;
      const sound = JSON.stringify([utterance.id, condition.name, draw, repeat]);
      if (sound !== this.#sound) this.#enter(utterance, sound);
      const series = this.#numbers.get(trial.recognizer)!;
      const place = series * places.size + places.get(condition.name)!;
      if (observation.failure) {
        this.#failures.addFailure(place, observation.failure.kind);
        continue;
      }
      this.#failures.addAnswer(place);
      const fact = factOf({ trial, observation });
      if (fact !== null) this.#add(series, utterance, fact);
    }
    this.#leave();
  }

  #enter(utterance: Utterance, sound: string): void {
    this.#leave();
    this.#sound = sound;
    if (utterance.id !== this.#utterance?.id) this.#utterances++;
    this.#utterance = utterance;
  }

  get #unit(): number {
    const { id, speaker } = this.#utterance!;
    const own = this.#design.unit === 'speaker' && speaker !== undefined ? { speaker } : {};
    return this.#speakers.clusterOf({ id, language: '', attributes: {}, tags: [], ...own });
  }

  #add(series: number, utterance: Utterance, fact: Fact): void {
    const { counts, slices } = this.#design;
    const values = Float64Array.from(this.#counts, (name) => counts[name].of(fact));
    const unit = this.#unit;
    this.#here[series] = values;
    this.#all[series]!.add(unit, values, this.#utterances);
    for (const [slice, cells] of this.#cells) {
      for (const path of slices[slice].of(fact, utterance)) {
        if (slices[slice].attributes && !this.#isLookedAt(path)) continue;
        const key = JSON.stringify(path);
        const cell = cells.get(key) ?? { path, sums: this.#design.series.map(() => undefined) };
        cells.set(key, cell);
        const sums = cell.sums[series] ?? new Sums(this.#counts.length);
        cell.sums[series] = sums;
        sums.add(unit, values, this.#utterances);
      }
    }
  }

  #isLookedAt([attribute, value]: readonly string[]): boolean {
    const known = this.#values.get(attribute!) ?? new Set();
    this.#values.set(attribute!, known);
    if (known.size <= maxGroupValues.asked) known.add(value!);
    return known.size <= maxGroupValues.asked;
  }

  /** Everybody was asked about the sound in hand: what one answered and another did not is kept apart. */
  #leave(): void {
    if (this.#here.includes(null)) {
      for (const [one, values] of this.#here.entries()) {
        if (values === null) continue;
        for (const [other, theirs] of this.#here.entries()) {
          if (theirs !== null) continue;
          const place = one * this.#here.length + other;
          const sums = this.#alone.get(place) ?? new Sums(this.#counts.length);
          this.#alone.set(place, sums);
          sums.add(this.#unit, values, this.#utterances);
        }
      }
    }
    this.#here.fill(null);
  }

  get manyValued(): readonly string[] {
    return [...this.#values].flatMap(([name, { size }]) => (size > maxGroupValues.asked ? [name] : [])).sort();
  }

  get units(): { readonly count: number; readonly merged: boolean } {
    return this.#speakers;
  }

  get trials(): readonly TrialRow[] {
    const named = (names: readonly string[]) => names.map((name) => ({ name }));
    const { series, conditions } = this.#design;
    return namedTrials({
      tally: { trials: this.#failures },
      design: { recognizers: named(series), conditions: named(conditions) },
    });
  }

  rows(slice: Slices): readonly Row<Counts, Ratios>[] {
    let rows = this.#rows.get(slice);
    if (rows === undefined) {
      rows = this.#cellsOf(slice).flatMap(({ path, sums }) =>
        sums.flatMap((own, series) => (own === undefined ? [] : [this.#row(this.#design.series[series]!, path, own)])),
      );
      this.#rows.set(slice, rows);
    }
    return rows;
  }

  #cellsOf(slice: Slices): readonly CellOf[] {
    const { order, attributes } = this.#design.slices[slice];
    const left = new Set(attributes ? this.manyValued : []);
    const cells = [...this.#cells.get(slice)!.values()].filter(({ path: [attribute] }) => !left.has(attribute!));
    if (order === undefined) return cells;
    if (order === 'sorted') return cells.sort((a, b) => byCodeUnits(a.path, b.path));
    const places = new Map(order.map((name, place) => [name, place]));
    return cells.sort((a, b) => places.get(a.path[0]!)! - places.get(b.path[0]!)!);
  }

  #row(series: string, path: readonly string[], sums: Sums): Row<Counts, Ratios> {
    const { ratios } = this.#design;
    return {
      series,
      path,
      counts: record(this.#counts, (name) => sums.total(this.#counts.indexOf(name))),
      ratios: record(Object.keys(ratios) as Ratios[], (name) => this.#estimate(sums, ratios[name])),
    };
  }

  #estimate(sums: Sums, ratio: Ratio<Counts>): Estimate {
    const { level, resamples, minimumSpeakers, seed } = this.#design.settings;
    const counts = this.#clustered(sums, ratio);
    const random = randomOfData(seed);
    const interval = rateInterval(counts, { level, resamples, minimumClusters: minimumSpeakers, random });
    return toEstimate(this.#inWords(interval, counts, ratio), this.#size(sums));
  }

  /** Reasons of an interval in the words of this cube: what its units are, and why nothing can be divided. */
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

  #clustered(sums: Sums, { over: [numerator, denominator], proportion }: Ratio<Counts>, less?: Sums): ClusteredCounts {
    const column = (name: Counts) => sums.column(this.#counts.indexOf(name), this.#speakers.count, less);
    return { numerators: column(numerator), denominators: column(denominator), ...(proportion && { proportion }) };
  }

  #size(sums: Sums, less?: Sums): SampleSize {
    const { unit, words } = this.#design;
    const units = sums.units(less);
    if (unit === 'recording') return { utterances: units.length, speakers: 0, unit };
    return {
      utterances: sums.utterances - (less?.utterances ?? 0),
      speakers: units.filter((one) => this.#speakers.isSpeaker(one)).length,
      ...(words !== undefined && { words: sums.total(this.#counts.indexOf(words), less) }),
    };
  }

  pairs(ratio: Ratios): readonly Pair[] {
    const { series, settings, ratios } = this.#design;
    const pairs = series.flatMap((_, first) =>
      series.slice(first + 1).map((_, place) => ({ first, second: first + 1 + place })),
    );
    const sideOf = (one: number, other: number) =>
      [this.#all[one]!, this.#alone.get(one * series.length + other)] as const;
    const found = compareAll(
      pairs,
      ({ first, second }) => {
        const [[one, oneAlone], [other, otherAlone]] = [sideOf(first, second), sideOf(second, first)];
        return {
          first: this.#clustered(one, ratios[ratio], oneAlone),
          second: this.#clustered(other, ratios[ratio], otherAlone),
          n: { ...this.#size(one, oneAlone), pairs: one.facts - (oneAlone?.facts ?? 0) },
        };
      },
      settings,
    );
    return pairs.map(({ first, second }, place) => ({
      first: series[first]!,
      second: series[second]!,
      comparison: found[place]!,
    }));
  }

  gaps(ratio: Ratios, slice: Slices): readonly Gap[] {
    const { series, settings, ratios } = this.#design;
    const byAttribute = Map.groupBy(this.#cellsOf(slice), ({ path: [attribute] }) => attribute!);
    const tested = [...byAttribute].flatMap(([attribute, cells]) => {
      const measures = series.map((_, number) =>
        cells.map(({ sums }) => {
          const own = sums[number];
          if (own === undefined) return null;
          const [clusters, counts] = [own.units(), this.#clustered(own, ratios[ratio])];
          const at = (values: Float64Array) => Float64Array.from(clusters, (unit) => values[unit]!);
          return {
            clusters,
            counts: { ...counts, numerators: at(counts.numerators), denominators: at(counts.denominators) },
            n: this.#size(own),
          };
        }),
      );
      const what = ['gaps', attribute];
      return testTogether(measures, { ...settings, study: 'cube', what }).flatMap((tests, number) =>
        tests.map((one) => ({
          series: series[number]!,
          attribute,
          first: cells[one.first]!.path[1]!,
          second: cells[one.second]!.path[1]!,
          test: one,
        })),
      );
    });
    const judged = judgeTests(tested.map(({ test }) => test));
    return tested.map(({ test: _, ...gap }, place) => ({ ...gap, comparison: judged[place]! }));
  }

  table(slice: Slices, id: string, title: string): Table {
    return tableOfSlice(this.#design, slice, this.rows(slice), { id, title });
  }

  chart(slice: Slices, ratio: Ratios, title: string): Chart {
    return chartOfSlice(this.#design, slice, this.rows(slice), { ratio, title });
  }
}

function record<Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>;
}

function byCodeUnits(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [one.join('\0'), other.join('\0')];
  return a < b ? -1 : a > b ? 1 : 0;
}
