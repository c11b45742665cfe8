import type { BoxPlot, Plane, Section, Table } from '../../../model/finding.ts';
import { recognizerColumn } from '../../shared/columns.ts';
import { named } from '../../shared/wording.ts';
import type { Design } from '../design.ts';
import { type FactRow, factBoxes, factEffects } from '../fact-effects.ts';
import type { Levels } from '../levels.ts';
import { modelFacts } from '../model-facts.ts';

const factNames = ['family', 'architecture', 'training'] as const;

/** What goes with the size, family and training of the models; null where nobody gives facts. */
export function factsSection(levels: Levels, design: Design, level: number): Section | null {
  const rows = design.recognizers.flatMap(({ name, facts }, recognizer): FactRow[] => {
    const overall = levels.rows.find(
      (row) => row.level === 'overall' && row.scope === levels.scopes[0] && row.recognizer === recognizer,
    );
    return overall === undefined ? [] : [{ name, facts: modelFacts(facts), value: overall.degradation }];
  });
  if (!rows.some(({ facts }) => Object.values(facts).some((fact) => fact !== null))) return null;
  const text: string[] = [];
  const boxPlots: BoxPlot[] = [];
  for (const fact of factNames) {
    const found = factBoxes(rows, fact);
    if (found === null) continue;
    if ('reason' in found) text.push(`By ${fact}, no boxes are drawn: ${found.reason}.`);
    else
      boxPlots.push({
        title: `Mean change from clean by ${fact}`,
        label: 'Mean change from clean',
        kind: 'difference',
        boxes: found.boxes,
      });
  }
  const effects = factEffects(rows, level);
  const plane = sizePlane(rows);
  if (plane === null) text.push('Sizes are not drawn: fewer than two recognizers have a number of parameters.');
  const effectTables: Table[] =
    effects.length === 0
      ? []
      : [
          {
            id: 'robustness-fact-effects',
            title: 'Change that goes with a fact',
            columns: [
              { key: 'fact', label: 'Fact', kind: 'text' },
              { key: 'unit', label: 'For', kind: 'text' },
              {
                key: 'slope',
                label: 'Mean change from clean',
                kind: 'difference',
                help: 'Slope of a robust line; below zero: less is lost.',
              },
            ],
            rows: effects.map(({ fact, unit, slope }) => ({ fact, unit, slope })),
            note: 'Each fact alone: models differ in many at once, and these lines prove no cause.',
          },
        ];
  return {
    id: 'robustness-facts',
    title: 'Models',
    text,
    ...(plane === null ? {} : { planes: [plane] }),
    boxPlots,
    tables: [
      {
        id: 'robustness-facts',
        title: 'Facts about the models',
        columns: [
          recognizerColumn,
          { key: 'parameters', label: 'Parameters', kind: 'count' },
          { key: 'family', label: 'Family', kind: 'text' },
          { key: 'architecture', label: 'Architecture', kind: 'text' },
          { key: 'training', label: 'Training', kind: 'text' },
          { key: 'trainingHours', label: 'Training hours', kind: 'count' },
          { key: 'languages', label: 'Languages', kind: 'count' },
          { key: 'degradation', label: 'Mean change from clean', kind: 'difference' },
        ],
        rows: rows.map(({ name, facts, value }) => ({ recognizer: name, ...facts, degradation: value })),
      },
      ...effectTables,
    ],
  };
}

/** Size against loss, models of one family joined from small to large. */
function sizePlane(rows: readonly FactRow[]): Plane | null {
  const sized = rows
    .flatMap(({ name, facts, value }) =>
      facts.parameters === null || value.value === null
        ? []
        : [{ name, family: facts.family, parameters: facts.parameters, value }],
    )
    .toSorted((a, b) => a.parameters - b.parameters);
  if (sized.length < 2) return null;
  const families = Map.groupBy(sized.keys(), (place) => sized[place]!.family);
  return {
    title: 'Size of the model and mean change from clean',
    xLabel: 'Parameters',
    xKind: 'count',
    xScale: 'log',
    yLabel: 'Mean change from clean',
    yKind: 'difference',
    points: sized.map(({ name, parameters, value }) => ({
      name,
      x: {
        value: parameters,
        low: null,
        high: null,
        level: value.level,
        n: value.n,
        reason: 'a size is declared and not sampled',
        method: 'as declared',
      },
      y: value,
    })),
    lines: [...families].flatMap(([family, points]) =>
      family !== null && points.length > 1 ? [{ name: named(family), points }] : [],
    ),
  };
}
