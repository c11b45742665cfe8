import type { PairDistances } from '../../scoring/agreement/violation-table.ts';

/** A distance that somebody has measured. */
export interface DistanceRow {
  /** Which two recognizers. */
  readonly pair: string;
  /** Of rows before any transformation: null where the distance is that before every one of the pair's. */
  readonly transformation: string | null;
  /** Null: before the transformation. */
  readonly parameter: string | null;
  readonly group: string;
  readonly distance: number;
}

/** A parameter of a transformation whose mean distance is above the ceiling. */
export interface LeftOutParameter {
  readonly transformation: string;
  readonly parameter: string;
  /** Over pairs and groups. */
  readonly mean: number;
}

/**
 * The distances of a long table by pair and transformation, without the parameters whose mean over pairs and groups is above
 * the ceiling. Distances that are missing are null; a pair without distances before is null there.
 *
 * @example pairTables([{ pair: 'a and b', transformation: null, parameter: null, group: 'x', distance: 0.1 }, …], 0.85)
 */
export function pairTables(
  rows: readonly DistanceRow[],
  ceiling: number,
): { readonly tables: readonly PairDistances[]; readonly leftOut: readonly LeftOutParameter[] } {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const changed = rows.flatMap(({ transformation, parameter, ...row }) =>
    transformation === null || parameter === null ? [] : [{ ...row, transformation, parameter }],
  );
  const byParameter = Map.groupBy(changed, ({ transformation, parameter }) => key(transformation, parameter));
  const leftOut = [...byParameter.values()].flatMap((own): LeftOutParameter[] => {
    const mean = own.reduce((sum, { distance }) => sum + distance, 0) / own.length;
    return mean > ceiling ? [{ transformation: own[0]!.transformation, parameter: own[0]!.parameter, mean }] : [];
  });
  const gone = new Set(leftOut.map(({ transformation, parameter }) => key(transformation, parameter)));
  const before = new Map(
    rows
      .filter(({ parameter }) => parameter === null)
      .map(({ pair, transformation, group, distance }) => [key(pair, transformation, group), distance]),
  );
  const byTable = Map.groupBy(changed, ({ pair, transformation }) => key(pair, transformation));
  const tables = [...byTable.values()].map((own): PairDistances => {
    const { pair, transformation } = own[0]!;
    const byRow = Map.groupBy(own, ({ parameter }) => parameter);
    return {
      pair,
      transformation,
      distances: {
        groups,
        original: groups.map(
          (group) => before.get(key(pair, transformation, group)) ?? before.get(key(pair, null, group)) ?? null,
        ),
        transformed: [...byRow]
          .filter(([parameter]) => !gone.has(key(transformation, parameter)))
          .map(([parameter, found]) => {
            const known = new Map(found.map(({ group, distance }) => [group, distance]));
            return { parameter, distances: groups.map((group) => known.get(group) ?? null) };
          }),
      },
    };
  });
  return { tables, leftOut };
}

function key(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}
