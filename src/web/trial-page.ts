import { formatFixed } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { AlignedWord } from '../model/finding.ts';
import { type Condition, clean } from '../model/trial.ts';
import { htmlDiff } from '../report/html/diff.ts';
import { html, type Markup, spokenIn } from '../report/html/markup.ts';
import { describeEdits, marksInWords } from '../report/prepare/diff.ts';
import { jsonLines, pathInWords } from '../report/prepare/json-lines.ts';
import { cutName } from './difference.ts';

const maxText = 4000;

/** What one recognizer made of a clip. */
export interface Heard {
  readonly recognizer: string;
  /** That the recognizer took; null: not told. */
  readonly seconds: number | null;
  /** As it was written; null: it failed, or words are not shown. */
  readonly transcript: string | null;
  /** Why it failed; null where it did not. */
  readonly failure: string | null;
  /** Words of the reference and what stands in their place; null: there is no reference, or it failed. */
  readonly aligned: readonly AlignedWord[] | null;
  /** When each word of the transcript begins, where that is known. */
  readonly starts: readonly (number | null)[];
}

/** One clip and what every recognizer made of it. */
export interface TrialPage {
  /** What is told of the utterance: its speaker, its language, its attributes. */
  readonly about: readonly (readonly [name: string, value: string])[];
  readonly language: string;
  /** Null: there is none, or words are not shown. */
  readonly reference: string | null;
  readonly condition: Condition;
  /** What people call it. */
  readonly called: string;
  readonly draw: number;
  readonly repeat: number;
  readonly answers: readonly Heard[];
  /** What they made of the clean clip, where this one is changed. */
  readonly before: readonly Heard[];
  /** Whether words may be shown. */
  readonly transcripts: boolean;
  /** Where its audio is, for the script that plays it; null where there is none. */
  readonly audio: string | null;
  /** Why there is none. */
  readonly withoutAudio: string;
  /** Clips before and behind it in the list that it was opened from, and that list. */
  readonly previous: string | null;
  readonly next: string | null;
  readonly list: string;
  /** The same utterance in the other conditions, by what these are called. */
  readonly others: readonly { readonly name: string; readonly href: string }[];
}

export function trialPage(page: TrialPage): Markup {
  const { condition, called, draw, repeat, audio, withoutAudio, previous, next, list, others } = page;
  const about = [
    ...page.about,
    ['condition', called] as const,
    ...(draw > 0 ? [['draw', String(draw)] as const] : []),
    ...(repeat > 0 ? [['repeat', String(repeat)] as const] : []),
  ];
  return html`${transcripts(page)}
<nav class="controls" aria-label="Neighbours">
${previous !== null && html`<a class="button" rel="prev" href="${previous}" data-key="k">Previous <kbd>k</kbd></a>`}
${next !== null && html`<a class="button" rel="next" href="${next}" data-key="j">Next <kbd>j</kbd></a>`}
<a class="button" href="${list}" data-key="u">List <kbd>u</kbd></a></nav>
${audio === null ? html`<p class="text">${withoutAudio}</p>` : players(audio)}
${condition.steps.length > 0 && html`<section aria-labelledby="done"><h2 id="done">What was done to the audio</h2><div class="facts"><div>${condition.steps.map(stepMarkup)}</div></div><div id="measured"></div></section>`}
${others.length > 1 && html`<section aria-labelledby="others"><h2 id="others">The same utterance in other conditions</h2><p class="controls">${others.map(({ name, href }) => (name === called ? html`<strong><bdi>${limitText(name, 80)}</bdi></strong>` : html`<a class="button" href="${href}"><bdi>${limitText(name, 80)}</bdi></a>`))}</p></section>`}
<dl class="numbers">${about.map(([name, value]) => html`<div><dt><bdi>${limitText(name, 60)}</bdi></dt><dd>${cutName(value, 28)}</dd></div>`)}</dl>`;
}

function stepMarkup({ perturbation, parameters }: Condition['steps'][number]): Markup {
  const lines = Object.keys(parameters).length === 0 ? [] : jsonLines(parameters);
  return html`<p class="small"><strong><bdi>${limitText(perturbation, 200)}</bdi></strong></p><dl>${lines.map(({ path, value }) => html`<dt><bdi>${limitText(pathInWords(path), 200)}</bdi></dt><dd><bdi>${limitText(value, 1000)}</bdi></dd>`)}</dl>`;
}

function players(audio: string): Markup {
  return html`<section class="players" data-audio="${audio}" aria-labelledby="listen"><h2 id="listen">Listen</h2>
<div class="controls"><button type="button" data-do="play">Play <kbd>p</kbd></button><button type="button" data-do="switch">Clean ⇄ changed <kbd>space</kbd></button><button type="button" data-do="loop" aria-pressed="false">Loop <kbd>l</kbd></button><button type="button" data-do="from">From here <kbd>a</kbd></button><button type="button" data-do="to">to here <kbd>b</kbd></button><button type="button" data-do="match" aria-pressed="false">Levels matched <kbd>m</kbd></button><span class="number" data-time>0.00 s</span><meter min="0" max="1" value="0" aria-label="Level of what is playing"></meter></div>
<p class="small quiet" role="status" data-status>The audio is being made …</p>
<div data-clips></div></section>`;
}

/** An answer with the condition that it is about; null: there is one alone. */
interface Row {
  readonly heard: Heard;
  readonly of: string | null;
}

function transcripts({ reference, language, called, answers, before, transcripts: shown }: TrialPage): Markup {
  // What was heard on the clean clip stands above what was heard on the changed one.
  const rows = answers.flatMap((heard): Row[] => {
    const own = { heard, of: before.length > 0 ? called : null };
    const unchanged = before.find(({ recognizer }) => recognizer === heard.recognizer);
    return unchanged === undefined ? [own] : [{ heard: unchanged, of: clean.name }, own];
  });
  const aligned = rows.flatMap(({ heard: { recognizer, aligned, starts }, of }) =>
    aligned === null || !shown ? [] : [{ label: of === null ? recognizer : `${recognizer}, ${of}`, aligned, starts }],
  );
  const word = (text: Markup, row: number, place: number) => {
    const start = aligned[row]!.starts[place] ?? null;
    return start === null ? text : html`<button type="button" data-from="${formatFixed(start, 3)}">${text}</button>`;
  };
  const isTimed = aligned.some(({ starts }) => starts.some((start) => start !== null));
  return html`<section aria-labelledby="texts"><h2 id="texts" class="unseen">${shown ? 'Words beneath the reference' : 'What the recognizers made of it'}</h2>
${aligned.length > 0 && html`${htmlDiff(aligned, language, word)}<p class="small quiet">${marksInWords}. ${isTimed && 'Click a word to play from there.'}</p>`}
<table class="written">${shown && html`<caption>As it was written</caption>`}<tbody>${reference !== null && html`<tr><th scope="row">Reference</th><td><bdi${spokenIn(language)}>${limitText(reference, maxText)}</bdi></td><td></td></tr>`}${rows.map(
    ({ heard, of }) =>
      html`<tr><th scope="row"><bdi>${limitText(heard.recognizer, 80)}</bdi>${of !== null && html` <span class="quiet"><bdi>${limitText(of, 80)}</bdi></span>`}</th><td>${plainAnswer(heard, language, shown)}</td><td class="small quiet">${toldOf(heard)}</td></tr>
`,
  )}</tbody></table></section>`;
}

function toldOf({ aligned, seconds }: Heard): string {
  return [
    ...(aligned === null ? [] : [describeEdits(aligned)]),
    ...(seconds === null ? [] : [`${formatFixed(seconds, 2)} s elapsed`]),
  ].join('; ');
}

function plainAnswer(heard: Heard, language: string, shown: boolean): Markup {
  const { transcript, failure } = heard;
  if (failure !== null) return html`<span class="quiet">failed (${limitText(failure, maxText)})</span>`;
  if (!shown) return html``;
  if (transcript === null || transcript.trim() === '') return html`<span class="quiet">recognized nothing</span>`;
  return html`<bdi${spokenIn(language)}>${limitText(transcript, maxText)}</bdi>`;
}
