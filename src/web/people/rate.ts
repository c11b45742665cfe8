import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { type Answer, notFound } from '../answer.ts';
import type { Asked } from '../listen.ts';
import { type GivenRating, whyExcluded } from './exclude-raters.ts';
import { headphoneRounds, headphonesPassed, headphoneTrial, headphoneTrials } from './headphone-check.ts';
import { clipName } from './listening-plan.ts';
import { seatsOf } from './people-seats.ts';
import type { PeopleStore, Person } from './people-store.ts';
import {
  doneContent,
  headphoneContent,
  noHeadphonesContent,
  overviewContent,
  type Rating,
  ratingContent,
  ratingScript,
  welcome,
} from './rate-pages.ts';
import {
  hasOriginalBeside,
  minutesOfRating,
  type RatingKind,
  type RatingPlan,
  type RatingTask,
  ratedClips,
  scalesOf,
  tasksOfRater,
} from './rating-plan.ts';
import type { PeoplePages } from './serve-people.ts';
import { kept, notTaken, takePartAsset, takePartFrame } from './take-part.ts';

/** One rating on one scale, as a row of the table. */
export interface GivenRow {
  readonly listener: string;
  readonly utterance: string;
  /** `anchor` for a clip that is bad beyond doubt. */
  readonly condition: string;
  readonly relation: string | null;
  readonly corpus: string | null;
  readonly scale: string;
  readonly rating: number;
  readonly kind: RatingKind;
  /** How often the clip was heard to its end. */
  readonly plays: number;
  /** Why nothing of this listener counts, by the rules of the plan; null: it counts. */
  readonly excluded: string | null;
}

export interface RatingOptions {
  readonly plan: RatingPlan;
  /** Folder of the clips, named by `clipName`. */
  readonly clips: string;
  readonly people: PeopleStore;
  /** Writes the table anew. */
  write(rows: readonly GivenRow[]): Promise<void>;
  /** The table could not be written; the answers are kept all the same. */
  problem(sentence: string): void;
}

/** Pages for those who rate, and for whoever looks after them: counts alone. */
export interface RatingPages extends PeoplePages {
  /** What everybody rated, in the order of the plan. */
  rows(): readonly GivenRow[];
  /** Writes the table. */
  writeTable(): Promise<void>;
  /** What somebody is to rate, and about how long that takes. */
  share(person: string): { readonly clips: number; readonly minutes: number };
}

const frame = { ...takePartFrame, scripts: [...(takePartFrame.scripts ?? []), 'rate.js'] };
const done = '/done';
const noHeadphones = '/headphones';

/**
 * Lets people rate clips, one by one, as the plan deals them. No name of a condition or utterance is on any page, and nothing tells hidden originals, anchors and repeats
 * from other clips.
 *
 * @example
 * const rating = openRating({ plan, clips: 'ratings-clips', people, write, problem });
 */
export function openRating({ plan, clips, people, write, problem }: RatingOptions): RatingPages {
  const scales = scalesOf(plan.profile);
  const seats = seatsOf(people);
  const seatOf = (person: string) => seats.find(({ name }) => name === person)?.seat;
  const known = new Map<string, readonly RatingTask[]>();
  const own = (person: string): readonly RatingTask[] => {
    const seat = seatOf(person);
    const tasks = known.get(person) ?? (seat === undefined ? [] : tasksOfRater(plan, seat));
    known.set(person, tasks);
    return tasks;
  };
  const idOf = ({ key }: Pick<RatingTask, 'key'>) => people.alias('clip', key);
  const ratingOf = (person: string, { key }: Pick<RatingTask, 'key'>) =>
    people.answer(person, key, 'rating') as Rating | null;
  const doneBy = (person: string, tasks: readonly RatingTask[]) =>
    tasks.filter((task) => ratingOf(person, task) !== null).length;

  /** Trials of the headphone check, round by round. */
  const trialsOf = (person: string, round: number) =>
    Array.from({ length: headphoneTrials }, (_, place) => {
      const trial = headphoneTrial(place, people.alias('headphones', `${person} ${round}`));
      const key = `headphones/${round}/${place}`;
      const said = people.answer(person, key, 'softest') as number | null;
      const id = people.alias('headphones', `${person} ${key}`);
      return { ...trial, key, id, round, place, right: said === null ? null : said === trial.soft };
    });
  /** Null: not asked, or not done yet. */
  const passedBy = (person: string): boolean | null => {
    if (plan.headphones === 'off') return null;
    const rounds = Array.from({ length: headphoneRounds }, (_, round) =>
      headphonesPassed(trialsOf(person, round).map(({ right }) => right)),
    );
    return rounds.includes(true) ? true : rounds.includes(null) ? null : false;
  };
  const openTrial = (person: string) => {
    if (plan.headphones === 'off' || passedBy(person) !== null) return null;
    for (let round = 0; round < headphoneRounds; round++) {
      const open = trialsOf(person, round).find(({ right }) => right === null);
      if (open !== undefined) return open;
    }
    return null;
  };
  const isShutOut = (person: string) => plan.headphones === 'required' && passedBy(person) === false;
  const nextOf = (person: string, tasks: readonly RatingTask[]) => {
    const trial = openTrial(person);
    if (trial !== null) return `/check/${trial.id}`;
    if (isShutOut(person)) return noHeadphones;
    const open = tasks.find((task) => ratingOf(person, task) === null);
    return open === undefined ? done : `/clips/${idOf(open)}`;
  };

  const givenBy = (person: string, ratings: ReadonlyMap<string, Rating> | undefined) =>
    own(person).flatMap((task): (GivenRating & { readonly task: RatingTask; readonly plays: number })[] => {
      const rating = ratings?.get(task.key);
      return rating === undefined ? [] : [{ ...task, task, ...rating }];
    });
  /** What everybody rated, by person and clip. */
  const everything = () => {
    const found = new Map<string, Map<string, Rating>>();
    for (const { person, task, question, value } of people.answers()) {
      if (question !== 'rating') continue;
      const mine = found.get(person) ?? new Map<string, Rating>();
      found.set(person, mine.set(task, value as unknown as Rating));
    }
    return found;
  };
  const rows = (): GivenRow[] => {
    const names = ratedClips(plan);
    const all = everything();
    return seats
      .toSorted((a, b) => a.seat - b.seat)
      .flatMap(({ name: listener }) => {
        const given = givenBy(listener, all.get(listener));
        const excluded = whyExcluded(plan, given, passedBy(listener));
        return given.flatMap(({ task, grades, plays }) =>
          scales.map(({ name: scale }): GivenRow => {
            const { id: utterance, corpus } = plan.utterances[task.utterance]!;
            const relation = plan.conditions[task.clip - 1]?.relation ?? null;
            const about = { listener, utterance, condition: names[task.clip]!, relation, corpus, scale };
            return { ...about, rating: grades[scale]!, kind: task.kind, plays, excluded };
          }),
        );
      });
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

  const answer = async ({ url, who, sent }: Asked<Person>): Promise<Answer> => {
    const { name, home } = who;
    const tasks = own(name);
    const next = nextOf(name, tasks);
    const [top = '', id = '', what, ...rest] = url.pathname.split('/').slice(1);
    if (rest.length > 0) return notFound('There is no such page.');
    if (top === 'check' || top === 'tones') return await checkAnswer(who, top, id, what, sent, next);
    if (top === '' && sent === undefined) {
      const isNew = tasks.length > 0 && doneBy(name, tasks) === 0 && next !== noHeadphones;
      return isNew
        ? { page: { ...frame, title: 'Listening' }, content: welcome(plan, tasks, home + next) }
        : { to: home + next };
    }
    if (url.pathname === noHeadphones && next === noHeadphones)
      return { page: { ...frame, title: 'Headphones' }, content: noHeadphonesContent() };
    if (top === 'done') {
      const content = doneContent(tasks.length, next === done ? null : home + next);
      return { page: { ...frame, title: next === done ? 'Thank you' : 'Not done yet' }, content };
    }
    const at = tasks.findIndex((one) => idOf(one) === id);
    const task = tasks[at];
    const isOpen = task !== undefined && openTrial(name) === null && !isShutOut(name);
    if (top === 'audio') {
      if (isOpen && what === undefined) return await audio(task.utterance, task.clip);
      if (isOpen && what === 'original' && hasOriginalBeside(plan)) return await audio(task.utterance, 0);
      return notFound('There is no such clip.');
    }
    if (top !== 'clips' || task === undefined) return notFound('There is no such page.');
    if (!isOpen) return sent === undefined ? { to: home + next } : notTaken('First comes the headphone check.', 409);
    if (sent !== undefined) {
      return what === 'rating' ? await keepRating(who, task, tasks, sent) : notTaken('There is no such question.', 404);
    }
    if (what !== undefined) return notFound('There is no such page.');
    const content = ratingContent(scales, {
      ...{ path: `${home}/clips/${id}`, of: tasks.length, done: doneBy(name, tasks), rating: ratingOf(name, task) },
      ...{ audio: `${home}/audio/${id}`, hasOriginal: hasOriginalBeside(plan), next: home + next },
      before: at > 0 ? `${home}/clips/${idOf(tasks[at - 1]!)}` : null,
    });
    return { page: { ...frame, title: `Clip ${at + 1} of ${tasks.length}` }, content };
  };

  const checkAnswer = async (
    { name, home }: Person,
    top: 'check' | 'tones',
    id: string,
    what: string | undefined,
    sent: unknown,
    next: string,
  ): Promise<Answer> => {
    const rounds = Array.from({ length: headphoneRounds }, (_, round) => trialsOf(name, round));
    const trial = plan.headphones === 'off' ? undefined : rounds.flat().find((one) => one.id === id);
    if (trial === undefined) return notFound('There is no such page.');
    if (top === 'tones') return { type: 'audio/wav', body: trial.wav() };
    if (openTrial(name)?.id !== id) return sent === undefined ? { to: home + next } : kept(home + next);
    if (sent === undefined) {
      const content = headphoneContent(trial, { path: `${home}/check/${id}`, audio: `${home}/tones/${id}` });
      return { page: { ...frame, title: 'Headphone check' }, content };
    }
    const { softest, plays } = fieldsOf(sent);
    if (what !== 'softest') return notTaken('There is no such question.', 404);
    if (playsIn(plays) === 0) return notTaken('Hear the three tones first.');
    if (softest === undefined || !/^[123]$/.test(softest)) return notTaken('Say which tone was the softest.');
    people.keep({ person: name, task: trial.key, question: 'softest', value: Number(softest) - 1 });
    if (isShutOut(name)) void writeTable();
    return kept(home + nextOf(name, own(name)));
  };

  const keepRating = async (
    { name: person, home }: Person,
    task: RatingTask,
    tasks: readonly RatingTask[],
    sent: unknown,
  ): Promise<Answer> => {
    const fields = fieldsOf(sent);
    const grades: Record<string, number> = {};
    for (const { name, grades: all } of scales) {
      const grade = /^\d{1,2}$/.test(fields[name] ?? '') ? Number(fields[name]) : 0;
      if (grade < 1 || grade > all.length) return notTaken(`Choose a grade from 1 to ${all.length}.`);
      grades[name] = grade;
    }
    const plays = Math.max(playsIn(fields.plays), ratingOf(person, task)?.plays ?? 0);
    if (plays === 0) return notTaken('Hear the clip to its end first.');
    people.keep({ person, task: task.key, question: 'rating', value: { grades, plays } });
    void writeTable();
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
    answer,
    assets: (path) => takePartAsset(path) ?? (path === '/assets/rate.js' ? ratingScript : null),
    problem,
    rows,
    writeTable,
    share(person) {
      const tasks = own(person);
      return { clips: tasks.length, minutes: minutesOfRating(plan, tasks) };
    },
    async overview({ url }) {
      if (url.pathname !== '/') return notFound('There is no such page.');
      const all = everything();
      const everyone = people.people().map(({ name, revoked }) => ({
        ...{ name, revoked, clips: own(name).length, rated: doneBy(name, own(name)) },
        ...{ headphones: passedBy(name), excluded: whyExcluded(plan, givenBy(name, all.get(name)), passedBy(name)) },
      }));
      const content = overviewContent(everyone, plan.headphones !== 'off');
      return { page: { ...takePartFrame, title: 'Ratings', again: true }, content };
    },
  };
}

function playsIn(text: string | undefined): number {
  return /^\d{1,4}$/.test(text ?? '') ? Number(text) : 0;
}

function fieldsOf(sent: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return {};
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => typeof value === 'string'));
}
