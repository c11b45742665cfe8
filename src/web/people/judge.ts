import { createHmac } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { limitText } from '../../base/limit-text.ts';
import { formatFixed } from '../../base/number-format.ts';
import { printable } from '../../base/printable.ts';
import {
  answers,
  type CheckedRow,
  summarizeVerdicts,
  type VerificationAnswer,
} from '../../cases/summarize-verdicts.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import type { CheckCase } from '../../session/cases/read-check-file.ts';
import { type CheckCells, writeCheckRows } from '../../session/cases/write-check-file.ts';
import { type Answer, notFound } from '../answer.ts';
import type { Asked } from '../listen.ts';
import type { PeopleStore, Person } from './people-store.ts';
import { kept, keptForm, notTaken, takePartAsset, takePartFrame } from './take-part.ts';

/** What a person says of a case once the texts were read. */
interface Judgement {
  readonly saysText: VerificationAnswer;
  readonly saysTranscript: VerificationAnswer;
  readonly note: string;
}

export interface JudgingOptions {
  /** The table as `cases sample` wrote it. */
  readonly file: string;
  readonly cases: readonly CheckCase[];
  readonly people: PeopleStore;
  /** Of the order in which each person gets the cases. */
  readonly seed: number;
  /** Whether two texts are the same but for their spelling. */
  same(a: string, b: string): boolean;
  /** A person's table could not be written; the answers are kept all the same. */
  problem(sentence: string): void;
}

/** Pages for those who judge, and for whoever looks after them. */
export interface Judging {
  answer(asked: Asked<Person>): Promise<Answer>;
  /** Counts and agreement: never for those who judge. */
  overview(asked: Asked<true>): Promise<Answer>;
  /** Writes each person's table beside the first one. */
  writeTables(): Promise<readonly { readonly file: string; readonly judged: number }[]>;
}

const longest = 2000;
const done = '/done';

/** The file of one person: `check-anna.csv` beside `check.csv`. */
export function personsFile(file: string, person: string): string {
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}-${person}${ending}`;
}

/** @throws EarwitnessError `bad-input` for a clip that is none, or lies elsewhere than beside the table */
async function checkClips(file: string, cases: readonly CheckCase[]): Promise<void> {
  const folder = resolve(dirname(file));
  for (const { checked, cells } of cases) {
    const path = resolve(folder, cells.sound);
    const inside = path.startsWith(`${folder}${sep}`) ? await realpath(path).catch(() => null) : null;
    const clip = inside?.startsWith(`${await realpath(folder)}${sep}`) ? await readFile(inside) : null;
    if (clip?.subarray(0, 4).toString('latin1') === 'RIFF') continue;
    throw new EarwitnessError(
      'bad-input',
      `${file}: expected the clip of ${checked.id} as a WAV file in the folder beside the table, but ${JSON.stringify(printable(cells.sound, 80))} is none; put back what cases sample wrote`,
    );
  }
}

/**
 * Lets people judge failed cases: each hears a clip, writes down what it says, and only then reads the text and the transcript, without
 * the recognizer's name and in an order of their own. What was heard first stays as it was; the rest can be changed until the end.
 *
 * @throws EarwitnessError `bad-input` for a clip that is none
 * @example
 * const judging = await openJudging({ file: 'check.csv', cases: await readUnfilledCheckFile('check.csv'), people, seed: 1, same: sameLetters, problem });
 */
export async function openJudging({ file, cases, people, seed, same, problem }: JudgingOptions): Promise<Judging> {
  await checkClips(file, cases);
  const named = (prefix: string, name: string) =>
    createHmac('sha256', people.secret).update(`${prefix} ${name}`).digest('base64url').slice(0, 24);
  const clips = new Map(cases.map(({ checked, cells }) => [named('clip', checked.id), cells.sound]));
  const orderFor = (person: string) =>
    cases
      .map((one) => ({ one, order: sha256(JSON.stringify([seed, person, one.checked.id])) }))
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .map(({ one }) => one);
  const heardOf = (person: string, id: string) => people.answer(person, id, 'heard') as string | null;
  const judgementOf = (person: string, id: string) => people.answer(person, id, 'judgement') as Judgement | null;
  const judgedBy = (person: string) => people.answers(person).filter(({ question }) => question === 'judgement').length;

  /** The first clip that a person has not judged. */
  const nextOf = (person: string, order: readonly CheckCase[]) => {
    const open = order.findIndex(({ checked: { id } }) => judgementOf(person, id) === null);
    return open < 0 ? done : `/clips/${open + 1}`;
  };
  const cellsOf = (person: string): CheckCells[] =>
    cases.map(({ checked: { id }, cells }) => {
      const judged = judgementOf(person, id);
      const heard = heardOf(person, id);
      return {
        ...cells,
        ...{ heard: heard ?? '', person: heard === null ? '' : person, note: judged?.note ?? '' },
        ...{ sound_says_text: judged?.saysText ?? '', sound_says_transcript: judged?.saysTranscript ?? '' },
      };
    });
  const writeTable = (person: string) => writeCheckRows(personsFile(file, person), cellsOf(person));

  const answer = async ({ url, who, sent }: Asked<Person>): Promise<Answer> => {
    const asset = takePartAsset(url.pathname);
    if (asset !== null) return asset;
    const frame = { ...takePartFrame, entriesOf: named('entries', who.name) };
    const order = orderFor(who.name);
    const next = nextOf(who.name, order);
    const [top, number = '', question, ...rest] = url.pathname.split('/').slice(1);
    if (rest.length > 0) return notFound('There is no such page.');
    if (top === '') return { to: next };
    if (top === 'done') {
      return {
        page: { ...frame, title: next === done ? 'Thank you' : 'Not done yet' },
        content: doneContent(order.length, next),
      };
    }
    if (top === 'audio' && question === undefined) return audio(number);
    const place = /^\d{1,7}$/.test(number) ? Number(number) - 1 : -1;
    const one = order[place];
    if (top !== 'clips' || one === undefined) return notFound('There is no such page.');
    const { id } = one.checked;
    const heard = heardOf(who.name, id);
    if (sent !== undefined) {
      if (question === 'heard') return keepHeard(who.name, id, place, sent);
      if (question === 'judgement') return await keepJudgement(who.name, id, sent);
      return notTaken('There is no such question.', 404);
    }
    if (question !== undefined) return notFound('There is no such page.');
    const title = `Clip ${place + 1} of ${order.length}`;
    const player = html`<audio controls preload="auto" src="/audio/${named('clip', id)}" aria-label="${title}"></audio>
<p class="small quiet"><kbd>Esc</kbd> plays and pauses.</p>`;
    const around = html`<nav class="actions" aria-label="Other clips">${place > 0 && html`<a href="/clips/${place}">‹ Previous clip</a>`}${judgementOf(who.name, id) !== null && html`<a href="${next}">Go on ›</a>`}</nav>`;
    const content = heard === null ? hearContent(place) : judgeContent(place, one, heard, judgementOf(who.name, id));
    return {
      page: { ...frame, title },
      content: html`<progress max="${order.length}" value="${judgedBy(who.name)}" aria-label="Clips that are judged"></progress><div class="task">${player}${content}${around}</div>`,
    };
  };

  const keepHeard = (person: string, task: string, place: number, sent: unknown): Answer => {
    const { heard, nothing } = fieldsOf(sent);
    const text = nothing === 'yes' ? '' : (heard ?? '').trim();
    if (text === '' && nothing !== 'yes') {
      return notTaken('Write down what you hear, or mark that no word can be made out.');
    }
    const before = heardOf(person, task);
    if (before !== null && before !== limitText(text, longest)) {
      return notTaken('What you heard was written down before the texts were shown, and stays.', 409);
    }
    people.keep({ person, task, question: 'heard', value: limitText(text, longest) });
    return kept(`/clips/${place + 1}`);
  };

  const keepJudgement = async (person: string, task: string, sent: unknown): Promise<Answer> => {
    if (heardOf(person, task) === null) return notTaken('Write down what you hear first.', 409);
    const { saysText, saysTranscript, note = '' } = fieldsOf(sent);
    if (!isAnswer(saysText) || !isAnswer(saysTranscript)) return notTaken('Answer both questions.');
    const value = { saysText, saysTranscript, note: limitText(note.trim(), longest) };
    people.keep({ person, task, question: 'judgement', value });
    await writeTable(person).catch((error: unknown) => problem(messageOf(error)));
    return kept(nextOf(person, orderFor(person)));
  };

  const audio = async (id: string): Promise<Answer> => {
    const sound = clips.get(id);
    if (sound === undefined) return notFound('There is no such clip.');
    return { type: 'audio/wav', body: await readFile(join(dirname(file), sound)) };
  };

  return {
    answer,
    async overview({ url }) {
      const asset = takePartAsset(url.pathname);
      if (asset !== null) return asset;
      if (url.pathname !== '/') return notFound('There is no such page.');
      const everyone = people.people();
      const rows = everyone.flatMap(({ name }): CheckedRow[] =>
        cases.map(({ checked }) => {
          const judged = judgementOf(name, checked.id);
          const { saysText = null, saysTranscript = null } = judged ?? {};
          return {
            checked,
            person: name,
            verdict: { saysText, saysTranscript, heard: heardOf(name, checked.id) || null },
          };
        }),
      );
      const { agreement } = summarizeVerdicts(rows, { same });
      return {
        page: { ...takePartFrame, title: 'Judging', again: true },
        content: overviewContent(
          everyone.map(({ name, revoked }) => ({ name, revoked, judged: judgedBy(name) })),
          cases.length,
          agreement,
        ),
      };
    },
    async writeTables() {
      const written = [];
      for (const { name } of people.people()) {
        const judged = judgedBy(name);
        if (judged === 0) continue;
        await writeTable(name);
        written.push({ file: personsFile(file, name), judged });
      }
      return written;
    },
  };
}

function fieldsOf(sent: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return {};
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => typeof value === 'string'));
}

function isAnswer(value: Json | undefined): value is VerificationAnswer {
  return (answers as readonly unknown[]).includes(value);
}

function hearContent(place: number): Markup {
  return keptForm(
    `/clips/${place + 1}/heard`,
    html`<label>What do you hear? Write down the words, as well as you can.
<input type="text" name="heard" maxlength="${longest}" autocomplete="off" autocapitalize="off" spellcheck="false" autofocus></label>
<label><input type="checkbox" name="nothing" value="yes"> No word can be made out</label>
<p class="small quiet">It cannot be changed afterwards: you will see two texts, and nobody hears the same once they have read them.</p>`,
    'Save and go on',
  );
}

function judgeContent(place: number, { checked }: CheckCase, heard: string, judged: Judgement | null): Markup {
  const question = (name: 'saysText' | 'saysTranscript', legend: string) =>
    html`<fieldset><legend>${legend}</legend>${answers.map((one) => html`<label><input type="radio" name="${name}" value="${one}" required${judged?.[name] === one && html` checked`}> ${one}</label>`)}</fieldset>`;
  const shown = (text: string) => (text === '' ? html`<i>(nothing)</i>` : html`<bdi>${text}</bdi>`);
  return html`<section aria-label="What you heard"><h2>You heard</h2><blockquote>${heard === '' ? html`<i>(no word)</i>` : html`<bdi>${heard}</bdi>`}</blockquote></section>
${keptForm(
  `/clips/${place + 1}/judgement`,
  html`<section><h2>First text</h2><blockquote>${shown(checked.text)}</blockquote></section>
${question('saysText', 'Does the clip say the first text?')}
<section><h2>Second text</h2><blockquote>${shown(checked.transcript)}</blockquote></section>
${question('saysTranscript', 'Does the clip say the second text?')}
<p class="small quiet">Unsure: it could be heard either way. Case, punctuation and spaces do not matter.</p>
<label>Note (if something is to be said)<input type="text" name="note" maxlength="${longest}" autocomplete="off" value="${judged?.note ?? ''}"></label>`,
  judged === null ? 'Save and go on' : 'Save the change',
)}`;
}

function doneContent(count: number, next: string): Markup {
  return next === done
    ? html`<p class="text">All ${count} clips are judged and kept. You can close this page.</p><p class="text"><a href="/clips/${count}">Look at the last one again</a></p>`
    : html`<p class="text">Some clips are not judged yet. <a href="${next}">Go on</a></p>`;
}

type Agreement = ReturnType<typeof summarizeVerdicts>['agreement'];

function overviewContent(
  everyone: readonly { readonly name: string; readonly revoked: boolean; readonly judged: number }[],
  count: number,
  agreement: Agreement,
): Markup {
  const number = (value: number | null) => (value === null ? '–' : formatFixed(value, 2));
  return html`<div class="scroll"><table><caption>Who judged how many of ${count} clips</caption><thead><tr><th scope="col">Person</th><th scope="col" class="number">Judged</th><th scope="col">Invitation</th></tr></thead><tbody>${everyone.map(({ name, judged, revoked }) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="number">${judged}</td><td>${revoked ? 'revoked' : 'open'}</td></tr>`)}</tbody></table></div>
${
  agreement === null
    ? html`<p class="text">Agreement needs two people.</p>`
    : html`<div class="scroll"><table><caption>Agreement so far (Krippendorff's alpha, nominal; 1: always, 0: as by chance)</caption><thead><tr><th scope="col">Of</th><th scope="col" class="number">Alpha</th><th scope="col" class="number">95 % CI</th><th scope="col" class="number">Clips judged by two or more</th></tr></thead><tbody>${Object.entries(agreement).map(([of, { value, low, high, units }]) => html`<tr><th scope="row">${of}</th><td class="number">${number(value)}</td><td class="number">${low === null ? '–' : `${number(low)} to ${number(high)}`}</td><td class="number">${units}</td></tr>`)}</tbody></table></div>`
}
<p class="text quiet">What people judged is not shown before they are done: earwitness cases verdicts tells it.</p>`;
}
