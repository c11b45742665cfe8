import { grouped } from '../../base/number-format.ts';
import type { BarChart, Chart, Section, Table } from '../../model/finding.ts';
import { violationExcess } from '../../scoring/agreement/aequevox.ts';
import { overColumns, restsColumns } from '../shared/cube/contrasts.ts';
import { failuresSection } from '../shared/failures.ts';
import { beyondSection } from '../shared/listeners.ts';
import {
  attributeColumn,
  column,
  comparedWithColumn,
  conditionIn,
  groupColumn,
  namedColumns,
  speakersColumn,
  tableOf,
  utterancesColumn,
  whyNot,
} from '../shared/tables.ts';
import { ratingsTable, validitySection } from '../shared/validity/validity.ts';
import { kindInWords } from './design.ts';
import type { GroupComparison } from './group-findings.ts';
import { type Asked, leadFirst, leadOf } from './report.ts';
import type { Concluded, PublishedCounts } from './results.ts';
import { comparedUnequally } from './violation-counts.ts';

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(known: Concluded): Section[] {
  const { options } = known;
  const violations = violationsSection(known);
  return [
    ...(options.profile === 'aequevox' ? [violations] : []),
    groupsSection(known),
    curvesSection(known),
    known.results.beyond === null ? null : beyondSection('degradation', known.results.beyond, known.plan.recognizers),
    detailsSection(known),
    beforeSection(known),
    ...(options.profile === 'aequevox' ? [] : [violations]),
    conditionsSection(known),
    ...gateSections(known),
    failuresSection(
      'degradation',
      'A failed trial is not an empty transcript: it is left out of rates and distances; whether one group has more of them is tested with the gaps before any perturbation.',
      known.trials,
    ),
  ].filter((section) => section !== null);
}

/** What AequeVox counts, in the layout of its Table 4; null without groups. */
function violationsSection({ results, options }: Concluded): Section | null {
  const counted = results.published.filter(({ violations }) => violations.compared > 0);
  if (counted.length === 0) return null;
  return {
    id: 'degradation-violations',
    title: 'Violations as AequeVox counts them',
    text: [
      `A violation against a group: its degradation exceeds that of another by more than the tolerance (${options.tolerances.join(', ')}), for one pair of recognizers in one condition. Every group is compared with every other; the sign counts.`,
      'These are counts of differences, not findings: they involve no test, the tolerances are nested, so that one wide gap counts several times, and with few speakers chance causes many. Whether groups differ is shown by the comparisons of groups.',
    ],
    tables: counted.flatMap(tablesOfViolations),
  };
}

/** Table 4, and what it comes to for each group. */
export function tablesOfViolations({ attribute, kind, violations }: PublishedCounts): Table[] {
  const { groups, rows, absolute, gapsBefore, compared, comparedBy, leftOut } = violations;
  const total = rows.find(({ by }) => by === 'total')!.counts;
  const unequal = comparedUnequally(violations);
  const columns = namedColumns(groups, 'count', ['row']);
  const about = `${attribute}, ${kindInWords(kind)}`;
  const left = leftOut === 0 ? '' : ` ${grouped(leftOut)} more were left out, because a group has no words there.`;
  return [
    {
      id: `degradation-violations-${attribute}-${kind}`,
      title: `Violations against each group: ${about}`,
      columns: [{ key: 'row', label: 'Added up', kind: 'text' }, ...columns],
      rows: rows.map(({ by, name, counts }) => ({
        row: rowTitle(by, name),
        ...Object.fromEntries(counts.map((count, place) => [columns[place]!.key, count])),
      })),
      note: `Layout of AequeVox's Table 4. ${grouped(compared)} comparisons were made.${left}`,
    },
    tableOf(
      `degradation-excess-${attribute}-${kind}`,
      `Each group and the others: ${about}`,
      groups.map((group, place) => {
        const { reference: violations, others, excess } = violationExcess(total, place);
        const comparisons = comparedBy[place]!;
        const rate = comparisons === 0 ? null : violations / comparisons;
        const beside = { violations, comparisons, rate, others, excess };
        return { group, ...beside, absolute: absolute[place]!, before: gapsBefore[place]! };
      }),
      [
        groupColumn,
        { key: 'violations', label: 'Violations', kind: 'count' },
        unequal && { key: 'comparisons', label: 'Comparisons', kind: 'count' },
        unequal && {
          key: 'rate',
          label: 'Violations per comparison',
          kind: 'rate',
          help: 'Groups were compared in unlike numbers of comparisons: their counts alone do not compare.',
        },
        { key: 'others', label: 'The others, mean', kind: 'number' },
        {
          key: 'excess',
          label: 'Others exceed it by',
          kind: 'rate',
          help: 'The mean of the other groups, minus this one’s count, as a share of that mean: AequeVox’s “109 % more errors”.',
        },
        {
          key: 'absolute',
          label: 'Without sign',
          kind: 'count',
          help: 'Gaps wider than the tolerance on either side (Equation 2 of the paper).',
        },
        {
          key: 'before',
          label: 'Before',
          kind: 'count',
          help: 'Gaps wider than the tolerance before any perturbation (Equation 1).',
        },
      ],
    ),
  ];
}

function rowTitle(by: PublishedCounts['violations']['rows'][number]['by'], name: string): string {
  if (by === 'total') return 'total';
  return by === 'tolerance' ? `tolerance ${name}` : name;
}

/** What the groups lose over everything, and whether they differ; null where there are no groups. */
function groupsSection(known: Concluded): Section | null {
  const { results, plan, options } = known;
  const lead = leadOf(known);
  const all = results.degradations.filter(({ measure, family }) => measure === null && family === null);
  const own = leadFirst(all, lead);
  if (own.length === 0) return null;
  const kindOf = (one: GroupComparison) => ({ ...one, kind: one.kind! });
  const overall = leadFirst(results.overall.map(kindOf), lead);
  return {
    id: 'degradation-groups',
    title: 'What perturbed audio costs each group',
    text: [
      `Degradation is the rate in perturbed audio minus that in ${plan.conditions[0]!.name}, on utterances answered in both: first averaged over the conditions of a family, then over families. Two groups are compared over the conditions in which both have words.`,
      `Intervals resample whole speakers; tests permute speakers among groups. A verdict is given only if the ${Math.round(100 * options.level)} % interval excludes 0 and the adjusted p agrees.`,
    ],
    bars: lossBars(known, lead),
    tables: [
      tableOf(
        'degradation-groups',
        `Groups, over all conditions${own.some(({ over }) => over !== null) ? ' that each has words in' : ''}`,
        own,
        [
          attributeColumn,
          groupColumn,
          kindColumn,
          ...overColumns(own),
          { key: 'baseline', label: 'Before', kind: 'rate' },
          {
            key: 'degradation',
            label: 'Degradation',
            kind: 'difference',
            help: 'Perturbed minus baseline; below zero: better than the baseline.',
            ranks: true,
          },
          { ...speakersColumn, of: ({ degradation }) => degradation.n.speakers },
          { ...utterancesColumn, of: ({ degradation }) => degradation.n.utterances },
          {
            key: 'words',
            label: 'Words',
            kind: 'count',
            help: 'In the condition that has most of them.',
            of: ({ degradation }) => degradation.n.words ?? null,
          },
        ],
      ),
      comparisonTable('degradation-comparisons', 'Comparisons of groups', overall),
    ],
  };
}

/** What each kind of perturbation costs each group, with the mean over all first; the measure and the groups of the first claim before others. */
function lossBars({ results, plan }: Concluded, lead: Asked | null): BarChart[] {
  const own = results.degradations.filter(({ measure }) => measure === null);
  const series = Map.groupBy(leadFirst(own, lead), ({ attribute, kind }) => JSON.stringify([attribute, kind]));
  return [...series.values()].flatMap((rows): BarChart[] => {
    const { attribute, kind } = rows[0]!;
    const groups = [...new Set(rows.map(({ group }) => group))];
    if (groups.length > maxLines) return [];
    const places = [null, ...plan.families.map(({ name }) => name)].filter((place) =>
      rows.some(({ family }) => family === place),
    );
    return [
      {
        title: `What perturbation costs, by ${attribute}: ${kindInWords(kind)}`,
        ...{ label: `Degradation, ${kindInWords(kind)}`, kind: 'difference', series: groups },
        rows: places.map((place) => ({
          name: place ?? 'all together',
          values: groups.map(
            (group) => rows.find((one) => one.group === group && one.family === place)?.degradation ?? null,
          ),
        })),
      },
    ];
  });
}

const kindColumn = {
  key: 'kind',
  label: 'Measured by',
  kind: 'text',
  help: 'Distance: words in which two recognizers differ, as a share of the words of the longer transcript. It needs no reference.',
} as const;
const scopeColumn = {
  key: 'scope',
  label: 'Over',
  kind: 'text',
  help: 'A pair of recognizers (or one), or a family of conditions; all: the mean over families, all measures alike.',
} as const;
const differenceColumn = {
  key: 'comparison',
  label: 'Difference',
  kind: 'difference',
  help: 'Of the group, minus that of the group it is compared with.',
} as const;

/** The columns and rows of some comparisons. */
function comparisonTable(id: string, title: string, comparisons: readonly GroupComparison[]): Table {
  const scoped = comparisons.some(({ scope }) => scope !== null);
  const lost = comparisons.some(({ conditions }) => conditions.length > 0);
  return tableOf(id, title, comparisons, [
    attributeColumn,
    groupColumn,
    comparedWithColumn,
    { ...kindColumn, of: ({ kind }) => kind ?? 'share of failed trials' },
    scoped && { ...scopeColumn, of: ({ scope }) => scope ?? 'all' },
    ...restsColumns(comparisons, lost ? 'difference' : 'rate'),
    differenceColumn,
    whyNot(({ comparison }) => comparison),
  ]);
}

/** What was left out because listeners or measures find it too bad; nothing without a gate. */
function gateSections({ validity, plan }: Concluded): Section[] {
  if (validity === null) return [];
  const { conditions, ratings, rule } = validity;
  if (conditions !== null) return [validitySection('degradation', { conditions, rule })];
  const labels = new Map(plan.conditions.map(({ name, rung }) => [name, rung?.label]));
  return [
    {
      id: 'degradation-ratings',
      title: 'Clips that count',
      text: [`Kept: clips with ${rule}; clips without ratings do not count.`],
      tables: [ratingsTable('degradation', ratings ?? [], (about) => labels.get(about) ?? null)],
    },
  ];
}

/** Where the groups stand before, and who has more failures; null where nothing can be compared. */
function beforeSection({ results, plan }: Concluded): Section | null {
  if (results.before.length === 0) return null;
  return {
    id: 'degradation-before',
    title: 'Gaps before any perturbation, and failures',
    text: [
      `A group may have more errors in ${plan.conditions[0]!.name} already (Equation 1 of AequeVox, with a test), or get no answer more often. A failed trial is not an empty transcript: it is left out of rates, so they do not show it.`,
    ],
    tables: [
      comparisonTable(
        'degradation-before',
        'Gaps before any perturbation, and shares of failed trials',
        results.before,
      ),
    ],
  };
}

/** By family of conditions and by pair of recognizers; null where there is one of each. */
function detailsSection({ results }: Concluded): Section | null {
  const own = results.degradations.filter(({ measure, family }) => measure !== null || family !== null);
  if (own.length === 0) return null;
  return {
    id: 'degradation-details',
    title: 'By kind of perturbation and by recognizer',
    text: [
      'Speakers are permuted among the groups, in the same way for all of these comparisons, which controls the probability of even one false verdict (step-down maximum): four fifths of it are spent on the loss over all conditions, one fifth on these comparisons and on the gaps before any perturbation. If speakers are in several groups, p values are corrected by Holm’s method.',
    ],
    tables: [
      tableOf('degradation-details', 'Degradation by part', own, [
        attributeColumn,
        groupColumn,
        kindColumn,
        { ...scopeColumn, of: ({ measure, family }) => measure ?? family ?? 'all' },
        ...overColumns(own),
        { key: 'baseline', label: 'Before', kind: 'rate' },
        { key: 'degradation', label: 'Degradation', kind: 'difference' },
      ]),
      comparisonTable('degradation-detail-comparisons', 'Differences by part', results.details),
    ],
  };
}

/** Which conditions count and which are left out, with the mean that decides. */
function conditionsSection({ results, plan, options, validity }: Concluded): Section {
  const left = results.kept.filter(({ reason }) => reason !== undefined).length;
  const rule =
    options.profile === 'aequevox'
      ? 'the two slowest rates are left out by name, as in AequeVox'
      : `two groups are not compared by a recognizer (or a pair) in a condition where its rate over these two is above ${options.ceiling}`;
  return {
    id: 'degradation-conditions',
    title: 'Conditions that count',
    text: [
      `${left} of ${results.kept.length} are left out, of everything or of some comparisons: ${rule}${validity === null ? '' : `, and those without a clip that counts (${validity.rule})`}.`,
    ],
    tables: [
      tableOf('degradation-conditions', 'All speakers, by condition', results.kept, [
        conditionIn(plan.conditions),
        column('severity', 'Severity', 'text', ({ condition }) => plan.conditions[condition]!.rung?.label ?? ''),
        kindColumn,
        {
          key: 'mean',
          label: 'Mean',
          kind: 'rate',
          help: 'Over the recognizers or pairs, each pooled over everybody.',
        },
        column('kept', 'Counts', 'text', ({ kept, reason }) =>
          reason === undefined ? 'yes' : `${kept ? 'not everywhere' : 'no'}: ${reason}`,
        ),
      ]),
    ],
  };
}

/** More lines cannot be told apart. */
const maxLines = 8;

/** Rates of groups along each family of severities; null where no family has two rungs left. */
function curvesSection(known: Concluded): Section | null {
  const { plan } = known;
  const rates = leadFirst(known.results.rates, leadOf(known));
  const series = Map.groupBy(rates, ({ attribute, kind }) => JSON.stringify([attribute, kind]));
  const charts = [...series.values()].flatMap((own) => {
    const { attribute, kind } = own[0]!;
    const groups = [...new Set(own.map(({ group }) => group))];
    if (groups.length > maxLines) return [];
    return plan.families.flatMap(({ name, conditions }): Chart[] => {
      const shown = conditions.filter((condition) => own.some((one) => one.condition === condition));
      if (shown.length < 2) return [];
      const places = [0, ...shown];
      return [
        {
          title: `${name} by ${attribute}: ${kindInWords(kind)}`,
          xLabel: 'severity',
          xTicks: places.map((condition) =>
            condition === 0 ? 'before' : (plan.conditions[condition]!.rung?.label ?? String(condition)),
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
