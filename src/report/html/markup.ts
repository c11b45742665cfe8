import type { JsonObject } from '../../base/json.ts';
import { visibleText } from '../../base/printable.ts';
import type { About, Verdict } from '../../model/finding.ts';
import type { ShownVerdict } from '../format/wording.ts';

const classes: Readonly<Record<Verdict, string>> = { better: 'better', worse: 'worse', 'cannot tell': 'unsure' };

const markup = Symbol('markup');

/** Text that is HTML already. Only `html` and `trusted` make it, so nothing from outside can pass for it. */
export interface Markup {
  readonly [markup]: string;
}

/** What may stand in a template. Nothing is printed for null, undefined and false. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/**
 * Writes HTML: whatever is put in is made visible and escaped, unless it was written by `html` itself. Attributes must
 * be quoted in the template.
 *
 * @example html`<p title="${title}">${text}</p>`
 */
export function html(template: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = template[0] ?? '';
  for (const [index, content] of contents.entries()) text += printed(content) + (template[index + 1] ?? '');
  return { [markup]: text };
}

/** Declares text of our own to be HTML: inline style and script, numbers in base 64. Never text from outside. */
export function trusted(text: string): Markup {
  return { [markup]: text };
}

/** The HTML of a markup. */
export function markupText(content: Markup): string {
  return content[markup];
}

/**
 * Escapes a text for HTML content and quoted attributes, hidden characters made visible.
 *
 * @example escapeHtml('<b title="x">') // '&lt;b title=&quot;x&quot;&gt;'
 */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"'`]/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function printed(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  return markup in content ? content[markup] : content.map(printed).join('');
}

/** A language as an attribute may have it (BCP 47); empty, which means unknown, for whatever is no such tag. */
export function languageTag(language: string): string {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,4}$/i.test(language) && language !== 'und' ? language : '';
}

const rightToLeftLanguages =
  /^(acm|afb|ajp|apc|ar|arb|arq|ars|ary|arz|azb|bal|ckb|dv|fa|glk|he|iw|lrc|mzn|nqo|pes|pnb|prs|ps|sd|skr|syr|ug|ur|yi|ydd)(-|$)/i;
const rightToLeftScripts = /^(adlm|arab|aran|hebr|mand|nkoo|rohg|samr|syrc|thaa)$/i;

/** The attributes of an element that holds speech: its language, and that it runs from right to left where that language is written so. */
export function spokenIn(language: string): Markup {
  const tag = languageTag(language);
  const script = /^[a-z]{2,3}-([a-z]{4})(-|$)/i.exec(tag)?.[1];
  const isTurned = script === undefined ? rightToLeftLanguages.test(tag) : rightToLeftScripts.test(script);
  return html` lang="${tag}"${isTurned && html` dir="rtl"`}`;
}

/** A verdict as a small label: word, mark and outline each carry it, so that colour need not. */
export function verdictMark({ verdict, word, mark, meaning }: ShownVerdict): Markup {
  return html`<span class="verdict ${classes[verdict]}" title="${meaning}"><span aria-hidden="true">${mark}</span> ${word}</span>`;
}

/** Where a page leads from its numbers, where more can be seen than the page holds. */
export interface Ways {
  /**
   * @param texts that stand around a number: of its row, its column, and the title of its table
   * @param about whether it is of one recognizer, or of two side by side
   * @returns null where they do not name the trials that it was counted on
   */
  toTrials(texts: readonly string[], about?: 'one' | 'pair'): string | null;
  toTrial(utteranceId: string, conditionName: string, draw: number): string | null;
  /**
   * To the trials that a row of a table is about: what compares, averages or counts rests on them.
   *
   * @param texts that name recognizers, conditions and groups: of the row, and the title of its table
   * @param utteranceId where the row is about one
   * @param confused where it is about one word that was taken for another
   * @returns null where they name nothing that trials can be chosen by
   */
  toRow(
    texts: readonly string[],
    utteranceId: string | null,
    confused?: readonly [reference: string, hypothesis: string] | null,
  ): string | null;
  /**
   * @param settings of the finding, which say how numbers are made groups
   * @returns null where the trials that a claim is about cannot be chosen by their names
   */
  toClaim(about: About, settings: JsonObject): string | null;
}

/** What stands for a number, as a link where there is a way from it. */
export function withWay(shown: Markup, way: string | null | undefined): Markup {
  return way == null ? shown : html`<a class="way" href="${way}">${shown}</a>`;
}
