import { limitText } from '../base/printable.ts';
import type { AlignedWord } from '../model/finding.ts';
import { html, type Markup, spokenIn } from '../report/html/markup.ts';
import { type Edit, editMarks, editOf } from '../report/prepare/diff.ts';
import { searched } from './index-columns.ts';

const maxWord = 60;
/** So many places of a transcript are shown in a list at most. */
const maxPlaces = 40;

/**
 * A text with what is sought in it marked, whatever its letter case and accents.
 *
 * @param sought as `searched` gives it; empty: nothing is
 */
export function marked(text: string, sought: string): Markup {
  if (sought === '') return html`${text}`;
  let folded = '';
  // Where the sign of each folded letter begins and ends in the text: one may fold to several, or to none.
  const places: (readonly [from: number, to: number])[] = [];
  let at = 0;
  for (const sign of text) {
    const own = /\s/.test(sign) ? ' ' : searched(sign);
    const shown = own === ' ' && folded.endsWith(' ') ? '' : own;
    for (let letter = 0; letter < shown.length; letter++) places.push([at, at + sign.length]);
    folded += shown;
    at += sign.length;
  }
  const parts: Markup[] = [];
  let done = 0;
  for (let hit = folded.indexOf(sought); hit >= 0; hit = folded.indexOf(sought, hit + sought.length)) {
    const [from, to] = [places[hit]![0], places[hit + sought.length - 1]![1]];
    parts.push(html`${text.slice(done, from)}<mark>${text.slice(from, to)}</mark>`);
    done = to;
  }
  return html`${parts}${text.slice(done)}`;
}

/**
 * What differs, in one line beside a reference: the places of an alignment with a word before and after, `…` for what is left out. Edits
 * have the letters of the diff, and words for who listens.
 *
 * @param sought words that are marked and never left out, as `searched` gives them; empty: none
 */
export function differenceMarkup(aligned: readonly AlignedWord[], language: string, sought = ''): Markup {
  const words = sought === '' ? [] : sought.split(' ');
  const isSought = (text: string | null) =>
    words.length > 0 && text !== null && words.some((word) => searched(text).includes(word));
  const isShown = (pair: AlignedWord | undefined) =>
    pair !== undefined && (editOf(pair) !== 'same' || isSought(pair.hypothesis) || isSought(pair.reference));
  const parts: Markup[] = [];
  let last = -1;
  for (const [at, pair] of aligned.entries()) {
    if (!isShown(pair) && !isShown(aligned[at - 1]) && !isShown(aligned[at + 1])) continue;
    if (parts.length >= maxPlaces) break;
    parts.push(html`${at > last + 1 && '… '}${inlineWord(pair, isSought)} `);
    last = at;
  }
  if (parts.length === 0) return html`<span class="quiet">no error</span>`;
  return html`<bdi${spokenIn(language)}>${parts}${last < aligned.length - 1 && '…'}</bdi>`;
}

function inlineWord(pair: AlignedWord, isSought: (text: string | null) => boolean): Markup {
  const text = (word: string | null) =>
    isSought(word) ? html`<mark>${limitText(word!, maxWord)}</mark>` : html`${limitText(word ?? '', maxWord)}`;
  const { reference, hypothesis } = pair;
  const edit = editOf(pair);
  if (edit === 'same') return text(hypothesis);
  return html`<span class="edit ${edit}"><span class="unseen">${unseen[edit]}</span>${reference !== null && html`<s>${text(reference)}</s>`}${edit === 'substitution' && html`<span aria-hidden="true">→</span><span class="unseen"> recognized: </span>`}${hypothesis !== null && html`<b>${text(hypothesis)}</b>`}<sub aria-hidden="true">${editMarks[edit]}</sub></span>`;
}

const unseen: Readonly<Record<Edit, string>> = {
  ...{
    same: '',
    substitution: 'instead of ',
    deletion: 'deleted: ',
    insertion: 'inserted: ',
    'left out': 'left out: ',
  },
};

/** So many signs of a name are shown at most. */
const maxName = 24;

/** One line of a name that would take several: its middle is left out, and told by title, to who listens, and at the focus. */
export function cutName(name: string, most = maxName): Markup {
  const whole = limitText(name, 300);
  if (whole.length <= most) return html`<bdi>${whole}</bdi>`;
  const end = Math.floor((most - 1) / 2);
  return html`<span title="${whole}"><span class="cut" aria-hidden="true"><bdi>${whole.slice(0, most - 1 - end)}…${whole.slice(-end)}</bdi></span><span class="whole unseen"><bdi>${whole}</bdi></span></span>`;
}
