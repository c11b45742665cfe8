import type { Chart, Comparison, Table } from '../../../model/finding.ts';
import type { Trial } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Answer } from '../../contract.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../failures.ts';
import type { WatchedRates } from '../share-watch.ts';
import { createSpeakerClusters, type SpeakerClusters } from '../speaker-clusters.ts';
import { judgeTests, testTogether } from '../test-groups.ts';
import {
  type CellSet,
  type Cube,
  type CubeDesign,
  type DecidedCell,
  type Gap,
  type Gathered,
  type Heard,
  type MetGroups,
  type Pair,
  type Part,
  type Row,
  type SetRow,
  whole,
} from './contract.ts';
import { type Cell, Groups, Members } from './groups.ts';
import { MembersPart } from './part.ts';
import { SetsOfCells } from './sets.ts';
import { soundsOf } from './sounds.ts';
import { Sums, SumsTogether } from './sums.ts';
import { chartOfSlice, columnsOf, tableOfSlice } from './tables.ts';

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

/** A cell that a fact belongs to, and the place of its unit there. */
interface CellHere {
  readonly cell: Cell;
  readonly place: number;
  readonly paired: boolean;
}

/** What a series adds. */
interface Added {
  readonly values: Float64Array;
  readonly cells: readonly CellHere[];
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
  readonly #ratios: readonly Ratios[];
  /** Ratios that are watched, and the places of their counts. */
  readonly #watched: readonly { readonly number: number; readonly over: readonly number[] }[];
  readonly #divisions: ReadonlyMap<Slices, Division>;
  /** Of what was added so far: intervals take long. */
  readonly #rows = new Map<Slices, readonly Row<Counts, Ratios>[]>();
  readonly #parts = new Map<Members, MembersPart<Counts, Ratios>>();
  readonly #failures: FailureCounts;
  readonly #speakers: SpeakerClusters;
  readonly #everybody = new Members(null);
  readonly #all: Cell;
  /** Of the utterance in hand: what one answered and another did not, and all that the first answered. */
  readonly #aloneHere = new Map<Sums, { readonly all: Sums; readonly place: number }>();
  #utterance = '';
  #unit = 0;
  #utterances = 0;

  constructor(design: CubeDesign<Fact, Counts, Ratios, Slices>) {
    const { series, conditions, counts, ratios, slices, unit } = design;
    this.#design = design;
    this.#speakers = typeof unit === 'string' ? createSpeakerClusters() : unit;
    this.#counts = Object.keys(counts) as Counts[];
    this.#ratios = Object.keys(ratios) as Ratios[];
    this.#watched = this.#ratios.flatMap((name, number) =>
      ratios[name].watched ? [{ number, over: ratios[name].over.map((count) => this.#counts.indexOf(count)) }] : [],
    );
    this.#divisions = new Map(
      (Object.keys(slices) as Slices[]).map((slice) => {
        const { groupBy } = slices[slice];
        return [slice, { into: groupBy === undefined ? new Members(null) : new Groups(groupBy), here: [] }];
      }),
    );
    this.#failures = new FailureCounts(series.length * conditions.length);
    this.#all = this.#everybody.cellAt([], series.length);
  }

  async fill(
    answers: AsyncIterable<Answer>,
    factOf: (heard: Heard) => Fact | null,
    meet: (trial: Trial) => void = () => {},
  ): Promise<void> {
    const { series, conditions } = this.#design;
    const numbers = new Map(series.map((name, number) => [name, number]));
    const places = new Map(conditions.map((name, place) => [name, place]));
    for await (const sound of soundsOf(answers)) {
      const facts: (Fact | null)[] = series.map(() => null);
      for (const { trial, observation } of sound) {
        meet(trial);
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

  add(utterance: Utterance, facts: readonly (Fact | null)[], beside?: 'beside'): void {
    const { counts } = this.#design;
    this.#rows.clear();
    this.#parts.clear();
    if (this.#utterances === 0 || utterance.id !== this.#utterance) this.#enter(utterance);
    const here = facts.map((fact) => {
      if (fact === null) return null;
      const values = Float64Array.from(this.#counts, (name) => counts[name].of(fact));
      return { values, cells: this.#cellsFor(fact, utterance) };
    });
    for (const [series, own] of here.entries()) {
      for (const { cell, place } of own?.cells ?? []) {
        cell.sums[series] ??= new Sums(this.#counts.length);
        cell.sums[series].add(place, own!.values, beside === undefined ? this.#utterances : null);
        if (cell !== this.#all) this.#watch(cell.watched, series, place, facts[series]!, own!.values);
      }
    }
    if (beside === undefined && here.includes(null)) this.#keepApart(here);
  }

  #watch(watched: WatchedRates, series: number, unit: number, fact: Fact & {}, values: Float64Array): void {
    const { heard } = this.#design;
    for (const { number, over } of this.#watched) {
      const [errors, words] = over.map((count) => values[count]!) as [number, number];
      const utterance = { id: this.#utterance, unit };
      watched.of(series * this.#ratios.length + number).add(utterance, errors, words, heard && (() => heard(fact)));
    }
  }

  #cellsFor(fact: Fact, utterance: Utterance): readonly CellHere[] {
    const { series, slices, paired } = this.#design;
    const all = { cell: this.#all, place: this.#unit, paired: paired !== false };
    const others = [...this.#divisions].flatMap(([slice, { here }]) =>
      (here.length === 0 ? [] : slices[slice].of(fact, utterance)).flatMap((path) =>
        here.map(({ members, place }) => ({
          cell: members.cellAt(path, series.length),
          place,
          paired: slices[slice].paired === true,
        })),
      ),
    );
    return [all, ...others];
  }

  #enter(utterance: Utterance): void {
    this.#leave();
    const { id } = utterance;
    this.#utterance = id;
    this.#utterances++;
    const isAlone = this.#design.unit === 'recording';
    this.#unit = this.#speakers.clusterOf(isAlone ? { id, language: '', attributes: {}, tags: [] } : utterance);
    this.#everybody.placeOf(this.#unit);
    for (const division of this.#divisions.values()) {
      const entered = division.into instanceof Groups ? division.into.enter(utterance, this.#unit) : [division.into];
      division.here = entered.map((members) => ({ members, place: members.placeOf(this.#unit) }));
    }
  }

  /** Of a sound what one answered and another did not is kept apart. */
  #keepApart(here: readonly (Added | null)[]): void {
    const silent = here.flatMap((own, series) => (own === null ? [series] : []));
    for (const [one, own] of here.entries()) {
      for (const { cell, place, paired } of own?.cells ?? []) {
        for (const other of paired ? silent : []) {
          const number = one * here.length + other;
          const alone = cell.alone.get(number) ?? new Sums(this.#counts.length);
          cell.alone.set(number, alone);
          alone.add(place, own!.values, this.#utterances);
          this.#aloneHere.set(alone, { all: cell.sums[one]!, place });
        }
      }
    }
  }

  /** An utterance of which another answered something is not alone, though some of its sounds are. */
  #leave(): void {
    for (const [alone, { all, place }] of this.#aloneHere) {
      if (alone.lately < all.lately) alone.uncountLast(place);
    }
    this.#aloneHere.clear();
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
          sums.flatMap((own, number) =>
            own === undefined ? [] : [part.row(series[number]!, path, new SumsTogether([{ sums: own }]))],
          ),
        );
      });
      this.#rows.set(slice, rows);
    }
    return rows;
  }

  decisive(slice: Slices, ratio: Ratios): readonly DecidedCell[] {
    const number = this.#ratios.indexOf(ratio);
    const rows = this.rows(slice).values();
    return this.#membersOf(slice, 1).flatMap((members) =>
      this.#cellsOf(members, slice).flatMap(({ sums, watched }) =>
        sums.flatMap((own, series): DecidedCell[] => {
          if (own === undefined) return [];
          const row = rows.next().value!;
          const watch = watched.known(series * this.#ratios.length + number);
          const decisive = this.#partOf(members).decisive(new SumsTogether([{ sums: own }]), ratio, watch, row);
          return decisive === null ? [] : [{ series: row.series, path: row.path, decisive }];
        }),
      ),
    );
  }

  #membersOf(slice: Slices, minValues?: number): readonly Members[] {
    const { into } = this.#divisions.get(slice)!;
    return into instanceof Groups ? into.groups(minValues) : [into];
  }

  #cellsOf({ cells }: Members, slice: Slices): readonly Cell[] {
    const { order } = this.#design.slices[slice];
    if (order === undefined) return [...cells.values()];
    const places = new Map(order.map((name, place) => [name, place]));
    const placeOf = ({ path: [name] }: Cell) => places.get(name!) ?? order.length;
    return [...cells.values()].sort((a, b) => placeOf(a) - placeOf(b));
  }

  parts(slice: Slices): readonly Part<Counts, Ratios>[] {
    this.#leave();
    return this.#membersOf(slice).map((members) => this.#partOf(members));
  }

  groupsHere(slice: Slices): readonly NonNullable<Members['group']>[] {
    return this.#divisions.get(slice)!.here.flatMap(({ members: { group } }) => group ?? []);
  }

  groupsIn(slice: Slices): MetGroups<Part<Counts, Ratios>> {
    const { into } = this.#divisions.get(slice)!;
    const groups = into instanceof Groups ? into : new Groups([]);
    const { manyValued, attributesLeftOut } = groups;
    return {
      clusters: this.#speakers,
      manyValued,
      attributesLeftOut,
      groups: () => (into instanceof Groups ? this.parts(slice) : []),
      missing: () => groups.missing(),
      undivided: () => groups.undivided(),
    };
  }

  #partOf(members: Members): MembersPart<Counts, Ratios> {
    const part = this.#parts.get(members) ?? new MembersPart(this.#design, members, this.#speakers);
    this.#parts.set(members, part);
    return part;
  }

  over<Set extends CellSet>(slice: Slices, sets: readonly Set[]): readonly SetRow<Set, Counts, Ratios>[] {
    return this.#setsOf(slice).rows(sets);
  }

  against(slice: Slices, sets: readonly CellSet[], ratio: Ratios, than: Ratios): readonly Comparison[] {
    return this.#setsOf(slice).against(sets, ratio, than);
  }

  pairs(ratio: Ratios): readonly Pair[] {
    this.#leave();
    return new SetsOfCells(this.#design, whole, this.#partOf(this.#everybody), () => this.#all)
      .pairs(ratio, [{ cells: [[]] }])
      .map(({ set: _, ...pair }) => pair);
  }

  pairsOver<Set extends CellSet>(ratio: Ratios, slice: Slices, sets: readonly Set[]) {
    return this.#setsOf(slice).pairs(ratio, sets);
  }

  #setsOf(slice: Slices): SetsOfCells<Counts, Ratios> {
    this.#leave();
    const { into } = this.#divisions.get(slice)!;
    if (into instanceof Groups) throw new TypeError(`expected a slice without groups, but got ${slice}`);
    return new SetsOfCells(this.#design, this.#design.slices[slice], this.#partOf(into), (path) => into.cellOf(path));
  }

  gather(slice: Slices, cells: CellSet['cells'], series: number, also?: number): Gathered<Counts> {
    return this.#setsOf(slice).gather({ cells }, this.#speakers.count, series, also);
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

  columns(...keys: readonly (Ratios | Counts)[]) {
    return columnsOf(this.#design, keys);
  }

  chart(slice: Slices, ratio: Ratios, title: string): Chart {
    return chartOfSlice(this.#design, slice, this.rows(slice), { ratio, title });
  }
}
