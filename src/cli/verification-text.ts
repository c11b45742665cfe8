import type { Json } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import type { Difference } from '../session/evidence/differences.ts';
import type { AnswerCheck, RecomputedFinding, Verification } from '../session/evidence/verification.ts';

const mostShown = 20;

/** What a verification says to people, one fact a line. */
export function verificationText(verification: Verification): string {
  const { run, madeBy, verifiedBy, transcripts, seal, plan, answers, timeFaults, findings, limits, verdict } =
    verification;
  const lines = [
    `Run ${printable(run.id, 60)}, "${printable(run.name, 80)}": planned by earwitness ${printable(madeBy.plan, 30)}, bundled by ${printable(madeBy.bundle, 30)}, verified by ${verifiedBy}.`,
    '',
    ...checked('Seal', seal.faults, `nothing was changed since it was sealed (${seal.sha256})`),
    ...checked(
      'Plan',
      plan.faults,
      `config, recognizers and studies are those of the plan, and so ${transcripts ? 'are the utterances' : 'is the number of utterances'} (${plan.sha256})`,
    ),
    ...checked('Time', timeFaults, timeSentence(verification)),
    ...earlierNote(answers),
    ...checked(
      'Answers',
      answers.faultCount > answers.faults.length
        ? [...answers.faults, `and ${answers.faultCount - answers.faults.length} more`]
        : answers.faults,
      `each of ${answers.answers} belongs to its question, sound and recognizer: ${answers.recognitions} of recognizers, of which ${answers.failures} are failures`,
    ),
    ...findings.flatMap(findingLines),
    ...limits.map((limit) => `limited  ${limit}`),
    '',
    verdict === 'verified'
      ? 'VERIFIED: everything is as it was sealed, planned and reported.'
      : verdict === 'limited'
        ? 'NOT WHOLLY VERIFIED: nothing is wrong, but not everything could be checked.'
        : 'NOT VERIFIED: something is not as it was sealed, planned or reported.',
  ];
  return `${lines.join('\n')}\n`;
}

function checked(what: string, faults: readonly string[], fine: string): string[] {
  return faults.length === 0
    ? [`right    ${what}: ${fine}`]
    : faults.map((fault) => `WRONG    ${what}: ${printable(fault, 400)}`);
}

function timeSentence({ plan, answers }: Verification): string {
  const at = (ms: number) => new Date(ms).toISOString();
  const first =
    answers.firstAskedAtMs === null
      ? 'the run made no call of its own'
      : `before the first call (${at(answers.firstAskedAtMs)})`;
  return `by the maker's clock the plan was fixed ${at(plan.frozenAtMs)}, ${first}`;
}

/** Who plans may have seen what earlier runs gave. */
function earlierNote({ earlier, earlierWithoutTime, askedBeforePlan }: AnswerCheck): string[] {
  if (earlier === 0) return [];
  const unknown = earlierWithoutTime === 0 ? '' : `, of ${earlierWithoutTime} it is not known when`;
  return [
    `note     Time: ${earlier} answers came from other runs: ${askedBeforePlan} were asked before this plan was fixed${unknown}. Whoever planned may have seen them.`,
  ];
}

function findingLines({
  study,
  state,
  reason,
  sameNumbers,
  differences,
  differenceCount,
}: RecomputedFinding): string[] {
  if (state === 'same')
    return [`right    Finding of ${study}: computed again, all ${sameNumbers} numbers are the same`];
  if (state === 'not possible') return [];
  if (state === 'failed') return [`WRONG    Finding of ${study}: it cannot be computed from these answers: ${reason}`];
  const more =
    differenceCount > mostShown ? [`         and ${differenceCount - mostShown} more; --json lists up to 1000`] : [];
  return [
    `WRONG    Finding of ${study}: ${differenceCount} ${differenceCount === 1 ? 'place differs' : 'places differ'}, ${sameNumbers} numbers are the same`,
    ...differences.slice(0, mostShown).map(differenceLine),
    ...more,
  ];
}

function differenceLine({ path, reported, recomputed }: Difference): string {
  const show = (value: Json | undefined) => (value === undefined ? 'nothing' : printable(JSON.stringify(value), 80));
  return `         ${printable(path, 160)}: reported ${show(reported)}, computed ${show(recomputed)}`;
}
