import type { Chart, Section, Table } from '../../model/finding.ts';
import { namedColumns } from '../shared/tables.ts';
import type { Design } from './design.ts';
import type { Results, SetResult } from './results.ts';

/** The ratio at which the paper compares its relations. */
const publishedRatio = '10 dB';

/** A relation, or one severity of it. */
interface Part {
  readonly title: string;
  readonly relation: number;
  /** Null: whatever is done. */
  readonly label: string | null;
}

/** Severities of each relation that has kinds at several of them, worst last; null for the others, which are one part. */
function labelsOf({ relations, conditions }: Design): (readonly string[] | null)[] {
  return relations.map(({ conditions: numbers }) => {
    const rungs = numbers.flatMap((number) => conditions[number]!.rung ?? []);
    const byFamily = Map.groupBy(rungs, ({ family }) => family);
    if (![...byFamily.values()].some((own) => own.length > 1)) return null;
    return [...new Set(rungs.toSorted((a, b) => a.rank - b.rank).map(({ label }) => label))];
  });
}

/** What is known of a part for one recognizer in one language. */
function partOf({ sets }: Results, { relation, label }: Part, row: Row, { conditions }: Design): SetResult | undefined {
  const own = sets.filter(
    ({ set, recognizer, language }) =>
      set.relation === relation && recognizer === row.recognizer && language === row.language,
  );
  if (label === null) return own.find(({ set }) => set.kind === 'relation');
  const has = ({ set }: SetResult) => set.conditions.every((number) => conditions[number]!.rung?.label === label);
  return own.filter(has).toSorted((a, b) => b.set.conditions.length - a.set.conditions.length)[0];
}

interface Row {
  readonly language: string;
  readonly recognizer: number;
}

/** The paper's Tables 2, 3 and 4: fill rate and similarity of relations at 10 dB, and the levels severity by severity. */
export function publishedSection(results: Results, design: Design): Section {
  const labels = labelsOf(design);
  const rows = rowsOf(results, design);
  const relations = design.relations.map(({ name }, relation): Part => {
    const label = labels[relation]?.includes(publishedRatio) ? publishedRatio : null;
    return { title: label === null ? name : `${name}, ${label}`, relation, label };
  });
  const grid = design.relations.flatMap(({ name }, relation): Part[] => {
    const own = labels[relation];
    if (!own) return [{ title: name, relation, label: null }];
    return own.toReversed().map((label) => ({ title: `${name}, ${label}`, relation, label }));
  });
  const table = (
    { id, title, note }: Pick<Table, 'id' | 'title' | 'note'>,
    parts: readonly Part[],
    metric: 'fillRate' | 'similarity' | 'level',
  ): Table => {
    const kind = metric === 'level' ? 'number' : 'rate';
    const titles = parts.map((part) => part.title);
    const columns = namedColumns(titles, kind, ['recognizer', 'language']);
    return {
      id,
      title,
      columns: [
        { key: 'recognizer', label: 'Recognizer', kind: 'text' },
        { key: 'language', label: 'Language', kind: 'text' },
        ...columns,
      ],
      rows: rows.map((row) => ({
        recognizer: design.recognizers[row.recognizer]!.name,
        language: row.language,
        ...Object.fromEntries(
          columns.map(({ key }, place) => [key, partOf(results, parts[place]!, row, design)?.metrics[metric] ?? null]),
        ),
      })),
      ...(note === undefined ? {} : { note }),
    };
  };
  const hasSimilarity = results.sets.some(({ metrics }) => metrics.similarity.value !== null);
  return {
    id: 'metamorphic-published',
    title: 'As the paper prints it',
    tables: [
      table(
        { id: 'metamorphic-table-2', title: 'Fill rate', note: 'Layout of SR-MT’s Table 2: noise at 10 dB.' },
        relations,
        'fillRate',
      ),
      ...(hasSimilarity
        ? [
            table(
              { id: 'metamorphic-table-3', title: 'Semantic similarity', note: 'Layout of SR-MT’s Table 3.' },
              relations,
              'similarity',
            ),
          ]
        : []),
      table(
        { id: 'metamorphic-table-4', title: 'Robustness level', note: 'Layout of SR-MT’s Table 4.' },
        grid,
        'level',
      ),
    ],
  };
}

/** Accuracy by severity, all kinds of a relation together: people, where some are among the recognizers, beside machines (SR-MT, Fig. 9). */
function accuracyCharts(results: Results, design: Design): Chart[] {
  const several = new Set(results.sets.map(({ language }) => language)).size > 1;
  return labelsOf(design).flatMap((labels, relation): Chart[] => {
    if (labels === null) return [];
    const { name } = design.relations[relation]!;
    return [
      {
        title: `${name}: accuracy`,
        xLabel: 'severity',
        xTicks: labels,
        yLabel: 'Accuracy',
        yKind: 'rate',
        series: rowsOf(results, design).map((row) => ({
          name: `${design.recognizers[row.recognizer]!.name}${several ? `, ${row.language}` : ''}`,
          points: labels.flatMap((label, x) => {
            const found = partOf(results, { title: '', relation, label }, row, design);
            return found === undefined ? [] : [{ x, estimate: found.metrics.accuracy }];
          }),
        })),
      },
    ];
  });
}

function rowsOf({ sets }: Results, { recognizers }: Design): Row[] {
  const languages = [...new Set(sets.map(({ language }) => language))];
  return recognizers.flatMap((_, recognizer) => languages.map((language) => ({ language, recognizer })));
}

/** For each kind of change that comes at several severities violations, with nothing changed first; then accuracy by severity. */
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
  const all = [...charts, ...accuracyCharts(results, design)];
  return all.length === 0 ? null : { id: 'metamorphic-curves', title: 'Curves by severity', charts: all };
}
