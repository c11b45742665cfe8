import type { Comparison } from '../../../model/finding.ts';
import { compareAll } from '../comparisons.ts';
import type { CellSet, CubeDesign, Gathered, Pair, SetRow, Slice } from './contract.ts';
import type { Cell } from './groups.ts';
import type { MembersPart } from './part.ts';
import { type SumsLess, SumsTogether } from './sums.ts';

/** Cells of one slice, counted together. */
export class SetsOfCells<Counts extends string, Ratios extends string> {
  readonly #design: Pick<CubeDesign<never, Counts, Ratios, never>, 'series' | 'ratios' | 'settings'>;
  readonly #apart: boolean;
  readonly #part: MembersPart<Counts, Ratios>;
  readonly #cellOf: (path: readonly string[]) => Cell | undefined;

  /** @param part everybody: of whom the cells are */
  constructor(
    design: Pick<CubeDesign<never, Counts, Ratios, never>, 'series' | 'ratios' | 'settings'>,
    { apart }: Pick<Slice<never>, 'apart'>,
    part: MembersPart<Counts, Ratios>,
    cellOf: (path: readonly string[]) => Cell | undefined,
  ) {
    this.#design = design;
    this.#apart = apart === true;
    this.#part = part;
    this.#cellOf = cellOf;
  }

  rows<Set extends CellSet>(sets: readonly Set[]): SetRow<Set, Counts, Ratios>[] {
    return sets.flatMap((set) =>
      this.#design.series.map((name, series) => {
        const { path: _, ...row } = this.#part.row(name, [], this.#together(set, series));
        return { set, ...row };
      }),
    );
  }

  against(sets: readonly CellSet[], ratio: Ratios, than: Ratios): Comparison[] {
    const { series, settings, ratios } = this.#design;
    const rows = sets.flatMap((set) => series.map((_, number) => this.#together(set, number)));
    return compareAll(
      rows,
      (sums) => ({
        first: this.#part.clustered(sums, ratios[than]),
        second: this.#part.clustered(sums, ratios[ratio]),
        n: {
          ...this.#part.size(sums, ratios[ratio]),
          ...(ratios[ratio].counted === undefined && { pairs: sums.facts }),
        },
      }),
      settings,
    );
  }

  pairs<Set extends CellSet>(ratio: Ratios, sets: readonly Set[]): (Pair & { readonly set: Set })[] {
    const { series, settings, ratios } = this.#design;
    const pairs = sets.flatMap((set) =>
      series.flatMap((_, first) =>
        series.slice(first + 1).map((__, offset) => ({ set, first, second: first + 1 + offset })),
      ),
    );
    const found = compareAll(
      pairs,
      ({ set, first, second }) => {
        const [one, other] = [this.#together(set, first, second), this.#together(set, second, first)];
        return {
          first: this.#part.clustered(one, ratios[ratio]),
          second: this.#part.clustered(other, ratios[ratio]),
          n: { ...this.#part.size(one, ratios[ratio]), pairs: one.facts },
        };
      },
      settings,
    );
    return pairs.map(({ set, first, second }, place) => {
      return { set, first: series[first]!, second: series[second]!, comparison: found[place]! };
    });
  }

  /** @param units of the cube, at whose numbers sums stand */
  gather(set: CellSet, units: number, series: number, also?: number): Gathered<Counts> {
    const [sums, part] = [this.#together(set, series, also), this.#part];
    return {
      counts: part.byUnit(sums, units),
      get n() {
        return { ...part.sizes(sums), pairs: sums.facts };
      },
    };
  }

  /** @param without what this one did not answer is taken out */
  #together({ cells }: CellSet, series: number, without?: number): SumsTogether {
    return new SumsTogether(
      cells.flatMap((path): SumsLess[] => {
        const cell = this.#cellOf(path);
        const sums = cell?.sums[series];
        if (sums === undefined) return [];
        const less = without === undefined ? undefined : cell?.alone.get(series * this.#design.series.length + without);
        return [{ sums, less, apart: this.#apart ? path[0] : undefined }];
      }),
    );
  }
}
