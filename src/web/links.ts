import { formatFixed } from '../base/number-format.ts';
import { html, type Markup } from '../report/html/markup.ts';

/** Where pages lie: on the server by their paths, in a folder beside each other. */
export interface Links {
  readonly runs: string;
  /** Null: there is no such page. */
  readonly compare: string | null;
  run(run: string): string;
  trials(run: string): string;
  /** Absent: the trials cannot be saved from the page, and no words are counted on it. */
  readonly exports?: {
    csv(run: string): string;
    jsonl(run: string): string;
    words(run: string): string;
  };
  trial(run: string, clip: string, query: Iterable<readonly [string, string | number | null]>): string;
}

/** The address of a page with a query; what is empty is left away. */
export function href(path: string, query: Iterable<readonly [string, string | number | null]> = []): string {
  const parts = new URLSearchParams();
  for (const [key, value] of query) if (value !== null && value !== '') parts.append(key, String(value));
  const text = parts.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The pages of the server; from `clip` to the trial of a clip by what it is called. */
export const served: Links & { clip(run: string, utterance: string, condition: string, draw: number): string } = {
  ...{ runs: '/runs', compare: '/compare' },
  run: (run) => `/runs/${run}`,
  trials: (run) => `/runs/${run}/trials`,
  exports: {
    csv: (run) => `/runs/${run}/trials.csv`,
    jsonl: (run) => `/runs/${run}/trials.jsonl`,
    words: (run) => `/runs/${run}/words`,
  },
  trial: (run, clip, query) => href(`/runs/${run}/trials/${clip}`, query),
  clip: (run, utterance, condition, draw) =>
    href(`/runs/${run}/clip`, Object.entries({ utterance, condition, draw: draw === 0 ? null : draw })),
};

/** The pages of a folder, all in it; what they load lies below. */
export const beside: Links = {
  ...{ runs: 'index.html', compare: null },
  run: (run) => `${run}.html`,
  trials: (run) => `${run}-trials.html`,
  trial: (run, clip, query) => href(`${run}-trial.html`, [['clip', clip], ...query]),
};

/** The ways to the pages of a list, page 1 first. */
export function pageLinks(
  path: string,
  query: readonly (readonly [string, string])[],
  page: number,
  pages: number,
): Markup {
  const to = (number: number) => href(path, [...query, ['page', number === 1 ? null : number]]);
  return html`<nav class="controls" aria-label="Pages">${page > 1 && html`<a class="button" rel="prev" href="${to(page - 1)}">Previous</a>`}
<span class="small quiet number">page ${formatFixed(page, 0)} of ${formatFixed(pages, 0)}</span>
${page < pages && html`<a class="button" rel="next" href="${to(page + 1)}">Next</a>`}</nav>`;
}
