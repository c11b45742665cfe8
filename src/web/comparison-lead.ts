import { formatFixed } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { Finding } from '../model/finding.ts';
import { comparisonAt, estimateAt, type Row, rowsOf } from '../model/finding-rows.ts';
import { formatComparison, formatEstimate } from '../report/format/cell.ts';
import { html, type Markup, verdictMark, type Ways, withWay } from '../report/html/markup.ts';
import { forestMark, forestScale } from '../report/html/table.ts';
import { diffOf } from '../report/prepare/diff.ts';

/** Differences as a forest plot, and the words that are newly broken: before everything else that a comparison found. */
export function comparisonLead(findings: readonly Finding[], ways: Ways): Markup {
  return html`${forestPlot(findings, ways)}${brokenWords(findings, ways)}`;
}

const maxRows = 60;

function forestPlot(findings: readonly Finding[], ways: Ways): Markup {
  const rows = findings.flatMap((finding) => {
    const conditions = rowsOf(finding, 'comparison-conditions');
    // All conditions together are the one that there is.
    const places = conditions.length === 2 ? conditions.slice(1) : conditions;
    const named = (row: Row, keys: readonly string[]) =>
      keys.flatMap((key) => (typeof row[key] === 'string' ? [row[key]] : []));
    return [
      ...places.map((row) => ({ finding, row, names: named(row, ['condition']) })),
      ...rowsOf(finding, 'comparison-groups').map((row) => ({
        finding,
        row,
        names: named(row, ['attribute', 'group']),
      })),
    ];
  });
  const shown = rows.slice(0, maxRows);
  const range = forestScale(shown.map(({ row }) => comparisonAt(row, 'difference')));
  // The line of no change is seen wherever all of them lie.
  const scale = range && { ...range, low: Math.min(range.low, (range.low - range.high) / 20) };
  return html`<div class="scroll listed" role="region" tabindex="0" aria-labelledby="forest-caption"><table class="compared"><caption id="forest-caption">Change of the WER, points, with its interval; left of the dashed line fewer errors</caption>
<thead><tr><th scope="col">Where</th><th scope="col" class="right">before</th><th scope="col" class="right">after</th><th scope="col">change</th><th scope="col">verdict</th></tr></thead>
<tbody>${shown.map(({ finding, row, names }, at) => {
    const comparison = comparisonAt(row, 'difference');
    const { main, interval, pValue, open } = formatComparison(comparison);
    const rate = (side: string) =>
      html`<td class="right number">${formatEstimate(estimateAt(row, side), 'rate').main}</td>`;
    const isFirst = shown[at - 1]?.finding !== finding;
    return html`${isFirst && findings.length > 1 && html`<tr><th scope="rowgroup" colspan="5"><bdi>${limitText(finding.title, 200)}</bdi></th></tr>`}<tr><th scope="row">${withWay(html`<bdi>${limitText(names.join(' '), 80)}</bdi>`, ways.toRow(names, null))}</th>${rate('before')}${rate('after')}<td class="number">${scale && forestMark(comparison, scale, 240)}${main.replace(/ points$/, '')} ${interval !== null && html`<span class="interval">${interval}</span>`}</td><td title="${[pValue, open].filter(Boolean).join('; ')}">${verdictMark(comparison.verdict)}</td></tr>
`;
  })}</tbody></table>${rows.length > shown.length && html`<p class="notes">${formatFixed(rows.length - shown.length, 0)} more groups stand below.</p>`}</div>`;
}

/** Words of the reference that were right before and are wrong now, in the clips that lost most. */
function brokenWords(findings: readonly Finding[], ways: Ways): Markup {
  const broken = findings.flatMap(({ sections }) =>
    (sections.find(({ id }) => id === 'comparison-more-errors')?.examples ?? []).flatMap((example) => {
      const [before, after] = example.transcripts.map(({ aligned }) => aligned ?? []);
      const columns = before === undefined || after === undefined ? [] : diffOf([before, after]);
      return columns.flatMap(({ reference, cells: [first, second] }) =>
        reference === null || first?.edit !== 'same' || second?.edit === 'same'
          ? []
          : [{ reference, now: second?.text ?? null, example }],
      );
    }),
  );
  if (broken.length === 0) return html``;
  const words = [...Map.groupBy(broken, ({ reference, now }) => JSON.stringify([reference, now])).values()];
  const most = words.toSorted((a, b) => b.length - a.length).slice(0, maxRows);
  return html`<div class="scroll listed" role="region" tabindex="0" aria-labelledby="broken-caption"><table class="compared"><caption id="broken-caption">Words newly broken, in the clips that lost most</caption>
<thead><tr><th scope="col">Right before</th><th scope="col">now</th><th scope="col" class="right">times</th><th scope="col">clip</th></tr></thead>
<tbody>${most.map((all) => {
    const [{ reference, now, example }] = all as [(typeof all)[number]];
    const { title, utteranceId, conditionName, draw } = example;
    return html`<tr><th scope="row"><bdi>${limitText(reference, 80)}</bdi></th><td>${now === null ? html`<span class="quiet">deleted</span>` : html`<bdi>${limitText(now, 80)}</bdi>`}</td><td class="right number">${all.length}</td><td>${withWay(html`<bdi>${limitText(title, 80)}</bdi>`, ways.toTrial(utteranceId, conditionName, draw))}, <bdi>${limitText(conditionName, 80)}</bdi></td></tr>
`;
  })}</tbody></table></div>`;
}
