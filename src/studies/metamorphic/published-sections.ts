import type { Chart, Estimate, Section, Table } from '../../model/finding.ts';
import { namedColumns, recognizerColumn } from '../shared/tables.ts';
import type { RelationDesign } from './design.ts';
import { languageColumn } from './relation-cube.ts';
import type { RelationResults, SetResult } from './results.ts';

/** The ratio at which the paper compares its relations. */
const publishedRatio = '10 dB';

/** A relation, or one severity of it. */
interface Part {
  readonly title: string;
  readonly relation: number;
  /** Null: whatever is done. */
  readonly label: string | null;
}

/** What is known of one recognizer in one language. */
interface Line {
  readonly recognizer: string;
  readonly language: string;
  readonly own: readonly SetResult[];
}

function linesOf({ sets, languages }: RelationResults, { recognizers }: RelationDesign): Line[] {
  return recognizers.flatMap(({ name: recognizer }) =>
    languages.map((language) => ({
      recognizer,
      language,
      own: sets.filter((one) => one.series === recognizer && one.set.language === language),
    })),
  );
}

/** Severities of each relation that has kinds at several of them, worst last; null for the others, which are one part. */
function labelsOf({ relations, conditions }: RelationDesign): (readonly string[] | null)[] {
  return relations.map(({ conditions: numbers }) => {
    const rungs = numbers.flatMap((number) => conditions[number]!.rung ?? []);
    const byFamily = Map.groupBy(rungs, ({ family }) => family);
    if (![...byFamily.values()].some((own) => own.length > 1)) return null;
    return [...new Set(rungs.toSorted((a, b) => a.rank - b.rank).map(({ label }) => label))];
  });
}

/** What is known of a part. */
function partOf(
  { own }: Line,
  { relation, label }: Omit<Part, 'title'>,
  { conditions }: RelationDesign,
): SetResult | undefined {
  const about = own.filter(({ set }) => set.relation === relation);
  if (label === null) return about.find(({ set }) => set.kind === 'relation');
  const has = ({ set }: SetResult) => set.conditions.every((number) => conditions[number]!.rung?.label === label);
  return about.filter(has).toSorted((a, b) => b.set.conditions.length - a.set.conditions.length)[0];
}

/** The paper's Tables 2, 3 and 4: fill rate and similarity of relations at 10 dB, and the levels severity by severity. */
export function publishedSection(results: RelationResults, design: RelationDesign): Section {
  const labels = labelsOf(design);
  const lines = linesOf(results, design);
  const partsOf = (labelled: (own: readonly string[]) => readonly string[]) =>
    design.relations.flatMap(({ name }, relation): Part[] => {
      const own = labelled(labels[relation] ?? []);
      if (own.length === 0) return [{ title: name, relation, label: null }];
      return own.map((label) => ({ title: `${name}, ${label}`, relation, label }));
    });
  const relations = partsOf((own) => own.filter((label) => label === publishedRatio));
  const table = (
    {
      kind,
      of,
      ...named
    }: Pick<Table, 'id' | 'title' | 'note'> & {
      readonly kind: 'rate' | 'number';
      readonly of: (row: SetResult) => Estimate;
    },
    parts: readonly Part[],
  ): Table => {
    const columns = namedColumns(
      parts.map(({ title }) => title),
      kind,
      ['recognizer', 'language'],
    );
    const { note, ...head } = named;
    const told = (line: Line, part: Part) => {
      const found = partOf(line, part, design);
      return found === undefined ? null : of(found);
    };
    return {
      ...head,
      columns: [recognizerColumn, languageColumn, ...columns],
      rows: lines.map((line) => ({
        recognizer: line.recognizer,
        language: line.language,
        ...Object.fromEntries(columns.map(({ key }, place) => [key, told(line, parts[place]!)])),
      })),
      ...(note !== undefined && { note }),
    };
  };
  const similarity = table(
    {
      id: 'metamorphic-table-3',
      title: 'Semantic similarity',
      note: 'Layout of SR-MT’s Table 3.',
      kind: 'rate',
      of: ({ ratios }) => ratios.similarity,
    },
    relations,
  );
  return {
    id: 'metamorphic-published',
    title: 'As the paper prints it',
    tables: [
      table(
        {
          id: 'metamorphic-table-2',
          title: 'Fill rate',
          note: 'Layout of SR-MT’s Table 2: noise at 10 dB.',
          kind: 'rate',
          of: ({ ratios }) => ratios.fillRate,
        },
        relations,
      ),
      ...(results.sets.some(({ ratios }) => ratios.similarity.value !== null) ? [similarity] : []),
      table(
        {
          id: 'metamorphic-table-4',
          title: 'Robustness level',
          note: 'Layout of SR-MT’s Table 4.',
          kind: 'number',
          of: ({ level }) => level,
        },
        partsOf((own) => own.toReversed()),
      ),
    ],
  };
}

/** For each kind of change that comes at several severities violations, with nothing changed first; then accuracy by severity. */
export function curves(results: RelationResults, design: RelationDesign): Section | null {
  const lines = linesOf(results, design).map((line) => ({
    ...line,
    name: results.languages.length > 1 ? `${line.recognizer}, ${line.language}` : line.recognizer,
  }));
  const ranked = [...design.conditions.entries()].flatMap(([condition, { rung }]) =>
    rung === undefined ? [] : [{ condition, ...rung }],
  );
  const violations = [...Map.groupBy(ranked, ({ family }) => family)]
    .filter(([, members]) => members.length > 1)
    .map(([title, members]): Chart => {
      const rungs = members.toSorted((a, b) => a.rank - b.rank);
      return {
        title,
        xLabel: 'severity',
        xTicks: ['nothing changed', ...rungs.map(({ label }) => label)],
        yLabel: 'Violations',
        yKind: 'rate',
        series: lines.map(({ name, own }) => {
          const found = rungs.flatMap(({ condition }) =>
            own.filter(({ set }) => set.kind === 'condition' && set.conditions[0] === condition),
          );
          const unchanged = design.recognitions > 1 ? found.slice(0, 1) : [];
          return {
            name,
            points: [
              ...unchanged.map(({ ratios }) => ({ x: 0, estimate: ratios.controlRate })),
              ...found.map(({ ratios }, place) => ({ x: place + 1, estimate: ratios.violationRate })),
            ],
          };
        }),
      };
    });
  // People, where some are among the recognizers, beside machines (SR-MT, Fig. 9).
  const accuracy = labelsOf(design).flatMap((labels, relation): Chart[] => {
    if (labels === null) return [];
    return [
      {
        title: `${design.relations[relation]!.name}: accuracy`,
        xLabel: 'severity',
        xTicks: labels,
        yLabel: 'Accuracy',
        yKind: 'rate',
        series: lines.map((line) => ({
          name: line.name,
          points: labels.flatMap((label, x) => {
            const found = partOf(line, { relation, label }, design);
            return found === undefined ? [] : [{ x, estimate: found.ratios.accuracy }];
          }),
        })),
      },
    ];
  });
  const charts = [...violations, ...accuracy];
  return charts.length === 0 ? null : { id: 'metamorphic-curves', title: 'Curves by severity', charts };
}
