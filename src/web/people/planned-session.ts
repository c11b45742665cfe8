import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Answer } from '../frame.ts';
import { type ClipTask, type Fields, openClipSession, type SessionKind } from './clip-session.ts';
import { clipName } from './listening-plan.ts';
import type { PeopleStore } from './people-store.ts';
import type { PeoplePages } from './serve-people.ts';

/** One clip that somebody is given by a plan. */
interface PlannedTask extends ClipTask {
  /** Number of the utterance. */
  readonly utterance: number;
}

/** Where a planned session has its clips from, and where what people say goes. */
export interface SessionOptions<Plan, Row> {
  readonly plan: Plan;
  /** Folder of the clips, named by `clipName`. */
  readonly clips: string;
  readonly people: PeopleStore;
  /** Writes the table anew. */
  write(rows: readonly Row[]): Promise<void>;
  /** Something is wrong that those who take part cannot mend; the answers are kept all the same. */
  problem(sentence: string): void;
}

/** Pages for those who hear clips, and for whoever looks after them: counts alone. */
export interface ClipSession<Row> extends PeoplePages {
  /** What everybody said, in the order of the plan. */
  rows(): readonly Row[];
  /** Writes the table. */
  writeTable(): Promise<void>;
  /** What somebody is to hear, and about how long that takes. */
  share(person: string): { readonly clips: number; readonly minutes: number };
}

interface PlannedKind<Task extends PlannedTask, Value, Row>
  extends Omit<SessionKind<Task, Value>, 'valueOf' | 'isLeftOut' | 'clipAt' | 'keep'> {
  minutesOf(tasks: readonly Task[]): number;
  rows(): readonly Row[];
  /** Number of the clip that is heard at a task's address, or below it; null: there is none. */
  clipAt(task: Task, below: string | undefined): number | null;
  /** What is kept, by question, of what was sent; or why it is not taken. Null: nobody asks that. */
  keep(
    question: string | undefined,
    sent: Fields,
    of: { readonly person: string; readonly task: Task; readonly tasks: readonly Task[] },
  ): Answer | { readonly keep: Readonly<Record<string, Json>> } | null;
}

/** What everybody said, by person and task. */
export function everything<Value>(people: PeopleStore, question: string): Map<string, Map<string, Value>> {
  const found = new Map<string, Map<string, Value>>();
  for (const { person, task, question: asked, value } of people.answers()) {
    if (asked !== question) continue;
    const mine = found.get(person) ?? new Map<string, Value>();
    found.set(person, mine.set(task, value as unknown as Value));
  }
  return found;
}

/** Writes one after another; what comes meanwhile is written together. The database has it already. */
export function writtenInTurn(write: () => Promise<void>): () => Promise<void> {
  let writing: Promise<void> | null = null;
  let again = false;
  const writeAll = async () => {
    try {
      do {
        again = false;
        await write();
      } while (again);
    } finally {
      writing = null;
    }
  };
  return () => {
    again = writing !== null;
    writing ??= writeAll();
    return writing;
  };
}

/** A session over the clips of a plan, in its order, whose table is written anew with every answer. No words are on any page. */
export function openPlannedSession<Task extends PlannedTask, Value, Row>(
  {
    plan,
    clips,
    people,
    write,
    problem,
  }: SessionOptions<
    { readonly utterances: readonly { readonly clips: readonly { readonly sha256: string }[] }[] },
    Row
  >,
  kind: PlannedKind<Task, Value, Row>,
): ClipSession<Row> {
  const { question, rows } = kind;
  const writeTable = writtenInTurn(() => write(rows()).catch((error: unknown) => problem(messageOf(error))));
  const session = openClipSession<Task, Value>(
    { people, problem },
    {
      ...kind,
      valueOf: (person, { key }) => people.answer(person, key, question) as Value | null,
      answer(asked) {
        const other = kind.answer?.(asked) ?? null;
        // What it kept may say whose answers count.
        if (other !== null && asked.sent !== undefined) void writeTable();
        return other;
      },
      clipAt(task, below) {
        const { utterance } = task;
        const clip = kind.clipAt(task, below);
        if (clip === null) return null;
        const path = join(clips, clipName({ utterance, condition: clip }));
        return { path, sha256: plan.utterances[utterance]!.clips[clip]!.sha256 };
      },
      keep(asked, sent, { person, task }) {
        const found = kind.keep(asked, sent, { person, task, tasks: session.tasksOf(person) });
        if (found === null || !('keep' in found)) return found;
        return {
          keep: Object.entries(found.keep).map(([name, value]) => ({ task: task.key, question: name, value })),
          afterwards(next) {
            if (question in found.keep) void writeTable();
            return next;
          },
        };
      },
    },
  );
  return {
    ...{ ...session, writeTable, rows },
    share: (person) => ({
      clips: session.tasksOf(person).length,
      minutes: kind.minutesOf(session.tasksOf(person)),
    }),
  };
}

const seatsName = 'seats';

/** Who sits or sat where. */
type Seat = { readonly name: string; readonly seat: number };

/** In the order in which they were taken: the last one of a seat goes on with it. */
export function seatsOf(people: PeopleStore): readonly Seat[] {
  return (people.remembered(seatsName) ?? []) as readonly Seat[];
}

/**
 * Gives everybody who takes part a seat of the plan: the first that is free, or that of somebody whose link was revoked.
 *
 * @returns who got none
 */
export function takeSeats(people: PeopleStore, plan: { readonly seats: number }): readonly string[] {
  const seats = [...seatsOf(people)];
  const everyone = people.people();
  const active = new Set(everyone.flatMap(({ name, revoked }) => (revoked ? [] : [name])));
  const lastIn = (seat: number) => seats.findLast((one) => one.seat === seat)?.name;
  const all = Array.from({ length: plan.seats }, (_, seat) => seat);
  const without: string[] = [];
  for (const name of active) {
    const own = seats.find((one) => one.name === name)?.seat;
    if (own !== undefined && lastIn(own) === name) continue;
    const free = all.find((seat) => lastIn(seat) === undefined) ?? all.find((seat) => !active.has(lastIn(seat)!));
    if (own !== undefined || free === undefined) without.push(name);
    else seats.push({ name, seat: free });
  }
  people.remember(seatsName, seats);
  return without;
}
