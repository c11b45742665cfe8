import { limitText } from '../../base/limit-text.ts';
import type { AlignedWord } from '../../model/finding.ts';
import { editOf } from '../prepare/edit-words.ts';
import { html, type Markup } from './markup.ts';

const mostWords = 400;
const mostCharacters = 200;

/** What was said and what was heard, in one line: marked by element, sign, line and colour, and in words for listeners. */
export function htmlDifference(aligned: readonly AlignedWord[]): Markup {
  const left = aligned.length - mostWords;
  return html`<bdi>${aligned.slice(0, mostWords).map((word, index) => html`${index > 0 && ' '}${wordMarkup(word)}`)}${
    left > 0 && html` <span class="quiet">… ${left} more words</span>`
  }</bdi>`;
}

function wordMarkup(word: AlignedWord): Markup {
  const reference = limitText(word.reference ?? '', mostCharacters);
  const hypothesis = limitText(word.hypothesis ?? '', mostCharacters);
  switch (editOf(word)) {
    case 'same':
      return html`${reference}`;
    case 'deletion':
      return html`<del><span class="unseen">left out: </span>${reference}</del>`;
    case 'insertion':
      return html`<ins><span class="unseen">put in: </span>${hypothesis}</ins>`;
    case 'substitution':
      return html`<del><span class="unseen">instead of </span>${reference}</del> <ins><span class="unseen">heard: </span>${hypothesis}</ins>`;
  }
}
