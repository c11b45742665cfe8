import type { BarChart, Column, Section, Table } from '../../model/finding.ts';
import { column, namedColumns, recognizerColumn, tableOf } from '../shared/tables.ts';
import { countTests, type DifferentialResults, failedShare, groupsOf, type Part, type TestCounts } from './results.ts';
import type { Ending } from './search.ts';

/** Why a search ended, as tables say it. */
const endingInWords: Readonly<Record<Ending, string>> = {
  failures: 'failed tests reached',
  iterations: 'iterations',
  minutes: 'time',
  calls: 'calls',
  money: 'money',
  exhausted: 'all texts tried',
};

const voiceColumn = {
  key: 'voice',
  label: 'Voice',
  kind: 'text',
  help: 'Synthesizer and voice, and the condition.',
} as const;
/** What became of tests. */
export const testColumns: readonly Column[] = [
  {
    key: 'failed',
    label: 'Failed tests',
    kind: 'count',
    help: 'The transcript does not say the text, although another recognizer’s does.',
  },
  { key: 'success', label: 'Successful', kind: 'count' },
  {
    key: 'indeterminable',
    label: 'Indeterminable',
    kind: 'count',
    help: 'No recognizer’s transcript says the text: the synthesizer may be at fault.',
  },
  { key: 'unanswered', label: 'No answer', kind: 'count', help: 'The recognition failed; it is no test.' },
];
export const notAskedColumn: Column = {
  key: 'notAsked',
  label: 'Not asked',
  kind: 'count',
  help: 'Whoever was asked first got the text wrong, so that the others were not asked.',
};

export function cellsOf({ failed, success, indeterminable, unanswered, notAsked }: TestCounts) {
  return { failed, success, indeterminable, unanswered, notAsked };
}

/** Id of the table that the first screen shows. */
export const resultTable = 'differential-result';

/** Which texts say something of others: all of them where everybody was asked about all, else those drawn at random. */
export function sampleOf({ searches }: Pick<DifferentialResults, 'searches'>) {
  const isWhole = searches.length > 0 && searches.every(({ known }) => known.whole);
  const members = searches.map(
    isWhole ? wholePool : ({ known, sample }): Part['members'][number] => ({ heard: known, texts: sample }),
  );
  return { members, name: isWhole ? 'all texts' : 'texts drawn at random' };
}

/** What share of the texts that somebody understood each recognizer gets wrong. */
export function resultSection(results: DifferentialResults): Section {
  const { recognizers, options } = results;
  const { members, name } = sampleOf(results);
  const rows = recognizers.map((recognizer, place) => {
    const part = { members, recognizer: place };
    const { failed, success } = countTests(part, options.rule);
    const share = failedShare(part, options.rule, 'determinable', options);
    return { recognizer: recognizer.name, determinable: failed + success, failed, share };
  });
  const label = 'Failed of determinable';
  // Without an interval it says too little to stand for the search.
  const drawn = rows.some(({ share }) => share.low !== null);
  const title = `Failed tests among determinable texts, ${name}`;
  const bars: BarChart = {
    ...{ title, label, kind: 'rate', series: ['failed tests'] },
    rows: rows.map(({ recognizer, share }) => ({ name: recognizer, values: [share] })),
  };
  return {
    id: resultTable,
    title: 'Failed tests by recognizer',
    bars: drawn ? [bars] : [],
    tables: [
      tableOf(resultTable, title, rows, [
        recognizerColumn,
        {
          ...{ key: 'determinable', label: 'Determinable tests', kind: 'count' },
          help: 'Answers to clips that a recognizer got right.',
        },
        { key: 'failed', label: 'Failed tests', kind: 'count' },
        {
          ...{ key: 'share', label, kind: 'rate', ranks: true },
          help: 'Its interval generalizes to other texts of the same kind, and treats texts as independent, not tests.',
        },
      ]),
    ],
  };
}

/** What the searches found, by voice. */
export function searchesSection(results: DifferentialResults): Section {
  const { searches, options, recognizers } = results;
  const rows = groupsOf(searches).map(({ name, items, total }) => {
    const [{ listener, ending, iterations }] = items as [DifferentialResults['searches'][number]];
    const counts = countTests({ members: items.map(triedBy), recognizer: null }, options.rule);
    return {
      voice: name,
      pool: items.reduce((sum, { heard }) => sum + heard.pool.texts.length, 0),
      iterations: total ? null : iterations.length,
      texts: counts.texts,
      determinable: counts.determinable,
      failing: counts.failing,
      ...cellsOf(counts),
      askedFirst: total || listener === null ? null : recognizers[listener]!.name,
      ended: total ? null : endingInWords[ending!],
    };
  });
  return {
    id: 'differential-searches',
    title: 'Results of the searches',
    text: [
      'A test is one recognizer’s answer to one spoken text. Texts were selected because they are likely to fail: these counts do not generalize to other texts; those of the first iteration do.',
    ],
    tables: [
      {
        id: 'differential-searches',
        title: 'Tests by voice',
        columns: [
          voiceColumn,
          { key: 'pool', label: 'Texts', kind: 'count' },
          { key: 'texts', label: 'Texts tried', kind: 'count' },
          { key: 'determinable', label: 'Determinable', kind: 'count', help: 'Texts that a recognizer got right.' },
          { key: 'failing', label: 'Failing texts', kind: 'count', help: 'Texts with at least one failed test.' },
          ...testColumns,
          ...(options.asking === 'all'
            ? []
            : [notAskedColumn, { key: 'askedFirst', label: 'Asked first', kind: 'text' } as const]),
          { key: 'iterations', label: 'Iterations', kind: 'count' },
          { key: 'ended', label: 'Ended by', kind: 'text' },
        ],
        rows,
      },
      recognizersTable(results, {
        id: 'differential-recognizers',
        title: 'Tests by voice and recognizer',
        shares: false,
        part: triedBy,
      }),
    ],
  };
}

/** What a random part of the texts gives, where everybody was asked about it: Table III of CrossASR. */
export function firstIterationSection(results: DifferentialResults): Section {
  const openly = results.options.asking === 'all' ? '' : ', those that all recognizers were asked about';
  return {
    id: 'differential-first',
    title: `The first iteration: texts drawn at random${openly}`,
    text: ['Intervals generalize to other texts of the same kind, and treat texts as independent, not tests.'],
    tables: tablesOf(results, {
      id: 'differential-first',
      title: 'Tests of texts drawn at random',
      published: 'Failed by recognizer in the layout of CrossASR’s Table III.',
      part: ({ heard, sample }) => ({ heard, texts: sample }),
    }),
  };
}

/** Every text of every pool: Tables V and VII of CrossASR; null where they are not all known. */
export function wholePoolSection(results: DifferentialResults): Section | null {
  const { searches } = results;
  if (!results.options.wholePool || !searches.every(({ known }) => known.whole)) return null;
  return {
    id: 'differential-whole',
    title: 'All texts',
    tables: tablesOf(results, {
      id: 'differential-whole',
      title: 'Tests of all texts',
      published: 'Failed by recognizer in the layout of CrossASR’s Table V, all tests in that of its Table VII.',
      part: wholePool,
    }),
  };
}

function wholePool({ known }: DifferentialResults['searches'][number]): Part['members'][number] {
  return { heard: known, texts: [...known.pool.texts.keys()] };
}

/** Failed tests by each rule, and how often two rules agree on a text. */
export function rulesSection({ searches, options, recognizers }: DifferentialResults): Section {
  const rows = groupsOf(searches).flatMap(({ name, items }) =>
    recognizers.map((recognizer, index) => {
      const part = { members: items.map(triedBy), recognizer: index };
      return { voice: name, recognizer: recognizer.name, by: (rule: typeof options.rule) => countTests(part, rule) };
    }),
  );
  const pair = (rule: typeof options.rule, help: string) => [
    {
      ...column(rule, `Failed, ${rule}`, 'count', ({ by }: (typeof rows)[number]) => by(rule).failed),
      help,
    },
    column(
      `${rule}Indeterminable`,
      `Indeterminable, ${rule}`,
      'count',
      ({ by }: (typeof rows)[number]) => by(rule).indeterminable,
    ),
  ];
  return {
    id: 'differential-rules',
    title: 'By other rules',
    text: [
      `Searched by the rule ${options.rule}. Tests that fail by the exact rule but not by the tolerant one differ in spelling only.`,
    ],
    tables: [
      tableOf('differential-rules', 'The same transcripts, judged three ways', rows, [
        voiceColumn,
        recognizerColumn,
        ...pair('exact', 'The same words.'),
        ...pair('tolerant', 'Accepted variants, blanks and few letters overlooked.'),
        ...pair('majority', 'The words that most recognizers gave, position by position, replace the text.'),
      ]),
    ],
  };
}

/** Side by side as CrossASR prints them, and then one by one with shares. */
function tablesOf(
  results: DifferentialResults,
  wanted: Omit<Parameters<typeof recognizersTable>[1], 'shares'> & { readonly published: string },
): Table[] {
  const { searches, recognizers, options } = results;
  const columns = namedColumns(
    recognizers.map(({ name }) => name),
    'count',
    ['voice', ...testColumns.map(({ key }) => key)],
  );
  const rows = groupsOf(searches).map(({ name, items }) => {
    const members = items.map(wanted.part);
    const count = (recognizer: number | null) => countTests({ members, recognizer }, options.rule);
    return {
      voice: name,
      ...Object.fromEntries(columns.map(({ key }, recognizer) => [key, count(recognizer).failed])),
      ...cellsOf(count(null)),
    };
  });
  return [
    {
      id: `${wanted.id}-voices`,
      title: `${wanted.title}, by voice: failed for each recognizer, and all`,
      columns: [
        voiceColumn,
        ...columns.map((column) => ({ ...column, label: `Failed, ${column.label}` })),
        ...testColumns,
      ],
      rows,
      note: wanted.published,
    },
    recognizersTable(results, { ...wanted, shares: true }),
  ];
}

function recognizersTable(
  { searches, recognizers, options }: DifferentialResults,
  wanted: {
    readonly id: string;
    readonly title: string;
    /** Whether shares of failed tests stand there: not where the texts are no sample of anything. */
    readonly shares: boolean;
    readonly part: (search: DifferentialResults['searches'][number]) => Part['members'][number];
  },
): Table {
  const whos = [...recognizers.map(({ name }, index) => [name, index] as const), ['all recognizers', null] as const];
  const rows = groupsOf(searches).flatMap(({ name, items }) =>
    whos.map(([who, recognizer]) => {
      const part = { members: items.map(wanted.part), recognizer };
      const counts = countTests(part, options.rule);
      return {
        voice: name,
        recognizer: who,
        texts: counts.texts,
        ...cellsOf(counts),
        ...(wanted.shares && {
          determinableShare: failedShare(part, options.rule, 'determinable', options),
          share: failedShare(part, options.rule, 'answered', options),
        }),
      };
    }),
  );
  return {
    id: wanted.id,
    title: wanted.title,
    columns: [
      voiceColumn,
      recognizerColumn,
      { key: 'texts', label: 'Texts', kind: 'count' },
      ...testColumns,
      ...(!wanted.shares
        ? options.asking === 'all'
          ? []
          : [notAskedColumn]
        : [
            {
              key: 'determinableShare',
              label: 'Failed of determinable',
              kind: 'rate',
              help: 'Its interval treats texts as independent, not tests: the tests of one text share its clip.',
            } as const,
            { key: 'share', label: 'Failed of all answered', kind: 'rate' } as const,
          ]),
    ],
    rows,
  };
}

function triedBy({ heard, tried }: DifferentialResults['searches'][number]): Part['members'][number] {
  return { heard, texts: tried };
}
