import type { Chart, Section } from '../../../model/finding.ts';
import type { Design } from '../design.ts';
import type { Results } from '../results.ts';
import { accuracyCharts } from './published-sections.ts';

/** Accuracy by severity, and for each kind of change that comes at several severities violations, with nothing changed first. */
export function curves(results: Results, design: Design): Section | null {
  const { sets } = results;
  const families = new Map<string, number[]>();
  design.conditions.forEach(({ rung }, condition) => {
    if (rung) families.set(rung.family, [...(families.get(rung.family) ?? []), condition]);
  });
  const languages = [...new Set(sets.map(({ language }) => language))];
  const charts = [...families]
    .filter(([, conditions]) => conditions.length > 1)
    .map(([family, members]): Chart => {
      const conditions = members.toSorted(
        (a, b) => design.conditions[a]!.rung!.rank - design.conditions[b]!.rung!.rank,
      );
      const series = languages.flatMap((language) =>
        design.recognizers.map(({ name }, recognizer) => {
          const found = conditions.map(
            (condition) =>
              sets.find(
                (one) =>
                  one.set.kind === 'condition' &&
                  one.set.conditions[0] === condition &&
                  one.recognizer === recognizer &&
                  one.language === language,
              )!,
          );
          return {
            name: languages.length > 1 ? `${name}, ${language}` : name,
            points: [
              ...(design.recognitions > 1 ? [{ x: 0, estimate: found[0]!.controlRate }] : []),
              ...found.map(({ violationRate }, index) => ({ x: index + 1, estimate: violationRate })),
            ],
          };
        }),
      );
      return {
        title: family,
        xLabel: 'severity',
        xTicks: ['nothing changed', ...conditions.map((condition) => design.conditions[condition]!.rung!.label)],
        yLabel: 'Violations',
        yKind: 'rate',
        series,
      };
    });
  const all = [...accuracyCharts(results, design), ...charts];
  return all.length === 0 ? null : { id: 'metamorphic-curves', title: 'By severity', charts: all };
}
