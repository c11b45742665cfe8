import { badUsage } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Finding } from '../../model/finding.ts';
import {
  aequevoxComprehensibility,
  aequevoxScenario,
  leftOutByAequevox,
} from '../../perturbations/ladders/aequevox.ts';
import { type PairDistances, violationTable } from '../../scoring/agreement/aequevox.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { type RatingMean, type RatingRow, ratingMeans } from '../shared/validity/ratings.ts';
import { ratingsTable, unmetRatings } from '../shared/validity/validity.ts';
import { listed } from '../shared/wording.ts';
import { study } from './design.ts';
import { tablesOfViolations } from './sections.ts';
import { countStatement } from './violation-counts.ts';

/** How a table of distances is looked at. */
export interface DistanceOptions {
  readonly tolerances: readonly number[];
  /** Parameters whose mean distance is greater are left out; null: none. */
  readonly ceiling: number | null;
  /** The group that the others are set against; null for none. */
  readonly reference: string | null;
  /** Left out by name: a transformation, one with a parameter (`Scale 0.6`), or a scenario (`aequevox/scale:4`). */
  readonly except?: readonly string[];
  /** Whether what the paper left out by name is left out. */
  readonly asPublished?: boolean;
  /** Only parameters with a mean rating above this count; null: whatever listeners said. */
  readonly comprehensibility?: number | null;
  /** Ratings of one's own, whose `condition` is named as in `except`; null: those of AequeVox. */
  readonly ratings?: readonly RatingRow[] | null;
}

/**
 * AequeVox's violations for distances that somebody already has. A table of group means holds no speakers: there is nothing
 * in it to resample, so the finding has counts alone and says so.
 *
 * @throws EarwitnessError `bad-usage` where `except` names what the table does not have
 * @example findingOfDistances(rows, { tolerances: [0.01, 0.05, 0.1, 0.15], ceiling: 0.85, reference: 'English' })
 */
export function findingOfDistances(rows: readonly DistanceRow[], options: DistanceOptions): Finding {
  const { tolerances, reference, except = [], asPublished = false, comprehensibility = null } = options;
  const ceiling = asPublished ? null : options.ceiling;
  const settings = { level: 0.95, resamples: 2000, minimumSpeakers: 10, random: randomOfData(0) };
  const rated = ({ condition }: RatingRow) => (condition === null ? null : plainName(condition));
  const means = options.ratings == null ? null : ratingMeans(options.ratings, rated, settings);
  const known = knownNames(rows);
  checkNames(except, known);
  const leftOutByName = new Set(except.map(plainName));
  const unrated: string[] = [];
  const { tables, leftOut } = pairTables(rows, (one) => {
    const names = namesOf(one);
    if (asPublished && names.some((name) => leftOutByAequevox.includes(name))) return 'by name, as AequeVox did';
    if (names.some((name) => leftOutByName.has(plainName(name)))) return 'by name';
    if (comprehensibility !== null) {
      const rating = ratingOf(names, means);
      if (rating === null) unrated.push(names[0]!);
      else if (!(rating > comprehensibility)) return `not rated above ${comprehensibility} by listeners`;
    }
    return ceiling !== null && one.mean > ceiling
      ? `mean distance above ${ceiling}, where everything is lost no group can lose more than another`
      : null;
  });
  const published = {
    attribute: 'groups',
    kind: 'distance' as const,
    tables,
    violations: violationTable(tables, tolerances),
  };
  const { groups, compared, leftOut: missing } = published.violations;
  const warnings = [
    'A table of means has counts but no interval and no test: chance alone causes violations too, and a table of means cannot show how many. Run the study degradation on the recordings for that.',
    ...[...Map.groupBy(leftOut, ({ reason }) => reason)].map(
      ([reason, own]) => `Left out: ${listed(own.map((one) => namesOf(one)[0]!))} (${reason}).`,
    ),
  ];
  if (unrated.length > 0) warnings.push(`No ratings for ${listed(unrated)}: kept.`);
  warnings.push(
    ...unmetRatings(
      (means ?? []).map(({ about }) => about).filter((about) => !known.has(about)),
      'parameter of the table',
      [...known.values()],
    ),
  );
  if (missing > 0) warnings.push(`${counted(missing, 'comparison')} lack a distance and were not made.`);
  if (reference !== null && !groups.includes(reference))
    warnings.push(`The reference group ${reference} is not there.`);
  const answer = countStatement(published, reference === null ? {} : { groups: reference });
  return {
    study,
    title: 'Violations in a table of distances',
    settings: { tolerances, ceiling, reference, except, profile: asPublished ? 'aequevox' : null, comprehensibility },
    answer: answer.length > 0 ? answer : [{ text: 'No two groups can be compared, so there is no result.' }],
    sections: [
      {
        id: 'degradation-violations',
        title: 'Violations as AequeVox counts them',
        text: [
          `A violation against a group: its distance grows by more than that of another group, by more than the tolerance, for one pair of recognizers and one parameter. ${counted(compared, 'comparison')} were made.`,
        ],
        tables: tablesOfViolations(published),
      },
      ...(means === null
        ? []
        : [
            {
              id: 'degradation-ratings',
              title: 'Comprehensibility as rated by listeners',
              tables: [ratingsTable('degradation', means, () => null)],
            },
          ]),
    ],
    warnings,
  };
}

/** `Scale 0.6`, and the scenario of AequeVox that it is. */
function namesOf({ transformation, parameter }: Omit<ParameterMean, 'mean'> | LeftOutParameter): string[] {
  const scenario = aequevoxScenario(transformation, parameter);
  return [`${transformation} ${parameter}`, transformation, ...(scenario === null ? [] : [scenario])];
}

/** Null where nobody rated it. */
function ratingOf(names: readonly string[], means: readonly RatingMean[] | null): number | null {
  if (means !== null)
    return means.find(({ about }) => names.some((name) => plainName(name) === about))?.mean.value ?? null;
  const [found] = names.flatMap((name) => aequevoxComprehensibility.get(name) ?? []);
  return found?.mean ?? null;
}

/** A name whose parameter is a number as it is compared, however that is written: `Noise 8` for `Noise 8.0`. */
function plainName(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = Number(words.at(-1));
  return words.length > 1 && Number.isFinite(last) ? [...words.slice(0, -1), last].join(' ') : words.join(' ');
}

/** What the parameters of a table are called, as written, by `plainName`. */
function knownNames(rows: readonly DistanceRow[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(({ transformation, parameter }) =>
      transformation === null || parameter === null
        ? []
        : namesOf({ transformation, parameter }).map((name) => [plainName(name), name] as const),
    ),
  );
}

function checkNames(except: readonly string[], known: ReadonlyMap<string, string>): void {
  const strange = except.find((name) => !known.has(plainName(name)));
  if (strange === undefined) return;
  const some = [...known.values()].slice(0, 6).map((name) => printable(name, 60));
  throw badUsage(
    `--except: expected a transformation of the table, one with its parameter, or a scenario (${some.join(', ')}, …), but got ${JSON.stringify(printable(strange, 60))}`,
  );
}

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
interface ParameterMean {
  readonly transformation: string;
  readonly parameter: string;
  /** Distance, over pairs and groups. */
  readonly mean: number;
}

/** A parameter that does not count, and why. */
interface LeftOutParameter extends ParameterMean {
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
