import { formatFixed } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import { html, type Markup } from '../report/html/markup.ts';
import { href, type Links } from './links.ts';
import type { Selection, TrialQuery } from './trial-index.ts';
import { writeQuery } from './trials-page.ts';

const maxShown = 200;

/** Words of the reference and what was written in their place, over a selection of trials, with the way to the trials of each. */
export function wordsPage(
  { count, confusions }: Selection,
  { run, query, links }: { readonly run: string; readonly query: TrialQuery; readonly links: Links },
): Markup {
  return html`<p class="text">Words of the reference beside what stands in their place, over ${formatFixed(count, 0)} trials. Counted, and not tested.</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="words-caption"><table><caption id="words-caption">Confused words, most frequent first</caption>
<thead><tr><th scope="col">Reference</th><th scope="col">Transcript</th><th scope="col" class="right">Times</th><th scope="col" class="right">of all times it was said</th><th scope="col" class="right">Trials</th></tr></thead>
<tbody>${confusions(maxShown).map(({ reference, hypothesis, times, trials, said }) => {
    const way = href(links.trials(run), writeQuery({ ...query, confused: { reference, hypothesis } }));
    return html`<tr><th scope="row">${reference === '' ? html`<span class="quiet">inserted</span>` : html`<bdi>${limitText(reference, 80)}</bdi>`}</th><td>${hypothesis === '' ? html`<span class="quiet">deleted</span>` : html`<bdi>${limitText(hypothesis, 80)}</bdi>`}</td><td class="right number">${formatFixed(times, 0)}</td><td class="right number">${said === 0 ? '–' : `${formatFixed((100 * times) / said, 1)} %`}</td><td class="right number"><a class="way" href="${way}">${formatFixed(trials, 0)}</a></td></tr>
`;
  })}</tbody></table></div>`;
}
