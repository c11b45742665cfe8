import { grouped } from '../../base/number-format.ts';
import { limitText } from '../../base/printable.ts';
import { type DiffCell, type DiffPair, diffOf, editMarks, marksInWords } from '../prepare/diff.ts';
import { html, type Markup, spokenIn } from './markup.ts';

const maxColumns = 400;
const maxShownCharacters = 200;

/** What a reader who does not see the letters hears before a word. */
const unseenMarks = {
  same: '',
  substitution: 'instead: ',
  deletion: 'deleted',
  insertion: 'inserted: ',
  'left out': 'left out',
};

export interface HtmlDiffRow {
  readonly label: string;
  readonly aligned: readonly DiffPair[];
}

/**
 * Transcripts beneath their reference, word under word, wrapped at the width of the page: each error has its letter (S, D, I) behind it, so
 * that colour need not tell it.
 *
 * @param language of what was said (BCP 47); empty: not known
 * @param word what a recognized word becomes: a button that plays it; itself if absent. `place` is which word of the transcript it is, from 0
 */
export function htmlDiff(
  rows: readonly HtmlDiffRow[],
  language: string,
  word: (shown: Markup, row: number, place: number) => Markup = (shown) => shown,
): Markup {
  const columns = diffOf(rows.map(({ aligned }) => aligned));
  const left = columns.length - maxColumns;
  const cell = (one: DiffCell | null, row: number): Markup => {
    if (one === null) return html`<span></span>`;
    const { text, edit, place } = one;
    const shown =
      text === null ? html`<span aria-hidden="true">∅</span>` : html`<bdi>${limitText(text, maxShownCharacters)}</bdi>`;
    const inside = place === null ? shown : word(shown, row, place);
    if (edit === 'same') return html`<span>${inside}</span>`;
    const mark = html`<span class="unseen" lang="en">${unseenMarks[edit]}</span>`;
    return html`<span class="edit ${edit.replace(' ', '-')}">${mark}${inside}<sub aria-hidden="true">${editMarks[edit]}</sub></span>`;
  };
  return html`<div class="diff"${spokenIn(language)}><span class="col names" lang="en" dir="ltr"><span>reference</span>${rows.map(({ label }) => html`<span><bdi>${limitText(label, 80)}</bdi></span>`)}</span>${columns
    .slice(0, maxColumns)
    .map(
      ({ reference, cells }) =>
        html` <span class="col"><span class="said">${reference !== null && html`<bdi>${limitText(reference, maxShownCharacters)}</bdi>`}</span>${cells.map(cell)}</span>`,
    )}${left > 0 && html` <span class="quiet" lang="en">… ${grouped(left)} more words</span>`}</div>`;
}

/** What the letters in the diffs mean, once above a list of them. */
export function diffKey(): Markup {
  return html`<p class="key small quiet">${marksInWords}.</p>`;
}

/** Their looks. */
export const diffStyle = `
.diff{display:flex;flex-wrap:wrap;gap:.375rem .5rem;align-items:start}
.diff .col{display:grid;grid-auto-rows:1.75rem;align-items:center}
.diff .names{padding-right:.25rem;font-size:.8125rem;color:var(--quiet)}
.diff .said{color:var(--quiet)}
.diff .edit{padding:0 .25rem;margin-left:-.25rem;border-radius:.25rem;background:var(--bad-ground);color:var(--bad);font-weight:600}
.diff .edit sub{margin-left:.125rem;font-size:.6875rem;font-weight:600}
.diff .insertion{outline:1px dashed;outline-offset:-1px}
.diff .left-out{background:none;color:var(--quiet);font-weight:400}
`;
