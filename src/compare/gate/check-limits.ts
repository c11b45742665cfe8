import { createRandom } from '../../base/random.ts';
import type { GateCheck, GateLimit } from '../../model/gate.ts';
import type { Reason } from '../../model/reason.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { jointPairedTest } from '../../statistics/significance/joint-paired-test.ts';
import { toEstimate } from '../../studies/shared/estimates.ts';
import { sizeOfBoth } from '../../studies/shared/group-pairs.ts';
import { gather, type Part } from '../../studies/shared/sliced-counts.ts';
import {
  differenceAlone,
  differenceOf,
  farOptions,
  intervalWhere,
  passOptions,
  rateAlone,
  rateOf,
  shownOptions,
  sum,
} from './bounds.ts';
import { judgeFact, type StudiedNumber } from './judge-fact.ts';
import { conditionOf, measuresOf, sampledMeasures } from './limits.ts';
import type { GateSeries, GateTally } from './tally-trials.ts';
import { byVerdict, type CheckSettings, errorNow, isWorse, type Judged, minus, verdictOf } from './verdicts.ts';
import { withWhoDecides, withWhoIsCounted } from './who-is-counted.ts';

/** A limit at one place, before it is judged. */
interface Place {
  readonly limit: GateLimit;
  readonly recognizer: string;
  readonly condition: string | null;
  readonly part: Part;
  /** For a gap: the other group. */
  readonly other?: Part;
}

/**
 * Judges every limit wherever it holds.
 *
 * **Pass**: the one-sided upper confidence bound is at most the limit. All limits must pass, so that a release that breaks any of
 * them passes with at most 1 - level, without a correction (intersection-union test; R. L. Berger, Technometrics 24, 1982). Trials without a transcript count with all
 * words wrong, so that nothing passes by failing.
 *
 * **Fail**: shown to be above the limit, on answered trials, with at most 1 - level that any limit fails which is kept. The kinds of limits (rates, changes, gaps)
 * share this equally. Changes are tested together: signs of speakers flipped, where `limit` more errors in each word would be no change (`jointPairedTest`; so
 * p is two-sided and the error of the side that matters about half). Rates and gaps fail where the interval of level 1 - 2 (1 - level) share / number lies above the limit (Bonferroni).
 *
 * **Inconclusive**: neither. What is counted and not sampled (failures, collapsed transcripts, speed) is held against its limit as it is.
 *
 * With `look`, each of these errors is what this look may spend of it, and intervals hold at all looks together. A fail of counts is then one that no trial to come can
 * mend, and a pass needs so many speakers that a loss of one in ten would have been met.
 *
 * @param studied what studies of the run found
 */
export function checkLimits(
  limits: readonly GateLimit[],
  tally: GateTally,
  studied: readonly StudiedNumber[],
  settings: CheckSettings,
): GateCheck[] {
  const parts = new Map(tally.slices.groups().map((part) => [groupKey(part.group!), part]));
  // A limit that is written twice is one.
  const places = uniqueBy(
    limits.flatMap((limit) => placesOf(limit, tally, parts)),
    ({ limit, recognizer, condition, part, other }) => {
      const [measure] = measuresOf(limit);
      return JSON.stringify([measure, limit[measure!], recognizer, condition, limit.by, part.group, other?.group]);
    },
  );
  const sampled = sampledMeasures.filter((measure) => limits.some((limit) => limit[measure] !== undefined));
  const alpha = (1 - settings.level) / Math.max(1, sampled.length);
  const changes = places.filter(({ limit }) => limit.worseBy !== undefined);
  const mayErr = changeError(changes.length, alpha, settings);
  const tested = testChanges(changes, tally, mayErr, settings);
  const counts = {
    wer: places.filter(({ limit }) => limit.wer !== undefined).length,
    gap: 2 * places.filter(({ limit }) => limit.gap !== undefined).length,
  };
  const gaps = new Map<string, GateCheck>();
  const checks: GateCheck[] = [];
  const withPeople = (place: Place, check: GateCheck) => {
    const { limit, recognizer, condition, part, other } = place;
    const parts = other === undefined ? [part] : [part, other];
    const told = withWhoIsCounted(check, tally.slices, {
      parts,
      series: tally.series(recognizer, condition, 'worst'),
      by: limit.by ?? null,
    });
    if (settings.verdictsOnly === true) return told;
    const which = limit.worseBy === undefined ? 'answered' : 'after';
    const series = tally.series(recognizer, condition, which);
    const rates = parts.map((one) => ({ part: one, series, counts: watchedCounts(place, one, tally, which) }));
    return withWhoDecides(told, tally.slices, rates, shownOptions(settings));
  };
  for (const place of places) {
    const { limit, recognizer, condition, part, other } = place;
    const [measure] = measuresOf(limit);
    const about = { measure: measure!, limit: limit[measure!]!, recognizer, condition, group: part.group };
    if (limit.wer !== undefined) {
      const judged = judgeRate(place, limit.wer, tally, alpha / counts.wer, settings);
      checks.push(withPeople(place, { ...about, ...judged }));
    } else if (limit.worseBy !== undefined) {
      const judged = judgeChange(place, limit.worseBy, tally, tested.get(place)!, mayErr, settings);
      checks.push(withPeople(place, { ...about, ...judged }));
    } else if (other !== undefined) {
      const { isOther, ...judged } = judgeGap(place, limit.gap!, tally, alpha / counts.gap, settings);
      const [higher, lower] = isOther ? [other, part] : [part, other];
      const group = { ...higher.group!, other: lower.group!.value };
      const check = withPeople(place, { ...about, group, ...judged });
      const key = JSON.stringify([limit.gap, limit.by, recognizer, condition]);
      const known = gaps.get(key);
      if (known === undefined || isWorse(check, known)) gaps.set(key, check);
    } else {
      checks.push({ ...about, ...judgeFact(about, tally, studied, settings.look) });
    }
  }
  return [...checks, ...gaps.values()].sort(byVerdict);
}

function uniqueBy<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

const groupKey = ({ attribute, value }: { readonly attribute: string; readonly value: string }) =>
  JSON.stringify([attribute, value]);

/** Where a limit holds. Whoever calls has made sure that what it names exists. */
function placesOf(limit: GateLimit, tally: GateTally, parts: ReadonlyMap<string, Part>): Place[] {
  const recognizers = limit.recognizer === undefined ? tally.recognizers : [limit.recognizer];
  const condition = conditionOf(limit);
  const groups = (attribute: string) => [...parts.values()].filter(({ group }) => group!.attribute === attribute);
  return recognizers.flatMap((recognizer): Place[] => {
    const place = { limit, recognizer, condition };
    if (limit.gap !== undefined) {
      const all = groups(limit.by!);
      return all.flatMap((part, first) => all.slice(first + 1).map((other) => ({ ...place, part, other })));
    }
    if (limit.by !== undefined) return groups(limit.by).map((part) => ({ ...place, part }));
    const [named] = Object.entries(limit.group ?? {});
    if (named === undefined) return [{ ...place, part: tally.slices.whole() }];
    const part = parts.get(groupKey({ attribute: named[0], value: named[1] }));
    return part === undefined ? [] : [{ ...place, part }];
  });
}

function gathered({ recognizer, condition }: Place, part: Part, tally: GateTally, which: GateSeries) {
  return gather(part, tally.series(recognizer, condition, which));
}

/** A rate by speaker, or what a change adds to it. */
function watchedCounts(place: Place, part: Part, tally: GateTally, which: 'answered' | 'after'): ClusteredCounts {
  const { counts } = gathered(place, part, tally, which);
  if (which === 'answered') return counts;
  const before = gathered(place, part, tally, 'before').counts.numerators;
  return { ...counts, numerators: counts.numerators.map((errors, at) => errors - before[at]!) };
}

function judgeRate(place: Place, limit: number, tally: GateTally, alpha: number, settings: CheckSettings): Judged {
  const { counts, n } = gathered(place, place.part, tally, 'answered');
  const worst = gathered(place, place.part, tally, 'worst').counts;
  const [rate, careful] = [rateAlone(counts), rateAlone(worst)];
  const all = settings.verdictsOnly !== true;
  const value = toEstimate(
    intervalWhere(all, rate, () => rateOf(counts, shownOptions(settings))),
    n,
  );
  const pass = intervalWhere(all || (careful ?? 0) <= limit, careful, () => rateOf(worst, passOptions(settings)));
  const fail = intervalWhere(all || (rate ?? 0) > limit, rate, () =>
    rateOf(counts, farOptions(errorNow(settings, alpha), settings)),
  );
  const isFail = fail.low !== null && fail.low > limit;
  return verdictOf({
    ...{ limit, value, careful: pass.value, upperBound: pass.high, isFail, pValue: null, n, sampled: pass },
    mayPass: mayPass(settings, worst),
  });
}

/**
 * What the joint test may err at this look, two-sided. At a look it is a single test where limits say the same, and as many where they do not: the least of both.
 */
function changeError(changes: number, alpha: number, settings: CheckSettings): number {
  const share = (tests: number) => 2 * tests * errorNow(settings, alpha / 2 / tests);
  return settings.look === undefined ? alpha : Math.min(share(1), share(Math.max(1, changes)));
}

/** Null where a group has nothing. */
type TestedChange = { readonly pValue: number | null; readonly adjustedPValue: number | null };

function testChanges(places: readonly Place[], tally: GateTally, alpha: number, settings: CheckSettings) {
  const isAbove = (place: Place) => {
    const [before, after] = (['before', 'after'] as const).map((which) => gathered(place, place.part, tally, which));
    return (differenceAlone(before!.counts, after!.counts) ?? 0) > place.limit.worseBy!;
  };
  if (settings.verdictsOnly === true && !places.some(isAbove))
    return new Map<Place, TestedChange>(places.map((place) => [place, { pValue: null, adjustedPValue: null }]));
  const speakers = tally.slices.clusters.count;
  const joint = jointPairedTest(
    places.length,
    (at) => {
      const place = places[at]!;
      const [before, after] = (['before', 'after'] as const).map((which) => {
        const { counts } = gathered(place, place.part, tally, which);
        const numerators = new Float64Array(speakers);
        const denominators = new Float64Array(speakers);
        place.part.units.forEach((unit, index) => {
          numerators[unit]! += counts.numerators[index]!;
          denominators[unit]! += counts.denominators[index]!;
        });
        return { numerators, denominators };
      });
      const allowed = before!.denominators.map((words, at) => before!.numerators[at]! + place.limit.worseBy! * words);
      return { first: { ...before!, numerators: allowed }, second: after! };
    },
    {
      level: 1 - alpha,
      ...(settings.permutations === undefined ? {} : { permutations: settings.permutations }),
      random: createRandom({ seed: settings.seed, use: 'gate', speakers }),
      randomOfComparison: randomOfData(settings.seed),
    },
  );
  return new Map<Place, TestedChange>(places.map((place, at) => [place, joint.comparisons[at]!]));
}

function judgeChange(
  place: Place,
  limit: number,
  tally: GateTally,
  { adjustedPValue }: TestedChange,
  alpha: number,
  settings: CheckSettings,
): Judged {
  const [answeredBefore, after, allBefore, worst] = (['before', 'after', 'allBefore', 'worstAfter'] as const).map(
    (which) => gathered(place, place.part, tally, which),
  );
  const { counts, n } = after!;
  const first = answeredBefore!.counts;
  const all = settings.verdictsOnly !== true;
  const careful = differenceAlone(allBefore!.counts, worst!.counts);
  const value = toEstimate(
    intervalWhere(all, differenceAlone(first, counts), () => differenceOf(first, counts, shownOptions(settings))),
    n,
  );
  const pass = intervalWhere(all || (careful ?? 0) <= limit, careful, () =>
    differenceOf(allBefore!.counts, worst!.counts, passOptions(settings)),
  );
  const isSame = n.pairs > 0 && tally.facts(place.recognizer, place.condition).changed === 0;
  const isFail =
    value.value !== null && value.value > limit && adjustedPValue !== null && adjustedPValue <= alpha + 1e-12;
  const words = sum(first.denominators);
  const judged = verdictOf({
    ...{ limit, value, careful: pass.value, isFail, n, sampled: pass },
    upperBound: isSame ? 0 : pass.high,
    mayPass: mayPass(settings, worst!.counts),
    pValue: isFail ? adjustedPValue : null,
  });
  const before = words > 0 ? { before: sum(first.numerators) / words } : {};
  const remnant = judged.verdict === 'fail' ? null : remnantOf(place, tally, settings);
  if (remnant === null) return { ...before, ...judged };
  return { ...before, ...judged, verdict: 'inconclusive', why: remnant, moreSpeakers: null };
}

/** A comparison with the baseline is about all trials where it is over this share of them at least, with a transcript on both sides. */
const minComparedShare = 0.5;

/** Where too little is compared for a pass: of what this run asked there, or of what the baseline has. Null: it is enough. */
function remnantOf(place: Place, tally: GateTally, { look }: CheckSettings): Reason | null {
  const { recognizer, condition, part } = place;
  const trials = (of: Part, which: GateSeries) => gathered(place, of, tally, which).n.pairs;
  // Before the end much of the baseline is still to be asked.
  const isWhole = look === undefined || look.share === 1;
  const inBaseline = isWhole ? (tally.baseline?.trialsOf(recognizer, condition) ?? 0) : 0;
  const shares = [
    { compared: trials(part, 'after'), of: trials(part, 'worst'), whose: 'this run' as const },
    { compared: trials(tally.slices.whole(), 'after'), of: inBaseline, whose: 'the baseline' as const },
  ];
  const few = shares.find(({ compared, of }) => compared < minComparedShare * of);
  return few === undefined ? null : { code: 'few-compared', ...few };
}

/** A loss of this share of the speakers must have been met, with the confidence of the level, before a release passes while others are still to be asked. */
const rareShare = 0.1;

/** Whether so few speakers may pass a limit: at the end those that there are, before it as many as would not all be spared by a loss of few. */
function mayPass(settings: CheckSettings, ...parts: readonly ClusteredCounts[]): boolean {
  if (settings.look === undefined || settings.look.share === 1) return true;
  const enough = Math.log(1 - settings.level) / Math.log(1 - rareShare);
  return parts.every(({ denominators }) => denominators.filter((words) => words > 0).length >= enough);
}

/** The group with the higher rate less the other; `isOther`: that is the other of the place. */
function judgeGap(
  place: Place,
  limit: number,
  tally: GateTally,
  alpha: number,
  settings: CheckSettings,
): Judged & { readonly isOther: boolean } {
  const sides = (which: GateSeries) =>
    [place.part, place.other!].map((part) => gathered(place, part, tally, which)) as [
      ReturnType<typeof gather>,
      ReturnType<typeof gather>,
    ];
  const [one, other] = sides('answered');
  const apart = { clusters: 'separate' } as const;
  const all = settings.verdictsOnly !== true;
  const difference = (which: GateSeries, decides: (gap: number) => boolean, options: typeof shownOptions) => {
    const [first, second] = sides(which);
    const alone = differenceAlone(first.counts, second.counts);
    return intervalWhere(all || decides(Math.abs(alone ?? 0)), alone, () =>
      differenceOf(first.counts, second.counts, { ...options(settings), ...apart }),
    );
  };
  const sideOf = (part: Part, { counts, n }: typeof one) => ({ counts, clusters: part.units, n });
  const n = sizeOfBoth(sideOf(place.part, one), sideOf(place.other!, other));
  const value = toEstimate(
    difference('answered', () => false, shownOptions),
    n,
  );
  const pass = difference('worst', (gap) => gap <= limit, passOptions);
  const fail = difference(
    'answered',
    (gap) => gap > limit,
    () => farOptions(errorNow(settings, alpha), settings),
  );
  const upperBound = pass.low === null || pass.high === null ? null : Math.max(pass.high, -pass.low);
  const isFail = fail.low !== null && fail.high !== null && (fail.low > limit || -fail.high > limit);
  const isOther = (value.value ?? 0) >= 0;
  const turned = !isOther ? { ...value, value: -value.value!, low: minus(value.high), high: minus(value.low) } : value;
  const judged = verdictOf({
    ...{ limit, value: turned, careful: pass.value === null ? null : Math.abs(pass.value) },
    ...{ upperBound, isFail, pValue: null, n, sampled: pass },
    mayPass: mayPass(settings, ...sides('worst').map(({ counts }) => counts)),
  });
  return { ...judged, value: turned, isOther };
}
