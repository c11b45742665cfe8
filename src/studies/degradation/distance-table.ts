import type { PairDistances } from '../../scoring/agreement/aequevox.ts';

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

/** A transformation with one of its parameters. */
export interface ParameterMean {
  readonly transformation: string;
  readonly parameter: string;
  /** Distance, over pairs and groups. */
  readonly mean: number;
}

/** A parameter that does not count, and why. */
export interface LeftOutParameter extends ParameterMean {
  readonly reason: string;
}

/**
 * The distances of a long table by pair and transformation. Distances that are missing are null; a pair without distances before
 * is null there.
 *
 * @param whyNot why a parameter is left out; null: it counts
 * @example pairTables(rows, ({ mean }) => (mean > 0.85 ? 'a mean distance above 0.85' : null))
 */
export function pairTables(
  rows: readonly DistanceRow[],
  whyNot: (parameter: ParameterMean) => string | null,
): { readonly tables: readonly PairDistances[]; readonly leftOut: readonly LeftOutParameter[] } {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const changed = rows.flatMap(({ transformation, parameter, ...row }) =>
    transformation === null || parameter === null ? [] : [{ ...row, transformation, parameter }],
  );
  const byParameter = Map.groupBy(changed, ({ transformation, parameter }) => key(transformation, parameter));
  const leftOut = [...byParameter.values()].flatMap((own): LeftOutParameter[] => {
    const { transformation, parameter } = own[0]!;
    const one = { transformation, parameter, mean: own.reduce((sum, { distance }) => sum + distance, 0) / own.length };
    const reason = whyNot(one);
    return reason === null ? [] : [{ ...one, reason }];
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
