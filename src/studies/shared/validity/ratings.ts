import { z } from 'zod';
import { badInput, type EarwitnessError } from '../../../base/errors.ts';
import { nonEmpty } from '../../../base/option-kinds.ts';
import { limitText } from '../../../base/printable.ts';
import type { Estimate } from '../../../model/finding.ts';
import { rateInterval } from '../../../statistics/bootstrap/rate-interval.ts';
import { crossedContrast, minimumListeners } from '../../../statistics/fairness/crossed-contrast.ts';
import type { Interval } from '../../../statistics/interval.ts';
import { minimumClips } from '../../../statistics/planning/rating-precision.ts';
import { toEstimate } from '../estimates.ts';
import type { MeanOptions } from '../speaker-clusters.ts';

/** The option of a gate by listeners' ratings; each study adds `per`: what is judged as a whole. */
export const ratingsOption = z.strictObject({
  ratings: nonEmpty(4096).describe(
    'Table of listeners’ ratings (TSV or CSV): rating, and utterance, condition, relation, corpus, listener, scale as known',
  ),
  atLeast: z.number().default(4).describe('Min mean rating, on each scale if there are several'),
});

/** One rating by one listener (or a mean that somebody made of several). Null: the table does not say. */
export interface RatingRow {
  readonly rating: number;
  readonly utterance: string | null;
  readonly condition: string | null;
  readonly relation: string | null;
  readonly corpus: string | null;
  readonly listener: string | null;
  /** What was rated: `sharpness`, `naturalness`. */
  readonly scale: string | null;
}

/** A rating as the table of `rate` has it: those that count for no mean too. */
export interface GivenRating extends RatingRow {
  /** `rated`, or what was rated to know who rates: `original`, `anchor`, `repeat`. */
  readonly kind: string;
  /** Why nothing of this listener counts; null: it counts. */
  readonly excluded: string | null;
}

/** What a rating may be about, and what else a row may say. */
const subjects = ['utterance', 'condition', 'relation', 'corpus'] as const;
type Name = (typeof subjects)[number] | 'listener' | 'scale' | 'kind' | 'excluded';

/**
 * The ratings of a table that count: without hidden originals, anchors and repeats, and without listeners who are left out (columns `kind` and `excluded`, which `rate` writes).
 *
 * @param file its name, for messages
 * @throws EarwitnessError `bad-input` with file, line and column
 * @example readRatings('r.tsv', 'condition\trating\nnoise\t4.5\n')[0].rating // 4.5
 */
export function readRatings(file: string, text: string): RatingRow[] {
  return readAllRatings(file, text)
    .filter(({ kind, excluded }) => kind === 'rated' && excluded === null)
    .map(({ kind: _, excluded: __, ...row }) => row);
}

/**
 * Reads a table of ratings: a header with `rating` and any of `utterance`, `condition`, `relation` and `corpus`, and a row
 * for each rating, with its `listener` and `scale` where they are known, and `kind` and `excluded` as `rate` writes them; other columns are not looked at. Fields are parted by tabs where the header has one, else
 * by commas, and may be enclosed in double quotes where commas part them.
 *
 * @param file its name, for messages
 * @throws EarwitnessError `bad-input` with file, line and column
 */
export function readAllRatings(file: string, text: string): GivenRating[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const header = lines[0] ?? '';
  const tabs = header.includes('\t');
  const columns = fieldsOf(header, tabs).map((field) => field.trim().toLowerCase());
  const place = new Map(columns.map((column, index) => [column, index]));
  const refuse = (line: number, column: number, problem: string): EarwitnessError =>
    badInput(`${limitText(file, 300)}:${line}:${column}: ${problem}`);
  const ratingPlace = place.get('rating');
  if (ratingPlace === undefined || !subjects.some((name) => place.has(name))) {
    throw refuse(
      1,
      1,
      `expected a header with rating and one of ${subjects.join(', ')}, but got ${JSON.stringify(limitText(header, 100))}; name the columns so`,
    );
  }
  const rows: GivenRating[] = [];
  for (let index = 1; index < lines.length; index++) {
    if (lines[index]!.trim() === '') continue;
    const fields = fieldsOf(lines[index]!, tabs);
    const written = (fields[ratingPlace] ?? '').trim();
    const rating = Number(written);
    if (written === '' || !Number.isFinite(rating)) {
      const problem = `expected a number as rating, but got ${JSON.stringify(limitText(written, 40))}; correct or remove it`;
      throw refuse(index + 1, fields.slice(0, ratingPlace).join('\t').length + Math.min(2, ratingPlace + 1), problem);
    }
    const of = (name: Name) => {
      const at = place.get(name);
      const field = at === undefined ? '' : (fields[at] ?? '').trim();
      return field === '' ? null : field;
    };
    rows.push({
      rating,
      utterance: of('utterance'),
      condition: of('condition'),
      relation: of('relation'),
      corpus: of('corpus'),
      listener: of('listener'),
      scale: of('scale'),
      kind: of('kind') ?? 'rated',
      excluded: of('excluded'),
    });
  }
  return rows;
}

/** Ratings of the listeners of one thing on one scale. */
export interface RatingMean {
  /** A condition or a relation. */
  readonly about: string;
  /** Null: of any corpus. */
  readonly corpus: string | null;
  /** Null: the table has one. */
  readonly scale: string | null;
  readonly ratings: number;
  /** Those that are named; null where none is. */
  readonly listeners: number | null;
  readonly mean: Estimate;
}

/**
 * Mean ratings with intervals. Where the table names listener and utterance, and there are at least four of each, both are clusters: neither the ratings of one
 * listener nor those of one clip are independent (two-way, `crossedContrast`). Else a listener counts once, however many ratings she gave, and the interval is about these
 * clips alone; ratings without a listener count as independent of each other. AequeVox' Table 10, with scenarios as conditions; SR-MT's Table 1, with relations, corpora and
 * scales. How often intervals hold the truth: bench/calibration/ratings.ts.
 *
 * @param groupOf what a row is about; null: nothing that is looked at
 * @example ratingMeans(rows, ({ condition }) => condition, { level: 0.95, resamples: 2000, minimumSpeakers: 10, random })[0].mean.value
 */
export function ratingMeans(
  rows: readonly RatingRow[],
  groupOf: (row: RatingRow) => string | null,
  options: MeanOptions,
): RatingMean[] {
  const groups = new Map<string, { about: string; own: RatingRow[] }>();
  for (const row of rows) {
    const about = groupOf(row);
    if (about === null) continue;
    const key = JSON.stringify([about, row.corpus, row.scale]);
    const group = groups.get(key) ?? { about, own: [] };
    groups.set(key, group);
    group.own.push(row);
  }
  return [...groups.values()].map(({ about, own }): RatingMean => {
    const { corpus, scale } = own[0]!;
    const listeners = own.map(({ listener }, place) => listener ?? place);
    const named = new Set(own.flatMap(({ listener }) => listener ?? [])).size;
    const clips = new Set(own.flatMap(({ utterance }) => utterance ?? [])).size;
    const isCrossed =
      clips >= minimumClips &&
      named >= minimumListeners &&
      own.every(({ utterance, listener }) => utterance !== null && listener !== null);
    const interval = isCrossed
      ? crossedMean(own, options.level)
      : meanByListener(own, listeners, clips > 0 && clips < minimumClips ? clips : null, options);
    const mean = toEstimate(interval, { utterances: clips, speakers: 0, ratings: own.length, listeners: named });
    return { about, corpus, scale, ratings: own.length, listeners: named === 0 ? null : named, mean };
  });
}

function crossedMean(rows: readonly RatingRow[], level: number): Interval {
  const numbers = (names: readonly (string | null)[]) => {
    const places = new Map([...new Set(names)].map((name, place) => [name, place]));
    return names.map((name) => places.get(name)!);
  };
  const clips = numbers(rows.map(({ utterance }) => utterance));
  const listeners = numbers(rows.map(({ listener }) => listener));
  // How far apart the conditions of a relation are is no chance: each is a stratum, of the weight of its ratings.
  const conditions = numbers(rows.map(({ condition }) => condition));
  const strata = Array.from({ length: Math.max(...conditions) + 1 }, (_, stratum) => ({
    weight: conditions.filter((one) => one === stratum).length / rows.length,
    side: 0,
  }));
  const cells = rows.map(({ rating }, place) => ({
    ...{ speaker: clips[place]!, listener: listeners[place]!, stratum: conditions[place]! },
    ...{ numerator: rating, denominator: 1 },
  }));
  return crossedContrast(cells, strata, { level, minimumSpeakers: minimumClips, units: 'clips' }).interval;
}

/** @param clips how many there are, where they are too few to be clusters */
function meanByListener(
  rows: readonly RatingRow[],
  listeners: readonly (string | number)[],
  clips: number | null,
  { level, resamples, minimumSpeakers: minimumClusters, random }: MeanOptions,
): Interval {
  const sums = new Map<string | number, { sum: number; count: number }>();
  for (const [place, { rating }] of rows.entries()) {
    const known = sums.get(listeners[place]!) ?? { sum: 0, count: 0 };
    sums.set(listeners[place]!, { sum: known.sum + rating, count: known.count + 1 });
  }
  const own = [...sums.values()];
  const interval = rateInterval(
    {
      numerators: Float64Array.from(own, ({ sum }) => sum),
      denominators: Float64Array.from(own, ({ count }) => count),
    },
    { level, resamples, minimumClusters, random },
  );
  const alone = clips === null ? '' : `, of ${clips === 1 ? 'this clip' : `these ${clips} clips`} alone`;
  return {
    ...interval,
    method: `${interval.method.replace('speakers', 'listeners')}${alone}`,
    ...(own.length < minimumClusters && {
      reason: { code: 'few-units', need: minimumClusters, have: [own.length], unit: 'listener' },
    }),
  };
}

function fieldsOf(line: string, tabs: boolean): string[] {
  if (tabs) return line.split('\t');
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let place = 0; place < line.length; place++) {
    const sign = line[place]!;
    if (quoted && sign === '"' && line[place + 1] === '"') {
      field += sign;
      place++;
    } else if (sign === '"' && (quoted || field === '')) quoted = !quoted;
    else if (sign === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else field += sign;
  }
  fields.push(field);
  return fields;
}
