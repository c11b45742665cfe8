import type { Estimate, Section, Table } from '../../model/finding.ts';
import {
  column,
  comparedWithColumn,
  comparisonColumns,
  conditionIn,
  recognizerIn,
  speakersColumn,
  tableOf,
  utterancesColumn,
  wordsSaidColumn,
} from '../shared/tables.ts';
import { ratingsTable, validitySection } from '../shared/validity/validity.ts';
import type { Design } from './design.ts';
import type { LevelComparison, LevelRow, Levels, Scope } from './levels.ts';
import type { RobustnessOptions } from './options.ts';
import { type ConditionResult, pooledConditions, type Results, type ValidResults } from './results.ts';
import { tableOneCategories } from './scenario-tree.ts';
import type { Tally } from './tally.ts';

/** Every recognizer in every condition. */
export function conditionsSection(results: Results, tally: Tally, design: Design): Section {
  const rows = results.conditions.map((row) => {
    const place = row.condition * design.recognizers.length + row.recognizer;
    const { asked, failed } = tally.trials[place]!;
    return { ...row, ...tally.outcomes[place]!, failed: asked === 0 ? null : failed / asked, n: row.wordErrorRate.n };
  });
  return {
    id: 'robustness-conditions',
    title: 'All conditions',
    tables: [
      {
        ...tableOf('robustness-conditions', 'Errors by condition and recognizer', rows, [
          conditionIn(design.conditions),
          {
            ...column(
              'severity',
              'Severity',
              'text',
              ({ condition }) => design.conditions[condition]!.rung?.label ?? '',
            ),
            help: 'For rooms: the mean of the measured values.',
          },
          recognizerIn(design.recognizers),
          rateColumn,
          {
            key: 'degradation',
            label: 'Change from clean',
            kind: 'difference',
            help: 'Word error rate degradation (WERD): word error rate minus that of clean audio, on the trials answered in both. Below zero: better than clean.',
          },
          {
            key: 'characterErrorRate',
            label: 'Character error rate',
            kind: 'rate',
            help: 'The same for characters, including blanks.',
          },
          { key: 'substitutions', label: 'Replaced', kind: 'count', help: 'Substitutions' },
          { key: 'deletions', label: 'Left out', kind: 'count', help: 'Deletions' },
          { key: 'insertions', label: 'Added', kind: 'count', help: 'Insertions' },
          { ...wordsSaidColumn, of: ({ n }) => n.words ?? null },
          { ...utterancesColumn, of: ({ n }) => n.utterances },
          { ...speakersColumn, of: ({ n }) => n.speakers },
          { key: 'failed', label: 'Failed', kind: 'rate', help: 'Share of trials without a transcript.' },
        ]),
        note: 'Rates are pooled: all errors over all reference words. Intervals resample whole speakers, because words of one speaker are not independent.',
      },
      ...(results.pooled === null ? [] : [pooledTable(results.pooled, design)]),
    ],
  };
}

function pooledTable(pooled: readonly Estimate[], design: Design): Table {
  const conditions = pooledConditions(design);
  const rows = pooled.map((wordErrorRate, recognizer) => ({ recognizer, wordErrorRate }));
  return {
    ...tableOf('robustness-pooled', `Pooled WER, all ${conditions} conditions`, rows, [
      recognizerIn(design.recognizers),
      { ...rateColumn, label: 'Pooled WER' },
      { ...wordsSaidColumn, of: ({ wordErrorRate: { n } }) => n.words ?? null },
    ]),
    note: 'All errors over all words, clean audio among them: every trial counts alike. The mean WER over scenarios is another number: there scenarios count alike, and clean audio is none.',
  };
}

/** The columns of attacks in Table 1. */
const attackColumns = [
  ['adversarial (UA)', 'Adv (UA)'],
  ['adversarial (US)', 'Adv (US)'],
] as const;

/**
 * Table 1 of Speech Robust Bench: clean word error rate and NWERD by category, a row for each recognizer and language, least
 * clean rate first. Null where no scenario has a difficulty. Attacks need a model's gradients and are not in it.
 */
export function tableOneSection(levels: Levels, design: Design, { profile }: RobustnessOptions): Section | null {
  const languages = levels.scopes.filter(({ kind }) => kind === 'language');
  const scopes = languages.length > 0 ? languages : levels.scopes.slice(0, 1);
  const attacked = levels.rows.some(({ level }) => level === 'adversarial');
  const normalized = levels.rows.filter(({ normalizedDegradation }) => normalizedDegradation.value !== null);
  if (!attacked && normalized.length === 0) return null;
  const own = tableOneCategories.map(([category]) => category);
  const others = normalized.flatMap(({ level, name }) => (level === 'category' && !own.includes(name) ? [name] : []));
  type Place = { readonly scope: Scope; readonly recognizer: number };
  const cell =
    (level: LevelRow['level'], name: string, measure: 'degradation' | 'normalizedDegradation') => (at: Place) =>
      levels.rows.find(
        (row) => row.scope === at.scope && row.recognizer === at.recognizer && row.level === level && row.name === name,
      )?.[measure] ?? null;
  const cleanOf = ({ scope, recognizer }: Place) =>
    levels.clean.find((row) => row.scope === scope && row.recognizer === recognizer)!.wordErrorRate;
  const rateOf = (place: Place) => cleanOf(place).value ?? Number.POSITIVE_INFINITY;
  const rows = scopes.flatMap((scope) =>
    design.recognizers.map((_, recognizer): Place => ({ scope, recognizer })).toSorted((a, b) => rateOf(a) - rateOf(b)),
  );
  const languageOf = ({ scope }: Place) => design.survey.datasets[scope.datasets[0]!]?.language ?? '';
  const headings = [...tableOneCategories, ...[...new Set(others)].map((name) => [name, name] as const)];
  const table = tableOf('robustness-table-1', 'Clean word error rate, and NWERD by category', rows, [
    column('language', 'Lang', 'text', (place) => languageOf(place).toUpperCase()),
    { ...recognizerIn(design.recognizers), label: 'Model' },
    column('clean', 'clean (WER)', 'rate', cleanOf),
    ...headings.map(([name, label]) => column(name, label, 'rate', cell('category', name, 'normalizedDegradation'))),
    column('average', 'AVG (NWERD)', 'rate', cell('overall', '', 'normalizedDegradation')),
    ...(attacked
      ? [
          ...attackColumns.map(([name, label]) => column(name, label, 'rate', cell('category', name, 'degradation'))),
          column('attacks', 'AVG (WERD)', 'rate', cell('adversarial', '', 'degradation')),
        ]
      : []),
  ]);
  const exact =
    profile === 'srb'
      ? 'Averages as in the program of the benchmark.'
      : 'Averages as this report makes them; the profile srb has those of the program of the benchmark.';
  const note = `${exact} AVG is the mean of the categories that have a value; published averages have nine for English and seven for Spanish. ${attacked ? 'The last AVG is the mean of the columns of attacks, whose numbers are not divided by a difficulty (WERD).' : 'Attacks are not in it: add srb/pgd and srb/universal_adv to the conditions.'}`;
  return { id: 'robustness-table-1', title: 'As Table 1 of Speech Robust Bench', tables: [{ ...table, note }] };
}

export const rateColumn = {
  key: 'wordErrorRate',
  label: 'Word error rate',
  kind: 'rate',
  help: 'Substitutions, deletions and insertions over reference words; may exceed 100 %.',
} as const;

/** What a row has with all sounds and with valid ones alone. */
interface Both extends Pick<ConditionResult, 'wordErrorRate' | 'degradation'> {
  readonly kept: Pick<ConditionResult, 'wordErrorRate' | 'degradation'>;
}

const bothColumns = [
  { ...column('rate', 'Word error rate', 'rate', ({ wordErrorRate }: Both) => wordErrorRate), help: 'Of all clips.' },
  {
    ...column('validRate', 'Valid only', 'rate', ({ kept }: Both) => kept.wordErrorRate),
    help: 'Word error rate of the valid clips.',
  },
  { key: 'degradation', label: 'Change from clean', kind: 'difference' },
  column('validDegradation', 'Valid only', 'difference', ({ kept }: Both) => kept.degradation),
] as const;

/** Results with all sounds beside those with only the sounds that the gate keeps, and what was left out; empty without a gate. */
export function validSections(
  valid: ValidResults | null,
  { levels, results }: { readonly levels: Levels; readonly results: Results },
  design: Design,
): Section[] {
  if (valid === null) return [];
  const { rule, conditions, ratings } = valid.validity;
  const tables = [levelsTable(valid, levels, design), conditionsTable(valid, results, design)];
  if (valid.comparisons.length > 0) {
    tables.push(
      levelComparisonTable(
        'robustness-valid-comparisons',
        'Recognizers compared, valid clips only',
        valid.comparisons,
        design,
      ),
    );
  }
  if (ratings !== null) {
    const labels = new Map(design.conditions.map(({ name, rung }) => [name, rung?.label]));
    tables.push(ratingsTable('robustness', ratings, (about) => labels.get(about) ?? null));
  }
  return [
    {
      id: 'robustness-valid',
      title: 'Valid clips only',
      text: [
        `A perturbed audio is valid by: ${rule}. Clean audio always counts; one that was not ${conditions === null ? 'rated does not count' : 'measured counts'}. Elsewhere in this report all clips count.`,
      ],
      tables,
    },
    ...(conditions === null ? [] : [validitySection('robustness', { conditions, rule })]),
  ];
}

function levelsTable(valid: ValidResults, levels: Levels, design: Design): Table {
  const [everything] = levels.scopes;
  // Both have a row for everything that was asked, answered or not.
  const rows = levels.rows
    .map((row, index) => ({ ...row, kept: valid.levels.rows[index]! }))
    .filter(({ scope, level }) => scope === everything && (level === 'overall' || level === 'category'));
  return tableOf('robustness-valid-levels', 'By category, all clips and valid clips', rows, [
    column('name', 'Scenarios', 'text', ({ level, name }) => (level === 'overall' ? 'all scenarios' : name)),
    recognizerIn(design.recognizers),
    ...bothColumns,
    { key: 'scenarios', label: 'Number of scenarios', kind: 'count' },
    column('none', 'Of these without a valid answer', 'count', ({ kept }) => kept.unanswered),
  ]);
}

function conditionsTable(valid: ValidResults, { conditions }: Results, design: Design): Table {
  const rows = conditions.map((row, index) => ({ ...row, kept: valid.conditions[index]! }));
  return tableOf('robustness-valid-conditions', 'By condition, and what was left out', rows, [
    conditionIn(design.conditions),
    recognizerIn(design.recognizers),
    ...bothColumns,
    { ...wordsSaidColumn, of: ({ wordErrorRate }) => wordErrorRate.n.words ?? null },
    column('validWords', 'Reference words, valid only', 'count', ({ kept }) => kept.wordErrorRate.n.words ?? null),
    {
      ...column('excluded', 'Trials not valid', 'count', ({ condition }) => valid.excluded[condition]!),
      help: 'Of all recognizers together.',
    },
    {
      ...column('unrated', 'Trials not rated', 'count', ({ condition }) => valid.unrated[condition]!),
      help: 'Of all recognizers together; left out too.',
    },
  ]);
}

/** Recognizers compared over many scenarios; null where there is one alone. */
export function levelComparisonsSection(compared: readonly LevelComparison[], design: Design): Section | null {
  if (compared.length === 0) return null;
  const id = 'robustness-level-comparisons';
  const title = 'Differences over many conditions, on the trials that both answered';
  return {
    id,
    title: 'Recognizers compared: over all scenarios',
    text: ['Tested together with the comparisons in single conditions; their note describes the correction.'],
    tables: [levelComparisonTable(id, title, compared, design)],
  };
}

/** A row for each pair of recognizers, measure and category. */
function levelComparisonTable(id: string, title: string, compared: readonly LevelComparison[], design: Design): Table {
  const isPart = compared.some(({ rests }) => rests !== null);
  const table = tableOf(id, title, compared, [
    column('category', 'Scenarios', 'text', ({ category, measure }) =>
      measure === 'pooled word error rate' ? 'all conditions' : (category ?? 'all scenarios'),
    ),
    column('measure', 'Measure', 'text', ({ measure }) => (measure.startsWith('pooled') ? measure : `mean ${measure}`)),
    recognizerIn(design.recognizers),
    { ...comparedWithColumn, of: ({ comparedWith }) => design.recognizers[comparedWith]!.name },
    isPart && {
      ...column('over', 'Rests on', 'text', ({ rests }) => rests?.over ?? 'all'),
      help: 'A difference is taken over the scenarios in which both have words.',
    },
    isPart && column('own', 'Mean there', 'rate', ({ rests }) => rests?.own ?? null),
    isPart && column('others', 'Mean there, the other', 'rate', ({ rests }) => rests?.others ?? null),
    {
      ...column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
      help: 'Below zero: fewer errors, or less lost.',
    },
    ...comparisonColumns(
      'Permutation test: the two recognizers are swapped speaker by speaker',
      ({ comparison }: LevelComparison) => comparison,
    ),
  ]);
  return { ...table, note: 'A verdict is given only if the interval and the adjusted p agree.' };
}
