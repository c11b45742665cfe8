import { limitText } from '../base/limit-text.ts';
import { formatFixed } from '../base/number-format.ts';
import { html, type Markup } from '../report/html/markup.ts';
import { align } from '../scoring/alignment/align.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { Store } from '../store/contract.ts';
import type { TrialIndex } from './trial-index.ts';

export const maxAligned = 20_000;
const maxShown = 200;

/** Words of the reference and what was written in their place, over a selection of trials. */
export function wordsPage(
  rows: readonly number[],
  count: number,
  {
    index,
    store,
    run,
    normalizer,
  }: {
    readonly index: TrialIndex;
    readonly store: Pick<Store, 'utterances' | 'observation'>;
    readonly run: string;
    readonly normalizer: Normalizer;
  },
): Markup {
  const confused = new Map<string, number>();
  const said = new Map<string, number>();
  const { utterance, answer } = index.columns;
  let known = { position: -1, words: null as readonly string[] | null, language: 'und' };
  for (const row of rows) {
    const position = utterance[row]!;
    if (known.position !== position) {
      const [found] = store.utterances(run, { from: position, limit: 1 });
      const words = found?.reference === undefined ? null : normalizer.words(found.reference, found.language);
      known = { position, words, language: found?.language ?? 'und' };
    }
    const transcript = store.observation(answer[row]!)?.transcript;
    if (known.words === null || transcript === undefined) continue;
    for (const { reference, hypothesis } of align(known.words, normalizer.words(transcript.text, known.language))) {
      if (reference !== null) said.set(reference, (said.get(reference) ?? 0) + 1);
      if (reference === hypothesis) continue;
      const key = JSON.stringify([reference, hypothesis]);
      confused.set(key, (confused.get(key) ?? 0) + 1);
    }
  }
  const most = [...confused].sort((a, b) => b[1] - a[1]).slice(0, maxShown);
  return html`<p class="text">Words of the reference beside what stands in their place, over ${formatFixed(rows.length, 0)} trials${rows.length < count ? html` (the first of ${formatFixed(count, 0)}; choose fewer to see all)` : null}. Counted, and not tested.</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="words-caption"><table><caption id="words-caption">Confused words, most frequent first</caption>
<thead><tr><th scope="col">Reference</th><th scope="col">Transcript</th><th scope="col" class="right">Times</th><th scope="col" class="right">of all times it was said</th></tr></thead>
<tbody>${most.map(([key, times]) => {
    const [reference, hypothesis] = JSON.parse(key) as [string | null, string | null];
    const all = reference === null ? null : (said.get(reference) ?? 0);
    return html`<tr><th scope="row">${reference === null ? html`<span class="quiet">inserted</span>` : html`<bdi>${limitText(reference, 80)}</bdi>`}</th><td>${hypothesis === null ? html`<span class="quiet">deleted</span>` : html`<bdi>${limitText(hypothesis, 80)}</bdi>`}</td><td class="right number">${formatFixed(times, 0)}</td><td class="right number">${all === null ? '–' : `${formatFixed((100 * times) / all, 1)} %`}</td></tr>
`;
  })}</tbody></table></div>`;
}
