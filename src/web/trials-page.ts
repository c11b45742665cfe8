import { formatFixed, percentDecimals } from '../base/number-format.ts';
import { limitText, visibleText } from '../base/printable.ts';
import { failuresInWords } from '../model/observation.ts';
import { clean } from '../model/trial.ts';
import { html, type Markup, spokenIn } from '../report/html/markup.ts';
import { marksInWords } from '../report/prepare/diff.ts';
import type { Confusion } from './confusions.ts';
import { cutName, differenceMarkup, marked } from './difference.ts';
import { type SortKey, searched, sortKeys } from './index-columns.ts';
import { href, type Links, pageLinks } from './links.ts';
import type { Facet, Selection, TrialIndex, TrialQuery } from './trial-index.ts';
import type { Heard } from './trial-page.ts';

const clipsPerPage = 25;
/** Recognizers side by side; of more the filter shows others. */
const maxColumns = 12;
const maxText = 300;
const maxSearch = 200;

/** Past filters and links to the first trial. */
export const skipToTrials = { title: 'Skip to the trials', href: '#clips' } as const;

const sortNames: Record<SortKey, string> = {
  wer: 'WER',
  loss: 'WER beyond the clean clip',
  disagreement: 'how far recognizers differ',
  insertions: 'inserted words',
  seconds: 'seconds elapsed',
};

/** The query of an address: every parameter that names a facet, `search`, `sort`, `by` and `order`. */
export function readQuery(parameters: URLSearchParams): TrialQuery {
  const chosen = new Map<string, string[]>();
  for (const [key, value] of parameters) {
    if (!/^(recognizer|condition|outcome|length|is\..+)$/s.test(key)) continue;
    chosen.set(key, [...(chosen.get(key) ?? []), readValue(value)]);
  }
  const [reference = '', hypothesis = '', ...more] = readValue(parameters.get('confused') ?? '').split(' ');
  const sort = sortKeys.find((key) => key === parameters.get('sort')) ?? null;
  return {
    chosen,
    search: (parameters.get('search') ?? '').slice(0, maxSearch),
    confused: more.length > 0 || (reference === '' && hypothesis === '') ? null : { reference, hypothesis },
    sort,
    by: sort !== null && parameters.has('by') ? readValue(parameters.get('by')!) : null,
    descending: parameters.get('order') !== 'rising',
  };
}

/** The same back: an address shows the same again. */
export function writeQuery({ chosen, search, confused, sort, by, descending }: TrialQuery): [string, string][] {
  const some = (key: string, value: string): [string, string][] => (value === '' ? [] : [[key, value]]);
  return [
    ...some('search', search),
    ...(sort === null ? [] : [...some('sort', sort), ...some('order', descending ? '' : 'rising')]),
    ...[...chosen].flatMap(([key, values]) => values.map((value): [string, string] => [key, writeValue(value)])),
    ...(sort === null || by === null ? [] : some('by', writeValue(by))),
    ...(confused === null ? [] : some('confused', confusedValue(confused))),
  ];
}

function confusedValue({ reference, hypothesis }: Confusion): string {
  return writeValue(`${reference} ${hypothesis}`);
}

/** A value as it stands in forms and addresses: what a page would not show as it is (controls, directions) as hexadecimal. */
function writeValue(value: string): string {
  if (!value.startsWith('~') && visibleText(value) === value) return value;
  return `~${Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function readValue(written: string): string {
  if (!/^~([0-9a-f]{2})*$/.test(written)) return written;
  return new TextDecoder().decode(
    Uint8Array.from(written.match(/[0-9a-f]{2}/g) ?? [], (byte) => Number.parseInt(byte, 16)),
  );
}

/** What a clip is called in addresses: position of the utterance, condition, draw, repeat. */
export function clipName(index: TrialIndex, row: number): string {
  const { utterance, condition, draw, repeat } = index.columns;
  return [utterance[row], condition[row], draw[row], repeat[row]].join('.');
}

/** What a list shows of an utterance. */
export interface ListedUtterance {
  /** Null: the person was forgotten. */
  readonly id: string | null;
  readonly language: string;
  /** As it was written; null: there is none, or words are not shown. */
  readonly reference: string | null;
  /** The words that are counted. */
  readonly words: readonly string[] | null;
}

interface TrialsPage {
  readonly run: string;
  readonly links: Links;
  readonly index: TrialIndex;
  readonly query: TrialQuery;
  /** From 1. */
  readonly page: number;
  utterance(position: number): ListedUtterance;
  heard(row: number): Heard;
  /** Whether words may be shown and searched. */
  readonly transcripts: boolean;
  /** Whether their audio can be heard. */
  readonly audio: boolean;
  /** Whether more trials are being scored. */
  readonly newer: boolean;
  /** Whether the run is: before, rates are not told. */
  readonly finished: boolean;
}

/** Clips with what each recognizer made of them, as they are chosen, and how many there are of everything else that could be. */
export function trialsPage(given: TrialsPage): Markup {
  const { run, links, index, query, page: wanted, transcripts, newer, finished } = given;
  const path = links.trials(run);
  const { header } = index;
  const { count, clipCount, facets, failed, pooled, clips } = index.select(query);
  const pages = Math.max(1, Math.ceil(clipCount / clipsPerPage));
  const page = Math.min(wanted, pages);
  const first = (page - 1) * clipsPerPage;
  const shown = clips(first, clipsPerPage);
  const asked = writeQuery(query);
  const made = query.chosen.size > 0 || query.search !== '' || query.confused !== null;
  const chosen = query.chosen.get('recognizer') ?? header.recognizers;
  const all = [...header.recognizers.keys()].filter((place) => chosen.includes(header.recognizers[place]!));
  const columns = all.slice(0, maxColumns);
  return html`<form class="explorer" autocomplete="off" method="get" action="${path}" data-explorer>
<div class="bar-of-search"><input type="search" name="search" value="${query.search}" maxlength="200" placeholder="${transcripts ? 'words, id, speaker' : 'an utterance'}  ( / )" aria-label="${transcripts ? 'Search in references, transcripts, ids and speakers' : 'Search for an utterance'}">
<label>Sort by <select name="sort"><option value="">order of the corpus</option>${sortKeys.map((key) => html`<option value="${key}"${query.sort === key && html` selected`}>${sortNames[key]}</option>`)}</select></label>
<label><select name="order" aria-label="Direction"><option value="">highest first</option><option value="rising"${query.sort !== null && !query.descending && html` selected`}>lowest first</option></select></label>
<button>Show</button>${made && html`<a class="button" href="${path}">Clear</a>`}</div>
<div class="facets" role="group" aria-label="Filters">${facets.filter(({ values }) => values.length > 1 || values.some(({ chosen }) => chosen)).map(facetMarkup)}</div>
${query.by !== null && html`<input type="hidden" name="by" value="${writeValue(query.by)}">`}${query.confused !== null && confusedMarkup(query.confused, href(path, writeQuery({ ...query, confused: null })))}
${header.of.answered > header.rows && html`<p class="small quiet">${formatFixed(header.rows, 0)} trials (${formatFixed(header.of.answered, 0)} requests; the same request of two studies counts once).</p>`}
${newer && html`<p class="small quiet" role="status">Newer trials are being scored; load the page again to see them.</p>`}
<div class="told"><dl class="numbers"><div><dt>Trials</dt><dd id="count">${formatFixed(count, 0)}</dd></div><div><dt>of all</dt><dd>${formatFixed(header.rows, 0)}</dd></div><div><dt>Failed</dt><dd>${formatFixed(failed, 0)}</dd></div></dl>
${made && html`<p class="untested">A slice made by hand: counted, and <strong>not tested</strong>. The findings of the run say what can be concluded.</p>`}
${links.exports && exportLinks(links.exports, run, asked)}</div>
<div class="scroll listed" id="trials" role="region" tabindex="0" aria-labelledby="trials-caption"><table class="trials desk">
<caption id="trials-caption">Clips ${formatFixed(clipCount === 0 ? 0 : first + 1, 0)} to ${formatFixed(first + shown.length, 0)} of ${formatFixed(clipCount, 0)}${transcripts && html` <span class="key">${marksInWords}</span>`}${all.length > columns.length && html` <span class="quiet">${columns.length} of ${all.length} recognizers; the filter shows others</span>`}</caption>
<thead><tr><th scope="col"${query.sort === null && html` aria-sort="ascending"`}><a href="${href(path, writeQuery({ ...query, sort: null, by: null }))}">Utterance</a></th>${transcripts && html`<th scope="col">Reference</th>`}${columns.map((place) => columnHead(header.recognizers[place]!, finished ? pooled[place]! : null, path, query))}</tr></thead>
<tbody id="clips">${shown.map((row, at) => clipRow(given, row, first + at, columns))}</tbody></table></div>
${pages > 1 && pageLinks(path, asked, page, pages)}
</form>`;
}

/** The name of a recognizer, which puts clips in order by what it made of them (highest first, then lowest), and its WER of all that are chosen. */
function columnHead(
  recognizer: string,
  pooled: { readonly words: number; readonly errors: number } | null,
  path: string,
  query: TrialQuery,
): Markup {
  const is = query.by === recognizer && query.sort !== null;
  const sorted = {
    ...query,
    sort: query.sort ?? ('wer' as const),
    by: recognizer,
    descending: !(is && query.descending),
  };
  return html`<th scope="col"${is && html` aria-sort="${query.descending ? 'descending' : 'ascending'}"`}><a href="${href(path, writeQuery(sorted))}">${cutName(recognizer)}</a>${pooled !== null && pooled.words > 0 && html` <span class="quiet" title="${`${formatFixed(pooled.errors, 0)} errors in ${formatFixed(pooled.words, 0)} words`}">WER ${rate(pooled.errors / pooled.words)}</span>`}</th>`;
}

function confusedMarkup(confused: Confusion, without: string): Markup {
  const { reference, hypothesis } = confused;
  const [before, after] = [reference, hypothesis].map(
    (word) => html`<strong><bdi>${limitText(word, 80)}</bdi></strong>`,
  );
  const told =
    reference === ''
      ? html`in which ${after} was inserted`
      : hypothesis === ''
        ? html`in which ${before} was deleted`
        : html`in which ${after} stands in place of ${before}`;
  return html`<p><input type="hidden" name="confused" value="${confusedValue(confused)}">Trials ${told}. <a href="${without}">All trials of this selection</a></p>`;
}

function facetMarkup({ key, label, values, more }: Facet): Markup {
  const chosen = values.filter((one) => one.chosen).map((one) => one.label);
  return html`<details class="facet" name="facet"><summary><bdi>${limitText(label, 60)}</bdi>${chosen.length > 0 && html`: <b>${chosen.length === 1 ? html`<bdi>${limitText(chosen[0]!, 24)}</bdi>` : chosen.length}</b>`}</summary><fieldset><legend><bdi>${limitText(label, 60)}</bdi></legend><div class="values">${values.map(
    ({ value, label, count, chosen }) =>
      html`<label><input type="checkbox" name="${key}" value="${writeValue(value)}"${chosen && html` checked`}>${cutName(label)}<span>${formatFixed(count, 0)}</span></label>`,
  )}</div>${more > 0 && html`<p class="small quiet">and ${formatFixed(more, 0)} more${key === 'is.speaker' && '; the search finds them'}</p>`}</fieldset></details>
`;
}

function exportLinks(exports: NonNullable<Links['exports']>, run: string, asked: [string, string][]): Markup {
  return html`<p class="small"><a href="${href(exports.csv(run), asked)}" download>These trials as CSV</a> · <a href="${href(exports.jsonl(run), asked)}" download>as JSON lines</a> · <a href="${href(exports.words(run), asked)}">confused words</a></p>`;
}

function clipRow(given: TrialsPage, row: number, at: number, recognizers: readonly number[]): Markup {
  const { run, links, index, query, audio, transcripts } = given;
  const { header, columns } = index;
  const utterance = given.utterance(columns.utterance[row]!);
  const { id, language } = utterance;
  const sought = searched(query.search);
  const way = (play: 1 | null) =>
    links.trial(run, clipName(index, row), [...writeQuery(query), ['at', at], ['play', play]]);
  const about = [
    header.called[columns.condition[row]!]!,
    ...(columns.draw[row]! > 0 ? [`draw ${columns.draw[row]!}`] : []),
    ...(columns.repeat[row]! > 0 ? [`repeat ${columns.repeat[row]!}`] : []),
  ];
  const [from, to] = index.clipRows(row);
  const rowOf = (recognizer: number) => {
    for (let own = from; own < to; own++) if (columns.recognizer[own] === recognizer) return own;
    return null;
  };
  return html`<tr><th scope="row"><a href="${way(null)}">${cutName(id ?? 'forgotten', 18)}</a>${audio && html` <a class="play" href="${way(1)}" aria-label="Play ${limitText(id ?? '', 100)}">▶</a>`}<br><span class="small quiet"><bdi>${limitText(about.join(', '), 80)}</bdi></span></th>
${transcripts && html`<td data-label="Reference" class="text"><div class="lines">${referenceText(utterance, sought)}</div></td>`}${recognizers.map(
  (place) => {
    const own = rowOf(place);
    return html`<td data-label="${limitText(header.recognizers[place]!, 80)}" class="said">${own === null ? html`<span class="quiet">not asked</span>` : heardCell(given, own, language, sought)}</td>`;
  },
)}</tr>
`;
}

function referenceText({ reference, words, language }: ListedUtterance, sought: string): Markup {
  if (reference === null) return html`<span class="quiet">no reference</span>`;
  const counted = words?.join(' ') ?? '';
  const isOther = words !== null && counted !== plain(reference);
  return html`<bdi${spokenIn(language)}>${marked(limitText(reference, maxText), sought)}</bdi>${isOther && html` <span class="small quiet">counted as <bdi${spokenIn(language)}>${limitText(counted, maxText)}</bdi></span>`}`;
}

/** A text without its case and signs, which no reader misses in the words that are counted. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}'’\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function heardCell({ index, query, heard, transcripts }: TrialsPage, row: number, language: string, sought: string) {
  const { columns, header } = index;
  const failure = columns.failure[row]!;
  const trial = transcripts ? heard(row) : null;
  if (failure > 0)
    return html`<div class="lines quiet">failed (${limitText(trial?.failure ?? failuresInWords[header.failureKinds[failure - 1]!], maxText)})</div>`;
  const wer = index.wer(row);
  const loss = columns.loss[row]!;
  const isChanged = header.conditions[columns.condition[row]!] !== clean.name;
  const before =
    isChanged && !Number.isNaN(loss)
      ? html`<span class="small quiet">clean ${rate(Math.max(0, Number((wer - loss).toFixed(5))))}</span> `
      : null;
  const step = Number.isNaN(wer) ? 0 : Math.min(5, Math.ceil(wer * 5));
  const chip = html`<span class="chip number${step > 0 ? ` worse-${step}` : ''}">${rate(wer)}</span> ${before}${sortedBy(index, row, query.sort)}`;
  return html`<div class="lines">${chip}${trial && transcriptText(trial, language, sought)}</div>`;
}

/** What the list is in order of, where that is not the WER. */
function sortedBy({ columns }: TrialIndex, row: number, sort: SortKey | null): Markup | null {
  const text = {
    wer: () => null,
    loss: () => `${points(columns.loss[row]!)} points`,
    disagreement: () => `others differ by ${rate(columns.disagreement[row]!)}`,
    insertions: () => `${Math.max(0, columns.insertions[row]!)} inserted`,
    seconds: () => (Number.isNaN(columns.seconds[row]!) ? null : `${formatFixed(columns.seconds[row]!, 2)} s`),
  }[sort ?? 'wer']();
  return text === null ? null : html`<span class="small quiet number">${text}</span> `;
}

function transcriptText({ transcript, aligned }: Heard, language: string, sought: string): Markup {
  if (transcript === null) return html`<span class="quiet">forgotten</span>`;
  if (transcript.trim() === '') return html`<span class="quiet">recognized nothing</span>`;
  if (aligned === null) return html`<bdi${spokenIn(language)}>${marked(limitText(transcript, maxText), sought)}</bdi>`;
  return differenceMarkup(aligned, language, sought);
}

/** A share in percent; a dash where it is undefined. */
function rate(share: number): string {
  return Number.isNaN(share) ? '–' : `${formatFixed(100 * share, percentDecimals(share))} %`;
}

function points(share: number): string {
  return Number.isNaN(share) ? '–' : formatFixed(100 * share, 1, true);
}

interface PlaceInList {
  /** Where the clip stands in the list that it was opened from; null: it was opened from none. */
  readonly at: number | null;
  readonly run: string;
  readonly links: Links;
}

/** From a clip to those before and behind it in a list, and to that list. */
export function neighbourLinks(index: TrialIndex, query: TrialQuery, { at, run, links }: PlaceInList) {
  const asked = writeQuery(query);
  const place = at !== null && Number.isInteger(at) && at >= 0 ? at : null;
  const from = Math.max(0, (place ?? 0) - 1);
  const near = place === null ? [] : index.select(query).clips(from, 3);
  const beside = (other: number) => {
    const row = near[other - from];
    return row === undefined ? null : links.trial(run, clipName(index, row), [...asked, ['at', other]]);
  };
  return {
    previous: place === null || place === 0 ? null : beside(place - 1),
    next: place === null ? null : beside(place + 1),
    list: href(links.trials(run), [
      ...asked,
      ['page', place === null || place < clipsPerPage ? null : Math.floor(place / clipsPerPage) + 1],
    ]),
  };
}

const maxShown = 200;

/** Words of the reference and what was written in their place, over a selection of trials, with the way to the trials of each. */
export function wordsPage(
  { count, confusions }: Selection,
  { run, query, links }: { readonly run: string; readonly query: TrialQuery; readonly links: Links },
): Markup {
  return html`<p class="text">Words of the reference beside what stands in their place, over ${formatFixed(count, 0)} trials. Counted, and not tested.</p>
<div class="scroll listed" role="region" tabindex="0" aria-labelledby="words-caption"><table class="trials"><caption id="words-caption">Confused words, most frequent first</caption>
<thead><tr><th scope="col">Reference</th><th scope="col">Transcript</th><th scope="col" class="right">Times</th><th scope="col" class="right">of all times it was said</th><th scope="col" class="right">Trials</th></tr></thead>
<tbody>${confusions(maxShown).map(({ reference, hypothesis, times, trials, said }) => {
    const way = href(links.trials(run), writeQuery({ ...query, confused: { reference, hypothesis } }));
    return html`<tr><th scope="row">${reference === '' ? html`<span class="quiet">inserted</span>` : html`<bdi>${limitText(reference, 80)}</bdi>`}</th><td data-label="Transcript">${hypothesis === '' ? html`<span class="quiet">deleted</span>` : html`<bdi>${limitText(hypothesis, 80)}</bdi>`}</td><td data-label="Times" class="right number">${formatFixed(times, 0)}</td><td data-label="of all times it was said" class="right number">${said === 0 ? '–' : `${formatFixed((100 * times) / said, 1)} %`}</td><td data-label="Trials" class="right number"><a class="way" href="${way}">${formatFixed(trials, 0)}</a></td></tr>
`;
  })}</tbody></table></div>`;
}
