import { printable } from '../../base/printable.ts';
import type { SampleSize } from '../../model/finding.ts';
import type { PartlyLabelledCounts } from '../../statistics/prediction-powered/powered-influences.ts';
import type { Group } from './design.ts';
import type { FewReferencesOptions } from './options.ts';
import type { Survey } from './survey.ts';

/** What is added up for each row: of transcribed recordings, of all, and of those whose reference is hidden or used. */
export const sumFields = [
  'errors',
  'words',
  'pseudoErrors',
  'pseudoWords',
  'allPseudoErrors',
  'allPseudoWords',
  'transcribed',
  'all',
  'everyError',
  'everyWord',
  'everyReference',
] as const;

/** One of `sumFields`. */
export type SumField = (typeof sumFields)[number];

/** Sums by row (a speaker in a profile). Pseudo errors are means and no whole numbers. */
export class RowSums {
  #table = new Float64Array(16 * sumFields.length);

  add(row: number, values: Partial<Record<SumField, number>>): void {
    const start = row * sumFields.length;
    if (start + sumFields.length > this.#table.length) {
      const longer = new Float64Array(2 * (start + sumFields.length));
      longer.set(this.#table);
      this.#table = longer;
    }
    sumFields.forEach((field, place) => {
      this.#table[start + place]! += values[field] ?? 0;
    });
  }

  /** Rows that nothing was added to are 0. */
  at(row: number, field: SumField): number {
    return this.#table[row * sumFields.length + sumFields.indexOf(field)] ?? 0;
  }
}

/**
 * Means and covariances of errors, words, pseudo errors and pseudo words of transcribed recordings, for the variance of any
 * combination of them that is only known at the end.
 */
export class Moments {
  count = 0;
  readonly #sums = new Float64Array(4);
  readonly #products = new Float64Array(16);

  add(values: readonly [number, number, number, number]): void {
    this.count++;
    values.forEach((value, place) => {
      this.#sums[place]! += value;
      values.forEach((other, index) => {
        this.#products[4 * place + index]! += value * other;
      });
    });
  }

  /** The sum of several. */
  static together(all: readonly Moments[]): Moments {
    const sum = new Moments();
    for (const one of all) {
      sum.count += one.count;
      one.#sums.forEach((value, place) => {
        sum.#sums[place]! += value;
      });
      one.#products.forEach((value, place) => {
        sum.#products[place]! += value;
      });
    }
    return sum;
  }

  /** Mean number of words. */
  get meanWords(): number | null {
    return this.count === 0 ? null : this.#sums[1]! / this.count;
  }

  /** Variance of the values' sum, each times its factor; null for fewer than 2. */
  varianceOf(factors: readonly [number, number, number, number]): number | null {
    if (this.count < 2) return null;
    let [squares, sum] = [0, 0];
    factors.forEach((factor, place) => {
      sum += factor * this.#sums[place]!;
      factors.forEach((other, index) => {
        squares += factor * other * this.#products[4 * place + index]!;
      });
    });
    return Math.max(0, (squares - sum ** 2 / this.count) / (this.count - 1));
  }
}

/** Sums of a group by speaker, transcribed recordings weighted so that they stand for all of their strata. */
interface Gathered {
  readonly counts: PartlyLabelledCounts;
  /** Transcribed recordings. */
  readonly n: SampleSize;
  /** Known speakers of these. */
  readonly people: ReadonlySet<number>;
  readonly recordings: number;
  /** By all references, the hidden ones too. */
  readonly every: {
    readonly errors: number;
    readonly words: number;
    readonly utterances: number;
    readonly speakers: number;
  };
  /** Why the sample cannot stand for all: a stratum without a transcribed recording, or transcribed ones without verdicts. */
  readonly reason: string | null;
}

/** @param group null: everybody */
export function gather(sums: RowSums, survey: Survey, group: Group | null, options: FewReferencesOptions): Gathered {
  const { rows, profiles, clusters, attributes, references } = survey;
  const members = rows.profiles.flatMap((profile, row) =>
    group === null || profiles[profile]![group.place] === group.value ? [row] : [],
  );
  const places = options.strata.map((name) => attributes.indexOf(name));
  const stratumOf = (row: number) => JSON.stringify(places.map((place) => profiles[rows.profiles[row]!]![place]));
  const strata = new Map<string, { all: number; transcribed: number }>();
  for (const row of members) {
    const stratum = strata.get(stratumOf(row)) ?? { all: 0, transcribed: 0 };
    stratum.all += sums.at(row, 'all');
    stratum.transcribed += sums.at(row, 'transcribed');
    strata.set(stratumOf(row), stratum);
  }
  const silent = [...strata].find(([, { all, transcribed }]) => all > 0 && transcribed === 0);
  const total = members.reduce((sum, row) => sum + sums.at(row, 'all'), 0);
  const known = members.reduce((sum, row) => sum + sums.at(row, 'transcribed'), 0);
  const table = () => new Float64Array(clusters.count);
  const counts = {
    errors: table(),
    words: table(),
    pseudoErrors: table(),
    pseudoWords: table(),
    allPseudoErrors: table(),
    allPseudoWords: table(),
  };
  const people = new Set<number>();
  const everybody = new Set<number>();
  const every = { errors: 0, words: 0, utterances: 0 };
  let words = 0;
  for (const row of members) {
    const cluster = rows.clusters[row]!;
    const { all, transcribed } = strata.get(stratumOf(row))!;
    // Of mean 1 over the transcribed recordings, so that without strata counts stay counts.
    const weight = transcribed === 0 ? 0 : (all / transcribed) * (known / total);
    for (const field of ['errors', 'words', 'pseudoErrors', 'pseudoWords'] as const) {
      counts[field][cluster]! += weight * sums.at(row, field);
    }
    for (const field of ['allPseudoErrors', 'allPseudoWords'] as const) counts[field][cluster]! += sums.at(row, field);
    every.errors += sums.at(row, 'everyError');
    every.words += sums.at(row, 'everyWord');
    every.utterances += sums.at(row, 'everyReference');
    words += sums.at(row, 'words');
    if (!clusters.isSpeaker(cluster)) continue;
    if (sums.at(row, 'transcribed') > 0) people.add(cluster);
    if (sums.at(row, 'everyReference') > 0) everybody.add(cluster);
  }
  return {
    counts,
    n: { utterances: known, speakers: people.size, words },
    people,
    recordings: total,
    every: { ...every, speakers: everybody.size },
    reason: reasonOf(
      silent?.[0],
      known,
      [...new Set(members.map((row) => rows.profiles[row]!))].reduce((sum, place) => sum + references[place]!, 0),
    ),
  };
}

function reasonOf(silentStratum: string | undefined, known: number, references: number): string | null {
  if (known === 0) return references === 0 ? null : 'no transcribed recording has a transcript and a verdict';
  return silentStratum === undefined
    ? null
    : `no recording is transcribed of the stratum ${printable(silentStratum, 100)}`;
}
