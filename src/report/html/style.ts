import { diffStyle } from './diff.ts';
import { dark, light, paletteVariables } from './palette.ts';

const seriesRules = light.series.map((_, index) => `.series-${index}{--ink:var(--series-${index})}`).join('\n');

/** Shades are mixed with the ground so weakly that text keeps its contrast on all of them (a test computes it). */
const heatRules = [1, 2, 3, 4, 5]
  .map(
    (step) =>
      `.worse-${step}{background:color-mix(in srgb,var(--bad) ${heatPercent(step)}%,var(--card))}.better-${step}{background:color-mix(in srgb,var(--good) ${heatPercent(step)}%,var(--card))}`,
  )
  .join('\n');

/** How much of the colour a shade has, in percent. */
export function heatPercent(step: number): number {
  return 7 * step;
}

/**
 * What decides the width of tables on paper. The script measures them before the browser lays out the paper, so these hold for the page
 * that it measures as well.
 */
const paperLayout = `
.page{display:block;max-width:none;padding:0}
:is(main,section,.overview,.beside,.statements,.card,.card .said,.card .numbers,.card .behind,.charts,.chart,.examples,.example,.heard,.facts){display:block}
:is(.overview,.statements,.beside,.charts,.examples,.heard,.facts)>*+*{margin-top:.5rem}
section>*+*{margin-top:.75rem}
.toc{display:none}
.scroll{overflow:visible;max-height:none;border-radius:0}
.deep thead th,tbody th,thead th:first-child{position:static}
th,td{padding:.1875rem .375rem;overflow-wrap:break-word}
.scroll tbody th,td.long{overflow-wrap:anywhere}
tbody th,td.long,.ranking th[scope=col]:last-child{min-width:0}
table:not(.tight,.cards) tbody th{min-width:8.5rem;max-width:none}
td.long{max-width:none}
.short{white-space:normal}
.scroll table:not(.cards){font-size:8pt}
.scroll table:not(.cards) :is(thead th,.interval,.verdict){font-size:7.5pt}
.scroll .verdict{padding:0 .375rem;border-width:1px}
.scroll table.tight{font-size:7pt}
.scroll table.tight :is(th,td,.interval,.verdict){font-size:6.5pt;padding-inline:.1875rem;min-width:0;overflow-wrap:anywhere;white-space:normal}
.scroll table.tight :is(thead th,.verdict,td.short,td.number){overflow-wrap:normal}
.forest{display:none}
.ranking .forest{display:block}
.plot svg{max-width:32rem}
.boxes .plot svg{max-width:26rem}
.shown .example{padding:.375rem .5rem;gap:.25rem}
.shown .example :is(h4,p,dt,dd){font-size:8pt;line-height:1.4}
`;

/** The whole style of the page. It loads nothing: fonts are the system's. */
export const style = `
:root{color-scheme:light dark;${paletteVariables(light)};
--step:clamp(.5rem,.35rem + .6vw,1rem);--radius:.75rem;
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif}
@media (prefers-color-scheme:dark){:root{${paletteVariables(dark)}}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);overflow-wrap:anywhere}
h1,h2,h3,h4,p,ul,ol,dl,dd,figure{margin:0;padding:0}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance;letter-spacing:-.01em}
h1{font-size:1.05rem;font-weight:600}
h2{font-size:clamp(1.35rem,1.15rem + 1vw,1.75rem);font-weight:650}
h3{font-size:1.15rem;font-weight:650}
h4{font-size:1rem;font-weight:600}
a{color:var(--accent);text-underline-offset:.15em}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:-4rem;z-index:3;padding:.5rem 1rem;background:var(--card);border:2px solid var(--accent);border-radius:.5rem}
.skip:focus{top:.5rem}
.number{white-space:nowrap;font-variant-numeric:tabular-nums}
.quiet{color:var(--quiet)}
.small{font-size:.875rem}
ul.small{padding-left:1.25rem}

.page{display:grid;grid-template-columns:minmax(0,1fr);padding:0 clamp(1rem,2vw,2rem) 4rem}
.top{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;padding:.75rem 0}
.top .name{font-weight:650;letter-spacing:.01em;color:var(--accent)}
.top h1{flex:1 1 auto}
.warned{display:inline-block;padding:.125rem .625rem;border:1px solid var(--caution);border-radius:var(--radius);background:var(--caution-ground);color:var(--caution);text-decoration:none;font-weight:600}
.toc{font-size:.875rem;padding-bottom:.75rem}
.toc ul{list-style:none}
.toc ul ul{margin:.125rem 0 .375rem .75rem;border-left:1px solid var(--border)}
.toc a{display:block;padding:.1875rem .5rem;color:var(--quiet);border-radius:.375rem;line-height:1.35;text-decoration:none}
.toc li>a:has(+ul){color:var(--text);font-weight:600}
.toc a:hover{background:var(--sunken);color:var(--accent)}
main{display:grid;grid-template-columns:minmax(0,1fr);gap:clamp(1.5rem,3vw,2.5rem)}
@media (min-width:72rem){
.page{grid-template-columns:12rem minmax(0,1fr);column-gap:1.5rem}
.top{grid-column:1/-1}
.toc{position:sticky;top:.75rem;align-self:start;max-height:calc(100vh - 1.5rem);overflow:auto;padding:.25rem}
}
section{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
section section{gap:1.25rem;margin-top:.75rem;content-visibility:auto;contain-intrinsic-size:auto 40rem}
.text{max-width:60rem;color:var(--quiet)}

.overview{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--step)}
.overview+.overview{margin-top:1rem}
.overview h3 a{color:inherit;text-decoration:none}
.overview h3 a:hover{color:var(--accent)}
.beside{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--step);align-items:start}
@media (min-width:60rem){.beside{grid-template-columns:repeat(auto-fit,minmax(26rem,1fr))}}
.beside>:only-child{max-width:52rem}
.scores{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem}
.scores .found{font-size:1.375rem;line-height:1.3;font-weight:650;letter-spacing:-.01em;text-wrap:balance}
.scores .found+.found{margin-top:-.5rem}
.scores .mark{display:inline-block;min-width:1.1em;text-align:left;font-weight:700}
.mark .good{color:var(--good)}
.mark .open{color:var(--caution)}
.mark .worse{color:var(--bad)}
.scores td.ranks{font-size:1rem;font-weight:650}
.scores thead th.ranks{color:var(--text)}
.scores thead .right{white-space:nowrap}
.scores .forest{display:inline-block;width:10rem;height:auto;overflow:visible;vertical-align:middle;margin:0 .625rem 0 0}
.scores .forest.axis{display:block;margin-top:.25rem}
.forest .tick{stroke:var(--border);stroke-width:1}
.forest.axis text{fill:var(--quiet);font-size:11px;font-weight:400}
table.tight .forest.axis,.cards .forest.axis{display:none}
@media screen{.scores :is(th,td):last-child{width:100%}}
.scores .interval{font-variant-numeric:tabular-nums}
.scores .why{white-space:normal}
.scores td:not(.long){white-space:nowrap}
.scores :is(th,td){padding-inline:.5rem}
.scores .many .forest{width:7rem}
.scores .many .axis text{font-size:16px}
.scores td .interval{display:inline}
.scores td.long{min-width:9rem}
.scores tbody th{overflow-wrap:break-word;max-width:22rem}
@media (min-width:64rem){.scores tbody th{white-space:nowrap}.scores td.long{min-width:15.5rem}}
@media (max-width:80rem){.scores .forest{width:6rem}.forest.axis text{font-size:18px}}
@media screen and (max-width:48rem){.scores .forest{width:5rem}.scores .cards td{white-space:normal}.scores .cards .interval{white-space:nowrap}.scores .cards td.apart{grid-column:1/-1}.scores .cards td:not(.apart) .interval{display:block}}
@media print{.scores :is(.forest,.forest.axis){display:none}.scores td .mark{display:inline}.scores td:not(.long){white-space:normal}}
.scores .notes p{margin:0;white-space:pre-wrap}
#answer>h2{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.claims{margin-top:.5rem}
.ranking td .interval{display:inline-block;min-width:7.5rem}
.ranking td{position:relative}
.ranking .forest{position:absolute;left:0;top:.625rem;width:calc(100% - 13rem);min-width:4rem;margin:0}
.ranking th[scope=col]:last-child{min-width:18rem}
@media screen and (max-width:48rem){.ranking .forest{position:static;width:100%}}
.beside .chart{max-width:44rem;padding:.75rem 1rem;gap:.5rem}
.beside .legend{gap:0 .875rem;font-size:.8125rem}
.beside .plot svg{max-height:21rem}
.beside .deep{max-height:32rem}
.statements{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:var(--step)}
.card{display:flex;flex-direction:column;gap:.375rem;padding:clamp(.75rem,1.5vw,1.25rem);background:var(--card);border:1px solid var(--border);border-radius:var(--radius)}
.card .numbers,.card .said{display:flex;flex-direction:column;gap:.25rem}
.card .said{gap:.5rem;flex:1}
.card .sentence{text-wrap:pretty;font-size:.9375rem;line-height:1.45}
.card.first .sentence{font-size:1.125rem;line-height:1.4;font-weight:600;max-width:50em}
.card .figures{display:flex;flex-wrap:wrap;align-items:baseline;gap:.125rem .75rem}
.card .big{font-size:1.5rem;font-weight:650;letter-spacing:-.02em;line-height:1.15}
.card.first .big{font-size:clamp(1.75rem,1.4rem + 1.4vw,2.5rem)}
.card .interval{color:var(--quiet)}
.card .behind{display:flex;flex-wrap:wrap;gap:.125rem 1.25rem;margin-top:auto;font-size:.875rem;color:var(--quiet)}
.card .shown[open]{flex:1 0 100%;margin-top:.375rem}
.card:has(.shown[open]){grid-column:1/-1}
.shown .example{color:var(--text)}
@media (min-width:60rem){.shown .examples{grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr))}.card.first{display:grid;grid-template-columns:minmax(13rem,auto) minmax(0,1fr);column-gap:2rem;align-items:start}.card.first .said:only-child{grid-column:1/-1}.card.first .numbers{max-width:24rem}}
.verdict{display:inline-flex;align-items:center;gap:.375rem;align-self:start;padding:.0625rem .625rem;border:1.5px solid var(--tone);border-radius:2rem;background:var(--tone-ground);color:var(--tone);font-size:.875rem;font-weight:650;white-space:nowrap}
.verdict.better{--tone:var(--good);--tone-ground:var(--good-ground)}
.verdict.worse{--tone:var(--bad);--tone-ground:var(--bad-ground)}
.verdict.unsure{--tone:var(--caution);--tone-ground:var(--caution-ground);border-style:dashed}
summary{cursor:pointer;width:fit-content;padding:.125rem 0}
summary:hover{color:var(--accent)}
details[open]>summary{margin-bottom:.5rem}
.part>summary h3{display:inline;margin-right:.75rem;font-size:1rem}
.part>div{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
section section:has(>.part:first-child){margin-top:0;content-visibility:visible}
main>section:has(>section){gap:.5rem}
section.brief{display:block;margin-top:0;content-visibility:visible}
.brief>*{display:inline;margin-right:.75rem;font-size:1rem}
.heard-first{display:grid;gap:.5rem}


.warnings{padding:clamp(1rem,2.2vw,1.5rem);background:var(--caution-ground);border:1px solid var(--caution);border-left-width:.375rem;border-radius:var(--radius)}
.warnings h2{font-size:1.15rem;color:var(--caution)}
.warnings ul{display:grid;gap:.375rem;padding-left:1.25rem}

.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr));gap:var(--step);align-items:start}
.chart{display:flex;flex-direction:column;gap:.75rem;padding:clamp(.875rem,2vw,1.25rem);background:var(--card);border:1px solid var(--border);border-radius:var(--radius)}
.plane .legend svg{width:.875rem}
.plane .legend svg[viewBox^="0 0 36"]{width:2.25rem}
.legend{display:flex;flex-wrap:wrap;gap:.125rem 1.25rem;list-style:none;font-size:.875rem}
.legend li{display:flex;align-items:center;gap:.5rem;min-width:0}
.legend svg{flex:none;width:2.25rem;height:.875rem}
.plot{position:relative}
.plot svg{display:block;width:100%;height:auto;overflow:visible}
${seriesRules}
${heatRules}
.heat .swatch{width:1rem;height:1rem;border:1px solid var(--border);border-radius:.25rem}
.heat td{padding:.375rem .625rem;white-space:nowrap}
.chart.heat tbody th{min-width:10rem;font-weight:500}
@media (max-width:30rem){.chart.heat tbody th{min-width:7.5rem}}
.line{fill:none;stroke:var(--ink);stroke-width:2.25;stroke-linejoin:round;stroke-linecap:round}
.band{fill:var(--ink);opacity:.15}
.whisker{stroke:var(--ink);stroke-width:1.5;opacity:.6}
.marker{fill:var(--ink);stroke:var(--card);stroke-width:1}
.front{fill:none;stroke:var(--quiet);stroke-width:1.5;stroke-dasharray:5 4}
.joined{fill:none;stroke:var(--quiet);stroke-width:1.5}
.joined.dense{stroke-width:1;stroke-opacity:.22}
.plane .marker{stroke-width:1.5}
.box{fill:var(--ink);fill-opacity:.18;stroke:var(--ink);stroke-width:1.5}
.bar{fill:var(--ink);fill-opacity:.75;stroke:var(--ink);stroke-width:1}
.bar.hollow{fill-opacity:.2}
.bar+.whisker{stroke:var(--text);opacity:.75}
.mean{fill:none;stroke:var(--text);stroke-width:1.5}
.fit{fill:none;stroke:var(--text);stroke-width:1.5;stroke-dasharray:8 4}
.grid{stroke:var(--border);stroke-width:1}
.base{stroke:var(--quiet);stroke-width:1}
.tick,.axis{fill:var(--quiet);font-size:12px}
.end{fill:var(--ink);font-size:12px;font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
.lead{stroke:var(--quiet);stroke-width:1}
@media (max-width:30rem){.tick,.axis{font-size:15px}}
.hit{fill:transparent}
.hit.here{fill:var(--text);opacity:.07}
.plot .here:not(.hit){stroke:var(--text);stroke-width:2.5}
.detail{position:fixed;z-index:4;max-width:min(calc(100vw - 1rem),24rem);padding:.5rem .75rem;background:var(--card);border:1px solid var(--quiet);border-radius:.5rem;box-shadow:0 .25rem 1rem rgb(0 0 0/.18);font-size:.8125rem;line-height:1.45}
.detail[hidden]{display:none}
.detail div:first-child:not(:only-child){font-weight:600}
.tools{font-size:.8125rem;color:var(--quiet)}
.tools .buttons{display:flex;flex-wrap:wrap;gap:.375rem}
.tools button{padding:.25rem .625rem;border:1px solid var(--border);border-radius:.375rem;background:var(--card);color:var(--text);font:inherit;cursor:pointer}
.tools button:hover{border-color:var(--accent);color:var(--accent)}
section>.scroll+.tools{margin-top:-.75rem}

.scroll{position:relative;overflow-x:auto;max-width:100%;border:1px solid var(--border);border-radius:.5rem;background:var(--card)}
table{border-collapse:separate;border-spacing:0;width:100%;font-size:.875rem;line-height:1.4}
caption{padding:.625rem .625rem;text-align:left;font-weight:600;position:sticky;left:0}
.chart caption{padding:0}
th,td{padding:.375rem .625rem;text-align:left;vertical-align:baseline;border-top:1px solid var(--border);overflow-wrap:normal}
thead th{border-top:0;background:var(--sunken);color:var(--quiet);font-weight:600;font-size:.8125rem;vertical-align:bottom}
caption+thead th{border-top:1px solid var(--border)}
.chart thead th{border-top:0}
tbody th,thead th:first-child{position:sticky;left:0;z-index:1;background:var(--card)}
thead th:first-child{background:var(--sunken)}
tbody th{font-weight:500;min-width:5rem;max-width:16rem;overflow-wrap:anywhere}
.unit{font-weight:400}
td.long{min-width:14rem;max-width:26rem;overflow-wrap:anywhere}
.chart tbody th{min-width:0}
.short{white-space:nowrap}
.deep{max-height:80vh;overflow-y:auto}
.deep thead th{position:sticky;top:0;z-index:2}
.deep thead th:first-child{z-index:3}
tbody tr:hover>:not([class*=-]){background:var(--sunken)}
td.here,th.here{outline:2px solid var(--accent);outline-offset:-2px}
html table .number{white-space:nowrap}
.right{text-align:right}
td .interval{display:block;color:var(--quiet);font-size:.8125rem;white-space:nowrap}
td .verdict{font-size:.8125rem;margin-right:.25rem}
.forest{display:block;width:5rem;height:.75rem;margin:.25rem 0 0 auto;color:var(--accent)}
.forest .span{stroke:currentColor;stroke-width:2}
.forest .dot{fill:currentColor}
.forest .zero{stroke:var(--quiet);stroke-width:1;stroke-dasharray:2 2}
thead button{all:unset;cursor:pointer;color:inherit;font:inherit}
thead button:hover{color:var(--accent)}
thead button:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
thead button::after{content:"\\00a0↕";opacity:.55}
[aria-sort=ascending] button::after{content:"\\00a0↑";opacity:1}
[aria-sort=descending] button::after{content:"\\00a0↓";opacity:1}
.notes{padding:.5rem .625rem;border-top:1px solid var(--border);font-size:.8125rem;color:var(--quiet)}
.notes ol{padding-left:1.5rem}
sup{line-height:0;font-size:.75em}

.examples{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--step)}
.example{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem;align-content:start;padding:clamp(.875rem,2vw,1.25rem);background:var(--card);border:1px solid var(--border);border-radius:var(--radius)}
.sounds{display:flex;flex-wrap:wrap;gap:.75rem}
.sounds figure{flex:1 1 15rem;max-width:26rem;min-width:0}
.sounds figcaption{font-size:.875rem;color:var(--quiet);margin-bottom:.25rem}
audio{display:block;width:100%;height:2.75rem}
.heard{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
.heard div{display:flex;flex-wrap:wrap;gap:0 .75rem;font-size:.875rem}
.heard dt{font-weight:600}
${diffStyle}del,ins{padding:.0625rem .25rem;border-radius:.25rem;background:var(--bad-ground);color:var(--bad)}
ins{text-decoration:underline;text-underline-offset:.2em}
ins::before{content:"+" / ""}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1rem}

.facts{display:grid;gap:.25rem}
.facts>details,.facts>div{padding:.25rem .75rem;background:var(--card);border:1px solid var(--border);border-radius:.5rem}
.facts dl{display:grid;grid-template-columns:minmax(0,1fr);gap:.125rem 1.5rem;font-size:.875rem}
.facts dt{color:var(--quiet)}
.facts dd{margin-bottom:.375rem}
@media (min-width:40rem){.facts dl{grid-template-columns:minmax(0,1fr) minmax(0,2fr)}.facts dd{margin-bottom:0}}
.foot{margin-top:2.5rem;color:var(--quiet);font-size:.875rem}

.tight th,.tight td{padding:.25rem .375rem;font-size:.75rem}
.tight .short{white-space:normal}
.tight td.long{min-width:11rem}
.tight tbody th{overflow-wrap:break-word;min-width:3.5rem;max-width:9rem}
.tight thead button::after{content:none}
.tight td .interval{font-size:.75rem}
.tight .forest{display:none}
table.cards,.cards tbody,.cards caption{display:block}
.cards thead{display:none}
.cards tbody tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,8.5rem),1fr));gap:.25rem .75rem;padding:.625rem;border-top:1px solid var(--border)}
.cards tbody :is(th,td){display:block;padding:0;border:0;min-width:0;max-width:none;text-align:left;overflow-wrap:anywhere;white-space:normal;font-size:.875rem}
.cards tbody th{position:static;grid-column:1/-1;font-weight:650}
.cards td.long{grid-column:1/-1}
.cards td:empty{display:none}
.cards td::before{content:attr(data-label);display:block;color:var(--quiet);font-size:.75rem}
.cards .forest{margin-left:0}
.cards td[class*=worse-],.cards td[class*=better-]{padding:.125rem .375rem;border-radius:.25rem}
.paper{width:186mm;${paperLayout}}

@page{margin:12mm}
@media print{
section section{content-visibility:visible}
:root{color-scheme:light;${paletteVariables(light)};--ground:#fff;font-size:10.5pt}
body{${paperLayout}}
main>*{margin-bottom:1.5rem}
.skip,audio,.sounds,.again,.detail,.tools,.key,summary::marker,.warned{display:none}
.card:not(:has(.shown)),.plot,.legend,.example,tr,.warnings li,.card .said>:not(.behind){break-inside:avoid}
.legend{break-after:avoid}
h2,h3,h4,caption{break-after:avoid}
thead{display:table-header-group}
thead button::after{content:none}
details:not(.tools)::details-content{content-visibility:visible;height:auto}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
`;
