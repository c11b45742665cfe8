import { readFile } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import type { BrowserScript } from '../../session/browser-script.ts';
import { type Answer, notFound, type Place } from '../frame.ts';
import type { Asked } from '../listen.ts';
import type { PeopleStore, Person, PersonAnswer } from './people-store.ts';
import type { PeoplePages } from './serve-people.ts';
import { kept, keptForm, notTaken, takePartAsset, takePartFrame } from './take-part.ts';

/** One clip that somebody is given. */
export interface ClipTask {
  /** Unique in the session. */
  readonly key: string;
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
export interface SessionKind<Task extends ClipTask, Value> {
  /** What an answer is called in the database, and in the address that it is sent to. */
  readonly question: string;
  /** Of clips: to hear, rate or judge them, and that it was done. */
  readonly words: { readonly todo: string; readonly done: string; readonly title: string };
  readonly script?: BrowserScript;
  tasksOf(person: string): readonly Task[];
  /** What was said of a clip; null: nothing, or not all yet. */
  valueOf(person: string, task: Task): Value | null;
  /** Whether somebody could not play a clip, and goes on without it. */
  isLeftOut?(person: string, task: Task): boolean;
  /** What comes before the clips, as a path below the person's own; null: nothing (more). */
  before?(person: string): string | null;
  /** Answers for pages of its own; null: it is none of these. */
  answer?(asked: PageAsked): Answer | null;
  /** Why a clip is not given (yet); null: it is. */
  closed?(person: string, task: Task, tasks: readonly Task[]): string | null;
  /** The file that is heard at a task's address, or below it, as it was when people began; null: there is none. */
  clipAt(task: Task, below: string | undefined): { readonly path: string; readonly sha256: string } | null;
  welcome(tasks: readonly Task[], first: string): Markup;
  clip(person: string, task: Task, tasks: readonly Task[], shown: ShownClip<Value> & ClipPlace): readonly Markup[];
  /** What is kept of what was sent, or why it is not taken. Null: nobody asks that. */
  keep(question: string | undefined, sent: Fields, of: ClipPlace & { readonly task: Task }): Answer | Kept | null;
  /** For whoever looks after them: the table's name, further columns, and what is to be known. */
  readonly overview: {
    readonly caption: string;
    readonly done: string;
    readonly columns: readonly {
      readonly name: string;
      readonly isNumber?: true;
      /** @param said by task */
      of(person: string, said: ReadonlyMap<string, Value>): string | number;
    }[];
    note(): Markup;
  };
}

/** Whose page of a clip it is, and where. */
interface ClipPlace {
  readonly person: string;
  /** Where the clips of this person lie, and below it this one. */
  readonly clips: string;
  readonly path: string;
  readonly url: URL;
}

/** What of an answer is kept. */
interface Kept {
  readonly keep: readonly Omit<PersonAnswer, 'person'>[];
  /** What follows once it is kept: where they go on. @param next the first clip that is open */
  afterwards?(next: string): string | Promise<string>;
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

export type Fields = Readonly<Record<string, string | undefined>>;

/** Texts of what was sent; null: not every one is a text. */
export function fieldsOf(sent: unknown): Fields | null {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return null;
  return Object.values(sent).every((value) => typeof value === 'string') ? (sent as Fields) : null;
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

const done = '/done';

/**
 * A session of people over clips: each hears theirs, one by one, in an order of their own, and says of each what is asked. It can be left and gone on with, and an earlier
 * answer can be changed. No name of a condition or utterance is on any page.
 */
export function openClipSession<Task extends ClipTask, Value>(
  { people, problem }: { readonly people: PeopleStore; problem(sentence: string): void },
  kind: SessionKind<Task, Value>,
): PeoplePages & { tasksOf(person: string): readonly Task[] } {
  const { question, words, script, overview } = kind;
  const scripts = [...(takePartFrame.scripts ?? []), ...(script === undefined ? [] : [`${script}.js` as const])];
  const frame = { ...takePartFrame, scripts };
  /** What was there when somebody sat down stays theirs: those before them answer no more. */
  const known = new Map<string, readonly Task[]>();
  const own = (person: string) => {
    const tasks = known.get(person) ?? kind.tasksOf(person);
    known.set(person, tasks);
    return tasks;
  };
  const idOf = ({ key }: Task) => people.alias('clip', key);
  const saidBy = (person: string) =>
    new Map(
      own(person).flatMap((task): [string, Value][] => {
        const value = kind.valueOf(person, task);
        return value === null ? [] : [[task.key, value]];
      }),
    );
  const isLeftOut = (person: string, task: Task) => kind.isLeftOut?.(person, task) === true;
  const nextOf = (person: string) => {
    const before = kind.before?.(person) ?? null;
    if (before !== null) return before;
    const open = own(person).find((task) => kind.valueOf(person, task) === null && !isLeftOut(person, task));
    return open === undefined ? done : `/clips/${idOf(open)}`;
  };

  const answer = async ({ url, who, sent }: Asked<Person>): Promise<Answer> => {
    const { name, home } = who;
    const tasks = own(name);
    const next = () => home + nextOf(name);
    const [top = '', id = '', what, ...rest] = url.pathname.split('/').slice(1);
    if (rest.length > 0) return notFound('There is no such page.');
    const other = kind.answer?.({ who, top, id, what, sent, next, frame }) ?? null;
    if (other !== null) return other;
    if (top === '' && sent === undefined) {
      const isNew = tasks.length > 0 && saidBy(name).size === 0;
      return isNew ? { page: { ...frame, title: words.title }, content: kind.welcome(tasks, next()) } : { to: next() };
    }
    if (top === 'done') return donePage(who, tasks);
    const at = tasks.findIndex((one) => idOf(one) === id);
    const task = tasks[at];
    const closed = task === undefined ? null : (kind.closed?.(name, task, tasks) ?? null);
    if (top === 'audio') {
      const clip = task === undefined || closed !== null ? null : kind.clipAt(task, what);
      return clip === null ? notFound('There is no such clip.') : await audio(clip);
    }
    if (top !== 'clips' || task === undefined) return notFound('There is no such page.');
    if (closed !== null) return sent === undefined ? { to: next() } : notTaken(closed, 409);
    const place = { person: name, clips: `${home}/clips`, path: `${home}/clips/${id}`, url };
    if (sent !== undefined) return await keep(what, fieldsOf(sent), { ...place, task }, next);
    if (what !== undefined) return notFound('There is no such page.');
    const before = at > 0 ? `${home}/clips/${idOf(tasks[at - 1]!)}` : null;
    const content = clipPage(place, task, { tasks, audio: `${home}/audio/${id}`, before, next });
    return { page: { ...frame, title: `Clip ${at + 1} of ${tasks.length}` }, content };
  };

  const clipPage = (
    place: ClipPlace,
    task: Task,
    around: {
      readonly tasks: readonly Task[];
      readonly audio: string;
      readonly before: string | null;
      next(): string;
    },
  ): Markup => {
    const { person, path } = place;
    const { tasks, audio, before, next } = around;
    const value = kind.valueOf(person, task);
    const parts = kind.clip(person, task, tasks, {
      ...{ ...place, audio, value },
      form: (fields) => keptForm(`${path}/${question}`, fields, value === null ? 'Save and go on' : 'Save the change'),
    });
    const mayGoOn = value !== null || isLeftOut(person, task);
    const others =
      (before !== null || mayGoOn) &&
      html`<nav class="actions" aria-label="Other clips">${before !== null && html`<a href="${before}">‹ Previous clip</a>`}${mayGoOn && html`<a href="${next()}">Go on ›</a>`}</nav>`;
    return html`<progress max="${tasks.length}" value="${saidBy(person).size}" aria-label="Clips that are ${words.done}"></progress><div class="task">${parts}${others}</div>`;
  };

  const donePage = ({ name, home }: Person, tasks: readonly Task[]): Answer => {
    const next = nextOf(name);
    const pathOf = (task: Task) => `${home}/clips/${idOf(task)}`;
    const left = tasks.flatMap((task, at) => (isLeftOut(name, task) ? [{ task, title: `Clip ${at + 1}` }] : []));
    const again = (last: Task) => html`<p class="text"><a href="${pathOf(last)}">Look at the last one again</a></p>`;
    const content =
      tasks.length === 0
        ? html`<p class="text">There is no clip for you to ${words.todo}. You can close this page.</p>`
        : next !== done
          ? html`<p class="text">Some clips are not ${words.done} yet. <a href="${home + next}">Go on</a></p>`
          : left.length === 0
            ? html`<p class="text">All ${tasks.length} clips are ${words.done}, and your answers are kept. Thank you. You can close this page.</p>${again(tasks.at(-1)!)}`
            : html`<p class="text">${tasks.length - left.length} of ${tasks.length} clips are ${words.done}, and your answers are kept. ${left.length} could not be played; you can try again, or close this page: ${left.map(({ task, title }, at) => html`${at > 0 && ', '}<a href="${pathOf(task)}">${title}</a>`)}</p>${again(tasks.at(-1)!)}`;
    return { page: { ...frame, title: next === done ? 'Thank you' : 'Not done yet' }, content };
  };

  const keep = async (
    asked: string | undefined,
    sent: Fields | null,
    of: ClipPlace & { readonly task: Task },
    next: () => string,
  ): Promise<Answer> => {
    if (sent === null) return notTaken('Expected texts.');
    const found = kind.keep(asked, sent, of);
    if (found === null) return notTaken('There is no such question.', 404);
    if (!('keep' in found)) return found;
    people.keep(...found.keep.map((one) => ({ ...one, person: of.person })));
    return kept(found.afterwards === undefined ? next() : await found.afterwards(next()));
  };

  const audio = async ({ path, sha256: expected }: { readonly path: string; readonly sha256: string }) => {
    const body = await readFile(path).catch((error: unknown) => {
      problem(messageOf(error));
      return null;
    });
    if (body !== null && sha256(body) === expected) return { type: 'audio/wav', body } as const;
    if (body !== null) problem(`${path}: expected the clip of the plan, but its bytes are others; put it back`);
    return notFound('This clip cannot be played now. Tell whoever invited you.');
  };

  return {
    ...{ answer, problem, tasksOf: own },
    assets: (path) => takePartAsset(path, ...(script === undefined ? [] : [script])),
    async overview({ url }) {
      if (url.pathname !== '/') return notFound('There is no such page.');
      const head = html`<tr><th scope="col">Person</th><th scope="col" class="number">${overview.done}</th><th scope="col" class="number">Of</th>${overview.columns.map(({ name, isNumber }) => html`<th scope="col"${isNumber && html` class="number"`}>${name}</th>`)}<th scope="col">Invitation</th></tr>`;
      const damaged: string[] = [];
      const rows = people.people().map(({ name, revoked }) => {
        let said = null as ReadonlyMap<string, Value> | null;
        try {
          said = saidBy(name);
        } catch (error) {
          damaged.push(messageOf(error));
        }
        const cells = overview.columns.map(
          ({ of, isNumber }) =>
            html`<td${isNumber && html` class="number"`}>${said === null ? '–' : of(name, said)}</td>`,
        );
        return html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="number">${said?.size ?? '–'}</td><td class="number">${own(name).length}</td>${cells}<td>${revoked ? 'revoked' : 'open'}</td></tr>`;
      });
      const content = html`<div class="scroll" role="region" tabindex="0" aria-label="${overview.caption}"><table><caption>${overview.caption}</caption><thead>${head}</thead><tbody>${rows}</tbody></table></div>
${damaged.map((sentence) => html`<p class="notice">${sentence}</p>`)}${overview.note()}`;
      return { page: { ...takePartFrame, title: words.title, again: true }, content };
    },
  };
}
