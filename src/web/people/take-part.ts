import { html, type Markup } from '../../report/html/markup.ts';
import type { BrowserScript } from '../../session/browser-script.ts';
import { type Answer, assetAt, type Place, viewStyle } from '../frame.ts';

/** What pages that people take part in have in common: their look, their script, and how they say that something was kept. */
export const takePartFrame: Omit<Place, 'title'> = { home: null, scripts: ['take-part.js'] };

const style = `${viewStyle}
.page.view:not(:has(.scroll)){max-width:46rem;margin-inline:auto}
.task{display:grid;gap:1.25rem}
.task form{display:grid;gap:1rem}
.task fieldset{margin:0;padding:.75rem 1rem;border:1px solid var(--border);border-radius:.5rem;background:var(--card);display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;min-width:0}
.task legend{float:left;width:100%;padding:0;font-weight:600}
.task label:has(>[type=text]),.task label:has(>textarea){display:grid;gap:.5rem;flex:1 1 100%}
.task :where(label:has(>[type=checkbox]),fieldset label:not(:has(>[type=text]))){display:flex;gap:.5rem;align-items:center;min-height:2.75rem}
.task input[type=radio],.task input[type=checkbox]{flex:none;width:1.25rem;height:1.25rem;margin:0}
.task input[type=text],.task textarea{font:inherit;width:100%;padding:.625rem .75rem;border:1px solid var(--quiet);border-radius:.5rem;background:var(--card);color:var(--text)}
.task audio{width:100%}
.task .actions{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
.task .actions button{min-height:2.75rem;padding:.5rem 1.5rem;font-weight:600}
.task button:disabled{opacity:.5}
.task nav.actions button{padding:0;border:0;background:none;color:var(--accent);font-weight:400;text-decoration:underline}
.task blockquote{margin:0;padding:.5rem 1rem;border-left:.25rem solid var(--accent);background:var(--card);overflow-wrap:anywhere;font-size:1.1rem}
.task .read{font-size:1.75rem;line-height:1.3}
.task [data-scale]{display:grid;grid-template-columns:repeat(5,minmax(0,1fr));grid-template-rows:auto;grid-auto-rows:1fr;gap:.375rem}
.task [data-scale] legend{grid-column:1/-1}
.task [data-scale]:not(:has(label:nth-of-type(4))){grid-template-columns:repeat(3,minmax(0,1fr))}
.task ul{padding-left:1.25rem}
.task [data-scale] label{position:relative;flex-direction:column;justify-content:center;gap:.125rem;padding:.5rem .125rem;min-height:3.5rem;border:1px solid var(--quiet);border-radius:.5rem;font-size:1.25rem;font-weight:650;line-height:1.2;text-align:center;cursor:pointer}
.task [data-scale] span{color:inherit;font-size:.75rem;font-weight:400;overflow-wrap:anywhere}
.task [data-scale] input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
.task [data-scale] label:has(:checked){border-color:var(--accent);background:var(--accent);color:var(--card)}
.task [data-scale] label:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:30rem){.task [data-scale]{padding:.5rem;gap:.25rem}.task :is([type=submit],.go,button[data-keep]){width:100%;text-align:center}}
.task [data-said]{min-height:1.5em}
.task [data-said].bad{color:var(--bad)}
.task .listen{position:sticky;top:0;z-index:1;padding:.5rem 0;background:var(--ground)}
.task .also{margin:0}
.task section[tabindex]:focus{outline:none}
.task .go{display:inline-block;min-height:2.75rem;padding:.5rem 1.5rem;border:1px solid;border-radius:.5rem;font-weight:600;text-decoration:none}
.task :is([type=submit],.go,[data-record],button[data-keep]){border-color:var(--accent);background:var(--accent);color:var(--card)}
.task :is(form>.actions:only-child [type=submit],[data-test] [data-record],button[data-keep]:disabled,:has(>.actions button[data-keep]:enabled) [data-record]){border-color:var(--quiet);background:var(--card);color:var(--text)}
.whose{color:var(--quiet)}
.notice{padding:.5rem .875rem;border:1px solid var(--caution);border-radius:.5rem;background:var(--caution-ground);color:var(--caution)}
@media (hover:none),(pointer:coarse){.keys{display:none}}
`;

/** The files that these pages load, with a script that some have beside; null for any other address. */
export function takePartAsset(path: string, ...more: readonly BrowserScript[]): Answer | null {
  return assetAt(path, style, ['take-part', 'again', ...more]);
}

/**
 * A form whose answers are kept: it shows what came of it, and goes on.
 *
 * @param path where they are sent, below the path of whoever answers: it names the person and the clip
 * @param either what is said where the first text is filled in and the first box ticked, which contradict each other
 */
export function keptForm(path: string, fields: Markup, button: string, either?: string): Markup {
  return html`<form data-keep="${path}"${either !== undefined && html` data-either="${either}"`}>${fields}<p class="actions"><button type="submit">${button}</button><span data-said role="status"></span></p></form>`;
}

/** What was sent was kept. */
export function kept(next: string): Answer {
  return { type: 'application/json', body: JSON.stringify({ next }) };
}

/**
 * What was sent cannot be taken, and why.
 *
 * @param next the page that shows what is there instead
 */
export function notTaken(problem: string, status: 400 | 404 | 409 = 400, next?: string): Answer {
  return { type: 'application/json', body: JSON.stringify({ problem, next }), status };
}
