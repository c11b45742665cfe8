import type { Json } from '../../base/json.ts';
import type { Finding } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';

/** A place where two JSON values are not the same. */
export interface Difference {
  /** `findings[0].answer[2].estimate.low` */
  readonly path: string;
  /** Absent: there is nothing in this place. */
  readonly reported?: Json;
  readonly recomputed?: Json;
}

/** How two JSON values compare. */
export interface Compared {
  /** Numbers that are the same in both. */
  readonly sameNumbers: number;
  /** The first of them, in order. */
  readonly differences: readonly Difference[];
  readonly differenceCount: number;
}

/**
 * Every place where a reported value is not what was computed again: numbers to the last digit, texts to the last letter.
 *
 * @param most how many differences are listed; all are counted
 * @example compareJson({ rate: 0.1 }, { rate: 0.2 }, 'finding', 10).differences // [{ path: 'finding.rate', … }]
 */
export function compareJson(reported: Json, recomputed: Json, path: string, most: number): Compared {
  const differences: Difference[] = [];
  let differenceCount = 0;
  let sameNumbers = 0;
  const differ = (difference: Difference) => {
    differenceCount++;
    if (differences.length < most) differences.push(difference);
  };
  const walk = (one: Json, other: Json, place: string): void => {
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
      if (one !== other) differ({ path: place, reported: one, recomputed: other });
      else if (typeof one === 'number') sameNumbers++;
      return;
    }
    if (Array.isArray(one) !== Array.isArray(other)) {
      differ({ path: place, reported: one, recomputed: other });
      return;
    }
    const [first, second] = [one, other] as readonly Readonly<Record<string, Json>>[];
    for (const key of new Set([...Object.keys(first!), ...Object.keys(second!)])) {
      const inner = Array.isArray(one) ? `${place}[${key}]` : `${place}.${key}`;
      const has = [first!, second!].map((side) => Object.hasOwn(side, key));
      if (!has[0]) differ({ path: inner, recomputed: second![key]! });
      else if (!has[1]) differ({ path: inner, reported: first![key]! });
      else walk(first![key]!, second![key]!, inner);
    }
  };
  walk(reported, recomputed, path);
  return { sameNumbers, differences, differenceCount };
}

// What writing and checking a bundle give back; the types alone, which the package's face shows.

/** How a bundle is checked. */
export interface VerifyOptions {
  /** The plan's hash as somebody noted it when the run began. */
  readonly plan: string | null;
  /** The seal's hash as somebody noted it when the bundle was made. */
  readonly seal: string | null;
  /** Folder of normalizers and studies of the user's own, which a bundle never brings. */
  readonly modules: string | null;
  /** Is told what is being done. */
  readonly on: (what: string) => void;
}

/** What was found out about a bundle. */
export interface Verification {
  /**
   * - `verified`: everything is as it was sealed, planned and reported
   * - `limited`: nothing is wrong, but not everything could be checked
   * - `not verified`: something is not as it was sealed, planned or reported
   */
  readonly verdict: 'verified' | 'limited' | 'not verified';
  readonly run: { readonly id: string; readonly name: string };
  readonly madeBy: { readonly plan: string; readonly bundle: string };
  readonly verifiedBy: string;
  /** False: what was said has been left out, so that of the utterances only the number is compared with the plan. */
  readonly transcripts: boolean;
  readonly seal: { readonly sha256: string; readonly faults: readonly string[] };
  readonly plan: { readonly sha256: string; readonly frozenAtMs: number; readonly faults: readonly string[] };
  readonly answers: AnswerCheck;
  /** What happened in another order than it must. */
  readonly timeFaults: readonly string[];
  readonly findings: readonly RecomputedFinding[];
  /** Why not everything could be checked. */
  readonly limits: readonly string[];
  /** What was computed again, as a report; null where any finding was not. */
  readonly report: RunReport | null;
}

/** What the answers of a bundle are by themselves, before any study reads them: what several studies ask is counted once. */
export interface AnswerCheck {
  readonly answers: number;
  readonly recognitions: number;
  readonly failures: number;
  /** Of the run's own calls: when the first was made; null where none was journaled. */
  readonly firstAskedAtMs: number | null;
  readonly askedBeforePlan: number;
  /** Recognitions taken over from other runs. */
  readonly earlier: number;
  /** Of these, such whose call is not journaled any more. */
  readonly earlierWithoutTime: number;
  /** The first faults, one sentence each. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

/** What became of one finding when it was computed again. */
export interface RecomputedFinding {
  readonly study: string;
  /**
   * - `same`: every number and word is what was reported
   * - `different`: `differences` says where
   * - `failed`: from these answers it cannot be computed, `reason` says why
   * - `not possible`: this program cannot compute it, `reason` says what is missing
   */
  readonly state: 'same' | 'different' | 'failed' | 'not possible';
  readonly reason?: string;
  readonly sameNumbers: number;
  readonly differences: readonly Difference[];
  readonly differenceCount: number;
  /** As it was computed again; null where it was not. */
  readonly finding: Finding | null;
}

/** A bundle that was written. */
export interface WrittenBundle {
  readonly file: string;
  readonly bytes: number;
  readonly seal: {
    /** Of each kind of lines: how many, SHA-256 of all, and of each hundred of them. */
    readonly parts: Readonly<
      Record<string, { readonly lines: number; readonly sha256: string; readonly hundreds: readonly string[] }>
    >;
    /** The one number that stands for the whole bundle. */
    readonly sha256: string;
  };
  /** Hash of the plan, and when it was fixed. */
  readonly plan: { readonly hash: string; readonly frozenAtMs: number };
}
