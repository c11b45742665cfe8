import { readFile, realpath } from 'node:fs/promises';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { limitText, printable } from '../../base/printable.ts';
import { type CheckedRow, summarizeVerdicts } from '../../cases/summarize-verdicts.ts';
import { type CheckCase, filledRows } from '../../session/cases/read-check-file.ts';
import { type CheckCells, checkText } from '../../session/cases/write-check-file.ts';
import { type Answer, notFound } from '../frame.ts';
import type { Asked } from '../listen.ts';
import {
  answersTo,
  both,
  clipContent,
  doneContent,
  isAnswer,
  type Judgement,
  longest,
  overviewContent,
  type ShownText,
  stays,
  welcome,
} from './judge-pages.ts';
import { byLot, type PeopleTable, peopleTable } from './listening-plan.ts';
import type { PeopleStore, Person, PersonAnswer } from './people-store.ts';
import type { PeoplePages } from './serve-people.ts';
import { kept, notTaken, takePartFrame } from './take-part.ts';

export interface JudgingOptions {
  /** The table as `cases sample` wrote it. */
  readonly file: string;
  readonly cases: readonly CheckCase[];
  readonly people: PeopleStore;
  /** Of the order in which each person gets the clips, and reads the texts of each. */
  readonly seed: number;
  /** Whether two texts are the same but for their spelling. */
  same(a: string, b: string): boolean;
  /** Something is wrong that those who judge cannot mend; the answers are kept all the same. */
  problem(sentence: string): void;
}

/** Pages for those who judge, and for whoever looks after them: counts and agreement. */
export interface Judging extends PeoplePages {
  /** Several cases may be of one clip. */
  readonly clips: number;
  /**
   * Writes each person's table beside the first one.
   *
   * @returns what was written, and why some could not be
   */
  writeTables(): Promise<{
    readonly written: readonly { readonly file: string; readonly judged: number }[];
    readonly problems: readonly unknown[];
  }>;
}

/** What is heard once, with every case that is about it. */
interface Clip {
  /** Says nothing of what is heard, nor of its place. */
  readonly id: string;
  /** Draws lots. */
  readonly lot: string;
  readonly path: string;
  readonly seconds: number;
  readonly cases: readonly CheckCase[];
}

const done = '/done';

/** The file of one person: `check-anna.csv` beside `check.csv`. */
export function personsFile(file: string, person: string): string {
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}-${person}${ending}`;
}

/**
 * Cases whose clips are the same byte for byte are about one clip: it is heard once, before any of its texts is read.
 *
 * @throws EarwitnessError `bad-input` for a clip that is missing, no WAV file, or lies elsewhere than beside the table
 */
async function clipsOf(file: string, cases: readonly CheckCase[], people: PeopleStore): Promise<readonly Clip[]> {
  const folder = resolve(dirname(file));
  const found = new Map<string, Clip>();
  for (const one of cases) {
    const { checked, cells } = one;
    const refuse = (why: string) =>
      new EarwitnessError(
        'bad-input',
        `${file}: expected the clip of ${checked.id} as a WAV file in the folder beside the table, but ${JSON.stringify(printable(cells.sound, 80))} ${why}; put back what cases sample wrote`,
      );
    const path = resolve(folder, cells.sound);
    if (!path.startsWith(`${folder}${sep}`)) throw refuse('lies elsewhere');
    const inside = await realpath(path).catch(() => null);
    if (inside === null) throw refuse('is missing');
    if (!inside.startsWith(`${await realpath(folder)}${sep}`)) throw refuse('lies elsewhere');
    const bytes = await readFile(inside).catch(() => null);
    if (bytes?.subarray(0, 4).toString('latin1') !== 'RIFF' || bytes.length < 44) throw refuse('is no WAV file');
    const hash = sha256(bytes);
    const before = found.get(hash);
    found.set(
      hash,
      before === undefined
        ? {
            ...{ id: people.alias('clip', hash), lot: checked.id, path: join(dirname(file), cells.sound) },
            ...{ seconds: (bytes.length - 44) / Math.max(1, bytes.readUInt32LE(28)), cases: [one] },
          }
        : { ...before, lot: before.lot < checked.id ? before.lot : checked.id, cases: [...before.cases, one] },
    );
  }
  return [...found.values()];
}

/** What one person answered, by case. */
class Answers {
  readonly #answers: ReadonlyMap<string, Json>;

  constructor(answers: readonly PersonAnswer[]) {
    this.#answers = new Map(answers.map(({ task, question, value }) => [`${question} ${task}`, value]));
  }

  get isEmpty(): boolean {
    return this.#answers.size === 0;
  }

  heard(id: string): string | null {
    return (this.#answers.get(`heard ${id}`) ?? null) as string | null;
  }

  judgement(id: string): Judgement | null {
    return (this.#answers.get(`judgement ${id}`) ?? null) as Judgement | null;
  }

  couldNotPlay(id: string): boolean {
    return this.#answers.get(`could not play ${id}`) === true;
  }

  heardIn({ cases }: Clip): string | null {
    return cases.map(({ checked }) => this.heard(checked.id)).find((text) => text !== null) ?? null;
  }

  isJudged({ cases }: Clip): boolean {
    return cases.every(({ checked }) => this.judgement(checked.id) !== null);
  }

  isLeftOut(clip: Clip): boolean {
    return !this.isJudged(clip) && clip.cases.some(({ checked }) => this.couldNotPlay(checked.id));
  }
}

/**
 * Lets people judge failed cases: each hears a clip, writes down what it says, and only then reads the texts (what was to be said, and what
 * recognizers wrote, without their names, in an order drawn by seed), in an order of clips of their own. What was heard first stays as it was; the
 * rest can be changed until the end.
 *
 * @throws EarwitnessError `bad-input` for a clip that is none, or a person's table that has what the database has not
 * @example
 * const judging = await openJudging({ file: 'check.csv', cases: await readUnfilledCheckFile('check.csv'), people, seed: 1, same: sameLetters, problem });
 */
export async function openJudging({ file, cases, people, seed, same, problem }: JudgingOptions): Promise<Judging> {
  const clips = await clipsOf(file, cases, people);
  const orderFor = (person: string) => byLot(clips, ({ lot }) => [seed, person, lot]);
  const answersOf = (person: string) => new Answers(people.answers(person));
  const judgedBy = (person: string) => clips.filter((clip) => answersOf(person).isJudged(clip)).length;
  const tables = new Map<string, PeopleTable>();
  const tableOf = (person: string) => {
    const table =
      tables.get(person) ??
      peopleTable(people, personsFile(file, person), (path) => filledRows(path).catch(() => null));
    tables.set(person, table);
    return table;
  };
  for (const { name } of people.people()) await tableOf(name).check();

  /** The first clip that a person has not judged. */
  const nextOf = (order: readonly Clip[], mine: Answers) => {
    const open = order.find((clip) => !mine.isJudged(clip) && !mine.isLeftOut(clip));
    return open === undefined ? done : `/clips/${open.id}`;
  };
  /** Each text once, whichever cases have it. */
  const textsOf = (person: string, { cases: ofClip, lot }: Clip, mine: Answers): readonly ShownText[] => {
    const texts = new Map<string, ShownText>();
    for (const { checked } of ofClip) {
      const judged = mine.judgement(checked.id);
      const add = (text: string, answer: Judgement['saysText'] | null) => {
        const before = texts.get(text)?.answer ?? answer;
        texts.set(text, { text, field: fieldOf(lot, text), answer: before });
      };
      add(checked.text, judged?.saysText ?? null);
      add(checked.transcript, judged?.saysTranscript ?? null);
    }
    return byLot([...texts.values()], ({ text }) => [seed, person, lot, text]);
  };
  const fieldOf = (lot: string, text: string) => `says-${people.alias('text', `${lot} ${text}`).slice(0, 8)}`;
  const seenOf = (texts: readonly ShownText[], note: string) =>
    texts.every(({ answer }) => answer === null)
      ? ''
      : people.alias('seen', JSON.stringify([note, ...texts.map(({ field, answer }) => [field, answer]).sort()]));
  const noteOf = ({ cases: ofClip }: Clip, mine: Answers) =>
    ofClip.map(({ checked }) => mine.judgement(checked.id)?.note).find((note) => note !== undefined) ?? '';

  const cellsOf = (person: string): CheckCells[] => {
    const mine = answersOf(person);
    return cases.map(({ checked: { id }, cells }) => {
      const judged = mine.judgement(id);
      const heard = mine.heard(id);
      const left = judged === null && mine.couldNotPlay(id);
      return {
        ...cells,
        ...{ heard: heard ?? '', person: heard === null && !left ? '' : person },
        note: judged?.note ?? (left ? 'could not play the clip' : ''),
        ...{ sound_says_text: judged?.saysText ?? '', sound_says_transcript: judged?.saysTranscript ?? '' },
      };
    });
  };
  let writing: Promise<void> = Promise.resolve();
  /** One after another: two answers at once would write one file. */
  const writeTable = (person: string): Promise<void> => {
    writing = writing.catch(() => {}).then(() => tableOf(person).write(checkText(file, cellsOf(person))));
    return writing;
  };

  const answer = async ({ url, who, sent }: Asked<Person>): Promise<Answer> => {
    const { name, home } = who;
    const mine = answersOf(name);
    const order = orderFor(name);
    const next = home + nextOf(order, mine);
    const [top, id = '', question, ...rest] = url.pathname.split('/').slice(1);
    if (rest.length > 0) return notFound('There is no such page.');
    if (top === '' && sent === undefined) {
      if (!mine.isEmpty) return { to: next };
      return { page: { ...takePartFrame, title: 'Judging' }, content: welcome(clips, next) };
    }
    if (top === 'done' && sent === undefined) {
      const left = order.flatMap((clip, at) =>
        mine.isLeftOut(clip) ? [{ title: `Clip ${at + 1}`, path: `${home}/clips/${clip.id}` }] : [],
      );
      return {
        page: { ...takePartFrame, title: next === home + done ? 'Thank you' : 'Not done yet' },
        content: doneContent(
          order.length,
          next === home + done ? null : next,
          `${home}/clips/${order.at(-1)!.id}`,
          left,
        ),
      };
    }
    const at = order.findIndex((clip) => clip.id === id);
    const clip = order[at];
    if ((top !== 'clips' && top !== 'audio') || clip === undefined) return notFound('There is no such page.');
    if (top === 'audio') return question === undefined ? await audio(clip) : notFound('There is no such page.');
    const path = `${home}/clips/${id}`;
    if (sent !== undefined) {
      const fields = fieldsOf(sent);
      if (fields === null) return notTaken('Expected texts.');
      if (question === 'heard') return keepHeard(who, clip, fields);
      if (question === 'judgement') return await keepJudgement(who, clip, fields);
      if (question === 'could-not-play') return await keepCouldNotPlay(who, clip);
      return notTaken('There is no such question.', 404);
    }
    if (question !== undefined) return notFound('There is no such page.');
    const texts = textsOf(name, clip, mine);
    const replaced = order.find((one) => one.id === url.searchParams.get('replaced'));
    return {
      page: { ...takePartFrame, title: `Clip ${at + 1} of ${order.length}` },
      content: clipContent({
        ...{ path, audio: `${home}/audio/${id}`, texts, heard: mine.heardIn(clip), note: noteOf(clip, mine) },
        ...{ seen: seenOf(texts, noteOf(clip, mine)), isJudged: mine.isJudged(clip), isLeftOut: mine.isLeftOut(clip) },
        ...{ of: order.length, judged: order.filter((one) => mine.isJudged(one)).length },
        before: at > 0 ? `${home}/clips/${order[at - 1]!.id}` : null,
        next: mine.isJudged(clip) || mine.isLeftOut(clip) ? next : null,
        says: url.searchParams.has('stays') ? stays : null,
        replaced: replaced === undefined ? null : `${home}/clips/${replaced.id}`,
      }),
    };
  };

  const keepHeard = ({ name, home }: Person, clip: Clip, { heard = '', nothing }: Fields): Answer => {
    const path = `${home}/clips/${clip.id}`;
    const text = limitText(heard.trim(), longest);
    if (text !== '' && nothing === 'yes') return notTaken(both);
    if (text === '' && nothing !== 'yes')
      return notTaken('Write down what you hear, or mark that no word can be made out.');
    const before = answersOf(name).heardIn(clip);
    if (before !== null && before !== text) return notTaken(stays, 409, `${path}?stays`);
    people.keep(
      ...clip.cases.flatMap(({ checked: { id } }) => [
        { person: name, task: id, question: 'heard', value: text },
        { person: name, task: id, question: 'could not play', value: false },
      ]),
    );
    return kept(path);
  };

  const keepJudgement = async (
    who: Person,
    clip: Clip,
    { note = '', seen = '', ...fields }: Fields,
  ): Promise<Answer> => {
    const { name, home } = who;
    const before = answersOf(name);
    const heard = before.heardIn(clip);
    if (heard === null) return notTaken('Write down what you hear first.', 409);
    const said = (text: string) => fields[fieldOf(clip.lot, text)];
    const values = clip.cases.map(({ checked: { id, text, transcript } }) => {
      const [saysText, saysTranscript] = [said(text), said(transcript)];
      if (!isAnswer(saysText) || !isAnswer(saysTranscript)) return null;
      return { id, value: { saysText, saysTranscript, note: limitText(note.trim(), longest) } };
    });
    if (values.includes(null)) return notTaken(`Answer all ${answersTo(textsOf(name, clip, before).length)}.`);
    const there = seenOf(textsOf(name, clip, before), noteOf(clip, before));
    people.keep(
      ...values.flatMap((one) => [
        { person: name, task: one!.id, question: 'judgement', value: one!.value },
        { person: name, task: one!.id, question: 'heard', value: heard },
        { person: name, task: one!.id, question: 'could not play', value: false },
      ]),
    );
    await writeTable(name).catch((error: unknown) => problem(messageOf(error)));
    const mine = answersOf(name);
    const now = seenOf(textsOf(name, clip, mine), noteOf(clip, mine));
    const next = home + nextOf(orderFor(name), mine);
    return kept(there === '' || there === seen || there === now ? next : `${next}?replaced=${clip.id}`);
  };

  const keepCouldNotPlay = async ({ name, home }: Person, clip: Clip): Promise<Answer> => {
    if (!answersOf(name).isJudged(clip)) {
      people.keep(
        ...clip.cases.map(({ checked: { id } }) => ({
          person: name,
          task: id,
          question: 'could not play',
          value: true,
        })),
      );
      await writeTable(name).catch((error: unknown) => problem(messageOf(error)));
    }
    return kept(home + nextOf(orderFor(name), answersOf(name)));
  };

  const audio = async ({ path }: Clip): Promise<Answer> => {
    try {
      return { type: 'audio/wav', body: await readFile(path) };
    } catch (error) {
      problem(messageOf(error));
      return notFound('This clip cannot be played now.');
    }
  };

  return {
    answer,
    problem,
    clips: clips.length,
    async overview({ url }) {
      if (url.pathname !== '/') return notFound('There is no such page.');
      const everyone = people.people().map(({ name, revoked }) => {
        try {
          return { name, revoked, judged: judgedBy(name), last: people.lastAnswered(name), mine: answersOf(name) };
        } catch (error) {
          return { name, revoked, problem: messageOf(error) };
        }
      });
      const rows = everyone.flatMap(({ name, mine }): CheckedRow[] =>
        mine === undefined
          ? []
          : cases.map(({ checked }) => {
              const { saysText = null, saysTranscript = null } = mine.judgement(checked.id) ?? {};
              return {
                checked,
                person: name,
                verdict: { saysText, saysTranscript, heard: mine.heard(checked.id) || null },
              };
            }),
      );
      const { agreement } = summarizeVerdicts(rows, { same });
      return {
        page: { ...takePartFrame, title: 'Judging', again: true },
        content: overviewContent(everyone, clips.length, agreement, tablesOf(everyone)),
      };
    },
    async writeTables() {
      const written: { file: string; judged: number }[] = [];
      const problems: unknown[] = [];
      for (const { name } of people.people()) {
        try {
          if (answersOf(name).isEmpty) continue;
          await writeTable(name);
          written.push({ file: personsFile(file, name), judged: judgedBy(name) });
        } catch (error) {
          problems.push(error);
        }
      }
      return { written, problems };
    },
  };
  function tablesOf(everyone: readonly { readonly name: string; readonly judged?: number }[]): readonly string[] {
    return everyone.filter(({ judged = 0 }) => judged > 0).map(({ name }) => personsFile(file, name));
  }
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Null: not every one is a text. */
function fieldsOf(sent: unknown): Fields | null {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return null;
  return Object.values(sent).every((value) => typeof value === 'string') ? { ...(sent as Fields) } : null;
}
