import { formatFixed, percentDecimals } from '../base/number-format.ts';
import { limitText, visibleText } from '../base/printable.ts';
import { html, type Markup, spokenIn } from '../report/html/markup.ts';
import type { Store } from '../store/contract.ts';
import type { Confusion } from './confusions.ts';
import { type SortKey, sortKeys } from './index-columns.ts';
import { href, type Links, pageLinks } from './links.ts';
import type { Facet, Selection, TrialIndex, TrialQuery } from './trial-index.ts';

const rowsPerPage = 50;
const maxText = 300;
const maxSearch = 200;

/** Past filters and links to the first trial. */
export const skipToTrials = { title: 'Skip to the trials', href: '#trials' } as const;

const sortNames: Record<SortKey, string> = {
  wer: 'WER',
  loss: 'WER lost since the clean clip',
  disagreement: 'disagreement between recognizers',
  insertions: 'inserted words',
  seconds: 'seconds elapsed',
};

/** The query of an address: every parameter that names a facet, `search`, `sort` and `order`. */
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
    descending: parameters.get('order') !== 'rising',
  };
}

/** The same back: an address shows the same again. */
export function writeQuery({ chosen, search, confused, sort, descending }: TrialQuery): [string, string][] {
  return [
    ...[...chosen].flatMap(([key, values]) => values.map((value): [string, string] => [key, writeValue(value)])),
    ...(search === '' ? [] : [['search', search] as [string, string]]),
    ...(confused === null ? [] : [['confused', confusedValue(confused)] as [string, string]]),
    ...(sort === null
      ? []
      : [['sort', sort] as [string, string], ...(descending ? [] : [['order', 'rising'] as [string, string]])]),
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

/** What a list shows of a trial. */
interface ListedTrial {
  /** Null: the person was forgotten. */
  readonly id: string | null;
  readonly language: string;
  /** Null: there is none. */
  readonly reference: string | null;
  /** Null: it failed, or was forgotten. */
  readonly transcript: string | null;
  /** Why it failed; null where it did not. */
  readonly failure: string | null;
}

/** What a store has of a trial. */
export function listedTrial(
  store: Pick<Store, 'utterances' | 'observation'>,
  run: string,
  { columns }: TrialIndex,
  row: number,
): ListedTrial {
  const [utterance] = store.utterances(run, { from: columns.utterance[row]!, limit: 1 });
  const observation = store.observation(columns.answer[row]!);
  const failure = observation?.failure;
  return {
    ...{ id: utterance?.id ?? null, language: utterance?.language ?? 'und', reference: utterance?.reference ?? null },
    transcript: observation?.transcript?.text ?? null,
    failure: failure === undefined ? null : `${failure.kind}: ${failure.message}`,
  };
}

interface TrialsPage {
  readonly run: string;
  readonly links: Links;
  readonly index: TrialIndex;
  readonly query: TrialQuery;
  /** From 1. */
  readonly page: number;
  read(row: number): ListedTrial;
  /** Whether words may be shown and searched. */
  readonly transcripts: boolean;
  /** Whether their audio can be heard. */
  readonly audio: boolean;
  /** Whether more trials are being scored. */
  readonly newer: boolean;
  /** Whether the run is: before, rates are not told. */
  readonly finished: boolean;
}

/** Trials as they are chosen, with how many there are of everything else that could be chosen. */
export function trialsPage(given: TrialsPage): Markup {
  const { run, links, index, query, page: wanted, transcripts, audio, newer, finished } = given;
  const path = links.trials(run);
  const { header } = index;
  const { count, facets, pooled, rows } = index.select(query);
  const pages = Math.max(1, Math.ceil(count / rowsPerPage));
  const page = Math.min(wanted, pages);
  const shown = rows((page - 1) * rowsPerPage, rowsPerPage);
  const asked = writeQuery(query);
  const made = query.chosen.size > 0 || query.search !== '' || query.confused !== null;
  return html`<form class="explorer" autocomplete="off" method="get" action="${path}" data-explorer>
<div class="facets" role="group" aria-label="Filters">${facets.filter(({ values }) => values.length > 1 || values.some(({ chosen }) => chosen)).map(facetMarkup)}</div>
<div class="explorer-list">
<div class="bar-of-search"><input type="search" name="search" value="${query.search}" maxlength="200" placeholder="${transcripts ? 'words, an utterance id or a speaker' : 'an utterance'}  ( / )" aria-label="${transcripts ? 'Search in references, transcripts, ids and speakers' : 'Search for an utterance'}">
<label>Sort by <select name="sort"><option value="">order of the corpus</option>${sortKeys.map((key) => html`<option value="${key}"${query.sort === key && html` selected`}>${sortNames[key]}</option>`)}</select></label>
<label><select name="order" aria-label="Direction"><option value="">highest first</option><option value="rising"${query.sort !== null && !query.descending && html` selected`}>lowest first</option></select></label>
<button>Show</button>${made && html`<a class="button" href="${path}">Clear</a>`}</div>
${query.confused !== null && confusedMarkup(query.confused, href(path, writeQuery({ ...query, confused: null })))}
${header.of.answered > header.rows && html`<p class="small quiet">${formatFixed(header.rows, 0)} trials (${formatFixed(header.of.answered, 0)} requests; the same request of two studies counts once).</p>`}
${newer && html`<p class="small quiet" role="status">Newer trials are being scored; load the page again to see them.</p>`}
<dl class="numbers"><div><dt>Trials</dt><dd id="count">${formatFixed(count, 0)}</dd></div><div><dt>of all</dt><dd>${formatFixed(header.rows, 0)}</dd></div><div><dt>Failed</dt><dd>${formatFixed(pooled.failed, 0)}</dd></div>
<div><dt>Errors in reference words</dt><dd>${formatFixed(pooled.errors, 0)} in ${formatFixed(pooled.words, 0)}</dd></div>${finished && html`<div><dt>Pooled WER</dt><dd>${pooled.words === 0 ? '–' : rate(pooled.errors / pooled.words)}</dd></div>`}</dl>
${made && html`<p class="untested">A slice made by hand: counted, and <strong>not tested</strong>. The findings of the run say what can be concluded.</p>`}
${links.exports && exportLinks(links.exports, run, asked, audio)}
<div class="scroll listed" id="trials" role="region" tabindex="0" aria-labelledby="trials-caption"><table class="trials wide-rows">
<caption id="trials-caption">Trials ${formatFixed(count === 0 ? 0 : (page - 1) * rowsPerPage + 1, 0)} to ${formatFixed((page - 1) * rowsPerPage + shown.length, 0)}</caption>
<thead><tr><th scope="col">Utterance</th><th scope="col">Recognizer</th><th scope="col">Condition</th><th scope="col" class="right">WER</th><th scope="col" class="right">Lost</th><th scope="col" class="right">Disagree</th><th scope="col" class="right">Inserted</th><th scope="col" class="right">Seconds</th>${transcripts && html`<th scope="col" class="text">Reference and transcript</th>`}</tr></thead>
<tbody>${shown.map((row, at) => {
    const way = (play: 1 | null) =>
      links.trial(run, clipName(index, row), [...asked, ['at', (page - 1) * rowsPerPage + at], ['play', play]]);
    return trialRow(given, row, { to: way(null), play: audio ? way(1) : null });
  })}</tbody></table></div>
${pages > 1 && pageLinks(path, asked, page, pages)}
</div></form>`;
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
  return html`<fieldset><legend><bdi>${limitText(label, 60)}</bdi></legend><div class="values">${values.map(
    ({ value, label, count, chosen }) =>
      html`<label><input type="checkbox" name="${key}" value="${writeValue(value)}"${chosen && html` checked`}>${facetLabel(label)}<span>${formatFixed(count, 0)}</span></label>`,
  )}</div>${more > 0 && html`<p class="small quiet">and ${formatFixed(more, 0)} more${key === 'is.speaker' && '; the search finds them'}</p>`}</fieldset>
`;
}

const maxLabel = 40;
const cutLabel = { start: 10, end: 8 };

/** One line of a name that would take several: its middle is left out, and told by title, to who listens, and at the focus. */
function facetLabel(label: string): Markup {
  if (label.length <= maxLabel) return html`<span><bdi>${visibleText(label)}</bdi></span>`;
  const { start, end } = cutLabel;
  const whole = limitText(label, 300);
  return html`<span title="${whole}"><span class="cut" aria-hidden="true"><bdi>${visibleText(label.slice(0, start))}…${visibleText(label.slice(-end))}</bdi></span><span class="whole unseen"><bdi>${whole}</bdi></span></span>`;
}

function exportLinks(
  exports: NonNullable<Links['exports']>,
  run: string,
  asked: [string, string][],
  audio: boolean,
): Markup {
  return html`<p class="small"><a href="${href(exports.csv(run), asked)}" download>These trials as CSV</a> · <a href="${href(exports.jsonl(run), asked)}" download>as JSON lines</a>${audio && html` · <a href="${href(exports.audio(run), asked)}">with audio, as an audiofolder (tar)</a>`} · <a href="${href(exports.words(run), asked)}">confused words</a></p>`;
}

function trialRow(
  { index, read, transcripts }: TrialsPage,
  row: number,
  { to, play }: { readonly to: string; readonly play: string | null },
): Markup {
  const { header, columns } = index;
  const trial = read(row);
  const draw = columns.draw[row]! > 0 ? `, draw ${columns.draw[row]!}` : '';
  const repeat = columns.repeat[row]! > 0 ? `, repeat ${columns.repeat[row]!}` : '';
  const { reference, language } = trial;
  const failure = columns.failure[row]!;
  return html`<tr><th scope="row"><a href="${to}"><bdi>${limitText(trial.id ?? 'forgotten', 100)}</bdi></a>${play !== null && html` <a class="play" href="${play}" aria-label="Play ${limitText(trial.id ?? '', 100)}">▶</a>`}</th>
<td data-label="Recognizer"><bdi>${limitText(header.recognizers[columns.recognizer[row]!]!, 80)}</bdi></td><td data-label="Condition"><bdi>${limitText(header.conditions[columns.condition[row]!]!, 80)}</bdi>${draw}${repeat}</td>
<td data-label="WER" class="right number">${rate(index.wer(row))}</td><td data-label="Lost" class="right number">${points(columns.loss[row]!)}</td><td data-label="Disagree" class="right number">${rate(columns.disagreement[row]!)}</td>
<td data-label="Inserted" class="right number">${columns.insertions[row]! < 0 ? '–' : columns.insertions[row]!}</td><td data-label="Elapsed s" class="right number">${Number.isNaN(columns.seconds[row]!) ? (failure > 0 ? 'failed' : '–') : formatFixed(columns.seconds[row]!, 2)}</td>
${transcripts && html`<td class="text">${reference === null ? html`<span class="quiet">no reference</span>` : html`<bdi${spokenIn(language)}>${limitText(reference, maxText)}</bdi>`}<br>${transcriptText(trial)}</td>`}</tr>
`;
}

function transcriptText({ transcript, failure, language }: ListedTrial): Markup {
  if (failure !== null) return html`<span class="quiet">failed (${limitText(failure, maxText)})</span>`;
  if (transcript === null) return html`<span class="quiet">forgotten</span>`;
  if (transcript.trim() === '') return html`<span class="quiet">recognized nothing</span>`;
  return html`<strong><bdi${spokenIn(language)}>${limitText(transcript, maxText)}</bdi></strong>`;
}

/** A share in percent; a dash where it is undefined. */
function rate(share: number): string {
  return Number.isNaN(share) ? '–' : `${formatFixed(100 * share, percentDecimals(share))} %`;
}

function points(share: number): string {
  return Number.isNaN(share) ? '–' : formatFixed(100 * share, 1, true);
}

interface PlaceInList {
  /** Where the trial stands in the list that it was opened from; null: it was not. */
  readonly at: number | null;
  readonly run: string;
  readonly links: Links;
}

/** From a trial to the clips before and behind it in a list, and to that list. A page of a clip shows all its recognizers at once. */
export function neighbourLinks(index: TrialIndex, query: TrialQuery, { at, run, links }: PlaceInList) {
  const asked = writeQuery(query);
  const place = at !== null && Number.isInteger(at) && at >= 0 ? at : null;
  const selection = place === null ? null : index.select(query);
  const own = selection === null ? undefined : selection.rows(place!, 1)[0];
  // As many trials of one clip may stand side by side as there are recognizers.
  const reach = index.header.recognizers.length;
  const from = Math.max(0, (place ?? 0) - reach);
  const near = selection === null || own === undefined ? [] : selection.rows(from, 2 * reach + 1);
  const nearest = (step: 1 | -1) => {
    for (let other = place! + step; near[other - from] !== undefined; other += step) {
      const clip = clipName(index, near[other - from]!);
      if (clip !== clipName(index, own!)) return links.trial(run, clip, [...asked, ['at', other]]);
    }
    return null;
  };
  return {
    of: own === undefined ? null : index.header.recognizers[index.columns.recognizer[own]!]!,
    previous: own === undefined ? null : nearest(-1),
    next: own === undefined ? null : nearest(1),
    list: href(links.trials(run), [
      ...asked,
      ['page', place === null || place < rowsPerPage ? null : Math.floor(place / rowsPerPage) + 1],
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
