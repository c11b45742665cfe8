import type { StudyRecognizer } from '../contract.ts';
import { findInPool, type PoolFound, type Worth, worthOf } from './compare-ways.ts';
import type { Conducted } from './conduct.ts';
import { groupsOf } from './groups.ts';
import type { DifferentialOptions } from './options.ts';
import type { Dropped } from './pool.ts';

/** Everything that a finding is written from. */
export interface DifferentialResults extends Conducted {
  readonly options: DifferentialOptions;
  readonly recognizers: readonly StudyRecognizer[];
  readonly dropped: Dropped;
  /** What each way found in each pool; null where they were not compared. */
  readonly found: readonly PoolFound[] | null;
  /** What the predictor was worth, by voice and together. */
  readonly worth: readonly Worth[];
}

/** Draws together what the searches gave. */
export function concludeSearches(
  conducted: Conducted,
  rest: Pick<DifferentialResults, 'options' | 'recognizers' | 'dropped'>,
): DifferentialResults {
  const { options, recognizers } = rest;
  // A search that stopped before it began has nothing to compare.
  const begun = conducted.replicates?.filter((of) => of[0]!.predictor.iterations.length > 0) ?? null;
  const found = begun?.map((of) => findInPool(of, recognizers.length, options.rule)) ?? null;
  const worth = found === null ? [] : groupsOf(found).map(({ name, items }) => worthOf(name, items, options.level));
  return { ...conducted, ...rest, found, worth };
}
