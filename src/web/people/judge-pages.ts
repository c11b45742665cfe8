import { formatFixed } from '../../base/number-format.ts';
import { commandLine } from '../../base/printable.ts';
import { answers, type summarizeVerdicts, type VerificationAnswer } from '../../cases/summarize-verdicts.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { aboutMinutes } from './clip-session.ts';
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

interface ShownClip {
  /** Where it is; what is kept of it lies below. */
  readonly path: string;
  readonly audio: string;
  readonly texts: readonly ShownText[];
  /** Null: not written down yet. */
  readonly heard: string | null;
  readonly note: string;
  /** Stands for the answers that the page shows. */
  readonly seen: string;
  readonly isJudged: boolean;
  readonly isLeftOut: boolean;
  readonly of: number;
  readonly judged: number;
  readonly before: string | null;
  readonly next: string | null;
  readonly says: string | null;
  /** Another clip, whose answer replaced one that its page had not shown. */
  readonly replaced: string | null;
}

/** A clip with its player, and what is asked of it now. */
export function clipContent(shown: ShownClip): Markup {
  const { path, audio, heard, of, judged, before, next, says, replaced } = shown;
  return html`<div class="task"><progress max="${of}" value="${judged}" aria-label="Clips that are judged"></progress>
${says !== null && html`<p class="notice" role="status">${says}</p>`}
${replaced !== null && html`<p class="notice" role="status">Your last answer replaced another one that you had given in another window: <a href="${replaced}">look at it</a>.</p>`}
${shown.isLeftOut && html`<p class="notice">You could not play this clip before.</p>`}
<div class="listen"><audio controls preload="auto" src="${audio}" aria-label="Clip" data-told="player-says"></audio><p class="small also" id="player-says" role="status"></p></div>
${heard === null ? hearContent(path) : judgeContent(shown, heard)}
${!shown.isJudged && keptForm(`${path}/could-not-play`, html``, 'I could not play it')}
${(before !== null || next !== null) && html`<nav class="actions" aria-label="Other clips">${before !== null && html`<a href="${before}">‹ Previous clip</a>`}${next !== null && html`<a href="${next}">Go on ›</a>`}</nav>`}</div>`;
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

function judgeContent({ path, texts, note, seen, isJudged }: ShownClip, heard: string): Markup {
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
  return html`<section aria-label="What you heard" tabindex="-1" autofocus><h2>You heard</h2><blockquote>${heard === '' ? html`<i>(no word)</i>` : html`<bdi>${heard}</bdi>`}</blockquote></section>
${keptForm(
  `${path}/judgement`,
  html`<p class="small quiet">Case, punctuation and spaces do not matter. Unsure: it could be heard either way.</p>
${texts.map(question)}
<label>Note (optional)<input type="text" name="note" maxlength="${longest}" autocomplete="off" value="${note}"></label><input type="hidden" name="seen" value="${seen}">
<p class="small quiet keys"><kbd>1</kbd> to <kbd>${keys}</kbd> choose the answer beside them, <kbd>Enter</kbd> saves, <kbd>Esc</kbd> plays and pauses.</p>`,
  isJudged ? 'Save the change' : 'Save and go on',
)}`;
}

/**
 * What stands at the end.
 *
 * @param next the first clip that is open; null: there is none
 * @param left clips that could not be played
 */
export function doneContent(
  count: number,
  next: string | null,
  last: string,
  left: readonly { readonly title: string; readonly path: string }[],
): Markup {
  if (next !== null) return html`<p class="text">Some clips are not judged yet. <a href="${next}">Go on</a></p>`;
  const again = html`<p class="text"><a href="${last}">Look at the last one again</a></p>`;
  if (left.length === 0)
    return html`<p class="text">All ${count} clips are judged and kept. You can close this page.</p>${again}`;
  return html`<p class="text">${count - left.length} of ${count} clips are judged and kept. ${left.length} could not be played; you can try again, or close this page: ${left.map(({ title, path }, at) => html`${at > 0 && ', '}<a href="${path}">${title}</a>`)}</p>${again}`;
}

type Agreement = ReturnType<typeof summarizeVerdicts>['agreement'];

/** Counts and agreement for whoever looks after it all. */
export function overviewContent(
  everyone: readonly {
    readonly name: string;
    readonly revoked: boolean;
    readonly judged?: number;
    readonly last?: string | null;
    readonly problem?: string;
  }[],
  count: number,
  agreement: Agreement,
  tables: readonly string[],
): Markup {
  const number = (value: number | null) => (value === null ? '–' : formatFixed(value, 2));
  const time = (at: string | null | undefined) => (at ? `${at.slice(0, 16).replace('T', ' ')} UTC` : '–');
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Who judged how many clips"><table><caption>Who judged how many of ${count} clips</caption><thead><tr><th scope="col">Person</th><th scope="col" class="number">Judged</th><th scope="col">Last answer</th><th scope="col">Invitation</th></tr></thead><tbody>${everyone.map(({ name, judged, last, revoked }) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="number">${judged ?? '–'}</td><td>${time(last)}</td><td>${revoked ? 'revoked' : 'open'}</td></tr>`)}</tbody></table></div>
${everyone.map(({ problem }) => problem !== undefined && html`<p class="notice">${problem}</p>`)}
${
  agreement === null
    ? html`<p class="text">Agreement needs two people.</p>`
    : html`<div class="scroll" role="region" tabindex="0" aria-label="Agreement so far"><table><caption>Agreement so far (Krippendorff's alpha, nominal; 1: always, 0: as by chance)</caption><thead><tr><th scope="col">Of</th><th scope="col" class="number">Alpha</th><th scope="col" class="number">95 % CI</th><th scope="col" class="number">Cases judged by two or more</th></tr></thead><tbody>${Object.entries(agreement).map(([of, { value, low, high, units }]) => html`<tr><th scope="row">${of}</th><td class="number">${number(value)}</td><td class="number">${low === null ? '–' : `${number(low)} to ${number(high)}`}</td><td class="number">${units}</td></tr>`)}</tbody></table></div>`
}
<p class="text quiet">This page reloads by itself. Answers are not shown here. When everybody is done: ${tables.length === 0 ? 'earwitness cases verdicts' : html`<code>${commandLine(['earwitness', 'cases', 'verdicts', ...tables])}</code>`}</p>`;
}
