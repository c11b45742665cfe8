import type { Chart, Section } from '../../../model/finding.ts';
import type { Known } from '../known.ts';
import { kindInWords } from '../wording.ts';

/** More lines cannot be told apart. */
const mostLines = 8;

/** Rates of groups along each family of severities; null where no family has two rungs left. */
export function curvesSection({ results, design }: Known): Section | null {
  const { rates } = results;
  const series = Map.groupBy(rates, ({ attribute, kind }) => JSON.stringify([attribute, kind]));
  const charts = [...series.values()].flatMap((own) => {
    const { attribute, kind } = own[0]!;
    const groups = [...new Set(own.map(({ group }) => group))];
    if (groups.length > mostLines) return [];
    return design.families.flatMap(({ name, conditions }): Chart[] => {
      const shown = conditions.filter((condition) => own.some((one) => one.condition === condition));
      if (shown.length < 2) return [];
      const places = [0, ...shown];
      return [
        {
          title: `${name} by ${attribute}: ${kindInWords(kind)}`,
          xLabel: 'severity',
          xTicks: places.map((condition) =>
            condition === 0 ? 'before' : (design.conditions[condition]!.rung?.label ?? String(condition)),
          ),
          yLabel: kindInWords(kind),
          yKind: 'rate',
          series: groups.map((group) => ({
            name: group,
            points: own
              .filter((one) => one.group === group && places.includes(one.condition))
              .map(({ condition, rate }) => ({ x: places.indexOf(condition), estimate: rate })),
          })),
        },
      ];
    });
  });
  if (charts.length === 0) return null;
  return {
    id: 'degradation-curves',
    title: 'Group by group, from mild to severe',
    text: ['Means over the recognizers or their pairs, pooled over the utterances of a group.'],
    charts,
  };
}
