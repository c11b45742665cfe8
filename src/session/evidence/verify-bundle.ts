import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { RunReport } from '../../model/run.ts';
import { namedFindings } from '../../report/prepare/named-findings.ts';
import { packageVersion } from '../version.ts';
import type { BundleLine } from './bundle-line.ts';
import { bundledContext } from './bundled-context.ts';
import { createAnswerChecker } from './check-answers.ts';
import { planFaults } from './check-plan.ts';
import { type KnownParts, knownParts } from './known-parts.ts';
import { type Plan, readPlan } from './plan-shape.ts';
import { readBundle } from './read-bundle.ts';
import { recomputeFindings } from './recompute.ts';
import { createAnswerReplay } from './replay-answers.ts';
import type { AnswerCheck, RecomputedFinding, Verification, VerifyOptions } from './verification.ts';

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
    findings: namedFindings(made, []),
    warnings: [],
    timing: { run: run.id, plan: plan.name },
  };
}
