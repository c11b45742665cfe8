import { limitText } from '../base/limit-text.ts';
import { formatFixed, percentDecimals } from '../base/number-format.ts';
import { visibleText } from '../base/visible-text.ts';
import { html, type Markup } from '../report/html/markup.ts';
import type { Store } from '../store/contract.ts';
import { href } from './frame.ts';
import { pageLinks } from './runs-page.ts';
import { type Facet, type SortKey, sortKeys, type TrialIndex, type TrialQuery } from './trial-index.ts';

export const rowsPerPage = 50;
const maxText = 300;
const maxSearch = 200;

const sortNames: Record<SortKey, string> = {
  wer: 'WER',
  loss: 'WER lost since the clean clip',
  disagreement: 'disagreement between recognizers',
  insertions: 'inserted words',
  seconds: 'seconds taken',
};

/** The query of an address: every parameter that names a facet, `search`, `sort` and `order`. */
export function readQuery(parameters: URLSearchParams): TrialQuery {
  const chosen = new Map<string, string[]>();
  for (const [key, value] of parameters) {
    if (!/^(recognizer|condition|outcome|length|is\..+)$/s.test(key)) continue;
    chosen.set(key, [...(chosen.get(key) ?? []), readValue(value)]);
  }
  const sort = sortKeys.find((key) => key === parameters.get('sort')) ?? null;
  return {
    chosen,
    search: (parameters.get('search') ?? '').slice(0, maxSearch),
    sort,
    descending: parameters.get('order') !== 'rising',
  };
}

/** The same back: an address shows the same again. */
export function writeQuery({ chosen, search, sort, descending }: TrialQuery): [string, string][] {
  return [
    ...[...chosen].flatMap(([key, values]) => values.map((value): [string, string] => [key, writeValue(value)])),
    ...(search === '' ? [] : [['search', search] as [string, string]]),
    ...(sort === null
      ? []
      : [['sort', sort] as [string, string], ...(descending ? [] : [['order', 'rising'] as [string, string]])]),
  ];
}

/** A value as it stands in forms and addresses: what a page would not show as it is (controls, directions) as hexadecimal. */
function writeValue(value: string): string {
  return value.startsWith('~') || visibleText(value) !== value ? `~${Buffer.from(value).toString('hex')}` : value;
}

function readValue(written: string): string {
  return /^~([0-9a-f]{2})*$/.test(written) ? Buffer.from(written.slice(1), 'hex').toString() : written;
}

/** What a clip is called in addresses: position of the utterance, condition, draw, repeat. */
export function clipName(index: TrialIndex, row: number): string {
  const { utterance, condition, draw, repeat } = index.columns;
  return [utterance[row], condition[row], draw[row], repeat[row]].join('.');
}

export interface TrialsPage {
  readonly run: string;
  readonly index: TrialIndex;
  readonly query: TrialQuery;
  /** From 1. */
  readonly page: number;
  readonly store: Pick<Store, 'utterances' | 'observation'>;
  /** Whether more trials are being scored. */
  readonly newer: boolean;
  /** Whether the run is: before, rates are not told. */
  readonly finished: boolean;
}

/** Trials as they are chosen, with how many there are of everything else that could be chosen. */
export function trialsPage({ run, index, query, page: wanted, store, newer, finished }: TrialsPage): Markup {
  const path = `/runs/${run}/trials`;
  const { count, facets, pooled, rows } = index.select(query);
  const pages = Math.max(1, Math.ceil(count / rowsPerPage));
  const page = Math.min(wanted, pages);
  const shown = rows((page - 1) * rowsPerPage, rowsPerPage);
  const asked = writeQuery(query);
  const made = query.chosen.size > 0 || query.search !== '';
  return html`<form class="explorer" autocomplete="off" method="get" action="${path}" data-explorer>
<div class="facets" role="group" aria-label="Filters">${facets.filter(({ values }) => values.length > 1 || values.some(({ chosen }) => chosen)).map(facetMarkup)}</div>
<div class="explorer-list">
<div class="bar-of-search"><input type="search" name="search" value="${query.search}" maxlength="200" placeholder="words, an utterance id or a speaker  ( / )" aria-label="Search in references, transcripts, ids and speakers">
<label>Sort by <select name="sort"><option value="">order of the corpus</option>${sortKeys.map((key) => html`<option value="${key}"${query.sort === key && html` selected`}>${sortNames[key]}</option>`)}</select></label>
<label><select name="order" aria-label="Direction"><option value="">highest first</option><option value="rising"${query.sort !== null && !query.descending && html` selected`}>lowest first</option></select></label>
<button>Show</button>${made && html`<a class="button" href="${path}">Clear</a>`}</div>
${newer && html`<p class="small quiet" role="status">Newer trials are being scored; load the page again to see them.</p>`}
<dl class="numbers"><div><dt>Trials</dt><dd id="count">${formatFixed(count, 0)}</dd></div><div><dt>of all</dt><dd>${formatFixed(index.header.rows, 0)}</dd></div><div><dt>Failed</dt><dd>${formatFixed(pooled.failed, 0)}</dd></div>
<div><dt>Errors in reference words</dt><dd>${formatFixed(pooled.errors, 0)} in ${formatFixed(pooled.words, 0)}</dd></div>${finished && html`<div><dt>Pooled WER</dt><dd>${pooled.words === 0 ? '–' : rate(pooled.errors / pooled.words)}</dd></div>`}</dl>
${made && html`<p class="untested">A slice made by hand: counted, and <strong>not tested</strong>. The findings of the run say what can be concluded.</p>`}
<p class="small"><a href="${href(`${path}.csv`, asked)}" download>These trials as CSV</a> · <a href="${href(`${path}.jsonl`, asked)}" download>as JSON lines</a> · <a href="${href(`/runs/${run}/words`, asked)}">confused words</a></p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="trials-caption"><table class="trials">
<caption id="trials-caption">Trials ${formatFixed(count === 0 ? 0 : (page - 1) * rowsPerPage + 1, 0)} to ${formatFixed((page - 1) * rowsPerPage + shown.length, 0)}</caption>
<thead><tr><th scope="col">Utterance</th><th scope="col">Recognizer</th><th scope="col">Condition</th><th scope="col" class="right">WER</th><th scope="col" class="right">Lost</th><th scope="col" class="right">Disagree</th><th scope="col" class="right">Inserted</th><th scope="col" class="right">Seconds</th><th scope="col">Reference and transcript</th></tr></thead>
<tbody>${shown.map((row, at) => trialRow({ run, index, row, store, to: href(`/runs/${run}/trials/${clipName(index, row)}`, [...asked, ['at', (page - 1) * rowsPerPage + at]]) }))}</tbody></table></div>
${pages > 1 && pageLinks(path, asked, page, pages)}
</div></form>`;
}

function facetMarkup({ key, label, values, more }: Facet): Markup {
  return html`<fieldset><legend><bdi>${limitText(label, 60)}</bdi></legend><div class="values">${values.map(
    ({ value, label, count, chosen }) =>
      html`<label><input type="checkbox" name="${key}" value="${writeValue(value)}"${chosen && html` checked`}><span><bdi>${limitText(label, 80)}</bdi></span><span>${formatFixed(count, 0)}</span></label>`,
  )}</div>${more > 0 && html`<p class="small quiet">and ${formatFixed(more, 0)} more${key === 'is.speaker' && '; the search finds them'}</p>`}</fieldset>
`;
}

interface TrialRow {
  readonly run: string;
  readonly index: TrialIndex;
  readonly row: number;
  readonly store: Pick<Store, 'utterances' | 'observation'>;
  readonly to: string;
}

function trialRow({ run, index, row, store, to }: TrialRow): Markup {
  const { header, columns } = index;
  const [utterance] = store.utterances(run, { from: columns.utterance[row]!, limit: 1 });
  const observation = store.observation(columns.answer[row]!);
  const draw = columns.draw[row]! > 0 ? `, draw ${columns.draw[row]! + 1}` : '';
  const repeat = columns.repeat[row]! > 0 ? `, repeat ${columns.repeat[row]! + 1}` : '';
  const said = utterance?.reference;
  const language = utterance?.language ?? 'und';
  return html`<tr><th scope="row"><a href="${to}"><bdi>${limitText(utterance?.id ?? 'forgotten', 100)}</bdi></a></th>
<td><bdi>${limitText(header.recognizers[columns.recognizer[row]!]!, 80)}</bdi></td><td><bdi>${limitText(header.conditions[columns.condition[row]!]!, 80)}</bdi>${draw}${repeat}</td>
<td class="right number">${rate(index.wer(row))}</td><td class="right number">${points(columns.loss[row]!)}</td><td class="right number">${rate(columns.disagreement[row]!)}</td>
<td class="right number">${columns.insertions[row]! < 0 ? '–' : columns.insertions[row]!}</td><td class="right number">${Number.isNaN(columns.seconds[row]!) ? '–' : formatFixed(columns.seconds[row]!, 2)}</td>
<td class="text">${said === undefined ? html`<span class="quiet">no reference</span>` : html`<bdi lang="${language}">${limitText(said, maxText)}</bdi>`}<br>${transcriptText(observation, language)}</td></tr>
`;
}

function transcriptText(observation: ReturnType<Store['observation']>, language: string): Markup {
  if (observation === null) return html`<span class="quiet">forgotten</span>`;
  const { transcript, failure } = observation;
  if (failure !== undefined)
    return html`<span class="quiet">failed (${failure.kind}): ${limitText(failure.message, maxText)}</span>`;
  if (transcript.text.trim() === '') return html`<span class="quiet">recognized nothing</span>`;
  return html`<strong><bdi lang="${language}">${limitText(transcript.text, maxText)}</bdi></strong>`;
}

/** A share in percent; a dash where it is undefined. */
export function rate(share: number): string {
  return Number.isNaN(share) ? '–' : `${formatFixed(100 * share, percentDecimals(share))} %`;
}

function points(share: number): string {
  return Number.isNaN(share) ? '–' : formatFixed(100 * share, 1, true);
}
