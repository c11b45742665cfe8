import { readFile, realpath } from 'node:fs/promises';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { badInput, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { limitText, printable } from '../../base/printable.ts';
import { type CheckedRow, summarizeVerdicts } from '../../cases/summarize-verdicts.ts';
import { type CheckCase, filledRows } from '../../session/cases/read-check-file.ts';
import { type CheckCells, checkText } from '../../session/cases/write-check-file.ts';
import { type Fields, openClipSession } from './clip-session.ts';
import {
  agreementContent,
  answersTo,
  both,
  clipContent,
  isAnswer,
  type Judgement,
  longest,
  type ShownText,
  stays,
  timeInWords,
  welcome,
} from './judge-pages.ts';
import { byLot, type PeopleTable, peopleTable } from './listening-plan.ts';
import type { PeopleStore } from './people-store.ts';
import type { PeoplePages } from './serve-people.ts';
import { notTaken } from './take-part.ts';

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
  /** The hash of what is heard. */
  readonly key: string;
  /** Draws lots. */
  readonly lot: string;
  readonly path: string;
  readonly seconds: number;
  readonly cases: readonly CheckCase[];
}

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
async function clipsOf(file: string, cases: readonly CheckCase[]): Promise<readonly Clip[]> {
  const folder = resolve(dirname(file));
  const found = new Map<string, Clip>();
  for (const one of cases) {
    const { checked, cells } = one;
    const refuse = (why: string) =>
      badInput(
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
            ...{ key: hash, lot: checked.id, path: join(dirname(file), cells.sound) },
            ...{ seconds: (bytes.length - 44) / Math.max(1, bytes.readUInt32LE(28)), cases: [one] },
          }
        : { ...before, lot: before.lot < checked.id ? before.lot : checked.id, cases: [...before.cases, one] },
    );
  }
  return [...found.values()];
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
  const clips = await clipsOf(file, cases);
  const heardOf = (person: string, id: string) => people.answer(person, id, 'heard') as string | null;
  const judgementOf = (person: string, id: string) => people.answer(person, id, 'judgement') as Judgement | null;
  const couldNotPlay = (person: string, id: string) => people.answer(person, id, 'could not play') === true;
  const heardIn = (person: string, { cases: of }: Clip) =>
    of.map(({ checked }) => heardOf(person, checked.id)).find((text) => text !== null) ?? null;
  /** Null: some of its cases are not judged yet. */
  const judgedIn = (person: string, { cases: of }: Clip): readonly Judgement[] | null => {
    const judged = of.flatMap(({ checked }) => judgementOf(person, checked.id) ?? []);
    return judged.length < of.length ? null : judged;
  };
  const isLeftOut = (person: string, clip: Clip) =>
    judgedIn(person, clip) === null && clip.cases.some(({ checked }) => couldNotPlay(person, checked.id));
  const judgedBy = (person: string) => clips.filter((clip) => judgedIn(person, clip) !== null);
  const tables = new Map<string, PeopleTable>();
  const tableOf = (person: string) => {
    const table =
      tables.get(person) ??
      peopleTable(people, personsFile(file, person), (path) => filledRows(path).catch(() => null));
    tables.set(person, table);
    return table;
  };
  for (const { name } of people.people()) await tableOf(name).check();

  /** Each text once, whichever cases have it. */
  const textsOf = (person: string, { cases: ofClip, lot }: Clip): readonly ShownText[] => {
    const texts = new Map<string, ShownText>();
    for (const { checked } of ofClip) {
      const judged = judgementOf(person, checked.id);
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
  /** Stands for the answers that a page of a clip shows. */
  const seenOf = (person: string, clip: Clip) => {
    const texts = textsOf(person, clip);
    const answers = texts.map(({ field, answer }) => [field, answer]).sort();
    const isOpen = texts.every(({ answer }) => answer === null);
    return isOpen ? '' : people.alias('seen', JSON.stringify([noteOf(person, clip), ...answers]));
  };
  const noteOf = (person: string, { cases: of }: Clip) =>
    of.map(({ checked }) => judgementOf(person, checked.id)?.note).find((note) => note !== undefined) ?? '';

  const cellsOf = (person: string): CheckCells[] =>
    cases.map(({ checked: { id }, cells }) => {
      const judged = judgementOf(person, id);
      const heard = heardOf(person, id);
      const left = judged === null && couldNotPlay(person, id);
      return {
        ...cells,
        ...{ heard: heard ?? '', person: heard === null && !left ? '' : person },
        note: judged?.note ?? (left ? 'could not play the clip' : ''),
        ...{ sound_says_text: judged?.saysText ?? '', sound_says_transcript: judged?.saysTranscript ?? '' },
      };
    });
  let writing: Promise<void> = Promise.resolve();
  /** One after another: two answers at once would write one file. */
  const writeTable = (person: string): Promise<void> => {
    writing = writing.catch(() => {}).then(() => tableOf(person).write(checkText(file, cellsOf(person))));
    return writing;
  };

  /** The same answer to a question of every case of a clip. */
  const ofAll = ({ cases: of }: Clip, question: string, value: Json) =>
    of.map(({ checked: { id } }) => ({ task: id, question, value }));
  const keepHeard = (person: string, clip: Clip, path: string, { heard = '', nothing }: Fields) => {
    const text = limitText(heard.trim(), longest);
    if (text !== '' && nothing === 'yes') return notTaken(both);
    if (text === '' && nothing !== 'yes')
      return notTaken('Write down what you hear, or mark that no word can be made out.');
    const before = heardIn(person, clip);
    if (before !== null && before !== text) return notTaken(stays, 409, `${path}?stays`);
    return { keep: [...ofAll(clip, 'heard', text), ...ofAll(clip, 'could not play', false)], afterwards: () => path };
  };
  const keepJudgement = (person: string, clip: Clip, { note = '', seen = '', ...fields }: Fields) => {
    const heard = heardIn(person, clip);
    if (heard === null) return notTaken('Write down what you hear first.', 409);
    const said = (text: string) => fields[fieldOf(clip.lot, text)];
    const judged = clip.cases.flatMap(({ checked: { id, text, transcript } }) => {
      const [saysText, saysTranscript] = [said(text), said(transcript)];
      if (!isAnswer(saysText) || !isAnswer(saysTranscript)) return [];
      const value = { saysText, saysTranscript, note: limitText(note.trim(), longest) };
      return [{ task: id, question: 'judgement', value }];
    });
    if (judged.length < clip.cases.length) return notTaken(`Answer all ${answersTo(textsOf(person, clip).length)}.`);
    const there = seenOf(person, clip);
    return {
      keep: [...judged, ...ofAll(clip, 'heard', heard), ...ofAll(clip, 'could not play', false)],
      async afterwards(next: string) {
        await tellOf(writeTable(person));
        const isSeen = ['', seen, seenOf(person, clip)].includes(there);
        return isSeen ? next : `${next}?replaced=${people.alias('clip', clip.key)}`;
      },
    };
  };
  const tellOf = (written: Promise<void>) => written.catch((error: unknown) => problem(messageOf(error)));

  const agreementNow = () => {
    const rows = people.people().flatMap(({ name }): CheckedRow[] => {
      try {
        return cases.map(({ checked }) => {
          const { saysText = null, saysTranscript = null } = judgementOf(name, checked.id) ?? {};
          const heard = heardOf(name, checked.id) || null;
          return { checked, person: name, verdict: { saysText, saysTranscript, heard } };
        });
      } catch {
        // Damaged, which stands beside the name.
        return [];
      }
    });
    return summarizeVerdicts(rows, { same }).agreement;
  };
  const written = () =>
    people.people().flatMap(({ name }) => (people.lastAnswered(name) === null ? [] : [personsFile(file, name)]));

  const session = openClipSession<Clip, readonly Judgement[]>(
    { people, problem },
    {
      question: 'judgement',
      words: { todo: 'judge', done: 'judged', title: 'Judging' },
      tasksOf: (person) => byLot(clips, ({ lot }) => [seed, person, lot]),
      valueOf: judgedIn,
      isLeftOut,
      clipAt: ({ path, key }, below) => (below === undefined ? { path, sha256: key } : null),
      welcome,
      clip(person, clip, tasks, shown) {
        const { url, clips: home, path } = shown;
        const replaced = tasks.find(({ key }) => people.alias('clip', key) === url.searchParams.get('replaced'));
        return clipContent({
          ...{ ...shown, texts: textsOf(person, clip), heard: heardIn(person, clip), note: noteOf(person, clip) },
          ...{ path, seen: seenOf(person, clip), isLeftOut: isLeftOut(person, clip) },
          says: url.searchParams.has('stays') ? stays : null,
          replaced: replaced === undefined ? null : `${home}/${people.alias('clip', replaced.key)}`,
        });
      },
      keep(question, fields, { person, task: clip, path }) {
        if (question === 'heard') return keepHeard(person, clip, path, fields);
        if (question === 'judgement') return keepJudgement(person, clip, fields);
        if (question !== 'could-not-play') return null;
        if (judgedIn(person, clip) !== null) return { keep: [] };
        const afterwards = (next: string) => tellOf(writeTable(person)).then(() => next);
        return { keep: ofAll(clip, 'could not play', true), afterwards };
      },
      overview: {
        ...{ caption: 'Who has judged how many clips', done: 'Judged' },
        columns: [{ name: 'Last answer', of: (person) => timeInWords(people.lastAnswered(person)) }],
        note: () => agreementContent(agreementNow(), written()),
      },
    },
  );
  return {
    ...session,
    clips: clips.length,
    async writeTables() {
      const done: { file: string; judged: number }[] = [];
      const problems: unknown[] = [];
      for (const { name } of people.people()) {
        try {
          if (people.lastAnswered(name) === null) continue;
          await writeTable(name);
          done.push({ file: personsFile(file, name), judged: judgedBy(name).length });
        } catch (error) {
          problems.push(error);
        }
      }
      return { written: done, problems };
    },
  };
}
