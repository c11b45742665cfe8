import type { Estimate } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { clusteredProportion } from '../../statistics/bootstrap/rate-interval.ts';
import type { StudyRecognizer } from '../contract.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../shared/failures.ts';
import type { CaseRule } from './case.ts';
import { findInPool, type PoolFound, type Worth, worthOf } from './compare-ways.ts';
import type { Conducted } from './conduct.ts';
import type { Heard } from './heard.ts';
import type { DifferentialOptions } from './options.ts';
import { type Dropped, speakersOf } from './pool.ts';

/** Everything that a finding is written from. */
export interface DifferentialResults extends Conducted {
  readonly options: DifferentialOptions & { readonly normalizer: string };
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

/** Pools that stand together in a row of a table. */
interface Group<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  /** A sum of rows above it. */
  readonly total: boolean;
}

/** Each pool by itself, then each synthesizer that has several, then all of them. */
export function groupsOf<Item extends { readonly heard: Heard }>(items: readonly Item[]): Group<Item>[] {
  const bySynthesizer = Map.groupBy(items, ({ heard }) => heard.pool.synthesizer);
  return [
    ...items.map((item) => ({ name: item.heard.pool.name, items: [item], total: false })),
    ...[...bySynthesizer]
      .filter(([, own]) => own.length > 1 && own.length < items.length)
      .map(([synthesizer, own]) => ({ name: `${synthesizer}, all voices`, items: own, total: true })),
    ...(items.length > 1 ? [{ name: 'all', items, total: true }] : []),
  ];
}

/** Some texts of some pools, and one recognizer or all of them. */
export interface Part {
  readonly members: readonly { readonly heard: Heard; readonly texts: readonly number[] }[];
  /** Its place among those of the run; null: all. */
  readonly recognizer: number | null;
}

/** What became of the tests of a part: a test is one recognizer's answer to one spoken text. */
export interface TestCounts {
  /** Spoken texts that were asked about. */
  readonly texts: number;
  /** Of these, at least one recognizer (of all, not only of this part) got right. */
  readonly determinable: number;
  /** Of these, at least one recognizer of the part failed. */
  readonly failing: number;
  readonly failed: number;
  readonly success: number;
  readonly indeterminable: number;
  /** Asked, and no transcript came. */
  readonly unanswered: number;
  /** Not asked, because whoever was asked first got the text wrong. */
  readonly notAsked: number;
}

/** Counts the tests of a part. */
export function countTests({ members, recognizer }: Part, rule: CaseRule): TestCounts {
  const counts = {
    ...{ texts: 0, determinable: 0, failing: 0 },
    ...{ failed: 0, success: 0, indeterminable: 0, unanswered: 0, notAsked: 0 },
  };
  for (const { heard, texts } of members) {
    for (const text of texts) {
      const known = heard.at(text);
      if (known === undefined) continue;
      const statuses = known.judgement[rule];
      const whom = recognizer === null ? [...statuses.keys()] : [recognizer];
      const own = whom.map((one) => statuses[one]!);
      counts.texts++;
      if (statuses.some((status) => status === 'success' || status === 'failed')) counts.determinable++;
      if (own.includes('failed')) counts.failing++;
      for (const one of whom) counts[statuses[one] ?? (known.asked[one] ? 'unanswered' : 'notAsked')]++;
    }
  }
  return counts;
}

/** With fewer texts no interval is given. */
const minTexts = 10;

/**
 * The share of failed tests among the answered ones (`of: 'answered'`) or among the determinable ones. Its interval holds for other
 * texts of the same kind. Tests of one text share its words, and mostly its sound: texts are the clusters of `clusteredProportion`,
 * whose interval holds where few or no tests failed as well.
 */
export function failedShare(
  part: Part,
  rule: CaseRule,
  of: 'answered' | 'determinable',
  { level }: { readonly level: number },
): Estimate {
  const clusters = new Map<string, { failed: number; tests: number }>();
  const speakers = new Set<string>();
  let utterances = 0;
  for (const { heard, texts } of part.members) {
    const counting: number[] = [];
    for (const text of texts) {
      const statuses = heard.at(text)?.judgement[rule];
      if (statuses === undefined) continue;
      const own = part.recognizer === null ? statuses : [statuses[part.recognizer]!];
      const tests = own.filter((one) => one !== null && (of === 'answered' || one !== 'indeterminable')).length;
      if (tests === 0) continue;
      counting.push(text);
      const { text: said } = heard.pool.texts[text]!;
      const cluster = clusters.get(said) ?? { failed: 0, tests: 0 };
      clusters.set(said, cluster);
      cluster.tests += tests;
      cluster.failed += own.filter((one) => one === 'failed').length;
    }
    utterances += counting.length;
    for (const speaker of speakersOf(heard.pool, counting)) speakers.add(speaker);
  }
  const counted = [...clusters.values()];
  const n = { utterances, speakers: speakers.size };
  const tests = counted.reduce((sum, cluster) => sum + cluster.tests, 0);
  const failed = counted.reduce((sum, cluster) => sum + cluster.failed, 0);
  const method =
    'exact binomial interval (Clopper and Pearson) of as many tests as texts count for (Korn and Graubard)';
  const without = (value: number | null, reason: Reason) => ({
    value,
    low: null,
    high: null,
    level,
    n,
    method,
    reason,
  });
  if (tests === 0) return without(null, { code: 'no-such-test' });
  const share = failed / tests;
  if (counted.length < minTexts)
    return without(share, { code: 'few-units', need: minTexts, have: [counted.length], unit: 'text' });
  const table = Float64Array.from(counted.flatMap((cluster) => [cluster.failed, cluster.tests]));
  const { low, high, reason } = clusteredProportion(table, { level, minimumClusters: minTexts });
  return { value: share, low, high, level, n, method, ...(reason === undefined ? {} : { reason }) };
}

/** Recognitions by voice, recognizer and kind of failure, among everything that was heard. */
export function failedTrials({ searches, recognizers }: DifferentialResults): TrialRow[] {
  const counts = new FailureCounts(searches.length * recognizers.length);
  searches.forEach(({ known }, search) => {
    for (const text of known.pool.texts.keys()) {
      const heard = known.at(text);
      heard?.failures.forEach((kind, recognizer) => {
        if (!heard.asked[recognizer]) return;
        const place = search * recognizers.length + recognizer;
        if (kind === null) counts.addAnswer(place);
        else counts.addFailure(place, kind);
      });
    }
  });
  const conditions = searches.map(({ heard }) => ({ name: heard.pool.name }));
  return namedTrials(
    { tally: { trials: counts }, design: { recognizers, conditions } },
    (recognizer, pool) => pool * recognizers.length + recognizer,
  );
}
