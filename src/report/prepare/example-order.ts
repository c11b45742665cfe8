import type { Example } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';

/**
 * Every example of a report in the order in which its sound is worth having: the first of each section, then the
 * second of each, and so on. Sections list their worst first; the page shows at most `mostPerSection` of each.
 *
 * @example for (const { utteranceId, conditionName, draw } of examplesInOrder(report).slice(0, 40)) prepareClip(…);
 */
export function examplesInOrder(report: RunReport, mostPerSection = 100): readonly Example[] {
  const lists = report.findings.flatMap((finding) =>
    [...finding.sections, ...(finding.timing?.sections ?? [])].map((section) =>
      (section.examples ?? []).slice(0, mostPerSection),
    ),
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
