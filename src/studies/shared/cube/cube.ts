import type { Chart, Table } from '../../../model/finding.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Answer } from '../../contract.ts';
import { compareAll } from '../comparisons.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../failures.ts';
import { createSpeakerClusters } from '../speaker-clusters.ts';
import { judgeTests, testTogether } from '../test-groups.ts';
import type { Cube, CubeDesign, Gap, Heard, MetGroups, Pair, Part, Row } from './contract.ts';
import { type Cell, Groups, Members } from './groups.ts';
import { MembersPart } from './part.ts';
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

/** Where what belongs to a slice is added: to everybody, or to groups. */
interface Division {
  readonly into: Members | Groups;
  /** Those of the utterance in hand, with its place among each. */
  here: readonly { readonly members: Members; readonly place: number }[];
}

class FilledCube<Fact, Counts extends string, Ratios extends string, Slices extends string>
  implements Cube<Fact, Counts, Ratios, Slices>
{
  readonly #design: CubeDesign<Fact, Counts, Ratios, Slices>;
  readonly #counts: readonly Counts[];
  readonly #divisions: ReadonlyMap<Slices, Division>;
  /** Of what was added so far: intervals take long. */
  readonly #rows = new Map<Slices, readonly Row<Counts, Ratios>[]>();
  readonly #failures: FailureCounts;
  readonly #speakers = createSpeakerClusters();
  readonly #everybody = new Members(null);
  readonly #all: readonly Sums[];
  /** By series x series: what the first answered and the second did not. */
  readonly #alone = new Map<number, Sums>();
  #utterance = '';
  #unit = 0;
  #utterances = 0;

  constructor(design: CubeDesign<Fact, Counts, Ratios, Slices>) {
    const { series, conditions, counts, slices } = design;
    this.#design = design;
    this.#counts = Object.keys(counts) as Counts[];
    this.#divisions = new Map(
      (Object.keys(slices) as Slices[]).map((slice) => {
        const { groupBy } = slices[slice];
        return [slice, { into: groupBy === undefined ? new Members(null) : new Groups(groupBy), here: [] }];
      }),
    );
    this.#failures = new FailureCounts(series.length * conditions.length);
    this.#all = series.map(() => new Sums(this.#counts.length));
  }

  async fill(answers: AsyncIterable<Answer>, factOf: (heard: Heard) => Fact | null): Promise<void> {
    const { series, conditions } = this.#design;
    const numbers = new Map(series.map((name, number) => [name, number]));
    const places = new Map(conditions.map((name, place) => [name, place]));
    for await (const sound of soundsOf(answers)) {
      const facts: (Fact | null)[] = series.map(() => null);
      for (const { trial, observation } of sound) {
        const number = numbers.get(trial.recognizer)!;
        const place = number * places.size + places.get(trial.condition.name)!;
        if (observation.failure) this.#failures.addFailure(place, observation.failure.kind);
        else {
          this.#failures.addAnswer(place);
          facts[number] = factOf({ trial, observation });
        }
      }
      if (facts.some((fact) => fact !== null)) this.add(sound[0].trial.utterance, facts);
    }
  }

  add(utterance: Utterance, facts: readonly (Fact | null)[]): void {
    const { counts, slices } = this.#design;
    this.#rows.clear();
    if (this.#utterances === 0 || utterance.id !== this.#utterance) this.#enter(utterance);
    const values = facts.map((fact) =>
      fact === null ? null : Float64Array.from(this.#counts, (name) => counts[name].of(fact)),
    );
    for (const [series, fact] of facts.entries()) {
      const own = values[series];
      if (fact === null || own == null) continue;
      this.#all[series]!.add(this.#unit, own, this.#utterances);
      for (const [slice, { here }] of this.#divisions) {
        if (here.length === 0) continue;
        for (const path of slices[slice].of(fact, utterance)) {
          for (const { members, place } of here) {
            const { sums } = members.cellAt(path, facts.length);
            sums[series] ??= new Sums(this.#counts.length);
            sums[series].add(place, own, this.#utterances);
          }
        }
      }
    }
    if (this.#design.paired !== false && values.includes(null)) this.#keepApart(values);
  }

  #enter(utterance: Utterance): void {
    const { id, speaker } = utterance;
    const own = this.#design.unit === 'speaker' && speaker !== undefined ? { speaker } : {};
    this.#utterance = id;
    this.#utterances++;
    this.#unit = this.#speakers.clusterOf({ id, language: '', attributes: {}, tags: [], ...own });
    this.#everybody.placeOf(this.#unit);
    for (const division of this.#divisions.values()) {
      const entered = division.into instanceof Groups ? division.into.enter(utterance, this.#unit) : [division.into];
      division.here = entered.map((members) => ({ members, place: members.placeOf(this.#unit) }));
    }
  }

  /** Of a sound what one answered and another did not is kept apart. */
  #keepApart(values: readonly (Float64Array | null)[]): void {
    for (const [one, own] of values.entries()) {
      if (own === null) continue;
      for (const [other, theirs] of values.entries()) {
        if (theirs !== null) continue;
        const place = one * values.length + other;
        const sums = this.#alone.get(place) ?? new Sums(this.#counts.length);
        this.#alone.set(place, sums);
        sums.add(this.#unit, own, this.#utterances);
      }
    }
  }

  get manyValued(): readonly string[] {
    const many = [...this.#divisions.values()].flatMap(({ into }) =>
      into instanceof Groups ? [...into.manyValued] : [],
    );
    return [...new Set(many)].sort();
  }

  get units(): Cube<Fact, Counts, Ratios, Slices>['units'] {
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
      const { series } = this.#design;
      rows = this.#membersOf(slice, 1).flatMap((members) => {
        const part = this.#partOf(members);
        return this.#cellsOf(members, slice).flatMap(({ path, sums }) =>
          sums.flatMap((own, number) => (own === undefined ? [] : [part.row(series[number]!, path, own)])),
        );
      });
      this.#rows.set(slice, rows);
    }
    return rows;
  }

  #membersOf(slice: Slices, leastValues?: number): readonly Members[] {
    const { into } = this.#divisions.get(slice)!;
    return into instanceof Groups ? into.groups(leastValues) : [into];
  }

  #cellsOf({ cells }: Members, slice: Slices): readonly Cell[] {
    const { order } = this.#design.slices[slice];
    if (order === undefined) return [...cells.values()];
    const places = new Map(order.map((name, place) => [name, place]));
    return [...cells.values()].sort((a, b) => places.get(a.path[0]!)! - places.get(b.path[0]!)!);
  }

  parts(slice: Slices): readonly Part<Counts, Ratios>[] {
    return this.#membersOf(slice).map((members) => this.#partOf(members));
  }

  groupsIn(slice: Slices): MetGroups<Part<Counts, Ratios>> {
    const { into } = this.#divisions.get(slice)!;
    const groups = into instanceof Groups ? into : new Groups([]);
    const { manyValued, attributesLeftOut } = groups;
    return {
      clusters: this.#speakers,
      manyValued,
      attributesLeftOut,
      groups: () => this.parts(slice),
      missing: () => groups.missing(),
    };
  }

  #partOf(members: Members): MembersPart<Counts, Ratios> {
    return new MembersPart(this.#design, members, this.#speakers);
  }

  pairs(ratio: Ratios): readonly Pair[] {
    const { series, settings, ratios } = this.#design;
    const pairs = series.flatMap((_, first) =>
      series.slice(first + 1).map((_, place) => ({ first, second: first + 1 + place })),
    );
    const everybody = this.#partOf(this.#everybody);
    const found = compareAll(
      pairs,
      ({ first, second }) => {
        const alone = (one: number, other: number) => this.#alone.get(one * series.length + other);
        const [one, other] = [this.#all[first]!, this.#all[second]!];
        return {
          first: everybody.clustered(one, ratios[ratio], alone(first, second)),
          second: everybody.clustered(other, ratios[ratio], alone(second, first)),
          n: {
            ...everybody.size(one, alone(first, second)),
            pairs: one.facts - (alone(first, second)?.facts ?? 0),
          },
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
    const { series, settings } = this.#design;
    const answered = this.#membersOf(slice).filter(({ cells }) => cells.size > 0);
    const byAttribute = Map.groupBy(answered, ({ group }) => group?.attribute);
    const tested = [...byAttribute].flatMap(([attribute, groups]) => {
      if (attribute === undefined) throw new TypeError(`expected a slice by groups, but got ${slice}`);
      const measures = series.map((_, number) => groups.map((members) => this.#partOf(members).present(number, ratio)));
      const what = ['gaps', attribute];
      return testTogether(measures, { ...settings, study: 'cube', what }).flatMap((tests, number) =>
        tests.map((one) => ({
          series: series[number]!,
          attribute,
          first: groups[one.first]!.group!.value,
          second: groups[one.second]!.group!.value,
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

/** A trial and what came of it. */
type Recognized = Extract<Answer, { readonly ask: 'recognition' }>;

/** Trials of one sound, one after another in what is asked, together; each list has at least one. */
async function* soundsOf(answers: AsyncIterable<Answer>): AsyncGenerator<readonly [Recognized, ...Recognized[]]> {
  let sound: [Recognized, ...Recognized[]] | null = null;
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    if (sound !== null && isSame(sound[0], answer)) sound.push(answer);
    else {
      if (sound !== null) yield sound;
      sound = [answer];
    }
  }
  if (sound !== null) yield sound;
}

function isSame({ trial: one }: Recognized, { trial: other }: Recognized): boolean {
  return (
    one.utterance.id === other.utterance.id &&
    one.condition.name === other.condition.name &&
    one.draw === other.draw &&
    one.repeat === other.repeat
  );
}
