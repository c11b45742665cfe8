import { limitText } from '../../base/limit-text.ts';
import type { Example } from '../../model/finding.ts';
import { describeEdits, referenceWords } from '../prepare/edit-words.ts';
import { htmlDifference } from './difference.ts';
import { html, type Markup, trusted } from './markup.ts';
import type { ShownSound } from './sounds.ts';

const mostCharacters = 2000;

/** What the marks in the differences mean, shown once above a list of examples. */
export function differenceKey(): Markup {
  return html`<p class="key small quiet"><span><del>left out</del> said, not heard</span> <span><ins>put in</ins> heard, not said</span> <span><del>said</del> <ins>heard</ins> one for the other</span></p>`;
}

/** A trial worth hearing: its sound before and after, what was said, and what each recognizer made of it. */
export function htmlExample(example: Example, sound: ShownSound | undefined): Markup {
  const said = example.transcripts.find(({ aligned }) => aligned)?.aligned;
  const draw = example.draw > 0 ? `, draw ${example.draw + 1}` : '';
  return html`<article class="example">
<h4><bdi>${limitText(example.title, 300)}</bdi></h4>
<p class="small quiet">Utterance <bdi>${limitText(example.utteranceId, 300)}</bdi>, condition <bdi>${limitText(example.conditionName, 300)}</bdi>${draw}</p>
${sound && soundMarkup(example, sound)}
${said && html`<p><span class="small quiet">Said</span><br><bdi>${limitText(referenceWords(said).join(' '), mostCharacters)}</bdi></p>`}
<dl class="heard">${example.transcripts.map(transcriptMarkup)}</dl>
</article>
`;
}

function transcriptMarkup({ label, aligned, note }: Example['transcripts'][number]): Markup {
  return html`<div><dt><bdi>${label}</bdi>${aligned && html`<span class="quiet">${describeEdits(aligned)}</span>`}</dt>
<dd>${aligned && htmlDifference(aligned)}${!aligned && !note && 'No transcript: the trial failed.'}${
    note && html` <span class="quiet">${limitText(note, mostCharacters)}</span>`
  }</dd></div>`;
}

function soundMarkup(example: Example, { clean, changed, note }: ShownSound): Markup {
  const players = [player('Before', 'clean', example, clean), player('After', example.conditionName, example, changed)];
  return html`${(clean || changed) && html`<div class="sounds">${players}</div>`}${note && html`<p class="small quiet">${note}</p>`}`;
}

function player(when: string, condition: string, example: Example, base64: string | null): Markup | null {
  if (base64 === null) return null;
  return html`<figure><figcaption>${when} (<bdi>${limitText(condition, 100)}</bdi>)</figcaption><audio controls preload="metadata" aria-label="${when}, ${limitText(condition, 100)}: ${limitText(example.utteranceId, 100)}" src="data:audio/wav;base64,${trusted(base64)}"></audio></figure>`;
}
