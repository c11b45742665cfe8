import { createRandom } from '../../base/random.ts';
import type { GateCheck } from '../../model/gate.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import { spendByPower, spendingBoundaries } from '../../statistics/sequential/spending-boundaries.ts';
import { checkKey, isSampled } from './limits.ts';

/** One of several times that limits are judged while a run goes on. */
export interface Look {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Speakers asked until then, and as a share of all. */
  readonly speakers: number;
  readonly share: number;
  /** What a one-sided test may err at this look, so that it errs with at most `alpha` at all looks together. */
  errorOf(alpha: number): number;
}

const maxLooks = 20;

/** The method in words, for reports. */
export const looksMethod =
  'group-sequential, error spent with the square of the share of speakers (Lan-DeMets, Kim-DeMets), tests and intervals over speakers';

/** Who is asked as a whole: a speaker, or an utterance of which nobody knows who speaks. */
export function speakerOf({ speaker, id }: Pick<Utterance, 'speaker' | 'id'>): string {
  return speaker === undefined ? `u ${id}` : `s ${speaker}`;
}

/**
 * The order in which speakers are asked: fixed by the seed, and every beginning of it has the groups of the attributes in nearly the shares that all have. All that
 * a speaker says is asked at once, so that conditions are balanced too.
 */
export function orderSpeakers(utterances: Iterable<Utterance>, attributes: readonly string[], seed: number): string[] {
  const groups = new Map<string, string>();
  for (const utterance of utterances) {
    const speaker = speakerOf(utterance);
    if (!groups.has(speaker))
      groups.set(speaker, JSON.stringify(attributes.map((name) => attributeOf(utterance, name) ?? null)));
  }
  const random = createRandom({ seed, use: 'order of speakers' });
  // Sorted by their names, so that the order in which utterances stand decides nothing.
  const names = [...groups.keys()].sort((a, b) => byCodeUnit(groups.get(a)!, groups.get(b)!) || byCodeUnit(a, b));
  const placed = [...Map.groupBy(names, (speaker) => groups.get(speaker)!).values()].flatMap((own) => {
    const shuffled = own.map((speaker) => ({ speaker, place: random.next() }));
    shuffled.sort((a, b) => a.place - b.place);
    return shuffled.map(({ speaker, place }, at) => ({ speaker, place: (at + place) / own.length }));
  });
  return placed.sort((a, b) => a.place - b.place).map(({ speaker }) => speaker);
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The looks of a run of so many speakers: twenty in equal steps, none before so many speakers as an interval needs, the last at the end. */
export function planLooks(speakers: number, minimumSpeakers: number): Look[] {
  const steps = Array.from({ length: maxLooks }, (_, step) => Math.ceil((speakers * (step + 1)) / maxLooks));
  const ends = [...new Set(steps.map((step) => Math.min(speakers, Math.max(minimumSpeakers, step))))];
  const shares = ends.map((end) => end / speakers);
  const known = new Map<number, number[]>();
  const errors = (alpha: number) => {
    const found = known.get(alpha) ?? spendingBoundaries(shares, alpha, spendByPower(2));
    known.set(alpha, found);
    return found;
  };
  return ends.map((end, at) => ({
    ...{ number: at + 1, of: ends.length, speakers: end, share: shares[at]! },
    errorOf: (alpha) => errors(alpha)[at]!,
  }));
}

/** A check with the look at which it was decided; null: it was not. */
export interface LookedCheck extends Omit<GateCheck, 'decidedAtLook'> {
  readonly decidedAtLook: number | null;
}

/** What is known after another look: what was decided before stays as it was. */
export function decideAtLook(before: readonly LookedCheck[], checks: readonly GateCheck[], look: Look): LookedCheck[] {
  const decided = new Map(before.filter((one) => one.decidedAtLook !== null).map((one) => [checkKey(one), one]));
  return checks.map(
    (check) =>
      decided.get(checkKey(check)) ?? {
        ...check,
        decidedAtLook: check.verdict === 'inconclusive' ? null : look.number,
      },
  );
}

/**
 * Whether nothing that is still to be asked can change what is wanted to know.
 *
 * @param until `verdict`: that of the gate, which is sure with the first fail; `limits`: of every limit. Counts wait for nothing: they are those of what was asked
 */
export function isCertain(checks: readonly LookedCheck[], until: 'verdict' | 'limits'): boolean {
  if (until === 'verdict' && checks.some(({ verdict }) => verdict === 'fail')) return true;
  const sampled = checks.filter(isSampled);
  return sampled.length > 0 && sampled.every(({ decidedAtLook }) => decidedAtLook !== null);
}
