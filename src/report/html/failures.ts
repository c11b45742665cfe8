import type { Table } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { reasonsTable } from '../prepare/failure-reasons.ts';
import { tallySentence } from '../prepare/tally.ts';
import { html, type Markup } from './markup.ts';
import { htmlTable } from './table.ts';

/** What each kind of failure means, for readers of the report. */
const meanings: Readonly<Record<string, string>> = {
  sound: 'the sound could not be read or made',
  crash: "the recognizer's process died, twice",
  timeout: 'no answer in time',
  refused: 'the recognizer said no',
  unavailable: 'it could not be reached or was too busy, also after retries',
  garbage: 'its answer could not be understood',
  'unknown-utterance': 'it does not know this utterance',
  error: 'anything else',
};

/** What became of the trials, with the failures by kind, most frequent first, and why. */
export function failuresSection({ tally, failures }: Pick<RunReport, 'tally' | 'failures'>): Markup {
  const kinds = Object.entries(tally.failures)
    .filter(([, count]) => count > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const table: Table = {
    id: 'failures',
    title: 'Failures by kind',
    columns: [
      { key: 'kind', label: 'Kind', kind: 'text' },
      { key: 'count', label: 'Trials', kind: 'count' },
      { key: 'share', label: 'Share of all trials', kind: 'rate' },
      { key: 'meaning', label: 'What it means', kind: 'text' },
    ],
    rows: kinds.map(([kind, count]) => ({
      kind,
      count,
      share: tally.trials > 0 ? count / tally.trials : null,
      meaning: Object.hasOwn(meanings, kind) ? (meanings[kind] ?? null) : null,
    })),
    note: 'A failure is never counted as an empty transcript: failed trials are left out of the rates.',
  };
  return html`<section id="trials" aria-labelledby="trials-title">
<h2 id="trials-title">What became of the trials</h2>
<p class="text">${tallySentence(tally)}</p>
${kinds.length > 0 && htmlTable(table, { id: 'failures', rows: 100, forest: false, sortable: true })}
${failures.length > 0 && htmlTable(reasonsTable(failures), { id: 'failure-reasons', rows: 100, forest: false, sortable: true })}
</section>
`;
}
