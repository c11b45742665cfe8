import type { Section } from '../../model/finding.ts';
import {
  type ColumnOf,
  column,
  comparedWithColumn,
  comparisonColumns,
  recognizerColumn,
  speakersColumn,
  tableOf,
} from '../shared/tables.ts';
import { type CaseValidity, ratingsTable } from '../shared/validity/validity.ts';
import type { RelationDesign } from './design.ts';
import type { FirstAnswers } from './first-answers.ts';
import { relationInWords } from './options.ts';
import { type Field, languageColumn, type RelationCube } from './relation-cube.ts';
import type { ConditionSet, RelationResults, SetResult } from './results.ts';

const setLabels: Readonly<Record<ConditionSet['kind'], string>> = {
  relation: 'Relation',
  family: 'Kind of change',
  severity: 'Severity',
  condition: 'Condition',
};

const titles: Readonly<Record<ConditionSet['kind'], string>> = {
  relation: 'Relations',
  family: 'By kind of change',
  severity: 'Violations by severity',
  condition: 'All conditions',
};

const hears: ColumnOf<{ readonly series: string }> = { ...recognizerColumn, of: ({ series }) => series };

/** Who and what a row is about; the language where there are several. */
function subject(kind: ConditionSet['kind'], { languages }: RelationResults): readonly (ColumnOf<SetResult> | false)[] {
  return [
    column('set', setLabels[kind], 'text', ({ set }) => set.name),
    languages.length > 1 && { ...languageColumn, of: ({ set }) => set.language },
    hears,
  ];
}

/** Violations and measures of likeness: by relation, by kind of noise, by severity, by condition. */
export function setSection(
  kind: ConditionSet['kind'],
  results: RelationResults,
  cube: RelationCube,
  { relations }: RelationDesign,
): Section | null {
  const rows = results.sets.filter(({ set }) => set.kind === kind);
  if (rows.length === 0) return null;
  const [ranked, ...others] = cube.columns('violationRate', 'controlRate');
  const changed = { key: 'excess', label: 'Beyond that', kind: 'difference' } as const;
  const violations = tableOf(`metamorphic-${kind}-violations`, 'Violations', rows, [
    ...subject(kind, results),
    { ...ranked!, ...(kind === 'relation' && { ranks: true }) },
    ...others,
    {
      ...changed,
      help: 'Violations minus those with nothing changed: the effect of the change.',
      of: ({ excess }) => excess,
    },
    ...comparisonColumns('From swapping the two speaker by speaker', ({ excess }: SetResult) => excess).map((one) =>
      one.kind === 'verdict' ? { ...one, label: 'Than nothing changed' } : one,
    ),
    ...cube.columns('steadyViolationRate'),
    {
      ...column('takenOut', 'Taken out', 'count', ({ counts }) => counts.controlViolations - counts.steadyViolations),
      help: 'Violations of clips that are not steady.',
    },
    ...cube.columns('pairs'),
    { ...speakersColumn, of: ({ ratios }) => ratios.violationRate.n.speakers },
  ]);
  const known = (['similarity', 'criticalWords'] as const).filter((metric) =>
    rows.some(({ ratios }) => ratios[metric].value !== null),
  );
  const title = 'How like the transcripts are, and robustness level';
  const likeness = tableOf(`metamorphic-${kind}-likeness`, title, rows, [
    ...subject(kind, results),
    { key: 'level', label: 'Level', kind: 'number', help: 'Robustness from 1 (poor) to 5 (good).' },
    ...cube.columns('fillRate', 'accuracy', 'bleu1', 'bleu2', 'bleu3', 'bleu4', ...known, 'pairs'),
  ]);
  return {
    id: `metamorphic-${kind}`,
    title: titles[kind],
    ...(kind === 'relation' && {
      text: relations.map(({ name, output }) => `${name}: the changed clip must give ${relationInWords(output)}.`),
    }),
    tables: [violations, likeness],
  };
}

/** Where words were added, and who was wrong by the references. */
export function errorsSections(results: RelationResults, cube: RelationCube): Section[] {
  const rows = maxTold(results);
  const section = (
    { table, text, ...named }: { id: string; title: string; text: string; table: string },
    fields: Readonly<Record<string, Field>>,
  ): Section => {
    const counts = Object.entries(fields).map(([key, field]) => ({ ...cube.columns(field)[0]!, key }));
    return {
      ...named,
      text: [text],
      tables: [tableOf(named.id, table, rows, [...subject('condition', results), ...counts])],
    };
  };
  const added = section(
    {
      id: 'metamorphic-extra-words',
      title: 'Words added by the change',
      text: 'Words (or characters) of the changed clip that the clean clip does not have, by position.',
      table: 'Extra words by position',
    },
    { before: 'extraBefore', inside: 'extraInside', after: 'extraAfter', alone: 'extraAlone', words: 'tokens' },
  );
  if (!rows.some(({ counts }) => counts.referencePairs > 0)) return [added];
  const wrong = section(
    {
      id: 'metamorphic-wrong',
      title: 'Violations checked against references',
      text: 'Without a reference a violation shows only that one of two transcripts is wrong. Where references are known, this table shows which one, and how many cases hold because both transcripts have the same error, which no relation can detect.',
      table: 'Violations and passes by the references',
    },
    {
      violations: 'referenceViolations',
      followUpWrong: 'followUpWrong',
      sourceWrong: 'sourceWrong',
      bothWrong: 'bothWrong',
      sameError: 'sameError',
      pairs: 'referencePairs',
    },
  );
  return [added, wrong];
}

const maxTold = ({ sets }: RelationResults) =>
  sets.filter(({ set }) => set.kind === 'relation' || set.kind === 'condition');

/** What each recognizer does with nothing changed. */
export function identitySection(
  { identity, languages }: RelationResults,
  cube: RelationCube,
  design: RelationDesign,
  first: FirstAnswers,
): Section {
  const named = { id: 'metamorphic-identity', title: 'Identity control: the same clip again' };
  if (design.recognitions < 2) {
    const text = 'No clean clip was recognized again, so the variation with nothing changed is unknown.';
    return { ...named, text: [text] };
  }
  return {
    ...named,
    text: [
      `Clean clips were recognized ${design.recognitions} times. A violation of a clip whose own recognitions differ may have nothing to do with the change.`,
    ],
    tables: [
      tableOf(named.id, 'Transcripts of the same clean clips', identity, [
        languages.length > 1 && { ...languageColumn, of: ({ set }) => set.language },
        hears,
        ...cube.columns('same', 'unsteady', 'unsteadyClips', 'clips', 'recognitions'),
        { ...speakersColumn, of: ({ ratios }) => ratios.unsteady.n.speakers },
        column('declared', 'Declares itself', 'text', ({ series }) => declaration(series, design, first)),
      ]),
    ],
  };
}

function declaration(name: string, { recognizers, checked }: RelationDesign, { contradicted }: FirstAnswers): string {
  const number = recognizers.findIndex((one) => one.name === name);
  if (contradicted[number]) return 'deterministic, and is not';
  if (checked[number]) return 'deterministic, checked on a sample';
  return recognizers[number]?.facts.deterministic === true ? 'deterministic' : 'nothing';
}

/** Every pair of recognizers; null where there is one alone. */
export function comparisonsSection({ pairs }: RelationResults): Section | null {
  if (pairs.length === 0) return null;
  const id = 'metamorphic-comparisons';
  const table = tableOf(id, 'Difference in violations on the cases that both answered', pairs, [
    column('kind', 'What', 'text', ({ set }) => setLabels[set.kind]),
    column('set', 'Name', 'text', ({ set }) => set.name),
    { ...recognizerColumn, of: ({ second }) => second },
    { ...comparedWithColumn, of: ({ first }) => first },
    {
      ...column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
      help: 'Below zero: fewer violations.',
    },
    ...comparisonColumns(
      'Permutation test: the two recognizers are swapped speaker by speaker',
      ({ comparison }: (typeof pairs)[number]) => comparison,
    ),
    column('pairs', 'Cases', 'count', ({ comparison }) => comparison.difference.n.pairs ?? null),
  ]);
  const note = 'A verdict is given only if the interval and the adjusted p agree.';
  return { id, title: 'Which recognizer has fewer violations', tables: [{ ...table, note }] };
}

/** Results with all cases and with only those that the gate keeps; null without a gate. */
export function validitySection(
  results: RelationResults,
  cube: RelationCube,
  { conditions }: RelationDesign,
  validity: CaseValidity | null,
): Section | null {
  if (validity === null) return null;
  const { languages } = results;
  const rows = maxTold(results).flatMap((row) => (row.kept === null ? [] : [{ ...row, kept: row.kept }]));
  const inAll = cube.over(
    'cases',
    conditions.map(({ name }) => ({ name, cells: languages.map((language) => [language, name]) })),
  );
  const left = [...Map.groupBy(inAll, ({ set }) => set.name)].map(([set, own]) => ({
    set,
    excluded: own.reduce((sum, { counts }) => sum + counts.excluded, 0),
    unrated: own.reduce((sum, { counts }) => sum + counts.unrated, 0),
  }));
  return {
    id: 'metamorphic-validity',
    title: 'With valid cases alone',
    text: [
      `A changed clip counts as valid by: ${validity.rule}. One that was not ${validity.conditions === null ? 'rated does not count' : 'measured counts'}.`,
    ],
    tables: [
      tableOf('metamorphic-validity', 'With all cases, and with the valid ones', rows, [
        ...subject('condition', results),
        column('all', 'Violations', 'rate', ({ ratios }) => ratios.violationRate),
        column('valid', 'Violations, valid cases', 'rate', ({ kept }) => kept.violationRate),
        column('levelAll', 'Level', 'number', ({ level }) => level),
        column('levelValid', 'Level, valid cases', 'number', ({ kept }) => kept.level),
        column('pairs', 'Cases', 'count', ({ counts }) => counts.pairs),
        column('validPairs', 'Valid cases', 'count', ({ kept }) => kept.violationRate.n.pairs ?? 0),
      ]),
      {
        ...tableOf('metamorphic-excluded', 'What was left out', left, [
          { key: 'set', label: 'Condition', kind: 'text' },
          { key: 'excluded', label: 'Not valid', kind: 'count' },
          { key: 'unrated', label: 'Not rated', kind: 'count' },
        ]),
        note: 'Cases of all recognizers together.',
      },
      ...(validity.ratings === null ? [] : [ratingsTable('metamorphic', validity.ratings, () => null)]),
    ],
  };
}
