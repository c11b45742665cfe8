import { formatFixed, grouped, percentDecimals } from '../../base/number-format.ts';
import { capitalized, counted } from '../../base/wording.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { whatSettles } from '../../model/reason.ts';
import { clusterSpread } from '../../statistics/bootstrap/cluster-spread.ts';
import {
  type BootstrapOptions,
  type ClusteredCounts,
  clusterTable,
  columnSums,
} from '../../statistics/bootstrap/clustered-counts.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { normalQuantile, studentQuantile } from '../../statistics/distributions.ts';
import { toEstimate } from './estimates.ts';
import {
  isOutOfProportion,
  less,
  maxOdd,
  type Placed,
  type UtteranceShare,
  type WatchedCounts,
} from './share-watch.ts';
import { listed, named, numberInWords, pointsInWords, rateInWords } from './wording.ts';

// What one utterance or one speaker does to a rate (`share-watch.ts` keeps it), judged and worded here for every screen.

/** A rate that one utterance, several with insertions out of all proportion, or one speaker decides. */
export interface Decisive {
  /** The most errors first; none: it is all that one speaker said. */
  readonly utterances: readonly UtteranceShare[];
  /** Null of several utterances, and where nobody knows. */
  readonly speaker: string | null;
  readonly errors: number;
  readonly words: number;
  /** Of the rate. */
  readonly all: {
    readonly errors: number;
    readonly words: number;
    readonly utterances: number;
    readonly speakers: number;
  };
  readonly value: number;
  /** The same without it. */
  readonly without: Estimate;
}

/** How a rate is called and printed. */
export interface Measured {
  /** `WER` */
  readonly measure: string;
  /** What its numerators and denominators count; errors and words if absent. */
  readonly counts?: readonly [numerator: string, denominator: string];
  /** A number per one if it is no share: words per minute. */
  readonly unit?: string;
  /** Of a difference, what it is to: `before`. */
  readonly to?: string;
}

/** What is shown of a sentence's numbers. */
const decimals = 1;

/**
 * One sentence: who has how much of a rate, and the rate without it.
 *
 * @param where stands before it: `narrow, clean`
 * @example decisiveInWords(decisive, { measure: 'WER' })
 * // 'One of 120 utterances, u23, moves the WER from 8.8 % (95 % CI 7.2-10.9) to 27.1 %: it has 220 of the 325 errors (2 words repeated 110 times).'
 */
export function decisiveInWords(decisive: Decisive, measured: Measured, where = ''): string {
  const { measure, counts: [errors, words] = ['errors', 'words'], unit, to } = measured;
  const { utterances, speaker, all, value, without } = decisive;
  const isOne = utterances.length < 2;
  const who =
    utterances.length === 0
      ? `one of ${counted(all.speakers, 'speaker')}, ${named(speaker ?? '')},`
      : `${isOne ? 'one' : utterances.length} of ${counted(all.utterances, 'utterance')}, ${listed(utterances.map(nameOf), 3)},`;
  const share = (part: number, whole: number, what: string) => `${shown(part)} of the ${shown(whole)} ${what}`;
  const size = decisive.errors > decisive.words ? '' : ` and ${share(decisive.words, all.words, words)}`;
  const percentOf = (rate: number) => `${formatFixed(100 * rate, percentDecimals(rate))} %`;
  const after = unit === undefined ? percentOf(value) : `${formatFixed(value, decimals)}${unit}`;
  const rest = unit === undefined ? rateInWords(without, '', '') : numberInWords(without, decimals, unit);
  const [moves, it] = isOne ? ['moves', 'it'] : ['move', 'they'];
  const did = (one: string, several: string) => `${it} ${isOne ? one : several}`;
  const told =
    to === undefined
      ? `${moves} the ${measure} from ${rest} to ${after}: ${did('has', 'have')} ${share(decisive.errors, all.errors, errors)}${size}`
      : `${moves} the difference to ${to} from ${pointsInWords(without)} to ${pointsInWords({ ...without, value, low: null, high: null })}: ${
          decisive.errors < 0 ? did('takes', 'take') : did('adds', 'add')
        } ${shown(Math.abs(decisive.errors))} ${errors}${decisive.errors < 0 ? ' away' : ''}`;
  const sentence = `${who} ${told}${loopsInWords(utterances)}.`;
  return where === '' ? capitalized(sentence) : `${where}: ${sentence}`;
}

function loopsInWords(utterances: readonly UtteranceShare[]): string {
  const loops = utterances.flatMap(({ loop }) => loop ?? []);
  const [first] = loops;
  if (first === undefined) return '';
  if (utterances.length === 1) return ` (${counted(first.words, 'word')} repeated ${grouped(first.repeats)} times)`;
  return ` (${loops.length === utterances.length ? '' : `${loops.length} of them `}the same words over and over)`;
}

/** More sentences than these are a flood: the others stand in a table. */
const maxSentences = 3;

const moved = ({ decisive: { value, without } }: { readonly decisive: Decisive }) => Math.abs(without.value! - value);

/**
 * One sentence for each utterance or speaker that decides a rate, about the first such rate; of the few that move theirs most, the others are counted.
 *
 * @param all rates with who decides them, the most important first
 */
export function decisiveSentences(
  all: readonly { readonly where: string; readonly decisive: Decisive; readonly to?: string }[],
  measured: Measured,
): string[] {
  const whose = ({ decisive: { utterances, speaker } }: (typeof all)[number]) =>
    JSON.stringify(utterances.length === 0 ? { speaker } : utterances.map(({ id, place }) => id ?? place).toSorted());
  const worst = [...Map.groupBy(all, whose).values()]
    .map((rates) => ({ others: rates.length - 1, ...rates[0]! }))
    .toSorted((one, other) => moved(other) - moved(one));
  const sentences = worst.slice(0, maxSentences).map(({ where, decisive, to, others }) => {
    const they = decisive.utterances.length > 1 ? 'They decide' : 'It decides';
    const more = others === 0 ? '' : ` ${they} ${counted(others, 'other rate')} too.`;
    return `${decisiveInWords(decisive, { ...measured, ...(to !== undefined && { to }) }, where)}${more}`;
  });
  const rest = worst.length - sentences.length;
  if (rest === 0) return sentences;
  return [
    ...sentences,
    `${counted(rest, 'other utterance or speaker', 'other utterances or speakers')} decide rates too.`,
  ];
}

/** Its id, or where it stands: `line 23`. */
function nameOf({ id, line, place }: UtteranceShare): string {
  return id === null ? `line ${line ?? place}` : named(id);
}

function shown(count: number): string {
  return Number.isInteger(count) ? grouped(count) : formatFixed(count, decimals);
}

/** So much of its interval's length may one utterance or speaker move a rate without being named. */
const unnamedShare = 0.25;
/** More of all utterances are not a few of them. */
const maxOddShare = 0.2;

/**
 * Who decides a rate: the utterance, or else the speaker, without which it moves by more than a quarter of its interval. What is far from all
 * others makes that long itself, so that who else is named: whoever takes it out of the interval without it,
 * and an utterance with a loop, with more than twice as many errors as words, or with more than half of the words of ten or more, if a quarter of the
 * rate goes with it; that one also where there is no interval. Several with loops or so many errors hide each other, and are left out together
 * where each of them would move a rate without any of them. Null: nobody decides it.
 *
 * @param estimateOf the rate, asked for where somebody may decide it: its interval takes long
 * @param speakerOf the name of a speaker; null of an utterance whose speaker nobody knows
 */
export function decisiveOf(
  { counts, units, watch, isPace = false }: WatchedCounts,
  estimateOf: () => Pick<Estimate, 'low' | 'high' | 'n'>,
  options: BootstrapOptions,
  speakerOf: (unit: number) => string | null,
): Decisive | null {
  const [errors, words] = sumsOf(counts);
  if (watch === undefined || !(words > 0)) return null;
  const value = errors / words;
  const speakers = counts.denominators.reduce((count, said) => count + Number(said > 0), 0);
  const all = { errors, words, utterances: watch.utterances, speakers };
  const { level = 0.95 } = options;
  let estimate: ReturnType<typeof estimateOf> | undefined;
  const spread = normalLength(counts, level);
  const placeOf = new Map(units.map((unit, place) => [unit, place]));
  const judged = (shares: readonly Placed[], isOdd: boolean) => {
    const rest = less(counts, shares);
    const [errorsOfRest, wordsOfRest] = sumsOf(rest);
    if (!(wordsOfRest > 0)) return null;
    const moved = Math.abs(errorsOfRest / wordsOfRest - value);
    // Half of what it may move by: resampling takes long, and an interval is rarely half as long as one by the normal distribution.
    if (!isOdd && moved < (unnamedShare / 2) * Math.min(spread, normalLength(rest, level))) return null;
    estimate ??= estimateOf();
    const without = rateInterval(rest, options);
    const most = Math.min(
      unnamedShare * lengthOf(estimate),
      isOdd ? unnamedShare * Math.abs(value) : Number.POSITIVE_INFINITY,
    );
    // Who fails worse makes the interval of all longer, and is not worth less of a line for it.
    const isOutside = without.low !== null && without.high !== null && (value < without.low || value > without.high);
    return isOutside || moved > most
      ? { moved, without, errors: errors - errorsOfRest, words: words - wordsOfRest, all, value }
      : null;
  };
  const at = (share: UtteranceShare): Placed[] => {
    const place = placeOf.get(share.unit);
    return place === undefined ? [] : [{ place, errors: share.errors, words: share.words }];
  };
  const isFar = (share: UtteranceShare) => (isPace ? share.loop !== null : isOutOfProportion(share));
  const alone = watch.extremes.map((share) => ({
    utterances: [share],
    speaker: speakerOf(share.unit),
    isOdd: isFar(share) || (watch.utterances >= 10 && share.words > words / 2),
  }));
  const several = hiddenByEachOther(watch.odd.filter(isFar), at, counts, level);
  const isFew = several.length > 1 && several.length < maxOdd && several.length <= maxOddShare * watch.utterances;
  const asked = [...alone, ...(isFew ? [{ utterances: several, speaker: null, isOdd: true }] : [])];
  const found = asked.flatMap(({ isOdd, ...who }) => {
    const shares = who.utterances.flatMap(at);
    const one = shares.length === who.utterances.length ? judged(shares, isOdd) : null;
    return one === null ? [] : [{ ...who, ...one }];
  });
  const place = found.length > 0 ? null : unitThatMoves(counts, value);
  const speaker = place === null ? null : speakerOf(units[place]!);
  if (place !== null && speaker !== null) {
    const own = { place, errors: counts.numerators[place]!, words: counts.denominators[place]! };
    const one = judged([own], false);
    if (one !== null) found.push({ utterances: [], speaker, ...one });
  }
  const [worst] = found.toSorted((one, other) => other.moved - one.moved);
  if (worst === undefined) return null;
  const { without, moved: _, ...known } = worst;
  return { ...known, without: toEstimate(without, (estimate ?? estimateOf()).n) };
}

/** Those of the odd that each would take the rate of all others out of its interval by t, or be more than a quarter of it. */
function hiddenByEachOther(
  odd: readonly UtteranceShare[],
  at: (share: UtteranceShare) => readonly Placed[],
  counts: ClusteredCounts,
  level: number,
): readonly UtteranceShare[] {
  if (odd.length < 2) return [];
  const others = less(counts, odd.flatMap(at));
  const [errors, words] = sumsOf(others);
  if (!(words > 0)) return [];
  const reach = lengthByT(others, level) / 2;
  return odd.filter((share) => {
    const beside = (errors + share.errors) / (words + share.words);
    return Math.abs(beside - errors / words) > Math.min(reach, unnamedShare * Math.abs(beside));
  });
}

function sumsOf(counts: ClusteredCounts): readonly [errors: number, words: number] {
  const [errors = 0, words = 0] = columnSums(clusterTable(counts), 2);
  return [errors, words];
}

/** `u23, u40` or `speaker s4` */
export function whoDecides({ utterances, speaker }: Decisive): string {
  return utterances.length === 0
    ? `speaker ${speaker}`
    : utterances.map(({ id, place }) => id ?? `${place}`).join(', ');
}

/** A comparison that utterances or a speaker decide: where it is open, more speakers would not settle it. */
export function decidedBy({ open, ...comparison }: Comparison, { utterances }: Decisive): Comparison {
  if (open === undefined || whatSettles(open) === null) return { ...comparison, ...(open && { open }) };
  const by =
    utterances.length === 0 ? { count: 1, what: open.unit } : { count: utterances.length, what: 'utterance' as const };
  return { ...comparison, open: { ...open, more: null, decidedBy: by } };
}

/** Of an interval; infinite where there is none. */
function lengthOf({ low, high }: Pick<Estimate, 'low' | 'high'>): number {
  return low === null || high === null ? Number.POSITIVE_INFINITY : high - low;
}

function spreadOf(counts: ClusteredCounts): ReturnType<typeof clusterSpread> {
  const table = clusterTable(counts);
  return clusterSpread(table, 2, columnSums(table, 2), [1], true);
}

/** The least that an interval from the spread of who counts may be long. */
function normalLength(counts: ClusteredCounts, level: number): number {
  return 2 * normalQuantile((1 + level) / 2) * Math.sqrt(spreadOf(counts).variance);
}

/** Of a t interval from the spread of who counts; infinite where they do not differ. */
function lengthByT(counts: ClusteredCounts, level: number): number {
  const { variance, degreesOfFreedom } = spreadOf(counts);
  const length = 2 * studentQuantile((1 + level) / 2, degreesOfFreedom) * Math.sqrt(variance);
  return length > 0 ? length : Number.POSITIVE_INFINITY;
}

/** The place whose errors are farthest from those of as many words at the rate of all. */
function unitThatMoves({ numerators, denominators }: ClusteredCounts, rate: number): number | null {
  const away = Array.from(numerators, (errors, place) => Math.abs(errors - rate * denominators[place]!));
  const most = Math.max(...away);
  return most > 0 ? away.indexOf(most) : null;
}
