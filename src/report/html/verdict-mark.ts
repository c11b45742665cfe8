import type { Verdict } from '../../model/finding.ts';
import { verdictWording } from '../format/verdict.ts';
import { html, type Markup } from './markup.ts';

const classes: Readonly<Record<Verdict, string>> = { better: 'better', worse: 'worse', 'cannot tell': 'unsure' };

/** A verdict as a small label: word, mark and outline each carry it, so that colour need not. */
export function verdictMark(verdict: Verdict): Markup {
  const { word, mark, meaning } = verdictWording[verdict];
  return html`<span class="verdict ${classes[verdict]}" title="${meaning}"><span aria-hidden="true">${mark}</span>${word}</span>`;
}
