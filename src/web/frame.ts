import { html, type Markup, markupText, trusted } from '../report/html/markup.ts';
import { style as reportStyle } from '../report/html/style.ts';
import { type BrowserScript, browserScript } from '../session/browser-script.ts';

/** Where a page stands: its title, and the way to it. */
export interface Place {
  readonly title: string;
  readonly trail?: readonly { readonly title: string; readonly href: string }[];
  /** Scripts of ours that the page needs, by their names under /assets. */
  readonly scripts?: readonly string[];
  /** Reloads by itself. */
  readonly again?: true;
  /** Leads on by itself. */
  readonly goesOnTo?: string;
  /** Where the way begins. Default: the runs; null: there is none. */
  readonly home?: { readonly title: string; readonly href: string } | null;
  /** Whose page it is, where several people have pages of their own. */
  readonly whose?: string;
  /** A place within the page that is reached past everything before it. */
  readonly skip?: { readonly title: string; readonly href: `#${string}` };
  /** Uses the width of the window. */
  readonly wide?: true;
  /** Where its search leads: the trials of a run. */
  readonly search?: { readonly href: string; readonly label: string };
}

/** Where a page that no server sends has its files, and what it may load. */
interface OwnFiles {
  /** What stands before the names of scripts and styles. */
  readonly assets: string;
  /** Content security policy. */
  readonly policy: string;
  /** For its script: which page of which run it is. */
  readonly page?: { readonly kind: 'trials' | 'trial'; readonly run: string };
}

/** A whole page. */
export function pageText(place: Place, content: Markup, own?: OwnFiles): string {
  const assets = own?.assets ?? '/assets/';
  const { home = { title: 'Runs', href: '/runs' } } = place;
  const trail = [...(home === null ? [] : [home]), ...(place.trail ?? [])];
  return markupText(html`<!doctype html>
<html lang="en"${own?.page && html` data-page="${own.page.kind}" data-run="${own.page.run}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${own && html`<meta http-equiv="Content-Security-Policy" content="${trusted(own.policy)}"><meta name="referrer" content="no-referrer">`}
${place.goesOnTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${place.goesOnTo}">`}
<link rel="icon" href="data:,">
<title>${place.title} – Earwitness</title>
<link rel="stylesheet" href="${assets}style.css">
${[...(place.scripts ?? []), ...(place.search ? ['search.js'] : []), ...(place.again ? ['again.js'] : [])].map((name) => html`<script defer src="${assets}${name}"></script>`)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>${place.skip && html`<a class="skip" href="${place.skip.href}">${place.skip.title}</a>`}
<div class="page view${place.wide ? ' wide' : ''}">
<header class="top"><span class="name">Earwitness</span>${place.whose !== undefined && html`<span class="whose">for <bdi>${place.whose}</bdi></span>`}${trail.length > 0 && html`<nav class="trail" aria-label="Where you are">${trail.map(({ title, href }, at) => html`${at > 0 && html`<span aria-hidden="true"> › </span>`}<a href="${href}"><bdi>${title}</bdi></a>`)}</nav>`}${place.search && searchForm(place.search)}<h1><bdi>${place.title}</bdi></h1></header>
<main id="main" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`);
}

function searchForm({ href, label }: NonNullable<Place['search']>): Markup {
  return html`<form class="search" role="search" method="get" action="${href}"><input type="search" name="search" maxlength="200" placeholder="Search the trials  ( / )" aria-label="${label}"></form>`;
}

/** What pages load from /assets: their style, and those scripts of ours that are named; null for any other address. */
export function assetAt(path: string, style: string, scripts: readonly BrowserScript[]): Answer | null {
  if (path === '/assets/style.css') return { type: 'text/css; charset=utf-8', body: style };
  const name = scripts.find((one) => path === `/assets/${one}.js`);
  return name === undefined ? null : { type: 'text/javascript; charset=utf-8', body: browserScript(name) };
}

/** The style of all pages: that of the report, and what it has not. */
export const viewStyle = `${reportStyle}
.page.view{display:block;max-width:90rem}
.page.wide{max-width:none}
.view main{padding-bottom:3rem;gap:1.25rem}
#main:focus{outline:none}
.trials tbody th{min-width:10rem}
.trials th a{display:inline-block;min-width:1.5rem}
.trials :is(.play,td a){min-height:1.5rem}
.trials .play{text-align:center;text-decoration:none}
.trail a{text-decoration:none}
.trail{color:var(--quiet);font-size:.9rem}
.view main h2{font-size:1.2rem}
.view .top h1{flex:1 0 100%;font-size:1.35rem}
.numbers{display:flex;flex-wrap:wrap;gap:.5rem 2rem}
.numbers dt{font-size:.8125rem;color:var(--quiet)}
.numbers dd{font-weight:650;font-variant-numeric:tabular-nums}
.strip{display:flex;flex-wrap:wrap;gap:.25rem}
.explorer{display:grid;grid-template-columns:minmax(0,1fr);gap:.625rem}
.top .search{margin-left:auto;flex:0 1 22rem;min-width:0;display:flex}
.top .search input{padding-block:.125rem;font-size:.875rem}
@media (max-width:40rem){.top .search{flex:1 0 100%}}
.facets{display:flex;flex-wrap:wrap;gap:.375rem;position:relative;font-size:.875rem}
.facet summary{padding:.1875rem .75rem;border:1px solid var(--border);border-radius:2rem;background:var(--card);list-style:none}
.facet summary::after{content:" ▾" / ""}
.facet:has(:checked) summary{border-color:var(--accent);color:var(--accent)}
.facet[open]>summary{margin:0;border-color:var(--accent)}
.facet fieldset{position:absolute;z-index:5;margin:.25rem 0 0;padding:.5rem .75rem;width:max-content;max-width:min(100%,24rem);border:1px solid var(--quiet);border-radius:.5rem;background:var(--card);box-shadow:0 .25rem 1rem rgb(0 0 0/.18)}
.facet legend{float:left;font-weight:600}
.facet .values{clear:both;max-height:60vh;overflow:auto}
.facet label{display:flex;gap:.5rem;align-items:center;min-height:1.5rem}
.facet input{flex:none;width:1.5rem;height:1.5rem;margin:0;transform:scale(.7)}
.facet label>span:last-child{margin-left:auto;padding-left:.75rem;white-space:nowrap;color:var(--quiet);font-variant-numeric:tabular-nums}
@media (max-width:40rem){.facet fieldset{left:0;right:0;width:auto;max-width:none}}
.cut{white-space:nowrap}
:is(label:focus-within,a:focus)>span>.cut{display:none}
:is(label:focus-within,a:focus)>span>.whole{position:static;width:auto;height:auto;margin:0;clip-path:none;white-space:normal;overflow-wrap:anywhere}
.told{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline}
.told .numbers{gap:.25rem 1.25rem}
.told .numbers div{display:flex;gap:.375rem;align-items:baseline}
.told p{margin-left:auto}
.told p:first-child{margin-left:0}
.told .untested{margin-left:0;padding:0 .5rem}
.bar-of-search{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.bar-of-search label{display:flex;gap:.5rem;align-items:center;min-width:0}
.bar-of-search select{min-width:0;padding-inline:.375rem}
@media (max-width:40rem){.bar-of-search :is(select,button,.button){padding:.25rem .375rem;font-size:.875rem}.bar-of-search label:first-of-type{flex:1 1 9rem}.bar-of-search select{flex:1 1 auto}.bar-of-search label:first-of-type{font-size:0;gap:0}}
input[type=search],select,.view button,.button{font:inherit;padding:.375rem .75rem;border:1px solid var(--quiet);border-radius:.5rem;background:var(--card);color:var(--text)}
select{max-width:100%}
input[type=search]{flex:1 1 14rem;min-width:0}
.view thead button{padding:0;border:0}
.view button,.button{cursor:pointer;text-decoration:none}
.view button[aria-pressed=true]{background:var(--accent);color:var(--card);border-color:var(--accent)}
.trials{table-layout:auto}
.listed{container-type:inline-size}
.trials .key{font-weight:400;font-size:.8125rem;color:var(--quiet);display:inline;margin-left:1rem}
.desk caption{padding:.375rem .625rem}
.desk :is(th,td){padding:.3125rem .5rem;font-size:.8125rem;line-height:1.35;vertical-align:top;min-width:0;max-width:none;overflow-wrap:anywhere}
.desk thead a{color:inherit;text-decoration:none}
.desk thead a::after{content:" ↕" / "";opacity:.55}
.desk [aria-sort=ascending] a::after{content:" ↑" / ""}
.desk [aria-sort=descending] a::after{content:" ↓" / ""}
.desk tbody th{width:13.5rem;min-width:13.5rem}
.desk td{min-width:10.5rem}
.desk td.text{color:inherit}
.desk .small{font-size:.75rem}
.desk th .play{margin-left:.125rem}
.desk .lines{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.desk .lines:has(mark){display:block}
.chip{display:inline-block;min-width:3.25em;padding:0 .3125rem;border:1px solid var(--border);border-radius:.25rem;text-align:right;line-height:1.25}
.lines .edit{padding:0 .125rem;border-radius:.1875rem;background:var(--bad-ground);color:var(--bad)}
.lines .edit :is(b,sub){font-weight:600}
.lines .substitution s{text-decoration:none}
.lines .edit.insertion{padding-inline:.1875rem .25rem;outline:1px dashed;outline-offset:-1px}
.lines sub{margin-left:.0625rem;font-size:.625rem;line-height:0}
mark{padding:0 .0625rem;background:color-mix(in srgb,var(--accent) 12%,var(--card));color:var(--text);outline:1px solid var(--accent)}
@media screen{
@container (max-width:46rem){
table.trials,.trials tbody,.trials caption{display:block}
.trials thead{display:none}
.trials tbody tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,6rem),1fr));gap:.25rem .75rem;padding:.625rem;border-top:1px solid var(--border)}
.trials tbody :is(th,td){display:block;padding:0;border:0;min-width:0;max-width:none;text-align:left;overflow-wrap:anywhere;white-space:normal;font-size:.875rem}
.trials tbody th,.desk td,.trials td.wide{position:static;grid-column:1/-1}
.trials td[data-label]::before{content:attr(data-label);display:block;color:var(--quiet);font-size:.75rem}
.desk .lines{display:block}
.trials .key{display:flex;margin-left:0}
}
}
.untested{padding:.5rem .875rem;border:1px dashed var(--caution);border-radius:.5rem;background:var(--caution-ground);color:var(--caution);font-size:.875rem}
.players{display:grid;gap:.75rem}
.player{display:grid;gap:.25rem;margin-bottom:.75rem}
.player h3{font-size:.95rem}
.player canvas{display:block;width:100%;height:5rem;background:var(--sunken);border-radius:.375rem;touch-action:none}
.player canvas.spectrum{height:8rem}
.player.on h3::after{content:" ▸ playing";color:var(--accent)}
.drawn{position:relative;cursor:crosshair}
.drawn .cursor{position:absolute;top:0;bottom:0;width:2px;background:var(--bad);pointer-events:none;left:0}
.drawn .loop{position:absolute;top:0;bottom:0;background:var(--accent);opacity:.2;pointer-events:none}
.drawn .hertz{position:absolute;left:0;bottom:0;padding:0 .25rem;background:#000a;color:#fff;font-size:.6875rem;line-height:1.3;pointer-events:none}
.drawn .hertz.top{top:5rem;bottom:auto}
.drawn .hertz.middle{top:8.5rem;bottom:auto}
.times{display:flex;justify-content:space-between;color:var(--quiet);font-size:.75rem;font-variant-numeric:tabular-nums}
.controls label{max-width:100%}
.controls{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.controls meter{width:8rem}
@media (hover:none),(pointer:coarse){kbd{display:none}}
kbd{font:.8em ui-monospace,Menlo,Consolas,monospace;border:1px solid var(--border);border-radius:.25rem;padding:0 .25rem}
.diff button{border:0;background:none;padding:0;min-width:1.5rem;min-height:1.5rem;color:inherit;text-align:inherit;text-decoration:underline dotted;text-underline-offset:.2em}
.written :is(th,td){padding:.1875rem .625rem .1875rem 0;border:0;background:none;font-size:.9375rem;overflow-wrap:anywhere}
.written th{white-space:nowrap}
.written caption{padding:.25rem 0}
@media (max-width:46rem){.written :is(tbody,tr,th,td){display:block;position:static;max-width:none;white-space:normal;padding:0}.written tr{padding:.375rem 0}}
.compared .forest{display:inline-block;width:15rem;margin:0 .75rem 0 0;vertical-align:middle}
.compared .interval{display:inline}
@media (max-width:64rem){.compared .forest{width:8rem}.compared tbody th{overflow-wrap:break-word;min-width:7rem}}
.compared th[scope=rowgroup]{background:var(--sunken);max-width:none}
@media (max-width:46rem){.compared .forest{display:block;width:100%}.compared :is(th,td){padding:.25rem .375rem;min-width:0;overflow-wrap:anywhere}.compared .verdict{white-space:normal}}
a.way{color:inherit;text-decoration:underline dotted;text-underline-offset:.2em}
a.way:hover{color:var(--accent)}
.live[hidden]{display:none}
progress{width:100%;height:.75rem;accent-color:var(--accent)}
`;

/** What one request is answered with. */
export type Answer =
  | { readonly page: Place; readonly content: Markup; readonly status?: number }
  | { readonly type: string; readonly body: string | Uint8Array; readonly name?: string; readonly status?: number }
  | { readonly type: string; readonly lines: Iterable<string>; readonly name: string }
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
