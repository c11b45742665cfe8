import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { badInput, fileProblem } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { list, matching, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { writePersonal } from '../../session/export/write-whole.ts';
import type { PeopleStore } from './people-store.ts';

/** A clip of a plan. */
export const plannedClip = z.strictObject({
  /** SHA-256 of the WAV file, so that people of another day hear the same. */
  sha256: matching(/^[0-9a-f]{64}$/),
  seconds: z.number().min(0),
});

export type PlannedClip = Readonly<z.infer<typeof plannedClip>>;

const planShape = z.strictObject({
  plan: z.literal('earwitness transcribe, version 1'),
  /** The run whose clips are heard. */
  run: z.string(),
  seed: whole(0),
  profile: z.enum(['one-condition', 'sr-mt']),
  /** Whose values the clips are balanced over. */
  groupBy: z.array(z.string()),
  /** A seat is what one person hears; somebody may take it over. */
  seats: whole(1, 1000),
  /** How often a clip may be played; null: as often as wanted. */
  plays: whole(1, 100).nullable(),
  /** Whether a clip can be played over and over (each time counts), and at three quarters of its speed. */
  loop: z.boolean(),
  slow: z.boolean(),
  conditions: list(z.string(), 1),
  /** Seat s hears utterance number u in condition number (u + s) modulo their number, both counted from 0. */
  utterances: list(z.strictObject({ id: z.string(), group: z.string(), clips: z.array(plannedClip) }), 1, 100_000),
});

/**
 * Who hears which clip in which condition, fixed before anybody listens.
 *
 * A person hears an utterance in one condition: who has heard a clip before knows its words. In the profile `sr-mt`, whose comparison is of
 * the same person with and without noise, each person hears an utterance with noise first and clean at the end.
 */
export type ListeningPlan = Readonly<z.infer<typeof planShape>>;

/** One clip that one seat hears. */
export interface ListeningTask {
  /** Unique in the plan. */
  readonly key: string;
  /** Numbers of utterance and condition. */
  readonly utterance: number;
  readonly condition: number;
  /** Which of the recognitions of a clean clip it is: in pairs, the number of the condition with which it makes one. */
  readonly repeat: number;
  /** In pairs: what is not changed any more once this was heard. */
  readonly after: string | null;
}

/** An utterance that may be heard. */
export interface Hearable {
  readonly id: string;
  readonly speaker: string | null;
  /** Values of the attributes that are balanced. */
  readonly group: string;
  readonly corpus: string | null;
}

/** How many listeners hear every utterance once in every condition: one panel. */
export function panelSize({ profile, conditions }: Pick<ListeningPlan, 'profile' | 'conditions'>): number {
  return profile === 'sr-mt' ? conditions.length - 1 : conditions.length;
}

/** Things in an order that has nothing to do with them: that of the hashes of what stands for each. */
export function byLot<Thing>(things: readonly Thing[], standsFor: (thing: Thing) => unknown): readonly Thing[] {
  return things
    .map((thing) => ({ thing, lot: sha256(JSON.stringify(standsFor(thing))) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .map(({ thing }) => thing);
}

/**
 * The utterances in the order in which the square deals conditions: group by group, speaker by speaker, so that each seat hears about as
 * many clips of every group and speaker in every condition. With `most`, some of them, drawn by seed: groups in turn, and in each the speakers in turn.
 *
 * @example inSquareOrder([{ id: 'a', speaker: 'x', group: 'F' }], { seed: 1, most: null })
 */
export function inSquareOrder<One extends Omit<Hearable, 'corpus'>>(
  all: readonly One[],
  { seed, most }: { readonly seed: number; readonly most: number | null },
): readonly One[] {
  const lot = (what: string) => sha256(JSON.stringify([seed, 'listening', what]));
  const turnOf = <Key>(keyOf: (one: One) => Key, list: readonly One[]) => {
    const turns = new Map<Key, number>();
    return list.map((one) => {
      const turn = turns.get(keyOf(one)) ?? 0;
      turns.set(keyOf(one), turn + 1);
      return turn;
    });
  };
  const sorted = <Rank extends number | string>(list: readonly One[], ranks: readonly Rank[]) =>
    list
      .map((one, at) => ({ one, rank: ranks[at]! }))
      .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
      .map(({ one }) => one);
  const lots = byLot(all, ({ id }) => [seed, 'listening', id]);
  const speakersInTurn = sorted(
    lots,
    turnOf(({ speaker, id }) => speaker ?? `utterance ${id}`, lots),
  );
  const groupsInTurn = sorted(
    speakersInTurn,
    turnOf(({ group }) => group, speakersInTurn),
  );
  const chosen = most === null ? groupsInTurn : groupsInTurn.slice(0, most);
  const speakers = new Map(chosen.map(({ speaker, id }) => [speaker ?? id, lot(`speaker ${speaker ?? id}`)]));
  return sorted(
    chosen,
    chosen.map(({ group, speaker, id }) => `${group}\n${speakers.get(speaker ?? id)}\n${lot(id)}`),
  );
}

/**
 * What a seat hears, in its order. Which condition of an utterance a seat hears is a Latin square; the order is drawn by seed and seat.
 *
 * @example tasksOfSeat(plan, 0).map(({ utterance, condition }) => [utterance, condition])
 */
export function tasksOfSeat(plan: ListeningPlan, seat: number): readonly ListeningTask[] {
  const size = panelSize(plan);
  const pairs = plan.profile === 'sr-mt';
  const keyOf = (utterance: number, condition: number) => `${utterance}/${condition}/${seat}`;
  const shuffled = (tasks: readonly ListeningTask[]) => byLot(tasks, ({ key }) => [plan.seed, 'order', key]);
  const changed = plan.utterances.map((_, utterance): ListeningTask => {
    const dealt = (utterance + seat) % size;
    const condition = pairs ? dealt + 1 : dealt;
    return { key: keyOf(utterance, condition), utterance, condition, repeat: 0, after: null };
  });
  if (!pairs) return shuffled(changed);
  const clean = changed.map(
    ({ utterance, condition, key }): ListeningTask => ({
      ...{ key: keyOf(utterance, 0), utterance, condition: 0, repeat: condition - 1, after: key },
    }),
  );
  return [...shuffled(changed), ...shuffled(clean)];
}

/** Words a minute: of speech, and typed on a phone (Palin and others, "How do people type on mobile devices?", MobileHCI 2019). */
const spokenPerMinute = 150;
const typedPerMinute = 36;
const secondsOfThought = 5;
const playsOfMost = 2;

/** About how long somebody listens and types who hears each clip twice. */
export function minutesOf(plan: ListeningPlan, tasks: readonly Pick<ListeningTask, 'utterance' | 'condition'>[]) {
  const seconds = tasks.map(({ utterance, condition }) => plan.utterances[utterance]!.clips[condition]!.seconds);
  return minutesToWriteDown(seconds, plan.plays ?? playsOfMost);
}

/**
 * About how many minutes it takes to hear clips, twice where that is allowed, and to write down their words.
 *
 * @param seconds of each clip
 * @example minutesToWriteDown([2, 3]) // about half a minute
 */
export function minutesToWriteDown(seconds: readonly number[], plays = playsOfMost): number {
  const each = Math.min(playsOfMost, plays) + spokenPerMinute / typedPerMinute;
  return seconds.reduce((sum, one) => sum + one * each + secondsOfThought, 0) / 60;
}

/** The name of a clip's file beside the table: it tells nothing of what is heard. */
export function clipName({ utterance, condition }: Pick<ListeningTask, 'utterance' | 'condition'>): string {
  return `${utterance + 1}-${condition + 1}.wav`;
}

/** One line for each utterance, so that people can read it and programs compare it. */
export function planText({ utterances, ...rest }: { readonly utterances: readonly unknown[] }): string {
  const head = JSON.stringify(rest, null, 2).replace(/\n}$/, '');
  return `${head},\n  "utterances": [\n${utterances.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]\n}\n`;
}

/** @throws EarwitnessError `bad-input` for a text that is no plan */
export function parsePlan(text: string, file: string): ListeningPlan {
  return readPlan(text, file, {
    ...{ shape: planShape, command: 'transcribe' },
    fits: ({ profile, conditions, utterances }) =>
      utterances.every(({ clips }) => clips.length === conditions.length) &&
      (profile === 'one-condition' || conditions.length > 1),
  });
}

/**
 * Reads the plan of a command as it wrote it.
 *
 * @param expected its shape, and whether its parts fit each other
 * @throws EarwitnessError `bad-input` for anything else
 */
export function readPlan<Plan>(
  text: string,
  file: string,
  expected: {
    readonly shape: z.ZodType<Plan>;
    readonly command: string;
    fits(plan: Plan): boolean;
  },
): Plan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const { success, data, error } = expected.shape.safeParse(value);
  if (success && expected.fits(data)) return data;
  const where = error?.issues[0]?.path.join('.') || 'its conditions and clips';
  throw badInput(
    `${file}: expected the plan that earwitness ${expected.command} wrote, but ${printable(where, 80)} is not as it was; put it back, or begin with another table`,
  );
}

/** A table that follows from what the database has, and is never written over anything else. */
export interface PeopleTable {
  /** @throws EarwitnessError `bad-input` where the file has answers that were not written here */
  check(): Promise<void>;
  /** @throws EarwitnessError `bad-input` as `check`, or where it cannot be written */
  write(text: string): Promise<void>;
}

/**
 * A table beside a database. Which bytes were written is remembered before they are, so that a table that somebody filled in or changed, or
 * that is all that is left of another database, is told from one that may be written anew.
 *
 * @param answersIn how many answers a file has that was not written here; null: it is no such table
 */
export function peopleTable(
  people: PeopleStore,
  file: string,
  answersIn: (file: string) => Promise<number | null>,
): PeopleTable {
  const name = `table ${basename(file)}`;
  /** The hash of what is there; null where nothing is. */
  const hashOfKnown = async (): Promise<string | null> => {
    const before = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.alloc(0);
      throw badInput(`${file}: expected a table, but it cannot be read (${fileProblem(error)})`);
    });
    const own = sha256(before);
    if (before.length === 0) return null;
    if (writtenAs().includes(own)) return own;
    const answers = await answersIn(file);
    if (answers === 0) return own;
    const what =
      answers === null ? 'it is another file' : `it has ${answers} ${answers === 1 ? 'row' : 'rows'} filled in`;
    throw badInput(
      `${file}: expected the table as it was written from ${basename(people.path)}, but ${what} otherwise; move it away, or put back the database that it came from`,
    );
  };
  const writtenAs = () => (people.remembered(name) ?? []) as readonly string[];
  return {
    async check() {
      await hashOfKnown();
    },
    async write(text) {
      const there = await hashOfKnown();
      const hash = sha256(text);
      // Whatever is there stays known for as long as it is there: where this one is not written to its end, also many times in a row.
      const either = there === null || there === hash ? [hash] : [there, hash];
      if (either.join() !== writtenAs().join()) people.remember(name, either);
      await writePersonal(file, text);
    },
  };
}
