import { EarwitnessError } from '../../base/errors.ts';
import type { Example } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { withoutTranscripts } from '../prepare/without-transcripts.ts';
import type { Detail } from './finding.ts';
import { markupText } from './markup.ts';
import { page } from './page.ts';
import { type ClipSource, noteBytes, type ShownSound, takeSounds } from './sounds.ts';

export interface HtmlOptions {
  /** Whether words that were said may be shown. */
  readonly transcripts: boolean;
  /** Whether sound may be embedded. */
  readonly sound: boolean;
  /** Where the sound of the examples comes from. */
  readonly clips?: ClipSource;
  /** The file is never longer than this; 20,000,000 if absent. */
  readonly maximumBytes?: number;
}

/** From everything down to the bare sections: the first that fits the file is used. */
const details: readonly Detail[] = [
  { rows: 5000, examples: 100, charts: true },
  { rows: 1000, examples: 100, charts: true },
  { rows: 200, examples: 30, charts: true },
  { rows: 50, examples: 10, charts: true },
  { rows: 10, examples: 0, charts: true },
  { rows: 0, examples: 0, charts: false },
];

/**
 * The report as one HTML file that needs nothing else: it opens with the answer, and holds charts, tables, differences
 * and sound. It loads nothing from anywhere, and no text from outside can become more than text in it.
 *
 * @throws EarwitnessError where not even the bare answer fits into `maximumBytes`
 * @example await writeFile('report.html', renderHtml(report, { transcripts: true, sound: false }));
 */
export function renderHtml(report: RunReport, options: HtmlOptions): string {
  const { transcripts, sound, clips, maximumBytes = 20_000_000 } = options;
  const shown = transcripts ? report : withoutTranscripts(report);
  const { detail, bytes, notes } = fit(shown, maximumBytes);
  if (!sound || !clips) return draw(shown, detail, notes, new Map());
  const examples = examplesInOrder(shown, detail.examples);
  // A note instead of sound takes room as well.
  const sounds = takeSounds(examples, clips, maximumBytes - bytes - examples.length * noteBytes);
  return draw(shown, detail, notes, sounds);
}

function fit(report: RunReport, maximumBytes: number) {
  for (const detail of details) {
    const notes =
      detail === details[0] ? [] : ['This report is long: tables and examples were cut to keep the file small.'];
    const bytes = Buffer.byteLength(draw(report, detail, notes, new Map()));
    if (bytes <= maximumBytes) return { detail, bytes, notes };
  }
  throw new EarwitnessError(
    'bad-input',
    `expected a report that fits into ${maximumBytes} bytes of HTML, but not even its answer does; use the JSON instead`,
  );
}

function draw(
  report: RunReport,
  detail: Detail,
  notes: readonly string[],
  sounds: ReadonlyMap<Example, ShownSound>,
): string {
  return markupText(page(report, { detail, sounds, notes }));
}

/**
 * Every example of a report in the order in which its sound is worth having: the first of each claim and section, then the
 * second of each, and so on. Each lists its worst first; the page shows at most `maxPerSection` of each.
 *
 * @example for (const { utteranceId, conditionName, draw } of examplesInOrder(report).slice(0, 40)) prepareClip(…);
 */
function examplesInOrder(report: RunReport, maxPerSection = 100): readonly Example[] {
  const lists = report.findings.flatMap(({ answer, sections, timing }) =>
    [...answer, ...sections, ...(timing?.sections ?? [])].map(({ examples = [] }) => examples.slice(0, maxPerSection)),
  );
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const ordered: Example[] = [];
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const example = list[rank];
      if (example) ordered.push(example);
    }
  }
  return ordered;
}
