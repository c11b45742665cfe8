import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { badInput, badUsage } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import { asJson } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import { aboutMinutes } from '../web/people/clip-session.ts';
import { clipName, peopleTable, planText } from '../web/people/listening-plan.ts';
import { openPeopleStore, type PeopleStore } from '../web/people/people-store.ts';
import { type ClipSession, type SessionOptions, takeSeats } from '../web/people/planned-session.ts';
import type { Flag, FlagsOf } from './flags.ts';
import { printJson, printLine, say } from './output.ts';
import { addressOf, inviteAndRevoke, peopleFlags, serveUntilEnded } from './people-options.ts';
import { type PlanFiles, plannedFlags } from './plan-over-run.ts';

/** What plans of sessions have in common. */
interface SessionPlan {
  readonly seats: number;
  readonly utterances: readonly { readonly clips: readonly { readonly sha256: string }[] }[];
}

/** All in which the commands differ. */
export interface SessionCommand<Plan extends SessionPlan, Row> {
  /** What the database is one of. */
  readonly kind: 'transcribing' | 'rating';
  /** @returns the plan, and how many utterances of the run could be heard */
  make(files: PlanFiles): Promise<{ readonly plan: Plan; readonly available: number }>;
  parse(text: string, file: string): Plan;
  refuseOther(plan: Plan, file: string): void;
  /** @param available as from `make`; null: the plan was there before */
  lines(plan: Plan, available: number | null): readonly string[];
  seats(plan: Plan): readonly { readonly clips: number; readonly minutes: number }[];
  open(options: SessionOptions<Plan, Row>): ClipSession<Row>;
  text(rows: readonly Row[]): string;
  rowsIn(table: string): Promise<number>;
  /** Of whoever comes in somebody's place. */
  readonly takesOver: string;
  readonly overview: string;
  /** What came of it, and what to do with it. */
  ended(plan: Plan, rows: readonly Row[]): readonly string[];
}

/** What every command takes by which people hear clips of a run. */
export const sessionFlags = [
  ...plannedFlags,
  ['--plan-only', 'make the plan and its clips, and stop'],
  ...peopleFlags,
] as const satisfies readonly Flag[];

export type SessionFlags = FlagsOf<typeof sessionFlags>;

/** Where a session's plan, clips and answers lie. */
function sessionFiles(table: string): PlanFiles & { readonly people: string } {
  const stem = join(dirname(table), basename(table, extname(table)));
  return { plan: `${stem}-plan.json`, clips: `${stem}-clips`, people: `${stem}-people.sqlite` };
}

/** The plan that lies beside a table; null: there is none yet. */
export async function planBeside<Plan>(
  table: string,
  parse: (text: string, file: string) => Plan,
): Promise<Plan | null> {
  const { plan } = sessionFiles(table);
  const text = await readFile(plan, 'utf8').catch(() => null);
  return text === null ? null : parse(text, plan);
}

/**
 * A session from its plan to its table: makes the plan where there is none, lets people in, and writes what they say until it is to end.
 *
 * @throws EarwitnessError `bad-usage` for people without a seat, or flags that want another plan; `bad-input` where plan, clips or table were changed since
 */
export async function holdSession<Plan extends SessionPlan, Row>(
  table: string,
  options: SessionFlags,
  command: SessionCommand<Plan, Row>,
): Promise<void> {
  const address = await addressOf(options);
  const files = sessionFiles(table);
  const before = await planBeside(table, command.parse);
  const { plan, available } = before === null ? await command.make(files) : { plan: before, available: null };
  if (before !== null) {
    command.refuseOther(plan, files.plan);
    const { length } = plan.utterances;
    if (options.utterances !== undefined && options.utterances > length)
      say(`The plan has ${length} utterances, not ${options.utterances}: it was made before anybody listened`);
  }
  if (options.planOnly) {
    if (options.json) await printJson(asJson({ plan: files.plan, clips: files.clips, seats: command.seats(plan) }));
    else for (const line of command.lines(plan, available)) await printLine(line);
    return;
  }
  if (before === null) for (const line of command.lines(plan, available)) say(line);
  using people = openPeopleStore(files.people, command.kind, systemClock);
  await keepToPlan(people, plan, files);
  // Who is refused takes no part in the next start either.
  people.together(() => {
    inviteAndRevoke(people, options);
    const without = takeSeats(people, plan);
    if (without.length === 0) return;
    throw badUsage(
      `expected no more people than the ${plan.seats} seats of the plan, but there is none for ${without.join(', ')}; --revoke somebody whose ${command.takesOver}, or plan another table with more --listeners`,
    );
  });
  if (people.people().length === 0) {
    throw badUsage('expected somebody to listen; name them: --person anna --person ben');
  }
  const said = peopleTable(people, table, command.rowsIn);
  await said.check();
  const session = command.open({
    ...{ plan, clips: files.clips, people },
    write: (rows) => said.write(command.text(rows)),
    problem: (sentence) => say(printable(sentence, 500)),
  });
  await serveUntilEnded(people, session, address, {
    ...{ json: options.json === true, share: session.share, overview: command.overview, more: { plan: files.plan } },
    inWords: ({ clips, minutes }) => `${clips} clips, ${aboutMinutes(minutes)}`,
  });
  await session.writeTable();
  // What could not be written was told; at the end it is an error.
  await said.write(command.text(session.rows()));
  for (const sentence of command.ended(plan, session.rows())) say(sentence);
}

/** Plan and clips as they were when people began. */
async function keepToPlan(people: PeopleStore, plan: SessionPlan, files: PlanFiles): Promise<void> {
  for (const [utterance, { clips }] of plan.utterances.entries()) {
    for (const [condition, { sha256: expected }] of clips.entries()) {
      const path = join(files.clips, clipName({ utterance, condition }));
      const bytes = await readFile(path).catch(() => null);
      if (bytes !== null && sha256(bytes) === expected) continue;
      throw badInput(
        `${path}: expected the clip of the plan, but ${bytes === null ? 'it is not there' : 'its bytes are others'}; put it back, or begin with another table`,
      );
    }
  }
  const hash = sha256(planText(plan));
  const before = people.remembered('plan');
  if (before === null) people.remember('plan', hash);
  else if (before !== hash) {
    throw badInput(
      `${files.plan}: expected the plan by which people listened before, but it was changed; put it back, or begin with another table`,
    );
  }
}
