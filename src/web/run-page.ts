import { limitText } from '../base/limit-text.ts';
import { formatFixed } from '../base/number-format.ts';
import type { Finding } from '../model/finding.ts';
import { createAnchors, placeFindings } from '../report/html/anchors.ts';
import { answerSection } from '../report/html/answer.ts';
import { findingSection } from '../report/html/finding.ts';
import { html, type Markup, type Ways } from '../report/html/markup.ts';
import { align } from '../scoring/alignment/align.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { Store } from '../store/contract.ts';
import { href } from './frame.ts';
import type { TrialIndex } from './trial-index.ts';

/** Tables of a run are shown up to so many rows; all are in the report. */
const detail = { rows: 500, examples: 30, charts: true } as const;

/** What a run is made of, as the ways to its trials. */
export interface RunParts {
  readonly run: string;
  readonly recognizers: readonly string[];
  readonly conditions: readonly string[];
  /** Values of attributes, by attribute. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What a run found, as in its report, with a way from every number to the trials behind it. */
export function findingsMarkup(findings: readonly Finding[], parts: RunParts | null): Markup {
  const anchors = createAnchors(['answer', 'plain']);
  const placed = placeFindings(findings, anchors);
  const ways = parts === null ? {} : { ways: waysOf(parts) };
  const options = { anchors, detail, sounds: new Map(), language: '', ...ways };
  return html`${answerSection({ placed, charts: true, ...ways })}
${placed.map((one) => findingSection(one, options))}`;
}

/** From numbers to trials: only where the texts around a number name one recognizer and one condition. */
function waysOf(parts: RunParts): Ways {
  return {
    toTrials(texts) {
      const query = trialsOf(texts, parts);
      const named = (facet: string) => query.filter(([key]) => key === facet).length;
      return named('recognizer') === 1 && named('condition') === 1 ? href(`/runs/${parts.run}/trials`, query) : null;
    },
    toTrial: (utterance, condition, draw) =>
      href(`/runs/${parts.run}/clip`, Object.entries({ utterance, condition, draw: draw === 0 ? null : draw })),
  };
}

/**
 * The facets that texts name: recognizers, conditions (also at the end of a title, `Groups, clean`) and groups. What only names
 * a run of one recognizer or one condition does is taken for it.
 */
export function trialsOf(texts: readonly string[], { recognizers, conditions, groups }: RunParts): [string, string][] {
  const query = new Map<string, [string, string]>();
  const add = (key: string, value: string) => query.set(JSON.stringify([key, value]), [key, value]);
  for (const text of texts) {
    const ending = text.slice(text.lastIndexOf(', ') + 2);
    const condition = conditions.includes(text) ? text : conditions.includes(ending) ? ending : null;
    if (recognizers.includes(text)) add('recognizer', text);
    else if (condition !== null) add('condition', condition);
    else if (/\bclean\b/i.test(text) && conditions.includes('clean')) add('condition', 'clean');
    else {
      for (const [attribute, values] of groups) {
        const value = [text, text.replace(`${attribute} `, ''), text.replace(`${attribute}: `, '')].find((one) =>
          values.has(one),
        );
        if (value === undefined) continue;
        add(`is.${attribute}`, value);
        break;
      }
    }
  }
  const named = (facet: string) => [...query.values()].some(([key]) => key === facet);
  if (!named('recognizer') && recognizers.length === 1) add('recognizer', recognizers[0]!);
  if (!named('condition') && conditions.length === 1) add('condition', conditions[0]!);
  return [...query.values()];
}

const maxAligned = 20_000;
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

export { maxAligned };
