import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { isoTime } from '../../base/clock.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { AnswerCheck, Difference, RecomputedFinding, Verification } from '../../session/evidence/verification.ts';
import { verifyBundle } from '../../session/evidence/verify-bundle.ts';
import { writeReport } from '../../session/run/write-report.ts';

import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { print, printJson, say } from '../output.ts';

const flags = [
  ['--plan <hash>', "the plan's hash, as noted when the run began", hash],
  ['--seal <hash>', "the seal's hash, as noted when the bundle was made", hash],
  ['--modules <folder>', "the maker's own normalizers and studies, in the places that the config names"],
  ['--out <folder>', 'write the recomputed report to this folder, as HTML, JSON, Markdown and CSV'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `verify BUNDLE` */
export const verify: CliCommand = {
  examples: ['verify evidence.jsonl.gz', 'verify evidence.jsonl.gz --out report', 'verify evidence.jsonl.gz --json'],
  notes:
    'Needs no audio, recognizers or models, and sends nothing. It checks every hash, that the plan was fixed before the first call, and that each answer belongs to its trial, and recomputes every finding from the answers. No code comes from a bundle: normalizers and studies of the user who made it are used only from the folder given, and only where their hash fits. It ends with 10 unless everything was checked and right.',
  flags,
  configure(command: Command) {
    command.argument('<bundle>', 'the file that `earwitness bundle` wrote').action(run);
  },
};

async function run(file: string, { plan, seal, modules, out, json }: Options): Promise<void> {
  const verification = await verifyBundle(file, {
    plan: plan ?? null,
    seal: seal ?? null,
    modules: modules === undefined ? null : resolve(modules),
    on: (what) => say(what),
  });
  const { report, findings, ...rest } = verification;
  const shown = findings.map(({ finding: _finding, ...result }) => result);
  if (json) await printJson({ ...rest, findings: shown } as unknown as Json);
  else await print(verificationText(verification));
  if (out !== undefined && report !== null) {
    const files = await writeReport(report, new Map(), resolve(out), { sound: false, transcripts: true });
    say(`report: ${files.html}`);
  }
  if (out !== undefined && report === null) say('no report: not every finding could be recomputed');
  if (verification.verdict === 'not verified') {
    throw new EarwitnessError(
      'not-verified',
      `${file}: not everything is as it was sealed, planned and reported; see above`,
    );
  }
  if (verification.verdict === 'limited') {
    throw new EarwitnessError(
      'not-verified',
      `${file}: nothing is wrong, but not everything could be checked; see above`,
    );
  }
}

/** For commander. */
function hash(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('expected a SHA-256: 64 hexadecimal digits');
  return text.toLowerCase();
}

const maxShown = 20;

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
      answersInWords(answers),
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
  const at = (ms: number) => isoTime(ms) ?? String(ms);
  const first =
    answers.firstAskedAtMs === null
      ? 'the run made no calls of its own'
      : `before the first call (${at(answers.firstAskedAtMs)})`;
  return `by the maker's clock the plan was fixed ${at(plan.frozenAtMs)}, ${first}`;
}

/** What is no answer of a recognizer was measured. */
function answersInWords({ answers, recognitions, failures }: AnswerCheck): string {
  const measured = answers - recognitions;
  const others = measured === 0 ? '' : `, and each of ${counted(measured, 'measurement')} to what was measured`;
  return `each of ${counted(recognitions, 'answer')} of recognizers (${counted(failures, 'failure')}) belongs to its trial, clip and recognizer${others}`;
}

/** Who plans may have seen what earlier runs gave. */
function earlierNote({ earlier, earlierWithoutTime, askedBeforePlan }: AnswerCheck): string[] {
  if (earlier === 0) return [];
  const unknown = earlierWithoutTime === 0 ? '' : `, of ${earlierWithoutTime} it is not known when`;
  return [
    `note     Time: ${earlier} answers came from other runs: ${askedBeforePlan} were asked before this plan was fixed${unknown}. Whoever made the plan may have seen them.`,
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
  if (state === 'same') return [`right    Finding of ${study}: recomputed, all ${sameNumbers} numbers are the same`];
  if (state === 'not possible') return [];
  if (state === 'failed')
    return [`WRONG    Finding of ${study}: it cannot be recomputed from these answers: ${reason}`];
  const more =
    differenceCount > maxShown ? [`         and ${differenceCount - maxShown} more; --json lists up to 1000`] : [];
  return [
    `WRONG    Finding of ${study}: ${differenceCount} ${differenceCount === 1 ? 'place differs' : 'places differ'}, ${sameNumbers} numbers are the same`,
    ...differences.slice(0, maxShown).map(differenceLine),
    ...more,
  ];
}

function differenceLine({ path, reported, recomputed }: Difference): string {
  const show = (value: Json | undefined) => (value === undefined ? 'nothing' : printable(JSON.stringify(value), 80));
  return `         ${printable(path, 160)}: reported ${show(reported)}, computed ${show(recomputed)}`;
}
