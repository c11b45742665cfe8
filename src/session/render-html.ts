import type { RunReport } from '../model/run.ts';
import { type HtmlOptions, renderHtmlWith } from '../report/html/render-html.ts';
import { browserScript } from './browser-script.ts';

/**
 * The report as one HTML file that needs nothing else: it opens with the answer, and holds charts, tables, differences
 * and sound. It loads nothing from anywhere, and no text from outside can become more than text in it.
 *
 * @throws EarwitnessError where not even the bare answer fits into `maximumBytes`
 * @example await writeFile('report.html', renderHtml(report, { transcripts: true, sound: false }));
 */
export function renderHtml(report: RunReport, options: HtmlOptions): string {
  return renderHtmlWith(browserScript('report'), report, options);
}
