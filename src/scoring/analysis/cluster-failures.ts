import { type BrokenPlace, causesIn } from './broken-words.ts';

/** A failed text: its words and those of the transcript, normalized alike. */
export interface FailedWords {
  readonly reference: readonly string[];
  readonly hypothesis: readonly string[];
}

/** What was recognized in place of the failing words, and how often. */
export interface CauseOutcome {
  /** The stretch of the text, and what was written for it; empty where nothing was. */
  readonly said: string;
  readonly written: string;
  readonly failures: number;
}

/** One thing that breaks texts. */
export interface FailureCause<Failure> {
  readonly kind: BrokenPlace['kind'];
  /** The words that broke; those that were inserted; empty where the transcripts are, or most of a text is lost. */
  readonly words: string;
  /** Failures that it explains and no cause before it does. */
  readonly failures: number;
  /** Of these, the tests in which no other words failed. */
  readonly alone: number;
  /** All failures that it has a part in, also those that an earlier cause explains. */
  readonly everywhere: number;
  /** Failed texts that hold the words, broken or not; null where the words are not of the text. */
  readonly texts: number | null;
  /** What came out, most frequent first, over `everywhere`. */
  readonly outcomes: readonly CauseOutcome[];
  /** Failures of `everywhere` whose outcome is not listed. */
  readonly otherOutcomes: number;
  /** The first failures it explains, those in which nothing else broke before the others. */
  readonly examples: readonly Failure[];
}

/** What a number of failures comes down to. */
export interface FailureClusters<Failure> {
  readonly failures: number;
  /** Most failures explained first. */
  readonly causes: readonly FailureCause<Failure>[];
  /** Failures that the causes explain: each is counted once, with the first cause it has. */
  readonly explained: number;
  /** Failures that are left, and how many different things broke in them. */
  readonly rest: { readonly failures: number; readonly causes: number };
  /** Failures of `rest` that were not looked into: longer than `longestWords`, or without any difference in words. */
  readonly tooLong: number;
  readonly alike: number;
}

export interface ClusterOptions {
  /** Causes that are told. Default 20. */
  readonly maxCauses?: number;
  /** A cause explains at least so many failures. Default 2. */
  readonly minFailures?: number;
}

/** Outcomes told, and examples given, of each cause. */
const maxOutcomes = 3;
const maxExamples = 3;
/** Failures with more words on either side are counted and not aligned. */
const longestWords = 1000;

/** Of a transcript of garbage only the first places count. */
const maxPlaces = 100;

/**
 * Reads many failures as few causes: each failure is set against its text, the words that broke are its possible causes, and
 * the causes that together explain most are taken greedily. A cause says what the failures have in common, not why: beside the
 * words stand how many failed texts hold them, so that a frequent word that breaks seldom is seen as such.
 *
 * The same failures in the same order give the same clusters; ties go to the words first in the order of the code units.
 *
 * @throws RangeError for limits that are not whole numbers of at least 1
 * @example
 * clusterFailures([{ reference: ['tax'], hypothesis: ['tacks'] }, { reference: ['a', 'tax'], hypothesis: ['a', 'tacks'] }]).causes
 * // [{ kind: 'word', words: 'tax', failures: 2, alone: 2, …, outcomes: [{ said: 'tax', written: 'tacks', failures: 2 }] }]
 */
export function clusterFailures<Failure extends FailedWords>(
  failures: readonly Failure[],
  options: ClusterOptions = {},
): FailureClusters<Failure> {
  const { maxCauses = 20, minFailures = 2 } = options;
  for (const limit of [maxCauses, minFailures]) {
    if (!(Number.isSafeInteger(limit) && limit >= 1))
      throw new RangeError(`expected a limit of at least 1, got ${limit}`);
  }
  const tooLong = ({ reference, hypothesis }: FailedWords) =>
    Math.max(reference.length, hypothesis.length) > longestWords;
  const placesOf = (failure: FailedWords) =>
    tooLong(failure) ? [] : causesIn(failure.reference, failure.hypothesis).slice(0, maxPlaces);
  const { causesOf, keys } = numberCauses(failures, placesOf);
  const cover = greedyCover(causesOf, keys.length, { maxSets: maxCauses, minItems: minFailures });

  const everywhere: number[][] = cover.map(() => []);
  const stepOf = new Map(cover.map(({ set }, step) => [set, step]));
  causesOf.forEach((causes, failure) => {
    for (const cause of causes) {
      const step = stepOf.get(cause);
      if (step !== undefined) everywhere[step]!.push(failure);
    }
  });
  const causes = cover.map(({ set, items }, step): FailureCause<Failure> => {
    const { kind, words } = parseKey(keys[set]!);
    const outcomes = countOutcomes(
      everywhere[step]!.map((failure) => placesOf(failures[failure]!)),
      keys[set]!,
    );
    const told = outcomes.slice(0, maxOutcomes);
    const alone = items.filter((failure) => causesOf[failure]!.length === 1);
    const notAlone = items.filter((failure) => causesOf[failure]!.length > 1);
    return {
      kind,
      words,
      failures: items.length,
      alone: alone.length,
      everywhere: everywhere[step]!.length,
      texts: kind === 'word' || kind === 'spelling' ? countTexts(failures, words) : null,
      outcomes: told,
      otherOutcomes: outcomes.slice(maxOutcomes).reduce((sum, outcome) => sum + outcome.failures, 0),
      examples: [...alone, ...notAlone].slice(0, maxExamples).map((failure) => failures[failure]!),
    };
  });

  const explained = cover.reduce((sum, { items }) => sum + items.length, 0);
  const covered = new Set(cover.flatMap(({ items }) => items));
  const left = new Set<number>();
  causesOf.forEach((numbers, failure) => {
    if (!covered.has(failure)) for (const cause of numbers) left.add(cause);
  });
  const long = failures.filter(tooLong).length;
  return {
    failures: failures.length,
    causes,
    explained,
    rest: { failures: failures.length - explained, causes: left.size },
    tooLong: long,
    alike: causesOf.filter((numbers) => numbers.length === 0).length - long,
  };
}

/** The causes of each failure as numbers, which stand in the order of their keys. */
function numberCauses(
  failures: readonly FailedWords[],
  placesOf: (failure: FailedWords) => readonly BrokenPlace[],
): { readonly causesOf: readonly Uint32Array[]; readonly keys: readonly string[] } {
  const firstNumbers = new Map<string, number>();
  const found = failures.map((failure) => {
    const numbers = new Set<number>();
    for (const place of placesOf(failure)) {
      const key = keyOf(place);
      const number = firstNumbers.get(key) ?? firstNumbers.size;
      firstNumbers.set(key, number);
      numbers.add(number);
    }
    return Uint32Array.from(numbers);
  });
  const keys = [...firstNumbers.keys()].sort();
  const renumbered = new Uint32Array(keys.length);
  keys.forEach((key, number) => {
    renumbered[firstNumbers.get(key)!] = number;
  });
  return { causesOf: found.map((numbers) => numbers.map((number) => renumbered[number]!)), keys };
}

function countOutcomes(places: readonly (readonly BrokenPlace[])[], key: string): CauseOutcome[] {
  const counts = new Map<string, { said: string; written: string; failures: number }>();
  for (const ofFailure of places) {
    const place = ofFailure.find((candidate) => keyOf(candidate) === key)!;
    // Whole texts that gave nothing are one outcome.
    const said = place.kind === 'nothing' || place.kind === 'lost' ? '' : place.said;
    const outcome = `${said}\n${place.written}`;
    const known = counts.get(outcome) ?? { said, written: place.written, failures: 0 };
    known.failures++;
    counts.set(outcome, known);
  }
  return [...counts]
    .sort(([a, { failures: countA }], [b, { failures: countB }]) => countB - countA || (a < b ? -1 : 1))
    .map(([, outcome]) => outcome);
}

function countTexts(failures: readonly FailedWords[], words: string): number {
  const sought = words.split(' ');
  const [first] = sought;
  return failures.filter(({ reference }) => {
    for (let start = reference.indexOf(first!); start !== -1; start = reference.indexOf(first!, start + 1)) {
      if (sought.every((word, place) => reference[start + place] === word)) return true;
    }
    return false;
  }).length;
}

function keyOf({ kind, words }: BrokenPlace): string {
  return `${words}\n${kind}`;
}

function parseKey(key: string): Pick<BrokenPlace, 'kind' | 'words'> {
  const end = key.lastIndexOf('\n');
  return { words: key.slice(0, end), kind: key.slice(end + 1) as BrokenPlace['kind'] };
}

/** One set that was taken to cover items. */
interface CoverStep {
  readonly set: number;
  /** The items that it covers and none taken before does, in their order. */
  readonly items: readonly number[];
}

/**
 * Covers items by few sets: takes again and again the set with most items that are not covered yet, of equal ones that of the
 * lowest number (V. Chvatal, "A greedy heuristic for the set-covering problem", Mathematics of Operations Research 4, 1979: at
 * most the harmonic number of the largest set times as many as needed).
 *
 * @param setsOfItem for each item the sets that hold it, each once
 * @param options.maxSets sets taken at most; time grows with this times the number of sets
 * @param options.minItems sets that would cover fewer are not taken
 * @example greedyCover([[0], [0, 1], [1]], 2, { maxSets: 2, minItems: 1 }) // [{ set: 0, items: [0, 1] }, { set: 1, items: [2] }]
 */
export function greedyCover(
  setsOfItem: readonly ArrayLike<number>[],
  setCount: number,
  { maxSets, minItems }: { readonly maxSets: number; readonly minItems: number },
): CoverStep[] {
  const open = new Uint32Array(setCount);
  for (const sets of setsOfItem) for (let place = 0; place < sets.length; place++) open[sets[place]!]!++;
  const starts = new Uint32Array(setCount + 1);
  for (let set = 0; set < setCount; set++) starts[set + 1] = starts[set]! + open[set]!;
  const members = new Uint32Array(starts[setCount]!);
  const filled = starts.slice(0, setCount);
  setsOfItem.forEach((sets, item) => {
    for (let place = 0; place < sets.length; place++) members[filled[sets[place]!]!++] = item;
  });

  const covered = new Uint8Array(setsOfItem.length);
  const steps: CoverStep[] = [];
  while (steps.length < maxSets) {
    let best = -1;
    for (let set = 0; set < setCount; set++) if (best === -1 || open[set]! > open[best]!) best = set;
    if (best === -1 || open[best]! < Math.max(1, minItems)) break;
    const items: number[] = [];
    for (let place = starts[best]!; place < starts[best + 1]!; place++) {
      const item = members[place]!;
      if (covered[item]) continue;
      covered[item] = 1;
      items.push(item);
      const sets = setsOfItem[item]!;
      for (let other = 0; other < sets.length; other++) open[sets[other]!]!--;
    }
    steps.push({ set: best, items });
  }
  return steps;
}
