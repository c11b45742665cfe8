import { limitText } from '../base/limit-text.ts';
import { formatFixed } from '../base/number-format.ts';
import type { Condition } from '../model/condition.ts';
import type { Observation, Word } from '../model/observation.ts';
import type { Utterance } from '../model/utterance.ts';
import { html, type Markup } from '../report/html/markup.ts';
import { describeEdits } from '../report/prepare/edit-words.ts';
import { jsonLines } from '../report/prepare/json-lines.ts';
import { align } from '../scoring/alignment/align.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';

const maxWords = 600;
const maxText = 4000;

/** One clip and what every recognizer made of it. */
export interface TrialPage {
  readonly utterance: Utterance;
  readonly condition: Condition;
  readonly draw: number;
  readonly repeat: number;
  readonly answers: readonly { readonly recognizer: string; readonly observation: Observation }[];
  readonly normalizer: Normalizer;
  /** Where its audio is, as one answer of JSON; null where nothing but names is known. */
  readonly audio: string | null;
  /** Neighbours in the list that it was opened from, and that list. */
  readonly previous: string | null;
  readonly next: string | null;
  readonly list: string;
  /** The same utterance in the other conditions. */
  readonly others: readonly { readonly name: string; readonly href: string }[];
}

export function trialPage(page: TrialPage): Markup {
  const { utterance, condition, draw, repeat, audio, previous, next, list, others } = page;
  const about = [
    ...(utterance.speaker === undefined ? [] : [['speaker', utterance.speaker] as const]),
    ['language', utterance.language] as const,
    ...Object.entries(utterance.attributes),
    ['condition', condition.name] as const,
    ...(draw > 0 ? [['draw', String(draw + 1)] as const] : []),
    ...(repeat > 0 ? [['repeat', String(repeat + 1)] as const] : []),
  ];
  return html`<nav class="controls" aria-label="Neighbours">
${previous !== null && html`<a class="button" rel="prev" href="${previous}" data-key="k">Previous <kbd>k</kbd></a>`}
${next !== null && html`<a class="button" rel="next" href="${next}" data-key="j">Next <kbd>j</kbd></a>`}
<a class="button" href="${list}" data-key="u">List <kbd>u</kbd></a></nav>
<dl class="numbers">${about.map(([name, value]) => html`<div><dt><bdi>${limitText(name, 60)}</bdi></dt><dd><bdi>${limitText(value, 120)}</bdi></dd></div>`)}</dl>
${audio === null ? html`<p class="text">Only names and transcripts are known: there is no audio.</p>` : players(audio)}
${transcripts(page)}
${condition.steps.length > 0 && html`<section aria-labelledby="done"><h2 id="done">What was done to the audio</h2><div class="facts"><div><dl>${jsonLines(condition.steps as never).map(({ path, value }) => html`<dt><bdi>${limitText(path, 200)}</bdi></dt><dd><bdi>${limitText(value, 1000)}</bdi></dd>`)}</dl></div></div><dl id="measured" class="numbers"></dl></section>`}
${others.length > 1 && html`<section aria-labelledby="others"><h2 id="others">The same utterance in other conditions</h2><p class="controls">${others.map(({ name, href }) => (name === condition.name ? html`<strong><bdi>${limitText(name, 80)}</bdi></strong>` : html`<a class="button" href="${href}"><bdi>${limitText(name, 80)}</bdi></a>`))}</p></section>`}`;
}

function players(audio: string): Markup {
  return html`<section class="players" data-audio="${audio}" aria-labelledby="listen"><h2 id="listen">Listen</h2>
<div class="controls"><button type="button" data-do="play">Play <kbd>p</kbd></button><button type="button" data-do="switch">Clean ⇄ changed <kbd>space</kbd></button><button type="button" data-do="loop" aria-pressed="false">Loop <kbd>l</kbd></button><button type="button" data-do="match" aria-pressed="false">Levels matched <kbd>m</kbd></button><span class="number" data-time>0.00 s</span><meter min="0" max="1" value="0" aria-label="Level of what is playing"></meter></div>
<p class="small quiet" role="status" data-status>The audio is being made …</p>
<div data-clips></div></section>`;
}

interface Row {
  readonly recognizer: string;
  readonly told: string;
  /** For each reference word, and before the first and behind each: the words there. */
  readonly cells: readonly (readonly Shown[])[];
  readonly raw: string;
}

interface Shown {
  readonly text: string;
  readonly edit: 'same' | 'substitution' | 'deletion' | 'insertion';
  readonly startSeconds: number | null;
}

function transcripts({ utterance, answers, normalizer }: TrialPage): Markup {
  const { reference, language } = utterance;
  const said = reference === undefined ? null : normalizer.words(reference, language);
  if (said === null || said.length > maxWords) {
    return html`<section aria-labelledby="texts"><h2 id="texts">Transcripts</h2>${reference !== undefined && html`<p><span class="small quiet">Reference</span><br><bdi lang="${language}">${limitText(reference, maxText)}</bdi></p>`}<dl class="heard">${answers.map(
      ({ recognizer, observation }) =>
        html`<div><dt><bdi>${limitText(recognizer, 80)}</bdi></dt><dd>${plainAnswer(observation, language)}</dd></div>`,
    )}</dl></section>`;
  }
  const rows = answers.map(({ recognizer, observation }) =>
    alignedRow(recognizer, observation, said, normalizer, language),
  );
  // Places between words take a column only where somebody inserted something there.
  const used = Array.from(
    { length: 2 * said.length + 1 },
    (_, place) => place % 2 === 1 || rows.some(({ cells }) => (cells[place]?.length ?? 0) > 0),
  );
  const places = used.flatMap((is, place) => (is ? [place] : []));
  return html`<section aria-labelledby="texts"><h2 id="texts">Words, aligned under the reference</h2>
<p class="key small quiet"><span><del>deleted</del></span> <span><ins>inserted, or in place of the word above</ins></span> ${rows.some(({ cells }) => cells.some((cell) => cell.some(({ startSeconds }) => startSeconds !== null))) && 'Click a word to play from there.'}</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="words-caption"><table class="aligned" lang="${language}"><caption id="words-caption">Reference: <bdi>${limitText(reference ?? '', maxText)}</bdi></caption>
<thead><tr><th scope="col">Recognizer</th>${places.map((place) => html`<th scope="col">${place % 2 === 1 ? html`<bdi>${limitText(said[(place - 1) / 2]!, 60)}</bdi>` : html`<span class="unseen">inserted</span>`}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ recognizer, told, cells, raw }) =>
      html`<tr><th scope="row" title="${limitText(raw, 600)}"><bdi>${limitText(recognizer, 80)}</bdi><br><span class="small quiet">${told}</span></th>${cells.length === 0 ? html`<td colspan="${places.length}"><span class="quiet">${limitText(raw, 300)}</span></td>` : places.map((place) => html`<td>${cells[place]!.map((word, at) => html`${at > 0 && ' '}${wordMarkup(word)}`)}</td>`)}</tr>
`,
  )}</tbody></table></div></section>`;
}

function alignedRow(
  recognizer: string,
  { transcript, failure, timing }: Observation,
  said: readonly string[],
  normalizer: Normalizer,
  language: string,
): Row {
  if (transcript === undefined)
    return { recognizer, told: 'failed', cells: [], raw: `${failure.kind}: ${failure.message}` };
  const words = normalizer.words(transcript.text, language);
  const starts = startsOf(words, transcript.words ?? [], normalizer, language);
  const aligned = align(said, words);
  const cells: Shown[][] = Array.from({ length: 2 * said.length + 1 }, () => []);
  let [at, word] = [0, 0];
  for (const { reference, hypothesis } of aligned) {
    const startSeconds = hypothesis === null ? null : (starts[word] ?? null);
    if (reference === null) cells[2 * at]!.push({ text: hypothesis!, edit: 'insertion', startSeconds });
    else {
      const edit = hypothesis === null ? 'deletion' : hypothesis === reference ? 'same' : 'substitution';
      cells[2 * at + 1]!.push({ text: hypothesis ?? reference, edit, startSeconds });
      at++;
    }
    if (hypothesis !== null) word++;
  }
  return {
    recognizer,
    told: `${describeEdits(aligned)}; ${formatFixed(timing.seconds, 2)} s`,
    cells,
    raw: transcript.text,
  };
}

/** When each normalized word begins, where the recognizer says when its words do and they are the same words. */
function startsOf(
  words: readonly string[],
  timed: readonly Word[],
  normalizer: Normalizer,
  language: string,
): (number | null)[] {
  const parts = timed.flatMap(({ text, startSeconds }) =>
    normalizer.words(text, language).map((word) => ({ word, start: startSeconds ?? null })),
  );
  if (parts.length !== words.length) return [];
  return parts.map(({ start }) => start);
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

function plainAnswer({ transcript, failure }: Observation, language: string): Markup {
  if (transcript === undefined)
    return html`<span class="quiet">failed (${failure.kind}): ${limitText(failure.message, maxText)}</span>`;
  if (transcript.text.trim() === '') return html`<span class="quiet">recognized nothing</span>`;
  return html`<bdi lang="${language}">${limitText(transcript.text, maxText)}</bdi>`;
}
