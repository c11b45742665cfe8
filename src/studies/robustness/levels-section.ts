import type { BarChart, Chart, Column, Plane, Section, Table } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { paretoFront } from '../../statistics/pareto-front.ts';
import { recognizerColumn, tableOf } from '../shared/tables.ts';
import { listed, named } from '../shared/wording.ts';
import { rateColumn } from './conditions-section.ts';
import type { Design } from './design.ts';
import type { LevelRow, Levels } from './levels.ts';
import type { RobustnessOptions } from './options.ts';
import { standInFor } from './srb-difficulties.ts';

/** What is lost, as a profile has it: the benchmark's own plane and lines are in NWERD. */
export interface Loss {
  readonly measure: 'degradation' | 'normalizedDegradation';
  readonly column: Column;
  /** In the middle of a sentence or behind a comma. */
  readonly label: string;
}

/** NWERD in the profiles of the benchmark, where any scenario has a difficulty; else the plain change from clean. */
export function lossOf({ rows }: Levels, { profile }: Pick<RobustnessOptions, 'profile'>): Loss {
  const known = rows.some((row) => row.level === 'overall' && row.normalizedDegradation.value !== null);
  return profile !== 'sound' && known
    ? { measure: 'normalizedDegradation', column: normalizedColumns[1]!, label: 'mean change over difficulty (NWERD)' }
    : { measure: 'degradation', column: degradationColumn, label: 'mean change from clean' };
}

const degradationColumn: Column = {
  key: 'degradation',
  label: 'Change from clean',
  kind: 'difference',
  help: 'Word error rate degradation (WERD) relative to clean audio. Below zero: better than clean.',
};
const normalizedColumns: readonly Column[] = [
  {
    key: 'normalizedRate',
    label: 'WER over difficulty (NWER)',
    kind: 'rate',
    help: 'Word error rate over the difficulty of the scenario (points of 100), as Speech Robust Bench has it.',
  },
  {
    key: 'normalizedDegradation',
    label: 'Change over difficulty (NWERD)',
    kind: 'rate',
    help: 'Degradation divided by the difficulty: errors in slightly perturbed audio weigh more.',
  },
];

const manners: Readonly<Record<RobustnessOptions['profile'], string>> = {
  sound:
    'Averages are unweighted means step by step: ranks make a family, families a category, categories the whole; a condition is the words of all corpora and languages, and what is divided by a difficulty their mean. Gains over clean audio count as gains.',
  srb: 'Averages are those of the program of Speech Robust Bench: a category is the mean over all its scenarios in all corpora, the total is the mean of the categories; values below 0 count as 0; recordings are compared with the best clean corpus.',
  'srb-paper':
    'Averages are those of the paper of Speech Robust Bench: a category is the mean over all its scenarios in all corpora, the whole the mean of categories; recordings are compared with the corpus that they name, else with LibriSpeech (English) or Multilingual LibriSpeech.',
};

/** Clean rate against loss, and the means by category and family; nothing where only clean sound was heard. */
export function levelsSections(levels: Levels, design: Design, options: RobustnessOptions): Section[] {
  const { profile } = options;
  const [everything] = levels.scopes;
  if (everything === undefined || levels.rows.length === 0) return [];
  const rowsOf = (level: LevelRow['level'], all = false) =>
    levels.rows.filter((row) => row.level === level && (all || row.scope === everything));
  const why = whyNotNormalized(levels, design, options);
  const hasNormalized = why !== null || levels.rows.some((row) => row.normalizedRate.value !== null);
  const columnsOf = (first: readonly Column[]): Column[] => [
    ...first,
    recognizerColumn,
    rateColumn,
    degradationColumn,
    { key: 'characterErrorRate', label: 'Character error rate', kind: 'rate' },
    ...(hasNormalized ? normalizedColumns : []),
    { key: 'scenarios', label: 'Number of scenarios', kind: 'count', help: 'Each counted in every corpus.' },
    {
      key: 'missing',
      label: 'Of these missing',
      kind: 'count',
      help: 'No trial was answered, or there is nothing to compare with.',
    },
  ];
  const level: Column = { key: 'name', label: 'Scenarios', kind: 'text' };
  const scope: Column = { key: 'scope', label: 'Of', kind: 'text' };
  const table = (id: string, title: string, columns: Column[], rows: readonly LevelRow[]): Table => ({
    id,
    title,
    columns,
    rows: rows.map((row) => cells(row, design)),
  });
  const categories = [...rowsOf('overall'), ...rowsOf('adversarial'), ...rowsOf('category')];
  const tables = [
    { ...table('robustness-levels', 'By category', columnsOf([level]), categories), note: manners[profile] },
    table('robustness-families', 'By family', columnsOf([level]), rowsOf('family')),
  ];
  const severities = levels.rows.filter((row) => row.level === 'severity');
  const apart = levels.rows.filter(
    (row) => row.scope !== everything && row.level !== 'scenario' && row.level !== 'severity',
  );
  if (apart.length > 0) {
    const what: Column = {
      key: 'level',
      label: 'Over',
      kind: 'text',
      help: 'A category may be called as one of its families.',
    };
    tables.push(table('robustness-levels-apart', 'By language and corpus', columnsOf([scope, what, level]), apart));
  }
  // Of one data set the rates of single scenarios stand among all conditions.
  if (apart.length > 0 || hasNormalized) {
    const of = apart.length > 0 ? [scope, level] : [level];
    tables.push(table('robustness-scenarios', 'By scenario', columnsOf(of), rowsOf('scenario', true)));
  }
  return [
    planeSection(levels, design, rowsOf('overall'), { ...lossOf(levels, options), profile }),
    {
      id: 'robustness-levels',
      title: 'Which kinds of disturbance cost most',
      text: why === null ? standInText(levels, design, options) : [`There is no NWER and no NWERD: ${why}.`],
      bars: lossBars(rowsOf('family'), categories, design),
      tables,
    },
    ...(severities.length === 0
      ? []
      : [
          {
            id: 'robustness-severities',
            title: 'How errors grow with severity',
            charts: severityCharts(severities, levels, design),
            tables: [
              table(
                'robustness-severities',
                'By severity and category',
                columnsOf([scope, level, { key: 'rank', label: 'Severity', kind: 'count', help: '1 is the mildest.' }]),
                severities,
              ),
            ],
          },
        ]),
  ];
}

/** NWERD (or the change from clean, where no scenario has a difficulty) over severities, by language: Fig. 11 of Speech Robust Bench. */
function severityCharts(severities: readonly LevelRow[], { scopes }: Levels, design: Design): Chart[] {
  const measure = severities.some((row) => row.normalizedDegradation.value !== null)
    ? ('normalizedDegradation' as const)
    : ('degradation' as const);
  const languages = scopes.filter(({ kind }) => kind === 'language');
  return (languages.length > 0 ? languages : scopes.slice(0, 1)).flatMap((scope) => {
    const here = severities.filter((row) => row.scope === scope && row[measure].value !== null);
    return [...Map.groupBy(here, ({ name }) => name)].flatMap(([name, rows]): Chart[] => {
      const ranks = [...new Set(rows.map(({ rank }) => rank!))].sort((a, b) => a - b);
      if (ranks.length < 2) return [];
      const of = scope.kind === 'language' ? `, ${scope.name}` : '';
      return [
        {
          title: `${name === '' ? 'All scenarios' : name}, by severity${of}`,
          xLabel: 'Severity',
          xTicks: ranks.map(String),
          yLabel: measure === 'degradation' ? 'Change from clean' : 'Change over difficulty (NWERD)',
          yKind: measure === 'degradation' ? 'difference' : 'rate',
          series: design.recognizers.map((recognizer, number) => ({
            name: recognizer.name,
            points: rows
              .filter((row) => row.recognizer === number)
              .map((row) => ({ x: ranks.indexOf(row.rank!), estimate: row[measure] })),
          })),
        },
      ];
    });
  });
}

/** More bars than this in one chart nobody can read: then categories stand for families. */
const maxBars = 150;

/** What each perturbation costs each recognizer: the change from clean (WERD), and over difficulties (NWERD) where there are any. */
function lossBars(families: readonly LevelRow[], categories: readonly LevelRow[], design: Design): BarChart[] {
  const shown = families.length <= maxBars ? families : categories;
  const places = [...Map.groupBy(shown, (row) => cells(row, design).name)];
  const chart = (
    title: string,
    label: string,
    kind: Column['kind'],
    measure: 'degradation' | 'normalizedDegradation',
  ) => ({
    ...{ title, label, kind, series: design.recognizers.map(({ name }) => name) },
    rows: places.map(([name, rows]) => ({
      name: String(name),
      values: design.recognizers.map(
        (_, number) => rows.find(({ recognizer }) => recognizer === number)?.[measure] ?? null,
      ),
    })),
  });
  return [
    chart('Change from clean by perturbation', 'Change from clean (WERD)', 'difference', 'degradation'),
    chart(
      'Change over difficulty (NWERD), by perturbation',
      'Change over difficulty (NWERD)',
      'rate',
      'normalizedDegradation',
    ),
  ].filter(
    ({ rows }) =>
      rows.length > 1 && rows.some(({ values }) => values.some((one) => one !== null && one.value !== null)),
  );
}

/**
 * Why no scenario has a normalized rate, where one would look for it: in a profile of the benchmark, of scenarios of its ladder, and of the
 * mended one where the config gives other difficulties. Null: some has, or nobody does.
 */
function whyNotNormalized(
  levels: Levels,
  { conditions, recognizers }: Design,
  options: RobustnessOptions,
): Reason | null {
  const { rows } = levels;
  if (recognizers.length === 0 || rows.some((row) => row.normalizedRate.value !== null)) return null;
  const ladders = conditions.map(({ rung }) => rung?.family.split('/')[0]);
  const { profile, difficulties } = options;
  const asksOthers = difficulties !== 'srb' && difficulties !== 'srb-table-3' && difficulties !== null;
  const looked =
    profile !== 'sound' || ladders.some((ladder) => ladder === 'srb' || (ladder === 'earwitness' && asksOthers));
  return looked ? (rows.find((row) => row.level === 'overall')?.normalizedRate.reason ?? null) : null;
}

/** Whose published difficulties corpora have that the benchmark does not. */
function standInText(levels: Levels, { survey }: Design, { difficulties }: RobustnessOptions): string[] {
  if (difficulties !== 'srb' || !levels.rows.some((row) => row.normalizedRate.value !== null)) return [];
  return survey.datasets.flatMap(({ corpus, language, recorded }) => {
    const standIn = recorded === null ? standInFor({ corpus, language }) : null;
    return standIn === null
      ? []
      : [
          `NWER and NWERD of ${corpus === null ? 'this corpus' : named(corpus)} are divided by the published difficulties of ${standIn}: the benchmark has none of other corpora, and difficulties: measured gives its own.`,
        ];
  });
}

function planeSection(
  levels: Levels,
  design: Design,
  overall: readonly LevelRow[],
  { measure, column, label, profile }: Loss & Pick<RobustnessOptions, 'profile'>,
): Section {
  const title = 'Clean WER and degradation';
  const clean = levels.clean.filter(({ scope }) => scope === levels.scopes[0]);
  const datasets = design.survey.datasets.filter(({ recorded }) => recorded === null).length;
  const isMean = datasets > 1 && profile !== 'sound' ? `, mean of ${datasets} data sets` : '';
  const plane = paretoPlane(
    {
      title: `Word error rate on clean audio, and ${label} over all scenarios`,
      ...{ xLabel: `Word error rate on clean audio${isMean}`, xKind: 'rate' },
      ...{ yLabel: capitalized(label), yKind: column.kind },
    },
    overall.map(({ recognizer, [measure]: y }) => ({
      name: design.recognizers[recognizer]!.name,
      x: clean.find((row) => row.recognizer === recognizer)!.wordErrorRate,
      y,
    })),
  );
  const rows = plane.points.map((point, place) => ({
    ...point,
    front: plane.front.includes(place) ? 'on it' : 'beaten',
  }));
  const [best, ...others] = plane.front.map((place) => rows[place]!.name);
  const sentence =
    others.length === 0
      ? `${named(best ?? '')} is best both on clean audio and in degradation.`
      : `No other recognizer is better both on clean audio and in degradation: ${listed([best!, ...others])}.`;
  const table = tableOf('robustness-plane', title, rows, [
    { ...recognizerColumn, of: ({ name }) => name },
    { ...rateColumn, key: 'clean', label: `Clean audio${isMean}`, of: ({ x }) => x },
    { ...column, of: ({ y }) => y },
    { key: 'front', label: 'Pareto front', kind: 'text', help: 'No other recognizer is better on both.' },
  ]);
  return {
    ...{ id: 'robustness-plane', title, text: rows.length < 2 ? [] : [sentence], planes: [plane] },
    tables: [{ ...table, note: 'The front is of point estimates; see the intervals for their precision.' }],
  };
}

/** What is known of both measures, with the points that no other beats. */
export function paretoPlane(axes: Omit<Plane, 'points' | 'front'>, all: Plane['points']) {
  const points = all.filter(({ x, y }) => x.value !== null && y.value !== null);
  const places = points.map(({ x, y }) => [x.value!, y.value!]);
  return { ...axes, points, front: paretoFront(places, ['minimize', 'minimize']) };
}

/** As a heading. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function cells(row: LevelRow, design: Design): Table['rows'][number] {
  return {
    scope: row.scope.kind === 'everything' ? 'everything' : `${row.scope.kind} ${row.scope.name}`,
    level: row.level,
    name: row.level === 'adversarial' ? 'all attacks' : row.name === '' ? 'all scenarios' : row.name,
    rank: row.rank ?? null,
    recognizer: design.recognizers[row.recognizer]!.name,
    wordErrorRate: row.wordErrorRate,
    characterErrorRate: row.characterErrorRate,
    degradation: row.degradation,
    normalizedRate: row.normalizedRate,
    normalizedDegradation: row.normalizedDegradation,
    scenarios: row.scenarios,
    missing: row.unanswered + row.withoutBaseline,
  };
}
