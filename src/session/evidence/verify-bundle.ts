import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { RunReport } from '../../model/run.ts';
import { packageVersion } from '../version.ts';
import type { BundleLine } from './bundle-line.ts';
import { bundledContext } from './bundled-context.ts';
import { type AnswerCheck, createAnswerChecker } from './check-answers.ts';
import { planFaults } from './check-plan.ts';
import { type KnownParts, knownParts } from './known-parts.ts';
import { type Plan, readPlan } from './plan-shape.ts';
import { readBundle } from './read-bundle.ts';
import { type RecomputedFinding, recomputeFindings } from './recompute.ts';
import { createAnswerReplay } from './replay-answers.ts';

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

/**
 * Checks an evidence bundle without recognizers, models, sounds or network: every hash, that the plan was fixed before the
 * first answer, and every number, by letting the studies conclude again from the answers.
 *
 * @throws EarwitnessError `bad-input` where the file is no whole bundle
 * @example const { verdict } = await verifyBundle('evidence.jsonl.gz', { plan: null, seal: null, modules: null, on() {} });
 */
export async function verifyBundle(file: string, options: VerifyOptions): Promise<Verification> {
  try {
    return await verify(file, options);
  } catch (error) {
    // What is nested a hundred thousand times overflows whoever walks through it.
    if (!(error instanceof RangeError)) throw error;
    throw new EarwitnessError('bad-input', `${printable(file, 300)}: nested too deeply to be a bundle`, {
      cause: error,
    });
  }
}

async function verify(file: string, options: VerifyOptions): Promise<Verification> {
  options.on('checking every hash');
  const checker = createAnswerChecker();
  const known = await knownParts(file, (line, before) => checker.add(line, before));
  const answers = checker.result();
  const plan = readPlan(known.plan);
  const { header, run, seal } = known;

  const sealFaults = [...known.brokenSeals];
  if (options.seal !== null && options.seal !== seal.sha256) {
    sealFaults.push(`the bundle is not the one that was noted: its seal is ${seal.sha256}`);
  }
  const limits: string[] = [];
  if (!header.transcripts) {
    limits.push(
      'What was said has been left out of this bundle, so no number can be computed again, nor the hash of the utterances: only the other hashes and the times were checked.',
    );
  }
  const findings = header.transcripts ? await replayed(file, known, plan, options) : [];
  for (const { study, state, reason } of findings) {
    if (state === 'not possible') limits.push(`The finding of ${study} was not computed again: ${reason}.`);
  }
  const planWrong = planFaults(known, plan, options.plan);
  const timeFaults = timesOutOfOrder(known, answers);
  const wrong =
    sealFaults.length + planWrong.length + timeFaults.length + answers.faultCount > 0 ||
    findings.some(({ state }) => state === 'different' || state === 'failed');
  return {
    verdict: wrong ? 'not verified' : limits.length > 0 ? 'limited' : 'verified',
    run: { id: run.id, name: run.name },
    madeBy: { plan: plan.program?.earwitness ?? 'unknown', bundle: header.earwitness },
    verifiedBy: packageVersion(),
    transcripts: header.transcripts,
    seal: { sha256: seal.sha256, faults: sealFaults },
    plan: { sha256: known.plan.hash, frozenAtMs: known.plan.frozenAtMs, faults: planWrong },
    answers,
    timeFaults,
    findings,
    limits,
    report: reportOf(known, plan, findings),
  };
}

async function replayed(
  file: string,
  known: KnownParts,
  plan: Plan,
  { modules, on }: VerifyOptions,
): Promise<RecomputedFinding[]> {
  const replay = createAnswerReplay(known, plan, answerLines(file));
  try {
    return await recomputeFindings(known, plan, {
      context: bundledContext(known, plan, modules),
      replay,
      modules,
      on: (study) => on(`computing ${study} again`),
    });
  } finally {
    await replay.close();
  }
}

async function* answerLines(file: string): AsyncGenerator<BundleLine<'answer' | 'batch'>> {
  for await (const { part, line } of readBundle(file)) {
    if (part === 'answer' || part === 'batch') yield line as BundleLine<'answer' | 'batch'>;
  }
}

function timesOutOfOrder({ run, plan }: KnownParts, { firstAskedAtMs }: AnswerCheck): string[] {
  const at = (ms: number) => (Number.isFinite(new Date(ms).getTime()) ? new Date(ms).toISOString() : String(ms));
  const faults: string[] = [];
  if (firstAskedAtMs !== null && firstAskedAtMs < plan.frozenAtMs) {
    faults.push(
      `the first call of the run was made ${at(firstAskedAtMs)}, before its plan was fixed (${at(plan.frozenAtMs)})`,
    );
  }
  if (plan.frozenAtMs < run.startedAtMs || run.finishedAtMs < plan.frozenAtMs) {
    faults.push(
      `the plan was fixed ${at(plan.frozenAtMs)}, outside of the run (${at(run.startedAtMs)} to ${at(run.finishedAtMs)})`,
    );
  }
  return faults;
}

function reportOf({ run, header }: KnownParts, plan: Plan, findings: readonly RecomputedFinding[]): RunReport | null {
  const made = findings.flatMap(({ finding }) => (finding === null ? [] : [finding]));
  if (!header.transcripts || made.length < findings.length) return null;
  return {
    earwitness: packageVersion(),
    run: { name: run.name, seed: run.seed },
    recognizers: run.recognizers.map(({ name, identity }) => ({ name, identity })),
    tally: run.tally,
    failures: [],
    findings: made,
    warnings: [],
    timing: { run: run.id, plan: plan.name },
  };
}
