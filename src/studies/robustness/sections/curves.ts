import type { Chart, Section } from '../../../model/finding.ts';
import type { Ladder } from '../../../perturbations/contract.ts';
import { conditionFamilies } from '../conditions.ts';
import type { Design } from '../design.ts';
import type { Results } from '../results.ts';

/** A chart for each family of severities, clean sound first; null where conditions stand alone. */
export function curves(results: Results, design: Design, ladders: readonly Ladder[]): Section | null {
  const wordErrorRate = (condition: number, recognizer: number) =>
    results.conditions[condition * design.recognizers.length + recognizer]!.wordErrorRate;
  const charts = conditionFamilies(design.conditions, ladders).map((family): Chart => {
    const ticks = [0, ...family.conditions];
    return {
      title: family.about === '' ? family.name : `${family.name}: ${family.about}`,
      xLabel: family.axis,
      xTicks: ticks.map((condition) => design.conditions[condition]!.rung?.label ?? 'clean'),
      yLabel: 'Word error rate',
      yKind: 'rate',
      series: design.recognizers.map(({ name }, recognizer) => ({
        name,
        points: ticks.map((condition, x) => ({ x, estimate: wordErrorRate(condition, recognizer) })),
      })),
    };
  });
  return charts.length === 0 ? null : { id: 'robustness-curves', title: 'Word error rate by severity', charts };
}
