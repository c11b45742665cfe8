import { EarwitnessError, messageOf, missingProgram } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { Finding } from '../../model/finding.ts';
import { storedFinding } from '../../model/stored-finding.ts';
import type { Study, StudyContext } from '../../studies/contract.ts';
import { loadMember, loadNamedMember } from '../members/load-member.ts';
import { checkOwnModule } from '../members/own-module.ts';
import { amongAsked, sequentialAsking, sequentialAskingName } from '../stored/sequential-asking.ts';
import type { KnownParts, Plan } from './known-parts.ts';
import type { AnswerReplay } from './replay-answers.ts';
import { compareJson, type RecomputedFinding } from './verification.ts';

const maxDifferences = 1000;

/**
 * Lets each study of a run conclude again from the answers of its bundle, and compares what it concludes with what was
 * reported.
 *
 * @param on is told which study is at work
 */
export async function recomputeFindings(
  known: KnownParts,
  plan: Plan,
  parts: {
    readonly context: StudyContext;
    readonly replay: AnswerReplay;
    readonly modules: string | null;
    readonly on: (study: string) => void;
  },
): Promise<RecomputedFinding[]> {
  const results: RecomputedFinding[] = [];
  for (const [index, planned] of plan.studies.entries()) {
    parts.on(planned.name);
    const none = { study: planned.name, sameNumbers: 0, differences: [], differenceCount: 0, finding: null };
    const reported = known.findings[index]?.finding;
    if (reported === undefined) {
      results.push({
        ...none,
        state: 'failed',
        reason: 'the plan has this study, but the bundle has no finding of it',
      });
      await parts.replay.skip(planned.name);
      continue;
    }
    try {
      const study = await studyOf(planned, parts.modules);
      if (study.version !== planned.version) throw otherVersion(study, planned.version, plan);
      const before = results.flatMap(({ finding: earlier }) => earlier ?? []);
      const context = { ...parts.context, findings: before };
      const finding = await conclude(study, planned.options, { ...parts, context });
      const again = JSON.parse(JSON.stringify(finding)) as Json;
      const compared = compareJson(storedFinding(reported), again, `findings[${index}]`, maxDifferences);
      const state = compared.differenceCount === 0 ? 'same' : 'different';
      results.push({ study: planned.name, state, ...compared, finding });
    } catch (error) {
      const possible = !(error instanceof EarwitnessError && error.code === 'missing-program');
      results.push({ ...none, state: possible ? 'failed' : 'not possible', reason: printable(messageOf(error), 400) });
      await parts.replay.skip(planned.name);
    }
  }
  const tooMuch = (study: string, reason: string) =>
    results.push({
      ...{ study: printable(study, 60), state: 'failed', reason, finding: null },
      ...{ sameNumbers: 0, differences: [], differenceCount: 0 },
    });
  const computed = results.every(({ state }) => state === 'same' || state === 'different');
  const left = computed ? await parts.replay.left() : null;
  if (left !== null) tooMuch(left, 'the bundle has answers that no study of the plan asks for');
  for (const { finding } of known.findings.slice(plan.studies.length)) {
    const study = finding.study as { name?: unknown } | undefined;
    tooMuch(String(study?.name ?? 'unnamed'), 'the bundle has this finding, but the plan has no such study');
  }
  return results;
}

async function studyOf(
  { name, module }: Pick<Plan['studies'][number], 'name' | 'module'>,
  modules: string | null,
): Promise<Study> {
  if (module === null && name === sequentialAskingName)
    return sequentialAsking((asked) => studyOf(asked, modules)) as Study<never>;
  if (module === null) return amongAsked(await loadNamedMember('studies', name));
  await checkOwnModule(module.path, modules, module.hash);
  return amongAsked((await loadMember('studies', module.path, modules ?? '.')).member);
}

function otherVersion({ name, version }: Study, planned: number, plan: Plan): EarwitnessError {
  return missingProgram(
    `this program has version ${version} of the study ${name}, and the run had ${planned}; verify with earwitness ${plan.program?.earwitness ?? 'of that time'}`,
  );
}

async function conclude(
  study: Study,
  options: Json,
  { context, replay }: { readonly context: StudyContext; readonly replay: AnswerReplay },
): Promise<Finding> {
  const asking = study.run(study.options.parse(options), context);
  let step = await asking.next();
  while (!step.done) step = await asking.next(await replay.answers(study.name, step.value));
  return step.value;
}
