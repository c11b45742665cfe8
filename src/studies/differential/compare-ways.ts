import { grouped } from '../../base/number-format.ts';
import type { Estimate, SampleSize } from '../../model/finding.ts';
import { pairedTTest } from '../../statistics/significance/t-test.ts';
import type { CaseRule } from './case.ts';
import { countStatus, type HeardPool } from './heard.ts';
import { speakersOf, type Way, ways } from './pool.ts';
import type { DifferentialSearch } from './search.ts';

/** The ways of a search, and what nobody can do: to know the answers before. */
export type ComparedWay = Way | 'oracle';

/** Searches of one pool and one replicate, one for each way. */
export type Replicate = Readonly<Record<Way, DifferentialSearch>>;

/** Failed tests found up to an iteration, in each replicate. */
interface Found {
  readonly way: ComparedWay;
  /** Null: all of them. */
  readonly recognizer: number | null;
  /** By iteration, then by replicate. */
  readonly cumulative: readonly (readonly number[])[];
}

/** What each way found in a pool. */
export interface PoolFound {
  readonly heard: HeardPool;
  readonly found: readonly Found[];
  /** Texts tried up to each iteration. */
  readonly texts: readonly number[];
  /** Who spoke those that the first replicate tried with the predictor up to each iteration. */
  readonly speakers: readonly ReadonlySet<string>[];
  /** Recognitions that each way took in all, by replicate. */
  readonly recognitions: Readonly<Record<ComparedWay, readonly number[]>>;
}

/** What the predictor was worth. */
export interface Worth {
  /** A voice (and condition), a synthesizer, or all of them. */
  readonly name: string;
  /** Failed tests at the end; null where the oracle cannot know the pool. */
  readonly failed: Readonly<Record<ComparedWay, Estimate | null>>;
  /** Recognitions that they took: where everybody is asked, texts times recognizers. */
  readonly recognitions: Readonly<Record<'predictor' | 'random', Estimate>>;
  /**
   * Failed tests for each recognition with the predictor over those without, the first iteration counted in both (CrossASR, Table
   * IV, where everybody is asked about every text).
   */
  readonly speedUp: Estimate;
  readonly stage1: Estimate;
  readonly stage2: Estimate;
  /** Of an oracle that knows every answer after the same first iteration; null where the pool is not known. */
  readonly oracle: Estimate | null;
  /** What the predictor gains over chance for as many recognitions, as a share of what the oracle gains. */
  readonly shareOfOracle: Estimate | null;
}

/** @param replicates of one pool, all with iterations of the same sizes */
export function findInPool(replicates: readonly Replicate[], recognizers: number, rule: CaseRule): PoolFound {
  const { known, iterations } = replicates[0]!.predictor;
  const whos = [null, ...Array.from({ length: recognizers }, (_, recognizer) => recognizer)];
  const chosen: readonly (readonly [ComparedWay, readonly Course[]])[] = [
    ...ways.map((way) => [way, replicates.map((one): Course => one[way])] as const),
    ...(known.whole ? [['oracle', replicates.map(({ predictor }) => oracleCourse(predictor, rule))] as const] : []),
  ];
  const lengths = iterations.map(({ length }) => length);
  const recognitions = chosen.map(([way, courses]) => [way, courses.map(recognitionsOf)] as const);
  return {
    heard: known,
    texts: lengths.map((_, iteration) => lengths.slice(0, iteration + 1).reduce((sum, length) => sum + length, 0)),
    speakers: iterations.map((_, iteration) => speakersOf(known.pool, iterations.slice(0, iteration + 1).flat())),
    found: chosen.flatMap(([way, courses]) =>
      whos.map((recognizer) => {
        const sums = courses.map(({ heard, iterations }) => {
          let sum = 0;
          return iterations.map((texts) => (sum += countStatus(heard, texts, rule, 'failed', recognizer)));
        });
        return { way, recognizer, cumulative: lengths.map((_, iteration) => sums.map((one) => one[iteration]!)) };
      }),
    ),
    recognitions: { oracle: [], ...(Object.fromEntries(recognitions) as Record<Way, number[]>) },
  };
}

/** What was tried, and what was heard of it. */
type Course = Pick<DifferentialSearch, 'heard' | 'iterations'>;

function recognitionsOf({ heard, iterations }: Course): number {
  const asked = iterations.flat().flatMap((text) => heard.at(text)?.asked ?? []);
  return asked.filter((one) => one).length;
}

/**
 * The same first iteration, then the texts with most failed tests. Everybody is asked about each.
 */
function oracleCourse({ known, iterations }: DifferentialSearch, rule: CaseRule): Course {
  const first = iterations[0] ?? [];
  const tried = new Set(first);
  const failed = known.pool.texts.map((_, text) => countStatus(known, [text], rule, 'failed'));
  const rest = [...failed.keys()].filter((text) => !tried.has(text)).sort((a, b) => failed[b]! - failed[a]! || a - b);
  let from = 0;
  const best = iterations.map(({ length }, iteration) => {
    if (iteration === 0) return [...first];
    from += length;
    return rest.slice(from - length, from);
  });
  return { heard: known, iterations: best };
}

/** A curve with its intervals: failed tests found up to each iteration. */
export function curveOf(
  { found, texts, speakers }: PoolFound,
  way: ComparedWay,
  recognizer: number | null,
  level: number,
): Estimate[] {
  const one = found.find((curve) => curve.way === way && curve.recognizer === recognizer);
  return (one?.cumulative ?? []).map((values, iteration) =>
    meanOverSeeds(values, level, { utterances: texts[iteration]!, speakers: speakers[iteration]!.size }),
  );
}

/** What the predictor was worth in some pools together. */
export function worthOf(name: string, pools: readonly PoolFound[], level: number): Worth {
  const last = (way: ComparedWay): number[] | null => {
    const ends = pools.map(({ found }) =>
      found.find((curve) => curve.way === way && curve.recognizer === null)?.cumulative.at(-1),
    );
    if (ends.some((end) => end === undefined)) return null;
    return ends[0]!.map((_, replicate) => ends.reduce((sum, end) => sum + end![replicate]!, 0));
  };
  const size = {
    utterances: pools.reduce((sum, pool) => sum + (pool.texts.at(-1) ?? 0), 0),
    speakers: new Set(pools.flatMap((pool) => [...(pool.speakers.at(-1) ?? [])])).size,
  };
  const chance = last('random')!;
  const oracle = last('oracle');
  const recognitions = (way: Way) =>
    chance.map((_, replicate) => pools.reduce((sum, pool) => sum + pool.recognitions[way][replicate]!, 0));
  const usual = recognitions('random');
  /** What would be found in as many recognitions as chance took. */
  const forAsMany = (way: Way) => {
    const own = recognitions(way);
    return last(way)!.map((value, replicate) => (value * usual[replicate]!) / own[replicate]!);
  };
  const ratio = (numerators: readonly number[]) => ratioOverSeeds(numerators, chance, level, size);
  const mean = (way: ComparedWay) => {
    const values = last(way);
    return values === null ? null : meanOverSeeds(values, level, size);
  };
  const gain = (values: readonly number[]) => values.map((value, replicate) => value - chance[replicate]!);
  return {
    name,
    failed: {
      predictor: mean('predictor'),
      random: mean('random'),
      'stage 1 alone': mean('stage 1 alone'),
      'stage 2 alone': mean('stage 2 alone'),
      oracle: mean('oracle'),
    },
    recognitions: {
      predictor: meanOverSeeds(recognitions('predictor'), level, size),
      random: meanOverSeeds(usual, level, size),
    },
    speedUp: ratio(forAsMany('predictor')),
    stage1: ratio(forAsMany('stage 1 alone')),
    stage2: ratio(forAsMany('stage 2 alone')),
    oracle: oracle === null ? null : ratio(oracle),
    shareOfOracle: oracle === null ? null : ratioOverSeeds(gain(forAsMany('predictor')), gain(oracle), level, size),
  };
}

/**
 * The mean of one number of each replicate, with Student's interval: how far another draw of the first iteration would move it.
 * The texts are those of the pool; nothing is said of others. A count is not below 0, and neither is the interval.
 *
 * @param size of one replicate
 */
export function meanOverSeeds(values: readonly number[], level: number, size: SampleSize): Estimate {
  const mean = linear(values, level, size, `mean over ${grouped(values.length)} replicates, Student's t`);
  return mean.low === null ? mean : { ...mean, low: Math.max(0, mean.low) };
}

/**
 * All of the first over all of the second, replicate by replicate: a speed-up. Its interval is Student's, of the ratio made linear
 * (delta method): with few replicates, or a second number near 0, it is rough.
 *
 * @example ratioOverSeeds([30, 34], [10, 12], .95, { utterances: 100, speakers: 1 }).value // 2.909
 */
export function ratioOverSeeds(
  numerators: readonly number[],
  denominators: readonly number[],
  level: number,
  size: SampleSize,
): Estimate {
  const method = `ratio of sums over ${grouped(numerators.length)} replicates, Student's t of the linearised ratio`;
  const below = denominators.reduce((sum, one) => sum + one, 0);
  if (!(below > 0)) {
    const n = { ...size, pairs: numerators.length };
    return { value: null, low: null, high: null, level, n, method, reason: { code: 'no-denominator' } };
  }
  const ratio = numerators.reduce((sum, one) => sum + one, 0) / below;
  const mean = below / denominators.length;
  const values = numerators.map((one, replicate) => ratio + (one - ratio * denominators[replicate]!) / mean);
  return { ...linear(values, level, size, method), value: ratio };
}

function linear(values: readonly number[], level: number, size: SampleSize, method: string): Estimate {
  const { value, low, high } = pairedTTest(values, { level });
  const n = { ...size, pairs: values.length };
  if (low !== null) return { value, low, high, level, n, method };
  return {
    value,
    low,
    high,
    level,
    n,
    method,
    reason: { code: values.length < 2 ? 'few-replicates' : 'alike-replicates' },
  };
}
