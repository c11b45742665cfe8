import { html, type Markup } from '../report/html/markup.ts';
import type { Place } from './frame.ts';

/** What one request is answered with. */
export type Answer =
  | { readonly page: Place; readonly content: Markup; readonly status?: number }
  | { readonly type: string; readonly body: string | Uint8Array; readonly name?: string; readonly status?: number }
  | { readonly type: string; readonly lines: Iterable<string>; readonly name: string }
  | { readonly type: string; readonly parts: AsyncIterable<Uint8Array>; readonly name: string }
  | { readonly events: (tell: (event: string, data: string) => void, ended: AbortSignal) => Promise<void> }
  | { readonly to: string };

/** @example notFound('There is no such run.') */
export function notFound(sentence: string): Answer {
  return { page: { title: 'Not found' }, content: html`<p class="text">${sentence}</p>`, status: 404 };
}

/** An answer for scripts. */
export function json(value: object): Answer {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}
