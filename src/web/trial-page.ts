import { formatFixed } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { AlignedWord } from '../model/finding.ts';
import type { Condition } from '../model/trial.ts';
import { html, type Markup, spokenIn } from '../report/html/markup.ts';
import { describeEdits, type Edit, editOf, referenceWords } from '../report/prepare/diff.ts';
import { jsonLines, pathInWords } from '../report/prepare/json-lines.ts';

const maxWords = 600;
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
  readonly draw: number;
  readonly repeat: number;
  readonly answers: readonly Heard[];
  /** Whether words may be shown. */
  readonly transcripts: boolean;
  /** Where its audio is, for the script that plays it; null where there is none. */
  readonly audio: string | null;
  /** Why there is none. */
  readonly withoutAudio: string;
  /** The recognizer whose trial was opened from a list; null where it was not. */
  readonly of: string | null;
  /** Clips before and behind it in the list that it was opened from, and that list. */
  readonly previous: string | null;
  readonly next: string | null;
  readonly list: string;
  /** The same utterance in the other conditions. */
  readonly others: readonly { readonly name: string; readonly href: string }[];
}

export function trialPage(page: TrialPage): Markup {
  const { condition, draw, repeat, audio, withoutAudio, previous, next, list, others } = page;
  const about = [
    ...page.about,
    ['condition', condition.name] as const,
    ...(draw > 0 ? [['draw', String(draw)] as const] : []),
    ...(repeat > 0 ? [['repeat', String(repeat)] as const] : []),
  ];
  return html`<nav class="controls" aria-label="Neighbours">
${previous !== null && html`<a class="button" rel="prev" href="${previous}" data-key="k">Previous <kbd>k</kbd></a>`}
${next !== null && html`<a class="button" rel="next" href="${next}" data-key="j">Next <kbd>j</kbd></a>`}
<a class="button" href="${list}" data-key="u">List <kbd>u</kbd></a></nav>
<dl class="numbers">${about.map(([name, value]) => html`<div><dt><bdi>${limitText(name, 60)}</bdi></dt><dd><bdi>${limitText(value, 120)}</bdi></dd></div>`)}</dl>
${audio === null ? html`<p class="text">${withoutAudio}</p>` : players(audio)}
${transcripts(page)}
${condition.steps.length > 0 && html`<section aria-labelledby="done"><h2 id="done">What was done to the audio</h2><div class="facts"><div>${condition.steps.map(stepMarkup)}</div></div><div id="measured"></div></section>`}
${others.length > 1 && html`<section aria-labelledby="others"><h2 id="others">The same utterance in other conditions</h2><p class="controls">${others.map(({ name, href }) => (name === condition.name ? html`<strong><bdi>${limitText(name, 80)}</bdi></strong>` : html`<a class="button" href="${href}"><bdi>${limitText(name, 80)}</bdi></a>`))}</p></section>`}`;
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

interface Shown {
  readonly text: string;
  readonly edit: Edit;
  readonly startSeconds: number | null;
}

function transcripts({ reference, language, answers, of, transcripts: shown }: TrialPage): Markup {
  const aligned = answers.find(({ aligned }) => aligned !== null)?.aligned;
  if (!shown || aligned == null || referenceWords(aligned).length > maxWords) {
    return html`<section aria-labelledby="texts"><h2 id="texts">${shown ? 'Transcripts' : 'What the recognizers made of it'}</h2>${reference !== null && html`<p><span class="small quiet">Reference</span><br><bdi${spokenIn(language)}>${limitText(reference, maxText)}</bdi></p>`}<dl class="heard">${answers.map(
      (heard) =>
        html`<div><dt><bdi>${limitText(heard.recognizer, 80)}</bdi></dt><dd>${plainAnswer(heard, language, shown)}</dd></div>`,
    )}</dl></section>`;
  }
  const said = referenceWords(aligned);
  const rows = answers.map((heard) => ({ heard, cells: cellsOf(heard, said.length) }));
  // Places between words take a column only where somebody inserted something there.
  const used = Array.from(
    { length: 2 * said.length + 1 },
    (_, place) => place % 2 === 1 || rows.some(({ cells }) => (cells[place]?.length ?? 0) > 0),
  );
  const places = used.flatMap((is, place) => (is ? [place] : []));
  return html`<section aria-labelledby="texts"><h2 id="texts">Words, aligned under the reference</h2>
<p class="key small quiet"><span><del>deleted</del></span> <span><ins>inserted, or in place of the word above</ins></span> ${rows.some(({ cells }) => cells.some((cell) => cell.some(({ startSeconds }) => startSeconds !== null))) && 'Click a word to play from there.'}</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="words-caption"><table class="aligned"${spokenIn(language)}><caption id="words-caption" lang="en" dir="ltr">Reference: <bdi${spokenIn(language)}>${limitText(reference ?? '', maxText)}</bdi></caption>
<thead><tr><th scope="col">Recognizer</th>${places.map((place) => html`<th scope="col">${place % 2 === 1 ? html`<bdi>${limitText(said[(place - 1) / 2]!, 60)}</bdi>` : html`<span class="unseen">inserted</span>`}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ heard, cells }) =>
      html`<tr${heard.recognizer === of && answers.length > 1 && html` aria-current="true"`}><th scope="row" title="${limitText(heard.transcript ?? '', 600)}"><bdi>${limitText(heard.recognizer, 80)}</bdi><br><span class="small quiet" lang="en" dir="ltr">${heard.aligned === null ? 'failed' : toldOf(heard)}</span></th>${cells.length === 0 ? html`<td colspan="${places.length}"><span class="quiet">${limitText(heard.failure ?? '', 300)}</span></td>` : places.map((place) => html`<td>${cells[place]!.map((word, at) => html`${at > 0 && ' '}${wordMarkup(word)}`)}</td>`)}</tr>
`,
  )}</tbody></table></div></section>`;
}

function toldOf({ aligned, seconds }: Heard): string {
  return [
    ...(aligned === null ? [] : [describeEdits(aligned)]),
    ...(seconds === null ? [] : [`${formatFixed(seconds, 2)} s elapsed`]),
  ].join('; ');
}

/** For each reference word, and before the first and behind each: the words there. None where it failed. */
function cellsOf({ aligned, starts }: Heard, words: number): (readonly Shown[])[] {
  if (aligned === null) return [];
  const cells: Shown[][] = Array.from({ length: 2 * words + 1 }, () => []);
  let [at, word] = [0, 0];
  for (const pair of aligned) {
    const { reference, hypothesis } = pair;
    const startSeconds = hypothesis === null ? null : (starts[word] ?? null);
    const place = reference === null ? 2 * at : 2 * at++ + 1;
    cells[place]!.push({ text: hypothesis ?? reference!, edit: editOf(pair), startSeconds });
    if (hypothesis !== null) word++;
  }
  return cells;
}

function wordMarkup({ text, edit, startSeconds }: Shown): Markup {
  const shown = html`<bdi>${limitText(text, 60)}</bdi>`;
  const inside =
    startSeconds === null
      ? shown
      : html`<button type="button" data-from="${formatFixed(startSeconds, 3)}">${shown}</button>`;
  if (edit === 'same') return inside;
  if (edit === 'deletion') return html`<del><span class="unseen">deleted: </span>${inside}</del>`;
  return html`<ins><span class="unseen">${edit === 'insertion' ? 'inserted: ' : 'instead: '}</span>${inside}</ins>`;
}

function plainAnswer(heard: Heard, language: string, shown: boolean): Markup {
  const { transcript, failure } = heard;
  if (failure !== null) return html`<span class="quiet">failed (${limitText(failure, maxText)})</span>`;
  if (!shown) return html`<span class="quiet">${toldOf(heard)}</span>`;
  if (transcript === null || transcript.trim() === '') return html`<span class="quiet">recognized nothing</span>`;
  return html`<bdi${spokenIn(language)}>${limitText(transcript, maxText)}</bdi>`;
}
