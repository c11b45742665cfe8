import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { limitText } from '../../base/limit-text.ts';
import { type Answer, notFound } from '../answer.ts';
import type { Asked } from '../listen.ts';
import {
  clipName,
  type ListeningPlan,
  type ListeningTask,
  minutesOf,
  panelSize,
  tasksOfSeat,
} from './listening-plan.ts';
import { seatsOf } from './people-seats.ts';
import type { PeopleStore, Person } from './people-store.ts';
import type { PeoplePages } from './serve-people.ts';
import { kept, notTaken, takePartAsset, takePartFrame } from './take-part.ts';
import {
  clipContent,
  doneContent,
  type Heard,
  longest,
  overviewContent,
  playerScript,
  welcome,
} from './transcribe-pages.ts';

/** One answer, as a row of the table. */
export interface HeardRow extends Heard {
  readonly utterance: string;
  /** The panel: who answered each clip once. */
  readonly system: string;
  readonly condition: string;
  readonly repeat: number;
  readonly listener: string;
}

export interface TranscribingOptions {
  readonly plan: ListeningPlan;
  /** Folder of the clips, named by `clipName`. */
  readonly clips: string;
  readonly people: PeopleStore;
  /** Writes the table anew. */
  write(rows: readonly HeardRow[]): Promise<void>;
  /** The table could not be written; the answers are kept all the same. */
  problem(sentence: string): void;
}

/** Pages for those who listen, and for whoever looks after them: counts alone. */
export interface Transcribing extends PeoplePages {
  /** What everybody heard, in the order of the plan. */
  rows(): readonly HeardRow[];
  /** Writes the table. */
  writeTable(): Promise<void>;
  /** What somebody is to hear, and about how long that takes. */
  share(person: string): { readonly clips: number; readonly minutes: number };
}

const done = '/done';
const frame = { ...takePartFrame, scripts: [...(takePartFrame.scripts ?? []), 'transcribe.js'] };

/**
 * Lets people write down what they hear, clip by clip, as the plan deals them. No transcript and no reference is on any page.
 *
 * @example
 * const transcribing = openTranscribing({ plan, clips: 'people-clips', people, write, problem });
 */
export function openTranscribing({ plan, clips, people, write, problem }: TranscribingOptions): Transcribing {
  const seats = seatsOf(people);
  const idOf = ({ key }: Pick<ListeningTask, 'key'>) => people.alias('clip', key);
  const heardOf = (person: string, { key }: Pick<ListeningTask, 'key'>) =>
    people.answer(person, key, 'heard') as Heard | null;
  const playsOf = (person: string, { key }: Pick<ListeningTask, 'key'>) =>
    (people.answer(person, key, 'plays') ?? 0) as number;
  const inSeat = (seat: number) => seats.flatMap((one) => (one.seat === seat ? [one.name] : []));

  /** What everybody heard, by person and clip. */
  const everything = () => {
    const found = new Map<string, Map<string, Heard>>();
    for (const { person, task, question, value } of people.answers()) {
      if (question !== 'heard') continue;
      const mine = found.get(person) ?? new Map<string, Heard>();
      found.set(person, mine.set(task, value as unknown as Heard));
    }
    return found;
  };
  /** By clip of a seat, the person to whom it belongs: in pairs, whoever heard both. */
  const ownersOf = (seat: number, heard: ReturnType<typeof everything>) => {
    const members = inSeat(seat);
    const last = members.at(-1)!;
    const tasks = tasksOfSeat(plan, seat);
    const ofUtterance = Map.groupBy(tasks, ({ utterance }) => utterance);
    return new Map(
      tasks.map((task) => {
        const both = ofUtterance.get(task.utterance)!;
        const before = members.slice(0, -1).find((name) => both.every(({ key }) => heard.get(name)?.has(key)));
        return [task, before ?? last] as const;
      }),
    );
  };
  const tasksOf = (person: string): readonly ListeningTask[] => {
    const seat = seats.find(({ name }) => name === person)?.seat;
    if (seat === undefined) return [];
    return [...ownersOf(seat, everything())].flatMap(([task, owner]) => (owner === person ? [task] : []));
  };
  /** What was there when somebody sat down stays theirs: those before them answer no more. */
  const known = new Map<string, readonly ListeningTask[]>();
  const own = (person: string) => {
    const before = known.get(person);
    if (before !== undefined) return before;
    const tasks = tasksOf(person);
    known.set(person, tasks);
    return tasks;
  };
  const nextOf = (person: string, tasks: readonly ListeningTask[]) => {
    const open = tasks.findIndex((task) => heardOf(person, task) === null);
    return open < 0 ? done : `/clips/${idOf(tasks[open]!)}`;
  };
  const doneBy = (person: string, tasks: readonly ListeningTask[]) =>
    tasks.filter((task) => heardOf(person, task) !== null).length;
  /** In pairs, a clip stays as it was answered once the other was heard. */
  const isFixed = (person: string, task: ListeningTask, tasks: readonly ListeningTask[]) =>
    tasks.some(
      ({ after, key }) => after === task.key && (playsOf(person, { key }) > 0 || heardOf(person, { key }) !== null),
    );

  const rows = (): HeardRow[] => {
    const panels = Math.ceil(plan.seats / panelSize(plan));
    const all = everything();
    const found: (HeardRow & { readonly order: readonly number[] })[] = [];
    for (let seat = 0; seat < plan.seats; seat++) {
      if (inSeat(seat).length === 0) continue;
      const panel = Math.floor(seat / panelSize(plan));
      for (const [task, listener] of ownersOf(seat, all)) {
        const heard = all.get(listener)?.get(task.key);
        if (heard === undefined) continue;
        found.push({
          utterance: plan.utterances[task.utterance]!.id,
          system: panels === 1 ? 'people' : `people-${panel + 1}`,
          condition: plan.conditions[task.condition]!,
          repeat: task.repeat,
          listener,
          ...heard,
          order: [panel, task.utterance, task.condition, task.repeat],
        });
      }
    }
    return found
      .sort((a, b) => a.order.reduce((sign, value, at) => sign || value - b.order[at]!, 0))
      .map(({ order: _, ...row }) => row);
  };
  let writing: Promise<void> | null = null;
  let again = false;
  /** One after another; answers that come meanwhile are written together. The database has them already. */
  const writeTable = (): Promise<void> => {
    again = writing !== null;
    writing ??= (async () => {
      do {
        again = false;
        await write(rows()).catch((error: unknown) => problem(messageOf(error)));
      } while (again);
      writing = null;
    })();
    return writing;
  };
  /** In pairs, clean clips come when all others are done. */
  const isEarly = (person: string, task: ListeningTask, tasks: readonly ListeningTask[]) =>
    task.after !== null && tasks.some((one) => one.after === null && heardOf(person, one) === null);

  const answer = async ({ url, who, sent }: Asked<Person>): Promise<Answer> => {
    const { name, home } = who;
    const tasks = own(name);
    const next = nextOf(name, tasks);
    const [top, id = '', question, ...rest] = url.pathname.split('/').slice(1);
    if (rest.length > 0) return notFound('There is no such page.');
    if (top === '' && sent === undefined) {
      const isNew = doneBy(name, tasks) === 0 && tasks.length > 0;
      return isNew
        ? { page: { ...frame, title: 'Listening' }, content: welcome(plan, tasks, home + next) }
        : { to: home + next };
    }
    if (top === 'done') {
      return {
        page: { ...frame, title: next === done ? 'Thank you' : 'Not done yet' },
        content: doneContent(tasks.length, next === done ? null : home + next, home + lastOf(tasks)),
      };
    }
    const at = tasks.findIndex((one) => idOf(one) === id);
    const task = tasks[at];
    if (top === 'audio' && question === undefined) {
      const isThere = task !== undefined && !isEarly(name, task, tasks);
      return isThere ? await audio(task) : notFound('There is no such clip.');
    }
    if (top !== 'clips' || task === undefined) return notFound('There is no such page.');
    if (isEarly(name, task, tasks))
      return sent === undefined ? { to: home + next } : notTaken('First come the clips with noise.', 409);
    if (sent !== undefined) {
      if (question === 'plays') return keepPlays(who, task, sent);
      if (question === 'heard') return await keepHeard(who, task, tasks, sent);
      return notTaken('There is no such question.', 404);
    }
    if (question !== undefined) return notFound('There is no such page.');
    const heard = heardOf(name, task);
    const content = clipContent(plan, {
      ...{ path: `${home}/clips/${id}`, of: tasks.length, done: doneBy(name, tasks), heard, next: home + next },
      ...{ plays: playsOf(name, task), audio: `${home}/audio/${id}`, isFixed: isFixed(name, task, tasks) },
      before: at > 0 ? `${home}/clips/${idOf(tasks[at - 1]!)}` : null,
    });
    return { page: { ...frame, title: `Clip ${at + 1} of ${tasks.length}` }, content };
  };

  const lastOf = (tasks: readonly ListeningTask[]) => (tasks.length === 0 ? done : `/clips/${idOf(tasks.at(-1)!)}`);
  const keepPlays = ({ name: person }: Person, task: ListeningTask, sent: unknown): Answer => {
    const { plays } = fieldsOf(sent);
    const count = playsIn(plays);
    if (count === null) return notTaken('Expected how often the clip was played.');
    const most = Math.max(playsOf(person, task), count);
    people.keep({ person, task: task.key, question: 'plays', value: most });
    return kept(String(most));
  };

  const keepHeard = async (
    { name: person, home }: Person,
    task: ListeningTask,
    tasks: readonly ListeningTask[],
    sent: unknown,
  ): Promise<Answer> => {
    const { words, nothing, plays, slowed } = fieldsOf(sent);
    const text = limitText((words ?? '').replace(/\s+/gu, ' ').trim(), longest);
    if (nothing !== undefined && nothing !== 'unintelligible' && nothing !== 'silent' && nothing !== 'words')
      return notTaken('Expected one of the three answers.');
    const wordless = nothing === 'unintelligible' || nothing === 'silent';
    if (wordless && text !== '')
      return notTaken('Either words, or none: take the words out, or choose “I hear these words”.');
    if (!wordless && text === '') return notTaken('Write down the words, or say why there are none.');
    const count = playsIn(plays ?? '0');
    if (count === null) return notTaken('Expected how often the clip was played.');
    const most = Math.max(playsOf(person, task), count);
    if (most === 0) return notTaken('Play the clip first.');
    const before = heardOf(person, task);
    const value = {
      ...{ text, unintelligible: nothing === 'unintelligible', plays: most },
      slowed: plan.slow && (slowed === 'yes' || before?.slowed === true),
    };
    if (
      isFixed(person, task, tasks) &&
      (before === null || before.text !== text || before.unintelligible !== value.unintelligible)
    )
      return notTaken('What you heard in the noise stays as it was once you have heard the clip without it.', 409);
    people.keep(
      { person, task: task.key, question: 'plays', value: most },
      { person, task: task.key, question: 'heard', value },
    );
    void writeTable();
    return kept(home + nextOf(person, tasks));
  };
  const playsIn = (text: string | undefined): number | null => {
    const count = /^\d{1,4}$/.test(text ?? '') ? Number(text) : null;
    return count === null ? null : Math.min(count, plan.plays ?? count);
  };

  const audio = async (task: ListeningTask): Promise<Answer> => {
    const body = await readFile(join(clips, clipName(task)));
    const expected = plan.utterances[task.utterance]!.clips[task.condition]!.sha256;
    if (sha256(body) === expected) return { type: 'audio/wav', body };
    problem(`${join(clips, clipName(task))}: expected the clip of the plan, but its bytes are others; put it back`);
    return notFound('This clip cannot be played now. Tell whoever invited you.');
  };

  return {
    answer,
    assets: (path) => takePartAsset(path) ?? (path === '/assets/transcribe.js' ? playerScript : null),
    problem,
    rows,
    writeTable,
    share(person) {
      const tasks = own(person);
      return { clips: tasks.length, minutes: minutesOf(plan, tasks) };
    },
    async overview({ url }) {
      if (url.pathname !== '/') return notFound('There is no such page.');
      const all = rows();
      const everyone = people.people().map(({ name, revoked }) => {
        const mine = all.filter(({ listener }) => listener === name);
        return {
          ...{ name, revoked, clips: own(name).length, heard: doneBy(name, own(name)) },
          unintelligible: mine.filter(({ unintelligible }) => unintelligible).length,
        };
      });
      return { page: { ...takePartFrame, title: 'Listening', again: true }, content: overviewContent(everyone) };
    },
  };
}

function fieldsOf(sent: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return {};
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => typeof value === 'string'));
}
