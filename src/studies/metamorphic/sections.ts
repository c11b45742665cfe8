import type { Cell, Column, Section } from '../../model/finding.ts';
import { recognizerColumn, speakersColumn } from '../shared/tables.ts';
import { type CaseValidity, ratingsTable } from '../shared/validity/validity.ts';
import type { Field } from './cluster-sums.ts';
import type { Design } from './design.ts';
import type { FirstAnswers } from './first-answers.ts';
import type { Results, SetResult } from './results.ts';
import type { Tally } from './tally.ts';

/** A column of counts, and the sum that it shows. */
type CountColumn = readonly [key: string, label: string, field: Field, help?: string];

const extraWords: readonly CountColumn[] = [
  ['before', 'Before', 'extraBefore', 'Before the first word that was expected.'],
  ['inside', 'Inside', 'extraInside'],
  ['after', 'After', 'extraAfter', 'After the last word that was expected.'],
  ['alone', 'Where nothing was expected', 'extraAlone', 'The transcript of the clean clip is empty.'],
  ['words', 'Words expected', 'tokens'],
];

const whoIsWrong: readonly CountColumn[] = [
  ['violations', 'Violations', 'referenceViolations'],
  ['followUpWrong', 'Changed clip wrong', 'followUpWrong'],
  ['sourceWrong', 'Clean clip wrong', 'sourceWrong', 'The change corrected an error.'],
  ['bothWrong', 'Both wrong', 'bothWrong'],
  ['sameError', 'Holds, but wrong', 'sameError', 'Both transcripts have the same error.'],
  ['pairs', 'Cases with a reference', 'referencePairs'],
];

/** Where words were added, and who was wrong by the references. */
export function errorsSections({ sets }: Results, design: Design): Section[] {
  const rows = sets.filter(({ set }) => set.kind === 'relation' || set.kind === 'condition');
  const languages = new Set(sets.map(({ language }) => language)).size;
  const section = (
    { id, title, text, table }: { id: string; title: string; text: string; table: string },
    columns: readonly CountColumn[],
  ): Section => ({
    id,
    title,
    text: [text],
    tables: [
      {
        id,
        title: table,
        columns: [...subjectColumns('condition', languages), ...columns.map(asColumn)],
        rows: rows.map((row) => ({ ...subjectCells(row, design), ...totals(row, columns) })),
      },
    ],
  });
  const added = section(
    {
      id: 'metamorphic-extra-words',
      title: 'Words added by the change',
      text: 'Words (or characters) of the changed clip that the clean clip does not have, by position.',
      table: 'Extra words by position',
    },
    extraWords,
  );
  if (!rows.some(({ cases }) => cases.total('referencePairs') > 0)) return [added];
  const wrong = section(
    {
      id: 'metamorphic-wrong',
      title: 'Violations checked against references',
      text: 'Without a reference a violation shows only that one of two transcripts is wrong. Where references are known, this table shows which one, and how many cases hold because both transcripts have the same error, which no relation can detect.',
      table: 'Violations and passes by the references',
    },
    whoIsWrong,
  );
  return [added, wrong];
}

function asColumn([key, label, , help]: CountColumn): Column {
  return { key, label, kind: 'count', ...(help !== undefined && { help }) };
}

function totals({ cases }: SetResult, columns: readonly CountColumn[]): Readonly<Record<string, number>> {
  return Object.fromEntries(columns.map(([key, , field]) => [key, cases.total(field)]));
}

const languageColumn: Column = { key: 'language', label: 'Language', kind: 'text' };
export const pairsColumn: Column = {
  key: 'pairs',
  label: 'Cases',
  kind: 'count',
  help: 'Clips whose transcripts before and after the change are both known.',
};

export const setLabels: Readonly<Record<SetResult['set']['kind'], string>> = {
  relation: 'Relation',
  family: 'Kind of change',
  severity: 'Severity',
  condition: 'Condition',
};

/** Who and what a row is about; the language where there are several. */
export function subjectColumns(kind: SetResult['set']['kind'], languages: number): Column[] {
  const set: Column = { key: 'set', label: setLabels[kind], kind: 'text' };
  return languages > 1 ? [set, languageColumn, recognizerColumn] : [set, recognizerColumn];
}

/** The cells of `subjectColumns`. */
export function subjectCells({ set, language, recognizer }: SetResult, design: Design): Record<string, Cell> {
  return { set: set.name, language, recognizer: design.recognizers[recognizer]!.name };
}

/** What each recognizer does with nothing changed. */
export function identitySection({ identity }: Results, design: Design, { contradicted }: FirstAnswers): Section {
  const title = 'Identity control: the same clip again';
  const id = 'metamorphic-identity';
  if (design.recognitions < 2) {
    return {
      id,
      title,
      text: ['No clean clip was recognized again, so the variation with nothing changed is unknown.'],
    };
  }
  const several = new Set(identity.map(({ language }) => language)).size > 1;
  return {
    id,
    title,
    text: [
      `Clean clips were recognized ${design.recognitions} times. A violation of a clip whose own recognitions differ may have nothing to do with the change.`,
    ],
    tables: [
      {
        id,
        title: 'Transcripts of the same clean clips',
        columns: [
          ...(several ? [{ key: 'language', label: 'Language', kind: 'text' as const }] : []),
          recognizerColumn,
          {
            key: 'same',
            label: 'Two recognitions agree',
            kind: 'rate',
            help: 'Fill rate of pairs of recognitions of one clip, each with each.',
          },
          {
            key: 'unsteady',
            label: 'Unsteady clips',
            kind: 'rate',
            help: 'Clips whose recognitions do not all agree.',
          },
          { key: 'unsteadyClips', label: 'Their number', kind: 'count' },
          { key: 'clips', label: 'Clips', kind: 'count' },
          { key: 'recognitions', label: 'Recognitions', kind: 'count' },
          speakersColumn,
          { key: 'declared', label: 'Declares itself', kind: 'text' },
        ],
        rows: identity.map(({ language, recognizer, differing, unsteady, cases }) => ({
          language,
          recognizer: design.recognizers[recognizer]!.name,
          same: opposite(differing),
          unsteady,
          unsteadyClips: cases.total('unsteady'),
          clips: unsteady.n.utterances,
          recognitions: cases.total('recognitions'),
          speakers: unsteady.n.speakers,
          declared: declaration(design, recognizer, contradicted[recognizer]!),
        })),
      },
    ],
  };
}

function declaration({ recognizers, checked }: Design, recognizer: number, contradicted: boolean): string {
  if (contradicted) return 'deterministic, and is not';
  if (checked[recognizer] !== null) return 'deterministic, checked on a sample';
  return recognizers[recognizer]!.facts.deterministic === true ? 'deterministic' : 'nothing';
}

function opposite<Interval extends { value: number | null; low: number | null; high: number | null }>(
  one: Interval,
): Interval {
  const of = (value: number | null) => (value === null ? null : 1 - value);
  return { ...one, value: of(one.value), low: of(one.high), high: of(one.low) };
}

/** Results with all cases and with only those that the gate keeps; null without a gate. */
export function validitySection(
  { sets }: Results,
  { excluded, unrated }: Tally,
  design: Design,
  validity: CaseValidity | null,
): Section | null {
  if (validity === null) return null;
  const languages = new Set(sets.map(({ language }) => language)).size;
  const rows = sets.filter(({ set }) => set.kind === 'relation' || set.kind === 'condition');
  return {
    id: 'metamorphic-validity',
    title: 'With valid cases alone',
    text: [
      `A changed clip counts as valid by: ${validity.rule}. One that was not ${validity.conditions === null ? 'rated does not count' : 'measured counts'}.`,
    ],
    tables: [
      {
        id: 'metamorphic-validity',
        title: 'With all cases, and with the valid ones',
        columns: [
          ...subjectColumns('condition', languages),
          { key: 'all', label: 'Violations', kind: 'rate' },
          { key: 'valid', label: 'Violations, valid cases', kind: 'rate' },
          { key: 'levelAll', label: 'Level', kind: 'number' },
          { key: 'levelValid', label: 'Level, valid cases', kind: 'number' },
          { key: 'pairs', label: 'Cases', kind: 'count' },
          { key: 'validPairs', label: 'Valid cases', kind: 'count' },
        ],
        rows: rows.map((row) => ({
          ...subjectCells(row, design),
          all: row.violationRate,
          valid: row.valid!.violationRate,
          levelAll: row.metrics.level,
          levelValid: row.valid!.metrics.level,
          pairs: row.cases.total('pairs'),
          validPairs: row.valid!.violationRate.n.pairs ?? 0,
        })),
      },
      {
        id: 'metamorphic-excluded',
        title: 'What was left out',
        columns: [
          { key: 'set', label: 'Condition', kind: 'text' },
          { key: 'excluded', label: 'Not valid', kind: 'count' },
          { key: 'unrated', label: 'Not rated', kind: 'count' },
        ],
        rows: design.conditions.map(({ name }, condition) => ({
          set: name,
          excluded: excluded[condition]!,
          unrated: unrated[condition]!,
        })),
        note: 'Cases of all recognizers together.',
      },
      ...(validity.ratings === null ? [] : [ratingsTable('metamorphic', validity.ratings, () => null)]),
    ],
  };
}
