import type { Section, Table } from '../../model/finding.ts';
import { speakersColumn, verdictCells, verdictColumns } from '../shared/tables.ts';
import type { Design } from './design.ts';
import { relationInWords } from './options.ts';
import type { ConditionSet, Results, SetResult } from './results.ts';
import { pairsColumn, subjectCells, subjectColumns } from './sections.ts';

const kinds: readonly { readonly kind: ConditionSet['kind']; readonly title: string }[] = [
  { kind: 'relation', title: 'Relations' },
  { kind: 'family', title: 'By kind of change' },
  { kind: 'severity', title: 'Violations by severity' },
  { kind: 'condition', title: 'All conditions' },
];

/** Violations and measures of likeness: by relation, by kind of noise, by severity, by condition. */
export function setsSections({ sets }: Results, design: Design): Section[] {
  const languages = new Set(sets.map(({ language }) => language)).size;
  return kinds.flatMap(({ kind, title }): Section[] => {
    const rows = sets.filter(({ set }) => set.kind === kind);
    if (rows.length === 0) return [];
    return [
      {
        id: `metamorphic-${kind}`,
        title,
        ...(kind === 'relation' ? { text: relationTexts(design) } : {}),
        tables: [violationsTable(kind, rows, design, languages), likenessTable(kind, rows, design, languages)],
      },
    ];
  });
}

function relationTexts({ relations }: Design): string[] {
  return relations.map(({ name, output }) => `${name}: the changed clip must give ${relationInWords(output)}.`);
}

function violationsTable(
  kind: ConditionSet['kind'],
  rows: readonly SetResult[],
  design: Design,
  languages: number,
): Table {
  return {
    id: `metamorphic-${kind}-violations`,
    title: 'Violations',
    columns: [
      ...subjectColumns(kind, languages),
      {
        key: 'violationRate',
        label: 'Violations',
        kind: 'rate',
        help: 'Share of cases in which the relation does not hold.',
        ...(kind === 'relation' && { ranks: true as const }),
      },
      {
        key: 'controlRate',
        label: 'With nothing changed',
        kind: 'rate',
        help: 'Share of pairs of recognitions of the same clean clips that differ: what comes without any change.',
      },
      {
        key: 'excess',
        label: 'Beyond that',
        kind: 'difference',
        help: 'Violations minus those with nothing changed: the effect of the change.',
      },
      ...verdictColumns('From swapping the two speaker by speaker').map((column) =>
        column.kind === 'verdict' ? { ...column, label: 'Than nothing changed' } : column,
      ),
      {
        key: 'steadyViolationRate',
        label: 'Of steady clips',
        kind: 'rate',
        help: 'The same of clips whose clean recognitions all agree: violations that unsteadiness may explain are taken out.',
      },
      { key: 'takenOut', label: 'Taken out', kind: 'count', help: 'Violations of clips that are not steady.' },
      { ...pairsColumn },
      speakersColumn,
    ],
    rows: rows.map((row) => ({
      ...subjectCells(row, design),
      violationRate: row.violationRate,
      controlRate: row.controlRate,
      excess: row.excess,
      ...verdictCells(row.excess),
      steadyViolationRate: row.steadyViolationRate,
      takenOut: row.cases.total('controlViolations') - row.cases.total('steadyViolations'),
      pairs: row.cases.total('pairs'),
      speakers: row.violationRate.n.speakers,
    })),
  };
}

function likenessTable(
  kind: ConditionSet['kind'],
  rows: readonly SetResult[],
  design: Design,
  languages: number,
): Table {
  const has = (metric: 'similarity' | 'criticalWords') => rows.some(({ metrics }) => metrics[metric].value !== null);
  return {
    id: `metamorphic-${kind}-likeness`,
    title: 'How like the transcripts are, and robustness level',
    columns: [
      ...subjectColumns(kind, languages),
      { key: 'level', label: 'Level', kind: 'number', help: 'Robustness from 1 (poor) to 5 (good).' },
      {
        key: 'fillRate',
        label: 'Fill rate',
        kind: 'rate',
        help: 'Share of cases in which the relation holds.',
      },
      {
        key: 'accuracy',
        label: 'Accuracy',
        kind: 'rate',
        help: '1 minus the error rate of the changed clip, with the transcript of the clean clip as reference.',
      },
      { key: 'bleu1', label: 'BLEU-1', kind: 'rate' },
      { key: 'bleu2', label: 'BLEU-2', kind: 'rate' },
      { key: 'bleu3', label: 'BLEU-3', kind: 'rate' },
      { key: 'bleu4', label: 'BLEU-4', kind: 'rate', help: 'Likeness by stretches of one to four words.' },
      ...(has('similarity')
        ? [
            {
              key: 'similarity',
              label: 'Similarity of meaning',
              kind: 'rate' as const,
              help: 'Cosine of sentence vectors.',
            },
          ]
        : []),
      ...(has('criticalWords')
        ? [
            {
              key: 'criticalWords',
              label: 'Critical words kept',
              kind: 'rate' as const,
              help: 'Of the words that must not be lost.',
            },
          ]
        : []),
      pairsColumn,
    ],
    rows: rows.map((row) => ({
      ...subjectCells(row, design),
      ...row.metrics,
      pairs: row.cases.total('pairs'),
    })),
  };
}
