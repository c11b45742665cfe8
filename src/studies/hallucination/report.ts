import { significantDecimals } from '../../base/number-format.ts';
import type { About, Chart, Example, Section, Statement, Table } from '../../model/finding.ts';
import type { ScoreColumn, Scores } from '../../model/scores.ts';
import type { Condition } from '../../model/trial.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import { claimFrom, leadersInWords, verdictAmong } from '../shared/claims.ts';
import type { Pair } from '../shared/cube/contract.ts';
import { cubeWarnings, pairsTable } from '../shared/cube/tables.ts';
import { failuresSection, failureWarnings } from '../shared/failures.ts';
import { recognizerColumn, tableOf } from '../shared/tables.ts';
import { named, numberInWords, rateInWords } from '../shared/wording.ts';
import { type HallucinationOptions, type SoundCube, shownNames } from './design.ts';

/** What the parts of a finding are made from. */
interface Known {
  readonly cube: SoundCube;
  readonly pairs: readonly Pair[];
  readonly conditions: readonly Condition[];
  /** By recognizer: what it wrote, the most frequent first. */
  readonly texts: readonly {
    readonly recognizer: string;
    readonly different: number;
    /** Sounds whose text was not told from others. */
    readonly uncounted: number;
    readonly rows: readonly { readonly text: string; readonly sounds: number }[];
  }[];
  readonly examples: readonly Example[];
}

const allKinds = 'all kinds of sound';

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf({ cube, pairs, conditions, texts, examples }: Known): Section[] {
  const several = conditions.length > 1;
  const durations = cube.table('duration', 'hallucination-durations', 'By duration of the clip');
  const groups = cube.table('group', 'hallucination-groups', 'By attribute');
  return [
    {
      id: 'hallucination-conditions',
      title: 'Hallucinations by kind of sound',
      text: ['Nobody speaks in any of these clips: every recognized word is hallucinated.'],
      ...(several && { charts: [shareChart(cube, conditions)] }),
      tables: [
        ...(several ? [wholeTable(cube)] : []),
        cube.table('condition', 'hallucination-conditions', 'By kind of sound'),
      ],
    },
    ...(durations.rows.length === 0 ? [] : [{ id: durations.id, title: 'Short and long clips', tables: [durations] }]),
    ...(groups.rows.length === 0 ? [] : [{ id: groups.id, title: 'Groups of clips', tables: [groups] }]),
    textsSection(texts),
    ...(pairs.length === 0
      ? []
      : [
          {
            id: 'hallucination-comparisons',
            title: 'Comparisons',
            tables: [
              pairsTable(
                pairs,
                'hallucination-comparisons',
                'Share of clips with words, on the clips that both answered',
              ),
            ],
          },
        ]),
    failuresSection('hallucination', 'A failed trial is no empty transcript: it is left out.', cube.trials),
    ...(examples.length === 0 ? [] : [{ id: 'hallucination-examples', title: 'Longest hallucinations', examples }]),
  ];
}

/** Of each recognizer all kinds of sound together, which the answer is about. */
function wholeTable(cube: SoundCube): Table {
  const { columns, ...table } = cube.table('all', 'hallucination-recognizers', 'All kinds of sound together');
  return {
    ...table,
    columns: columns.map((one) =>
      one.key === 'share' ? { ...one, label: `Clips with words, ${allKinds}`, ranks: true } : one,
    ),
  };
}

/** So many kinds of sound stand beside all of them. */
const maxKinds = 4;

/** Recognizers by kinds of sound. */
export function scoresOf({ cube, pairs, conditions }: Known): Scores {
  const names = [...shownNames(conditions)];
  const several = conditions.length > 1;
  const shares = cube.rows('all').filter(({ ratios }) => ratios.share.value !== null);
  const ranked = shares.toSorted((a, b) => a.ratios.share.value! - b.ratios.share.value!).map(({ series }) => series);
  const rates = ratesOf({ cube, conditions }).find(({ about }) => about?.recognizer === ranked[0]);
  const leads = leadersInWords(ranked, 'recognizes words in the fewest clips', verdictAmong(pairs));
  const [first] = several ? [] : names;
  const of = { comparisons: { table: 'hallucination-comparisons', column: 'difference' } };
  const inKind = ([condition, shown]: readonly [string, string]): ScoreColumn => ({
    words: `in ${shown}`,
    head: headOf(shown),
    ...(several && { best: null }),
    rates: { table: 'hallucination-conditions', column: 'share', where: { condition } },
  });
  return {
    measure: 'Clips with words',
    found: [leads, rates?.text ?? null].filter((text) => text !== null),
    columns:
      first === undefined
        ? [
            {
              words: `in ${allKinds}`,
              head: ['all'],
              rates: { table: 'hallucination-recognizers', column: 'share' },
              ...of,
            },
            ...names.slice(0, maxKinds).map(inKind),
          ]
        : [{ ...inKind(first), ...of }],
    ranks: 0,
    ...(names.length > maxKinds && { left: `${maxKinds} of ${names.length} kinds of sound` }),
  };
}

/** A name in two lines where it has a place to break. */
function headOf(name: string): ScoreColumn['head'] {
  const [, one, other] = /^(.{3,}?)[ :/](.+)$/.exec(name) ?? [];
  return one === undefined ? [name] : [one, other!];
}

function shareChart(cube: SoundCube, conditions: readonly Condition[]): Chart {
  const ticks = [...shownNames(conditions).values()];
  const points = [
    ...cube.rows('all').map((row) => ({ ...row, x: 0 })),
    ...cube.rows('condition').map((row) => ({ ...row, x: 1 + ticks.indexOf(row.path[0]!) })),
  ];
  return {
    title: 'Clips with hallucinated words',
    xLabel: 'sound',
    xTicks: [allKinds, ...ticks],
    yLabel: 'Clips with words',
    yKind: 'rate',
    unordered: true,
    series: [...Map.groupBy(points, ({ series }) => series)].map(([name, own]) => ({
      name,
      points: own.map(({ x, ratios }) => ({ x, estimate: ratios.share })),
    })),
  };
}

/** The commonest invented texts. */
function textsSection(texts: Known['texts']): Section {
  const id = 'hallucination-texts';
  const rows = texts.flatMap(({ recognizer, rows }) => rows.map((row) => ({ recognizer, ...row })));
  const table = tableOf(id, 'Most frequent hallucinated texts', rows, [
    recognizerColumn,
    { key: 'text', label: 'Text', kind: 'text', transcript: true },
    { key: 'sounds', label: 'Sounds', kind: 'count' },
  ]);
  const commonest = { ...table, note: 'After normalization; long texts are cut.' };
  const different = tableOf('hallucination-different-texts', 'Different texts', texts, [
    recognizerColumn,
    { key: 'different', label: 'Different texts', kind: 'count' },
    { key: 'uncounted', label: 'More, not distinguished', kind: 'count' },
  ]);
  return { id, title: 'Text', tables: rows.length === 0 ? [different] : [different, commonest] };
}

/** How much each recognizer makes up. */
function ratesOf({ cube, conditions: asked }: Pick<Known, 'cube' | 'conditions'>): Statement[] {
  const conditions = asked.map(({ name }) => name);
  return cube.rows('all').flatMap(({ series: recognizer, ratios: { share, pace } }): Statement[] => {
    const about: About = { recognizer, conditions, by: 'words' };
    const name = named(recognizer);
    if (share.value === null) return [];
    const shareText = `${name} recognizes words in ${rateInWords(share, 'of the clips', 'in which nobody speaks')}.`;
    const told = { text: shareText, estimate: share, about };
    if (pace.value === null) return [told];
    // As it is printed in tables.
    const decimals = Number.isInteger(pace.value) ? 0 : significantDecimals(pace.value, 6);
    const text = `${name} hallucinates ${numberInWords(pace, decimals, ' words per minute without speech')}.`;
    return [told, { text, estimate: pace, kind: 'number', about }];
  });
}

/** Who makes up more, the surest and largest difference first, and how much each recognizer makes up. */
export function answerOf({ cube, pairs, conditions: asked }: Known): Statement[] {
  const conditions = asked.map(({ name }) => name);
  const rates = ratesOf({ cube, conditions: asked });
  if (rates.length === 0) return [{ text: 'No trial was answered, so there is no result.' }];
  const size = ({ comparison: { verdict, difference } }: Pair) =>
    (verdict === 'cannot tell' ? 0 : 1) + Math.abs(difference.value ?? 0);
  // Of whom nothing was answered a warning tells.
  const [leading, ...others] = pairs
    .filter(({ comparison }) => comparison.difference.value !== null)
    .toSorted((a, b) => size(b) - size(a))
    .map(({ first, second, comparison }): Statement => {
      const [one, other] = [named(first), named(second)];
      const about: About = { recognizer: second, conditions, by: 'words', than: { recognizer: first } };
      return claimFrom({ comparison, kind: 'difference', about }, `with ${other}`, (apart, verdict) =>
        verdict === 'cannot tell'
          ? `${one} and ${other} do not differ significantly in the share of clips with hallucinated words: ${apart}`
          : `${other} hallucinates in ${verdict === 'better' ? 'fewer' : 'more'} of the clips than ${one}: ${apart}`,
      );
    });
  return [...(leading === undefined ? [] : [leading]), ...rates, ...others];
}

/** What a reader must know before believing the numbers. */
export function warningsOf({ cube }: Known, { corpus }: HallucinationOptions): string[] {
  const unproven =
    'Earwitness trusts that these conditions leave no speech; if some is left, words found there are not hallucinated.';
  return [
    ...failureWarnings(cube.trials, 'they are left out, which may flatter it'),
    ...cubeWarnings(cube, 'recording', defaultMinimumClusters),
    ...(corpus === 'speech' ? [unproven] : []),
  ];
}
