import type { Chart, Section, Table } from '../../model/finding.ts';
import { measured } from '../shared/estimates.ts';
import { column, recognizerColumn, tableOf } from '../shared/tables.ts';
import { type ComparedWay, curveOf, type Worth } from './compare-ways.ts';
import { cellsOf, notAskedColumn, testColumns } from './count-sections.ts';
import { countStatus } from './heard.ts';
import { speakersOf } from './pool.ts';
import { countTests, type DifferentialResults, type TestCounts } from './results.ts';

/** Ways as tables call them. */
const wayInWords: Readonly<Record<ComparedWay, string>> = {
  predictor: 'with the predictor',
  random: 'at random',
  'stage 1 alone': 'stage 1 alone',
  'stage 2 alone': 'stage 2 alone',
  oracle: 'oracle',
};

const compared: readonly ComparedWay[] = ['predictor', 'random', 'stage 1 alone', 'stage 2 alone', 'oracle'];

/** More charts are not looked at; the table has everything. */
const maxCharts = 12;

/** Whether the predictor was worth it, in a table and in curves; nothing where it was not compared. */
export function comparisonSections(results: DifferentialResults): Section[] {
  const { found, options } = results;
  if (found === null || found.length === 0) return [];
  const { replicates } = options;
  return [
    {
      id: 'differential-worth',
      title: 'Predictor against random selection',
      text: [
        `The same searches with ${replicates} ${replicates === 1 ? 'seed' : 'seeds'}: with the predictor, with texts drawn at random, and with either stage alone. All begin with the same random texts, which count too. The oracle knows all answers after that.${options.asking === 'all' ? '' : ' At random, and by the oracle, all recognizers are asked about every text; the other searches ask one recognizer first.'} Intervals say how far other seeds would move the numbers, of the same texts.`,
      ],
      tables: [worthTable(results)],
    },
    {
      id: 'differential-curves',
      title: 'Failed tests by iteration, with and without the predictor',
      charts: charts(results),
      tables: [curvesTable(results)],
    },
  ];
}

function worthTable({ worth }: DifferentialResults): Table {
  return tableOf('differential-worth', 'Failed tests at the end, and the speed-up', worth, [
    column('voice', 'Voice', 'text', ({ name }) => name),
    ...compared.map((way) => column(way, `Failed, ${wayInWords[way]}`, 'number', ({ failed }: Worth) => failed[way])),
    column('recognitions', 'Recognitions, with the predictor', 'number', ({ recognitions }) => recognitions.predictor),
    column('usualRecognitions', 'Recognitions, at random', 'number', ({ recognitions }) => recognitions.random),
    {
      key: 'speedUp',
      label: 'Speed-up',
      kind: 'ratio',
      help: 'Failed tests for each recognition with the predictor over those at random, the first iteration included.',
    },
    { key: 'stage1', label: 'Stage 1 alone', kind: 'ratio', help: 'Speed-up by what is determinable alone.' },
    { key: 'stage2', label: 'Stage 2 alone', kind: 'ratio', help: 'Speed-up by what is likely to fail alone.' },
    {
      key: 'oracleSpeedUp',
      label: 'Oracle',
      kind: 'ratio',
      help: 'The speed-up of a search that knows the answers.',
      of: ({ oracle }) => oracle,
    },
    {
      key: 'share',
      label: 'Share of the oracle’s gain',
      kind: 'rate',
      help: 'What the predictor finds beyond chance for as many recognitions, of what the oracle finds beyond chance.',
      of: ({ shareOfOracle }) => shareOfOracle,
    },
  ]);
}

function curvesTable({ found, recognizers, options }: DifferentialResults): Table {
  const whos = [[null, 'all recognizers'] as const, ...recognizers.map(({ name }, index) => [index, name] as const)];
  const rows = found!.flatMap((pool) =>
    whos.flatMap(([recognizer, who]) => {
      const curves = compared.map((way) => curveOf(pool, way, recognizer, options.level));
      const voice = pool.heard.pool.name;
      return pool.texts.map((texts, place) => ({ voice, recognizer: who, iteration: place + 1, texts, curves }));
    }),
  );
  return tableOf('differential-curves', 'Failed tests found up to each iteration', rows, [
    { key: 'voice', label: 'Voice', kind: 'text' },
    recognizerColumn,
    { key: 'iteration', label: 'Iteration', kind: 'count' },
    { key: 'texts', label: 'Texts tried', kind: 'count' },
    ...compared.map((way, place) =>
      column(
        way,
        wayInWords[way],
        'number',
        ({ curves, iteration }: (typeof rows)[number]) => curves[place]![iteration - 1] ?? null,
      ),
    ),
  ]);
}

function charts({ found, recognizers, options }: DifferentialResults): Chart[] {
  const whos = [[null, 'all recognizers'] as const, ...recognizers.map(({ name }, index) => [index, name] as const)];
  return whos
    .flatMap(([recognizer, who]) =>
      found!.map(
        (pool): Chart => ({
          title: `${pool.heard.pool.name}, ${who}: failed tests found`,
          xLabel: 'Iteration',
          xTicks: pool.texts.map((_, iteration) => String(iteration + 1)),
          yLabel: 'Failed tests',
          yKind: 'number',
          series: compared
            .map((way) => ({ way, curve: curveOf(pool, way, recognizer, options.level) }))
            .filter(({ curve }) => curve.length > 0)
            .map(({ way, curve }) => ({
              name: wayInWords[way],
              points: curve.map((estimate, x) => ({ x, estimate })),
            })),
        }),
      ),
    )
    .slice(0, maxCharts);
}

const counted = { code: 'not-sampled' } as const;

/** What each iteration of the searches found, in a table; and in curves where no comparison draws them. */
export function iterationsSections({
  searches,
  options,
  recognizers,
  found: compared,
}: DifferentialResults): Section[] {
  const rows = searches.flatMap(({ heard, iterations }) => {
    let found = 0;
    return iterations.map((texts, iteration) => {
      const counts = countTests({ members: [{ heard, texts }], recognizer: null }, options.rule);
      found += counts.failed;
      return { ...counts, ...cellsOf(counts), voice: heard.pool.name, iteration: iteration + 1, found };
    });
  });
  if (rows.length === 0) return [];
  const longest = Math.max(...searches.map(({ iterations }) => iterations.length));
  const chart = (name: string, recognizer: number | null): Chart => ({
    title: `${name}: failed tests found`,
    xLabel: 'Iteration',
    xTicks: Array.from({ length: longest }, (_, iteration) => String(iteration + 1)),
    yLabel: 'Failed tests',
    yKind: 'count',
    series: searches
      .filter(({ iterations }) => iterations.length > 0)
      .map(({ heard, iterations }) => {
        let sum = 0;
        return {
          name: heard.pool.name,
          points: iterations.map((texts, x) => {
            sum += countStatus(heard, texts, options.rule, 'failed', recognizer);
            const tried = iterations.slice(0, x + 1).flat();
            const n = { utterances: tried.length, speakers: speakersOf(heard.pool, tried).size };
            return { x, estimate: measured(sum, n, counted, 'count') };
          }),
        };
      }),
  });
  const table: Section = {
    id: 'differential-iterations',
    title: 'Iteration by iteration',
    tables: [
      tableOf('differential-iterations', 'Results by iteration', rows, [
        { key: 'voice', label: 'Voice', kind: 'text' },
        { key: 'iteration', label: 'Iteration', kind: 'count' },
        { key: 'texts', label: 'Texts', kind: 'count' },
        { key: 'determinable', label: 'Determinable', kind: 'count' },
        { key: 'failing', label: 'Failing texts', kind: 'count' },
        ...[...testColumns, ...(options.asking === 'all' ? [] : [notAskedColumn])].map((one) => ({
          ...one,
          of: (row: (typeof rows)[number]) => row[one.key as keyof TestCounts],
        })),
        { key: 'found', label: 'Failed tests so far', kind: 'count' },
      ]),
    ],
  };
  if (compared !== null) return [table];
  const charts = [chart('All recognizers', null), ...recognizers.map(({ name }, index) => chart(name, index))];
  return [table, { id: 'differential-found', title: 'Failed tests found, by iteration', charts }];
}
