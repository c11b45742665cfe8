import { formatFixed } from '../../base/number-format.ts';
import { commandLine } from '../../base/printable.ts';
import { answers, type summarizeVerdicts, type VerificationAnswer } from '../../cases/summarize-verdicts.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { aboutMinutes, type ShownClip } from './clip-session.ts';
import { minutesToWriteDown } from './listening-plan.ts';
import { keptForm } from './take-part.ts';

/** What a person says of a case once the texts were read. */
export interface Judgement {
  readonly saysText: VerificationAnswer;
  readonly saysTranscript: VerificationAnswer;
  readonly note: string;
}

/** A text that a clip may say, and what it is called in the form: neither tells whose text it is. */
export interface ShownText {
  readonly text: string;
  readonly field: string;
  readonly answer: VerificationAnswer | null;
}

/** Characters of what is written down. */
export const longest = 2000;
export const stays = 'What you heard was written down before the texts were shown, and stays.';
export const both = 'Either words, or none: take the words out, or take the mark away.';
const secondsOfJudging = 6;

export function isAnswer(value: string | undefined): value is VerificationAnswer {
  return (answers as readonly unknown[]).includes(value);
}

/** @example answersTo(1) // 'questions' */
export function answersTo(count: number): string {
  return count === 1 ? 'questions' : `${count} questions`;
}

/** What somebody reads before the first clip. */
export function welcome(
  clips: readonly { readonly seconds: number; readonly cases: readonly unknown[] }[],
  first: string,
): Markup {
  const questions = clips.reduce((sum, { cases }) => sum + 1 + cases.length, 0);
  const minutes = minutesToWriteDown(clips.map(({ seconds }) => seconds)) + (questions * secondsOfJudging) / 60;
  return html`<div class="task"><p class="text">You will hear ${clips.length} ${clips.length === 1 ? 'short clip' : 'short clips'} of speech. Write down what each one says; then you read texts, and say of each whether the clip says it. It is about what can be heard: no answer is right or wrong.</p>
<p class="text">It takes ${aboutMinutes(minutes)}. Every answer is kept at once: you can close this page at any time and go on later with the same link, on this device or another. If something is unclear, ask whoever sent you the link.</p>
<p class="text">Headphones and a quiet place help. You can play each clip as often as you like.</p>
<p class="actions"><a class="go" href="${first}">Begin</a></p></div>`;
}

interface JudgedClip extends ShownClip<readonly Judgement[]> {
  readonly texts: readonly ShownText[];
  /** Null: not written down yet. */
  readonly heard: string | null;
  readonly note: string;
  /** Stands for the answers that the page shows. */
  readonly seen: string;
  readonly isLeftOut: boolean;
  readonly says: string | null;
  /** Another clip, whose answer replaced one that its page had not shown. */
  readonly replaced: string | null;
}

/** A clip with its player, and what is asked of it now. */
export function clipContent(shown: JudgedClip): readonly Markup[] {
  const { path, audio, heard, value, says, replaced } = shown;
  const notice = (content: Markup | string) => html`<p class="notice" role="status">${content}</p>`;
  return [
    ...(says === null ? [] : [notice(says)]),
    ...(replaced === null
      ? []
      : [
          notice(
            html`Your last answer replaced another one that you had given in another window: <a href="${replaced}">look at it</a>.`,
          ),
        ]),
    ...(shown.isLeftOut ? [notice('You could not play this clip before.')] : []),
    html`<div class="listen"><audio controls preload="auto" src="${audio}" aria-label="Clip" data-told="player-says"></audio><p class="small also" id="player-says" role="status"></p></div>`,
    ...(heard === null ? [hearContent(path)] : judgeContent(shown, heard)),
    ...(value === null ? [keptForm(`${path}/could-not-play`, html``, 'I could not play it')] : []),
  ];
}

function hearContent(path: string): Markup {
  return keptForm(
    `${path}/heard`,
    html`<label>What do you hear? Write down the words, as well as you can.
<input type="text" name="heard" maxlength="${longest}" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="done" autofocus></label>
<label><input type="checkbox" name="nothing" value="yes"> I cannot make out a word</label>
<p class="small quiet">Once you have read the texts on the next page, you cannot change this.</p>
<p class="small quiet keys"><kbd>Esc</kbd> plays and pauses, <kbd>Enter</kbd> saves.</p>`,
    'Save and go on',
    both,
  );
}

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth'];

function judgeContent({ texts, note, seen, form }: JudgedClip, heard: string): readonly Markup[] {
  const keys = Math.min(9, texts.length * answers.length);
  /** The digit that chooses an answer, for whoever has keys; there are nine. */
  const keyOf = (at: number, own: number) => {
    const key = at * answers.length + own + 1;
    return key <= keys && html` <kbd class="keys" aria-hidden="true">${key}</kbd>`;
  };
  const question = ({ text, field, answer }: ShownText, at: number) => {
    const name = texts.length === 1 ? 'The text' : at < ordinals.length ? `${ordinals[at]} text` : `Text ${at + 1}`;
    return html`<section aria-label="${name}"><h2>${name}</h2><blockquote class="read">${text === '' ? html`<i>(nothing)</i>` : html`<bdi>${text}</bdi>`}</blockquote></section>
<fieldset><legend>Does the clip say ${texts.length === 1 ? 'this' : `the ${name.toLowerCase()}`}?</legend>${answers.map((one, own) => html`<label><input type="radio" name="${field}" value="${one}" required${answer === one && html` checked`}> ${one}${keyOf(at, own)}</label>`)}</fieldset>`;
  };
  const own = html`<section aria-label="What you heard" tabindex="-1" autofocus><h2>You heard</h2><blockquote>${heard === '' ? html`<i>(no word)</i>` : html`<bdi>${heard}</bdi>`}</blockquote></section>`;
  const fields = html`<p class="small quiet">Case, punctuation and spaces do not matter. Unsure: it could be heard either way.</p>
${texts.map(question)}
<label>Note (optional)<input type="text" name="note" maxlength="${longest}" autocomplete="off" value="${note}"></label><input type="hidden" name="seen" value="${seen}">
<p class="small quiet keys"><kbd>1</kbd> to <kbd>${keys}</kbd> choose the answer beside them, <kbd>Enter</kbd> saves, <kbd>Esc</kbd> plays and pauses.</p>`;
  return [own, form(fields)];
}

type Agreement = ReturnType<typeof summarizeVerdicts>['agreement'];

/** `2026-11-29 13:40 UTC` */
export function timeInWords(at: string | null): string {
  return at === null ? '–' : `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Agreement so far for whoever looks after it all, and what is to be done at the end with the tables. */
export function agreementContent(agreement: Agreement, tables: readonly string[]): Markup {
  const number = (value: number | null) => (value === null ? '–' : formatFixed(value, 2));
  return html`${
    agreement === null
      ? html`<p class="text">Agreement needs two people.</p>`
      : html`<div class="scroll" role="region" tabindex="0" aria-label="Agreement so far"><table><caption>Agreement so far (Krippendorff's alpha, nominal; 1: always, 0: as by chance)</caption><thead><tr><th scope="col">Of</th><th scope="col" class="number">Alpha</th><th scope="col" class="number">95 % CI</th><th scope="col" class="number">Cases judged by two or more</th></tr></thead><tbody>${Object.entries(agreement).map(([of, { value, low, high, units }]) => html`<tr><th scope="row">${of}</th><td class="number">${number(value)}</td><td class="number">${low === null ? '–' : `${number(low)} to ${number(high)}`}</td><td class="number">${units}</td></tr>`)}</tbody></table></div>`
  }
<p class="text quiet">This page reloads by itself. Answers are not shown here. When everybody is done: ${tables.length === 0 ? 'earwitness cases verdicts' : html`<code>${commandLine(['earwitness', 'cases', 'verdicts', ...tables])}</code>`}</p>`;
}
