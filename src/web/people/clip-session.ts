import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import type { BrowserScript } from '../../session/browser-script.ts';
import { type Answer, notFound, type Place } from '../frame.ts';
import type { Asked } from '../listen.ts';
import { clipName } from './listening-plan.ts';
import type { PeopleStore, Person } from './people-store.ts';
import type { PeoplePages } from './serve-people.ts';
import { kept, keptForm, notTaken, takePartAsset, takePartFrame } from './take-part.ts';

/** One clip that somebody is given by a plan. */
interface ClipTask {
  /** Unique in the plan. */
  readonly key: string;
  /** Number of the utterance. */
  readonly utterance: number;
}

/** Where a session has its clips from, and where what people say goes. */
export interface SessionOptions<Plan, Row> {
  readonly plan: Plan;
  /** Folder of the clips, named by `clipName`. */
  readonly clips: string;
  readonly people: PeopleStore;
  /** Writes the table anew. */
  write(rows: readonly Row[]): Promise<void>;
  /** The table could not be written; the answers are kept all the same. */
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

/** A clip as it is shown. */
export interface ShownClip<Value> {
  /** Where it is; what is kept of it lies below. */
  readonly path: string;
  readonly audio: string;
  /** What was said of it; null: nothing yet. */
  readonly value: Value | null;
  /** A form whose answer is kept, as what the session asks. */
  form(fields: Markup): Markup;
}

/** What is asked of a clip, shown and kept: all in which sessions differ. */
export interface SessionKind<Task extends ClipTask, Value, Row> {
  /** What an answer is called in the database, and in the address that it is sent to. */
  readonly question: string;
  /** Of clips: to hear or rate them, and that it was done. */
  readonly words: { readonly todo: string; readonly done: string; readonly title: string };
  readonly script: BrowserScript;
  tasksOf(person: string): readonly Task[];
  minutesOf(tasks: readonly Task[]): number;
  rows(): readonly Row[];
  /** What comes before the clips, as a path below the person's own; null: nothing (more). */
  before?(person: string): string | null;
  /** Answers for pages of its own; null: it is none of these. */
  answer?(asked: PageAsked): Answer | null;
  /** Why a clip is not given (yet); null: it is. */
  closed(person: string, task: Task, tasks: readonly Task[]): string | null;
  /** Number of the clip that is heard at a task's address, or below it; null: there is none. */
  clipAt(task: Task, below: string | undefined): number | null;
  welcome(tasks: readonly Task[], first: string): Markup;
  clip(person: string, task: Task, tasks: readonly Task[], shown: ShownClip<Value>): readonly Markup[];
  /** What is kept, by question, of what was sent; or why it is not taken. Null: nobody asks that. */
  keep(
    question: string | undefined,
    sent: Fields,
    of: { readonly person: string; readonly task: Task; readonly tasks: readonly Task[] },
  ): Answer | { readonly keep: Readonly<Record<string, Json>> } | null;
  /** For whoever looks after them: the table's name, further columns, and what is to be known. */
  readonly overview: {
    readonly caption: string;
    readonly done: string;
    readonly columns: readonly {
      readonly name: string;
      readonly isNumber?: true;
      of(person: string, said: ReadonlyMap<string, Value> | undefined): string | number;
    }[];
    readonly note: string;
  };
}

/** A page that somebody asks for, in parts of its path. */
interface PageAsked {
  readonly who: Person;
  readonly top: string;
  readonly id: string;
  readonly what: string | undefined;
  readonly sent: unknown;
  /** Where they go on. */
  next(): string;
  readonly frame: Omit<Place, 'title'>;
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Texts of what was sent. */
export function fieldsOf(sent: unknown): Fields {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return {};
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => typeof value === 'string'));
}

/** How often a clip was played, as pages send it; null: it is no number. */
export function playsIn(text: string | undefined): number | null {
  return /^\d{1,4}$/.test(text ?? '') ? Number(text) : null;
}

/** `about 12 minutes` */
export function aboutMinutes(minutes: number): string {
  const whole = Math.max(1, Math.round(minutes));
  return `about ${whole} ${whole === 1 ? 'minute' : 'minutes'}`;
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

const done = '/done';

/**
 * A planned session of people over clips: each hears those of a seat, one by one, in the order of the plan, and says of each what is asked. It can be left and gone on with, an
 * earlier answer can be changed, and the table is written anew with every answer. No name of a condition or utterance, and no words, are on any page.
 */
export function openClipSession<Task extends ClipTask, Value, Row>(
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
  kind: SessionKind<Task, Value, Row>,
): ClipSession<Row> {
  const { question, words, script, overview } = kind;
  const frame = { ...takePartFrame, scripts: [...(takePartFrame.scripts ?? []), `${script}.js`] };
  /** What was there when somebody sat down stays theirs: those before them answer no more. */
  const known = new Map<string, readonly Task[]>();
  const own = (person: string) => {
    const tasks = known.get(person) ?? kind.tasksOf(person);
    known.set(person, tasks);
    return tasks;
  };
  const idOf = ({ key }: Task) => people.alias('clip', key);
  const saidOf = (person: string, { key }: Task) => people.answer(person, key, question) as Value | null;
  const doneBy = (person: string, tasks: readonly Task[]) =>
    tasks.filter((task) => saidOf(person, task) !== null).length;
  const nextOf = (person: string, tasks: readonly Task[]) => {
    const before = kind.before?.(person) ?? null;
    if (before !== null) return before;
    const open = tasks.find((task) => saidOf(person, task) === null);
    return open === undefined ? done : `/clips/${idOf(open)}`;
  };

  const writeTable = writtenInTurn(() => write(kind.rows()).catch((error: unknown) => problem(messageOf(error))));

  const answer = async ({ url, who, sent }: Asked<Person>): Promise<Answer> => {
    const { name, home } = who;
    const tasks = own(name);
    const next = () => home + nextOf(name, tasks);
    const [top = '', id = '', what, ...rest] = url.pathname.split('/').slice(1);
    if (rest.length > 0) return notFound('There is no such page.');
    const other = kind.answer?.({ who, top, id, what, sent, next, frame }) ?? null;
    if (other !== null) {
      // What it kept may say whose answers count.
      if (sent !== undefined) void writeTable();
      return other;
    }
    if (top === '' && sent === undefined) {
      const isNew = tasks.length > 0 && doneBy(name, tasks) === 0;
      return isNew ? { page: { ...frame, title: 'Listening' }, content: kind.welcome(tasks, next()) } : { to: next() };
    }
    if (top === 'done') return donePage(next(), home, tasks);
    const at = tasks.findIndex((one) => idOf(one) === id);
    const task = tasks[at];
    const closed = task === undefined ? null : kind.closed(name, task, tasks);
    if (top === 'audio') {
      const clip = task === undefined || closed !== null ? null : kind.clipAt(task, what);
      return clip === null ? notFound('There is no such clip.') : await audio(task!.utterance, clip);
    }
    if (top !== 'clips' || task === undefined) return notFound('There is no such page.');
    if (closed !== null) return sent === undefined ? { to: next() } : notTaken(closed, 409);
    if (sent !== undefined) return keep(who, what, task, tasks, sent);
    if (what !== undefined) return notFound('There is no such page.');
    const before = at > 0 ? `${home}/clips/${idOf(tasks[at - 1]!)}` : null;
    return {
      page: { ...frame, title: `Clip ${at + 1} of ${tasks.length}` },
      content: clipPage(who, task, tasks, before),
    };
  };

  const clipPage = ({ name, home }: Person, task: Task, tasks: readonly Task[], before: string | null): Markup => {
    const value = saidOf(name, task);
    const path = `${home}/clips/${idOf(task)}`;
    const parts = kind.clip(name, task, tasks, {
      ...{ path, audio: `${home}/audio/${idOf(task)}`, value },
      form: (fields) => keptForm(`${path}/${question}`, fields, value === null ? 'Save and go on' : 'Save the change'),
    });
    const around =
      (before !== null || value !== null) &&
      html`<nav class="actions" aria-label="Other clips">${before !== null && html`<a href="${before}">‹ Previous clip</a>`}${value !== null && html`<a href="${home + nextOf(name, tasks)}">Go on ›</a>`}</nav>`;
    return html`<progress max="${tasks.length}" value="${doneBy(name, tasks)}" aria-label="Clips that are ${words.done}"></progress><div class="task">${parts}${around}</div>`;
  };

  const donePage = (next: string, home: string, tasks: readonly Task[]): Answer => {
    const isDone = next === home + done;
    const content =
      tasks.length === 0
        ? html`<p class="text">There is no clip for you to ${words.todo}. You can close this page.</p>`
        : isDone
          ? html`<p class="text">All ${tasks.length} clips are ${words.done}, and your answers are kept. Thank you. You can close this page.</p><p class="text"><a href="${home}/clips/${idOf(tasks.at(-1)!)}">Look at the last one again</a></p>`
          : html`<p class="text">Some clips are not ${words.done} yet. <a href="${next}">Go on</a></p>`;
    return { page: { ...frame, title: isDone ? 'Thank you' : 'Not done yet' }, content };
  };

  const keep = (
    { name: person, home }: Person,
    asked: string | undefined,
    task: Task,
    tasks: readonly Task[],
    sent: unknown,
  ): Answer => {
    const found = kind.keep(asked, fieldsOf(sent), { person, task, tasks });
    if (found === null) return notTaken('There is no such question.', 404);
    if (!('keep' in found)) return found;
    people.keep(
      ...Object.entries(found.keep).map(([name, value]) => ({ person, task: task.key, question: name, value })),
    );
    if (question in found.keep) void writeTable();
    return kept(home + nextOf(person, tasks));
  };

  const audio = async (utterance: number, clip: number): Promise<Answer> => {
    const path = join(clips, clipName({ utterance, condition: clip }));
    const body = await readFile(path);
    if (sha256(body) === plan.utterances[utterance]!.clips[clip]!.sha256) return { type: 'audio/wav', body };
    problem(`${path}: expected the clip of the plan, but its bytes are others; put it back`);
    return notFound('This clip cannot be played now. Tell whoever invited you.');
  };

  return {
    ...{ answer, problem, writeTable, rows: kind.rows },
    assets: (path) => takePartAsset(path, script),
    share: (person) => ({ clips: own(person).length, minutes: kind.minutesOf(own(person)) }),
    async overview({ url }) {
      if (url.pathname !== '/') return notFound('There is no such page.');
      const all = everything<Value>(people, question);
      const head = html`<tr><th scope="col">Person</th><th scope="col" class="number">${overview.done}</th><th scope="col" class="number">Of</th>${overview.columns.map(({ name, isNumber }) => html`<th scope="col"${isNumber && html` class="number"`}>${name}</th>`)}<th scope="col">Invitation</th></tr>`;
      const rows = people.people().map(({ name, revoked }) => {
        const cells = overview.columns.map(
          ({ of, isNumber }) => html`<td${isNumber && html` class="number"`}>${of(name, all.get(name))}</td>`,
        );
        return html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="number">${doneBy(name, own(name))}</td><td class="number">${own(name).length}</td>${cells}<td>${revoked ? 'revoked' : 'open'}</td></tr>`;
      });
      const content = html`<div class="scroll" role="region" tabindex="0" aria-label="${overview.caption}"><table><caption>${overview.caption}</caption><thead>${head}</thead><tbody>${rows}</tbody></table></div>
<p class="text quiet">${overview.note}</p>`;
      return { page: { ...takePartFrame, title: words.title, again: true }, content };
    },
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
